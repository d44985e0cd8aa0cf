// Unit quaternions of balls: a step may change their length, which is brought back to 1.
#ifndef VIVA_SIM_BALLS_H
#define VIVA_SIM_BALLS_H

#include "system/system.h"

// y at a distance of `stride` from component to component. True: something was changed.
bool balls_normalize(const System *s, double *y, size_t stride);
// The ball whose quaternion was set to length 0, which says no turn: it is no number since; NULL: none.
const char *balls_lost(const System *s, const double *y);

#endif
