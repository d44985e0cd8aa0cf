// A SIMD lane that is integrated alone. Eight runs go side by side (lanes_own.h) as long as no event interrupts them.
// Where a condition ends inside a step, its lane leaves the block, the driver of one run (explicit.c, rodas.c) locates
// the event by its own steps, writes rows and the record, executes the event, and the lane returns with the new state.
// The arithmetic is one text, so the bits are those of a run by itself. parts: alone.c
#ifndef VIVA_SOLVE_ALONE_H
#define VIVA_SOLVE_ALONE_H

#include "solve/steps.h"

// What a lane brings and takes back: arrays of the one run, a number a component.
typedef struct LaneAlone {
  OdeRun *u;        // whose problem, settings, observer and y are the one run's own
  double *y, *next; // at both ends of the step that was tried
  double *t, *h;    // where it starts, its size
  double **dense;   // coefficients of its continuous extension
  double **stages;  // of the explicit method
  double *scaled;   // as in Step
  double *err;      // likewise
  // sizes of components, as in OdeScales
  double *seen, *unsized, *kind_part, *roundoff, *noise, *rounded, *atol, *kind_seen;
  unsigned *by_kind; // 1 or 0
  // of rodas: df/dt, entries of the Jacobian
  double *slopes, *entries;
  uint32_t entry_count;
  struct Adaptive *inside;
} LaneAlone;

typedef enum LaneTurn {
  lane_over,  // the run is over: u->r.status
  lane_again, // the step is to be tried again, smaller
  lane_goes_on
} LaneTurn;

// NULL: out of memory.
LaneAlone *alone_new(Arena *arena, const OdeProblem *problem, const OdeSettings *settings);
bool alone_stiff(LaneAlone *a);          // room for rodas, when it is first needed; false: out of memory
double *alone_rates(const LaneAlone *a); // those at the start of the step: to be filled
// y at a part of the step that was brought.
void alone_dense(void *alone, double part, double *y);
// The step that was brought ends at `at` where a condition does; ends: as it was tried it reached u->stop.
LaneTurn alone_cut(LaneAlone *a, double at, bool ends);
// The same of an explicit method, where the step to `at` is what was brought (y, next, stages, error); false: there is
// none, it leaves the domain.
LaneTurn alone_cut_reached(LaneAlone *a, double at, bool reached, bool ends);

#endif
