// Covariance: variances of combinations of the unknowns. A part of result.h.
#include "fit/result.h"

#include <string.h>

double result_variance(const FitResult *r, const double *s, double *w) {
  uint32_t k = r->f->k;
  double sum = 0;
  memset(w, 0, k * sizeof *w);
  for (uint32_t c = 0; c < r->rank; c++) {
    double along = 0;
    for (uint32_t j = 0; j < k; j++) along += s[j] != 0 ? s[j] * r->axes[(size_t)j * k + c] : 0;
    for (uint32_t j = 0; j < k; j++) w[j] += r->axes[(size_t)j * k + c] * along;
    sum += along * along;
  }
  return sum;
}

double result_t(double freedom) { return student_two_sided(0.95, isinf(freedom) ? 1e9 : freedom); }
