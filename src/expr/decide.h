// Equivalence of two expressions. Three answers, each with its proof or reason.
#ifndef VIVA_EXPR_DECIDE_H
#define VIVA_EXPR_DECIDE_H

#include "expr/evaluate.h"

typedef enum Verdict { verdict_equal, verdict_different, verdict_undecided } Verdict;

typedef struct WitnessValue {
  const char *name, *value;
} WitnessValue;

// A point where the two sides differ, and both values there.
typedef struct Witness {
  VEC(WitnessValue) point;
  const char *left, *right;
  bool exact; // rational numbers; else midpoints with radii
} Witness;

typedef struct Decision {
  Verdict verdict;
  Witness witness;      // of different
  const char *reason;   // of undecided
  bool divides_by_zero; // and this is the reason
} Decision;

// Equal: the difference is zero in the normal form, wherever both are defined, and that is somewhere. Different: they
// differ at the counterexample, where both are defined.
Decision decide_equal(ExprPool *pool, Arena *arena, ExprId left, ExprId right);
// The same, with further expressions that must have a value at the counterexample, and somewhere at all.
Decision decide_equal_where(ExprPool *pool, Arena *arena, ExprId left, ExprId right, const ExprId *parts,
                            uint32_t count);
// The proof alone: zero in the normal form.
Decision decide_zero(ExprPool *pool, Arena *arena, ExprId id);
// Is it identically zero? No, where a value modulo a large prime is not zero or no proof is found; yes only by a proof.
bool expr_vanishes(ExprPool *pool, Arena *arena, ExprId id);
const char *verdict_name(Verdict v);
// Of an equality: have all these a value somewhere? If not, there is nothing to be equal, and it becomes undecided.
bool decide_has_value(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, Decision *d);

// Keeps the point and both values as texts.
void witness_take(Witness *w, Point *p, Num left, Num right);

// A short form for reading: fractions cancelled, sines and cosines reduced. The expression itself when that fails.
ExprId expr_short(ExprPool *pool, Arena *arena, ExprId id);
// How long it would be on paper: nodes of the tree, counted on the graph, which can be very much smaller.
double expr_tree_size(ExprPool *pool, Arena *arena, ExprId id);

#endif
