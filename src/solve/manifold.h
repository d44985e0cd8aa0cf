// Symmetric projection: steps that stay on the constraint manifold, or keep the energy balance, symmetric in time.
//
//   y~ = y + D(y) c,   w = step(y~),   y+ = w + D(y+) c,   with c so that y+ lies on the manifold
//
// A projection at the end alone would let energies drift; this one is the same seen from either end (Hairer, Lubich,
// Wanner, "Geometric Numerical Integration", V.4.1). D is a right inverse of the Jacobian of the residuals, so that c
// -> c - residuals/2 converges in a few iterations.
//
// The balance of energy (OdeBalance) is one more residual. It is met by moving along
//
//   (q, v) -> (q - a h^2 v', v + a q')
//
// as far as that stays on the manifold. This direction raises the energy also where the velocities change their sign,
// and it looks the same from either end. The number a is found like c, with a derivative by a difference. What is
// missing in a step is of the order of the method, so its positions stay as exact as they were. At an equilibrium no
// direction raises the energy, and far from the solution none is taken: a later step makes up for what is missing then,
// because the balance is that since the run last started afresh.
#ifndef VIVA_SOLVE_MANIFOLD_H
#define VIVA_SOLVE_MANIFOLD_H

#include "solve/stepper.h"

typedef struct ManifoldStep {
  const OdeProblem *p;
  uint32_t count; // of residuals of the manifold; 0: none
  double *c, *next_c, *residue, *start, *at;
  // the balance, where p has one
  double *rates, *trial, *slopes;
  double *way[2]; // uphill in the energy, from the start and from the end of the step
  bool aimed;     // target is the balance since the run last started afresh
  double target;
  double by;    // the number a
  double slope; // of what is missing by it; 0: the step goes without
} ManifoldStep;

bool manifold_init(ManifoldStep *x, Arena *arena, const OdeProblem *p); // false: out of memory
void manifold_taken(const ManifoldStep *x, OdeResult *r);               // the last step was taken
void manifold_restart(ManifoldStep *x); // y or f is another one than the last step led to
// A step of the method from y at t over h to next, up to rounding on the manifold. False: none was found.
bool manifold_step(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, double *next);

#endif
