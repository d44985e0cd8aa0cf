// Polynomials of degree 8 on a piece of a step, through the values at its nine Chebyshev points.
//
//   s_j = (1 - cos(pi j/8))/2, j = 0 .. 8;   p(s) = sum c_k T_k(1 - 2 s),   c_k = 2/8 sum_j w_j v_j cos(pi j k/8)
//
// Why 8: the continuous extension of dop853 has order 7, and one more shows what does not fit.
#ifndef VIVA_SOLVE_CHEBYSHEV_H
#define VIVA_SOLVE_CHEBYSHEV_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum {
  poly_degree = 8,
  poly_points = poly_degree + 1,
  poly_golden_rounds = 60, // to 3e-13 of the piece: a minimum is flat long before
  poly_bisections = 200    // more than a double has bits
};

typedef struct Poly {
  double c[poly_points];
  double size; // of the largest values
} Poly;

// The points, and cos(pi j k/8).
static inline void poly_table(double node[poly_points], double cosine[poly_points][poly_points]) {
  static const double pi = 3.141592653589793238;
  for (int j = 0; j < poly_points; j++) {
    node[j] = 0.5 * (1 - cos(pi * j / poly_degree));
    for (int k = 0; k < poly_points; k++) cosine[j][k] = cos(pi * j * k / poly_degree);
  }
}

// v: a value each point, `stride` doubles apart.
static inline Poly poly_fit(const double *v, size_t stride, const double cosine[poly_points][poly_points]) {
  Poly p = {.size = 0};
  for (int j = 0; j < poly_points; j++) { // point by point: the sums of all coefficients go side by side
    double value = (j == 0 || j == poly_degree ? 0.5 : 1) * v[(size_t)j * stride];
    for (int k = 0; k < poly_points; k++) p.c[k] += value * cosine[j][k];
  }
  for (int k = 0; k < poly_points; k++) p.c[k] = p.c[k] * 2 / poly_degree;
  p.c[0] *= 0.5;
  p.c[poly_degree] *= 0.5;
  for (int k = 0; k < poly_points; k++) p.size += fabs(p.c[k]);
  return p;
}

static inline double poly_value(const Poly *p, double s) {
  double u = 1 - 2 * s, a = 0, b = 0; // Clenshaw
  for (int k = poly_degree; k > 0; k--) {
    double next = 2 * u * a - b + p->c[k];
    b = a;
    a = next;
  }
  return u * a - b + p->c[0];
}

// The values at 0, 1/32, ..., 1 (and at one point more: an even number is computed side by side): those of poly_value.
enum { poly_grid_parts = 32, poly_grid_room = poly_grid_parts + 2 };
static inline void poly_grid(const Poly *p, double values[poly_grid_room]) {
  double u[poly_grid_room], a[poly_grid_room], b[poly_grid_room];
  for (int i = 0; i < poly_grid_room; i++) {
    u[i] = 1 - 2 * ((double)i / poly_grid_parts);
    a[i] = b[i] = 0;
  }
  for (int k = poly_degree; k > 0; k--) {
    for (int i = 0; i < poly_grid_room; i++) {
      double next = 2 * u[i] * a[i] - b[i] + p->c[k];
      b[i] = a[i];
      a[i] = next;
    }
  }
  for (int i = 0; i < poly_grid_room; i++) values[i] = u[i] * a[i] - b[i] + p->c[0];
}

// d/ds
static inline double poly_slope(const Poly *p, double s) {
  // T_k' = k U_(k-1)
  double u = 1 - 2 * s, before = 0, now = 1, sum = 0; // U_(k-2), U_(k-1)
  for (int k = 1; k < poly_points; k++) {
    sum += k * p->c[k] * now;
    double next = 2 * u * now - before;
    before = now;
    now = next;
  }
  return -2 * sum;
}

// The argument of the smallest (sign 1) or largest (sign -1) value between a and b.
static inline double poly_extremum(const Poly *p, double a, double b, double sign) {
  const double g = 0.61803398874989485; // golden section
  double x1 = b - g * (b - a), x2 = a + g * (b - a), f1 = sign * poly_value(p, x1), f2 = sign * poly_value(p, x2);
  for (int i = 0; i < poly_golden_rounds; i++) {
    if (f1 <= f2) {
      b = x2;
      x2 = x1;
      f2 = f1;
      x1 = b - g * (b - a);
      f1 = sign * poly_value(p, x1);
    } else {
      a = x1;
      x1 = x2;
      f1 = f2;
      x2 = a + g * (b - a);
      f2 = sign * poly_value(p, x2);
    }
  }
  return f1 <= f2 ? x1 : x2;
}

// Where between a and b the sign of a computed value has to be looked at: all of it, unless bounds say that the
// polynomial falls throughout, by `steep` at least. Then it is positive before *low and negative behind *high, by more
// than rounding.
static inline void poly_narrow(const Poly *p, double a, double b, double *low, double *high) {
  enum { most_newton = 8 };
  double bend = 0, rounding = 0, mid = 0.5 * (a + b), r = mid, v = 0;
  for (int k = 0; k < poly_points; k++) { // |T_k''| <= k^2 (k^2 - 1)/3
    bend += 4.0 / 3 * k * k * (k * k - 1) * fabs(p->c[k]);
    rounding += 4 * DBL_EPSILON * (k + 1) * (k + 1) * fabs(p->c[k]);
  }
  *low = a;
  *high = b;
  double steep = -poly_slope(p, mid) - 0.51 * bend * (b - a);
  if (!(steep > 0)) return;
  for (int i = 0; i < most_newton; i++) {
    v = poly_value(p, r);
    if (fabs(v) <= rounding) break;
    r -= v / poly_slope(p, r);
    r = r < a ? a : r > b ? b : r;
  }
  double around = (fabs(poly_value(p, r)) + 2 * rounding) / steep;
  *low = r - around;
  *high = r + around;
}

// Bisection between points of the grid goes through dyadic fractions: those on which low and high agree are passed in
// one leap.
static inline void poly_leap(double low, double high, double *a, double *b) {
  enum { bits = 52, grid_bits = 5 };
  const double one = 0x1p52;
  if (!(*a < low && high < *b && *b - *a == 1.0 / (1 << grid_bits) &&
        floor(*b * (1 << grid_bits)) == *b * (1 << grid_bits)))
    return;
  uint64_t from = (uint64_t)floor(low * one), to = (uint64_t)floor(high * one) + 1;
  int level = bits;
  for (uint64_t apart = from ^ to; apart; apart >>= 1) level--;
  if (level <= grid_bits) return;
  double part = (double)(from >> (bits - level)), scale = (double)((uint64_t)1 << level);
  *a = part / scale;
  *b = (part + 1) / scale;
}

// Positive at a, not at b: the double at which bisection ends. Where the sign is known it is not computed.
static inline double poly_crossing(const Poly *p, double a, double b) {
  double low, high;
  poly_narrow(p, a, b, &low, &high);
  poly_leap(low, high, &a, &b);
  for (int i = 0; i < poly_bisections; i++) {
    double mid = 0.5 * (a + b);
    if (mid <= a || mid >= b) break;
    if (mid < low || (mid <= high && poly_value(p, mid) > 0)) a = mid;
    else b = mid;
  }
  return b;
}

#endif
