// Expressions evaluated modulo a large prime at random points: exact zero tests and ranks without any tolerance.
#ifndef VIVA_EXPR_MODULAR_H
#define VIVA_EXPR_MODULAR_H

#include "expr/pool.h"

#define MODULAR_PRIME ((uint64_t)2305843009213693951) // 2^61 - 1

// Values of the roots at a point that the seed chooses. Symbols are random; sines and cosines are rational points on the
// circle, with sums of angles by the addition theorems; square roots are roots; other functions are random, the same for the same argument.
// False: a division by zero happened at this point (or memory is out); try another seed.
bool expr_eval_mod(ExprPool *pool, const ExprId *roots, uint32_t count, uint64_t seed, uint64_t *out);

// Rank of a matrix of expressions at generic points: the largest one found at a few random points. pivots (may be NULL)
// gets `rank` indices of a principal minor that is not zero, when the matrix is symmetric and has one.
// -1: memory is out, or every point divided by zero.
int expr_rank(ExprPool *pool, const ExprId *m, uint32_t rows, uint32_t cols, uint32_t *pivots);

#endif
