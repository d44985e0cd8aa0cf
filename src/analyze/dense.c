// Small dense matrices.
//
// Exponential: scaling and squaring with the [13/13] Pade approximant (Higham 2005): |a t| / 2^k <= 5.37.
#include "analyze/dense.h"

#include "solve/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dense_multiply(uint32_t n, uint32_t m, uint32_t p, const double *a, const double *b, double *out) {
  memset(out, 0, (size_t)n * p * sizeof *out);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < m; k++) {
      double f = a[i * m + k];
      if (f == 0) continue;
      for (size_t j = 0; j < p; j++) out[i * p + j] += f * b[k * p + j];
    }
  }
}

double dense_norm(size_t count, const double *a) {
  double most = 0, sum = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
  for (size_t i = 0; i < count && most > 0; i++) sum += (a[i] / most) * (a[i] / most);
  return most * sqrt(sum);
}

bool complex_factor(uint32_t n, Complex *a, uint32_t *pivot) {
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    for (size_t i = c + 1; i < n; i++) {
      if (cabs(a[i * n + c]) > cabs(a[best * n + c])) best = i;
    }
    pivot[c] = (uint32_t)best;
    if (!(cabs(a[best * n + c]) > 0)) return false;
    for (size_t j = 0; j < n && best != c; j++) {
      Complex swap = a[best * n + j];
      a[best * n + j] = a[c * n + j];
      a[c * n + j] = swap;
    }
    for (size_t i = c + 1; i < n; i++) {
      Complex f = a[i * n + c] /= a[c * n + c];
      if (f == 0) continue;
      for (size_t j = c + 1; j < n; j++) a[i * n + j] -= f * a[c * n + j];
    }
  }
  return true;
}

void complex_solve(uint32_t n, const Complex *a, const uint32_t *pivot, Complex *b) {
  for (size_t i = 0; i < n; i++) {
    Complex swap = b[pivot[i]];
    b[pivot[i]] = b[i];
    b[i] = swap;
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) b[i] -= a[i * n + j] * b[j];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
}

bool dense_solve(uint32_t n, uint32_t columns, double *a, double *b) {
  for (size_t c = 0; c < n; c++) {
    size_t best = c;
    for (size_t i = c + 1; i < n; i++) {
      if (fabs(a[i * n + c]) > fabs(a[best * n + c])) best = i;
    }
    if (!(fabs(a[best * n + c]) > 0)) return false;
    for (size_t j = 0; j < n && best != c; j++) {
      double swap = a[best * n + j];
      a[best * n + j] = a[c * n + j];
      a[c * n + j] = swap;
    }
    for (size_t j = 0; j < columns && best != c; j++) {
      double swap = b[best * columns + j];
      b[best * columns + j] = b[c * columns + j];
      b[c * columns + j] = swap;
    }
    for (size_t i = c + 1; i < n; i++) {
      double f = a[i * n + c] / a[c * n + c];
      if (f == 0) continue;
      for (size_t j = c; j < n; j++) a[i * n + j] -= f * a[c * n + j];
      for (size_t j = 0; j < columns; j++) b[i * columns + j] -= f * b[c * columns + j];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = 0; k < columns; k++) {
      for (size_t j = i + 1; j < n; j++) b[i * columns + k] -= a[i * n + j] * b[j * columns + k];
      b[i * columns + k] /= a[i * n + i];
    }
  }
  return true;
}

// By elimination without pivots, which stay positive while M is below 1.
bool dense_solve_positive(uint32_t n, uint32_t columns, double *m, double *b) {
  for (size_t c = 0; c < n; c++) {
    if (!(m[c * n + c] > 1e-9)) return false;
    for (size_t i = c + 1; i < n; i++) {
      double f = m[i * n + c] / m[c * n + c];
      for (size_t j = c; j < n && f != 0; j++) m[i * n + j] -= f * m[c * n + j];
      for (size_t j = 0; j < columns && f != 0; j++) b[i * columns + j] -= f * b[c * columns + j];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = 0; j < columns; j++) {
      for (size_t k = i + 1; k < n; k++) b[i * columns + j] -= m[i * n + k] * b[k * columns + j];
      b[i * columns + j] /= m[i * n + i];
    }
  }
  return true;
}

// The largest sum of a row.
static double row_norm(uint32_t n, const double *a) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += fabs(a[i * n + j]);
    most = fmax(most, sum);
  }
  return most;
}

bool dense_exponential(Arena *arena, uint32_t n, const double *a, double t, double *out) {
  static const double b[] = {64764752532480000,
                             32382376266240000,
                             7771770303897600,
                             1187353796428800,
                             129060195264000,
                             10559470521600,
                             670442572800,
                             33522128640,
                             1323241920,
                             40840800,
                             960960,
                             16380,
                             182,
                             1};
  size_t cells = (size_t)n * n;
  double *x = arena_array(arena, 7 * cells + 1, sizeof *x);
  if (!x) return false;
  double *x2 = x + cells, *x4 = x2 + cells, *x6 = x4 + cells, *u = x6 + cells, *v = u + cells, *z = v + cells;
  double norm = row_norm(n, a) * fabs(t);
  int halvings = norm > 5.37 ? (int)ceil(log2(norm / 5.37)) : 0;
  for (size_t i = 0; i < cells; i++) x[i] = ldexp(a[i] * t, -halvings);
  dense_multiply(n, n, n, x, x, x2);
  dense_multiply(n, n, n, x2, x2, x4);
  dense_multiply(n, n, n, x2, x4, x6);
  for (size_t i = 0; i < cells; i++) z[i] = b[13] * x6[i] + b[11] * x4[i] + b[9] * x2[i];
  dense_multiply(n, n, n, x6, z, u);
  for (size_t i = 0; i < cells; i++) u[i] += b[7] * x6[i] + b[5] * x4[i] + b[3] * x2[i] + (i % (n + 1) == 0 ? b[1] : 0);
  dense_multiply(n, n, n, x, u, z); // the odd part
  memcpy(u, z, cells * sizeof *u);
  for (size_t i = 0; i < cells; i++) z[i] = b[12] * x6[i] + b[10] * x4[i] + b[8] * x2[i];
  dense_multiply(n, n, n, x6, z, v);
  for (size_t i = 0; i < cells; i++) v[i] += b[6] * x6[i] + b[4] * x4[i] + b[2] * x2[i] + (i % (n + 1) == 0 ? b[0] : 0);
  for (size_t i = 0; i < cells; i++) {
    out[i] = v[i] + u[i];
    z[i] = v[i] - u[i];
  }
  if (!dense_solve(n, n, z, out)) return false;
  for (int k = 0; k < halvings; k++) {
    dense_multiply(n, n, n, out, out, z);
    memcpy(out, z, cells * sizeof *out);
  }
  return true;
}

typedef struct FoundValue {
  Complex value;
  double bound;
} FoundValue;

static int by_real_part(const void *a, const void *b) {
  Complex x = ((const FoundValue *)a)->value, y = ((const FoundValue *)b)->value;
  if (creal(x) != creal(y)) return creal(x) > creal(y) ? -1 : 1;
  if (fabs(cimag(x)) != fabs(cimag(y))) return fabs(cimag(x)) < fabs(cimag(y)) ? -1 : 1;
  return (cimag(x) < cimag(y)) - (cimag(x) > cimag(y));
}

// Behind each value above the real axis its mirror image, also where there are several of one kind.
static void join_pairs(uint32_t n, FoundValue *found) {
  for (uint32_t i = 0; i + 1 < n; i++) {
    if (!(cimag(found[i].value) > 0)) continue;
    uint32_t k = i + 1;
    while (k < n && found[k].value != conj(found[i].value)) k++;
    if (k == n) continue;
    FoundValue mirrored = found[k];
    memmove(found + i + 2, found + i + 1, (k - i - 1) * sizeof *found);
    found[++i] = mirrored;
  }
}

bool dense_sort(Arena *arena, uint32_t n, Complex *values, double *bound) {
  FoundValue *found = arena_array(arena, (size_t)n + 1, sizeof *found);
  if (!found) return false;
  for (uint32_t i = 0; i < n; i++) found[i] = (FoundValue){values[i], bound ? bound[i] : 0};
  if (n) qsort(found, n, sizeof *found, by_real_part);
  join_pairs(n, found);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = found[i].value;
    if (bound) bound[i] = found[i].bound;
  }
  return true;
}

DenseStatus dense_eigenvalues(Arena *arena, const SolveModule *module, uint32_t n, const double *a, Complex *out,
                              double *bound) {
  if (n == 0) return dense_done;
  if (!module) return dense_failed;
  size_t cells = (size_t)n * n;
  double *copy = arena_array(arena, 2 * cells + 3 * (size_t)n, sizeof *copy);
  double *work = arena_array(arena, (size_t)spectrum_eigen_room((int)n), sizeof *work);
  if (!copy || !work) return dense_no_memory;
  double *v = copy + cells, *re = v + cells, *im = re + n, *off = im + n;
  memcpy(copy, a, cells * sizeof *copy); // the transpose has the same ones
  if (module->eigen((int)n, copy, re, im, v, off, work) != 0) return dense_failed;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = re[i] + I * im[i];
    if (bound) bound[i] = off[i];
  }
  if (!dense_sort(arena, n, out, bound)) return dense_no_memory;
  return dense_done;
}
