// Routh-Hurwitz problem: eigenvalues of a rational matrix in the half planes, counted in exact arithmetic.
#ifndef VIVA_LINEAR_HURWITZ_H
#define VIVA_LINEAR_HURWITZ_H

#include "expr/rational.h"

typedef struct HalfPlanes {
  uint32_t left, right; // of the imaginary axis, with their multiplicities
  uint32_t axis;        // on it, but for zero
  uint32_t zero;
  uint32_t undecided;        // their side is within rounding; none where it is decided exactly
  const Rat *characteristic; // coefficients of det(s - a), the lowest first: n + 1 of them
} HalfPlanes;

enum { hurwitz_most = 24 }; // size of a matrix

// a: n * n, row by row. False: too large, or out of memory.
bool hurwitz_count(Arena *arena, const Rat *a, uint32_t n, HalfPlanes *out);
// An eigenvalue that is not zero to nearly all digits of both its parts, by Newton's method from near it. The
// polynomial is evaluated exactly.
typedef struct RootFinder {
  Rat *c; // square-free: the roots are simple
  int degree;
  uint32_t distinct; // eigenvalues, with zero
} RootFinder;

// False: numbers grow too large, or out of memory.
bool roots_open(RootFinder *f, Arena *arena, const HalfPlanes *planes, uint32_t n);
// *bound: how far the root may be, before and after. False: it does not lead to a root within the bound;
// nothing is changed.
bool roots_refine(const RootFinder *f, Arena *arena, double *re, double *im, double *bound);

// A basis of the vectors with a v = 0, in echelon form: *count vectors of n numbers. NULL: numbers grow too large.
Rat *hurwitz_kernel(Arena *arena, const Rat *a, uint32_t n, uint32_t *count);

#endif
