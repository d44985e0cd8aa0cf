// What is behind solve/sparse.h, in the module (solve/module.h): the same functions.
#ifndef VIVA_SOLVE_FACTORS_H
#define VIVA_SOLVE_FACTORS_H

#include "solve/sparse.h"

typedef struct Factors Factors;

Factors *factors_new(uint32_t n, const uint32_t *start, const uint32_t *row, SparseKind kind); // NULL: memory is out
SparseStatus factors_make(Factors *x, const double *values);
void factors_solve(const Factors *x, double *b, uint32_t columns);
double factors_work(const Factors *x);
uint32_t factors_negative(const Factors *x);
void factors_free(Factors *x); // NULL is fine

#endif
