// Output rows of problems of position, one for each position.
//
// in    a Positions with its position equations, sinks for tables and for pictures
// out   values of the drives, what is shown, its derivatives, and of equilibria the number of unstable directions
#ifndef VIVA_POSITIONS_ROWS_H
#define VIVA_POSITIONS_ROWS_H

#include "positions/found.h"

typedef struct PositionRows {
  Positions *x;
  const PositionsRequest *request;
  Follow *f;
  double *all, *row, *watch, *scaled[3], *P1, *z;
  bool stopped;
} PositionRows;

bool position_rows_open(PositionRows *r); // false: out of memory, as of all of these
// The row at x->u. Where there are no derivatives (rated: there are) they are not numbers.
bool position_rows_put(PositionRows *r, bool rated);
bool position_rows_note_special(PositionRows *r, FollowEnd kind, const double *z);
// A point of a load path between two rows, for its picture.
void position_rows_note_between(PositionRows *r, const double *z);
void position_rows_take_position(Positions *x, const double *z);
// Where two branches cross there are positions, and no derivatives.
bool position_rows_put_crossing(PositionRows *r);

#endif
