// Where the eigenvalues of a rational matrix lie, decided without rounding.
#ifndef VIVA_STUDY_HURWITZ_H
#define VIVA_STUDY_HURWITZ_H

#include "expr/rational.h"

typedef struct HalfPlanes {
  uint32_t left, right; // of the imaginary axis, with their multiplicities
  uint32_t axis;        // on it, but for zero
  uint32_t zero;
} HalfPlanes;

enum { hurwitz_most = 24 }; // size of a matrix

// a: n * n, row by row. False: too large, or memory is out.
bool hurwitz_count(Arena *arena, const Rat *a, uint32_t n, HalfPlanes *out);
// A basis of the vectors with a v = 0, in echelon form: *count vectors of n numbers. NULL: numbers grow too large.
Rat *hurwitz_kernel(Arena *arena, const Rat *a, uint32_t n, uint32_t *count);

#endif
