// Is an equation that somebody derived the right one? Decided, with a proof or a counterexample.
#ifndef VIVA_ALGEBRA_CHECK_H
#define VIVA_ALGEBRA_CHECK_H

#include "algebra/check_result.h"
#include "expr/calculus.h"

// What the left side of an equation names.
typedef enum CheckLeft {
  check_expression,
  check_kinetic,    // T = ...
  check_potential,  // V = ...
  check_lagrangian, // L = ...
  check_energy,     // E = ...
  check_mass        // M(i, j) = ...
} CheckLeft;

// A symbol of the equations that is the time derivative of another one: x''' of x''.
typedef struct CheckHigher {
  SymbolId symbol, of;
} CheckHigher;

// An equation of the user, already read, in the pool of the system.
typedef struct CheckText {
  CheckLeft left;
  int64_t row, col; // of check_mass, from 1
  ExprId lhs, rhs;  // lhs is 0 unless check_expression
  Span span, left_span;
  const char *text;                // as written
  const SystemDivision *divisions; // what it divides by
  uint32_t division_count;
  const ExprId *parts; // values of all its parts as they are written
  uint32_t part_count;
  const CheckHigher *higher; // of all equations, each behind the one it is the derivative of
  uint32_t higher_count;
} CheckText;

// Decides equations. s must be over a copy of the model that may grow. Wrong input goes to diags.
bool check_equations(System *s, const CheckText *texts, uint32_t count, Diags *diags, CheckReport *report);

// For check.c and diff.c: a result, and a verdict with what was put in.
void check_put(System *s, CheckReport *report, CheckResult r);
CheckResult check_said(System *s, CheckResult r, const char *with);

#endif
