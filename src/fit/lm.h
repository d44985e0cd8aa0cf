// Levenberg and Marquardt's method with bounds.
//
// in    a problem, where to begin
// out   the nearest point inside the bounds at which no step leads down, with R of its slopes
//
// A step solves min |r + J x|^2 + lambda |D x|^2 over the unknowns that are not held at a bound by their gradient; D
// are the largest lengths of the columns of J so far. What would leave the box ends at its bound. lambda follows the
// ratio of what was gained to what was promised (Nielsen).
#ifndef VIVA_FIT_LM_H
#define VIVA_FIT_LM_H

#include "fit/problem.h"

typedef enum LmStatus {
  lm_found,       // no step leads down any more
  lm_many,        // more steps than allowed
  lm_failed,      // the motion fails where it begins
  lm_interrupted, // asked to stop
  lm_no_memory
} LmStatus;

typedef struct LmSettings {
  uint32_t most;     // steps
  double gain, step; // relative: it ends where both are smaller
  const bool *fixed; // unknowns that stay as they are; NULL: none
} LmSettings;

typedef struct LmResult {
  LmStatus status;
  double cost;
  uint32_t steps;
} LmResult;

typedef struct Lm {
  FitProblem *f;
  double *r, *slopes, *try_r, *try_slopes; // residuals; slopes are used up
  double *R, *q, *d, *damping, *x, *trial, *room;
  bool *free;
} Lm;

bool lm_init(Lm *m, FitProblem *f); // false: memory is out
static inline LmSettings lm_defaults(void) { return (LmSettings){.most = 200, .gain = 1e-15, .step = 1e-9}; }
// u: from where, and where to. m->r and m->R are those of the end.
LmResult lm_run(Lm *m, double *u, const LmSettings *settings);

#endif
