// Solutions of least norm of small dense linear systems, also rank-deficient ones.
#ifndef VIVA_NUMERICS_LEAST_NORM_H
#define VIVA_NUMERICS_LEAST_NORM_H

#include <stddef.h>
#include <stdint.h>

// A matrix of n by n, factored in place. All arrays belong to the caller.
typedef struct LeastNorm {
  uint32_t n, rank;
  double *a;              // n*n, row by row: the matrix, then its factors
  double *room;           // n*n + 2n
  uint32_t *row, *column; // n each: which row and column stand where
} LeastNorm;

enum { least_norm_indices = 2 };                                                              // times n
static inline size_t least_norm_numbers(uint32_t n) { return (size_t)n * n + 2 * (size_t)n; } // of `room`

void least_norm_factor(LeastNorm *f);
// A x = b. Where A is singular and b within its range: the x of least norm. b stays.
void least_norm_solve(LeastNorm *f, const double *b, double *x);
// How far each x may be off if each b is off by so much. x: room for n numbers, unit: for n that are zero, and zero
// again.
void least_norm_bounds(LeastNorm *f, const double *off, double *bound, double *x, double *unit);

#endif
