// Unit quaternions of spherical joints: a step may change their length, which is brought back to 1.
#ifndef VIVA_SIM_BALLS_H
#define VIVA_SIM_BALLS_H

#include "system/system.h"

// y at a distance of `stride` from component to component. True: something was changed.
bool balls_normalize(const System *s, double *y, size_t stride);
// The joint whose quaternion was set to length 0, which is no orientation: it is NAN since; NULL: none.
const char *balls_lost(const System *s, const double *y);

#endif
