// Sensitivity analysis of a simulation: outputs at given times, and their derivatives by parameters and initial values.
//
// in    a Program whose shown columns are the outputs, a Variation (the unknowns), values of the unknowns, times
// out   y_i(t) and dy_i(t)/d(unknown j)
//
// By variation: S = dy/du is integrated beside y, S' = df/dy S + df/du, and jumps with y at events (variational.h).
// That is exact up to the tolerance of the run. Where it is not there (constraints, delays, sticking friction, ...)
// derivatives are finite differences of four simulations, and the reason is kept.
#ifndef VIVA_FIT_SENSITIVITY_H
#define VIVA_FIT_SENSITIVITY_H

#include "fit/variational.h"

typedef struct Sensitivity {
  SimProgram *p;
  const Variation *v;
  Arena *arena;
  Run *r; // for simulations without sensitivities
  Variational *by;
  const char *why; // it is by differences because of this; NULL: it is exact
  const double *sizes;
  double *w; // of the variation
  double *params, *y0;
  double *trial; // unknowns, moved
  double *near;  // values of the simulation at trial
  size_t near_room;
  double *one, *one_sensitivities;     // a row
  double *table, *table_sensitivities; // all rows, where they cannot be taken as they come
  size_t table_room;
  const double *least, *most; // bounds of the unknowns that differences keep; NULL: none
  uint64_t motions;           // done so far; one with k sensitivities counts 1 + k
  void *self;
  bool (*interrupted)(void *self); // may be NULL
} Sensitivity;

// sizes: of the unknowns, above 0: what counts as a change. NULL: out of memory.
Sensitivity *sensitivity_new(Arena *arena, SimProgram *p, const Variation *v, const double *sizes);
// values[time * outputs + output], slopes[(time * outputs + output) * unknowns + unknown]; slopes NULL: values alone.
// Times rise, none below 0, unless the system is a curve. What the simulation did not reach is NAN, and the failure
// says why.
RunFailure sensitivity_run(Sensitivity *x, const double *unknowns, const double *times, uint32_t count, double *values,
                           double *slopes);
// The same, row by row: nothing of the size of the table is kept, unless derivatives are finite differences or the
// unknowns need several passes. Rows that the simulation did not reach do not come. False: derivatives turned out to be
// inexact during the run; what came counts nothing, and the next call goes by differences.
bool sensitivity_stream(Sensitivity *x, const double *unknowns, const double *times, uint32_t count, bool slopes,
                        const SensitivitySink *to, RunFailure *failure);

#endif
