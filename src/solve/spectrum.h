// Eigenvalues and singular values of dense matrices, by LAPACK. Part of the module (solve/module.h).
#ifndef VIVA_SOLVE_SPECTRUM_H
#define VIVA_SOLVE_SPECTRUM_H

// Matrices stand column by column and are overwritten; work: room for spectrum_room(rows, columns) numbers. Not 0: it
// did not converge. Eigenvalues re + i im of a matrix of size n, and its eigenvectors v as LAPACK packs them: a real
// one is a column, a pair with im > 0 first is two columns, real and imaginary part. Entries that are 0 are taken as
// exactly 0: a matrix that a permutation makes block triangular has the eigenvalues of its blocks. bound: how far
// rounding may have moved each eigenvalue, by its condition in its block (LAPACK Users' Guide, 4.8). work:
// spectrum_eigen_room(n).
int spectrum_eigen(int n, double *a, double *re, double *im, double *v, double *bound, double *work);
// Singular values s, largest first; u (m * m) and vt (n * n) may both be NULL.
int spectrum_singular(int m, int n, double *a, double *s, double *u, double *vt, double *work);

// The smallest x with the smallest |A x - b|, for A of m rows and n columns; b has room for both and becomes x. What is
// below `part` of the largest counts as zero; *rank: of A then. pivot: n; work: spectrum_room(m, n).
int spectrum_least(int m, int n, double *a, double *b, double part, int *rank, int *pivot, double *work);
// Q' A Q = H, zero below the diagonal next to the main one, overwrites a; q: n * n. work:
// spectrum_hessenberg_room(n).
int spectrum_hessenberg(int n, double *a, double *q, double *work);

static inline int spectrum_room(int m, int n) {
  int most = m > n ? m : n;
  return 32 * most + 5 * most + 64;
}

static inline int spectrum_eigen_room(int n) { return spectrum_room(n, n) + 2 * n * n + 8 * n + 4; }
static inline int spectrum_hessenberg_room(int n) { return spectrum_room(n, n) + n; }

#endif
