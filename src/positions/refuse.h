// Error messages of problems of position: why there is no answer, or an early end, with the span in the text.
#ifndef VIVA_POSITIONS_REFUSE_H
#define VIVA_POSITIONS_REFUSE_H

#include "positions/found.h"

// All of them set x->status and return it.
PositionsStatus position_fail(Positions *x, PositionsStatus status, Span place, const char *message, const char *hint);
PositionsStatus position_no_memory(Positions *x);
// Drives that do not fit the freedoms.
PositionsStatus position_refuse_rank(Positions *x, CurveRank rank, CurveCount count);
// A drive that cannot be followed: where, and why. start: not even to where it is to start.
PositionsStatus position_refuse_end(Positions *x, FollowEnd end, const double *P, bool start);

double position_shown(const Positions *x, double value);         // 0 where it is the rounding of an inverse problem
const char *position_drives_text(Positions *x, const double *P); // "AB.angle = 1.2, l = 3"
const char *position_drives_list(Positions *x, const double *P); // "1.2, 3"
bool position_has_corners(const Places *p);                      // do the equations switch somewhere?

#endif
