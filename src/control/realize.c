// Realizations. Every one is compared with the fraction it is of before it is given away.
#include "control/realize.h"

#include "control/riccati.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- polynomials

Complex polynomial_at(uint32_t degree, const double *c, Complex s) {
  Complex v = c[degree];
  for (uint32_t k = degree; k-- > 0;) v = v * s + c[k];
  return v;
}

void polynomial_of(uint32_t degree, const Complex *roots, double lead, double *c) {
  for (uint32_t i = 0; i <= degree; i++) c[i] = i == 0;
  uint32_t have = 0;
  for (uint32_t i = 0; i < degree; i++) {
    double re = creal(roots[i]), im = cimag(roots[i]);
    if (im < 0) continue; // with its partner
    double q1 = im > 0 ? -2 * re : -re, q0 = im > 0 ? re * re + im * im : 0;
    uint32_t more = im > 0 ? 2 : 1;
    for (uint32_t k = have + more + 1; k-- > 0;) { // from above: c[k] of the product
      double top = k >= more ? c[k - more] : 0, middle = more == 2 && k >= 1 && k - 1 <= have ? c[k - 1] : 0;
      double low = k <= have ? c[k] : 0;
      c[k] = more == 2 ? top + q1 * middle + q0 * low : top + q1 * low;
    }
    have += more;
  }
  for (uint32_t i = 0; i <= degree; i++) c[i] *= lead;
}

// A root of order m is a simple one of the derivative of order m - 1: Newton's method there, from near it.
static Complex polish(uint32_t n, const double *c, uint32_t m, Complex at) {
  for (int round = 0; round < 4; round++) {
    Complex value = 0, slope = 0;
    for (uint32_t k = n + 1; k-- > m - 1;) {
      double factor = c[k];
      for (uint32_t i = 0; i + 1 < m; i++) factor *= k - i;
      slope = slope * at + value;
      value = value * at + factor;
    }
    if (slope == 0 || value == 0) break;
    at -= value / slope;
  }
  return at;
}

// Groups of roots closer than `part` become their mean; symmetric to the axis. True: the polynomial is still the same.
static bool join_roots(Arena *arena, uint32_t n, const double *c, double part, const Complex *found, Complex *out) {
  bool *done = arena_array(arena, (size_t)n + 1, sizeof *done);
  double *again = arena_array(arena, (size_t)n + 1, sizeof *again);
  if (!done || !again) return false;
  for (uint32_t i = 0; i < n; i++) {
    Complex sum = 0;
    uint32_t count = 0;
    if (done[i]) continue;
    for (uint32_t k = 0; k < n; k++) {
      if (done[k] || cabs(found[k] - found[i]) > part * (cabs(found[i]) + DBL_MIN)) continue;
      sum += found[k];
      count++;
    }
    Complex mean = polish(n, c, count, sum / count);
    if (fabs(cimag(mean)) <= part * cabs(mean)) mean = creal(mean);
    for (uint32_t k = 0; k < n; k++) {
      if (done[k] || cabs(found[k] - found[i]) > part * (cabs(found[i]) + DBL_MIN)) continue;
      out[k] = mean;
      done[k] = true;
    }
  }
  int balance = 0; // every root above the axis needs one below
  for (uint32_t k = 0; k < n; k++) balance += cimag(out[k]) > 0 ? 1 : cimag(out[k]) < 0 ? -1 : 0;
  if (balance != 0) return false;
  polynomial_of(n, out, c[n], again);
  bool zeros = true; // a coefficient that is zero stays small beside its neighbours
  for (uint32_t i = 0; i <= n; i++) zeros = zeros && (c[i] != 0 || fabs(again[i]) <= 1e-11 * fabs(c[n]));
  for (uint32_t i = 0; i <= n; i++) {
    if (c[i] == 0) continue;
    if (fabs(again[i] - c[i]) > 1e-11 * fabs(c[i])) return false;
  }
  return zeros;
}

bool polynomial_roots(Arena *arena, uint32_t degree, const double *c, Complex *roots) {
  double *a = matrix_new(arena, degree, degree), *w = matrix_new(arena, degree, 3);
  Complex *found = arena_array(arena, (size_t)degree + 1, sizeof *found);
  if (!a || !w || !found) return false;
  if (degree == 0) return true;
  for (uint32_t j = 0; j < degree; j++) {
    a[(size_t)(degree - 1) * degree + j] = -c[j] / c[degree];
    if (j + 1 < degree) a[(size_t)j * degree + j + 1] = 1;
  }
  if (!matrix_eigen(arena, degree, a, w, w + degree, w + 2 * (size_t)degree)) return false;
  for (uint32_t i = 0; i < degree; i++) found[i] = w[i] + I * w[degree + i];
  for (double part = 1e-2; part > 1e-9; part /= 10) {
    if (join_roots(arena, degree, c, part, found, roots)) return true;
  }
  memcpy(roots, found, degree * sizeof *roots);
  return true;
}

// ---- direct forms

// den monic, num padded to its length; *through: what goes straight through, taken out of num.
static bool normalized(Arena *arena, const Fraction *g, double **num, double **den, double *through) {
  uint32_t n = g->den_degree;
  *num = arena_array(arena, (size_t)n + 1, sizeof **num);
  *den = arena_array(arena, (size_t)n + 1, sizeof **den);
  if (!*num || !*den) return false;
  for (uint32_t i = 0; i <= n; i++) {
    (*den)[i] = g->den[i] / g->den[n];
    (*num)[i] = i <= g->num_degree ? g->num[i] / g->den[n] : 0;
  }
  *through = (*num)[n];
  for (uint32_t i = 0; i <= n; i++) (*num)[i] -= *through * (*den)[i];
  return true;
}

static bool controllable(Arena *arena, const Fraction *g, StateSpace *out) {
  double *num, *den, through;
  uint32_t n = g->den_degree;
  if (!normalized(arena, g, &num, &den, &through) || !space_new(arena, n, 1, 1, out)) return false;
  for (uint32_t i = 0; i < n; i++) {
    if (i + 1 < n) out->A[(size_t)i * n + i + 1] = 1;
    out->A[(size_t)(n - 1) * n + i] = -den[i];
    out->C[i] = num[i];
  }
  if (n) out->B[n - 1] = 1;
  out->D[0] = through;
  return true;
}

// x1' = x2 - a_{n-1} x1 + b_{n-1} u, ..., xn' = -a0 x1 + b0 u
static bool observable(Arena *arena, const Fraction *g, StateSpace *out) {
  double *num, *den, through;
  uint32_t n = g->den_degree;
  if (!normalized(arena, g, &num, &den, &through) || !space_new(arena, n, 1, 1, out)) return false;
  for (uint32_t i = 0; i < n; i++) {
    out->A[(size_t)i * n] = -den[n - 1 - i];
    if (i + 1 < n) out->A[(size_t)i * n + i + 1] = 1;
    out->B[i] = num[n - 1 - i];
  }
  if (n) out->C[0] = 1;
  out->D[0] = through;
  return true;
}

// ---- cascade

typedef struct RealizedSection {
  uint32_t order;        // of the denominator
  double den[3], num[3]; // the lowest power first; den monic
  uint32_t num_degree;
} RealizedSection;

static int by_place(const void *a, const void *b) {
  Complex x = *(const Complex *)a, y = *(const Complex *)b;
  if (cabs(x) != cabs(y)) return cabs(x) < cabs(y) ? -1 : 1;
  return creal(x) < creal(y) ? -1 : creal(x) > creal(y);
}

// The roots as factors of first and second order; real ones two by two where `pairs`.
static uint32_t factors_of(uint32_t n, Complex *roots, bool pairs, RealizedSection *out) {
  uint32_t count = 0, real = 0;
  qsort(roots, n, sizeof *roots, by_place);
  for (uint32_t i = 0; i < n; i++) {
    if (cimag(roots[i]) > 0) {
      double re = creal(roots[i]), im = cimag(roots[i]);
      out[count++] = (RealizedSection){.order = 2, .den = {re * re + im * im, -2 * re, 1}};
    } else if (cimag(roots[i]) == 0) real++;
  }
  Complex last = 0;
  for (uint32_t i = 0, seen = 0; i < n; i++) {
    if (cimag(roots[i]) != 0) continue;
    double r = creal(roots[i]);
    seen++;
    if (pairs && seen % 2 == 1 && seen < real) last = r;
    else if (pairs && seen % 2 == 0)
      out[count++] = (RealizedSection){.order = 2, .den = {creal(last) * r, -creal(last) - r, 1}};
    else out[count++] = (RealizedSection){.order = 1, .den = {-r, 1, 0}};
  }
  return count;
}

// Zeros go to the sections whose poles are nearest, none above its order.
static bool deal_zeros(uint32_t zeros, RealizedSection *z, uint32_t poles, RealizedSection *p) {
  for (int order = 2; order >= 1; order--) {
    for (uint32_t i = 0; i < zeros; i++) {
      if (z[i].order != (uint32_t)order) continue;
      uint32_t best = poles;
      double least = INFINITY;
      for (uint32_t k = 0; k < poles; k++) {
        double off = fabs(z[i].den[0] - p[k].den[0]) + fabs(z[i].den[1] - p[k].den[1]);
        if (p[k].num_degree + z[i].order > p[k].order || off >= least) continue;
        least = off;
        best = k;
      }
      if (best == poles) return false;
      RealizedSection *s = &p[best];
      if (s->num_degree == 0) memcpy(s->num, z[i].den, sizeof s->num);
      else { // two of first order
        double a = s->num[0], b = z[i].den[0];
        s->num[0] = a * b;
        s->num[1] = a + b;
        s->num[2] = 1;
      }
      s->num_degree += z[i].order;
    }
  }
  return true;
}

// Puts a section behind what is there: its input is C x + D u of it.
static void append_section(StateSpace *s, uint32_t at, const RealizedSection *p, double gain, double *C, double *D) {
  uint32_t n = s->n, k = p->order;
  double through = p->num_degree == k ? p->num[k] : 0;
  for (uint32_t i = 0; i < k; i++) {
    if (i + 1 < k) s->A[(size_t)(at + i) * n + at + i + 1] = 1;
    s->A[(size_t)(at + k - 1) * n + at + i] = -p->den[i];
  }
  for (uint32_t j = 0; j < at; j++) s->A[(size_t)(at + k - 1) * n + j] = C[j];
  s->B[at + k - 1] = *D;
  for (uint32_t j = 0; j < at; j++) C[j] *= gain * through;
  for (uint32_t i = 0; i < k; i++) C[at + i] = gain * ((i <= p->num_degree ? p->num[i] : 0) - through * p->den[i]);
  *D *= gain * through;
}

static bool cascade(Arena *arena, const Fraction *g, StateSpace *out, const char **why) {
  uint32_t n = g->den_degree, m = g->num_degree, poles, zeros;
  Complex *p = arena_array(arena, (size_t)n + 1, sizeof *p), *z = arena_array(arena, (size_t)m + 1, sizeof *z);
  RealizedSection *ps = arena_array(arena, (size_t)n + 1, sizeof *ps),
                  *zs = arena_array(arena, (size_t)m + 1, sizeof *zs);
  if (!p || !z || !ps || !zs || !space_new(arena, n, 1, 1, out)) return false;
  if (!polynomial_roots(arena, n, g->den, p) || !polynomial_roots(arena, m, g->num, z)) return false;
  for (int pairs = 0; pairs < 2; pairs++) {
    memset(ps, 0, ((size_t)n + 1) * sizeof *ps);
    poles = factors_of(n, p, pairs, ps);
    zeros = factors_of(m, z, false, zs);
    for (uint32_t i = 0; i < poles; i++) ps[i].num[0] = 1;
    if (deal_zeros(zeros, zs, poles, ps)) break;
    if (pairs) {
      *why = "its zeros cannot be dealt out to sections of first and second order";
      return false;
    }
  }
  double D = 1, gain = g->num[m] / g->den[n];
  for (uint32_t i = 0, at = 0; i < poles; at += ps[i++].order)
    append_section(out, at, &ps[i], i + 1 == poles ? gain : 1, out->C, &D);
  out->D[0] = n ? D : gain;
  return true;
}

// ---- parallel

// c *= (q0 + q1 s + s^2) or (q0 + s)
static void multiply(double *c, uint32_t degree, const RealizedSection *q) {
  for (uint32_t k = degree + q->order + 1; k-- > 0;) {
    double sum = 0;
    for (uint32_t i = 0; i <= q->order && i <= k; i++) sum += k - i <= degree ? q->den[i] * c[k - i] : 0;
    c[k] = sum;
  }
}

static bool parallel(Arena *arena, const Fraction *g, StateSpace *out, const char **why) {
  uint32_t n = g->den_degree, count;
  double *num, *den, through;
  Complex *p = arena_array(arena, (size_t)n + 1, sizeof *p);
  RealizedSection *s = arena_array(arena, (size_t)n + 1, sizeof *s);
  double *basis = matrix_new(arena, n, n), *poly = arena_array(arena, (size_t)n + 3, sizeof *poly);
  if (!p || !s || !basis || !poly || !space_new(arena, n, 1, 1, out)) return false;
  if (!normalized(arena, g, &num, &den, &through) || !polynomial_roots(arena, n, g->den, p)) return false;
  count = factors_of(n, p, false, s);
  out->D[0] = through;
  // a factor that was there before is one more link of its chain: its input comes from the link before it
  uint32_t at = 0, *place = arena_array(arena, (size_t)n + 1, sizeof *place);
  if (!place) return false;
  for (uint32_t i = 0; i < count; at += s[i++].order) {
    uint32_t k = s[i].order, before = UINT32_MAX;
    place[i] = at;
    for (uint32_t j = 0; j < i; j++) {
      if (s[j].order == k && s[j].den[0] == s[i].den[0] && s[j].den[1] == s[i].den[1]) before = j;
    }
    for (uint32_t r = 0; r < k; r++) {
      if (r + 1 < k) out->A[(size_t)(at + r) * n + at + r + 1] = 1;
      out->A[(size_t)(at + k - 1) * n + at + r] = -s[i].den[r];
    }
    if (before == UINT32_MAX) out->B[at + k - 1] = 1;
    else out->A[(size_t)(at + k - 1) * n + place[before]] = 1;
    // the function from u to its first state is 1 over all links so far: den over them is a column of the basis
    memset(poly, 0, ((size_t)n + 3) * sizeof *poly);
    poly[0] = 1;
    uint32_t degree = 0;
    for (uint32_t j = 0; j < count; j++) {
      bool link = j <= i && s[j].order == k && s[j].den[0] == s[i].den[0] && s[j].den[1] == s[i].den[1];
      if (link) continue;
      multiply(poly, degree, &s[j]);
      degree += s[j].order;
    }
    for (uint32_t r = 0; r < k; r++) { // s^r of it: the r-th state of the link
      for (uint32_t row = 0; row < n; row++)
        basis[(size_t)row * n + at + r] = row >= r && row - r <= degree ? poly[row - r] : 0;
    }
  }
  for (uint32_t i = 0; i < n; i++) out->C[i] = num[i];
  if (dense_solve(n, 1, basis, out->C)) return true;
  *why = "its poles lie too close together for partial fractions";
  return false;
}

// ---- the whole

// Is it the fraction, at points beside its poles?
static bool same(Arena *arena, const Fraction *g, const StateSpace *s) {
  double size = 0;
  for (uint32_t i = 0; i < g->den_degree; i++)
    size = fmax(size, pow(fabs(g->den[i] / g->den[g->den_degree]), 1.0 / (g->den_degree - i)));
  if (size == 0) size = 1;
  for (int k = 0; k < 5; k++) {
    Complex at = size * (0.3 + 0.4 * k) * cexp(I * (0.2 + 0.3 * k)), out;
    Complex want = polynomial_at(g->num_degree, g->num, at) / polynomial_at(g->den_degree, g->den, at);
    if (!space_response(arena, s, at, &out) || !(cabs(out - want) <= 1e-8 * cabs(want) + 1e-300)) return false;
  }
  return true;
}

bool realize(Arena *arena, const Fraction *g, RealizationForm form, StateSpace *out, const char **why) {
  bool ok = false;
  *why = NULL;
  if (g->num_degree > g->den_degree) {
    *why = "it is not proper: the output would need derivatives of the input";
    return false;
  }
  switch (form) {
  case form_controllable: ok = controllable(arena, g, out); break;
  case form_observable: ok = observable(arena, g, out); break;
  case form_cascade: ok = cascade(arena, g, out, why); break;
  case form_parallel: ok = parallel(arena, g, out, why); break;
  }
  if (!ok || same(arena, g, out)) return ok;
  *why = "its poles lie too close together for this form: the result would not be the same";
  return false;
}
