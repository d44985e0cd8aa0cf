// Position after position along the drives: rows at the grid of their steps, dead points, crossings, and of loads limit
// points and bifurcations between them.
//
// in    a position where the drives start (x->u), on the curve
// out   rows; places of their own (x->specials); x->status
//
// Of deformed positions the drive never turns back: where a position stops being one of least error, the least one
// just behind is gone to downhill, and told as a turn (it joins) or a jump (it does not).
#ifndef VIVA_POSITIONS_ALONG_H
#define VIVA_POSITIONS_ALONG_H

#include "positions/rows.h"

PositionsStatus positions_go_along(Positions *x, const PositionsRequest *request, PositionRows *rows);

#endif
