// Load paths as plots. See load_path.h.
//
// The rows of the table are the points of the curve. Of a point that is not judged (limit points, bifurcations) both
// pieces that meet there take it, so that the curve has no gap.
#include "show/load_path.h"

#include <math.h>

enum { most_panels = 3, stable_style = 1, unstable_style = 2, limit_style = 3, crossing_style = 4 };

static double number(const Positions *x, size_t row, uint32_t column) {
  return x->rows.items[row * x->columns + column];
}

static size_t row_count(const Positions *x) { return x->columns ? x->rows.count / x->columns : 0; }

// Rows that are stable, or not; NAN between the pieces.
static bool add_pieces(Arena *arena, const Positions *x, PlotPanel *p, uint32_t column, bool stable) {
  size_t count = row_count(x);
  double *at = arena_array(arena, count + 1, sizeof *at), *load = arena_array(arena, count + 1, sizeof *load);
  if (!at || !load) return false;
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    double u = number(x, i, x->columns - 1);
    bool in = isnan(u) || (u == 0) == stable;
    any = any || (!isnan(u) && in);
    at[i] = in ? number(x, i, column) : NAN;
    load[i] = in ? number(x, i, 0) : NAN;
  }
  PlotCurve c = {.name = stable ? "stable" : "unstable", .unit = x->drives[0].si, .x = at, .y = load, .count = count};
  c.style = stable ? stable_style : unstable_style;
  return !any || vec_push(arena, &p->curves, c);
}

static bool add_specials(Arena *arena, const Positions *x, PlotPanel *p, uint32_t shown, FollowEnd kind) {
  double *at = arena_array(arena, (size_t)x->specials.count + 1, sizeof *at);
  double *load = arena_array(arena, (size_t)x->specials.count + 1, sizeof *load);
  size_t count = 0;
  if (!at || !load) return false;
  for (uint32_t i = 0; i < x->specials.count; i++) {
    const PositionsSpecial *e = &x->specials.items[i];
    if (e->kind != kind) continue;
    at[count] = e->shown[shown];
    load[count++] = e->P[0];
  }
  PlotCurve c = {.kind = curve_points, .unit = x->drives[0].si, .x = at, .y = load, .count = count};
  c.name = x->problem == positions_deformed ? "turns and jumps"
           : kind == follow_dead            ? (count > 1 ? "limit points" : "limit point")
           : count > 1                      ? "bifurcations"
                                            : "bifurcation";
  c.style = kind == follow_dead ? limit_style : crossing_style;
  return !count || vec_push(arena, &p->curves, c);
}

bool load_path_plot(Arena *arena, const Positions *x, Plot *plot) {
  const Places *places = &x->places;
  *plot = (Plot){.title = x->system->title};
  if (!places->statics || row_count(x) < 2) return false;
  for (uint32_t i = 0; i < places->shown.count && i < most_panels; i++) {
    const PlacesShown *s = &places->shown.items[i];
    PlotPanel *p = plot_panel(arena, plot, s->name, s->si);
    if (!p) return false;
    p->y_name = x->drives[0].name;
    if (!add_pieces(arena, x, p, places->k + i, true) || !add_pieces(arena, x, p, places->k + i, false) ||
        !add_specials(arena, x, p, i, follow_dead) || !add_specials(arena, x, p, i, follow_branch))
      return false;
  }
  return plot->panels.count > 0;
}
