#include "hand_blocks.h"

#ifndef HAND_BLOCKS
#define HAND_BLOCKS hand_blocks
#endif

static void rates(const double *x, double *d, long n) {
  for (long i = 0; i < n; i++) {
    double e = (i ? x[i - 1] : 1.0) - x[i], m = 2 * e;
    m = m < -1 ? -1 : m > 1 ? 1 : m;
    d[i] = m - 0.1 * (e * e) * x[i];
  }
}

void HAND_BLOCKS(double *x, double *work, long n, double h, long steps) {
  double *d = work, *sum = work + n, *y = work + 2 * n;
  for (long s = 0; s < steps; s++) {
    rates(x, sum, n);
    for (long i = 0; i < n; i++) y[i] = x[i] + h / 2 * sum[i];
    rates(y, d, n);
    for (long i = 0; i < n; i++) sum[i] += 2 * d[i], y[i] = x[i] + h / 2 * d[i];
    rates(y, d, n);
    for (long i = 0; i < n; i++) sum[i] += 2 * d[i], y[i] = x[i] + h * d[i];
    rates(y, d, n);
    for (long i = 0; i < n; i++) x[i] += h / 6 * (sum[i] + d[i]);
  }
}
