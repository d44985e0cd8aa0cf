// Vectors of small rational numbers: the weights of scalings, and the exponents of the products that these leave alone.
//
// A scaling p_k -> p_k lambda^w_k leaves the product of p_k^e_k alone where w.e = 0. All vectors have `count` numbers.
#ifndef VIVA_ALGEBRA_EXPONENTS_H
#define VIVA_ALGEBRA_EXPONENTS_H

#include "expr/rational.h"

// Whole numbers without a common factor in the first `count` entries; the entries behind them, up to `columns`,
// are scaled alike.
void exponents_primitive(Arena *arena, Rat *v, uint32_t count, uint32_t columns);
// What the vectors leave alone: a basis of the e with v.e = 0 for all v. Returns how many; those without small numbers
// are left out.
uint32_t exponents_complement(Arena *arena, Rat *const *v, uint32_t vectors, uint32_t count, Rat **out);
// Whole exponents, more of them positive than negative.
void exponents_whole(Arena *arena, Rat *e, uint32_t count);
// The same of all vectors, replaced by shorter combinations of them: m*l^2 and m*g^2 become m*l^2 and m*g*l.
void exponents_shorten(Arena *arena, Rat *e, uint32_t vectors, uint32_t count);
// Replaces them by sums and differences of these, where they are shorter: P*a/C and C*T/P become P*a/C and a*T.
void exponents_reduce(Arena *arena, Rat *e, uint32_t vectors, uint32_t count);

#endif
