// Sobol sensitivity indices by the estimators of Jansen. See indices.h.
#include "sim/indices.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

enum { resamples = 400 };

// Both indices of quantity k over a choice of draws; which NULL: all.
static void estimate(const double *values, size_t width, const size_t *which, size_t count, uint32_t k, double *first,
                     double *total) {
  double mean = 0, square = 0, alone = 0, with = 0;
  for (size_t i = 0; i < count; i++) {
    const double *f = values + (which ? which[i] : i) * width;
    mean += f[0] + f[1];
  }
  mean /= 2 * (double)count;
  for (size_t i = 0; i < count; i++) {
    const double *f = values + (which ? which[i] : i) * width;
    double a = f[0] - mean, b = f[1] - mean, x = f[1] - f[2 + k], y = f[0] - f[2 + k];
    square += a * a + b * b;
    alone += x * x;
    with += y * y;
  }
  *first = square > 0 ? 1 - alone / square : NAN;
  *total = square > 0 ? with / square : NAN;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void interval(double *list, double *low, double *high) {
  qsort(list, resamples, sizeof *list, compare);
  *low = list[resamples / 40];
  *high = list[resamples - 1 - resamples / 40];
}

bool indices_find(const double *values, size_t draws, uint32_t n, uint64_t seed, SobolIndex *out) {
  size_t width = 2 + (size_t)n, count = 0;
  double *kept = malloc((draws * width + 1) * sizeof *kept), *s = malloc(2 * sizeof *s * resamples);
  size_t *which = malloc((draws + 1) * sizeof *which);
  bool ok = kept && s && which;
  for (size_t i = 0; ok && i < draws; i++) {
    bool finite = true;
    for (size_t k = 0; k < width; k++) {
      kept[count * width + k] = values[i * width + k];
      finite = finite && isfinite(values[i * width + k]);
    }
    count += finite;
  }
  for (uint32_t k = 0; ok && k < n; k++) {
    SobolIndex *x = &out[k];
    estimate(kept, width, NULL, count, k, &x->first, &x->total);
    for (uint64_t r = 0; r < resamples; r++) {
      for (size_t i = 0; i < count; i++) which[i] = (size_t)(random_uniform(seed + r, i) * (double)count);
      estimate(kept, width, which, count, k, &s[r], &s[resamples + r]);
    }
    interval(s, &x->first_low, &x->first_high);
    interval(s + resamples, &x->total_low, &x->total_high);
  }
  free(kept);
  free(s);
  free(which);
  return ok;
}
