// The motions of a family in one figure: a panel for each curve, and in it a line for each member.
//
// Colours over an index have a panel for each member. Few members have a key: each line is named by its values. Many
// are coloured by what varies first, with a bar that tells it.
#ifndef VIVA_SHOW_OVERLAY_H
#define VIVA_SHOW_OVERLAY_H

#include "show/plot.h"

typedef struct OverlayCurve {
  uint32_t panel, curve; // of the plot of one member
  uint32_t member;       // counted from 0
  const double *x, *y;
  size_t count;
} OverlayCurve;

typedef struct OverlayHeat {
  uint32_t panel, member;
  PlotHeat heat;
} OverlayHeat;

typedef struct OverlayMember {
  double level;      // the value that varies first
  const char *label; // all values that vary: "k = 4 N/m, c = 0.1"
} OverlayMember;

typedef struct Overlay {
  Arena *arena;
  const char *varied, *unit; // what the level is; unit NULL: not known
  const char *others;        // names of what varies beside it; NULL: nothing
  VEC(OverlayMember) members;
  VEC(OverlayCurve) curves;
  VEC(OverlayHeat) heats;
  bool apart; // a panel for each member, in the place of one for all
} Overlay;

void overlay_take(Overlay *o, const Plot *member, OverlayMember values); // copies the numbers, not the label
// `one` is the plot of any member, for names and axes.
void overlay_plot(const Overlay *o, const Plot *one, Plot *plot);

#endif
