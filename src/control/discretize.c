// Discretization of a continuous system: zero-order hold, Tustin, matched poles and zeros.
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

// Of both at a point s of the real axis: the gain of g over that of its sampled form.
static double ratio_at(const Fraction *g, const Fraction *sampled, double s, double period) {
  double z = exp(s * period);
  return creal(polynomial_at(g->num_degree, g->num, s) / polynomial_at(g->den_degree, g->den, s) *
               polynomial_at(sampled->den_degree, sampled->den, z) /
               polynomial_at(sampled->num_degree, sampled->num, z));
}

// Its limit at rest: to both sides of it what is odd in s goes, and by two distances what is quadratic.
static double limit_at_rest(const Fraction *g, const Fraction *sampled, double period) {
  double mean[2], sign = 1;
  for (int k = 0; k < 2; k++) {
    double s = (k + 1) * 4e-3 / period, up = ratio_at(g, sampled, s, period), down = ratio_at(g, sampled, -s, period);
    sign = up < 0 ? -1 : 1;
    mean[k] = (log(fabs(up)) + log(fabs(down))) / 2;
  }
  return sign * exp((4 * mean[0] - mean[1]) / 3);
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
  Fraction sampled = {zeros, n, num, den};
  // the same gain at rest; where rest is a pole or zero, the limit of both there
  bool rests = fabs(g->den[0]) > 1e-9 * fabs(g->den[n]) && g->num[0] != 0;
  double ratio = rests ? ratio_at(g, &sampled, 0, period) : limit_at_rest(g, &sampled, period);
  if (!isfinite(ratio) || ratio == 0) {
    *why = "its gain cannot be matched";
    return false;
  }
  for (uint32_t i = 0; i <= zeros; i++) num[i] *= ratio;
  if (!realize(arena, &(Fraction){zeros, n, num, den}, form, out, why)) return false;
  out->period = period;
  return true;
}
