// The kinematics of a tree of bodies, as matrices: transformations and Jacobians.
#ifndef VIVA_ALGEBRA_KINEMATICS_H
#define VIVA_ALGEBRA_KINEMATICS_H

#include "algebra/derivation.h"

// Of every body:
//   A_name   from its frame into that of its parent, 4 by 4: [R d; 0 1]
//   T_name   into that of the ground: the product of these along the way
//   Jw_name  its angular velocity is Jw v, in the axes of the ground; v are the velocities of the joints
//   Jv_name  the velocity of its origin is Jv v
// Of axes that are askew the entries grow like a power of their number: what nobody would read is refused
// (Derivation.refused). False: out of memory.
bool kinematics_derive(System *s, Derivation *out);

// The parts of it that are the same in numbers (rest/kinematics_at.h).
typedef enum KinematicsPart {
  kinematics_local,
  kinematics_global,
  kinematics_turning,
  kinematics_moving
} KinematicsPart;
// A matrix of a body, with storage for its entries, which are 0; cols: velocities. items NULL: out of memory.
ShownMatrix kinematics_matrix(const System *s, uint32_t body, KinematicsPart part, uint32_t cols);
// The velocities of the joints, in the order of the columns, and a note that tells them. NULL: out of memory.
SymbolId *kinematics_velocities(const System *s, Derivation *out, uint32_t *count);

#endif
