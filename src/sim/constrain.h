// Projection onto the constraint manifold: consistent initial conditions, and no drift of the constraints.
// parts: singular.c singular_places.c singular_leap.c singular_ways.c
//
// in    constraints of the System with their rates and G (form/constraints.c), blocks with multipliers
// out   a start that obeys them (assemble.c); after each step y is projected: positions by
//         M d - G' mu = 0, G d = -value        the nearest position in the metric of the masses, repeated
//       velocities by the same with the rate, which is what an impulse of the constraints would do
//
// manifold.h is a mechanism of its own: a correction of velocities is to be the impulse that constraints would exert,
// which is nearest in the metric of the masses; states of equations have no masses. Both stop their corrections by one
// rule (corrections.h).
//
// Both corrections are solved by the blocks of accelerations themselves with other right-hand sides, so what is sparse
// there is sparse here.
#ifndef VIVA_SIM_CONSTRAIN_H
#define VIVA_SIM_CONSTRAIN_H

#include "hybrid/block.h"
#include "sim/constraint_plan.h"
#include "solve/ode.h"
#include "system/system.h"
#include "tape/tape.h"

struct Run;

enum {
  singular_points = 6, // steps towards a singular configuration that are kept
  singular_places = 16 // singular configurations that were passed
};

typedef struct SingularPlace {
  double t;
  uint32_t rank;
} SingularPlace;

typedef enum SingularStart {
  start_regular,
  start_singular, // the start is a singular configuration
  start_squared   // the gradient of a constraint vanishes at the start and on the ways away from it
} SingularStart;

typedef struct SingularState {
  SingularStart start;     // where it starts
  uint32_t squared;        // the constraint whose gradient vanishes
  double most;             // the largest nearness so far
  double place, speed;     // largest bound position and velocity so far
  double t, value;         // of the last step that was taken: when, nearness
  double rate;             // at which G moved in it
  double fastest;          // largest bound velocity then
  double tested_t, tested; // of the one that was tried behind it
  bool changed;            // modes of functions changed, and G with them
  bool refused;            // a singular configuration lies in the step that was tried last
  bool waits;              // it holds here, to leap
  bool falls;              // it comes nearer
  double expected;         // when it is reached
  double vain;             // nearness at which a leap failed; INFINITY: none did
  uint32_t tries;          // failed leaps before the same singular configuration
  bool close;              // the last leap came near to a singular configuration
  bool bridge;             // near a singular configuration another method goes on
  bool crossed;            // it is over
  bool there;              // an event at the singular configuration, where G does not decide which velocities obey
  // steps on the way there, the last one first
  uint32_t points;
  double point_t[singular_points], point_value[singular_points];
  double last;     // when the last one was passed
  uint32_t passed; // number of them, the first ones are kept: when, and the rank there
  SingularPlace places[singular_places];
} SingularState;

// What constraints answered to velocities that events set, to signals that begin to move, in their corners.
typedef struct ConstraintImpulses {
  uint32_t count;
  double largest, t;   // the largest one, and when
  uint32_t constraint; // whose it was
  double last;         // when the last one was
  uint32_t last_of;    // whose it was, most of all
} ConstraintImpulses;

// Of a run: what it changes (block.h).
typedef struct ConstraintRun {
  double *residues, *slopes, *place, *speed, *push; // workspaces
  OdeManifold manifold;                             // made when a method asks for it
  double *scale;                                    // a constraint: size of its row of G at the start
  double *worst;                                    // largest residuals after a step: of positions, of velocities
  uint32_t *lost;                                   // the last projection could not obey this one, plus one
  double *stage;                                    // where stages of a step are seen (constraint_stage)
  double *moved;   // how far the start was moved from what was given: positions, velocities
  double *impulse; // of the last event
  ConstraintImpulses *impulses;
  uint32_t *rank;  // of G at the start
  bool *dependent; // a constraint: its multiplier is not unique
  bool *nearly;    // a constraint: it follows from others but for so little that accelerations lose it
  bool *idle;      // a constraint: it binds nothing at the start, its row of G is zero there
  bool *partly;    // they depend on each other where they hold, and there alone
  SingularState *singular;
  // workspaces of singular.c: the state that is remembered, the one that is tried, one inside; G at these and others
  double *before, *tested, *inside, *rows, *square, *points;
  GramRoom gram;
} ConstraintRun;

// total: the size of y with its quadratures
void constraint_cut(ConstraintRun *c, const ConstraintPlan *plan, uint32_t total, Cutter *cutter);
void constraint_prepare(struct Run *r); // parameters into the workspaces
// A start that obeys the constraints, in r->start. False: r->failure.
bool constraint_assemble(struct Run *r);
// The callback of the integrator, for a Run.
OdeProjection constraint_project(void *self, double t, double *y);
// Where f is taken instead of y. Constraints may depend on each other where they hold, and there alone: at a stage of
// an explicit step beside them accelerations say nothing. The step keeps its order, since nothing changes where they
// hold. Borrowed until the next call.
const double *constraint_stage(struct Run *r, double t, const double *y);
// The manifold for methods that project from both ends; NULL: there are no constraints.
const OdeManifold *constraint_manifold(struct Run *r);
// Keeps the largest residuals. False: one has no finite value.
bool constraint_watch(struct Run *r, double t, const double *y);
// A saved state, where changed parameters may need another configuration. False: r->failure.
bool constraint_rejoin(struct Run *r, double t, double *y);
const char *constraint_name(const System *s, uint32_t k); // "rod" of lambda.rod
// The one that the others do not let hold where the last step ended; NULL: none, or there are no constraints.
const SystemConstraint *constraint_lost(const struct Run *r);
// A run that cannot go on from t: it ended in a corner of this constraint; NULL: it did not.
const SystemConstraint *constraint_cornered(const struct Run *r, double t);
// The one whose value or rate is violated there; NULL: none.
const SystemConstraint *constraint_disobeyed(struct Run *r, double t, const double *y);
// Velocities alone, after an event has set some. False: they obey the constraints as they are.
bool constraint_impulse(struct Run *r, double t, double *y);

// ---- singular.c

void singular_cut(ConstraintRun *c, const ConstraintPlan *plan, uint32_t total, Cutter *cutter);
void singular_reset(struct Run *r);
void singular_rows(struct Run *r, double t, const double *y, double *rows); // G there, rows scaled as at the start
// Of many constraints: the entries of G there, scaled likewise.
void singular_entries(struct Run *r, double t, const double *y, double *entries);
// Numbers of a look: G as a dense matrix, or a look of gram.h.
size_t singular_look_size(const ConstraintPlan *plan);
// Rotates m rows until their first n entries are orthogonal.
void singular_turn(double *rows, uint32_t m, uint32_t n, uint32_t width);
// Singular values of m rows of n, the largest first; the rows are used up.
void singular_values(double *rows, uint32_t m, uint32_t n, double *values);
double singular_look(struct Run *r, double t, const double *y); // the nearness there
double singular_look_into(struct Run *r, double t, const double *y, double *rows);
// From one look to another: G moves by `way`, of many constraints along their weakest direction if that is known, which
// changes its sign where the value goes through zero.
typedef struct SingularBetween {
  bool known, turned;
  double way;
} SingularBetween;
SingularBetween singular_between(const struct Run *r, const double *from, const double *to);
// G moves along a way, which may be bent: the arc of a half circle is pi/2 of its chord.
static const double singular_path_by_chord = 1.6;
void singular_remember(struct Run *r, double t, const double *y, double value); // of the look before
// May a step end there? False: a singular configuration lies inside.
bool singular_allows(struct Run *r, double t, const double *y);
OdeProjection singular_project(void *self, double t, double *y); // the callback of the integrator, with that question
// After a step that was taken. False: hold here, the run is to leap.
bool singular_step(struct Run *r, double t, const double *y);
// Both at once, for those who cannot leap. True: a run of its own would hold there.
bool singular_is_near(struct Run *r, double t, const double *y);

// ---- singular_places.c

// States at times: y is filled by at().
typedef struct SingularWay {
  struct Run *r;
  void *self;
  void (*at)(void *self, double t, double *y);
  double *y;
} SingularWay;
// Times at which a singular configuration may lie on a path, ascending, at most `most`. Returns their number.
uint32_t singular_search(const SingularWay *way, double from, double to, double *times, uint32_t most);

// ---- singular_leap.c

typedef enum SingularTurn {
  singular_passed,  // r->y is behind it, at the end of the run, or where something happened: *action
  singular_not_yet, // nothing was found from here; nearer it may be
  singular_ended    // r->failure
} SingularTurn;
SingularTurn singular_leap(struct Run *r, const OdeObserver *observer, OdeAction *action);
// The same away from a start in a singular configuration, or from an event there, along the velocity. Else it ends.
SingularTurn singular_leave(struct Run *r, const OdeObserver *observer, bool starts, OdeAction *action);
// Evaluates r->y behind a leap. True: the singular configuration is still so near that no method should begin there.
bool singular_land(struct Run *r);
bool singular_is_there(const struct Run *r); // it is so near that only a leap leads away

// ---- singular_ways.c

// "(th1 0.71, th3 0.71)": directions in which ways lead on there; NULL: none
const char *singular_directions(struct Run *r, double t, const double *y);

#endif
