// Sparse complex systems, in the module (solve/module.h): factors by KLU of a matrix in the form of sparse.h, whose
// values are pairs (real, imaginary).
#ifndef VIVA_SOLVE_COMPLEX_FACTORS_H
#define VIVA_SOLVE_COMPLEX_FACTORS_H

#include "solve/sparse.h"

typedef struct ComplexFactors ComplexFactors;

ComplexFactors *complex_factors_new(uint32_t n, const uint32_t *start, const uint32_t *row); // NULL: out of memory
SparseStatus complex_factors_make(ComplexFactors *x, const double *values);
void complex_factors_solve(ComplexFactors *x, double *b, bool transposed); // in place; n pairs
void complex_factors_free(ComplexFactors *x);                              // NULL is fine

#endif
