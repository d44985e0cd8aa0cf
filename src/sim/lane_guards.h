// Conditions of eight motions side by side: is it certain that none of them ends inside of a step? Most steps are far
// from every limit, and then nobody has to look into them (solve/events.h).
#ifndef VIVA_SIM_LANE_GUARDS_H
#define VIVA_SIM_LANE_GUARDS_H

#include "sim/motion.h"
#include "solve/lanes.h"

typedef struct LaneGuards LaneGuards;

bool lane_guards_fit(const SimProgram *p);                             // can they be looked at this way?
LaneGuards *lane_guards_new(Arena *arena, const SimProgram *p);        // NULL: memory is out
void lane_guards_begin(LaneGuards *g, int lane, const double *params); // another motion
// Lanes of the mask in whose steps, of size h from t, no condition comes near to its end, as `event_search` decides it
// at its first look; what that would have changed in their runs is changed.
unsigned lane_guards_clear(LaneGuards *g, Run *const *runs, unsigned mask, const double *t, const double *h,
                           LaneDense *dense, void *from);

#endif
