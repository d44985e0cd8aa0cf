// Plot of a load path (equilibrium path): load over outputs, stable and unstable pieces apart, singular points marked.
#ifndef VIVA_SHOW_LOAD_PATH_H
#define VIVA_SHOW_LOAD_PATH_H

#include "positions/positions.h"
#include "show/plot.h"

// A panel for each of the first outputs. Is there anything to draw? Memory is asked from the arena.
bool load_path_plot(Arena *arena, const Positions *x, Plot *plot);

#endif
