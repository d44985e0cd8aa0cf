// Inverse kinematics: coordinates that bring what is driven to where the drives start.
//
// in    a position on the constraints, x->u; limits of coordinates (`stop`)
// out   x->u: what is driven is there, and as little as possible has moved, near by; else the nearest configuration
// how   The search goes straight to the target, in small steps, so that no part flips over on the way. Where that
//       fails, or ends where the inputs are singular, other starts are tried, moved off at random by more and more, or
//       anywhere: a straight arm cannot begin to bend by itself. A coordinate that would leave its limits is held
//       there. A target counts as out of reach only where not even a small step from the nearest configuration
//       leads on towards it.
#ifndef VIVA_POSITIONS_INVERSE_H
#define VIVA_POSITIONS_INVERSE_H

#include "positions/rows.h"

PositionsStatus positions_reach(Positions *x, const PositionsRequest *request, PositionRows *rows);

#endif
