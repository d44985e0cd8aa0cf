// Many columns in one picture: a scatter matrix, parallel coordinates.
//
// Both draw axes of their own inside one bare panel. A matrix of n columns has n by n cells: on the diagonal
// histograms, below it every column against every other one, above it their correlations (Pearson). Parallel
// coordinates have one axis a column and one line a sample, coloured by the last measure; what does not pass is faint.
#include "show/curve.h"
#include "show/sweep_panels.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

enum { most_columns = 7, most_axes = 12, matrix_bins = 16 };

// Columns that are shown: what varies, then measures; of too many the last ones of what varies are left out.
static uint32_t choose_columns(const SweepView *v, uint32_t most, uint32_t *list) {
  uint32_t varied = v->grids + v->draws, measures = v->measures < most / 2 ? v->measures : most / 2, n = 0;
  if (varied < most - measures) measures = v->measures < most - varied ? v->measures : most - varied;
  for (uint32_t i = 0; i < varied && n < most - measures; i++) list[n++] = i;
  for (uint32_t i = 0; i < measures; i++) list[n++] = sweep_measure_column(v, i);
  return n;
}

static AxisRange column_range(const SweepView *v, uint32_t column) {
  AxisRange r = axis_range_empty();
  for (size_t i = 0; i < v->rows; i++) {
    double value = sweep_cell(v, i, column);
    if (isfinite(value)) r = (AxisRange){fmin(r.lo, value), fmax(r.hi, value)};
  }
  return axis_range_with_margin(r, false, 0.05);
}

// A number with the sign of print, and without one where it is zero.
static const char *number_words(Arena *arena, double x, bool hundredths) {
  const char *digits = hundredths ? arena_printf(arena, "%.2f", fabs(x)) : arena_printf(arena, "%.4g", fabs(x));
  bool negative = x < 0 && digits && strspn(digits, "0.") < strlen(digits);
  const char *text = negative ? arena_printf(arena, "−%s", digits) : digits;
  return text ? text : "";
}

static const char *column_words(Arena *arena, const SweepColumn *c) {
  const char *text = c->unit && *c->unit ? arena_printf(arena, "%s [%s]", c->name, c->unit) : c->name;
  return text ? text : "";
}

// ---- the matrix

typedef struct ScatterMatrix {
  const SweepView *v;
  uint32_t columns[most_columns], count;
  AxisRange range[most_columns];
  double *numbers[most_columns]; // of the samples that have them all
  const double *passed[most_columns];
  size_t rows, passing;
} ScatterMatrix;

static double correlation(const double *x, const double *y, size_t n) {
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < n; i++) mx += x[i] / (double)n, my += y[i] / (double)n;
  for (size_t i = 0; i < n; i++) {
    double a = x[i] - mx, b = y[i] - my;
    xx += a * a, yy += b * b, xy += a * b;
  }
  return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static void draw_box(Drawing *d, DrawRect r, int32_t colour) {
  DrawPoint *p = arena_array(d->arena, 4, sizeof *p);
  if (!p) return;
  p[0] = (DrawPoint){r.x, r.y};
  p[1] = (DrawPoint){r.x + r.w, r.y};
  p[2] = (DrawPoint){r.x + r.w, r.y + r.h};
  p[3] = (DrawPoint){r.x, r.y + r.h};
  drawing_add(d, (DrawItem){.kind = draw_path,
                            .role = role_axis,
                            .stroke = colour,
                            .fill = draw_no_colour,
                            .line = 1,
                            .opacity = 1,
                            .points = p,
                            .count = 4,
                            .closed = true});
}

static void draw_points(Drawing *d, DrawRect r, const ScatterMatrix *m, uint32_t i, uint32_t j, bool passing,
                        int32_t colour) {
  Scale x = {false, m->range[j].lo, m->range[j].hi, r.x, r.x + r.w};
  Scale y = {false, m->range[i].lo, m->range[i].hi, r.y + r.h, r.y};
  CurvePath path = passing ? curve_scatter(d->arena, &x, &y, m->passed[j], m->passed[i], m->passing)
                           : curve_scatter(d->arena, &x, &y, m->numbers[j], m->numbers[i], m->rows);
  if (!path.count) return;
  drawing_add(d, (DrawItem){.kind = draw_path,
                            .role = role_points,
                            .stroke = colour,
                            .fill = draw_no_colour,
                            .line = m->rows > 2000 ? 1.6 : 2.4,
                            .opacity = 0.6,
                            .points = path.points,
                            .count = path.count,
                            .text = NULL});
}

static void draw_bars(Drawing *d, DrawRect r, const ScatterMatrix *m, uint32_t i, int32_t colour) {
  double counts[matrix_bins] = {0}, highest = 1;
  for (size_t k = 0; k < m->rows; k++) {
    double part = (m->numbers[i][k] - m->range[i].lo) / (m->range[i].hi - m->range[i].lo);
    int at = (int)fmin(part * matrix_bins, matrix_bins - 1);
    highest = fmax(highest, ++counts[at < 0 ? 0 : at]);
  }
  DrawPoint *p = arena_array(d->arena, 2 * matrix_bins + 2, sizeof *p);
  if (!p) return;
  uint32_t n = 0;
  double base = r.y + r.h;
  p[n++] = (DrawPoint){r.x, base};
  for (int k = 0; k < matrix_bins; k++) {
    double top = base - 0.9 * r.h * counts[k] / highest;
    p[n++] = (DrawPoint){r.x + r.w * k / matrix_bins, top};
    p[n++] = (DrawPoint){r.x + r.w * (k + 1) / matrix_bins, top};
  }
  p[n++] = (DrawPoint){r.x + r.w, base};
  drawing_add(d, (DrawItem){.kind = draw_path,
                            .role = role_band,
                            .stroke = d->cells ? colour : draw_no_colour,
                            .fill = d->cells ? draw_no_colour : colour,
                            .line = 1,
                            .opacity = d->cells ? 1 : 0.45,
                            .points = p,
                            .count = n,
                            .closed = true});
}

// Two or three numbers along an edge.
static void draw_ticks(Drawing *d, DrawRect r, AxisRange range, bool upright, const Theme *theme) {
  Ticks t;
  scale_ticks(&t, range.lo, range.hi, false, 2);
  Scale s =
      upright ? (Scale){false, range.lo, range.hi, r.y + r.h, r.y} : (Scale){false, range.lo, range.hi, r.x, r.x + r.w};
  double size = d->cells ? 0 : 10, room = d->cells ? 2 : 4, end = -INFINITY;
  for (uint32_t k = 0; k < t.count; k++) {
    double at = scale_place(&s, t.at[k]);
    const char *text = number_words(d->arena, t.at[k], false);
    double wide = drawing_text_width(text, size, d->cells);
    if (upright) {
      drawing_word(d, role_tick_y, (DrawPoint){r.x - room, at}, 1, text, size, theme->ink);
    } else if (at - wide / 2 > end + 4 && at - wide / 2 >= r.x - 2 && at + wide / 2 <= r.x + r.w + 2) {
      drawing_word(d, role_tick_x, (DrawPoint){at, r.y + r.h + (d->cells ? 4 : 10)}, 0, text, size, theme->ink);
      end = at + wide / 2;
    }
  }
}

static void draw_matrix(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  const ScatterMatrix *m = self;
  (void)clip;
  Theme theme = d->cells ? drawing_theme_terminal() : drawing_theme(d->dark);
  double left = x->from + (d->cells ? 16 : 62), top = y->to + (d->cells ? 0 : 2), right = x->to - 2,
         bottom = y->from - (d->cells ? 12 : 36), gap = d->cells ? 2 : 6;
  double w = (right - left) / m->count, h = (bottom - top) / m->count;
  for (uint32_t i = 0; i < m->count; i++) {
    const char *words = column_words(d->arena, &m->v->columns[m->columns[i]]);
    for (uint32_t j = 0; j < m->count; j++) {
      DrawRect r = {left + j * w + gap / 2, top + i * h + gap / 2, w - gap, h - gap};
      if (i >= j) draw_box(d, r, theme.grid);
      if (i == j) draw_bars(d, r, m, i, drawing_theme_curve(&theme, 0));
      if (i > j) draw_points(d, r, m, i, j, false, m->passing ? theme.muted : drawing_theme_curve(&theme, 0));
      if (i > j && m->passing) draw_points(d, r, m, i, j, true, drawing_theme_curve(&theme, 5));
      if (i < j) {
        double c = correlation(m->numbers[i], m->numbers[j], m->rows);
        const char *text = isnan(c) ? "–" : number_words(d->arena, c, true);
        double size = d->cells ? 0 : 11 + 7 * fabs(isnan(c) ? 0 : c);
        drawing_word(d, role_note, (DrawPoint){r.x + r.w / 2, r.y + r.h / 2}, 0, text, size,
                     fabs(c) > 0.3 ? theme.ink : theme.muted);
      }
      if (i == m->count - 1) {
        draw_ticks(d, r, m->range[j], false, &theme);
        const char *below = column_words(d->arena, &m->v->columns[m->columns[j]]);
        drawing_word(d, role_label_x, (DrawPoint){r.x + r.w / 2, r.y + r.h + (d->cells ? 8 : 26)}, 0,
                     drawing_text_fit(d->arena, below, 11, d->cells, w), d->cells ? 0 : 11, theme.ink);
      }
      if (j == 0 && i > 0) draw_ticks(d, r, m->range[i], true, &theme);
    }
    if (d->cells) continue;
    drawing_add(d, (DrawItem){.kind = draw_text,
                              .role = role_label_y,
                              .stroke = draw_no_colour,
                              .fill = theme.ink,
                              .opacity = 1,
                              .x = x->from + 6,
                              .y = top + (i + 0.5) * h,
                              .text = drawing_text_fit(d->arena, words, 11, false, h),
                              .size = 11,
                              .upright = true});
  }
}

// The samples in which all shown columns have a value.
static bool take_numbers(const SweepPainter *w, ScatterMatrix *m) {
  const SweepView *v = w->v;
  double *passed[most_columns];
  for (uint32_t k = 0; k < m->count; k++) {
    m->numbers[k] = arena_array(w->arena, v->rows + 1, sizeof **m->numbers);
    m->passed[k] = passed[k] = arena_array(w->arena, v->rows + 1, sizeof **passed);
  }
  if (arena_failed(w->arena)) return false;
  for (size_t i = 0; i < v->rows; i++) {
    bool whole = true;
    for (uint32_t k = 0; k < m->count; k++) whole = whole && isfinite(sweep_cell(v, i, m->columns[k]));
    if (!whole) continue;
    bool passes = (v->status[i] & sweep_passes) != 0;
    for (uint32_t k = 0; k < m->count; k++) {
      m->numbers[k][m->rows] = sweep_cell(v, i, m->columns[k]);
      if (passes) passed[k][m->passing] = m->numbers[k][m->rows];
    }
    m->rows++;
    m->passing += passes;
  }
  return true;
}

// A panel that draws its own axes.
static PlotPanel *bare_panel(const SweepPainter *w, const char *name, double height) {
  PlotPanel *p = plot_panel(w->arena, w->plot, name, NULL);
  if (!p) return NULL;
  p->bare = true;
  p->phase = true; // its x axis is nobody else's
  p->height = height;
  p->y_name = "";
  return p;
}

void sweep_matrix_panel(const SweepPainter *w) {
  ScatterMatrix *m = arena_new_of(w->arena, ScatterMatrix);
  if (!m) return;
  m->v = w->v;
  m->count = choose_columns(w->v, most_columns, m->columns);
  if (m->count < 2 || !take_numbers(w, m) || !m->rows) return;
  for (uint32_t i = 0; i < m->count; i++) m->range[i] = column_range(w->v, m->columns[i]);
  PlotPanel *p = bare_panel(w, "matrix", fmin(180 + 70.0 * m->count, 600));
  if (!p) return;
  p->x = p->y = (AxisRange){0, 1};
  p->scene = draw_matrix;
  p->self = m;
}

// ---- parallel coordinates

typedef struct ParallelAxes {
  const SweepView *v;
  uint32_t columns[most_axes], count;
  AxisRange range[most_axes];
} ParallelAxes;

static void draw_axes(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  const ParallelAxes *m = self;
  (void)clip;
  Theme theme = d->cells ? drawing_theme_terminal() : drawing_theme(d->dark);
  double size = d->cells ? 0 : 11, room = (x->to - x->from) / m->count - 6;
  for (uint32_t k = 0; k < m->count; k++) {
    double at = scale_place(x, k), top = scale_place(y, 1), bottom = scale_place(y, 0);
    drawing_line(d, role_axis, (DrawPoint){at, top}, (DrawPoint){at, bottom}, theme.ink, 1);
    const char *words = column_words(d->arena, &m->v->columns[m->columns[k]]);
    drawing_word(d, role_label_x, (DrawPoint){at, bottom + (d->cells ? 8 : 28)}, 0,
                 drawing_text_fit(d->arena, words, size, d->cells, room), size, theme.ink);
    const double ends[] = {m->range[k].lo, m->range[k].hi};
    for (int e = 0; e < 2; e++) {
      const char *number = number_words(d->arena, ends[e], false);
      double from = d->cells ? 4 : 10;
      drawing_word(d, role_tick_y, (DrawPoint){at, e ? top - from : bottom + from}, 0, number, size, theme.muted);
    }
  }
}

static bool put_lines(const SweepPainter *w, PlotPanel *p, const ParallelAxes *m, const double *places) {
  const SweepView *v = w->v;
  uint32_t last = m->columns[m->count - 1];
  size_t lines = v->rows < sweep_most_lines ? v->rows : sweep_most_lines;
  for (size_t line = 0; line < lines; line++) {
    // one sample of each of `lines` equal parts, at random: every k-th one of a grid may be all of one value
    double place = lines < v->rows ? random_uniform(lines, line) : 0;
    size_t i = (size_t)((double)v->rows * ((double)line + place) / (double)lines);
    double *y = arena_array(w->arena, (size_t)m->count + 1, sizeof *y);
    if (!y) return false;
    for (uint32_t k = 0; k < m->count; k++)
      y[k] = (sweep_cell(v, i, m->columns[k]) - m->range[k].lo) / (m->range[k].hi - m->range[k].lo);
    bool faint = (v->status[i] & sweep_failed) || (v->wheres && !(v->status[i] & sweep_passes));
    double level = sweep_cell(v, i, last);
    sweep_put_curve(w, p,
                    (PlotCurve){.x = places,
                                .y = y,
                                .unit = "",
                                .count = m->count,
                                .faint = faint || !isfinite(level),
                                .shaded = !faint && isfinite(level),
                                .level = level});
  }
  return true;
}

void sweep_parallel_panel(const SweepPainter *w) {
  const SweepView *v = w->v;
  ParallelAxes *m = arena_new_of(w->arena, ParallelAxes);
  double *places = arena_array(w->arena, most_axes, sizeof *places);
  if (!m || !places) return;
  m->v = v;
  m->count = choose_columns(v, most_axes, m->columns);
  if (m->count < 2) return;
  for (uint32_t k = 0; k < m->count; k++) {
    AxisRange r = axis_range_empty();
    for (size_t i = 0; i < v->rows; i++) {
      double value = sweep_cell(v, i, m->columns[k]);
      if (isfinite(value)) r = (AxisRange){fmin(r.lo, value), fmax(r.hi, value)};
    }
    m->range[k] = axis_range_with_margin(r, false, 0);
    places[k] = k;
  }
  PlotPanel *p = bare_panel(w, "axes", 280);
  if (!p) return;
  p->phase = false;
  p->index = true;
  p->x = (AxisRange){-0.5, m->count - 0.5};
  p->y = (AxisRange){-0.22, 1.12};
  const SweepColumn *last = &v->columns[m->columns[m->count - 1]];
  p->bar = (PlotBar){.name = last->name, .unit = last->unit, .range = m->range[m->count - 1]};
  p->scene = draw_axes;
  p->self = m;
  put_lines(w, p, m, places);
}
