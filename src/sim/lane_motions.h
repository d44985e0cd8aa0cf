// Eight runs of one Program in SIMD lanes, as the integrators over lanes see them (solve/lanes.h).
#ifndef VIVA_SIM_LANE_MOTIONS_H
#define VIVA_SIM_LANE_MOTIONS_H

#include "sim/lane_guards.h"
#include "solve/lanes.h"
#include "tape/lanes.h"

typedef struct LaneMotions {
  const SimProgram *p;
  Arena *arena;
  LaneKit kit;
  double *w;            // lanes of f
  const Native *native; // f, compiled for lanes; NULL: it is interpreted
  double *params;       // of each lane
  bool changed;         // parameters of some lane: to be prepared
  // A run of each lane's own. With events it has their state, with constraints it finds the start and projects. NULL:
  // there are neither
  Run *bound[lane_count];
  bool after_start[lane_count]; // OdeBreaks.after_start of each
  bool any_after_start;         // of some run so far
  bool z_changed[lane_count];   // as in Run: since they were put into the lanes of f
  const TapeJacobian *j;
  LaneJacobian jacobian;
  LaneKit jacobian_kit;
  const Native *native_jacobian;
  double *jw;         // lanes of the Jacobian
  double *errors;     // workspaces: rounding of rates, one lane; made when a method asks for it
  double *gathered;   // y of one lane
  double *kept;       // rates of all lanes; NULL: nothing varies inside a step
  double *slopes;     // entries of a Jacobian by differences
  LaneGuards *guards; // NULL: every step is looked into
  // what a Jacobian is made with
  void *asker;
  bool (*interrupted)(void *asker);                            // may be NULL
  const Native *(*compile)(void *asker, const Tape *jacobian); // for lanes; NULL: it is interpreted
} LaneMotions;

bool lane_motions_init(LaneMotions *k, Arena *arena, const SimProgram *p); // of zeros; false: out of memory
double *lane_params(const LaneMotions *k, int lane);
void lane_motions_begin(LaneMotions *k, int lane);       // the parameters of a lane were set
void lane_motions_own(LaneMotions *k, int lane, Run *r); // the run of a lane
void lane_motions_break(LaneMotions *k, int lane, const OdeBreaks *breaks);
// The steps of the lanes of the mask, each to its own run (LaneObserver.span).
void lane_motions_span(const LaneMotions *k, unsigned mask, const double *t0, const double *t1, LaneDense *dense,
                       void *from);
// Its `self` is k. Constraints are left to others.
LaneProblem lane_motions_problem(LaneMotions *k);

#endif
