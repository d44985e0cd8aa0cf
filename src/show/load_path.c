// Load paths (equilibrium paths) as plots. See load_path.h.
//
// The points of the curve are the rows of the table and, between them, the steps of the continuation. Stability
// changes at rows alone: what lies between two of them is as they are. Of a point that is not judged (limit points,
// bifurcations) both pieces that meet there take it, so that the curve has no gap.
#include "show/load_path.h"

#include <math.h>

enum { most_panels = 3, stable_style = 1, unstable_style = 2, limit_style = 3, crossing_style = 4 };

static size_t row_count(const Positions *x) { return x->columns ? x->rows.count / x->columns : 0; }

// Rows and what is between them: the drive, what is shown, the number of unstable directions.
typedef struct PathPoints {
  const Positions *x;
  size_t count;
  double *load, *shown, *unstable; // shown: `wide` numbers each
  uint32_t wide;
} PathPoints;

static const double *row_at(const Positions *x, size_t row) { return x->rows.items + row * x->columns; }

// Between rows: what is judged on one of its sides.
static double unstable_between(const Positions *x, size_t behind) {
  double u = behind < row_count(x) ? row_at(x, behind)[x->columns - 1] : NAN;
  return isnan(u) && behind ? row_at(x, behind - 1)[x->columns - 1] : u;
}

static void put_point(PathPoints *p, double load, const double *shown, double unstable) {
  for (uint32_t i = 0; i < p->wide; i++) p->shown[p->count * p->wide + i] = shown[i];
  p->unstable[p->count] = unstable;
  p->load[p->count++] = load;
}

static bool take_points(Arena *arena, const Positions *x, PathPoints *p) {
  size_t rows = row_count(x), wide = x->places.shown.count + 2, between = x->path.between.count / wide, b = 0;
  *p = (PathPoints){.x = x, .wide = x->places.shown.count};
  p->load = arena_array(arena, rows + between + 1, sizeof *p->load);
  p->unstable = arena_array(arena, rows + between + 1, sizeof *p->unstable);
  p->shown = arena_array(arena, (rows + between + 1) * p->wide, sizeof *p->shown);
  if (arena_failed(arena)) return false;
  for (size_t r = 0; r < rows; r++) {
    for (; b < between && x->path.between.items[b * wide] <= (double)r; b++) {
      const double *at = x->path.between.items + b * wide;
      if (r) put_point(p, at[1], at + 2, unstable_between(x, r));
    }
    put_point(p, row_at(x, r)[0], row_at(x, r) + x->places.k, row_at(x, r)[x->columns - 1]);
  }
  return true;
}

// Which numbers are on the axes: -1 the drive, else what is shown.
typedef struct PathAxes {
  int x, y;
} PathAxes;

static double value_at(const PathPoints *p, size_t i, int which) {
  return which < 0 ? p->load[i] : p->shown[i * p->wide + (size_t)which];
}

static const char *axis_name(const Positions *x, int which) {
  return which < 0 ? x->drives[0].name : x->places.shown.items[which].name;
}

static const char *axis_unit(const Positions *x, int which) {
  return which < 0 ? x->drives[0].si : x->places.shown.items[which].si;
}

// Points that are stable, or not; NAN between the pieces.
static bool add_pieces(Arena *arena, const PathPoints *p, PlotPanel *panel, PathAxes axes, bool stable) {
  double *at = arena_array(arena, p->count + 1, sizeof *at), *load = arena_array(arena, p->count + 1, sizeof *load);
  if (!at || !load) return false;
  bool any = false;
  for (size_t i = 0; i < p->count; i++) {
    double u = p->unstable[i];
    bool in = isnan(u) || (u == 0) == stable;
    any = any || (!isnan(u) && in);
    at[i] = in ? value_at(p, i, axes.x) : NAN;
    load[i] = in ? value_at(p, i, axes.y) : NAN;
  }
  PlotCurve c = {.name = stable ? "stable" : "unstable", .unit = axis_unit(p->x, axes.y), .x = at, .y = load};
  c.count = p->count;
  c.style = stable ? stable_style : unstable_style;
  return !any || vec_push(arena, &panel->curves, c);
}

static bool add_specials(Arena *arena, const Positions *x, PlotPanel *p, PathAxes axes, FollowEnd kind) {
  double *at = arena_array(arena, (size_t)x->specials.count + 1, sizeof *at);
  double *load = arena_array(arena, (size_t)x->specials.count + 1, sizeof *load);
  size_t count = 0;
  if (!at || !load) return false;
  for (uint32_t i = 0; i < x->specials.count; i++) {
    const PositionsSpecial *e = &x->specials.items[i];
    if (e->kind != kind) continue;
    at[count] = axes.x < 0 ? e->P[0] : e->shown[axes.x];
    load[count++] = axes.y < 0 ? e->P[0] : e->shown[axes.y];
  }
  PlotCurve c = {.kind = curve_points, .unit = axis_unit(x, axes.y), .x = at, .y = load, .count = count};
  c.name = x->problem == positions_deformed ? "turns and jumps"
           : kind == follow_corner          ? (count > 1 ? "corners" : "corner")
           : kind == follow_dead            ? (count > 1 ? "limit points" : "limit point")
           : count > 1                      ? "bifurcations"
                                            : "bifurcation";
  c.style = kind == follow_branch ? crossing_style : limit_style;
  c.mark = kind == follow_corner ? mark_ring : mark_dot;
  return !count || vec_push(arena, &p->curves, c);
}

static bool add_panel(Arena *arena, const PathPoints *points, Plot *plot, PathAxes axes) {
  const Positions *x = points->x;
  PlotPanel *p = plot_panel(arena, plot, axis_name(x, axes.x), axis_unit(x, axes.x));
  if (!p) return false;
  p->y_name = axis_name(x, axes.y);
  return add_pieces(arena, points, p, axes, true) && add_pieces(arena, points, p, axes, false) &&
         add_specials(arena, x, p, axes, follow_dead) && add_specials(arena, x, p, axes, follow_branch) &&
         add_specials(arena, x, p, axes, follow_corner);
}

// Does it change along the path by more than rounding?
static bool changes(const PathPoints *p, int which) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < p->count; i++) {
    low = fmin(low, value_at(p, i, which));
    high = fmax(high, value_at(p, i, which));
  }
  return high - low > 1e-9 * fmax(p->x->places.size, fmax(fabs(low), fabs(high)));
}

// What stands still is noise on an axis of its own: rounding, and shown as the first value.
static void calm(PathPoints *p, int which) {
  for (size_t i = 0; i < p->count; i++) p->shown[i * p->wide + (size_t)which] = value_at(p, 0, which);
}

bool load_path_plot(Arena *arena, const Positions *x, Plot *plot) {
  const Places *places = &x->places;
  PathPoints points;
  *plot = (Plot){.title = x->system->title};
  if (!places->statics || row_count(x) < 2 || !places->shown.count || !take_points(arena, x, &points)) return false;
  // displacement control: the force that holds a prescribed position is the load
  bool holds = places->kind == places_static && places_held(places);
  for (int i = 0; i < (int)places->shown.count && plot->panels.count < most_panels; i++) {
    PathAxes axes = holds && i == 0 ? (PathAxes){-1, 0} : (PathAxes){i, -1};
    if (changes(&points, i) && !add_panel(arena, &points, plot, axes)) return false;
  }
  if (!plot->panels.count) {
    calm(&points, 0);
    if (!add_panel(arena, &points, plot, (PathAxes){0, -1})) return false;
  }
  return true;
}
