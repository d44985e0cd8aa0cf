// The part of the library that stands on SUNDIALS and LAPACK: a shared object of its own (libviva-solvers.so), loaded
// when a run first needs it. Loading these libraries takes as long as deriving a small model, so nobody else pays.
#ifndef VIVA_SOLVE_MODULE_H
#define VIVA_SOLVE_MODULE_H

#include "solve/scale.h"
#include "tape/tape.h"

typedef struct SolveModule {
  size_t stamp; // both sides were built from the same headers
  OdeResult (*bdf)(const OdeProblem *p, const OdeSettings *s, double *y, OdeScales *scales, EventSearch *search,
                   const OdeObserver *o);
  // LAPACK: factors of a column-major matrix in place; solution in place of b. Not 0: singular.
  int (*factor)(int n, double *a, int *pivot);
  void (*solve)(int n, const double *a, const int *pivot, double *b);
  TapeSolve *dense; // accelerations of large blocks
  // eigenvalues and singular values, see solve/spectrum.h
  int (*eigen)(int n, double *a, double *re, double *im, double *v, double *bound, double *work);
  int (*singular)(int m, int n, double *a, double *s, double *u, double *vt, double *work);
} SolveModule;

#define SOLVE_MODULE_STAMP                                                                                             \
  (sizeof(SolveModule) + 1000 * sizeof(OdeProblem) + 100000 * sizeof(OdeSettings) + 10000000 * sizeof(OdeResult) +     \
   7 * sizeof(EventSearch) + 13 * sizeof(OdeEvents) + 17 * sizeof(OdeScales))

const SolveModule *module_load(void); // NULL: not there, or there is no room for it. It stays loaded.
bool module_has_room(void);           // is there memory enough to load it?

#endif
