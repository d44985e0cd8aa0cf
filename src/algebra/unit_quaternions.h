// Sums in the quaternions of spherical joints, reduced modulo their unit norm.
#ifndef VIVA_ALGEBRA_UNIT_QUATERNIONS_H
#define VIVA_ALGEBRA_UNIT_QUATERNIONS_H

#include "system/system.h"

// Multiplied out, up to `most` terms, with r.w^2 = 1 - r.x^2 - r.y^2 - r.z^2 of every spherical joint, so that it
// stands in no higher power. 0: out of memory.
ExprId unit_quaternions(System *s, ExprId id, uint32_t most);

#endif
