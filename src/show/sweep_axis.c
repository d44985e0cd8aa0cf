// What the panels of a sweep share: columns, quantiles, the values of a grid with the cells around them.
//
// Cells meet in the middle between two values, on a logarithmic axis in the middle of their logarithms. An axis is
// logarithmic where ratios are equal and steps are not, or where values without a rule span a factor of 30.
#include "show/sweep_panels.h"

#include <math.h>
#include <stdlib.h>

// ---- columns

double sweep_cell(const SweepView *v, size_t row, uint32_t column) { return v->values[row * v->width + column]; }

uint32_t sweep_measure_column(const SweepView *v, uint32_t measure) { return v->grids + v->draws + measure; }

void sweep_put_curve(const SweepPainter *w, PlotPanel *panel, PlotCurve curve) {
  if (curve.x && curve.y && curve.count) vec_push(w->arena, &panel->curves, curve);
}

void sweep_put_bands(const SweepPainter *w, PlotPanel *p, PlotCurve c, double *const *q) {
  c.kind = curve_band;
  c.name = "5 .. 95 %", c.y = q[0], c.y2 = q[4];
  sweep_put_curve(w, p, c);
  c.name = "25 .. 75 %", c.y = q[1], c.y2 = q[3], c.inside = true;
  sweep_put_curve(w, p, c);
  c.kind = curve_line;
  c.name = "median", c.y = q[2], c.y2 = NULL;
  sweep_put_curve(w, p, c);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void sweep_sort(double *list, size_t count) { qsort(list, count, sizeof *list, compare); }

double sweep_quantile(const double *sorted, size_t count, double part) {
  if (!count) return NAN;
  double at = part * (double)(count - 1), below = floor(at);
  size_t i = (size_t)below;
  double next = i + 1 < count ? sorted[i + 1] : sorted[i];
  return at == below ? sorted[i] : sorted[i] + (at - below) * (next - sorted[i]);
}

// ---- grids

static bool has_equal_steps(const double *x, uint32_t n, bool log) {
  double a = log ? x[0] : 0, whole = log ? x[n - 1] / x[0] : x[n - 1] - x[0];
  for (uint32_t i = 1; i + 1 < n; i++) {
    double part = (double)i / (n - 1);
    double due = log ? a * pow(whole, part) : x[0] + part * whole;
    if (fabs(x[i] - due) > 1e-6 * fabs(log ? due : whole / n)) return false;
  }
  return true;
}

static void find_edges(SweepAxis *a) {
  uint32_t n = a->count;
  const double *x = a->values;
  for (uint32_t i = 1; i < n; i++) a->edges[i] = a->log ? sqrt(x[i - 1] * x[i]) : 0.5 * (x[i - 1] + x[i]);
  if (n == 1) {
    double half = x[0] != 0 ? 0.5 * fabs(x[0]) : 0.5;
    a->edges[0] = x[0] - half;
    a->edges[1] = x[0] + half;
    return;
  }
  a->edges[0] = a->log ? x[0] * x[0] / a->edges[1] : 2 * x[0] - a->edges[1];
  a->edges[n] = a->log ? x[n - 1] * x[n - 1] / a->edges[n - 1] : 2 * x[n - 1] - a->edges[n - 1];
}

bool sweep_axis(const SweepPainter *w, uint32_t column, SweepAxis *out) {
  const SweepView *v = w->v;
  *out = (SweepAxis){.equal = true};
  out->values = arena_array(w->arena, v->rows + 1, sizeof *out->values);
  if (!out->values) return false;
  for (size_t i = 0; i < v->rows; i++) out->values[i] = sweep_cell(v, i, column);
  sweep_sort(out->values, v->rows);
  for (size_t i = 0; i < v->rows; i++) {
    if (!out->count || out->values[i] != out->values[out->count - 1]) out->values[out->count++] = out->values[i];
  }
  const double *x = out->values;
  uint32_t n = out->count;
  bool linear = n > 1 && has_equal_steps(x, n, false);
  if (n > 2 && x[0] > 0 && !linear) {
    bool ratios = has_equal_steps(x, n, true);
    out->log = ratios || x[n - 1] >= 30 * x[0];
    out->equal = ratios;
  } else {
    out->equal = linear || n < 2;
  }
  out->edges = arena_array(w->arena, (size_t)n + 2, sizeof *out->edges);
  if (out->edges && n) find_edges(out);
  return out->edges != NULL;
}

uint32_t sweep_axis_place(const SweepAxis *a, double value) {
  uint32_t low = 0, high = a->count - 1;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (a->values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
