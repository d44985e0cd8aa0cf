// Sparse linear systems A x = b: pattern, ordering, factors, solution.
//
// The matrix is stored column by column: entry k of column c, start[c] <= k < start[c + 1], stands in row[k]; no entry
// twice, in any order. The ordering (AMD, which keeps the factors sparse) is found once for a pattern; factors follow
// the values and nothing else, so the same values give the same bits. Memory grows with the factors, never with n * n.
//
//   general     P A Q = L U with pivoting, for which the diagonal is good enough within a tenth (KLU)
//   symmetric   P A P' = L D L' without pivoting, both triangles given: definite matrices, and those in which no
//               leading block vanishes. The signs of D count how many eigenvalues are negative (Sylvester).
//
// The work is done in the module (solve/module.h); what is behind it is factors.c.
#ifndef VIVA_SOLVE_SPARSE_H
#define VIVA_SOLVE_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum SparseKind { sparse_general, sparse_symmetric } SparseKind;
typedef enum SparseStatus { sparse_done, sparse_singular, sparse_no_memory } SparseStatus;
typedef struct Sparse Sparse;

// Owned by caller; the pattern is copied. NULL: the module is not there, or out of memory.
Sparse *sparse_new(uint32_t n, const uint32_t *start, const uint32_t *row, SparseKind kind);
// A symmetric matrix [H G; G' E] with H definite, of size `border`, and E small or zero: each of the rest is eliminated
// right behind the last of its neighbours in H, so that its pivot is -G' H^-1 G and not E. group: which of the first
// unknowns have the same neighbours, as numbers that rise from 0. backwards: where their order is kept, because it
// fills little, it is gone through from its end; the supports of a slender structure should be eliminated last.
Sparse *sparse_new_bordered(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border,
                            const uint32_t *group, bool backwards);
SparseStatus sparse_factor(Sparse *x, const double *values);
// In place, several right-hand sides one after another; after a factorization that was done.
void sparse_solve(const Sparse *x, double *b, uint32_t columns);
double sparse_work(const Sparse *x);                 // operations that a factorization takes, about
uint32_t sparse_negative(const Sparse *x);           // of a symmetric one: negative numbers in D
double sparse_least(const Sparse *x, uint32_t from); // the same: the least |d| of the unknowns from there on
void sparse_free(Sparse *x);                         // NULL is fine

#endif
