// Least squares. See least.h.
#include "fit/least.h"

#include <math.h>
#include <string.h>

void least_reduce(double *a, double *r, size_t rows, uint32_t k, double *R) {
  memset(R, 0, (size_t)k * k * sizeof *R);
  for (uint32_t j = 0; j < k && j < rows; j++) {
    // the reflection that takes column j below the diagonal to zero
    double scale = 0, sum = 0;
    for (size_t i = j; i < rows; i++) scale = fmax(scale, fabs(a[i * k + j]));
    if (scale > 0) {
      for (size_t i = j; i < rows; i++) sum += (a[i * k + j] / scale) * (a[i * k + j] / scale);
      double norm = scale * sqrt(sum), head = a[j * k + j], alpha = head > 0 ? -norm : norm, pivot = head - alpha;
      double beta = -1 / (alpha * pivot); // 2 / |v|^2 of v = (pivot, a below)
      a[j * k + j] = pivot;
      for (uint32_t c = j + 1; c <= k; c++) {
        double dot = 0;
        for (size_t i = j; i < rows; i++) dot += a[i * k + j] * (c < k ? a[i * k + c] : r[i]);
        dot *= beta;
        for (size_t i = j; i < rows; i++) {
          if (c < k) a[i * k + c] -= dot * a[i * k + j];
          else r[i] -= dot * a[i * k + j];
        }
      }
      R[j * k + j] = alpha;
    }
    for (uint32_t c = j + 1; c < k; c++) R[j * k + c] = a[j * k + c];
  }
}

void least_rotate(const double *a, size_t rows, uint32_t k, double *w) {
  for (uint32_t j = 0; j < k && j < rows; j++) {
    double scale = 0, square = 0, dot = 0;
    for (size_t i = j; i < rows; i++) scale = fmax(scale, fabs(a[i * k + j]));
    if (!(scale > 0)) continue;
    for (size_t i = j; i < rows; i++) {
      double v = a[i * k + j] / scale;
      square += v * v;
      dot += v * w[i];
    }
    for (size_t i = j; i < rows; i++) w[i] -= 2 * dot / square * (a[i * k + j] / scale);
  }
}

void least_damped(const double *R, const double *q, const double *d, const bool *free, uint32_t k, double *x,
                  double *room) {
  uint32_t n = 0;
  for (uint32_t j = 0; j < k; j++) n += free[j];
  memset(x, 0, k * sizeof *x);
  if (!n) return;
  // columns of free unknowns, with the damping below
  double *a = room, *r = a + 2 * (size_t)k * n, *small = r + 2 * (size_t)k;
  memset(a, 0, 2 * (size_t)k * n * sizeof *a);
  for (uint32_t j = 0, c = 0; j < k; j++) {
    if (!free[j]) continue;
    for (uint32_t i = 0; i < k; i++) a[(size_t)i * n + c] = R[(size_t)i * k + j];
    a[(size_t)(k + j) * n + c++] = d[j];
  }
  for (uint32_t i = 0; i < 2 * k; i++) r[i] = i < k ? -q[i] : 0;
  least_reduce(a, r, 2 * (size_t)k, n, small);
  for (uint32_t j = n; j-- > 0;) {
    for (uint32_t c = j + 1; c < n; c++) r[j] -= small[(size_t)j * n + c] * r[c];
    r[j] = small[(size_t)j * n + j] != 0 ? r[j] / small[(size_t)j * n + j] : 0;
  }
  for (uint32_t j = 0, c = 0; j < k; j++) {
    if (free[j]) x[j] = r[c++];
  }
}

// One-sided Jacobi: columns of a become orthogonal.
static double turn(double *a, double *v, uint32_t k, uint32_t p, uint32_t q) {
  double alpha = 0, beta = 0, gamma = 0;
  for (uint32_t i = 0; i < k; i++) {
    alpha += a[i * k + p] * a[i * k + p];
    beta += a[i * k + q] * a[i * k + q];
    gamma += a[i * k + p] * a[i * k + q];
  }
  double size = sqrt(alpha * beta);
  if (gamma == 0 || !(fabs(gamma) > 1e-16 * size)) return 0;
  double zeta = (beta - alpha) / (2 * gamma), t = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + hypot(1, zeta)),
         c = 1 / hypot(1, t), s = c * t;
  for (uint32_t i = 0; i < k; i++) {
    double x = a[i * k + p], y = a[i * k + q], m = v[i * k + p], n = v[i * k + q];
    a[i * k + p] = c * x - s * y;
    a[i * k + q] = s * x + c * y;
    v[i * k + p] = c * m - s * n;
    v[i * k + q] = s * m + c * n;
  }
  return size > 0 ? fabs(gamma) / size : 0;
}

void least_singular(const double *R, uint32_t k, double *values, double *v, double *room) {
  double *a = room;
  if (a != R) memcpy(a, R, (size_t)k * k * sizeof *a);
  memset(v, 0, (size_t)k * k * sizeof *v);
  for (uint32_t i = 0; i < k; i++) v[(size_t)i * k + i] = 1;
  for (int sweep = 0; sweep < 60; sweep++) {
    double worst = 0;
    for (uint32_t p = 0; p < k; p++) {
      for (uint32_t q = p + 1; q < k; q++) worst = fmax(worst, turn(a, v, k, p, q));
    }
    if (worst < 1e-15) break;
  }
  for (uint32_t j = 0; j < k; j++) {
    values[j] = 0;
    for (uint32_t i = 0; i < k; i++) values[j] = hypot(values[j], a[(size_t)i * k + j]);
  }
  // largest first
  for (uint32_t j = 0; j < k; j++) {
    uint32_t best = j;
    for (uint32_t c = j + 1; c < k; c++) best = values[c] > values[best] ? c : best;
    double swap = values[j];
    values[j] = values[best];
    values[best] = swap;
    for (uint32_t i = 0; best != j && i < k; i++) {
      swap = v[(size_t)i * k + j];
      v[(size_t)i * k + j] = v[(size_t)i * k + best];
      v[(size_t)i * k + best] = swap;
    }
  }
}

static const double weak = 1e-7; // singular values, columns being of length 1: below, they are rounding error

uint32_t least_rank(const double *R, uint32_t k, double *room) {
  double *v = room, *values = v + (size_t)k * k, *length = values + k, *unit = length + k;
  uint32_t rank = 0;
  for (uint32_t j = 0; j < k; j++) {
    length[j] = 0;
    for (uint32_t i = 0; i <= j; i++) length[j] = hypot(length[j], R[(size_t)i * k + j]);
  }
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++)
      unit[(size_t)i * k + j] = length[j] > 0 && j >= i ? R[(size_t)i * k + j] / length[j] : 0;
  }
  least_singular(unit, k, values, v, unit);
  while (rank < k && values[rank] > weak) rank++;
  return rank;
}

// ---- rows that come one after the other

void least_sums_init(LeastSums *s, uint32_t k, uint32_t block, double *room) {
  size_t rows = (size_t)block + k;
  *s = (LeastSums){.k = k, .block = block, .a = room, .r = room + rows * k};
  s->R = s->r + rows;
  s->q = s->R + (size_t)k * k;
}

void least_sums_clear(LeastSums *s) {
  s->filled = 0;
  s->begun = false;
  s->cost = 0;
  memset(s->R, 0, (size_t)s->k * s->k * sizeof *s->R);
  memset(s->q, 0, s->k * sizeof *s->q);
}

static void reduce_block(LeastSums *s) {
  uint32_t k = s->k;
  for (uint32_t i = s->filled; i < k; i++) { // fewer rows than unknowns
    memset(s->a + (size_t)i * k, 0, k * sizeof *s->a);
    s->r[i] = 0;
  }
  least_reduce(s->a, s->r, s->filled > k ? s->filled : k, k, s->R);
  memcpy(s->q, s->r, k * sizeof *s->q);
}

void least_sums_add(LeastSums *s, double r, const double *slopes) {
  uint32_t k = s->k;
  if (s->filled == s->block + (s->begun ? k : 0)) {
    reduce_block(s);
    memcpy(s->a, s->R, (size_t)k * k * sizeof *s->a);
    memcpy(s->r, s->q, k * sizeof *s->r);
    s->filled = k;
    s->begun = true;
  }
  memcpy(s->a + (size_t)s->filled * k, slopes, k * sizeof *slopes);
  s->r[s->filled++] = r;
  s->cost += r * r;
}

void least_sums_finish(LeastSums *s) {
  if (s->filled) reduce_block(s);
}
