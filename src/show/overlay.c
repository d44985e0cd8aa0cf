// The members of a family in one plot: each curve of the model has a panel, with one line a member.
//
// in    the plots of all members, with the value that was varied
// out   a plot; up to eight members (twelve of several lists) differ by colours and dashes, named in the legend;
//       more by a scale of colours over the value, logarithmic where it goes over a decade or more. A panel of many
//       curves is there once for each member, with all of its curves. Apart: a grid of panels; of several lists its
//       columns are the combinations of all but the first
#include "show/overlay.h"

#include <math.h>
#include <string.h>

enum { key_most = 8, table_most = 12 }; // members that colours and dashes tell apart; more need a bar
enum { key_heads_most = 6, colours_most = 7, dashes_most = 4 };
enum { panel_curves_most = 12 }; // of more, members have panels instead of curves

static const double *copy(Arena *arena, const double *v, size_t n) {
  double *copied = arena_array(arena, n, sizeof *copied);
  if (copied && n) memcpy(copied, v, n * sizeof *copied);
  return copied;
}

static const char *copy_text(Arena *arena, const char *text) {
  return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

// Names and axes of a plot, which outlive the member.
static void keep_axes(Overlay *o, const Plot *member) {
  o->one = (Plot){.title = copy_text(o->arena, member->title)};
  for (uint32_t i = 0; i < member->panels.count; i++) {
    PlotPanel p = member->panels.items[i];
    p.x_name = copy_text(o->arena, p.x_name);
    p.x_unit = copy_text(o->arena, p.x_unit);
    p.y_name = copy_text(o->arena, p.y_name);
    p.bar.name = copy_text(o->arena, p.bar.name);
    p.bar.unit = copy_text(o->arena, p.bar.unit);
    memset(&p.curves, 0, sizeof p.curves);
    memset(&p.events, 0, sizeof p.events);
    for (uint32_t k = 0; k < member->panels.items[i].curves.count; k++) {
      PlotCurve c = member->panels.items[i].curves.items[k];
      c.name = copy_text(o->arena, c.name);
      c.unit = copy_text(o->arena, c.unit);
      c.x = c.y = c.y2 = c.t = NULL;
      c.count = 0;
      vec_push(o->arena, &p.curves, c);
    }
    vec_push(o->arena, &o->one.panels, p);
  }
}

void overlay_take(Overlay *o, const Plot *member, OverlayMember values) {
  uint32_t index = o->members.count;
  if (!vec_push(o->arena, &o->members, values)) return;
  if (index == 0) keep_axes(o, member);
  for (uint32_t i = 0; i < member->panels.count; i++) {
    const PlotPanel *p = &member->panels.items[i];
    if (p->heat) {
      PlotHeat heat = *p->heat;
      heat.values = copy(o->arena, heat.values, (size_t)heat.rows * heat.columns);
      if (heat.values) vec_push(o->arena, &o->heats, (OverlayHeat){i, index, heat});
    }
    const double *x = NULL, *t = NULL; // the curves of a panel share them
    for (uint32_t k = 0; k < p->curves.count; k++) {
      const PlotCurve *c = &p->curves.items[k];
      if (!x || c->x != p->curves.items[k - 1].x) x = copy(o->arena, c->x, c->count);
      const double *y = copy(o->arena, c->y, c->count);
      if (k == 0 || c->t != p->curves.items[k - 1].t) t = c->t ? copy(o->arena, c->t, c->count) : NULL;
      if (x && y) vec_push(o->arena, &o->curves, (OverlayCurve){i, k, index, x, y, t, c->count});
    }
  }
}

// Levels over more than a decade are coloured by their logarithms.
static bool wide(const Overlay *o) {
  double lo = INFINITY, hi = 0;
  for (uint32_t i = 0; i < o->members.count; i++) {
    lo = fmin(lo, o->members.items[i].level);
    hi = fmax(hi, o->members.items[i].level);
  }
  return lo > 0 && hi >= 10 * lo;
}

// Are colours the first thing that varies, and dashes all others?
static bool crossed(const Overlay *o) { return o->lists >= 2 && o->counts[1] <= dashes_most; }

bool overlay_has_key(const Overlay *o) {
  return o->members.count <= (o->lists >= 2 ? table_most : key_most); // 28 styles differ
}

uint32_t overlay_colour(const Overlay *o, uint32_t member) {
  return crossed(o) && o->counts[0] <= colours_most ? o->members.items[member].entry[0] : member;
}

uint32_t overlay_dash(const Overlay *o, uint32_t member) {
  if (crossed(o) && (o->counts[0] <= colours_most || !overlay_has_key(o))) return o->members.items[member].entry[1];
  return overlay_has_key(o) ? member : 0;
}

// The key of a panel: a table where several things vary, in the first panel alone.
static void put_key(const Overlay *o, bool first, PlotPanel *panel) {
  bool key = overlay_has_key(o);
  if (o->head_count > 1 && key) {
    panel->heads = o->heads;
    panel->head_count = o->head_count < key_heads_most ? o->head_count : key_heads_most;
    panel->keyless = !first;
  }
  // of many members: what dashes mean
  for (uint32_t k = 0; !key && crossed(o) && k < o->counts[1]; k++) {
    for (uint32_t i = 0; i < o->members.count; i++) {
      const OverlayMember *m = &o->members.items[i];
      if (m->entry[1] != k) continue;
      if (m->rest) vec_push(o->arena, &panel->dashes, (PlotDash){m->rest, k});
      break;
    }
  }
}

static PlotBar bar_of(const Overlay *o) {
  if (crossed(o)) return (PlotBar){.name = o->varied, .unit = o->unit, .log = wide(o)};
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
  bool first = true;
  AxisRange all = axis_range_empty();
  for (uint32_t n = 0; n < o->heats.count; n++) {
    const PlotHeat *h = &o->heats.items[n].heat;
    if (o->heats.items[n].panel == index) axis_range_take(&all, h->values, (size_t)h->rows * h->columns, p->bar.log);
  }
  for (uint32_t n = 0; n < o->heats.count; n++) {
    PlotPanel *panel = o->heats.items[n].panel == index ? panel_like(o, p, plot) : NULL;
    if (!panel) continue;
    panel->heat = &o->heats.items[n].heat;
    if (plot->columns) panel->height = 130;
    panel->row = first;
    first = false;
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
                    .t = c->t,
                    .count = c->count,
                    .style = key ? overlay_colour(o, c->member) + 1 : 0,
                    .dash = key || crossed(o) ? overlay_dash(o, c->member) + 1 : 0,
                    .cells = m->cells,
                    .shaded = !key,
                    .level = m->level};
  vec_push(o->arena, &panel->curves, line);
}

// One panel for each member, with the same axes, so that they can be compared.
static void apart_panels(const Overlay *o, const PlotPanel *p, uint32_t index, uint32_t k, Plot *plot) {
  AxisRange x = axis_range_empty(), y = axis_range_empty();
  bool first = true;
  for (uint32_t n = 0; n < o->curves.count; n++) {
    const OverlayCurve *c = &o->curves.items[n];
    if (c->panel != index || c->curve != k) continue;
    axis_range_take(&x, c->x, c->count, p->x_log);
    axis_range_take(&y, c->y, c->count, p->y_log);
  }
  for (uint32_t n = 0; n < o->curves.count; n++) {
    const OverlayCurve *c = &o->curves.items[n];
    PlotPanel *panel = c->panel == index && c->curve == k ? curve_panel(o, p, k, plot) : NULL;
    if (!panel) continue;
    if (!(panel->y.lo < panel->y.hi) && y.lo < y.hi) panel->y = axis_range_with_margin(y, p->y_log, 0.05);
    if (panel->phase && !(panel->x.lo < panel->x.hi) && x.lo < x.hi)
      panel->x = axis_range_with_margin(x, p->x_log, 0.05);
    if (!panel->phase) panel->height = plot->columns > 1 ? 150 : 120;
    else if (plot->columns > 1) panel->height = 220;
    put_line(o, c, p->curves.items[k].unit, true, panel);
    panel->caption = o->members.items[c->member].label;
    panel->curves.items[0].dash = 1; // alone in its panel it needs none
    panel->row = first;
    first = false;
  }
}

// Profiles, or many curves: a panel for each member has all of them.
static void apart_profiles(const Overlay *o, const PlotPanel *p, uint32_t index, Plot *plot) {
  AxisRange y = axis_range_empty();
  for (uint32_t n = 0; n < o->curves.count; n++) {
    const OverlayCurve *c = &o->curves.items[n];
    bool left = c->panel == index && c->curve < p->curves.count && !p->curves.items[c->curve].right;
    if (left) axis_range_take(&y, c->y, c->count, p->y_log);
  }
  for (uint32_t m = 0; m < o->members.count; m++) {
    PlotPanel *panel = panel_like(o, p, plot);
    if (!panel) return;
    panel->y_name = p->y_name;
    panel->bar = p->bar;
    panel->right = p->right;
    panel->y = p->y.lo < p->y.hi ? p->y : y.lo < y.hi ? axis_range_with_margin(y, p->y_log, 0.05) : p->y;
    panel->height = 150;
    panel->caption = o->members.items[m].label;
    panel->row = m == 0;
    for (uint32_t n = 0; n < o->curves.count; n++) {
      const OverlayCurve *c = &o->curves.items[n];
      if (c->panel != index || c->member != m || c->curve >= p->curves.count) continue;
      PlotCurve line = p->curves.items[c->curve];
      line.x = c->x;
      line.y = c->y;
      line.count = c->count;
      line.t = c->t;
      line.style = c->curve + 1;
      vec_push(o->arena, &panel->curves, line);
    }
  }
}

// How many panels of members stand in a row: the values of a second list, or what is about a square.
static uint32_t grid_columns(const Overlay *o) {
  uint32_t n = o->members.count;
  if (o->lists >= 2 && o->counts[1] > 1 && o->counts[1] <= 4) return o->counts[1];
  return n <= 3 ? 1 : n == 4 ? 2 : n <= 9 ? 3 : 4;
}

// Has each member a panel with all curves, instead of a panel for each curve? Where these are many, and the
// members are not still more.
static bool by_member(const Overlay *o, const PlotPanel *p) {
  return p->curves.count > panel_curves_most && o->members.count <= p->curves.count;
}

void overlay_plot(const Overlay *o, Plot *plot) {
  const Plot *one = &o->one;
  *plot = (Plot){.title = one->title};
  bool key = overlay_has_key(o), first = true;
  uint32_t small = o->members.count > 12 ? 3 : 2; // panels of members that stand beside each other
  plot->columns = o->apart ? grid_columns(o) : 0;
  for (uint32_t i = 0; i < one->panels.count && o->members.count > 4; i++) {
    if (!plot->columns && (by_member(o, &one->panels.items[i]) || one->panels.items[i].heat)) plot->columns = small;
  }
  PlotBar bar = key ? (PlotBar){0} : bar_of(o);
  for (uint32_t i = 0; i < one->panels.count; i++) {
    const PlotPanel *p = &one->panels.items[i];
    if (p->heat) heat_panels(o, p, i, plot);
    if ((o->apart && p->index) || by_member(o, p)) {
      apart_profiles(o, p, i, plot);
      continue;
    }
    for (uint32_t k = 0; k < p->curves.count; k++) {
      if (o->apart) {
        apart_panels(o, p, i, k, plot);
        continue;
      }
      PlotPanel *panel = curve_panel(o, p, k, plot);
      if (!panel) return;
      panel->bar = bar;
      panel->row = panel->whole = true;
      if (plot->columns && !panel->phase && !panel->equal) panel->height = 160;
      put_key(o, first, panel);
      first = false;
      for (uint32_t n = 0; n < o->curves.count; n++) {
        const OverlayCurve *c = &o->curves.items[n];
        if (c->panel == i && c->curve == k) put_line(o, c, p->curves.items[k].unit, key, panel);
      }
    }
  }
}
