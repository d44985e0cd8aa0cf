// Inside the normal form: what the search for generators and the conversion share.
#ifndef VIVA_EXPR_GENERATORS_H
#define VIVA_EXPR_GENERATORS_H

#include "expr/normal.h"

// Nodes that are converted one by one, children first: everything but what stands inside an opaque function or a
// function's argument. slot: the index of each in the list. NULL: out of memory.
const ExprId *normal_needed(Normal *n, const ExprId *roots, uint32_t count, uint32_t *length, uint32_t **slot);
// Work that is no product of polynomials. False: the budget is spent (n->why).
bool normal_charge(Normal *n, uint64_t work);
// Is there memory for a few copies of a polynomial, or its text? False: out of memory (n->why), or p is NULL.
bool normal_ask(Normal *n, const Poly *p);
// Terms of an angle or exponent that are expanded, each with its number in front. A long one counts as a single term.
uint32_t normal_argument_terms(const ExprPool *pool, ExprId argument);
Term normal_argument_term(ExprPool *pool, ExprId argument, uint32_t i);
bool normal_twelfths(Term t, int64_t *k);        // of pi: the angle is k*pi/12
Rat ring_number(Arena *arena, const char *text); // "-3/4" to a number

#endif
