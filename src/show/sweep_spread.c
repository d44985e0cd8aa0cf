// How a sweep spreads: histograms of measures, bands of trajectories, Sobol's indices.
//
// A histogram has bins by Freedman and Diaconis (1981), width 2 (q75 - q25)/n^(1/3), between 5 and 80 of them over all
// values; what passes stands in it in a second colour. Marks are the 5, 50 and 95 %.
#include "show/sweep_panels.h"

#include <math.h>
#include <string.h>

// ---- histograms

enum { least_bins = 5, most_bins = 80 };

// The outline of bins: up and down at every edge.
static void outline(const double *counts, uint32_t bins, double low, double width, double *x, double *y) {
  size_t n = 0;
  for (uint32_t i = 0; i < bins; i++) {
    for (int k = 0; k < 2; k++, n++) {
      x[n] = low + (i + (uint32_t)k) * width;
      y[n] = counts[i];
    }
  }
}

typedef struct HistogramBins {
  double low, width;
  uint32_t count;
} HistogramBins;

static HistogramBins choose_bins(const double *sorted, size_t n) {
  double low = sorted[0], high = sorted[n - 1], span = high - low;
  double quarter = sweep_quantile(sorted, n, 0.75) - sweep_quantile(sorted, n, 0.25);
  // equal values up to rounding, as of a formula without draws: one bin has them all
  if (!(span > 1e-12 * fmax(fabs(low), fabs(high)))) {
    double width = low != 0 ? 0.1 * fabs(low) : 0.1;
    return (HistogramBins){low - 2.5 * width, width, least_bins};
  }
  double width = quarter > 0 ? 2 * quarter / cbrt((double)n) : span / sqrt((double)n);
  double wanted = fmin(fmax(ceil(span / width), least_bins), most_bins);
  return (HistogramBins){low, span / wanted, (uint32_t)wanted};
}

static void put_bins(const SweepPainter *w, PlotPanel *p, const HistogramBins *b, const double *counts,
                     const char *name, uint32_t style) {
  size_t n = 2 * (size_t)b->count;
  double *x = arena_array(w->arena, n + 1, sizeof *x), *y = arena_array(w->arena, n + 1, sizeof *y),
         *zero = arena_array(w->arena, n + 1, sizeof *zero);
  double *lx = arena_array(w->arena, n + 3, sizeof *lx), *ly = arena_array(w->arena, n + 3, sizeof *ly);
  if (arena_failed(w->arena)) return;
  outline(counts, b->count, b->low, b->width, x, y);
  sweep_put_curve(
      w, p,
      (PlotCurve){
          .kind = curve_band, .name = name, .unit = "", .x = x, .y = zero, .y2 = y, .count = n, .style = style});
  // the line begins and ends on the axis
  lx[0] = x[0];
  lx[n + 1] = x[n - 1];
  memcpy(lx + 1, x, n * sizeof *x);
  memcpy(ly + 1, y, n * sizeof *y);
  sweep_put_curve(w, p, (PlotCurve){.unit = "", .x = lx, .y = ly, .count = n + 2, .style = style});
}

void sweep_histogram_panel(const SweepPainter *w, uint32_t measure) {
  const SweepView *v = w->v;
  uint32_t column = sweep_measure_column(v, measure);
  double *list = arena_array(w->arena, v->rows + 1, sizeof *list);
  size_t n = 0;
  for (size_t i = 0; list && i < v->rows; i++) {
    double value = sweep_cell(v, i, column);
    if (isfinite(value)) list[n++] = value;
  }
  if (!list || !n) return;
  sweep_sort(list, n);
  HistogramBins b = choose_bins(list, n);
  double *counts = arena_array(w->arena, 2 * (size_t)b.count + 1, sizeof *counts), *passed = counts + b.count;
  PlotPanel *p = plot_panel(w->arena, w->plot, v->columns[column].name, v->columns[column].unit);
  if (!counts || !p) return;
  double highest = 0;
  for (size_t i = 0; i < v->rows; i++) {
    double value = sweep_cell(v, i, column);
    if (!isfinite(value)) continue;
    uint32_t at = (uint32_t)fmin(fmax((value - b.low) / b.width, 0), b.count - 1);
    counts[at]++;
    passed[at] += (v->status[i] & sweep_passes) != 0;
    highest = fmax(highest, counts[at]);
  }
  p->y_name = "samples";
  p->y = (AxisRange){0, 1.06 * highest};
  p->x = (AxisRange){b.low - 0.02 * b.width * b.count, b.low + 1.02 * b.width * b.count};
  p->height = 150;
  p->legend = v->wheres > 0;
  put_bins(w, p, &b, counts, v->wheres ? "all" : NULL, 1);
  if (v->wheres) put_bins(w, p, &b, passed, "passes", 6);
  static const double parts[] = {0.05, 0.5, 0.95};
  static const char *const names[] = {"5 %", "50 %", "95 %"};
  for (int k = 0; k < 3; k++) vec_push(w->arena, &p->events, (PlotEvent){sweep_quantile(list, n, parts[k]), names[k]});
}

// ---- trajectories

enum { fan_parts = 5 };

// Quantiles at each time, of all samples or of those that pass.
static bool quantiles(const SweepPainter *w, uint32_t column, bool passing, double *q[fan_parts]) {
  static const double parts[fan_parts] = {0.05, 0.25, 0.5, 0.75, 0.95};
  const SweepFan *f = w->v->fan;
  double *list = arena_array(w->arena, f->samples + 1, sizeof *list);
  for (int k = 0; k < fan_parts; k++) q[k] = arena_array(w->arena, (size_t)f->time_count + 1, sizeof **q);
  if (arena_failed(w->arena)) return false;
  size_t size = (size_t)f->column_count * f->time_count;
  for (uint32_t t = 0; t < f->time_count; t++) {
    size_t n = 0;
    for (size_t i = 0; i < f->samples; i++) {
      float value = f->values[i * size + (size_t)column * f->time_count + t];
      if (isfinite(value) && (!passing || f->passes[i])) list[n++] = (double)value;
    }
    sweep_sort(list, n);
    for (int k = 0; k < fan_parts; k++) q[k][t] = sweep_quantile(list, n, parts[k]);
  }
  return true;
}

void sweep_fan_panel(const SweepPainter *w, uint32_t column) {
  const SweepFan *f = w->v->fan;
  double *q[fan_parts];
  if (!f->samples || f->time_count < 2 || !quantiles(w, column, false, q)) return;
  PlotPanel *p = plot_panel(w->arena, w->plot, "t", "s");
  if (!p) return;
  const char *unit = f->columns[column].unit;
  p->y_name = f->stride > 1 ? arena_printf(w->arena, "%s, one sample in %llu", f->columns[column].name,
                                           (unsigned long long)f->stride)
                            : f->columns[column].name;
  PlotCurve c = {.unit = unit, .x = f->times, .count = f->time_count, .style = 1};
  sweep_put_bands(w, p, c, q);
  if (!w->v->passed || !quantiles(w, column, true, q)) return;
  c.kind = curve_line;
  c.style = 6;
  c.inside = true;
  c.name = "5 and 95 % of what passes", c.y = q[0];
  sweep_put_curve(w, p, c);
  c.name = NULL, c.y = q[4];
  sweep_put_curve(w, p, c);
}

// ---- indices

static void quantity_ticks(void *self, Ticks *t, double lo, double hi, uint32_t wanted) {
  const SweepView *v = self;
  (void)lo, (void)hi, (void)wanted;
  *t = (Ticks){0};
  for (uint32_t i = 0; i < v->draws && i < ticks_most; i++) {
    const char *name = v->columns[v->grids + i].name;
    size_t length = strlen(name);
    if (length >= tick_text) length = tick_text - 1;
    while (length && ((unsigned char)name[length] & 0xC0) == 0x80) length--; // no half letters
    t->at[t->count] = i;
    memcpy(t->text[t->count++], name, length);
  }
}

// One of both: points, and upright lines for their intervals.
static void put_indices(const SweepPainter *w, PlotPanel *p, const SobolIndex *all, bool total) {
  size_t n = w->v->draws;
  double *x = arena_array(w->arena, 4 * n + 1, sizeof *x), *y = arena_array(w->arena, 4 * n + 1, sizeof *y);
  if (!x || !y) return;
  double *lx = x + n, *ly = y + n, aside = total ? 0.1 : -0.1;
  for (size_t i = 0; i < n; i++) {
    x[i] = (double)i + aside;
    y[i] = total ? all[i].total : all[i].first;
    lx[3 * i] = lx[3 * i + 1] = x[i];
    ly[3 * i] = total ? all[i].total_low : all[i].first_low;
    ly[3 * i + 1] = total ? all[i].total_high : all[i].first_high;
    lx[3 * i + 2] = ly[3 * i + 2] = NAN;
  }
  uint32_t style = total ? 5 : 1;
  sweep_put_curve(w, p,
                  (PlotCurve){.kind = curve_points,
                              .mark = total ? mark_ring : mark_dot,
                              .name = total ? "with others" : "alone",
                              .unit = "",
                              .x = x,
                              .y = y,
                              .count = n,
                              .style = style});
  sweep_put_curve(w, p, (PlotCurve){.unit = "", .x = lx, .y = ly, .count = 3 * n, .style = style});
}

void sweep_index_panel(const SweepPainter *w, uint32_t measure) {
  const SweepView *v = w->v;
  PlotPanel *p = plot_panel(w->arena, w->plot, "quantity", NULL);
  if (!p || !v->draws) return;
  p->y_name = arena_printf(w->arena, "part of the variance of %s", v->columns[sweep_measure_column(v, measure)].name);
  p->x = (AxisRange){-0.5, v->draws - 0.5};
  p->ticks = quantity_ticks;
  p->x_ticks = true;
  p->self = (void *)v;
  const SobolIndex *all = v->indices + (size_t)measure * v->draws;
  put_indices(w, p, all, false);
  put_indices(w, p, all, true);
}
