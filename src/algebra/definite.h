// Signs of expressions, and whether symmetric matrices of them are positive semidefinite: decided where rules can, with
// the signs of parameters that were assumed.
#ifndef VIVA_ALGEBRA_DEFINITE_H
#define VIVA_ALGEBRA_DEFINITE_H

#include "system/system.h"

// Which signs a value may have.
enum { sign_minus = 1, sign_zero = 2, sign_plus = 4, sign_any = 7 };
typedef unsigned SignSet;

// What was taken for granted: of a parameter or of an expression of parameters.
typedef struct Assumed {
  ExprId value;
  SignSet sign;
} Assumed;

typedef struct Signs {
  System *s;
  VEC(Assumed) assumed;
  bool *known, *given; // by parameter
  SignSet *sign;
  SymbolId positive; // counts as positive: the variable of an integral; 0: none
} Signs;

bool signs_open(Signs *g, System *s); // false: out of memory
SignSet signs_of(Signs *g, ExprId id);
const char *signs_assumed(const Signs *g, uint32_t i); // "R > 0"

typedef enum Definite { definite_yes, definite_no, definite_undecided } Definite;

// A sum of squares: pivot * (e_i + sum_j factors_j e_j)^2, one for each pivot.
typedef struct SquareTerm {
  uint32_t i;
  ExprId pivot;
  ExprId *factors; // n
} SquareTerm;

typedef struct Semidefinite {
  Definite verdict;
  uint32_t row, column; // of no: the entry that shows it
  ExprId entry;         // what stands there, other rows taken off
  ExprId *direction;    // of no: e with e' A e < 0, n
  VEC(SquareTerm) squares;
  uint32_t strict; // pivots that are certainly positive
} Semidefinite;

// Of a symmetric matrix n * n.
bool semidefinite_find(Signs *g, const ExprId *matrix, uint32_t n, Semidefinite *out); // false: out of memory

#endif
