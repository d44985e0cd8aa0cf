// Continuation of positions along the drives: rows at the grid of their steps, dead points, crossings, and of load
// paths the limit points and bifurcations between them.
//
// in    a position where the drives start (x->u), on the curve
// out   rows; special points between them (x->specials); x->status
//
// Of deformed positions the drive never turns back: where a position stops being one of least error, the search goes
// downhill to the least one just behind, and reports a turning point (it joins) or a jump (it does not).
#ifndef VIVA_POSITIONS_ALONG_H
#define VIVA_POSITIONS_ALONG_H

#include "positions/rows.h"

PositionsStatus positions_go_along(Positions *x, const PositionsRequest *request, PositionRows *rows);

#endif
