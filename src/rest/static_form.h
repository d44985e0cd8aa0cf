// Equations of static equilibrium: velocities, accelerations and rates of inputs are zero, the time stands still.
//
//   h(q) - G'(q) lambda = 0     a row a coordinate
//   f(q, x) = 0                 a row a state
//   c(q) = 0                    a row a constraint
//
// Where energies alone move the coordinates, h is the gradient of a potential, Pi = -L(q, v = 0) + r.q, r being what
// else acts with a constant force.
//
// Notation: unknowns u = q, x (n of them), multipliers lambda (m of them).
#ifndef VIVA_REST_STATIC_FORM_H
#define VIVA_REST_STATIC_FORM_H

#include "rest/operating.h"

typedef struct StaticForm {
  Operating *o;
  System s; // that of o with no steps but the definitions of inputs
  uint32_t n, coords, m;
  SymbolId *unknown, *multiplier;
  const char **names; // of the unknowns
  ExprId *balance;    // n: what must vanish, with multipliers in it
  ExprId *value;      // m: constraints
  MassRow *K;         // n: d(balance)/d(unknowns)
  MassRow *G;         // m: d(value)/d(unknowns)
  ExprId potential;   // 0: there is no formula for it
  bool symmetric;     // K is, at some points: there is a potential
  const char *why;    // not NULL: the equations at rest cannot be written down, and this is in the way
} StaticForm;

// False: out of memory.
bool static_form(Operating *o, StaticForm *form);

// A tape over t, unknowns, multipliers, and what else stands still.
bool static_tape(StaticForm *form, const ExprId *results, uint32_t count, OperatingTape *out);
void static_eval(const StaticForm *form, const OperatingTape *t, const double *u, const double *lambda);
// The index of an unknown in y; no_place: it is computed there.
uint32_t static_place(const StaticForm *form, uint32_t i);
// Where the unknowns are at the point of o.
bool static_start(StaticForm *form, double *u);
// u as y: velocities 0, the rest as in o->y.
void static_put(const StaticForm *form, const double *u, double *y);

#endif
