// Constraints of a motion: consistent starts, and no drift away from them.
// parts: assemble.c singular.c
//
// in    constraints of the System with their rates and G (form/constraints.c), blocks with multipliers
// out   a start that obeys them (assemble.c); after each step y is brought back: places by
//         M d - G' mu = 0, G d = -value        the nearest place in the metric of the masses, repeated
//       velocities by the same with the rate, which is what an impulse of the constraints would do
//
// Not one mechanism with manifold.h: a correction of velocities is to be the impulse that constraints would exert,
// which is nearest by the masses; states of equations have none. When corrections are at their end is one rule
// (corrections.h).
//
// Both corrections are solved by the blocks of accelerations themselves with other right-hand sides, so what is sparse
// there is sparse here.
#ifndef VIVA_SIM_CONSTRAIN_H
#define VIVA_SIM_CONSTRAIN_H

#include "sim/block.h"
#include "sim/constraint_plan.h"
#include "solve/ode.h"
#include "system/system.h"
#include "tape/tape.h"

struct Run;

enum { singular_points = 6 }; // steps that are kept

typedef struct SingularState {
  double now, most;          // smallest singular value; the largest it was
  uint32_t count;            // of the points that are kept, the oldest first
  double t[singular_points]; // when
  double value[singular_points];
  bool waits;      // it was stopped, to leap
  bool watched;    // few enough constraints, no fixed steps
  uint32_t passed; // singular places
  double passed_t; // the last one
} SingularState;

// What constraints answered to velocities that events set, to signals that begin to move, in their corners.
typedef struct ConstraintImpulses {
  uint32_t count;
  double largest, t;   // the largest one, and when
  uint32_t constraint; // whose it was
  double last;         // when the last one was
  uint32_t last_of;    // whose it was, most of all
} ConstraintImpulses;

// Of a motion: what it changes (block.h).
typedef struct ConstraintRun {
  double *residues, *slopes, *place, *speed, *push; // workspaces
  OdeManifold manifold;                             // made when a method asks for it
  double *scale;                                    // a constraint: size of its row of G at the start
  double *worst;                                    // largest residues after a step: of places, of velocities
  uint32_t *lost;                                   // the last projection could not obey this one, plus one
  double *moved;   // how far the start was moved from what was said: places, velocities
  double *impulse; // of the last event
  ConstraintImpulses *impulses;
  uint32_t *rank;  // of G at the start
  bool *dependent; // a constraint: its multiplier is not unique
  bool *left_out;  // a constraint: it follows from those that are not left out
  bool *idle;      // a constraint: it binds nothing at the start, its row of G is zero there
  SingularState *singular;
  double *points, *rows, *square, *weak; // of singular.c: steps, G, G G', a vector
} ConstraintRun;

enum { constraint_most_dense = 50 }; // constraints; more are never put into a dense matrix
// total: the size of y with its quadratures
void constraint_cut(ConstraintRun *c, const ConstraintPlan *plan, uint32_t total, Cutter *cutter);
void constraint_prepare(struct Run *r); // parameters into the workspaces
// A start that obeys the constraints, in r->start. False: r->failure.
bool constraint_assemble(struct Run *r);
// The callback of the integrator, for a Run.
OdeProjection constraint_project(void *self, double t, double *y);
// The manifold for methods that project from both ends; NULL: there are no constraints.
const OdeManifold *constraint_manifold(struct Run *r);
// Keeps the largest residues. False: one has no finite value.
bool constraint_watch(struct Run *r, double t, const double *y);
// A saved state, where changed parameters may ask for another place. False: r->failure.
bool constraint_rejoin(struct Run *r, double t, double *y);
const char *constraint_name(const System *s, uint32_t k); // "rod" of lambda.rod
// The one that the others do not let hold where the last step ended; NULL: none, or there are no constraints.
const SystemConstraint *constraint_lost(const struct Run *r);
// A motion that cannot go on from t: it came to rest in a corner of this one; NULL: it did not.
const SystemConstraint *constraint_cornered(const struct Run *r, double t);
// The one that is off its place or rate there; NULL: none.
const SystemConstraint *constraint_disobeyed(struct Run *r, double t, const double *y);
// Velocities alone, after an event has set some. False: they obey the constraints as they are.
bool constraint_impulse(struct Run *r, double t, double *y);

// ---- singular.c

void singular_reset(struct Run *r);
double singular_value(struct Run *r, double t, const double *y); // of G there, as a part of the largest
// After a step that was taken. False: hold here, the motion is to leap.
bool singular_step(struct Run *r, double t, const double *y);
// From where it holds to the other side, with the rows between. False: r->failure.
bool singular_leap(struct Run *r, const OdeObserver *observer);
// "(th1 0.71, th3 0.71)": the ways that constraints leave open there
const char *singular_directions(struct Run *r, double t, const double *y);

#endif
