// Structure-preserving methods with fixed step size (Gauss collocation, Verlet): the interface to their driver in
// fixed.c.
//
// A step goes from y to `next`, both as the problem has them, with velocities. A method that keeps more than y between
// steps (momenta, what rounding lost, starting values) learns by `taken` which step was accepted.
// parts: collocation.c verlet.c
#ifndef VIVA_SOLVE_STEPPER_H
#define VIVA_SOLVE_STEPPER_H

#include "solve/ode.h"

typedef struct OdeStepper {
  void *self; // NULL: out of memory
  // From y at t over h to next; may be asked again, with another h, before a step is taken.
  bool (*step)(void *self, double t, double h, const double *y, double *next);
  // The last step was taken. moved: `next` was changed behind it, so that y is all there is.
  void (*taken)(void *self, bool moved);
  void (*restart)(void *self); // y or f is another one than the last step led to
  OdeResult *counts;           // evaluations, jacobians, factorizations
  bool on_manifold;            // a step from OdeProblem.manifold ends there; else manifold.h leads it there
} OdeStepper;

OdeStepper ode_collocation_new(Arena *arena, const OdeProblem *p, OdeMethod method, OdeResult *counts); // collocation.c
OdeStepper ode_verlet_new(Arena *arena, const OdeProblem *p, OdeResult *counts);                        // verlet.c

#endif
