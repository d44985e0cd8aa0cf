// Elimination with the largest pivot of all that is left; rows and columns are scaled by their diagonal entries first,
// so that what is small does not depend on units. Where pivots vanish, the directions that change nothing are made
// orthogonal, and what lies dot them is taken out of the solution.
#include "numerics/least_norm.h"

#include <math.h>
#include <string.h>

static const double rank_slack = 1e-11; // a pivot this much smaller than the first is rounding

static void swap(double *a, double *b) {
  double c = *a;
  *a = *b;
  *b = c;
}

// The largest entry from row and column k on comes to (k, k).
static double pivot(uint32_t n, double *a, double *b, uint32_t *column, uint32_t k) {
  uint32_t p = k, q = k;
  for (uint32_t i = k; i < n; i++) {
    for (uint32_t j = k; j < n; j++) {
      if (fabs(a[(size_t)i * n + j]) > fabs(a[(size_t)p * n + q])) p = i, q = j;
    }
  }
  for (uint32_t j = 0; j < n && p != k; j++) swap(&a[(size_t)k * n + j], &a[(size_t)p * n + j]);
  if (p != k) swap(&b[k], &b[p]);
  for (uint32_t i = 0; i < n && q != k; i++) swap(&a[(size_t)i * n + k], &a[(size_t)i * n + q]);
  uint32_t c = column[k];
  column[k] = column[q];
  column[q] = c;
  return fabs(a[(size_t)k * n + k]);
}

// Takes away from x what lies dot the directions that change nothing: x has the least norm then. N: room for them.
static void shorten(uint32_t n, uint32_t rank, const double *a, const uint32_t *column, const double *scale, double *x,
                    double *N) {
  for (uint32_t k = rank; k < n; k++) {
    double *v = N + (size_t)(k - rank) * n, norm = 0, dot = 0;
    memset(v, 0, n * sizeof *v);
    v[column[k]] = 1;
    for (uint32_t i = rank; i-- > 0;) {
      double sum = a[(size_t)i * n + k];
      for (uint32_t j = i + 1; j < rank; j++) sum += a[(size_t)i * n + j] * v[column[j]];
      v[column[i]] = -sum / a[(size_t)i * n + i];
    }
    for (uint32_t i = 0; i < n; i++) v[i] *= scale[i];
    for (uint32_t l = 0; l < k - rank; l++) {
      const double *u = N + (size_t)l * n;
      double both = 0;
      for (uint32_t i = 0; i < n; i++) both += u[i] * v[i];
      for (uint32_t i = 0; i < n; i++) v[i] -= both * u[i];
    }
    for (uint32_t i = 0; i < n; i++) norm += v[i] * v[i];
    norm = sqrt(norm);
    for (uint32_t i = 0; i < n; i++) dot += (v[i] = v[i] / norm) * x[i];
    for (uint32_t i = 0; i < n; i++) x[i] -= dot * v[i];
  }
}

uint32_t least_norm(uint32_t n, double *a, double *b, double *x, uint32_t *column, double *room) {
  double *scale = room, *u = room + n;
  for (uint32_t i = 0; i < n; i++) {
    double own = fabs(a[(size_t)i * n + i]);
    scale[i] = own > 0 ? 1 / sqrt(own) : 1;
    column[i] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    b[i] *= scale[i];
    for (uint32_t j = 0; j < n; j++) a[(size_t)i * n + j] *= scale[i] * scale[j];
  }
  uint32_t rank = 0;
  for (double first = 0; rank < n; rank++) {
    uint32_t k = rank;
    double size = pivot(n, a, b, column, k);
    if (k == 0) first = size;
    if (!(size > rank_slack * first)) break;
    for (uint32_t i = k + 1; i < n; i++) {
      double l = a[(size_t)i * n + k] / a[(size_t)k * n + k];
      for (uint32_t j = k; l != 0 && j < n; j++) a[(size_t)i * n + j] -= l * a[(size_t)k * n + j];
      b[i] -= l * b[k];
    }
  }
  memset(u, 0, n * sizeof *u);
  for (uint32_t k = rank; k-- > 0;) {
    double sum = b[k];
    for (uint32_t j = k + 1; j < rank; j++) sum -= a[(size_t)k * n + j] * u[column[j]];
    u[column[k]] = sum / a[(size_t)k * n + k];
  }
  for (uint32_t i = 0; i < n; i++) x[i] = scale[i] * u[i];
  if (rank < n) shorten(n, rank, a, column, scale, x, room + 2 * (size_t)n);
  return rank;
}
