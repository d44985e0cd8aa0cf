// Sampled systems of continuous ones.
#include "control/discretize.h"

#include <float.h>
#include <math.h>
#include <string.h>

// exp of [A, B; 0, 0] T has A_d and B_d in its first rows.
static bool hold(Arena *arena, const StateSpace *s, double T, StateSpace *out) {
  uint32_t n = s->n, m = s->m, k = n + m;
  double *a = matrix_new(arena, k, k), *e = matrix_new(arena, k, k);
  if (!a || !e) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) a[(size_t)i * k + j] = s->A[(size_t)i * n + j] * T;
    for (uint32_t j = 0; j < m; j++) a[(size_t)i * k + n + j] = s->B[(size_t)i * m + j] * T;
  }
  if (!dense_exponential(arena, k, a, 1, e)) return false;
  for (uint32_t i = 0; i < n; i++) {
    memcpy(out->A + (size_t)i * n, e + (size_t)i * k, n * sizeof *e);
    memcpy(out->B + (size_t)i * m, e + (size_t)i * k + n, m * sizeof *e);
  }
  memcpy(out->C, s->C, (size_t)s->p * n * sizeof *out->C);
  memcpy(out->D, s->D, (size_t)s->p * m * sizeof *out->D);
  return true;
}

// With P = (1 - A T/2)^-1: A_d = P (1 + A T/2), B_d = P B T, C_d = C P, D_d = D + C P B T/2.
static bool tustin(Arena *arena, const StateSpace *s, double T, StateSpace *out, const char **why) {
  uint32_t n = s->n, m = s->m, width = 2 * n + m;
  double *a = matrix_new(arena, n, n), *x = matrix_new(arena, n, width);
  if (!a || !x) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double h = s->A[(size_t)i * n + j] * T / 2;
      a[(size_t)i * n + j] = (i == j) - h;
      x[(size_t)i * width + j] = (i == j) + h;
      x[(size_t)i * width + n + m + j] = i == j;
    }
    for (uint32_t j = 0; j < m; j++) x[(size_t)i * width + n + j] = s->B[(size_t)i * m + j] * T;
  }
  if (!dense_solve(n, width, a, x)) {
    *why = "a pole lies at 2/T, where this transformation has none";
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    memcpy(out->A + (size_t)i * n, x + (size_t)i * width, n * sizeof *x);
    memcpy(out->B + (size_t)i * m, x + (size_t)i * width + n, m * sizeof *x);
  }
  for (uint32_t i = 0; i < s->p; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double c = 0;
      for (uint32_t l = 0; l < n; l++) c += s->C[(size_t)i * n + l] * x[(size_t)l * width + n + m + j];
      out->C[(size_t)i * n + j] = c;
    }
    for (uint32_t j = 0; j < m; j++) {
      double d = s->D[(size_t)i * m + j];
      for (uint32_t l = 0; l < n; l++) d += s->C[(size_t)i * n + l] * x[(size_t)l * width + n + j] / 2;
      out->D[(size_t)i * m + j] = d;
    }
  }
  return true;
}

bool discretize(Arena *arena, const StateSpace *s, double period, DiscreteMethod method, StateSpace *out,
                const char **why) {
  *why = NULL;
  if (!space_new(arena, s->n, s->m, s->p, out)) return false;
  out->period = period;
  return method == discrete_tustin ? tustin(arena, s, period, out, why) : hold(arena, s, period, out);
}

bool discretize_matched(Arena *arena, const Fraction *g, double period, RealizationForm form, StateSpace *out,
                        const char **why) {
  uint32_t n = g->den_degree, m = g->num_degree, zeros = n > m ? n - 1 : n;
  Complex *p = arena_array(arena, (size_t)n + 1, sizeof *p), *z = arena_array(arena, (size_t)n + 1, sizeof *z);
  double *num = arena_array(arena, (size_t)n + 1, sizeof *num), *den = arena_array(arena, (size_t)n + 1, sizeof *den);
  if (!p || !z || !num || !den) return false;
  if (!polynomial_roots(arena, n, g->den, p) || !polynomial_roots(arena, m, g->num, z)) return false;
  if (zeros < m) zeros = m;
  for (uint32_t i = 0; i < n; i++) p[i] = cexp(p[i] * period);
  for (uint32_t i = 0; i < zeros; i++) z[i] = i < m ? cexp(z[i] * period) : -1;
  // exactly symmetric to the axis
  for (uint32_t i = 0; i < n; i++) p[i] = cimag(p[i]) == 0 ? creal(p[i]) : p[i];
  for (uint32_t i = 0; i < zeros; i++) z[i] = cimag(z[i]) == 0 ? creal(z[i]) : z[i];
  polynomial_of(zeros, z, 1, num);
  polynomial_of(n, p, 1, den);
  // the same gain at rest, or on the real axis where rest is a pole or zero
  double at = 0, want, have;
  for (int k = 0; k < 20; k++, at = 0.01 * k / period) {
    want = creal(polynomial_at(m, g->num, at) / polynomial_at(n, g->den, at));
    have = creal(polynomial_at(zeros, num, exp(at * period)) / polynomial_at(n, den, exp(at * period)));
    if (isfinite(want) && isfinite(have) && want != 0 && have != 0 &&
        cabs(polynomial_at(n, g->den, at)) > 1e-9 * fabs(g->den[n]))
      break;
  }
  if (!(isfinite(want / have))) {
    *why = "its gain cannot be matched";
    return false;
  }
  for (uint32_t i = 0; i <= zeros; i++) num[i] *= want / have;
  if (!realize(arena, &(Fraction){zeros, n, num, den}, form, out, why)) return false;
  out->period = period;
  return true;
}
