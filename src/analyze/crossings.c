// Crossings of a frequency response.
//
// Without delays they are zeros of a rational function on the imaginary axis:
//   |G| = g       zeros of  G(-s) G(s) - g^2,    realized by  [A, 0; -C'C, -A'], [B; -C'D], [D C, B'], D^2 - g^2
//   Im G = 0      zeros of  G(s) - G(-s),        realized by  [A, 0; 0, -A], [B; B], [C, C], 0
// All zeros of these are found (zeros.h); only at the size of their imaginary parts may the function change its sign.
// So between neighbours among them one value tells the sign, and where it changes the root lies in between: bisection
// by Brent's method goes to the last digit. Zeros on the axis without a change touch.
// Where poles span decades rounding may take candidates away. So signs are compared a second time, at frequencies that
// poles and zeros of G themselves give: their sizes and imaginary parts, steps of their width beside these, and three
// between neighbours. A change of sign without a crossing is one more.
// A sampled path is taken to the half plane by z = (1 + s)/(1 - s), w = 2 atan(s/i)/T, unless -1 is a pole.
//
// With delays the function is resolved by Chebyshev polynomials of degree 16 on pieces, which are halved until the last
// coefficients are small; roots of the pieces are eigenvalues of their colleague matrices. Pieces begin at the poles
// and zeros of the path without its delays, so no resonance lies inside of one unseen. Beyond a frequency at which
// bounds of the norms say |G| < floor nothing is looked for, which is reported.
#include "analyze/crossings.h"

#include "analyze/far.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double noise = 1e-13;    // of what is watched, which is at most 1
static const double resolved = 2e-12; // of polynomials, which only say where to look

enum { degree = 16, deepest = 30, most_pieces = 20000 };

typedef struct CrossingSearch {
  Arena *arena;
  const SolveModule *module;
  const LinearSystem *s;
  const CrossingRequest *request;
  Response response;
  Crossings *out;
  uint32_t pieces;
  double point[degree + 1]; // cos(pi k/degree)
} CrossingSearch;

// What vanishes: bounded and smooth, also at poles of G.
static double watched(CrossingSearch *x, double w) {
  Complex g = response_frequency(&x->response, w);
  double size = cabs(g), level = x->request->level;
  if (x->request->kind == crossing_level) {
    if (!isfinite(size)) return 1;
    return size > level ? 1 - (level / size) * (level / size) : (size / level) * (size / level) - 1;
  }
  if (!isfinite(size)) return 0;
  return size > 1 ? cimag(g) / size / size : cimag(g);
}

// The root between a and b, where the signs differ, by Brent's method.
static double root_between(CrossingSearch *x, double a, double b, double fa, double fb) {
  double c = a, fc = fa, d = b - a, e = d;
  for (int i = 0; i < 200; i++) {
    if ((fb > 0) == (fc > 0)) c = a, fc = fa, d = e = b - a;
    if (fabs(fc) < fabs(fb)) a = b, b = c, c = a, fa = fb, fb = fc, fc = fa;
    double tol = 2 * DBL_EPSILON * fabs(b), m = (c - b) / 2;
    if (fabs(m) <= tol || fb == 0) return b;
    if (fabs(e) >= tol && fabs(fa) > fabs(fb)) {
      double s = fb / fa, p, q;
      if (a == c) {
        p = 2 * m * s, q = 1 - s;
      } else {
        double r = fb / fc, t = fa / fc;
        p = s * (2 * m * t * (t - r) - (b - a) * (r - 1)), q = (t - 1) * (r - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      else p = -p;
      if (2 * p < fmin(3 * m * q - fabs(tol * q), fabs(e * q))) e = d, d = p / q;
      else d = e = m;
    } else {
      d = e = m;
    }
    a = b, fa = fb;
    b += fabs(d) > tol ? d : m > 0 ? tol : -tol;
    fb = watched(x, b);
  }
  return b;
}

// A pole on the axis, where the signs change through infinity: G falls off fast beside it.
static bool is_pole(CrossingSearch *x, double w, double size) {
  static const double beside = 1e-10;
  return !isfinite(size) || (size > 10 * cabs(response_frequency(&x->response, w * (1 + beside))) &&
                             size > 10 * cabs(response_frequency(&x->response, w * (1 - beside))));
}

static bool put(CrossingSearch *x, double w, bool touches) {
  Crossing c = {.w = w, .value = response_frequency(&x->response, w), .touches = touches};
  if (is_pole(x, w, cabs(c.value))) return true;
  return vec_push(x->arena, &x->out->list, c);
}

// ---- without delays

// The function whose zeros on the axis are wanted. False: out of memory.
static bool mirrored(CrossingSearch *x, const LinearSystem *s, LinearSystem *out) {
  size_t n = s->n, wide = 2 * n;
  if (!system_room(out, x->arena, (uint32_t)wide, 1, 1, 0)) return false;
  double g = x->request->level, d = s->D[0];
  bool level = x->request->kind == crossing_level;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      out->A[i * wide + j] = s->A[i * n + j];
      out->A[(n + i) * wide + n + j] = level ? -s->A[j * n + i] : -s->A[i * n + j];
      if (level) out->A[(n + i) * wide + j] = -s->C[i] * s->C[j] / g / g;
    }
    out->B[i] = s->B[i];
    out->B[n + i] = level ? -s->C[i] * d / g / g : s->B[i];
    out->C[i] = level ? d * s->C[i] / g / g : s->C[i];
    out->C[n + i] = level ? s->B[i] : s->C[i];
  }
  out->D[0] = level ? (d / g) * (d / g) - 1 : 0;
  if (fabs(out->D[0]) < 1e-11)
    out->D[0] = 0; // the end of high frequencies is at the level: nothing divides by rounding
  return true;
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// One number that cannot be a root between neighbours: their geometric mean.
static double middle(double a, double b) { return a == 0 ? b / 2 : sqrt(a) * sqrt(b); }

// Candidates in rising order, `top`: no root lies above. Signs between them decide.
static bool sift(CrossingSearch *x, double *at, uint32_t count, double top) {
  qsort(at, count, sizeof *at, by_number);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) { // equal ones within rounding are one
    if (!(at[i] > 0) || !(at[i] < top)) continue;
    if (kept && at[i] - at[kept - 1] <= 1e-11 * at[i]) continue;
    at[kept++] = at[i];
  }
  double low = kept ? middle(0, at[0]) : 0, f_low = kept ? watched(x, low) : 0;
  for (uint32_t i = 0; i < kept; i++) {
    double high = i + 1 < kept ? middle(at[i], at[i + 1]) : isfinite(top) ? (at[i] + top) / 2 : 2 * at[i];
    double f_high = watched(x, high);
    if (fabs(f_low) <= noise) f_low = 0; // no sign: it begins there
    if ((f_low > 0) != (f_high > 0) && f_low != 0 && f_high != 0) {
      if (!put(x, root_between(x, low, high, f_low, f_high), false)) return false;
    } else if (fabs(watched(x, at[i])) <= 1e-9 && f_low != 0) {
      // it may touch: both sides are far larger
      bool alone = fabs(f_low) > 1e-6 && fabs(f_high) > 1e-6;
      if (alone && !put(x, at[i], true)) return false;
    }
    low = high;
    f_low = f_high;
  }
  return true;
}

// z = (1 + s)/(1 - s): the discrete path as one of s. *possible: -1 is no pole.
static bool to_half_plane(CrossingSearch *x, LinearSystem *out, bool *possible) {
  const LinearSystem *s = x->s;
  size_t n = s->n, wide = n + 1;
  double *m = arena_array(x->arena, n * n + 1, sizeof *m), *r = arena_array(x->arena, n * wide + 1, sizeof *r);
  if (!m || !r || !system_room(out, x->arena, s->n, 1, 1, 0)) return false;
  // with P = (A + 1)^-1: A' = P (A - 1), B' = 2 P B, C' = C P, D' = D - C P B; states halved between B and C
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      m[i * n + j] = s->A[i * n + j] + (i == j);
      r[i * wide + j] = i == j;
    }
    r[i * wide + n] = s->B[i];
  }
  double before = dense_norm(n * n, m);
  *possible = dense_solve(s->n, (uint32_t)wide, m, r);
  double inverse = 0;
  for (size_t i = 0; i < n && *possible; i++) {
    for (size_t j = 0; j < n; j++) inverse = fmax(inverse, fabs(r[i * wide + j]));
  }
  *possible = *possible && inverse * before < 1e8;
  if (!*possible) return true;
  out->D[0] = s->D[0];
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      out->A[i * n + j] = (i == j) - 2 * r[i * wide + j];
      out->C[j] += s->C[i] * r[i * wide + j];
    }
    out->B[i] = 2 * r[i * wide + n];
    out->D[0] -= s->C[i] * r[i * wide + n];
  }
  return true;
}

enum { beside = 6, between = 4, at_each = 2 * beside + 2 };

// Frequencies near which G changes fast because of a pole or zero v: its size, its imaginary part, and that plus and
// minus 1/2, 1, ..., 16 times its real part.
static uint32_t put_scales(const LinearSystem *s, Complex v, double *at) {
  uint32_t count = 0;
  if (s->period > 0) v = v == 0 ? pi / s->period : clog(v) / s->period;
  double middle_at = fabs(cimag(v)), width = fabs(creal(v));
  at[count++] = cabs(v);
  at[count++] = middle_at;
  for (int k = 0; k < beside; k++) {
    at[count++] = middle_at + ldexp(width, k - 1);
    at[count++] = middle_at - ldexp(width, k - 1);
  }
  return count;
}

// Does the list have a crossing between a and b?
static bool has_crossing(const CrossingSearch *x, double a, double b) {
  for (uint32_t i = 0; i < x->out->list.count; i++) {
    const Crossing *c = &x->out->list.items[i];
    if (!c->touches && c->w >= a * (1 - 1e-9) && c->w <= b * (1 + 1e-9)) return true;
  }
  return false;
}

// A change of sign between neighbours that no crossing explains is one more.
static bool compare_signs(CrossingSearch *x, const double *at, uint32_t count, double top) {
  double low = 0, f_low = 0;
  for (uint32_t i = 0; i + 1 < count; i++) {
    for (int k = 0; k < between; k++) {
      double w = at[i] * pow(at[i + 1] / at[i], (double)k / between);
      if (!(w > low) || !(w < top)) continue;
      double f = watched(x, w);
      if (fabs(f) <= noise) continue; // no sign
      bool changes = f_low != 0 && (f > 0) != (f_low > 0);
      if (changes && !has_crossing(x, low, w) && !put(x, root_between(x, low, w, f_low, f), false)) return false;
      low = w;
      f_low = f;
    }
  }
  return true;
}

static DenseStatus scan(CrossingSearch *x) {
  const LinearSystem *s = x->s;
  Zeros zeros = {0};
  Complex *poles = arena_array(x->arena, (size_t)s->n + 1, sizeof *poles);
  if (!poles) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(x->arena, x->module, s->n, s->A, poles, NULL);
  if (status == dense_done) status = zeros_find(x->arena, x->module, s, &zeros);
  if (status != dense_done) return status;
  uint32_t all = s->n + zeros.count, count = 0, kept = 0;
  double *at = arena_array(x->arena, (size_t)all * at_each + 2, sizeof *at), most = 0, least = INFINITY;
  if (!at) return dense_no_memory;
  for (uint32_t i = 0; i < all; i++) count += put_scales(s, i < s->n ? poles[i] : zeros.values[i - s->n], at + count);
  for (uint32_t i = 0; i < count; i++) {
    if (at[i] > 0 && isfinite(at[i])) at[kept++] = at[i], most = fmax(most, at[i]), least = fmin(least, at[i]);
  }
  if (kept == 0) return dense_done;
  at[kept++] = least / 32;
  at[kept++] = 32 * most;
  qsort(at, kept, sizeof *at, by_number);
  return compare_signs(x, at, kept, s->period > 0 ? pi / s->period : INFINITY) ? dense_done : dense_no_memory;
}

static DenseStatus find_rational(CrossingSearch *x, bool *done) {
  LinearSystem flat, mirror;
  const LinearSystem *s = x->s;
  Zeros zeros;
  *done = true;
  if (x->s->period > 0) {
    if (!to_half_plane(x, &flat, done)) return dense_no_memory;
    if (!*done) return dense_done;
    s = &flat;
  }
  if (!mirrored(x, s, &mirror)) return dense_no_memory;
  DenseStatus status = zeros_find(x->arena, x->module, &mirror, &zeros);
  if (status != dense_done) return status;
  double *at = arena_array(x->arena, (size_t)zeros.count + 1, sizeof *at);
  if (!at) return dense_no_memory;
  double top = INFINITY;
  for (uint32_t i = 0; i < zeros.count; i++) at[i] = fabs(cimag(zeros.values[i]));
  if (x->s->period > 0) {
    top = pi / x->s->period;
    for (uint32_t i = 0; i < zeros.count; i++) at[i] = 2 * atan(at[i]) / x->s->period;
  }
  if (!sift(x, at, zeros.count, top)) return dense_no_memory;
  return x->request->scan ? scan(x) : dense_done;
}

// ---- with delays

// Coefficients of the polynomial through the values at the points cos(pi k/degree) of [a, b].
static void chebyshev(const double *point, const double *f, double *c) {
  for (int k = 0; k <= degree; k++) {
    double sum = 0;
    for (int j = 0; j <= degree; j++) {
      int turn = j * k % (2 * degree); // cos(pi j k/degree)
      sum += (j == 0 || j == degree ? 0.5 : 1) * f[j] * point[turn <= degree ? turn : 2 * degree - turn];
    }
    c[k] = 2 * sum / degree * (k == 0 || k == degree ? 0.5 : 1);
  }
}

// Real roots in [-1, 1] by the colleague matrix; -1: it did not converge.
static int chebyshev_roots(CrossingSearch *x, const double *c, double *roots) {
  double most = 0, rest = 0, a[degree * degree] = {0};
  Complex values[degree];
  int n = degree;
  for (int k = 0; k <= degree; k++) most = fmax(most, fabs(c[k])), rest += k ? fabs(c[k]) : 0;
  if (fabs(c[0]) > rest) return 0; // each polynomial is at most 1
  while (n > 0 && fabs(c[n]) <= 1e-14 * most) n--;
  if (n < 1) return 0;
  for (int i = 0; i < n; i++) { // x T_i = (T_(i-1) + T_(i+1))/2
    if (i == 0 && n > 1) a[1] = 1;
    if (i > 0) a[i * n + i - 1] = 0.5;
    if (i > 0 && i + 1 < n) a[i * n + i + 1] = 0.5;
  }
  for (int k = 0; k < n; k++) a[(n - 1) * n + k] -= (n == 1 ? 1 : 0.5) * c[k] / c[n];
  if (n == 1) {
    roots[0] = -c[0] / c[1];
    return fabs(roots[0]) <= 1 + 1e-9;
  }
  if (dense_eigenvalues(x->arena, x->module, (uint32_t)n, a, values, NULL) != dense_done) return -1;
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (fabs(cimag(values[i])) <= 1e-6 && fabs(creal(values[i])) <= 1 + 1e-9) roots[count++] = creal(values[i]);
  }
  return count;
}

// What rounding makes of G near w, as beside a pole that a zero takes out: values of near neighbours differ.
static double rounding_at(CrossingSearch *x, double w) {
  double most = 0, first = watched(x, w);
  for (int i = 1; i <= 5; i++) most = fmax(most, fabs(watched(x, w * (1 + i * 2.7e-10)) - first));
  return most;
}

// Everything on one piece. False: out of memory.
static bool piece(CrossingSearch *x, double a, double b, int depth) {
  double f[degree + 1], c[degree + 1], roots[degree + 1], most = 0, tail = 0;
  if (++x->pieces > most_pieces) {
    x->out->cut = true;
    x->out->until = fmin(x->out->until, a);
    return true;
  }
  for (int j = 0; j <= degree; j++) {
    f[j] = watched(x, (a + b) / 2 + (b - a) / 2 * x->point[j]);
    most = fmax(most, fabs(f[j]));
  }
  chebyshev(x->point, f, c);
  for (int k = degree - 2; k <= degree; k++) tail = fmax(tail, fabs(c[k]));
  if (most <= noise) return true; // nothing but rounding
  bool rough = tail > fmax(1e-7 * most, resolved);
  if (rough && depth > 2) rough = tail > 20 * rounding_at(x, (a + b) / 2);
  if (rough && depth < deepest && b - a > 1e-12 * b)
    return piece(x, a, (a + b) / 2, depth + 1) && piece(x, (a + b) / 2, b, depth + 1);
  int count = chebyshev_roots(x, c, roots);
  if (count < 0 && depth < deepest) return piece(x, a, (a + b) / 2, depth + 1) && piece(x, (a + b) / 2, b, depth + 1);
  for (int i = 0; i < count; i++) roots[i] = fmin(fmax((a + b) / 2 + (b - a) / 2 * roots[i], a), b);
  qsort(roots, (size_t)count, sizeof *roots, by_number);
  double low = a, f_low = f[degree];
  for (int i = 0; i < count; i++) {
    double high = i + 1 < count ? (roots[i] + roots[i + 1]) / 2 : b, f_high = watched(x, high);
    if (f_high == 0) f_high = f_low; // the end itself belongs to the next piece
    if ((f_low > 0) != (f_high > 0) && f_low != 0 && !put(x, root_between(x, low, high, f_low, f_high), false))
      return false;
    low = high;
    f_low = f_high;
  }
  return true;
}

static DenseStatus find_delayed(CrossingSearch *x) {
  const LinearSystem *s = x->s;
  Complex *values = arena_array(x->arena, (size_t)s->n + 1, sizeof *values);
  Zeros zeros = {0};
  double shortest = INFINITY;
  if (!values) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(x->arena, x->module, s->n, s->A, values, NULL);
  if (status == dense_done) status = zeros_find(x->arena, x->module, s, &zeros);
  if (status != dense_done) return status;
  double floor = x->request->kind == crossing_level ? x->request->level : x->request->floor;
  double top = pi / s->period, least = INFINITY, most = 0;
  if (!(s->period > 0)) status = far_frequency(x->arena, x->module, s, floor - fabs(s->D[0]), &top);
  if (status != dense_done) return status;
  uint32_t count = 0, all = s->n + zeros.count;
  double *at = arena_array(x->arena, (size_t)all + 2, sizeof *at);
  if (!at) return dense_no_memory;
  for (uint32_t i = 0; i < all; i++) {
    Complex v = i < s->n ? values[i] : zeros.values[i - s->n];
    if (s->period > 0) v = clog(v == 0 ? 1e-300 : v) / s->period;
    if (cabs(v) > 0) least = fmin(least, cabs(v));
    most = fmax(most, cabs(v));
    if (fabs(cimag(v)) > 0 && fabs(cimag(v)) < top) at[count++] = fabs(cimag(v));
  }
  for (uint32_t k = 0; k < s->delays; k++) shortest = fmin(shortest, s->time[k]);
  if (s->delays) least = fmin(least, 1 / shortest);
  if (!isfinite(top)) {
    top = fmax(100 * most, s->delays ? 200 / shortest : 0);
    x->out->cut = true;
  }
  x->out->until = top;
  if (s->delays && x->request->kind == crossing_real) x->out->cut = true;
  double low = fmin(isfinite(least) ? least : 1, top) * 1e-6;
  qsort(at, count, sizeof *at, by_number);
  at[count++] = top;
  for (uint32_t i = 0; i < count; i++) {
    // by decades up to the next one, so that small frequencies have their own pieces
    while (low < at[i] && at[i] - low > 1e-12 * at[i]) {
      double high = fmin(at[i], low * 4);
      if (at[i] < high * 1.2) high = at[i];
      if (!piece(x, low, high, 0)) return dense_no_memory;
      low = high;
    }
  }
  return dense_done;
}

static int by_frequency(const void *a, const void *b) {
  double x = ((const Crossing *)a)->w, y = ((const Crossing *)b)->w;
  return (x > y) - (x < y);
}

DenseStatus crossings_find(Arena *arena, const SolveModule *module, const LinearSystem *path,
                           const CrossingRequest *request, Crossings *out) {
  CrossingSearch search = {.arena = arena, .module = module, .s = path, .request = request, .out = out}, *x = &search;
  *out = (Crossings){.arena = arena};
  for (int k = 0; k <= degree; k++) x->point[k] = cos(pi * k / degree);
  if (request->kind == crossing_level && !(request->level > 0)) return dense_done;
  DenseStatus status = response_open(&x->response, arena, module, path);
  bool done = path->delays == 0;
  if (status == dense_done && done) status = find_rational(x, &done);
  if (status == dense_done && !done) status = find_delayed(x);
  if (status != dense_done) return status;
  if (out->list.count) qsort(out->list.items, out->list.count, sizeof *out->list.items, by_frequency);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->list.count; i++) {
    if (kept && out->list.items[i].w - out->list.items[kept - 1].w <= 1e-10 * out->list.items[i].w) continue;
    out->list.items[kept++] = out->list.items[i];
  }
  out->list.count = kept;
  return arena_failed(arena) ? dense_no_memory : dense_done;
}
