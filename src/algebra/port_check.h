// Whether the matrices of energies with structure are what they must be.
#ifndef VIVA_ALGEBRA_PORT_CHECK_H
#define VIVA_ALGEBRA_PORT_CHECK_H

#include "algebra/definite.h"

// Reports a J that is not antisymmetric, and an R (with P and S of the ports) that is not symmetric or not positive
// semidefinite for the values of the parameters. The signs of parameters that a proof needs become demands of the
// system. False: out of memory.
bool ports_check(Arena *arena, System *system, Diags *diags);

// Is a symmetric matrix positive semidefinite? By rules, then at points with the values of the parameters put in.
// Undecided: no point spoke against it.
typedef struct MatrixVerdict {
  Semidefinite found;
  const char *where; // of no by a point: that point; NULL: by rules
} MatrixVerdict;
bool matrix_verdict(Signs *g, const ExprId *matrix, uint32_t n, MatrixVerdict *out); // false: out of memory

// [R P; P' S], symmetric part, (count + ports) square. NULL: out of memory.
ExprId *port_losses(System *s, uint32_t n, uint32_t m, const ExprId *R, const ExprId *P, const ExprId *S);

#endif
