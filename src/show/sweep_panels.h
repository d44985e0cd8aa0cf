// Panels of a sweep, and what they share.
// parts: sweep_axis.c sweep_over.c sweep_spread.c sweep_matrix.c
#ifndef VIVA_SHOW_SWEEP_PANELS_H
#define VIVA_SHOW_SWEEP_PANELS_H

#include "show/plot.h"
#include "show/sweep_view.h"

enum { sweep_most_lines = 400 }; // of parallel coordinates

typedef struct SweepPainter {
  Arena *arena;
  const SweepView *v;
  Plot *plot;
} SweepPainter;

// The values that a grid has, in rising order; cells around them.
typedef struct SweepAxis {
  double *values, *edges; // count, count + 1
  uint32_t count;
  bool log, equal; // cells are equal, in logarithms where that is said
} SweepAxis;
bool sweep_axis(const SweepPainter *w, uint32_t column, SweepAxis *out); // false: out of memory
uint32_t sweep_axis_place(const SweepAxis *a, double value);
double sweep_quantile(const double *sorted, size_t count, double part); // linear between neighbours; NAN: none
void sweep_sort(double *list, size_t count);
double sweep_cell(const SweepView *v, size_t row, uint32_t column);
uint32_t sweep_measure_column(const SweepView *v, uint32_t measure);
void sweep_put_curve(const SweepPainter *w, PlotPanel *panel, PlotCurve curve);
// Quantiles of 5, 25, 50, 75 and 95 % as two bands and a line; c says where they stand.
void sweep_put_bands(const SweepPainter *w, PlotPanel *panel, PlotCurve c, double *const *q);

void sweep_curve_panel(const SweepPainter *w, uint32_t measure);
void sweep_share_panel(const SweepPainter *w); // which part of the draws passes, over one grid or two
void sweep_heat_panel(const SweepPainter *w, uint32_t measure);
void sweep_histogram_panel(const SweepPainter *w, uint32_t measure);
void sweep_fan_panel(const SweepPainter *w, uint32_t column);
void sweep_index_panel(const SweepPainter *w, uint32_t measure);
void sweep_matrix_panel(const SweepPainter *w);
void sweep_parallel_panel(const SweepPainter *w);

#endif
