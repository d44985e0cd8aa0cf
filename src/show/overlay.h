// The runs of a family in one figure: a panel for each curve, and in it a line for each member.
//
// Colours over an index have a panel for each member. Few members have a key: each line is named by its values; where
// several lists vary, the key is a table, and where four dashes are enough for the others, colours are the first. Many
// members are coloured by what varies first, with a bar that tells it.
#ifndef VIVA_SHOW_OVERLAY_H
#define VIVA_SHOW_OVERLAY_H

#include "show/plot.h"

typedef struct OverlayCurve {
  uint32_t panel, curve;   // of the plot of one member
  uint32_t member;         // counted from 0
  const double *x, *y, *t; // t NULL: not known
  size_t count;
} OverlayCurve;

typedef struct OverlayHeat {
  uint32_t panel, member;
  PlotHeat heat;
} OverlayHeat;

typedef struct OverlayMember {
  double level;             // the value that varies first
  const char *label;        // all values that vary: "k = 4 N/m, c = 0.1"
  const char *const *cells; // each alone: "4", "0.1"
  const char *rest;         // those of all lists but the first: "c = 0.1"
  uint32_t entry[2];        // its index among the values of the first list, and among the combinations of the others
} OverlayMember;

typedef struct Overlay {
  Arena *arena;
  const char *varied, *unit; // what the level is; unit NULL: not known
  const char *others;        // names of what varies beside it; NULL: nothing
  uint32_t lists;            // that are combined
  uint32_t counts[2];        // of the values of the first, of the combinations of all others
  const char *const *heads;  // all that varies: "k [N/m]"
  uint32_t head_count;
  VEC(OverlayMember) members;
  VEC(OverlayCurve) curves;
  VEC(OverlayHeat) heats;
  Plot one;   // of the first member: names and axes, no numbers
  bool apart; // a subplot for each member instead of one for all
} Overlay;

void overlay_take(Overlay *o, const Plot *member, OverlayMember values); // copies the numbers, not the label
void overlay_plot(const Overlay *o, Plot *plot);
bool overlay_has_key(const Overlay *o);                     // else a bar tells members apart
uint32_t overlay_colour(const Overlay *o, uint32_t member); // its number
uint32_t overlay_dash(const Overlay *o, uint32_t member);

#endif
