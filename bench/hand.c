#include "hand.h"

#include <math.h>

// y = x, th1, th2 and their rates
void hand_f(double t, const double *y, double *d) {
  const double m1 = 1, m2 = 0.5, m3 = 0.3, l1 = 0.2, l2 = 0.2, g = 9.81, d1 = 0.1, d2 = 0.2, d3 = 0.3;
  (void)t;
  double s1 = sin(y[1]), c1 = cos(y[1]), s2 = sin(y[2]), c2 = cos(y[2]);
  double s12 = s1 * c2 - c1 * s2, c12 = c1 * c2 + s1 * s2;
  double v = y[3], w1 = y[4], w2 = y[5];
  double a11 = m1 + m2 + m3, a12 = l1 * (m2 + m3) * c1, a13 = l2 * m3 * c2;
  double a22 = l1 * l1 * (m2 + m3), a23 = l1 * l2 * m3 * c12, a33 = l2 * l2 * m3;
  double b1 = l1 * (m2 + m3) * s1 * w1 * w1 + l2 * m3 * s2 * w2 * w2 - d1 * v;
  double b2 = -l1 * l2 * m3 * s12 * w2 * w2 + g * l1 * (m2 + m3) * s1 - d2 * w1;
  double b3 = l1 * l2 * m3 * s12 * w1 * w1 + g * l2 * m3 * s2 - d3 * w2;
  // elimination without pivoting
  double f = a12 / a11, e = a13 / a11;
  a22 -= f * a12;
  a23 -= f * a13;
  b2 -= f * b1;
  a33 -= e * a13;
  b3 -= e * b1;
  double k = a23 / a22;
  a33 -= k * a23;
  b3 -= k * b2;
  double x3 = b3 / a33, x2 = (b2 - a23 * x3) / a22, x1 = (b1 - a12 * x2 - a13 * x3) / a11;
  d[0] = v;
  d[1] = w1;
  d[2] = w2;
  d[3] = x1;
  d[4] = x2;
  d[5] = x3;
}

void hand_rk4(double *y, double h, long steps) {
  double k1[6], k2[6], k3[6], k4[6], z[6];
  for (long n = 0; n < steps; n++) {
    hand_f(0, y, k1);
    for (int i = 0; i < 6; i++) z[i] = y[i] + h / 2 * k1[i];
    hand_f(0, z, k2);
    for (int i = 0; i < 6; i++) z[i] = y[i] + h / 2 * k2[i];
    hand_f(0, z, k3);
    for (int i = 0; i < 6; i++) z[i] = y[i] + h * k3[i];
    hand_f(0, z, k4);
    for (int i = 0; i < 6; i++) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}
