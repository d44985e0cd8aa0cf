// Inverse dynamics: the trajectory is given, so positions, velocities and accelerations are variables.
#ifndef VIVA_SYSTEM_GIVEN_MOTION_H
#define VIVA_SYSTEM_GIVEN_MOTION_H

#include "system/system.h"

// Of a copy of a system: the steps that compute positions, velocities or accelerations go, every other one stays.
// False: out of memory.
bool system_give_motion(System *s);

#endif
