// Interpolating B-splines of degree 5 (not-a-knot) and their derivatives. See spline.h.
//
// how   y(t) = sum of c_j B_j(t) with as many B-splines as points. Knots are the points themselves but for the second
//       and third from each end (not-a-knot), so that polynomials of degree 5 are met exactly. The matrix B_j(t_i) has
//       five entries to each side of its diagonal and is totally positive: elimination needs no pivots (de Boor, A
//       Practical Guide to Splines, chapter 13). A derivative is a spline of one degree less whose coefficients are
//       differences of c. The error of a second derivative falls with the fourth power of the spacing.
#include "sim/spline.h"

enum { degree = 5, side = degree, band = 2 * side + 1 };

typedef struct Spline {
  const double *t, *knot;
  uint32_t count;
} Spline;

// The last knot at or before point i that has an interval behind it.
static uint32_t interval_of(const Spline *s, uint32_t i) {
  if (i < 3) return degree;
  return i + 3 < s->count ? i + 3 : s->count - 1;
}

// The d + 1 B-splines of degree d that are not zero at x, knot k at or before it (Cox and de Boor).
static void basis(const double *knot, uint32_t k, uint32_t d, double x, double *b) {
  b[0] = 1;
  for (uint32_t r = 1; r <= d; r++) {
    double carried = 0;
    for (uint32_t j = 0; j < r; j++) {
      double right = knot[k + j + 1], left = knot[k + j + 1 - r], part = b[j] / (right - left);
      b[j] = carried + (right - x) * part;
      carried = (x - left) * part;
    }
    b[r] = carried;
  }
}

// m: row by row, `band` numbers each, the diagonal in the middle. c: the right-hand side, then the solution.
static void solve(double *m, double *c, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = k + 1; i < n && i <= k + side; i++) {
      double part = m[(size_t)i * band + side + k - i] / m[(size_t)k * band + side];
      for (uint32_t j = 0; j <= side; j++)
        m[(size_t)i * band + side + k - i + j] -= part * m[(size_t)k * band + side + j];
      c[i] -= part * c[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = 1; j <= side && k + j < n; j++) c[k] -= m[(size_t)k * band + side + j] * c[k + j];
    c[k] /= m[(size_t)k * band + side];
  }
}

// c becomes the coefficients of the derivative, of degree d - 1; the knots are those from `from` on.
static void differentiate(const double *knot, uint32_t d, uint32_t n, double *c) {
  for (uint32_t j = 0; j + 1 < n; j++) c[j] = d * (c[j + 1] - c[j]) / (knot[j + d + 1] - knot[j + 1]);
}

static void values(const Spline *s, uint32_t lost, const double *c, double *out) {
  double b[degree + 1];
  uint32_t d = degree - lost;
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t k = interval_of(s, i);
    basis(s->knot, k, d, s->t[i], b);
    double sum = 0;
    for (uint32_t j = 0; j <= d; j++) sum += c[k - degree + j] * b[j];
    out[i] = sum;
  }
}

bool spline_slopes(Arena *arena, const double *t, const double *y, uint32_t count, double *first, double *second) {
  ArenaMark mark = arena_mark(arena);
  uint32_t n = count, knots = n + degree + 1;
  double *knot = arena_array(arena, knots, sizeof *knot), *m = arena_array(arena, (size_t)n * band, sizeof *m),
         *c = arena_array(arena, n, sizeof *c);
  bool ok = knot && m && c;
  Spline s = {t, knot, n};
  for (uint32_t k = 0; ok && k < knots; k++) knot[k] = k <= degree ? t[0] : k < n ? t[k - 3] : t[n - 1];
  for (uint32_t i = 0; ok && i < n; i++) {
    double b[degree + 1];
    uint32_t k = interval_of(&s, i);
    basis(knot, k, degree, t[i], b);
    for (uint32_t j = 0; j <= degree; j++) {
      uint32_t place = side + k - degree + j - i; // beside the diagonal
      if (place < band) m[(size_t)i * band + place] = b[j];
    }
    c[i] = y[i];
  }
  if (ok) {
    solve(m, c, n);
    differentiate(knot, degree, n, c);
    if (first) values(&s, 1, c, first);
    differentiate(knot + 1, degree - 1, n - 1, c);
    if (second) values(&s, 2, c, second);
  }
  arena_release(arena, mark);
  return ok;
}
