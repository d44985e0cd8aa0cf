// Zeros and gain of a path, and its minimal realization.
#ifndef VIVA_ANALYZE_ZEROS_H
#define VIVA_ANALYZE_ZEROS_H

#include "analyze/dense.h"

// States in units that make rows and columns of [A, B; C, 0] alike: powers of two, so nothing is rounded.
bool zeros_balance(const LinearSystem *s, Arena *arena, LinearSystem *out);

// G(s) = gain (s - z1) ... / (s - p1) ..., over all eigenvalues of A as poles: a mode that the path does not see, or
// that nothing moves, is a zero as well.
typedef struct Zeros {
  uint32_t count;
  Complex *values; // the largest real part first
  double *bound;   // how far rounding may have moved each
  double gain;     // 0: the path is zero, whatever the input does
  uint32_t excess; // poles over zeros: the relative degree
} Zeros;
DenseStatus zeros_find(Arena *arena, const SolveModule *module, const LinearSystem *path, Zeros *out);

// What is both reached from the input and seen by the output, by orthogonal steps. Delay channels count as inputs and
// outputs, too. False: out of memory.
bool zeros_minimal(Arena *arena, const LinearSystem *s, LinearSystem *out);

#endif
