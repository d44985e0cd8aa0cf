// Sensitivities as a picture: a panel for each output, a curve for each unknown.
#ifndef VIVA_SHOW_SENSITIVITY_PLOT_H
#define VIVA_SHOW_SENSITIVITY_PLOT_H

#include "fit/sensitivity_table.h"
#include "show/plot.h"

// Each curve is p dy/dp, in the unit of y, so that they can be compared: by how much y changes if p doubles and y went
// on as it begins. Of a value of 0 it is dy/dp.
void show_sensitivity_plot(Arena *arena, const SensitivityResult *r, const char *title, Plot *plot);

#endif
