// The assembly modes of a mechanism as a picture: a panel for each, with its number.
#ifndef VIVA_SHOW_ASSEMBLY_PLOT_H
#define VIVA_SHOW_ASSEMBLY_PLOT_H

#include "show/scene.h"

// scene: a row a mode. *width: what suits the picture. False: out of memory.
bool assembly_plot(Arena *arena, const Scene *scene, Plot *plot, double *width);

#endif
