// Dense linear systems: P A = L U by elimination with row pivoting, column by column; LAPACK for large ones.
#include "solve/linear.h"

#include <math.h>

// A factorization and eight solutions, as in a step of rodas, take OpenBLAS as long as the elimination below at n = 24
// and half as long at n = 64 (62 against 31 microseconds, bench/stiff.c). Loading it takes 6 to 10 ms, so below
// linear_lapack_size it seldom pays.

bool linear_init(Linear *l, Arena *arena, uint32_t n) {
  *l = (Linear){
      .n = n, .a = arena_array(arena, (size_t)n * n, sizeof(double)), .pivot = arena_array(arena, n, sizeof(int))};
  if (n >= linear_lapack_size) l->lapack = module_load();
  return l->a && l->pivot;
}

bool linear_factor(Linear *l) {
  uint32_t n = l->n;
  double *a = l->a;
  if (l->lapack) return l->lapack->factor((int)n, a, l->pivot) == 0;
  for (uint32_t j = 0; j < n; j++) {
    double *column = a + (size_t)j * n;
    uint32_t best = j;
    for (uint32_t i = j + 1; i < n; i++) {
      if (fabs(column[i]) > fabs(column[best])) best = i;
    }
    l->pivot[j] = (int)best;
    if (!(fabs(column[best]) > 0)) return false; // zero, or not a number
    double pivot = column[best];
    column[best] = column[j];
    column[j] = pivot;
    for (uint32_t i = j + 1; i < n; i++) column[i] /= pivot;
    for (uint32_t k = j + 1; k < n; k++) {
      double *other = a + (size_t)k * n, f = other[best];
      other[best] = other[j];
      other[j] = f;
      if (f == 0) continue;
      for (uint32_t i = j + 1; i < n; i++) other[i] -= f * column[i];
    }
  }
  // the rows of L left of each column are exchanged like the rest
  for (uint32_t j = 1; j < n; j++) {
    uint32_t best = (uint32_t)l->pivot[j];
    if (best == j) continue;
    for (uint32_t k = 0; k < j; k++) {
      double *column = a + (size_t)k * n, swap = column[j];
      column[j] = column[best];
      column[best] = swap;
    }
  }
  return true;
}

void linear_solve(const Linear *l, double *b) {
  uint32_t n = l->n;
  const double *a = l->a;
  if (l->lapack) {
    l->lapack->solve((int)n, a, l->pivot, b);
    return;
  }
  for (uint32_t j = 0; j < n; j++) {
    uint32_t best = (uint32_t)l->pivot[j];
    double swap = b[j];
    b[j] = b[best];
    b[best] = swap;
  }
  for (uint32_t j = 0; j < n; j++) {
    const double *column = a + (size_t)j * n;
    if (b[j] == 0) continue;
    for (uint32_t i = j + 1; i < n; i++) b[i] -= b[j] * column[i];
  }
  for (uint32_t j = n; j-- > 0;) {
    const double *column = a + (size_t)j * n;
    b[j] /= column[j];
    if (b[j] == 0) continue;
    for (uint32_t i = 0; i < j; i++) b[i] -= b[j] * column[i];
  }
}
