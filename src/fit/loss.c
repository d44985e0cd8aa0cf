// Robust loss functions. See loss.h.
#include "fit/loss.h"

#include <math.h>
#include <stdlib.h>

static const double bend_at = 1.345; // c

double loss_residual(const FitLoss *l, double r, double *slope) {
  double c = bend_at * l->scale, size = fabs(r);
  *slope = 1;
  if (l->kind == loss_square || size <= c) return r;
  double root = sqrt(c * (2 * size - c));
  *slope = c / root;
  return r < 0 ? -root : root;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double loss_scale(const double *r, size_t count, double *room) {
  if (!count) return 0;
  for (size_t i = 0; i < count; i++) room[i] = fabs(r[i]);
  qsort(room, count, sizeof *room, by_size);
  double median = count % 2 ? room[count / 2] : (room[count / 2 - 1] + room[count / 2]) / 2;
  return 1.4826022185056018 * median;
}

LossSpread loss_spread(const FitLoss *l, const double *r, size_t count, uint32_t k) {
  LossSpread out = {NAN, NAN, 0};
  double squares = 0, n = (double)count;
  for (size_t i = 0; i < count; i++) {
    double x = fmin(fabs(r[i]) / l->scale, bend_at);
    squares += x * x;
    out.outside += fabs(r[i]) > bend_at * l->scale;
  }
  double m = (n - (double)out.outside) / n, correction = 1 + k / n * (1 - m) / m;
  if (count <= k || !(m > 0)) return out;
  out.sigma = correction * l->scale * sqrt(squares / (n - k)) / m;
  out.profile = l->scale * l->scale * squares / (n - k) / m;
  return out;
}
