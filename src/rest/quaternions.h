// Unit quaternions of a point: the quaternion of an orientation has length 1.
#ifndef VIVA_REST_QUATERNIONS_H
#define VIVA_REST_QUATERNIONS_H

#include "rest/operating.h"

// Refuses a quaternion of another length; one that is off by its last digits is brought to length 1.
// False: out of memory.
bool quaternions_check(Operating *o, const PointRequest *request, Diags *diags);

#endif
