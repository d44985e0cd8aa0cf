// Inputs for given places: coordinates that bring what is driven to where the drives start.
//
// in    a position on the constraints, x->u; limits of coordinates (`stop`)
// out   x->u: what is driven is there, and as little as possible has moved, near by; else the nearest place
// how   The target is gone to straight on, in small steps, so that no part turns over on the way. Where that fails, or
//       ends where the inputs are singular, other starts are tried, moved off at random by more and more, or anywhere:
//       a straight arm cannot begin to bend by itself. A coordinate that would leave its limits is held there. Nothing
//       is called out of reach unless from the nearest place not even a small step leads on towards the target.
#ifndef VIVA_POSITIONS_INVERSE_H
#define VIVA_POSITIONS_INVERSE_H

#include "positions/rows.h"

PositionsStatus positions_reach(Positions *x, const PositionsRequest *request, PositionRows *rows);

#endif
