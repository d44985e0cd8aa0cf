// Is an equation that somebody derived the right one? Decided, with a proof or a witness.
#ifndef VIVA_ALGEBRA_CHECK_H
#define VIVA_ALGEBRA_CHECK_H

#include "expr/calculus.h"
#include "expr/decide.h"
#include "system/system.h"

typedef struct CheckResult {
  const char *text; // as written; of a diff, what was compared
  Span span;
  Verdict verdict;
  const char *means;         // what it is equal to, or was compared with, in words
  const char *condition;     // where that can fail, or what was put in; NULL: nothing
  const char *reason;        // of undecided
  Witness witness;           // of different
  ExprId difference;         // of different: left - right against what was compared with; 0: none is shown
  bool yours;                // it is what the user wrote minus difference_of
  const char *difference_of; // in words
} CheckResult;

typedef struct CheckReport {
  ExprPool *pool;
  VEC(CheckResult) results;
  Verdict verdict; // the worst one
} CheckReport;

// What the left side of an equation names.
typedef enum CheckLeft {
  check_expression,
  check_kinetic,    // T = ...
  check_potential,  // V = ...
  check_lagrangian, // L = ...
  check_energy,     // E = ...
  check_mass        // M(i, j) = ...
} CheckLeft;

// An equation of the user, already read, in the pool of the system.
typedef struct CheckText {
  CheckLeft left;
  int64_t row, col; // of check_mass, from 1
  ExprId lhs, rhs;  // lhs is 0 unless check_expression
  Span span, left_span;
  const char *text;               // as written
  const ModelDivision *divisions; // what it divides by
  uint32_t division_count;
  const ExprId *parts; // values of all its parts as they are written
  uint32_t part_count;
} CheckText;

// Decides equations. s must be over a copy of the model that may grow. Wrong input goes to diags.
bool check_equations(System *s, const CheckText *texts, uint32_t count, Diags *diags, CheckReport *report);

typedef struct CheckEquation {
  ExprId lhs, rhs;
  const ExprId *parts; // values that its text computes on the way; they must exist where the sides are compared
  uint32_t part_count;
} CheckEquation;

// Does the equation follow from the equations of motion of s? The text and span of the result are left empty.
CheckResult check_motion(System *s, const CheckEquation *equation, bool *empty, bool *divides_by_zero);

// For check.c and diff.c: a result, an expression in words, a system with other expressions in the places of symbols
// (out may be s), and a verdict with what was put in.
void check_put(System *s, CheckReport *report, CheckResult r);
const char *check_shown(System *s, ExprId id);
bool check_substituted(System *s, System *out, const SymbolMap *map);
CheckResult check_said(System *s, CheckResult r, const char *with);

// Do two models mean the same motion? a must be over a scope; b stays as it is.
bool check_same(System *a, const System *b, CheckReport *report);

#endif
