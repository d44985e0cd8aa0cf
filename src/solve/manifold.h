// Steps that stay on a manifold and are symmetric in time.
//
//   y~ = y + D(y) c,   w = step(y~),   y+ = w + D(y+) c,   with c so that y+ lies on the manifold
//
// A projection at the end alone would let energies drift; this one is the same seen from either end (Hairer, Lubich,
// Wanner, "Geometric Numerical Integration", V.4.1). D is a right inverse of the slopes of the residues, so that
// c -> c - residues/2 converges in a few rounds.
#ifndef VIVA_SOLVE_MANIFOLD_H
#define VIVA_SOLVE_MANIFOLD_H

#include "solve/stepper.h"

typedef struct ManifoldStep {
  const OdeProblem *p;
  double *c, *next_c, *residue, *start, *at;
} ManifoldStep;

bool manifold_init(ManifoldStep *x, Arena *arena, const OdeProblem *p); // false: memory is out
// A step of the method from y at t over h to next, up to rounding on the manifold. False: none was found.
bool manifold_step(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, double *next);

#endif
