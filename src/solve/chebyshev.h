// Polynomials of degree 8 on a piece of a step, through the values at its nine Chebyshev points.
//
//   s_j = (1 - cos(pi j/8))/2, j = 0 .. 8;   p(s) = sum c_k T_k(1 - 2 s),   c_k = 2/8 sum_j w_j v_j cos(pi j k/8)
//
// Why 8: the continuous extension of dop853 has order 7, and one more shows what does not fit.
#ifndef VIVA_SOLVE_CHEBYSHEV_H
#define VIVA_SOLVE_CHEBYSHEV_H

#include <math.h>
#include <stddef.h>

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
  for (int k = 0; k < poly_points; k++) {
    double sum = 0;
    for (int j = 0; j < poly_points; j++)
      sum += (j == 0 || j == poly_degree ? 0.5 : 1) * v[(size_t)j * stride] * cosine[j][k];
    p.c[k] = sum * 2 / poly_degree;
  }
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

// The values at 0, 1/32, ..., 1 (and at one place more: an even number is computed side by side): those of poly_value.
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

// The place of the smallest (sign 1) or largest (sign -1) value between a and b.
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

// Positive at a, not at b.
static inline double poly_crossing(const Poly *p, double a, double b) {
  for (int i = 0; i < poly_bisections; i++) {
    double mid = 0.5 * (a + b);
    if (mid <= a || mid >= b) break;
    if (poly_value(p, mid) > 0) a = mid;
    else b = mid;
  }
  return b;
}

#endif
