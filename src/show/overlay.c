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

void overlay_plot(const Overlay *o, const Plot *one, Plot *plot) {
  *plot = (Plot){.title = one->title};
  bool key = o->members.count <= key_most;
  PlotBar bar = key ? (PlotBar){0} : bar_of(o);
  for (uint32_t i = 0; i < one->panels.count; i++) {
    const PlotPanel *p = &one->panels.items[i];
    for (uint32_t k = 0; k < p->curves.count; k++) {
      PlotPanel *panel = plot_panel(o->arena, plot, p->x_name, p->x_unit);
      if (!panel) return;
      panel->y_name = p->curves.items[k].name;
      panel->x_log = p->x_log;
      panel->y_log = p->y_log;
      panel->phase = p->phase;
      panel->equal = p->equal;
      panel->seconds = p->seconds;
      panel->x = p->x;
      panel->y = p->curves.items[k].right ? p->right : p->y;
      panel->height = p->height;
      panel->bar = bar;
      for (uint32_t n = 0; n < o->curves.count; n++) {
        const OverlayCurve *c = &o->curves.items[n];
        if (c->panel != i || c->curve != k) continue;
        const OverlayMember *m = &o->members.items[c->member];
        PlotCurve line = {.name = key ? m->label : panel->y_name,
                          .unit = p->curves.items[k].unit,
                          .x = c->x,
                          .y = c->y,
                          .count = c->count,
                          .style = key ? c->member + 1 : 0,
                          .shaded = !key,
                          .level = m->level};
        vec_push(o->arena, &panel->curves, line);
      }
    }
  }
}
