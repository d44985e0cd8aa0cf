// Norms: H2 by Lyapunov's equation, Hinf by level sets (Bruinsma, Steinbuch 1990).
//
// |G(iw)| takes the value g exactly where the Hamiltonian matrix of this level has the eigenvalue iw,
//
//   H = [A + B R^-1 D' C, B R^-1 B'; -C' (1 + D R^-1 D') C, -(A + B R^-1 D' C)'],  R = g^2 - D' D
//
// From a level that is reached the next is the largest gain in the middles between its crossings; where a level a
// little higher has no crossing the norm lies between both. A sampled system is brought to a continuous one with the
// same gains by z = (1 + s)/(1 - s).
#include "control/norms.h"

#include "control/riccati.h"
#include "solve/module.h"
#include "solve/spectrum.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

bool axis_frequencies(Arena *arena, uint32_t n, const double *h, double *w, uint32_t *count) {
  double *re = matrix_new(arena, n, 3), *im = re + n, *bound = im + n;
  *count = 0;
  if (!re || !matrix_eigen(arena, n, h, re, im, bound)) return false;
  for (uint32_t i = 0; i < n; i++) {
    if (im[i] >= 0 && fabs(re[i]) <= bound[i]) w[(*count)++] = im[i];
  }
  qsort(w, *count, sizeof *w, by_size);
  return true;
}

// ---- gains

static bool singular_of(Arena *arena, uint32_t p, uint32_t m, const Complex *g, double *largest) {
  const SolveModule *module = module_load();
  uint32_t rows = 2 * p, cols = 2 * m;
  double *a = matrix_new(arena, rows, cols), *s = matrix_new(arena, rows + cols, 1),
         *work = arena_array(arena, (size_t)spectrum_room((int)rows, (int)cols), sizeof *work);
  if (!module || !a || !s || !work) return false;
  for (uint32_t i = 0; i < p; i++) {
    for (uint32_t j = 0; j < m; j++) { // [re, -im; im, re], column by column
      Complex x = g[(size_t)i * m + j];
      a[(size_t)j * rows + i] = a[(size_t)(m + j) * rows + p + i] = creal(x);
      a[(size_t)j * rows + p + i] = cimag(x);
      a[(size_t)(m + j) * rows + i] = -cimag(x);
    }
  }
  if (module->singular((int)rows, (int)cols, a, s, NULL, NULL, work) != 0) return false;
  *largest = s[0];
  return true;
}

bool largest_gain(Arena *arena, const StateSpace *s, double w, double *gain) {
  ArenaMark mark = arena_mark(arena);
  Complex *g = arena_array(arena, (size_t)s->p * s->m + 1, sizeof *g);
  bool ok = g != NULL;
  if (ok && isinf(w) && !(s->period > 0)) {
    for (size_t i = 0; i < (size_t)s->p * s->m; i++) g[i] = s->D[i];
  } else if (ok) {
    ok = space_response(arena, s, s->period > 0 ? cexp(I * w * s->period) : I * w, g);
  }
  if (ok && s->p == 1 && s->m == 1) *gain = cabs(g[0]);
  else ok = ok && singular_of(arena, s->p, s->m, g, gain);
  arena_release(arena, mark);
  return ok;
}

// ---- the level

static bool hamiltonian(Arena *arena, const StateSpace *s, double level, double *h) {
  uint32_t n = s->n, m = s->m, p = s->p, k = 2 * n;
  double *r = matrix_new(arena, m, m), *x = matrix_new(arena, m, p + n), *dt = matrix_new(arena, m, p),
         *dtc = matrix_new(arena, m, n), *bx = matrix_new(arena, n, p + n);
  if (!r || !x || !dt || !dtc || !bx) return false;
  matrix_transpose(p, m, s->D, dt);
  dense_multiply(m, p, m, dt, s->D, r);
  for (size_t i = 0; i < (size_t)m * m; i++) r[i] = (i % (m + 1) == 0 ? level * level : 0) - r[i];
  for (uint32_t i = 0; i < m; i++) { // R^-1 [D', B']
    for (uint32_t j = 0; j < p; j++) x[(size_t)i * (p + n) + j] = dt[(size_t)i * p + j];
    for (uint32_t j = 0; j < n; j++) x[(size_t)i * (p + n) + p + j] = s->B[(size_t)j * m + i];
  }
  if (!dense_solve(m, p + n, r, x)) return false;
  dense_multiply(n, m, p + n, s->B, x, bx); // B R^-1 [D', B']
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double a = s->A[(size_t)i * n + j];
      for (uint32_t l = 0; l < p; l++) a += bx[(size_t)i * (p + n) + l] * s->C[(size_t)l * n + j];
      h[(size_t)i * k + j] = a;
      h[(size_t)(n + j) * k + n + i] = -a;
      h[(size_t)i * k + n + j] = bx[(size_t)i * (p + n) + p + j];
      double c = 0; // C' (1 + D R^-1 D') C
      for (uint32_t l = 0; l < p; l++) {
        for (uint32_t q = 0; q < p; q++) {
          double inner = l == q;
          for (uint32_t t = 0; t < m; t++) inner += s->D[(size_t)l * m + t] * x[(size_t)t * (p + n) + q];
          c += s->C[(size_t)l * n + i] * inner * s->C[(size_t)q * n + j];
        }
      }
      h[(size_t)(n + i) * k + j] = -c;
    }
  }
  return true;
}

// One round: the level is raised to what is found between its crossings; *proved: there are none.
static bool raise_level(Arena *arena, const StateSpace *s, double level, Norms *out, bool *proved) {
  uint32_t k = 2 * s->n, count;
  double *h = matrix_new(arena, k, k), *w = matrix_new(arena, k + 2, 1), before = out->hinf;
  if (!h || !w || !hamiltonian(arena, s, level, h) || !axis_frequencies(arena, k, h, w + 1, &count)) return false;
  *proved = count == 0;
  w[0] = 0;
  w[count + 1] = 2 * w[count];
  for (uint32_t i = 0; i < count + 1 && count; i++) {
    double middle = i == 0 ? w[1] / 2 : sqrt(w[i] * w[i + 1]), g;
    for (int at = 0; at < 2; at++) { // between the crossings, and at them: a level that is only touched has no middle
      double f = at ? w[i] : middle;
      if (!largest_gain(arena, s, f, &g) || !(g > out->hinf)) continue;
      out->hinf = g;
      out->frequency = f;
    }
  }
  if (!*proved && !(out->hinf > before)) out->above = fmax(out->above, level); // crossings within rounding alone
  return true;
}

// A first level: at the ends, and near lightly damped modes.
static bool first_level(Arena *arena, const StateSpace *s, const double *re, const double *im, Norms *out) {
  double ends[2] = {0, INFINITY}, g;
  out->hinf = 0;
  for (uint32_t i = 0; i < s->n + 2; i++) {
    double w = i < 2 ? ends[i] : hypot(re[i - 2], im[i - 2]);
    if (!largest_gain(arena, s, w, &g)) continue;
    if (g <= out->hinf) continue;
    out->hinf = g;
    out->frequency = w;
  }
  return true;
}

static bool hinf_norm(Arena *arena, const StateSpace *s, const double *re, const double *im, Norms *out) {
  static const double step = 1e-11; // of the level: how sharp the bounds are
  bool proved = false;
  if (!first_level(arena, s, re, im, out)) return false;
  if (out->hinf == 0) return true;
  for (int round = 0; round < 60 && !proved; round++) {
    double before = out->hinf, level = out->hinf * (1 + 2 * step);
    if (!raise_level(arena, s, level, out, &proved)) return false;
    if (proved) out->above = level;
    else if (!(out->hinf > before)) break;
  }
  // crossings that stay may be rounding: a wider step
  for (double wide = 10 * step; !proved && wide < 1e-3; wide *= 10) {
    double level = out->hinf * (1 + wide);
    if (!raise_level(arena, s, level, out, &proved)) return false;
    if (proved) out->above = level;
  }
  return proved;
}

// z = (1 + s)/(1 - s): the same values on the border, where frequencies are tan(wT/2).
static bool warped(Arena *arena, const StateSpace *s, StateSpace *c) {
  uint32_t n = s->n, m = s->m;
  if (!space_new(arena, n, m, s->p, c)) return false;
  double *a = matrix_new(arena, n, n), *x = matrix_new(arena, n, n + m);
  if (!a || !x) return false;
  // (A + 1)^-1 [A - 1, B]
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      a[(size_t)i * n + j] = s->A[(size_t)i * n + j] + (i == j);
      x[(size_t)i * (n + m) + j] = s->A[(size_t)i * n + j] - (i == j);
    }
    for (uint32_t j = 0; j < m; j++) x[(size_t)i * (n + m) + n + j] = s->B[(size_t)i * m + j];
  }
  if (!dense_solve(n, n + m, a, x)) return false;
  // C (z - A)^-1 B + D with z = (1 + s)/(1 - s): A_c = (A + 1)^-1 (A - 1), B_c = 2 (A + 1)^-2 B, C_c = C,
  // D_c = D - C (A + 1)^-1 B
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      c->A[(size_t)i * n + j] = x[(size_t)i * (n + m) + j];
      a[(size_t)i * n + j] = s->A[(size_t)i * n + j] + (i == j);
    }
    for (uint32_t j = 0; j < m; j++) c->B[(size_t)i * m + j] = 2 * x[(size_t)i * (n + m) + n + j];
  }
  memcpy(c->C, s->C, (size_t)s->p * n * sizeof *c->C);
  for (uint32_t i = 0; i < s->p; i++) {
    for (uint32_t j = 0; j < m; j++) {
      double d = s->D[(size_t)i * m + j];
      for (uint32_t l = 0; l < n; l++) d -= s->C[(size_t)i * n + l] * x[(size_t)l * (n + m) + n + j];
      c->D[(size_t)i * m + j] = d;
    }
  }
  return dense_solve(n, m, a, c->B);
}

static bool h2_norm(Arena *arena, const StateSpace *s, double *out) {
  uint32_t n = s->n, m = s->m, p = s->p;
  double *bt = matrix_new(arena, m, n), *bb = matrix_new(arena, n, n), *X = matrix_new(arena, n, n), sum = 0;
  if (!bt || !bb || !X) return false;
  matrix_transpose(n, m, s->B, bt);
  dense_multiply(n, m, n, s->B, bt, bb);
  if (!lyapunov_solve(arena, n, s->period > 0, s->A, bb, X)) return false;
  for (uint32_t i = 0; i < p; i++) {
    for (uint32_t k = 0; k < n; k++) {
      for (uint32_t l = 0; l < n; l++) sum += s->C[(size_t)i * n + k] * X[(size_t)k * n + l] * s->C[(size_t)i * n + l];
    }
  }
  for (size_t i = 0; s->period > 0 && i < (size_t)p * m; i++) sum += s->D[i] * s->D[i];
  *out = sqrt(fmax(sum, 0));
  if (!(s->period > 0) && matrix_largest(p * m, s->D) > 0) *out = INFINITY;
  return true;
}

bool norms_find(Arena *arena, const StateSpace *s, Norms *out) {
  uint32_t n = s->n;
  double *re = matrix_new(arena, n, 3);
  *out = (Norms){.stable = true, .h2 = INFINITY, .hinf = INFINITY, .above = INFINITY, .frequency = NAN};
  if (!re || !matrix_eigen(arena, n, s->A, re, re + n, re + 2 * (size_t)n)) return false;
  for (uint32_t i = 0; i < n; i++) {
    double off = s->period > 0 ? hypot(re[i], re[n + i]) - 1 : re[i];
    out->stable = out->stable && off < -re[2 * (size_t)n + i] * 1e-3 && off < 0;
  }
  if (!out->stable) return true;
  StateSpace c;
  if (!h2_norm(arena, s, &out->h2)) return false;
  if (!(s->period > 0)) return hinf_norm(arena, s, re, re + n, out);
  if (!warped(arena, s, &c) || !matrix_eigen(arena, n, c.A, re, re + n, re + 2 * (size_t)n)) return false;
  if (!hinf_norm(arena, &c, re, re + n, out)) return false;
  out->frequency = 2 * atan(out->frequency) / s->period;
  return true;
}
