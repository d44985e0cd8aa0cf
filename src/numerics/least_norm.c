// Gaussian elimination with complete pivoting and the solution of least norm: the pivot is the largest of all that is
// left; rows and columns are scaled by their diagonal entries first, so that what is small does not depend on units.
// Where pivots vanish, the directions that change nothing are made orthogonal, and what lies along them is taken out of
// the solution.
#include "numerics/least_norm.h"

#include <math.h>
#include <string.h>

// A pivot this much smaller than the first is rounding: entries are differences of what is computed.
static const double rank_slack = 0x1p-36;

static void swap(double *a, double *b) {
  double c = *a;
  *a = *b;
  *b = c;
}

static void swap_indices(uint32_t *list, uint32_t i, uint32_t j) {
  uint32_t c = list[i];
  list[i] = list[j];
  list[j] = c;
}

// The largest entry from row and column k on comes to (k, k).
static double pivot(LeastNorm *f, uint32_t k) {
  uint32_t n = f->n, p = k, q = k;
  double *a = f->a;
  for (uint32_t i = k; i < n; i++) {
    for (uint32_t j = k; j < n; j++) {
      if (fabs(a[(size_t)i * n + j]) > fabs(a[(size_t)p * n + q])) p = i, q = j;
    }
  }
  for (uint32_t j = 0; j < n && p != k; j++) swap(&a[(size_t)k * n + j], &a[(size_t)p * n + j]);
  for (uint32_t i = 0; i < n && q != k; i++) swap(&a[(size_t)i * n + k], &a[(size_t)i * n + q]);
  swap_indices(f->row, k, p);
  swap_indices(f->column, k, q);
  return fabs(a[(size_t)k * n + k]);
}

static double *scale_of(const LeastNorm *f) { return f->room; }
static double *unchanged(const LeastNorm *f, uint32_t k) { return f->room + (2 + (size_t)k) * f->n; }

// An orthogonal basis of the directions that change nothing.
static void find_unchanged(LeastNorm *f) {
  uint32_t n = f->n, rank = f->rank;
  const double *a = f->a;
  for (uint32_t k = rank; k < n; k++) {
    double *v = unchanged(f, k - rank), norm = 0;
    memset(v, 0, n * sizeof *v);
    v[f->column[k]] = 1;
    for (uint32_t i = rank; i-- > 0;) {
      double sum = a[(size_t)i * n + k];
      for (uint32_t j = i + 1; j < rank; j++) sum += a[(size_t)i * n + j] * v[f->column[j]];
      v[f->column[i]] = -sum / a[(size_t)i * n + i];
    }
    for (uint32_t i = 0; i < n; i++) v[i] *= scale_of(f)[i];
    for (uint32_t l = 0; l < k - rank; l++) {
      const double *u = unchanged(f, l);
      double both = 0;
      for (uint32_t i = 0; i < n; i++) both += u[i] * v[i];
      for (uint32_t i = 0; i < n; i++) v[i] -= both * u[i];
    }
    for (uint32_t i = 0; i < n; i++) norm += v[i] * v[i];
    norm = sqrt(norm);
    for (uint32_t i = 0; i < n; i++) v[i] /= norm;
  }
}

void least_norm_factor(LeastNorm *f) {
  uint32_t n = f->n;
  double *a = f->a, *scale = scale_of(f), first = 0;
  for (uint32_t i = 0; i < n; i++) {
    double own = fabs(a[(size_t)i * n + i]);
    scale[i] = own > 0 ? 1 / sqrt(own) : 1;
    f->row[i] = f->column[i] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) a[(size_t)i * n + j] *= scale[i] * scale[j];
  }
  for (f->rank = 0; f->rank < n; f->rank++) {
    uint32_t k = f->rank;
    double size = pivot(f, k);
    if (k == 0) first = size;
    if (!(size > rank_slack * first)) break;
    for (uint32_t i = k + 1; i < n; i++) {
      double l = a[(size_t)i * n + k] /= a[(size_t)k * n + k];
      for (uint32_t j = k + 1; l != 0 && j < n; j++) a[(size_t)i * n + j] -= l * a[(size_t)k * n + j];
    }
  }
  find_unchanged(f);
}

void least_norm_solve(LeastNorm *f, const double *b, double *x) {
  uint32_t n = f->n, rank = f->rank;
  const double *a = f->a, *scale = scale_of(f);
  double *u = f->room + n;
  for (uint32_t k = 0; k < rank; k++) {
    u[k] = b[f->row[k]] * scale[f->row[k]];
    for (uint32_t j = 0; j < k; j++) u[k] -= a[(size_t)k * n + j] * u[j];
  }
  for (uint32_t k = rank; k-- > 0;) {
    for (uint32_t j = k + 1; j < rank; j++) u[k] -= a[(size_t)k * n + j] * u[j];
    u[k] /= a[(size_t)k * n + k];
  }
  memset(x, 0, n * sizeof *x);
  for (uint32_t k = 0; k < rank; k++) x[f->column[k]] = scale[f->column[k]] * u[k];
  for (uint32_t l = 0; l < n - rank; l++) {
    const double *v = unchanged(f, l);
    double along = 0;
    for (uint32_t i = 0; i < n; i++) along += v[i] * x[i];
    for (uint32_t i = 0; i < n; i++) x[i] -= along * v[i];
  }
}

void least_norm_bounds(LeastNorm *f, const double *off, double *bound, double *x, double *unit) {
  memset(bound, 0, f->n * sizeof *bound);
  for (uint32_t k = 0; k < f->n; k++) {
    unit[k] = off[k];
    least_norm_solve(f, unit, x);
    unit[k] = 0;
    for (uint32_t i = 0; i < f->n; i++) bound[i] += fabs(x[i]);
  }
}
