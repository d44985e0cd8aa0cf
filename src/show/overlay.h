// The motions of a family in one figure: a panel for each curve, and in it a line for each member.
#ifndef VIVA_SHOW_OVERLAY_H
#define VIVA_SHOW_OVERLAY_H

#include "show/plot.h"

typedef struct OverlayCurve {
  uint32_t panel, curve; // of the plot of one member
  double level;
  const double *x, *y;
  size_t count;
} OverlayCurve;

typedef struct Overlay {
  Arena *arena;
  const char *varied; // what the level is
  VEC(OverlayCurve) curves;
} Overlay;

void overlay_take(Overlay *o, const Plot *member, double level); // copies the numbers
// `one` is the plot of any member, for names and axes.
void overlay_plot(const Overlay *o, const Plot *one, Plot *plot);

#endif
