// Routh-Hurwitz problem: half planes of the roots of a characteristic polynomial, by Sturm chains
// (Gantmacher, The Theory of Matrices, XV).
//
// in    A, rational
// out   how many eigenvalues have negative, positive and zero real part
//
// det(s - A) = s^k q(s), q of degree m. With q(iw) = i^m (f0(w) - i f1(w)), f0 and f1 real, and d = gcd(f0, f1):
// the Cauchy index of f1/f0 is (m - deg d) - 2 r, r the roots of q/d(s/i) in the right half plane. The roots of d lie
// symmetric to the real axis of w: the real ones are q's on the imaginary axis, of the others
// one half lies on each side.
#include "linear/hurwitz.h"

#include "base/number.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Coefficients, the lowest first; degree -1: zero.
typedef struct RatPoly {
  Rat *c;
  int degree;
} RatPoly;

typedef struct HurwitzWork {
  Arena *arena;
  bool failed;
} HurwitzWork;

static Rat checked(HurwitzWork *w, Rat r) {
  if (!rat_valid(r)) w->failed = true;
  return r;
}
static Rat sub(HurwitzWork *w, Rat a, Rat b) { return checked(w, rat_add(w->arena, a, rat_neg(w->arena, b))); }
static Rat mul(HurwitzWork *w, Rat a, Rat b) { return checked(w, rat_mul(w->arena, a, b)); }

static RatPoly poly_new(HurwitzWork *w, int degree) {
  RatPoly r = {arena_array(w->arena, (size_t)(degree < 0 ? 0 : degree) + 1, sizeof(Rat)), degree};
  if (!r.c) w->failed = true;
  for (int i = 0; r.c && i <= degree; i++) r.c[i] = RAT_ZERO;
  if (!r.c) r.degree = -1;
  return r;
}

static void trim(RatPoly *r) {
  while (r->degree >= 0 && rat_is_zero(r->c[r->degree])) r->degree--;
}

// p over a positive number, so that its first coefficient is 1 or -1: signs stay.
static void shrink(HurwitzWork *w, RatPoly *p) {
  if (p->degree < 0) return;
  Rat lead = p->c[p->degree];
  if (rat_sign(lead) < 0) lead = rat_neg(w->arena, lead);
  for (int i = 0; i <= p->degree; i++) p->c[i] = checked(w, rat_div(w->arena, p->c[i], lead));
}

// minus the remainder of a/b; b is not zero
static RatPoly minus_rest(HurwitzWork *w, RatPoly a, RatPoly b) {
  RatPoly r = poly_new(w, a.degree);
  for (int i = 0; i <= r.degree; i++) r.c[i] = a.c[i];
  trim(&r);
  while (r.degree >= b.degree && !w->failed) {
    Rat f = checked(w, rat_div(w->arena, r.c[r.degree], b.c[b.degree]));
    int shift = r.degree - b.degree;
    for (int i = 0; i <= b.degree; i++) r.c[i + shift] = sub(w, r.c[i + shift], mul(w, f, b.c[i]));
    r.c[r.degree] = RAT_ZERO;
    trim(&r);
  }
  for (int i = 0; i <= r.degree; i++) r.c[i] = rat_neg(w->arena, r.c[i]);
  shrink(w, &r);
  return r;
}

static int sign_far(RatPoly p, bool minus) {
  if (p.degree < 0) return 0;
  int s = rat_sign(p.c[p.degree]);
  return minus && p.degree % 2 ? -s : s;
}

// Cauchy's index of b/a over all real numbers: changes of sign of the chain at minus infinity less those at plus
// infinity. *last: the gcd.
static int index_of(HurwitzWork *w, RatPoly a, RatPoly b, RatPoly *last) {
  int changes = 0, before[2] = {sign_far(a, true), sign_far(a, false)};
  while (b.degree >= 0 && !w->failed) {
    for (int k = 0; k < 2; k++) {
      int now = sign_far(b, k == 0);
      if (now * before[k] < 0) changes += k ? -1 : 1;
      if (now) before[k] = now;
    }
    RatPoly rest = minus_rest(w, a, b);
    a = b;
    b = rest;
  }
  *last = a;
  return changes;
}

static RatPoly derivative(HurwitzWork *w, RatPoly p) {
  RatPoly d = poly_new(w, p.degree - 1);
  for (int i = 0; i <= d.degree; i++) d.c[i] = mul(w, rat_int(i + 1), p.c[i + 1]);
  return d;
}

// Real roots with their multiplicities: those of p, and again those of gcd(p, p'), and so on.
static uint32_t real_roots(HurwitzWork *w, RatPoly p) {
  uint32_t count = 0;
  while (p.degree > 0 && !w->failed) {
    RatPoly common;
    int distinct = index_of(w, p, derivative(w, p), &common);
    count += (uint32_t)(distinct > 0 ? distinct : 0);
    p = common;
  }
  return count;
}

// Faddeev and LeVerrier: M_1 = A, c_k = -tr(M_k)/k, M_k+1 = A (M_k + c_k 1).
static RatPoly characteristic(HurwitzWork *w, const Rat *a, uint32_t n) {
  RatPoly p = poly_new(w, (int)n);
  Rat *m = arena_array(w->arena, (size_t)n * n, sizeof *m), *next = arena_array(w->arena, (size_t)n * n, sizeof *next);
  if (!m || !next || w->failed) {
    w->failed = true;
    return p;
  }
  memcpy(m, a, (size_t)n * n * sizeof *m);
  p.c[n] = RAT_ONE;
  for (uint32_t k = 1; k <= n && !w->failed; k++) {
    Rat trace = RAT_ZERO;
    for (uint32_t i = 0; i < n; i++) trace = checked(w, rat_add(w->arena, trace, m[i * n + i]));
    Rat c = checked(w, rat_div(w->arena, rat_neg(w->arena, trace), rat_int(k)));
    p.c[n - k] = c;
    if (k == n) break;
    for (uint32_t i = 0; i < n; i++) m[i * n + i] = checked(w, rat_add(w->arena, m[i * n + i], c));
    for (uint32_t i = 0; i < n && !w->failed; i++) {
      for (uint32_t j = 0; j < n; j++) {
        Rat sum = RAT_ZERO;
        for (uint32_t l = 0; l < n; l++) {
          if (!rat_is_zero(a[i * n + l]) && !rat_is_zero(m[l * n + j]))
            sum = checked(w, rat_add(w->arena, sum, mul(w, a[i * n + l], m[l * n + j])));
        }
        next[i * n + j] = sum;
      }
    }
    Rat *swap = m;
    m = next;
    next = swap;
  }
  return p;
}

bool hurwitz_count(Arena *arena, const Rat *a, uint32_t n, HalfPlanes *out) {
  HurwitzWork work = {.arena = arena}, *w = &work;
  *out = (HalfPlanes){0};
  if (n == 0) return true;
  if (n > hurwitz_most) return false;
  RatPoly p = characteristic(w, a, n);
  if (w->failed) return false;
  out->characteristic = p.c;
  while ((int)out->zero < p.degree && rat_is_zero(p.c[out->zero])) out->zero++;
  int m = p.degree - (int)out->zero;
  if (m == 0) return true;
  // q = sum of c_j s^j; f0 and f1: c_m w^m - c_(m-2) w^(m-2) + ..., c_(m-1) w^(m-1) - c_(m-3) w^(m-3) + ...
  RatPoly f0 = poly_new(w, m), f1 = poly_new(w, m - 1), d;
  if (w->failed) return false;
  for (int k = 0; k <= m; k++) {
    Rat c = p.c[out->zero + (uint32_t)(m - k)];
    RatPoly *f = k % 2 ? &f1 : &f0;
    f->c[m - k] = (k / 2) % 2 ? rat_neg(arena, c) : c;
  }
  trim(&f1);
  int index = index_of(w, f0, f1, &d);
  if (w->failed) return false;
  uint32_t alone = (uint32_t)(m - d.degree), right = (alone - (uint32_t)index) / 2;
  out->axis = real_roots(w, d);
  right += ((uint32_t)d.degree - out->axis) / 2;
  out->right = right;
  out->left = n - out->zero - out->axis - right;
  return !w->failed;
}

// ---- roots

// a/b, which leaves nothing
static RatPoly quotient(HurwitzWork *w, RatPoly a, RatPoly b) {
  RatPoly q = poly_new(w, a.degree - b.degree), r = poly_new(w, a.degree);
  for (int i = 0; i <= r.degree; i++) r.c[i] = a.c[i];
  for (int k = q.degree; k >= 0 && !w->failed; k--) {
    q.c[k] = checked(w, rat_div(w->arena, r.c[k + b.degree], b.c[b.degree]));
    for (int i = 0; i <= b.degree; i++) r.c[i + k] = sub(w, r.c[i + k], mul(w, q.c[k], b.c[i]));
  }
  return q;
}

bool roots_open(RootFinder *f, Arena *arena, const HalfPlanes *planes, uint32_t n) {
  HurwitzWork work = {.arena = arena}, *w = &work;
  int degree = (int)(n - planes->zero);
  RatPoly p = poly_new(w, degree), common;
  if (w->failed) return false;
  for (int i = 0; i <= degree; i++) p.c[i] = planes->characteristic[(uint32_t)i + planes->zero];
  if (degree > 0) {
    index_of(w, p, derivative(w, p), &common);
    if (!w->failed && common.degree > 0) p = quotient(w, p, common);
  }
  *f = (RootFinder){p.c, p.degree, (uint32_t)p.degree + (planes->zero ? 1 : 0)};
  return !w->failed;
}

static Rat number(Arena *arena, double x) {
  char text[40];
  int length = number_format(text, sizeof text, "%.17g", fabs(x));
  Rat r = rat_parse(arena, text, (size_t)length);
  return x < 0 ? rat_neg(arena, r) : r;
}

// p(z) and p'(z) by Horner's scheme.
static bool evaluate(const RootFinder *f, Arena *arena, double re, double im, double complex *value,
                     double complex *slope) {
  HurwitzWork work = {.arena = arena}, *w = &work;
  Rat a = number(arena, re), b = number(arena, im), p[2] = {RAT_ZERO, RAT_ZERO}, d[2] = {RAT_ZERO, RAT_ZERO};
  if (!rat_valid(a) || !rat_valid(b)) return false;
  for (int k = f->degree; k >= 0 && !w->failed; k--) {
    Rat next[2] = {checked(w, rat_add(arena, sub(w, mul(w, d[0], a), mul(w, d[1], b)), p[0])),
                   checked(w, rat_add(arena, checked(w, rat_add(arena, mul(w, d[0], b), mul(w, d[1], a))), p[1]))};
    d[0] = next[0];
    d[1] = next[1];
    Rat real = sub(w, mul(w, p[0], a), mul(w, p[1], b)),
        imaginary = checked(w, rat_add(arena, mul(w, p[0], b), mul(w, p[1], a)));
    p[0] = checked(w, rat_add(arena, real, f->c[k]));
    p[1] = imaginary;
  }
  if (w->failed) return false;
  *value = rat_to_double(p[0]) + I * rat_to_double(p[1]);
  *slope = rat_to_double(d[0]) + I * rat_to_double(d[1]);
  return true;
}

bool roots_refine(const RootFinder *f, Arena *arena, double *re, double *im, double *bound) {
  double complex z = *re + I * *im, value, slope;
  for (int round = 0; round < 12; round++) {
    ArenaMark mark = arena_mark(arena);
    bool ok = evaluate(f, arena, creal(z), cimag(z), &value, &slope);
    arena_release(arena, mark);
    if (!ok || slope == 0) return false;
    double complex step = value / slope;
    if (!isfinite(creal(step)) || !isfinite(cimag(step))) return false;
    z -= step;
    // a polynomial of degree n has a root within n steps of Newton's method
    double left = f->degree * cabs(step);
    bool real = fabs(creal(step)) <= DBL_EPSILON * fabs(creal(z)),
         imaginary = fabs(cimag(step)) <= DBL_EPSILON * fabs(cimag(z));
    if (!(real && imaginary) && left > DBL_EPSILON * DBL_EPSILON * cabs(z) && round < 11) continue;
    if (cabs(z - (*re + I * *im)) > 16 * *bound + 16 * DBL_EPSILON * cabs(z)) return false; // another one's
    *re = creal(z);
    *im = cimag(z);
    *bound = fmax(left, 4 * DBL_EPSILON * cabs(z));
    return left <= 1e-12 * cabs(z);
  }
  return false;
}

Rat *hurwitz_kernel(Arena *arena, const Rat *a, uint32_t n, uint32_t *count) {
  HurwitzWork work = {.arena = arena}, *w = &work;
  Rat *m = arena_array(arena, (size_t)n * n, sizeof *m), *out = arena_array(arena, (size_t)n * n, sizeof *out);
  int *pivot_of = arena_array(arena, n, sizeof *pivot_of); // row of the pivot in a column, plus one
  uint32_t row = 0;
  if (!m || !out || !pivot_of) return NULL;
  memcpy(m, a, (size_t)n * n * sizeof *m);
  for (uint32_t c = 0; c < n && row < n && !w->failed; c++) {
    uint32_t best = row;
    while (best < n && rat_is_zero(m[best * n + c])) best++;
    if (best == n) continue;
    Rat inverse = checked(w, rat_div(arena, RAT_ONE, m[best * n + c]));
    for (uint32_t j = 0; j < n; j++) {
      Rat swap = m[best * n + j];
      m[best * n + j] = m[row * n + j];
      m[row * n + j] = mul(w, swap, inverse);
    }
    for (uint32_t i = 0; i < n; i++) {
      Rat f = m[i * n + c];
      if (i == row || rat_is_zero(f)) continue;
      for (uint32_t j = 0; j < n; j++) m[i * n + j] = sub(w, m[i * n + j], mul(w, f, m[row * n + j]));
    }
    pivot_of[c] = (int)++row;
  }
  *count = 0;
  for (uint32_t c = 0; c < n && !w->failed; c++) {
    if (pivot_of[c]) continue;
    Rat *v = out + (size_t)(*count)++ * n;
    for (uint32_t j = 0; j < n; j++)
      v[j] = j == c ? RAT_ONE : pivot_of[j] ? rat_neg(arena, m[(uint32_t)(pivot_of[j] - 1) * n + c]) : RAT_ZERO;
  }
  return w->failed ? NULL : out;
}
