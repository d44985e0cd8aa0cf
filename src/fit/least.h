// Linear least squares for a few unknowns: triangular factors, singular values, covariance.
//
// Notation: J is rows x k, J = Q R; R is upper triangular, row by row, k x k.
#ifndef VIVA_FIT_LEAST_H
#define VIVA_FIT_LEAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Householder: a (rows x k, row by row, overwritten) and r (rows, overwritten by Q'r) give R. rows >= 1.
void least_reduce(double *a, double *r, size_t rows, uint32_t k, double *R);
// w (rows) becomes Q'w; a: as least_reduce left it.
void least_rotate(const double *a, size_t rows, uint32_t k, double *w);
// x minimizes |R x + q|^2 + |d x|^2 over the unknowns with free[i]; the others are 0.
// room: k*(3k + 2) doubles.
void least_damped(const double *R, const double *q, const double *d, const bool *free, uint32_t k, double *x,
                  double *room);
// Singular values, largest first, and right singular vectors (column j of v, row by row) of R. room: k*k doubles, or R
// itself, which is then overwritten.
void least_singular(const double *R, uint32_t k, double *values, double *v, double *room);

// Combinations that R sees: singular values of its columns brought to length 1. room: k*(2k + 2) doubles, of which
// the first k*k are the directions (column by column in a matrix row by row), the next k the singular values, the
// next k the lengths of the columns.
uint32_t least_rank(const double *R, uint32_t k, double *room);

// R and Q'r of rows that come one after the other: blocks of them are reduced below the R so far.
enum { least_block = 4096 }; // rows, where there is only one sum
typedef struct LeastSums {
  uint32_t k, block, filled; // rows of the block, and how many of them are there
  bool begun;                // its first k rows are R, r those of Q'r
  double *a, *r;             // the block
  double *R, *q;             // of all rows, once it is finished; q: k numbers
  double cost;               // sum of r^2
} LeastSums;
static inline size_t least_sums_room(uint32_t k, uint32_t block) {
  return ((size_t)block + 2 * (size_t)k + 2) * (k + 1);
}
void least_sums_init(LeastSums *s, uint32_t k, uint32_t block, double *room);
void least_sums_clear(LeastSums *s);
void least_sums_add(LeastSums *s, double r, const double *slopes);
void least_sums_finish(LeastSums *s);

#endif
