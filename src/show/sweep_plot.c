// Which pictures a sweep has, and what they share.
#include "show/sweep_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- columns

double sweep_cell(const SweepView *v, size_t row, uint32_t column) { return v->values[row * v->width + column]; }

uint32_t sweep_measure_column(const SweepView *v, uint32_t measure) { return v->grids + v->draws + measure; }

void sweep_put_curve(const SweepPainter *w, PlotPanel *panel, PlotCurve curve) {
  if (curve.x && curve.y && curve.count) vec_push(w->arena, &panel->curves, curve);
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

// ---- the whole

// What suits what was varied: a curve over one grid, colours over two, the distribution of draws.
unsigned sweep_plot_choice(const SweepView *v) {
  unsigned parts = v->fan ? sweep_plot_fan : 0;
  if (v->indices) return parts | sweep_plot_indices | sweep_plot_histograms;
  if (v->grids == 1) return parts | sweep_plot_curves;
  if (v->grids > 1) return parts | sweep_plot_heat;
  return parts | sweep_plot_histograms | sweep_plot_scatter;
}

// "A mass on a spring: 1000 samples, 3 failed, 229 pass"
static const char *title_of(const SweepPainter *w) {
  const SweepView *v = w->v;
  Text t = text_in(w->arena);
  if (v->title) text_printf(&t, "%s: ", v->title);
  text_printf(&t, "%llu sample%s", (unsigned long long)v->seen, v->seen == 1 ? "" : "s");
  if (v->failed) text_printf(&t, ", %llu failed", (unsigned long long)v->failed);
  if (v->wheres) text_printf(&t, ", %llu pass%s", (unsigned long long)v->passed, v->passed == 1 ? "es" : "");
  if (v->stride > 1) text_printf(&t, " (one in %llu is shown)", (unsigned long long)v->stride);
  return text_str(&t);
}

void show_sweep_plot(Arena *arena, const SweepView *v, unsigned parts, Plot *plot) {
  SweepPainter painter = {arena, v, plot}, *w = &painter;
  *plot = (Plot){.title = title_of(w)};
  if (!parts) parts = sweep_plot_choice(v);
  if (!v->rows) return;
  for (uint32_t i = 0; (parts & sweep_plot_fan) && v->fan && i < v->fan->column_count; i++) sweep_fan_panel(w, i);
  for (uint32_t i = 0; i < v->measures; i++) {
    if ((parts & sweep_plot_curves) && v->grids) sweep_curve_panel(w, i);
  }
  for (uint32_t i = 0; i < v->measures; i++) {
    if ((parts & sweep_plot_heat) && v->grids > 1) sweep_heat_panel(w, i);
  }
  bool over = v->grids && (parts & (sweep_plot_curves | sweep_plot_heat));
  if (over && v->wheres && v->rows > 1) sweep_share_panel(w);
  for (uint32_t i = 0; (parts & sweep_plot_indices) && v->indices && i < v->measures; i++) sweep_index_panel(w, i);
  for (uint32_t i = 0; (parts & sweep_plot_histograms) && i < v->measures; i++) sweep_histogram_panel(w, i);
  if (parts & sweep_plot_scatter) sweep_matrix_panel(w);
  if (parts & sweep_plot_parallel) sweep_parallel_panel(w);
}
