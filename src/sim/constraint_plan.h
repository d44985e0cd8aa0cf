// Tapes of the constraints of a Program: residuals, Jacobian G and corrections. See constrain.h.
#ifndef VIVA_SIM_CONSTRAINT_PLAN_H
#define VIVA_SIM_CONSTRAINT_PLAN_H

#include "sim/gram.h"
#include "system/layout.h"
#include "tape/tape.h"

struct SimProgram;

// A degree of freedom that constraints move, and its indices in y. Of a spherical joint q is none: r are its
// quaternion's.
typedef struct BoundCoord {
  uint32_t coord, q, v;
  uint32_t r[4], part;
} BoundCoord;

typedef struct ConstraintPlan {
  uint32_t count;       // of constraints
  uint32_t coord_count; // bound coordinates: those that stand in constraints
  uint32_t moved_count; // with those behind them that masses couple to bound ones
  const BoundCoord *coords;
  const bool *velocities;         // a constraint: it binds velocities alone
  const uint32_t *start, *column; // G row by row: columns are bound coordinates
  const Gram *gram;               // of many constraints, which are never put into a dense matrix; NULL: they are few
  // tapes of t and y
  const Tape *residues; // value of each constraint (0 of one on velocities), then the rate of each
  const Tape *slopes;   // the entries of G
  const Tape *place;    // corrections of the moved positions
  const Tape *push;     // of t, y and changes of the residuals: what changes the moved coordinates so
  const Tape *speed;    // corrections of the moved velocities, then impulses of the constraints, with the other sign
} ConstraintPlan;

// Moves a position by d; a spherical joint is rotated by d about a body axis, and keeps its length.
void bound_move(const BoundCoord *c, double d, double *y);
double bound_size(const BoundCoord *c, const double *y); // of a position; a rotation has 1
// The displacement from one configuration to another: of rotations what bound_move needs for it, to first order.
double bound_difference(const BoundCoord *c, const double *from, const double *to);

enum { constraint_most_dense = 50 };                         // constraints; more are never put into a dense matrix
const ConstraintPlan *constraint_plan(struct SimProgram *p); // NULL: out of memory

#endif
