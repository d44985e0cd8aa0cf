// Constraints of a motion: consistent starts, and no drift away from them.
// parts: assemble.c
//
// in    constraints of the System with their rates and G (form/constraints.c), blocks with multipliers
// out   a start that obeys them (assemble.c); after each step y is brought back: places by
//         M d - G' mu = 0, G d = -value        the nearest place in the metric of the masses, repeated
//       velocities by the same with the rate, which is what an impulse of the constraints would do
//
// Both corrections are solved by the blocks of accelerations themselves with other right-hand sides, so what is sparse
// there is sparse here.
#ifndef VIVA_SIM_CONSTRAIN_H
#define VIVA_SIM_CONSTRAIN_H

#include "sim/block.h"
#include "solve/ode.h"
#include "tape/tape.h"

struct SimProgram;
struct Run;

// A coordinate that stands in constraints, and its places in y.
typedef struct BoundCoord {
  uint32_t coord, q, v;
} BoundCoord;

typedef struct ConstraintPlan {
  uint32_t count;       // of constraints
  uint32_t coord_count; // bound coordinates
  const BoundCoord *coords;
  const uint32_t *start, *column; // G row by row: columns are bound coordinates
  // tapes of t and y
  const Tape *residues; // value of each constraint (0 of one on velocities), then the rate of each
  const Tape *slopes;   // the entries of G
  const Tape *place;    // corrections of the bound places
  const Tape *push;     // of t, y and changes of the residues: what changes the bound coordinates so
  const Tape *speed;    // corrections of the bound velocities, then impulses of the constraints, with the other sign
  OdeManifold manifold; // for methods that project from both ends
} ConstraintPlan;

// Of a motion: what it changes (block.h).
typedef struct ConstraintRun {
  double *residues, *slopes, *place, *speed, *push; // workspaces
  double *scale;                                    // a constraint: size of its row of G at the start
  double *worst;                                    // largest residues after a step: of places, of velocities
  double *moved;   // how far the start was moved: said places, guessed ones, velocities
  double *impulse; // of the last correction of velocities
  uint32_t *rank;  // of G at the start
  bool *dependent; // a constraint: its multiplier is not unique
} ConstraintRun;

const ConstraintPlan *constraint_plan(struct SimProgram *p); // NULL: memory is out
void constraint_cut(ConstraintRun *c, const ConstraintPlan *plan, Cutter *cutter);
void constraint_prepare(struct Run *r); // parameters into the workspaces
// A start that obeys the constraints, in r->start. False: r->failure.
bool constraint_assemble(struct Run *r);
// The callback of the integrator, for a Run.
OdeProjection constraint_project(void *self, double t, double *y);
// The manifold for methods that project from both ends; NULL: there are no constraints.
const OdeManifold *constraint_manifold(const struct Run *r);
// Velocities alone, after an event has set some. False: none was found.
bool constraint_impulse(struct Run *r, double t, double *y);

#endif
