// What is behind solve/sparse.h, in the module (solve/module.h): the same functions.
#ifndef VIVA_SOLVE_FACTORS_H
#define VIVA_SOLVE_FACTORS_H

#include "solve/sparse.h"

// How KLU is to pivot, here and in bdf. The diagonal is taken where it is at least a tenth of the largest entry: KLU's
// own 0.001 lost five digits of random systems of size 20. No permutation to a triangular form, which may put small
// entries onto the diagonal: of 3 I and a ring of ones it takes the ones, and errors grow by 3 from column to column.
#define FACTORS_PIVOT 0.1
#define FACTORS_BLOCK_FORM 0

typedef struct Factors Factors;

Factors *factors_new(uint32_t n, const uint32_t *start, const uint32_t *row, SparseKind kind); // NULL: out of memory
Factors *factors_new_bordered(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border,
                              const uint32_t *group, bool backwards);
SparseStatus factors_make(Factors *x, const double *values);
void factors_solve(const Factors *x, double *b, uint32_t columns);
double factors_work(const Factors *x);
uint32_t factors_negative(const Factors *x);
double factors_least(const Factors *x, uint32_t from);
void factors_free(Factors *x); // NULL is fine

#endif
