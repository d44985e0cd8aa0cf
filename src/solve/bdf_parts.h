// The parts of bdf.c and bdf_sizes.c.
// parts: bdf_sizes.c
#ifndef VIVA_SOLVE_BDF_PARTS_H
#define VIVA_SOLVE_BDF_PARTS_H

#include "solve/bdf.h"
#include "solve/scale.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

// Components up to which rounding is measured: that takes a dense factorization now and then.
enum { bdf_most_measured = 300 };

typedef struct Bdf {
  const SolveHost *host;
  const OdeProblem *p;
  const OdeSettings *s;
  const OdeObserver *o;
  const OdeJacobian *j;
  OdeResult r, before; // so far; at the last start
  uint32_t next_break;
  uint32_t n, m; // all components; the checked ones
  OdeScales *scales;
  double *out;                  // the caller's state
  uint64_t next, rows;          // the next row
  double *y;                    // all components, for rows
  double *full, *dydt;          // room for f
  double *noise, *dense, *unit; // room to measure rounding; NULL: there are too many components for that
  int *pivot;
  double *entries; // of the Jacobian
  bool sparse;
  double t;            // up to which the quadratures in y are known
  double stop;         // where the integrator must stop
  bool timed;          // because of a time of the events
  uint32_t tries;      // steps that were tried again in a row
  uint64_t shake_at;   // the step after which rounding is measured next
  double shaken_h;     // as in OdeRun
  double mark;         // where it was some thousand steps ago
  uint32_t standing;   // steps in a row that did not move the time
  uint32_t shortened;  // steps in a row that were far shorter than those before
  double patience;     // factor on the measured rounding while short steps do not grow
  uint32_t crawling;   // looks in a row at a run that would never end
  EventSearch *search; // NULL: no conditions
  double from, width;  // the step that is looked at
  SUNContext context;
  N_Vector state, row;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  void *cvodes;
} Bdf;

// f at t, y into dydt. 1: a failure that a smaller step may cure.
static inline int bdf_evaluate(Bdf *b, double t, N_Vector y) {
  memcpy(b->full, N_VGetArrayPointer(y), b->m * sizeof *b->full);
  b->r.evaluations++;
  return b->p->f(b->p->self, t, b->full, b->dydt) ? 0 : 1;
}

void bdf_expect_sizes(Bdf *b);                            // of components that have none, at a start
void bdf_find_own_sizes(Bdf *b, double h);                // after a step of size h: which need their kind no more?
bool bdf_find_roundoff(Bdf *b);                           // the step vanished: because of what has no size?
void bdf_expect_rate_rounding(Bdf *b);                    // measures rounding before the first step
void bdf_measure_noise(Bdf *b, uint64_t steps, double h); // rounding at the present state, in a step of size h

#endif
