// A fit as a picture: data under the fitted curve with its band, residuals, profiles, correlations, the evolution.
#ifndef VIVA_SHOW_FIT_PLOT_H
#define VIVA_SHOW_FIT_PLOT_H

#include "fit/result.h"
#include "show/plot.h"

// Panels of a fit; the numbers of viva.h are the same.
enum {
  fit_plot_curves = 1,      // data, curve, prediction band
  fit_plot_residuals = 2,   // data - curve
  fit_plot_profiles = 4,    // by unknown: how the cost grows with it
  fit_plot_correlation = 8, // between the unknowns
  fit_plot_evolution = 16,  // best, mean and spread by generation
  fit_plot_sequence = 32,   // the best individuals, one after the other
  fit_plot_all = 63
};

// parts: which panels; those that have nothing to show are left out. The result was finished for pictures.
void show_fit_plot(Arena *arena, const FitResult *r, const char *title, unsigned parts, Plot *plot);

#endif
