// Guards of eight runs in SIMD lanes, at the points inside of a step at which event location evaluates
// (solve/events.h).
#ifndef VIVA_SIM_LANE_GUARDS_H
#define VIVA_SIM_LANE_GUARDS_H

#include "sim/motion.h"
#include "solve/lanes.h"

typedef struct LaneGuards LaneGuards;

bool lane_guards_fit(const SimProgram *p);                             // can the guards be evaluated in lanes?
LaneGuards *lane_guards_new(Arena *arena, const SimProgram *p);        // NULL: out of memory
void lane_guards_begin(LaneGuards *g, int lane, const double *params); // another run
// The conditions of the lanes of the mask along their steps, of size h from t: as LaneProblem.conditions.
unsigned lane_guards_take(LaneGuards *g, Run *const *runs, unsigned mask, const double *t, const double *h,
                          LaneDense *dense, void *from, double *c);

#endif
