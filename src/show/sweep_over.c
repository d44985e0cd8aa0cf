// Measures over what was varied: curves over one grid, colours over two.
//
// What else varies makes a band: 5 .. 95 % and 25 .. 75 % of the samples at each value, and their median. Two grids
// alone are one line for each value of the second. Colours show the mean of what falls into a cell. Samples that failed
// are crosses, those that pass are rings; where draws pass in part there is a panel with their share.
#include "show/sweep_panels.h"

#include <math.h>
#include <stdlib.h>

enum { most_marks = 1500, most_dots = 60 };

// Samples at one value of a grid: does each have one alone?
static bool is_single(const SweepView *v) { return v->grids == 1 && !v->draws; }

static const char *varied_unit(const SweepView *v, uint32_t column) { return v->columns[column].unit; }

static PlotPanel *panel_over(const SweepPainter *w, const SweepAxis *x) {
  PlotPanel *p = plot_panel(w->arena, w->plot, w->v->columns[0].name, varied_unit(w->v, 0));
  if (p) p->x_log = x->log;
  return p;
}

// ---- one value a grid point

// Rings where it passes, crosses at the lower edge where it failed.
static void mark_samples(const SweepPainter *w, PlotPanel *p, uint32_t column, const char *unit) {
  const SweepView *v = w->v;
  double *x = arena_array(w->arena, v->rows + 1, sizeof *x), *y = arena_array(w->arena, v->rows + 1, sizeof *y);
  double *fx = arena_array(w->arena, v->rows + 1, sizeof *x), *fy = arena_array(w->arena, v->rows + 1, sizeof *y);
  AxisRange range = axis_range_empty();
  size_t passed = 0, failed = 0;
  if (arena_failed(w->arena)) return;
  for (size_t i = 0; i < v->rows; i++) {
    double value = sweep_cell(v, i, column);
    if (isfinite(value)) range = (AxisRange){fmin(range.lo, value), fmax(range.hi, value)};
    if (v->status[i] & sweep_passes) x[passed] = sweep_cell(v, i, 0), y[passed++] = value;
  }
  double below = range.lo < range.hi ? range.lo - 0.06 * (range.hi - range.lo) : range.lo <= range.hi ? range.lo : 0;
  for (size_t i = 0; i < v->rows; i++) {
    if (v->status[i] & sweep_failed) fx[failed] = sweep_cell(v, i, 0), fy[failed++] = below;
  }
  if (passed <= most_marks)
    sweep_put_curve(
        w, p,
        (PlotCurve){
            .kind = curve_points, .mark = mark_ring, .name = "passes", .unit = unit, .x = x, .y = y, .count = passed});
  sweep_put_curve(
      w, p,
      (PlotCurve){
          .kind = curve_points, .mark = mark_cross, .name = "failed", .unit = unit, .x = fx, .y = fy, .count = failed});
}

static void single_curve(const SweepPainter *w, PlotPanel *p, const SweepAxis *axis, uint32_t column) {
  const SweepView *v = w->v;
  const char *unit = v->columns[column].unit;
  double *y = arena_array(w->arena, (size_t)axis->count + 1, sizeof *y);
  if (!y) return;
  for (uint32_t i = 0; i < axis->count; i++) y[i] = NAN;
  for (size_t i = 0; i < v->rows; i++) y[sweep_axis_place(axis, sweep_cell(v, i, 0))] = sweep_cell(v, i, column);
  PlotCurve c = {.name = v->columns[column].name, .unit = unit, .x = axis->values, .y = y, .count = axis->count};
  c.style = 1;
  sweep_put_curve(w, p, c);
  c.kind = curve_points;
  c.name = NULL;
  if (axis->count <= most_dots) sweep_put_curve(w, p, c);
  mark_samples(w, p, column, unit);
}

// One line for each value of the second grid.
static void lines_by_second(const SweepPainter *w, PlotPanel *p, const SweepAxis *axis, uint32_t column) {
  const SweepView *v = w->v;
  SweepAxis second;
  if (!sweep_axis(w, 1, &second) || !second.count) return;
  size_t n = axis->count;
  double *y = arena_array(w->arena, n * second.count + 1, sizeof *y);
  if (!y) return;
  for (size_t i = 0; i < n * second.count; i++) y[i] = NAN;
  for (size_t i = 0; i < v->rows; i++)
    y[sweep_axis_place(&second, sweep_cell(v, i, 1)) * n + sweep_axis_place(axis, sweep_cell(v, i, 0))] =
        sweep_cell(v, i, column);
  bool key = second.count <= 7;
  p->bar = (PlotBar){.name = v->columns[1].name, .unit = v->columns[1].unit, .log = second.log};
  for (uint32_t k = 0; k < second.count; k++) {
    const char *name = key ? arena_printf(w->arena, "%s = %.4g%s%s", v->columns[1].name, second.values[k],
                                          v->columns[1].unit && *v->columns[1].unit ? " " : "",
                                          v->columns[1].unit ? v->columns[1].unit : "")
                           : v->columns[column].name;
    sweep_put_curve(w, p,
                    (PlotCurve){.name = name,
                                .unit = v->columns[column].unit,
                                .x = axis->values,
                                .y = y + k * n,
                                .count = n,
                                .shaded = !key,
                                .level = second.values[k]});
  }
  mark_samples(w, p, column, v->columns[column].unit);
}

// ---- many values a grid point

typedef struct PlacedValue {
  double x, y;
} PlacedValue;

static int by_x_then_y(const void *a, const void *b) {
  const PlacedValue *p = a, *q = b;
  if (p->x != q->x) return p->x > q->x ? 1 : -1;
  return (p->y > q->y) - (p->y < q->y);
}

static void banded_curve(const SweepPainter *w, PlotPanel *p, const SweepAxis *axis, uint32_t column) {
  static const double parts[] = {0.05, 0.25, 0.5, 0.75, 0.95};
  enum { count = sizeof parts / sizeof *parts };
  const SweepView *v = w->v;
  const char *unit = v->columns[column].unit;
  PlacedValue *list = arena_array(w->arena, v->rows + 1, sizeof *list);
  double *q[count], *some = arena_array(w->arena, v->rows + 1, sizeof *some);
  for (int k = 0; k < count; k++) q[k] = arena_array(w->arena, (size_t)axis->count + 1, sizeof **q);
  if (arena_failed(w->arena)) return;
  size_t n = 0;
  for (size_t i = 0; i < v->rows; i++) {
    double y = sweep_cell(v, i, column);
    if (isfinite(y)) list[n++] = (PlacedValue){sweep_cell(v, i, 0), y};
  }
  qsort(list, n, sizeof *list, by_x_then_y);
  size_t at = 0;
  for (uint32_t i = 0; i < axis->count; i++) {
    size_t here = 0;
    while (at < n && list[at].x == axis->values[i]) some[here++] = list[at++].y;
    for (int k = 0; k < count; k++) q[k][i] = sweep_quantile(some, here, parts[k]);
  }
  sweep_put_bands(w, p, (PlotCurve){.unit = unit, .x = axis->values, .count = axis->count, .style = 1}, q);
}

void sweep_curve_panel(const SweepPainter *w, uint32_t measure) {
  const SweepView *v = w->v;
  uint32_t column = sweep_measure_column(v, measure);
  SweepAxis axis;
  if (!sweep_axis(w, 0, &axis) || !axis.count) return;
  PlotPanel *p = panel_over(w, &axis);
  if (!p) return;
  p->y_name = v->columns[column].name;
  if (is_single(v)) single_curve(w, p, &axis, column);
  else if (v->grids == 2 && !v->draws) lines_by_second(w, p, &axis, column);
  else banded_curve(w, p, &axis, column);
}

// ---- colours

typedef struct HeatMarks {
  const PlotHeat *heat;
  const SweepAxis *x, *y;
  const bool *passes;
} HeatMarks;

// The border between cells that pass and those that do not: on every colour, a dark line in a light one.
static void draw_border(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  const HeatMarks *m = self;
  uint32_t columns = m->heat->columns, rows = m->heat->rows;
  VEC(DrawPoint) path = {0};
  for (uint32_t r = 0; r < rows; r++) {
    for (uint32_t c = 0; c < columns; c++) {
      bool own = m->passes[(size_t)r * columns + c];
      double x1 = scale_place(x, m->x->edges[c + 1]), y1 = scale_place(y, m->y->edges[r + 1]);
      if (c + 1 < columns && own != m->passes[(size_t)r * columns + c + 1]) {
        vec_push(d->arena, &path, (DrawPoint){x1, scale_place(y, m->y->edges[r])});
        vec_push(d->arena, &path, (DrawPoint){x1, y1});
        vec_push(d->arena, &path, (DrawPoint){NAN, NAN});
      }
      if (r + 1 < rows && own != m->passes[(size_t)(r + 1) * columns + c]) {
        vec_push(d->arena, &path, (DrawPoint){scale_place(x, m->x->edges[c]), y1});
        vec_push(d->arena, &path, (DrawPoint){x1, y1});
        vec_push(d->arena, &path, (DrawPoint){NAN, NAN});
      }
    }
  }
  for (int pass = 0; pass < 2 && path.count; pass++)
    drawing_add(d, (DrawItem){.kind = draw_path,
                              .role = role_curve,
                              .stroke = pass || d->cells ? 0x000000 : 0xFFFFFF,
                              .fill = draw_no_colour,
                              .line = pass ? 1.4 : 3.4,
                              .opacity = 1,
                              .clip = clip,
                              .points = path.items,
                              .count = path.count});
}

typedef struct GridCells {
  double *sum, *count, *passed;
  double *value; // the mean
} GridCells;

static bool gather(const SweepPainter *w, const SweepAxis *x, const SweepAxis *y, uint32_t column, GridCells *out) {
  const SweepView *v = w->v;
  size_t n = (size_t)x->count * y->count;
  double **all[] = {&out->sum, &out->count, &out->passed, &out->value};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = arena_array(w->arena, n + 1, sizeof(double));
  if (arena_failed(w->arena)) return false;
  for (size_t i = 0; i < v->rows; i++) {
    size_t at = (size_t)sweep_axis_place(y, sweep_cell(v, i, 1)) * x->count + sweep_axis_place(x, sweep_cell(v, i, 0));
    double value = sweep_cell(v, i, column);
    out->passed[at] += (v->status[i] & sweep_passes) != 0;
    if (!isfinite(value)) continue;
    out->sum[at] += value;
    out->count[at]++;
  }
  for (size_t i = 0; i < n; i++) out->value[i] = out->count[i] > 0 ? out->sum[i] / out->count[i] : NAN;
  return true;
}

static PlotPanel *heat_panel(const SweepPainter *w, const SweepAxis *x, const SweepAxis *y, const double *values) {
  const SweepView *v = w->v;
  PlotHeat *heat = arena_new_of(w->arena, PlotHeat);
  PlotPanel *p = heat ? panel_over(w, x) : NULL;
  if (!p) return NULL;
  *heat = (PlotHeat){.values = values,
                     .columns = x->count,
                     .rows = y->count,
                     .x = {x->edges[0], x->edges[x->count]},
                     .y = {y->edges[0], y->edges[y->count]},
                     .x_edges = x->equal ? NULL : x->edges,
                     .y_edges = y->equal ? NULL : y->edges};
  p->heat = heat;
  p->y_log = y->log;
  const char *unit = v->columns[1].unit;
  p->y_name = unit && *unit ? arena_printf(w->arena, "%s [%s]", v->columns[1].name, unit) : v->columns[1].name;
  p->height = 240;
  return p;
}

// Points in the middle of cells: rings where it passes, crosses where nothing has a value.
static void mark_cells(const SweepPainter *w, PlotPanel *p, const SweepAxis *x, const SweepAxis *y,
                       const GridCells *cells, bool *passes) {
  size_t n = (size_t)x->count * y->count, counts[2] = {0};
  double *at[4];
  for (int k = 0; k < 4; k++) at[k] = arena_array(w->arena, n + 1, sizeof **at);
  if (arena_failed(w->arena)) return;
  for (size_t i = 0; i < n; i++) {
    double cx = x->values[i % x->count], cy = y->values[i / x->count];
    if (passes[i]) at[0][counts[0]] = cx, at[1][counts[0]++] = cy;
    if (!(cells->count[i] > 0)) at[2][counts[1]] = cx, at[3][counts[1]++] = cy;
  }
  static const char *const names[] = {"passes", "failed"};
  for (size_t k = 0; k < 2; k++) {
    if (counts[k] > most_marks) continue;
    sweep_put_curve(w, p,
                    (PlotCurve){.kind = curve_points,
                                .mark = k ? mark_cross : mark_ring,
                                .name = names[k],
                                .unit = "",
                                .x = at[2 * k],
                                .y = at[2 * k + 1],
                                .count = counts[k]});
  }
}

void sweep_heat_panel(const SweepPainter *w, uint32_t measure) {
  const SweepView *v = w->v;
  uint32_t column = sweep_measure_column(v, measure);
  SweepAxis *x = arena_new_of(w->arena, SweepAxis), *y = arena_new_of(w->arena, SweepAxis);
  HeatMarks *marks = arena_new_of(w->arena, HeatMarks);
  GridCells cells;
  if (!x || !y || !marks || !sweep_axis(w, 0, x) || !sweep_axis(w, 1, y) || !x->count || !y->count) return;
  if (!gather(w, x, y, column, &cells)) return;
  PlotPanel *p = heat_panel(w, x, y, cells.value);
  bool *passes = arena_array(w->arena, (size_t)x->count * y->count + 1, sizeof *passes);
  if (!p || !passes) return;
  bool alone = v->grids == 2 && !v->draws;
  const char *name = v->columns[column].name;
  p->bar =
      (PlotBar){.name = alone ? name : arena_printf(w->arena, "mean of %s", name), .unit = v->columns[column].unit};
  for (size_t i = 0; alone && i < (size_t)x->count * y->count; i++) passes[i] = cells.passed[i] > 0;
  mark_cells(w, p, x, y, &cells, passes);
  if (!alone || !v->wheres) return;
  *marks = (HeatMarks){.heat = p->heat, .x = x, .y = y, .passes = passes};
  p->scene = draw_border;
  p->self = marks;
}

// ---- which part passes

static void share_curve(const SweepPainter *w) {
  const SweepView *v = w->v;
  SweepAxis x;
  if (!sweep_axis(w, 0, &x) || !x.count) return;
  double *part = arena_array(w->arena, (size_t)x.count + 1, sizeof *part);
  double *all = arena_array(w->arena, (size_t)x.count + 1, sizeof *all);
  if (!part || !all) return;
  for (size_t i = 0; i < v->rows; i++) {
    uint32_t at = sweep_axis_place(&x, sweep_cell(v, i, 0));
    all[at]++;
    part[at] += (v->status[i] & sweep_passes) != 0;
  }
  for (uint32_t i = 0; i < x.count; i++) part[i] /= all[i];
  PlotPanel *p = panel_over(w, &x);
  if (!p) return;
  p->y_name = "part that passes";
  p->y = (AxisRange){-0.03, 1.03};
  p->height = 120;
  sweep_put_curve(w, p,
                  (PlotCurve){.name = "part that passes", .unit = "", .x = x.values, .y = part, .count = x.count});
}

void sweep_share_panel(const SweepPainter *w) {
  const SweepView *v = w->v;
  SweepAxis x, y;
  GridCells cells;
  if (!v->draws && v->grids <= 2) return; // each grid point passes or does not: that is marked
  if (v->grids == 1) {
    share_curve(w);
    return;
  }
  if (!sweep_axis(w, 0, &x) || !sweep_axis(w, 1, &y) || !gather(w, &x, &y, 0, &cells)) return;
  for (size_t i = 0; i < (size_t)x.count * y.count; i++) cells.value[i] = cells.passed[i] / cells.count[i];
  PlotPanel *p = heat_panel(w, &x, &y, cells.value);
  if (p) p->bar = (PlotBar){.name = "part that passes", .unit = "", .range = {0, 1}};
}
