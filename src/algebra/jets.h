// Taylor coefficients of a solution modulo a prime, with their derivatives by unknown numbers (forward automatic
// differentiation).
//
// in    y' = f(y, t), M a + h = 0 for the accelerations of velocities among y, outputs; initial values and numbers at
//       which the solution is taken: residues modulo p = 2^61 - 1, random where they are unknown
// out   the coefficients of the outputs' Taylor series at the start, each with its derivatives by the unknowns
//
// how   Expressions become operations on series, which are evaluated order by order: the coefficients of y at order n
//       give those of f at order n, and these those of y at n + 1. A function w = g(u) obeys n w_n = sum of i u_i
//       d_(n-i), d the series of g'(u); its first coefficient is exact where the argument at the start is (exp(0) = 1),
//       else a random point, on the circle for sines and cosines, that obeys the rules of sums of arguments.
//       Derivatives are dual numbers beside every coefficient.
// why   Modulo a prime all is exact: what is not zero there is not zero, so a rank is proved.
#ifndef VIVA_ALGEBRA_JETS_H
#define VIVA_ALGEBRA_JETS_H

#include "expr/calculus.h"
#include "expr/pool.h"

static const uint32_t jets_none = UINT32_MAX;

// A number that is integrated.
typedef struct JetsComponent {
  SymbolId symbol;
  ExprId start;     // of parameters; 0: any number
  uint32_t unknown; // its start is this unknown; jets_none: known
  ExprId rate;      // 0: an acceleration
  uint32_t freedom; // of which freedom
} JetsComponent;

typedef struct JetsParameter {
  SymbolId symbol;
  uint32_t unknown;
} JetsParameter;

typedef struct JetsMotion {
  ExprPool *pool;
  const JetsComponent *components;
  uint32_t count;
  const ExprId *M, *h; // of the freedoms, M row by row
  const SymbolId *accelerations;
  uint32_t freedoms;
  const ExprId *outputs;
  uint32_t output_count;
  const JetsParameter *parameters; // unknown ones; all others are put in as numbers
  uint32_t parameter_count;
  SymbolId time;
  ExprId from; // start time; 0: anywhere
} JetsMotion;

typedef enum JetsStatus {
  jets_done,
  jets_refused, // *why
  jets_bad_point,
  jets_no_memory
} JetsStatus;

// Derivatives of the coefficients 0 .. orders - 1 of all outputs, one row each of `unknowns` residues: out is
// orders * output_count rows. The value of unknown k is jets_value(seed, k).
JetsStatus jets_slopes(Arena *arena, const JetsMotion *m, uint32_t unknowns, uint32_t orders, uint64_t seed,
                       uint64_t *out, const char **why);
uint64_t jets_value(uint64_t seed, uint32_t unknown);

#endif
