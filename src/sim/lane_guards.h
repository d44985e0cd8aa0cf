// Conditions of eight motions side by side, at the points at which steps are looked into (solve/events.h).
#ifndef VIVA_SIM_LANE_GUARDS_H
#define VIVA_SIM_LANE_GUARDS_H

#include "sim/motion.h"
#include "solve/lanes.h"

typedef struct LaneGuards LaneGuards;

bool lane_guards_fit(const SimProgram *p);                             // can they be looked at this way?
LaneGuards *lane_guards_new(Arena *arena, const SimProgram *p);        // NULL: out of memory
void lane_guards_begin(LaneGuards *g, int lane, const double *params); // another motion
// The conditions of the lanes of the mask along their steps, of size h from t: as LaneProblem.conditions.
unsigned lane_guards_take(LaneGuards *g, Run *const *runs, unsigned mask, const double *t, const double *h,
                          LaneDense *dense, void *from, double *c);

#endif
