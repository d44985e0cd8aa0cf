// Distributions and tests. See statistics.h.
//
// Incomplete gamma and beta functions by their series and continued fractions (Lentz); the logarithm of the gamma
// function by Stirling's series behind a shift, because that of the C library writes to a global.
#include "fit/statistics.h"

#include <math.h>

static double log_gamma(double x) {
  double shift = 0;
  for (; x < 12; x++) shift += log(x);
  double i = 1 / x, i2 = i * i;
  return (x - 0.5) * log(x) - x + 0.91893853320467274 +
         i * (1.0 / 12 - i2 * (1.0 / 360 - i2 * (1.0 / 1260 - i2 / 1680))) - shift;
}

static double guarded(double v) { return fabs(v) < 1e-300 ? 1e-300 : v; }

double chi_square_above(double x, double n) {
  double a = n / 2, z = x / 2;
  if (!(x > 0)) return 1;
  double front = exp(a * log(z) - z - log_gamma(a));
  if (z < a + 1) {
    double term = 1 / a, sum = term;
    for (int i = 1; i < 10000 && term > 1e-17 * sum; i++) sum += term *= z / (a + i);
    return 1 - front * sum;
  }
  double b = z + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (int i = 1; i < 10000; i++) {
    double an = -i * (i - a);
    b += 2;
    d = 1 / guarded(an * d + b);
    c = guarded(b + an / c);
    h *= d * c;
    if (fabs(d * c - 1) < 1e-15) break;
  }
  return front * h;
}

// The continued fraction of the incomplete beta function.
static double beta_fraction(double a, double b, double x) {
  double c = 1, d = 1 / guarded(1 - (a + b) * x / (a + 1)), h = d;
  for (int m = 1; m < 10000; m++) {
    double e = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guarded(1 + e * d);
    c = guarded(1 + e / c);
    h *= d * c;
    e = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guarded(1 + e * d);
    c = guarded(1 + e / c);
    h *= d * c;
    if (fabs(d * c - 1) < 1e-15) break;
  }
  return h;
}

static double incomplete_beta(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x >= 1;
  double front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_two_sided(double probability, double n) {
  double low = 0, high = 1;
  if (!(n > 0)) return INFINITY;
  // P(|T| > t) = I_{n/(n + t^2)}(n/2, 1/2)
  while (high < 1e12 && incomplete_beta(n / 2, 0.5, n / (n + high * high)) > 1 - probability) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
    double middle = low + (high - low) / 2;
    if (incomplete_beta(n / 2, 0.5, n / (n + middle * middle)) > 1 - probability) low = middle;
    else high = middle;
  }
  return high;
}

ResidualTests residual_tests(const double *r, size_t count) {
  ResidualTests t = {.lag1 = NAN, .white = NAN, .p_white = NAN, .normal = NAN, .p_normal = NAN};
  double n = (double)count, mean = 0, m2 = 0, m3 = 0, m4 = 0;
  if (count < 8) return t;
  for (size_t i = 0; i < count; i++) mean += r[i] / n;
  for (size_t i = 0; i < count; i++) {
    double d = r[i] - mean;
    m2 += d * d / n;
    m3 += d * d * d / n;
    m4 += d * d * d * d / n;
  }
  if (!(m2 > 0)) return t;
  t.lags = count / 4 < 20 ? (unsigned)(count / 4) : 20;
  t.white = 0;
  for (unsigned lag = 1; lag <= t.lags; lag++) {
    double c = 0;
    for (size_t i = lag; i < count; i++) c += (r[i] - mean) * (r[i - lag] - mean) / n;
    c /= m2;
    if (lag == 1) t.lag1 = c;
    t.white += n * (n + 2) * c * c / (n - lag);
  }
  t.p_white = chi_square_above(t.white, t.lags);
  double skew = m3 / (m2 * sqrt(m2)), excess = m4 / (m2 * m2) - 3;
  t.normal = n / 6 * (skew * skew + excess * excess / 4);
  t.p_normal = chi_square_above(t.normal, 2);
  return t;
}
