// Norms of a linear system: how large its output becomes.
//
//   H2      root of the integral of |G(iw)|^2 dw / 2 pi: the deviation that white noise of intensity 1 makes
//   Hinf    the largest singular value of G(iw) over all w: the largest gain of energy
#ifndef VIVA_CONTROL_NORMS_H
#define VIVA_CONTROL_NORMS_H

#include "control/matrix.h"

typedef struct Norms {
  bool stable;  // else both are infinite
  double h2;    // INFINITY: not stable, or the input goes straight through (continuous)
  double hinf;  // it is reached at `frequency`
  double above; // and proved to be less than this: the Hamiltonian matrix of this level has no eigenvalue on the axis
  double frequency; // rad/s; INFINITY: at the end
} Norms;

// False: something was not found, or out of memory.
bool norms_find(Arena *arena, const StateSpace *s, Norms *out);

// Frequencies w > 0 (and 0) at which i w may be an eigenvalue of a real matrix whose eigenvalues are symmetric to the
// axis, within bounds of rounding; ascending. False: not found, or out of memory.
bool axis_frequencies(Arena *arena, uint32_t n, const double *h, double *w, uint32_t *count);
// The largest singular value of G(iw), of a sampled system of G(exp(iwT)); w may be INFINITY. False: at a pole, or
// out of memory.
bool largest_gain(Arena *arena, const StateSpace *s, double w, double *gain);

#endif
