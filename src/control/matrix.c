// Small dense matrices: elimination with row pivoting, the exponential, the response of a linear system.
#include "control/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

double *matrix_new(Arena *arena, uint32_t rows, uint32_t cols) {
  return arena_array(arena, (size_t)rows * cols + 1, sizeof(double));
}

bool space_new(Arena *arena, uint32_t n, uint32_t m, uint32_t p, StateSpace *out) {
  *out = (StateSpace){.n = n, .m = m, .p = p};
  out->A = matrix_new(arena, n, n);
  out->B = matrix_new(arena, n, m);
  out->C = matrix_new(arena, p, n);
  out->D = matrix_new(arena, p, m);
  return out->A && out->B && out->C && out->D;
}

void matrix_product(uint32_t n, uint32_t k, uint32_t m, const double *a, const double *b, double *out) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < m; j++) {
      double sum = 0;
      for (uint32_t l = 0; l < k; l++) sum += a[(size_t)i * k + l] * b[(size_t)l * m + j];
      out[(size_t)i * m + j] = sum;
    }
  }
}

void matrix_transpose(uint32_t n, uint32_t m, const double *a, double *out) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < m; j++) out[(size_t)j * n + i] = a[(size_t)i * m + j];
  }
}

double matrix_largest(uint32_t count, const double *a) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
  return most;
}

// ---- elimination

static bool complex_solve(uint32_t n, uint32_t columns, Complex *a, Complex *b) {
  double size = 0;
  for (size_t i = 0; i < (size_t)n * n; i++) size = fmax(size, cabs(a[i]));
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k + 1; i < n; i++) {
      if (cabs(a[(size_t)i * n + k]) > cabs(a[(size_t)best * n + k])) best = i;
    }
    Complex pivot = a[(size_t)best * n + k];
    if (!(cabs(pivot) > DBL_EPSILON * DBL_EPSILON * size)) return false;
    for (uint32_t j = 0; best != k && j < n; j++) {
      Complex t = a[(size_t)k * n + j];
      a[(size_t)k * n + j] = a[(size_t)best * n + j];
      a[(size_t)best * n + j] = t;
    }
    for (uint32_t j = 0; best != k && j < columns; j++) {
      Complex t = b[(size_t)k * columns + j];
      b[(size_t)k * columns + j] = b[(size_t)best * columns + j];
      b[(size_t)best * columns + j] = t;
    }
    for (uint32_t i = k + 1; i < n; i++) {
      Complex f = a[(size_t)i * n + k] / pivot;
      if (f == 0) continue;
      for (uint32_t j = k + 1; j < n; j++) a[(size_t)i * n + j] -= f * a[(size_t)k * n + j];
      for (uint32_t j = 0; j < columns; j++) b[(size_t)i * columns + j] -= f * b[(size_t)k * columns + j];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = 0; j < columns; j++) {
      Complex sum = b[(size_t)k * columns + j];
      for (uint32_t i = k + 1; i < n; i++) sum -= a[(size_t)k * n + i] * b[(size_t)i * columns + j];
      b[(size_t)k * columns + j] = sum / a[(size_t)k * n + k];
    }
  }
  return true;
}

static void swap_rows(double *a, uint32_t width, uint32_t i, uint32_t k) {
  for (uint32_t j = 0; i != k && j < width; j++) {
    double t = a[(size_t)k * width + j];
    a[(size_t)k * width + j] = a[(size_t)i * width + j];
    a[(size_t)i * width + j] = t;
  }
}

bool matrix_solve(uint32_t n, uint32_t columns, double *a, double *b) {
  double size = matrix_largest(n * n, a);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k + 1; i < n; i++) {
      if (fabs(a[(size_t)i * n + k]) > fabs(a[(size_t)best * n + k])) best = i;
    }
    double pivot = a[(size_t)best * n + k];
    if (!(fabs(pivot) > DBL_EPSILON * DBL_EPSILON * size)) return false;
    swap_rows(a, n, best, k);
    swap_rows(b, columns, best, k);
    for (uint32_t i = k + 1; i < n; i++) {
      double f = a[(size_t)i * n + k] / pivot;
      if (f == 0) continue;
      for (uint32_t j = k + 1; j < n; j++) a[(size_t)i * n + j] -= f * a[(size_t)k * n + j];
      for (uint32_t j = 0; j < columns; j++) b[(size_t)i * columns + j] -= f * b[(size_t)k * columns + j];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = 0; j < columns; j++) {
      double sum = b[(size_t)k * columns + j];
      for (uint32_t i = k + 1; i < n; i++) sum -= a[(size_t)k * n + i] * b[(size_t)i * columns + j];
      b[(size_t)k * columns + j] = sum / a[(size_t)k * n + k];
    }
  }
  return true;
}

// ---- the exponential

static double norm_1(uint32_t n, const double *a) {
  double most = 0;
  for (uint32_t j = 0; j < n; j++) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += fabs(a[(size_t)i * n + j]);
    most = fmax(most, sum);
  }
  return most;
}

bool matrix_exp(Arena *arena, uint32_t n, const double *a, double *out) {
  static const double c[] = {64764752532480000,
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
  static const double largest = 5.371920351148152; // norm up to which order 13 is exact to rounding
  size_t nn = (size_t)n * n;
  double *x = matrix_new(arena, n, n), *x2 = matrix_new(arena, n, n), *x4 = matrix_new(arena, n, n),
         *x6 = matrix_new(arena, n, n), *u = matrix_new(arena, n, n), *v = matrix_new(arena, n, n),
         *w = matrix_new(arena, n, n);
  if (!x || !x2 || !x4 || !x6 || !u || !v || !w) return false;
  int squarings = 0;
  double norm = norm_1(n, a);
  if (norm > largest) frexp(norm / largest, &squarings);
  for (size_t i = 0; i < nn; i++) x[i] = ldexp(a[i], -squarings);
  matrix_product(n, n, n, x, x, x2);
  matrix_product(n, n, n, x2, x2, x4);
  matrix_product(n, n, n, x4, x2, x6);
  for (size_t i = 0; i < nn; i++) w[i] = c[13] * x6[i] + c[11] * x4[i] + c[9] * x2[i];
  matrix_product(n, n, n, x6, w, v);
  for (size_t i = 0; i < nn; i++) v[i] += c[7] * x6[i] + c[5] * x4[i] + c[3] * x2[i] + c[1] * (i % (n + 1) == 0);
  matrix_product(n, n, n, x, v, u); // the odd part
  for (size_t i = 0; i < nn; i++) w[i] = c[12] * x6[i] + c[10] * x4[i] + c[8] * x2[i];
  matrix_product(n, n, n, x6, w, v);
  for (size_t i = 0; i < nn; i++) v[i] += c[6] * x6[i] + c[4] * x4[i] + c[2] * x2[i] + c[0] * (i % (n + 1) == 0);
  // (v - u) exp = v + u
  for (size_t i = 0; i < nn; i++) {
    w[i] = v[i] - u[i];
    out[i] = v[i] + u[i];
  }
  if (!matrix_solve(n, n, w, out)) return false;
  for (int k = 0; k < squarings; k++) {
    matrix_product(n, n, n, out, out, w);
    memcpy(out, w, nn * sizeof *out);
  }
  return true;
}

// ---- response

bool space_response(Arena *arena, const StateSpace *s, Complex at, Complex *out) {
  uint32_t n = s->n;
  ArenaMark mark = arena_mark(arena);
  Complex *a = arena_array(arena, (size_t)n * n + 1, sizeof *a),
          *x = arena_array(arena, (size_t)n * s->m + 1, sizeof *x);
  bool ok = a && x;
  for (size_t i = 0; ok && i < (size_t)n * n; i++) a[i] = (i % (n + 1) == 0 ? at : 0) - s->A[i];
  for (size_t i = 0; ok && i < (size_t)n * s->m; i++) x[i] = s->B[i];
  ok = ok && complex_solve(n, s->m, a, x);
  for (uint32_t i = 0; ok && i < s->p; i++) {
    for (uint32_t j = 0; j < s->m; j++) {
      Complex sum = s->D[(size_t)i * s->m + j];
      for (uint32_t k = 0; k < n; k++) sum += s->C[(size_t)i * n + k] * x[(size_t)k * s->m + j];
      out[(size_t)i * s->m + j] = sum;
    }
  }
  arena_release(arena, mark);
  return ok;
}
