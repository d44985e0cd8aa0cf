// Expressions evaluated modulo a large prime at random points: exact zero tests and ranks without any tolerance.
#ifndef VIVA_EXPR_MODULAR_H
#define VIVA_EXPR_MODULAR_H

#include "expr/pool.h"
#include "expr/prime.h"

// Values of the roots at a point that the seed chooses. Symbols are random; sines and cosines are rational points on
// the unit circle, with sums of angles by the addition theorems; square roots are roots; other functions are random,
// the same for the same argument. False: a division by zero happened at this point (or out of memory); try another
// seed.
bool expr_eval_mod(ExprPool *pool, const ExprId *roots, uint32_t count, uint64_t seed, uint64_t *out);

// Is all of it known to eval_mod: rational, with sines, cosines and square roots? Then a value that is not zero proves
// that the expression is not.
bool expr_is_rational(ExprPool *pool, ExprId id);
// The same with whole exponents that are not negative: nothing is divided by.
bool expr_is_polynomial(ExprPool *pool, ExprId id);

// Rank of a matrix of expressions at generic points: the largest one found at a few random points. pivots (may be NULL)
// gets `rank` indices of a principal minor that is not zero, when the matrix is symmetric and has one.
// -1: out of memory, or every point divided by zero.
int expr_rank(ExprPool *pool, const ExprId *m, uint32_t rows, uint32_t cols, uint32_t *pivots);
// The same of n sparse rows of n columns: row i has the entries start[i] .. start[i + 1] - 1, with ascending columns.
int expr_rank_sparse(ExprPool *pool, const ExprId *values, const uint32_t *start, const uint32_t *column, uint32_t n);

// Rank of [b, a b, a^2 b, ...] modulo the prime: a is n * n and b n * m, row by row, entries below the prime. -1:
// out of memory.
int modular_krylov_rank(Arena *arena, uint32_t n, uint32_t m, const uint64_t *a, const uint64_t *b);

// Which linear combinations of the columns of a table of expressions vanish in every row, with numbers as factors?
// Sampled at random points modulo the prime: candidates, which need their proof.
typedef struct ModularRelations {
  uint32_t columns, rank;
  uint64_t *rows; // reduced
  uint32_t *pivot;
} ModularRelations;

bool relations_open(ModularRelations *r, Arena *arena, uint32_t columns); // false: out of memory
bool relations_add(ModularRelations *r, uint64_t *row); // true: it was a new one; the row is overwritten
// Samples a table of `rows` by `columns` until nothing new comes. False: no point had values, or out of memory.
bool relations_sample(ModularRelations *r, ExprPool *pool, Arena *arena, const ExprId *table, uint32_t rows);
// The vectors that solve all rows, `columns` numbers each, in reduced form; those without small numbers are left out.
typedef enum RelationNumbers { relation_small, relation_wide } RelationNumbers; // what people write; what algebra makes
uint32_t relations_solve(const ModularRelations *r, Arena *arena, RelationNumbers numbers, Rat **out);

#endif
