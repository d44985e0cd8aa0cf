// Poles of curves over time: a curve is not drawn through infinity, and its axis stays readable. A part of figure.h.
//
// in    panels over time with their curves
// out   copies of the columns with an interruption (NAN) at each pole; limits of the axis where the data would flatten
//       everything else, and words that say so
// how   Near a pole of order p the function g = |y|^(-1/p) is a straight line to zero. Between two rows there is a pole
//       where both lines, through the two rows before and through the two rows behind, reach zero inside, for p = 1
//       where the sign changes, for p = 2 where it does not. A jump or a steep slope has no such lines.
#include "show/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How far beyond a row the lines may reach zero, as a part of the way between rows: g is straight only near the pole.
static const double reach = 0.1;
// Of the rows of a curve with poles so many are inside of the limits.
static const double seen = 0.95;

// Where the line through (a, ga) and (b, gb) is zero.
static double zero_of(double a, double ga, double b, double gb) { return b + (b - a) * gb / (ga - gb); }

static bool is_pole(const double *t, const double *y) {
  double h = t[2] - t[1], g[4];
  if (!(t[1] > t[0] && t[3] > t[2])) return false;
  bool odd = (y[1] < 0) != (y[2] < 0);
  if ((y[0] < 0) != (y[1] < 0) || (y[2] < 0) != (y[3] < 0)) return false;
  if (!(fabs(y[1]) > fabs(y[0]) && fabs(y[2]) > fabs(y[3]))) return false;
  for (int i = 0; i < 4; i++) g[i] = odd ? 1 / fabs(y[i]) : 1 / sqrt(fabs(y[i]));
  double left = zero_of(t[0], g[0], t[1], g[1]), right = zero_of(t[3], g[3], t[2], g[2]);
  return left >= t[1] - reach * h && left <= t[2] + reach * h && right >= t[1] - reach * h && right <= t[2] + reach * h;
}

static int by_size(const void *a, const void *b) {
  double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
  return (x > y) - (x < y);
}

// The size that most values of a curve stay below; *most: the largest of all.
static double usual_size(Arena *arena, const PlotCurve *c, double *most) {
  double *v = arena_array(arena, c->count + 1, sizeof *v);
  size_t n = 0;
  for (size_t i = 0; v && i < c->count; i++) {
    if (isfinite(c->y[i])) v[n++] = c->y[i];
  }
  *most = 0;
  if (!n) return 0;
  qsort(v, n, sizeof *v, by_size);
  *most = fabs(v[n - 1]);
  return fabs(v[(size_t)(seen * (double)(n - 1))]);
}

// Marks the rows before which a curve has a pole. Of an instant, the row beside the pole counts.
static bool find_poles(const PlotCurve *c, bool *gap) {
  const double *x = c->x, *y = c->y;
  bool any = false;
  for (size_t i = 2; i + 1 < c->count; i++) {
    size_t before = i - 1, behind = i;
    if (!(x[i] > x[i - 1])) continue;
    while (before > 0 && x[before] == x[i - 1]) before--;
    while (behind + 1 < c->count && x[behind] == x[i]) behind++;
    if (!is_pole((double[]){x[before], x[i - 1], x[i], x[behind]}, (double[]){y[before], y[i - 1], y[i], y[behind]}))
      continue;
    gap[i] = any = true;
  }
  return any;
}

// A column with one row more before each marked one: that of the row before it, or NAN where the pole is its own.
static const double *with_gaps(Arena *arena, const double *v, size_t count, const bool *gap, const bool *own) {
  double *out = arena_array(arena, 2 * count + 1, sizeof *out);
  for (size_t i = 0, n = 0; out && i < count; i++) {
    if (gap[i]) out[n++] = own && own[i] ? NAN : v[i - 1];
    out[n++] = v[i];
  }
  return out ? out : v;
}

// The limits of the axis, where a curve with poles would flatten the rest.
static void limit_axis(const Figure *f, PlotPanel *p, bool *const *own, bool right) {
  AxisRange *said = right ? &p->right : &p->y, range = axis_range_empty();
  double largest = 0;
  if (said->lo < said->hi || p->y_log) return;
  for (uint32_t k = 0; k < p->curves.count; k++) {
    const PlotCurve *c = &p->curves.items[k];
    double most;
    if (c->right != right) continue;
    if (!own[k]) {
      axis_range_take(&range, c->y, c->count, false);
      continue;
    }
    double size = usual_size(f->arena, c, &most);
    for (size_t i = 0; i < c->count; i++) {
      if (fabs(c->y[i]) <= size) axis_range_take(&range, &c->y[i], 1, false);
    }
    largest = fmax(largest, most);
  }
  if (!(range.lo < range.hi) || largest <= fmax(fabs(range.lo), fabs(range.hi))) return;
  *said = axis_range_with_margin(range, false, 0.05);
  p->note = arena_printf(f->arena, "cut at poles: the largest value is %.3g", largest);
}

static void cut_panel(const Figure *f, PlotPanel *p) {
  Arena *arena = f->arena;
  size_t count = p->curves.items[0].count, gaps = 0;
  bool *gap = arena_array(arena, count + 1, sizeof *gap), any = false;
  bool **own = arena_array(arena, p->curves.count, sizeof *own);
  if (!gap || !own) return;
  for (uint32_t k = 0; k < p->curves.count; k++) {
    bool *here = arena_array(arena, count + 1, sizeof *here);
    if (!here) return;
    if (!find_poles(&p->curves.items[k], here)) continue;
    own[k] = here;
    any = true;
    for (size_t i = 0; i < count; i++) gap[i] = gap[i] || here[i];
  }
  if (!any) return;
  for (size_t i = 0; i < count; i++) gaps += gap[i];
  limit_axis(f, p, own, false);
  limit_axis(f, p, own, true);
  const double *x = with_gaps(arena, p->curves.items[0].x, count, gap, NULL);
  for (uint32_t k = 0; k < p->curves.count; k++) {
    PlotCurve *c = &p->curves.items[k];
    c->y = with_gaps(arena, c->y, count, gap, own[k]);
    c->x = x;
    c->count = count + gaps;
  }
}

void figure_cut_poles(const Figure *f, Plot *plot) {
  for (uint32_t i = 0; i < plot->panels.count; i++) {
    PlotPanel *p = &plot->panels.items[i];
    if (!p->phase && !p->index && !p->heat && p->curves.count && p->curves.items[0].count > 3) cut_panel(f, p);
  }
}
