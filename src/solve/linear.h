// Linear systems A x = b of one run, dense or sparse, by what is fastest: our own elimination (linear_body.h), LAPACK
// from linear_lapack_size on, sparse factors (sparse.h) where the matrix is large and sparse.
#ifndef VIVA_SOLVE_LINEAR_H
#define VIVA_SOLVE_LINEAR_H

#include "solve/linear_body.h"
#include "solve/module.h"
#include "solve/sparse.h"

typedef struct Linear {
  uint32_t n;
  size_t count;              // of the numbers in a
  double *a;                 // dense: n * n, column by column, factors after linear_factor; sparse: the entries
  Lu own;                    // our own elimination
  const SolveModule *lapack; // NULL: our own
  int *pivot;                // LAPACK's
  Sparse *sparse;            // NULL: dense
  bool no_memory;            // why the last factorization failed
  bool too_dense;            // why it was not made: larger than ode_most_dense, and not sparse
} Linear;

enum { linear_lapack_size = 64 }; // from here on by LAPACK, where it is there

bool linear_init(Linear *l, Arena *arena, uint32_t n); // dense; false: out of memory
// Of this pattern (as in sparse.h; rows beyond n are left out) and the diagonal. place[k]: the index in a of entry k;
// diagonal[c]: that of column c. False: out of memory, or too_dense.
bool linear_init_sparse(Linear *l, Arena *arena, uint32_t n, const uint32_t *start, const uint32_t *row, size_t *place,
                        size_t *diagonal);
bool linear_factor(Linear *l);           // false: singular, or out of memory
void linear_solve(Linear *l, double *b); // in place
void linear_clear(Linear *l);            // what is not in the arena

#endif
