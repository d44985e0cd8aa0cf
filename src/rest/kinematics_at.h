// Forward kinematics (transformations) and geometric Jacobians of bodies at a point, in numbers: of trees of any size.
#ifndef VIVA_REST_KINEMATICS_AT_H
#define VIVA_REST_KINEMATICS_AT_H

#include "algebra/derivation.h"
#include "rest/operating.h"

// As `derive --form kinematics` names them (algebra/kinematics.h), at the point of o. digits: of the numbers; 0: all
// they have. *why: there are none, and the reason. False: out of memory.
bool kinematics_at(Operating *o, uint32_t digits, Derivation *out, const char **why);

#endif
