// Ordered Schur forms, and the Lyapunov and Riccati equations that they solve. By LAPACK; part of the module
// (solve/module.h).
#ifndef VIVA_SOLVE_SCHUR_H
#define VIVA_SOLVE_SCHUR_H

#include <stdbool.h>

// Matrices stand column by column. Not 0: it did not converge, or the request cannot be met.

// A = Q T Q' overwrites a; eigenvalues re + i im. circle: first those inside the unit circle, else those left of the
// imaginary axis; *count: how many. work: schur_room(n).
int schur_ordered(int n, bool circle, double *a, double *q, double *re, double *im, int *count, double *work);
// The same of a pencil A - lambda B, with A Z = Q S and B Z = Q T; z: right vectors, those inside the unit circle
// first.
int schur_pencil(int n, double *a, double *b, double *z, int *count, double *work);
// A X + X A' = C overwrites c, for A = Q T Q' as schur_ordered gives it; discrete: A X A' - X = C. The equation has no
// single solution where two eigenvalues add to 0 (multiply to 1): not 0.
int schur_lyapunov(int n, bool discrete, const double *t, const double *q, double *c, double *work);

static inline int schur_room(int n) { return 8 * n * n + 80 * n + 64; }

#endif
