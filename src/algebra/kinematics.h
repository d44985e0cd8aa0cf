// The kinematics of a tree of bodies, as matrices: transformations and Jacobians.
#ifndef VIVA_ALGEBRA_KINEMATICS_H
#define VIVA_ALGEBRA_KINEMATICS_H

#include "algebra/derivation.h"

// Of every body:
//   A_name   from its frame into that of its parent, 4 by 4: [R d; 0 1]
//   T_name   into that of the ground: the product of these along the way
//   Jw_name  its angular velocity is Jw v, in the axes of the ground; v are the velocities of the joints
//   Jv_name  the velocity of its origin is Jv v
// False: memory is out.
bool kinematics_derive(System *s, Derivation *out);

#endif
