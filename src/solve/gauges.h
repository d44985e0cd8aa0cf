// Gauges: extrema, means, integrals and times of numbers along a run, step by step.
//
// A number is a function of time and state; on a step it is known by its values at parts 0 .. 1 of the step, which come
// from the continuous extension. Where a number has corners or jumps, its guards tell: each is zero (or whole) where
// one lies, is located, and cuts the step into pieces on which the number is smooth.
#ifndef VIVA_SOLVE_GAUGES_H
#define VIVA_SOLVE_GAUGES_H

#include "solve/chebyshev.h"
#include "system/measure.h"

typedef struct GaugePlan {
  uint32_t count; // of gauges
  const MeasureKind *kinds;
  const uint32_t *of; // the number that each is of
  uint32_t numbers;   // that are evaluated: first these,
  uint32_t guards;    // then these
  const bool *whole;  // by guard: it counts where it is a whole number; else where it is zero
  double rtol;        // of the run
  double node[poly_points], cosine[poly_points][poly_points];
} GaugePlan;

// What is known of one gauge so far. No pointers: it lies in the block of a run.
typedef struct GaugeState {
  double best;                // of max and min
  double sum, lost;           // of integrals: what was added up, and what rounding lost of it
  double mean, square, width; // of sd: over the time `width` so far
  double scale;               // the largest size of the number
  double undefined;           // when it had no value first
  bool has_none;              // it had none
} GaugeState;

typedef struct GaugeClock {
  bool begun;
  double from, to; // the time that was seen
} GaugeClock;

// The state of the gauges in a run: three arrays of its block.
typedef struct GaugeRun {
  GaugeClock *clock;
  GaugeState *states; // one a gauge
  double *last;       // all numbers and guards at the time up to which it was seen
} GaugeRun;

// A step: all numbers and guards at a part 0 .. 1 of it.
typedef struct GaugeStep {
  double t0, t1;
  void *self;
  void (*at)(void *self, double part, double *out);
  const double *nodes; // the same at the nine points, one row each; NULL: not known yet
} GaugeStep;

static inline uint32_t gauge_width(const GaugePlan *p) { return p->numbers + p->guards; }
size_t gauge_room(const GaugePlan *plan);  // doubles that gauge_step works in
bool gauge_follows(const GaugePlan *plan); // must every step be seen? Else the end is enough
void gauge_step(const GaugePlan *plan, GaugeRun *run, double *room, const GaugeStep *step);
// The run ended at t, with these numbers, or begins there. out: one a gauge, NAN where it has none.
void gauge_end(const GaugePlan *plan, GaugeRun *run, double t, const double *numbers, double *out);

#endif
