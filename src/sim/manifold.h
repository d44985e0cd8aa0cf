// Drift of a DAE after index reduction: consistent initial conditions, projection onto the differentiated equations.
// parts: manifold_start.c
//
// in    levels of the differentiated equations (system/index.h): all = 0, of t and y; where there are constraints,
//       these and their rates (whose own blocks may be solved together with the equations, so that they cannot project
//       the run)
// out   a start that obeys them: given values are kept, the rest moves; where that is impossible, all of it moves as
//       little as possible (manifold_start.c)
//       after each step y is projected to the nearest state,
//         W d - G' mu = goal - y,   G d = -value,    goal = y, W = 1, repeated
//       after an event that set states the same, but the components of equations that still hold stay if they can
//       (their weight is large): the velocity that was set moves, the position does not
//
// Unlike in constrain.h, states have no masses, and an equation binds positions and rates of different kinds in one
// row. So all levels are corrected at once and in the plain norm.
//
// The corrections are a block of a tape, solved as the blocks of accelerations with multipliers are.
#ifndef VIVA_SIM_MANIFOLD_H
#define VIVA_SIM_MANIFOLD_H

#include "hybrid/block.h"
#include "sim/manifold_plan.h"
#include "solve/ode.h"
#include "system/system.h"
#include "tape/tape.h"

struct Run;

// Of a run: what it changes (block.h).
typedef struct ManifoldRun {
  double *residues, *all, *unsaid; // workspaces
  double *scale;                   // a row: its size at the start
  double *worst;                   // largest residual after a step
  double *moved;                   // how far the start was moved from the given values
  double *kept;                    // y before
  bool *stays;                     // by component of y
} ManifoldRun;

void manifold_cut(ManifoldRun *m, const ManifoldPlan *plan, uint32_t count, Cutter *cutter);
void manifold_prepare(struct Run *r); // parameters into the workspaces
// A start that obeys the equations, in r->start. False: r->failure.
bool manifold_assemble(struct Run *r);
// The callback of the integrator, for a Run; constraints are brought back by it, too.
OdeProjection manifold_project(void *self, double t, double *y);
// After an event has set states, which must obey the equations. False: none were found.
bool manifold_obey(struct Run *r, double t, double *y);
// A saved state, where changed parameters may need another state on the manifold. False: r->failure.
bool manifold_rejoin(struct Run *r, double t, double *y);

// ---- inside

// One correction of y towards the goal; negative: it has no finite value. Returns its largest part of the sizes.
// stays: by component of y, may be NULL.
double manifold_correct(struct Run *r, const ManifoldCorrection *step, double *w, double t, const double *goal,
                        const bool *stays, double *y);
// The largest residual, in parts of the sizes of the rows; which: may be NULL.
double manifold_look(struct Run *r, double t, const double *y, uint32_t *which);

#endif
