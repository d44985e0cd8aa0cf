// Small dense matrices: complex systems, exponentials, eigenvalues. All row by row.
#ifndef VIVA_ANALYZE_DENSE_H
#define VIVA_ANALYZE_DENSE_H

#include "analyze/system.h"
#include "solve/module.h"

// out = a b, with a of n x m and b of m x p
void dense_multiply(uint32_t n, uint32_t m, uint32_t p, const double *a, const double *b, double *out);
double dense_norm(size_t count, const double *a); // of all entries, by squares

// a = P L U in place. False: singular.
bool complex_factor(uint32_t n, Complex *a, uint32_t *pivot);
void complex_solve(uint32_t n, const Complex *a, const uint32_t *pivot, Complex *b); // in place
// Solves a x = b for several columns (b: n x columns, in place); a is overwritten. False: singular.
bool dense_solve(uint32_t n, uint32_t columns, double *a, double *b);

// The same for m = 1 - M with M >= 0 and b >= 0: what comes out is >= 0. False: the spectral radius of M is not
// below 1.
bool dense_solve_positive(uint32_t n, uint32_t columns, double *m, double *b);

// e^(a t). False: out of memory.
bool dense_exponential(Arena *arena, uint32_t n, const double *a, double t, double *out);

// All eigenvalues, the largest real part first, of a pair the one with im > 0 first. bound: how far rounding may have
// moved each; may be NULL.
typedef enum DenseStatus { dense_done, dense_failed, dense_no_memory } DenseStatus;
DenseStatus dense_eigenvalues(Arena *arena, const SolveModule *module, uint32_t n, const double *a, Complex *out,
                              double *bound);
// In this order. False: out of memory.
bool dense_sort(Arena *arena, uint32_t n, Complex *values, double *bound);

#endif
