// State-space systems without dead times, and small matrix operations.
#include "control/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

double *matrix_new(Arena *arena, uint32_t rows, uint32_t cols) {
  return arena_array(arena, (size_t)rows * cols + 1, sizeof(double));
}

StateSpace space_of(const LinearSystem *s) { return (StateSpace){s->n, s->m, s->p, s->A, s->B, s->C, s->D, s->period}; }

bool space_new(Arena *arena, uint32_t n, uint32_t m, uint32_t p, StateSpace *out) {
  *out = (StateSpace){.n = n, .m = m, .p = p};
  out->A = matrix_new(arena, n, n);
  out->B = matrix_new(arena, n, m);
  out->C = matrix_new(arena, p, n);
  out->D = matrix_new(arena, p, m);
  return out->A && out->B && out->C && out->D;
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

// ---- response

bool space_response(Arena *arena, const StateSpace *s, Complex at, Complex *out) {
  uint32_t n = s->n;
  ArenaMark mark = arena_mark(arena);
  Complex *a = arena_array(arena, (size_t)n * n + 1, sizeof *a),
          *x = arena_array(arena, (size_t)n * s->m + 1, sizeof *x);
  Complex *column = arena_array(arena, (size_t)n + 1, sizeof *column);
  uint32_t *pivot = arena_array(arena, (size_t)n + 1, sizeof *pivot);
  bool ok = a && x && column && pivot;
  for (size_t i = 0; ok && i < (size_t)n * n; i++) a[i] = (i % (n + 1) == 0 ? at : 0) - s->A[i];
  for (size_t i = 0; ok && i < (size_t)n * s->m; i++) x[i] = s->B[i];
  ok = ok && complex_factor(n, a, pivot);
  for (uint32_t j = 0; ok && j < s->m; j++) { // column by column
    for (uint32_t i = 0; i < n; i++) column[i] = x[(size_t)i * s->m + j];
    complex_solve(n, a, pivot, column);
    for (uint32_t i = 0; i < n; i++) x[(size_t)i * s->m + j] = column[i];
  }
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
