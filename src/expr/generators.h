// Inside the normal form: what gathering and converting share.
#ifndef VIVA_EXPR_GENERATORS_H
#define VIVA_EXPR_GENERATORS_H

#include "expr/normal.h"

// Nodes that are converted one by one; list is children first, slot the place of a node in it.
uint8_t *normal_needed(Normal *n, const ExprId *roots, uint32_t count, const ExprId *list, uint32_t length, const uint32_t *slot);
// Terms of an angle or exponent that are expanded, each with its number in front. A long one counts as a single term.
uint32_t argument_terms(const ExprPool *pool, ExprId argument);
Term argument_term(ExprPool *pool, ExprId argument, uint32_t i);
bool twelfths(Term t, int64_t *k); // of pi: the angle is k*pi/12
Rat ring_number(Arena *arena, const char *text); // "-3/4" to a number

#endif
