// All complex solutions of a square polynomial system, by total-degree homotopy continuation.
//
//   H(x, t) = gamma (1 - t) (x_i^d_i - r_i x_0^d_i) + t F_i(x),   a.x = 1
//
// in    polynomials (polynomial.h), as many as variables; a seed for gamma, r and a
// out   where each path ends: a regular solution, infinity, or neither
// how   Total degree: as many paths as the product of the degrees. Homogeneous coordinates on a random patch, so that
//       paths to infinity are finite curves that end at x_0 = 0. Steps by Runge and Kutta, corrected by Newton's
//       method. Paths that end in one regular solution together are followed once more with smaller steps.
//
// Notation: x_0 the homogenizing coordinate, last here; n variables, n + 1 coordinates.
#ifndef VIVA_POSITIONS_HOMOTOPY_H
#define VIVA_POSITIONS_HOMOTOPY_H

#include "positions/polynomial.h"

#include <complex.h>

typedef enum PathEnd {
  path_finite,   // a regular solution
  path_infinite, // at infinity
  path_lost      // neither could be shown
} PathEnd;

typedef struct Homotopy {
  uint32_t n;
  uint64_t paths, finite, infinite, lost;
  uint32_t count;            // of different finite solutions
  double complex *solutions; // count rows of n
  double complex *lost_ends; // `lost` rows of n: about where these were
  bool interrupted;
} Homotopy;

// bound: polynomial_bound. False: out of memory.
bool homotopy_solve(Homotopy *h, const PolynomialSystem *x, uint64_t seed, bool (*interrupted)(void *self), void *self);

#endif
