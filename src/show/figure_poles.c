// Poles of curves over time: a curve is not drawn through infinity, and its axis stays readable. A part of figure.h.
//
// in    panels over time with their curves
// out   copies of the columns with an interruption (NAN) at each pole; limits of the axis where the data would flatten
//       everything else, and words that say so
// how   Near a pole of order p the function g = |y|^(-1/p) is a straight line to zero. Between two rows there is a pole
//       where g is straight through the three rows before and the three rows behind, both lines reach zero between
//       them, and both rows are large beside the others; for p = 1 where the sign changes, for p = 2 where it does not.
//       A jump, a steep slope or a peak has no such lines.
#include "show/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How far beyond the rows beside it the lines may reach zero, and how far apart two lines of one side may, as parts of
// the way between both rows: g is straight only near the pole.
static const double reach = 0.1, bend = 0.5;
// How many times the median of its size a curve must be beside a pole.
static const double large = 5;
// The part of the rows of a curve with poles that lies inside the limits of the axis.
static const double seen = 0.95;

enum { beside = 3 }; // rows on each side

// Where the line through (a, ga) and (b, gb) is zero.
static double zero_of(double a, double ga, double b, double gb) { return b + (b - a) * gb / (ga - gb); }

// One side: its rows from the pole outwards; h: the way from its first row to the other side.
static bool leads_to_pole(const double *t, const double *y, bool odd, double h) {
  double g[beside];
  for (int i = 0; i < beside; i++) {
    if (!isfinite(y[i]) || y[i] == 0 || (y[i] < 0) != (y[0] < 0)) return false;
    g[i] = odd ? 1 / fabs(y[i]) : 1 / sqrt(fabs(y[i]));
    if (i && !(g[i] > g[i - 1])) return false;
  }
  double near = zero_of(t[1], g[1], t[0], g[0]), far = zero_of(t[2], g[2], t[1], g[1]), part = (near - t[0]) / h;
  return part >= -reach && part <= 1 + reach && fabs(far - near) <= bend * fabs(h);
}

static int by_size(const void *a, const void *b) {
  double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
  return (x > y) - (x < y);
}

// The size that a part of the values of a curve stay below; *most: the largest of all.
static double usual_size(Arena *arena, const PlotCurve *c, double part, double *most) {
  double *v = arena_array(arena, c->count + 1, sizeof *v);
  size_t n = 0;
  for (size_t i = 0; v && i < c->count; i++) {
    if (isfinite(c->y[i])) v[n++] = c->y[i];
  }
  *most = 0;
  if (!n) return 0;
  qsort(v, n, sizeof *v, by_size);
  *most = fabs(v[n - 1]);
  return fabs(v[(size_t)(part * (double)(n - 1))]);
}

// The next row at another time, forwards or backwards; count: there is none. Both sides of an instant are one row.
static size_t next_row(const PlotCurve *c, size_t row, bool forwards, double instant) {
  double from = c->x[row];
  for (size_t i = row; i < c->count; forwards ? i++ : i--) {
    if (fabs(c->x[i] - from) > instant) return i;
    if (i == 0 && !forwards) break;
  }
  return c->count;
}

static bool side(const PlotCurve *c, size_t row, bool forwards, double instant, double *t, double *y) {
  for (int i = 0; i < beside; i++) {
    if (row >= c->count) return false;
    t[i] = c->x[row];
    y[i] = c->y[row];
    row = next_row(c, row, forwards, instant);
  }
  return true;
}

// Marks the rows before which a curve has a pole.
static bool find_poles(Arena *arena, const PlotCurve *c, bool *gap) {
  double instant = 1e-12 * fabs(c->x[c->count - 1] - c->x[0]);
  double median = NAN, most; // found where somebody asks
  bool any = false;
  for (size_t i = 1; i < c->count; i++) {
    double t[2][beside], y[2][beside], h = c->x[i] - c->x[i - 1];
    if (!(h > instant) || !(fmin(fabs(c->y[i - 1]), fabs(c->y[i])) > 0)) continue;
    if (!side(c, i - 1, false, instant, t[0], y[0]) || !side(c, i, true, instant, t[1], y[1])) continue;
    bool odd = (y[0][0] < 0) != (y[1][0] < 0);
    if (!leads_to_pole(t[0], y[0], odd, h) || !leads_to_pole(t[1], y[1], odd, -h)) continue;
    if (isnan(median)) median = usual_size(arena, c, 0.5, &most);
    if (!(fmin(fabs(c->y[i - 1]), fabs(c->y[i])) > large * median)) continue;
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
    double size = usual_size(f->arena, c, seen, &most);
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
    if (!find_poles(arena, &p->curves.items[k], here)) continue;
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
