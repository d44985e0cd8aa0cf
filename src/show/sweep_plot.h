// Pictures of a sweep: measures over what was varied, as colours over two of them, histograms, scatter matrices,
// parallel coordinates, bands of trajectories, indices.
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

#endif
