// Constraints in derivations: what is shown of them, and equations in independent velocities.
#ifndef VIVA_ALGEBRA_BOUND_H
#define VIVA_ALGEBRA_BOUND_H

#include "algebra/derivation.h"

// The force of the constraints on coordinate i: sum_k lambda_k G_ki. 0: out of memory.
ExprId bound_force(System *s, uint32_t i);
// The constraints and their Jacobian G into the derivation. False: out of memory.
bool bound_shown(System *s, Derivation *out);
// The curvature c of G q'' + c = 0 as a matrix of one column.
ShownMatrix bound_curvature(System *s, const char *name);

// Velocities in independent ones: v = N v_free + b, a = N a_free + c.
typedef struct BoundVelocities {
  uint32_t n, free_count, dependent_count;
  uint32_t *free, *dependent; // coordinates
  uint32_t *by;               // of each dependent one: the constraint that gives it
  SymbolId *symbols;          // of each dependent one: its velocity,
  ExprId *values;             // in free velocities
  ExprId *v;                  // of every coordinate, in free velocities
  ExprId *c;                  // of every coordinate
  ExprId *N;                  // n * free_count
  SymbolMap map;              // dependent velocities to what they are
  const char *why;            // not NULL: they are not found
} BoundVelocities;

// Which velocities are dependent: those with the largest factors at the start, else the last ones that can be.
bool bound_velocities(System *s, BoundVelocities *out);
// c as it is read best, in all velocities. False: out of memory.
bool bound_bends(System *s, const BoundVelocities *b, ExprId *c);
// A a_free + r = 0: free_count equations without multipliers. False: out of memory.
bool bound_reduced(System *s, const BoundVelocities *b, ExprId *A, ExprId *r);
// "independent velocities: x'; y' follows from the constraint rod"
const char *bound_said(System *s, const BoundVelocities *b);

#endif
