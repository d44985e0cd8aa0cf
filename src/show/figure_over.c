// What `plot ... over` and `heat` lines show: values over an index, at some times or at all of them.
//
// in    a line with its members, whose columns the figure has
// out   a panel with a curve for each time, or with colours over time and index
// how   A time between two rows takes the cubic through the four rows around it, never beyond the least and the largest
//       of the four: a picture shows no value that no row is near; beside a jump, where two rows have one time, the
//       straight line between its two neighbours. Few times have a legend, more a bar of colours.
#include "show/figure.h"

#include "tape/numbers.h"

#include <math.h>

enum { times_usual = 6, legend_times = 8, heat_columns = 600 };

// The row at or before a time.
static size_t row_at(const double *t, size_t rows, double time) {
  size_t lo = 0, hi = rows;
  while (hi - lo > 1) {
    size_t middle = lo + (hi - lo) / 2;
    if (t[middle] <= time) lo = middle;
    else hi = middle;
  }
  return lo;
}

// A column at a time.
static double value_at(const double *t, const double *v, size_t rows, double time) {
  size_t i = row_at(t, rows, time);
  if (t[i] >= time || i + 1 >= rows) return v[i];
  size_t from = i > 0 ? i - 1 : i, to = i + 2 < rows ? i + 2 : i + 1;
  bool jump = false;
  for (size_t k = from; k < to; k++) jump = jump || !(t[k + 1] > t[k]);
  if (jump) from = i, to = i + 1;
  double sum = 0, least = v[from], largest = v[from];
  for (size_t k = from; k <= to; k++) {
    double weight = 1;
    for (size_t n = from; n <= to; n++) weight *= n == k ? 1 : (time - t[n]) / (t[k] - t[n]);
    sum += weight * v[k];
    least = v[k] < least ? v[k] : least;
    largest = v[k] > largest ? v[k] : largest;
  }
  return sum < least ? least : sum > largest ? largest : sum; // one that is none stays so
}

// Times of profiles: as they are said, else from the first to the last row. Returns how many.
static uint32_t find_times(const Figure *f, const SystemOver *over, double **out) {
  size_t rows = figure_rows(f);
  const double *t = f->columns[0].items;
  uint32_t count = over->at.count ? over->at.count : times_usual, n = 0;
  double *times = *out = arena_array(f->arena, count, sizeof *times);
  if (!times || !rows) return 0;
  for (uint32_t i = 0; i < count; i++) {
    double time = t[0] + (t[rows - 1] - t[0]) * i / (times_usual - 1);
    if (over->at.count && !tape_numbers(f->arena, f->system, &over->at.items[i], 1, &time)) continue;
    if (time >= t[0] && time <= t[rows - 1]) times[n++] = time;
  }
  return n;
}

static const double *index_column(const Figure *f, const SystemOver *over) {
  double *x = arena_array(f->arena, over->index.count, sizeof *x);
  for (uint32_t i = 0; x && i < over->index.count; i++) x[i] = (double)over->index.items[i];
  return x;
}

static void add_profile(const Figure *f, const SystemPlot *m, uint32_t text, double time, bool key, const double *x,
                        PlotPanel *p) {
  uint32_t n = m->over.index.count;
  double *y = arena_array(f->arena, n, sizeof *y);
  const SystemOutput *members = &m->curves.items[(size_t)text * n];
  if (!y) return;
  for (uint32_t i = 0; i < n; i++)
    y[i] = value_at(f->columns[0].items, figure_column(f, members[i].value), figure_rows(f), time);
  const char *name = m->over.texts.count > 1 ? arena_printf(f->arena, "%s, t = %.6g s", m->over.texts.items[text], time)
                                             : arena_printf(f->arena, "t = %.6g s", time);
  PlotCurve c = {.kind = curve_line,
                 .name = name,
                 .unit = members[0].si,
                 .x = x,
                 .y = y,
                 .count = n,
                 .shaded = !key,
                 .level = time};
  vec_push(f->arena, &p->curves, c);
}

static PlotPanel *profiles(const Figure *f, const SystemPlot *m, Plot *plot) {
  PlotPanel *p = plot_panel(f->arena, plot, m->over.name, "");
  double *times;
  uint32_t count = find_times(f, &m->over, &times);
  const double *x = index_column(f, &m->over);
  if (!p || !x || !times) return NULL;
  p->index = true;
  p->x_log = m->x_log;
  p->y_log = m->y_log;
  p->equal = m->equal;
  if (m->over.texts.count == 1) p->y_name = m->over.texts.items[0];
  bool key = count * m->over.texts.count <= legend_times;
  p->legend = count == 1; // which time it is
  p->bar = (PlotBar){.name = "t", .unit = "s"};
  for (uint32_t k = 0; k < m->over.texts.count; k++) {
    for (uint32_t i = 0; i < count; i++) add_profile(f, m, k, times[i], key, x, p);
  }
  if (m->y.count) p->y = figure_limits(f, &m->y.items[0]);
  return p;
}

// Cells of equal width in time; a row for each index, also where one has no member.
static PlotPanel *colours(const Figure *f, const SystemPlot *m, Plot *plot) {
  PlotPanel *p = plot_panel(f->arena, plot, "t", "s");
  PlotHeat *heat = arena_new_of(f->arena, PlotHeat);
  size_t rows = figure_rows(f);
  int64_t first = m->over.index.items[0], last = m->over.index.items[m->over.index.count - 1];
  const double *t = f->columns[0].items;
  if (!p || !heat) return NULL;
  *heat = (PlotHeat){.columns = (uint32_t)fmin((double)rows, heat_columns), .rows = (uint32_t)(last - first + 1)};
  double *values = arena_array(f->arena, (size_t)heat->rows * heat->columns, sizeof *values);
  if (!values) return NULL;
  for (size_t i = 0; i < (size_t)heat->rows * heat->columns; i++) values[i] = NAN;
  double length = rows ? t[rows - 1] - t[0] : 0;
  for (uint32_t k = 0; k < m->over.index.count; k++) {
    const double *v = figure_column(f, m->curves.items[k].value);
    double *row = values + (size_t)(m->over.index.items[k] - first) * heat->columns;
    for (uint32_t c = 0; c < heat->columns; c++)
      row[c] = value_at(t, v, rows, t[0] + length * (c + 0.5) / heat->columns);
  }
  heat->values = values;
  heat->x = (AxisRange){rows ? t[0] : 0, rows && length > 0 ? t[rows - 1] : 1};
  heat->y = (AxisRange){(double)first - 0.5, (double)last + 0.5};
  p->heat = heat;
  p->y_name = m->over.name;
  p->bar = (PlotBar){.name = m->over.texts.items[0], .unit = m->curves.items[0].si};
  if (m->y.count) p->bar.range = figure_limits(f, &m->y.items[0]);
  return p;
}

PlotPanel *figure_over(const Figure *f, const SystemPlot *m, Plot *plot) {
  return m->heat ? colours(f, m, plot) : profiles(f, m, plot);
}
