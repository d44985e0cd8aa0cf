// Linear systems as questions of design take them: without dead times; small things about matrices.
#ifndef VIVA_CONTROL_MATRIX_H
#define VIVA_CONTROL_MATRIX_H

#include "analyze/dense.h"

// x' = A x + B u, y = C x + D u; with a period x[k+1] = ...
typedef struct StateSpace {
  uint32_t n, m, p; // states, inputs, outputs
  double *A, *B, *C, *D;
  double period; // 0: continuous
} StateSpace;

// The same of a system without dead times; shares its matrices.
StateSpace space_of(const LinearSystem *s);
bool space_new(Arena *arena, uint32_t n, uint32_t m, uint32_t p, StateSpace *out); // all zero; false: out of memory

double *matrix_new(Arena *arena, uint32_t rows, uint32_t cols);              // all zero; NULL: out of memory
void matrix_transpose(uint32_t n, uint32_t m, const double *a, double *out); // of n * m
double matrix_largest(uint32_t count, const double *a);                      // of all |entries|

// G(s) = C (s - A)^-1 B + D, p * m. False: s is an eigenvalue, or out of memory.
bool space_response(Arena *arena, const StateSpace *s, Complex at, Complex *out);

#endif
