// Pictures of a sweep: measures over what was varied, as colours over two of them, histograms, scatter matrices,
// parallel coordinates, bands of trajectories, indices.
// parts: sweep_over.c sweep_matrix.c sweep_spread.c
#ifndef VIVA_SHOW_SWEEP_PLOT_H
#define VIVA_SHOW_SWEEP_PLOT_H

#include "show/plot.h"
#include "show/sweep_view.h"

// Panels of a sweep; the numbers of viva.h are the same.
enum {
  sweep_plot_curves = 1,     // each measure over the first grid
  sweep_plot_heat = 2,       // each measure as colours over the first two grids
  sweep_plot_histograms = 4, // of each measure
  sweep_plot_scatter = 8,    // a matrix: every column against every other one
  sweep_plot_parallel = 16,  // a line a sample across an axis for each column
  sweep_plot_fan = 32,       // quantiles of trajectories over time
  sweep_plot_indices = 64    // Sobol's indices with their intervals
};

// parts: which panels, those that have nothing to show are left out; 0: what suits what was varied.
unsigned sweep_plot_choice(const SweepView *v); // these
void show_sweep_plot(Arena *arena, const SweepView *v, unsigned parts, Plot *plot);

// ---- between the files of these pictures

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
bool sweep_axis(const SweepPainter *w, uint32_t column, SweepAxis *out); // false: memory is out
uint32_t sweep_axis_place(const SweepAxis *a, double value);
double sweep_quantile(const double *sorted, size_t count, double part); // linear between neighbours; NAN: none
void sweep_sort(double *list, size_t count);
double sweep_cell(const SweepView *v, size_t row, uint32_t column);
uint32_t sweep_measure_column(const SweepView *v, uint32_t measure);
void sweep_put_curve(const SweepPainter *w, PlotPanel *panel, PlotCurve curve);

void sweep_curve_panel(const SweepPainter *w, uint32_t measure);
void sweep_share_panel(const SweepPainter *w); // which part of the draws passes, over one grid or two
void sweep_heat_panel(const SweepPainter *w, uint32_t measure);
void sweep_histogram_panel(const SweepPainter *w, uint32_t measure);
void sweep_fan_panel(const SweepPainter *w, uint32_t column);
void sweep_index_panel(const SweepPainter *w, uint32_t measure);
void sweep_matrix_panel(const SweepPainter *w);
void sweep_parallel_panel(const SweepPainter *w);

#endif
