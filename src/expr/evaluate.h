// Expressions at a point, exactly or enclosed in balls: what a counterexample is made of.
//
// A point gives every symbol a small rational number. Where angles occur in sines and cosines only, they are given by
// rational points of the unit circle instead, and all values are rational. Otherwise values are balls of Arb, narrow
// enough to tell a sign.
#ifndef VIVA_EXPR_EVALUATE_H
#define VIVA_EXPR_EVALUATE_H

#include "expr/exact.h"
#include "expr/pool.h"

typedef struct Num {
  Rat r;   // of an exact point
  Ball *b; // else
} Num;

typedef struct PointSymbol {
  SymbolId symbol;
  bool circle; // given by cos and sin of its part 1/den
  int64_t den;
  Num value, cos, sin;
  const char *text; // of the value, when it was chosen
} PointSymbol;

typedef struct Point {
  ExprPool *pool;
  Arena *arena;
  VEC(PointSymbol) symbols;
  bool exact;
  const BallApi *api;
  Balls *balls;
  uint32_t bits;
  const char *why; // not NULL: some function has no value here, or none that can be decided
  bool undefined;  // it has none
} Point;

// A point for all symbols below the roots. `attempt` numbers the points: 0, 1, 2, ... The same number gives the same
// point. False: out of memory, or the module of balls is not there (p->why).
bool point_open(Point *p, ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, uint32_t attempt,
                bool exact);
void point_close(Point *p);
// Can all roots have exact values at points of the unit circle?
bool point_can_be_exact(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count);

// Can this be without a value somewhere? Of roots, powers below zero, logarithms, and what they stand in.
bool expr_may_lack_value(ExprPool *pool, ExprId id);
// Have all roots a value at some point? 1 yes, 0 at none of many, -1 undecided (values that only a run has).
int points_with_values(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count);

// Values of the roots. False: one of them has none here.
bool point_eval(Point *p, const ExprId *roots, uint32_t count, Num *out);
void point_set(Point *p, SymbolId symbol, Num value); // a further symbol, or another value
PointSymbol *point_find(Point *p, SymbolId symbol);

// Arithmetic with the values of a point. A failure sets p->why.
Num num_of(Point *p, Rat r);
Num num_add(Point *p, Num a, Num b);
Num num_sub(Point *p, Num a, Num b);
Num num_mul(Point *p, Num a, Num b);
Num num_div(Point *p, Num a, Num b);
int num_sign(const Point *p, Num a); // -1, 0, 1; 2: not known
const char *num_text(const Point *p, Num a);

// Solves A x = b by elimination (both are overwritten); what is not determined gets small numbers. False: no pivot is
// certainly different from zero though one may be, or the equations contradict each other.
bool point_solve(Point *p, Num *A, Num *b, uint32_t n, Num *x);

#endif
