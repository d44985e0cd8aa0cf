// Small dense matrices, row by row: products, solutions, exponentials; the response of a linear system.
#ifndef VIVA_CONTROL_MATRIX_H
#define VIVA_CONTROL_MATRIX_H

#include "base/arena.h"

#include <complex.h>

typedef double complex Complex;

// x' = A x + B u, y = C x + D u; with a period x[k+1] = ...
typedef struct StateSpace {
  uint32_t n, m, p; // states, inputs, outputs
  double *A, *B, *C, *D;
  double period; // 0: continuous
} StateSpace;

bool space_new(Arena *arena, uint32_t n, uint32_t m, uint32_t p, StateSpace *out); // all zero; false: memory is out

double *matrix_new(Arena *arena, uint32_t rows, uint32_t cols); // all zero; NULL: memory is out
// out = a b, of n * k and k * m
void matrix_product(uint32_t n, uint32_t k, uint32_t m, const double *a, const double *b, double *out);
void matrix_transpose(uint32_t n, uint32_t m, const double *a, double *out); // of n * m
double matrix_largest(uint32_t count, const double *a);                      // of all |entries|
// A X = B, several columns; both are overwritten, b becomes X. False: singular to working accuracy.
bool matrix_solve(uint32_t n, uint32_t columns, double *a, double *b);
// exp(A) by scaling and squaring with the Pade approximation of order 13 (Higham 2005). False: memory is out.
bool matrix_exp(Arena *arena, uint32_t n, const double *a, double *out);

// G(s) = C (s - A)^-1 B + D, p * m. False: s is an eigenvalue, or memory is out.
bool space_response(Arena *arena, const StateSpace *s, Complex at, Complex *out);

#endif
