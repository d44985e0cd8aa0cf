// The members of a family in one plot: each curve of the model has a panel, with one line a member.
//
// in    the plots of all members, with the value that was varied
// out   a plot; up to eight members are told apart by colours and dashes, and named in the legend; more by a scale of
//       colours over the value, logarithmic where it goes over a decade or more
#include "show/overlay.h"

#include <math.h>
#include <string.h>

enum { key_most = 8 }; // members that colours and dashes tell apart; more need a bar

static const double *copy(Arena *arena, const double *v, size_t n) {
  double *copied = arena_array(arena, n, sizeof *copied);
  if (copied && n) memcpy(copied, v, n * sizeof *copied);
  return copied;
}

void overlay_take(Overlay *o, const Plot *member, OverlayMember values) {
  uint32_t index = o->members.count;
  if (!vec_push(o->arena, &o->members, values)) return;
  for (uint32_t i = 0; i < member->panels.count; i++) {
    const PlotPanel *p = &member->panels.items[i];
    if (p->heat) {
      PlotHeat heat = *p->heat;
      heat.values = copy(o->arena, heat.values, (size_t)heat.rows * heat.columns);
      if (heat.values) vec_push(o->arena, &o->heats, (OverlayHeat){i, index, heat});
    }
    const double *x = NULL; // the curves of a panel share it
    for (uint32_t k = 0; k < p->curves.count; k++) {
      const PlotCurve *c = &p->curves.items[k];
      if (!x || c->x != p->curves.items[k - 1].x) x = copy(o->arena, c->x, c->count);
      const double *y = copy(o->arena, c->y, c->count);
      if (x && y) vec_push(o->arena, &o->curves, (OverlayCurve){i, k, index, x, y, c->count});
    }
  }
}

// Levels over more than a decade are told apart by their logarithms.
static bool wide(const Overlay *o) {
  double lo = INFINITY, hi = 0;
  for (uint32_t i = 0; i < o->members.count; i++) {
    lo = fmin(lo, o->members.items[i].level);
    hi = fmax(hi, o->members.items[i].level);
  }
  return lo > 0 && hi >= 10 * lo;
}

static PlotBar bar_of(const Overlay *o) {
  const char *name = o->others ? arena_printf(o->arena, "%s (with every %s)", o->varied, o->others) : o->varied;
  return (PlotBar){.name = name ? name : o->varied, .unit = o->unit, .log = wide(o)};
}

// The axes of a panel of one member.
static PlotPanel *panel_like(const Overlay *o, const PlotPanel *p, Plot *plot) {
  PlotPanel *panel = plot_panel(o->arena, plot, p->x_name, p->x_unit);
  if (!panel) return NULL;
  panel->x_log = p->x_log;
  panel->y_log = p->y_log;
  panel->phase = p->phase;
  panel->index = p->index;
  panel->equal = p->equal;
  panel->seconds = p->seconds;
  panel->x = p->x;
  panel->height = p->height;
  return panel;
}

// Colours: a panel for each member, all by one scale.
static void heat_panels(const Overlay *o, const PlotPanel *p, uint32_t index, Plot *plot) {
  AxisRange all = axis_range_empty();
  for (uint32_t n = 0; n < o->heats.count; n++) {
    const PlotHeat *h = &o->heats.items[n].heat;
    if (o->heats.items[n].panel == index) axis_range_take(&all, h->values, (size_t)h->rows * h->columns, p->bar.log);
  }
  for (uint32_t n = 0; n < o->heats.count; n++) {
    PlotPanel *panel = o->heats.items[n].panel == index ? panel_like(o, p, plot) : NULL;
    if (!panel) continue;
    panel->heat = &o->heats.items[n].heat;
    panel->y_name = arena_printf(o->arena, "%s (%s)", p->y_name, o->members.items[o->heats.items[n].member].label);
    panel->bar = p->bar;
    if (!(p->bar.range.lo < p->bar.range.hi) && all.lo < all.hi) panel->bar.range = all;
  }
}

static PlotPanel *curve_panel(const Overlay *o, const PlotPanel *p, uint32_t k, Plot *plot) {
  const PlotCurve *c = &p->curves.items[k];
  PlotPanel *panel = panel_like(o, p, plot);
  if (!panel) return NULL;
  bool profile = p->index && p->y_name;
  panel->y_name = profile ? arena_printf(o->arena, "%s, %s", p->y_name, c->name) : c->name;
  panel->y = c->right ? p->right : p->y;
  return panel;
}

static void put_line(const Overlay *o, const OverlayCurve *c, const char *unit, bool key, PlotPanel *panel) {
  const OverlayMember *m = &o->members.items[c->member];
  PlotCurve line = {.name = key ? m->label : panel->y_name,
                    .unit = unit,
                    .x = c->x,
                    .y = c->y,
                    .count = c->count,
                    .style = key ? c->member + 1 : 0,
                    .shaded = !key,
                    .level = m->level};
  vec_push(o->arena, &panel->curves, line);
}

// One panel for each member, with the same axes, so that they can be compared.
static void apart_panels(const Overlay *o, const PlotPanel *p, uint32_t index, uint32_t k, Plot *plot) {
  AxisRange y = axis_range_empty();
  for (uint32_t n = 0; n < o->curves.count; n++) {
    const OverlayCurve *c = &o->curves.items[n];
    if (c->panel == index && c->curve == k) axis_range_take(&y, c->y, c->count, p->y_log);
  }
  for (uint32_t n = 0; n < o->curves.count; n++) {
    const OverlayCurve *c = &o->curves.items[n];
    PlotPanel *panel = c->panel == index && c->curve == k ? curve_panel(o, p, k, plot) : NULL;
    if (!panel) continue;
    if (!(panel->y.lo < panel->y.hi) && y.lo < y.hi && !panel->equal)
      panel->y = axis_range_with_margin(y, p->y_log, 0.05);
    if (!panel->phase) panel->height = 120;
    put_line(o, c, p->curves.items[k].unit, true, panel);
    panel->legend = true;
  }
}

void overlay_plot(const Overlay *o, const Plot *one, Plot *plot) {
  *plot = (Plot){.title = one->title};
  bool key = o->members.count <= key_most;
  PlotBar bar = key ? (PlotBar){0} : bar_of(o);
  for (uint32_t i = 0; i < one->panels.count; i++) {
    const PlotPanel *p = &one->panels.items[i];
    if (p->heat) heat_panels(o, p, i, plot);
    for (uint32_t k = 0; k < p->curves.count; k++) {
      if (o->apart) {
        apart_panels(o, p, i, k, plot);
        continue;
      }
      PlotPanel *panel = curve_panel(o, p, k, plot);
      if (!panel) return;
      panel->bar = bar;
      for (uint32_t n = 0; n < o->curves.count; n++) {
        const OverlayCurve *c = &o->curves.items[n];
        if (c->panel == i && c->curve == k) put_line(o, c, p->curves.items[k].unit, key, panel);
      }
    }
  }
}
