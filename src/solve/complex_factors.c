// Sparse complex factors by KLU.
//
// The order is found once for a pattern, the pivots again with each factorization: along a frequency axis the good ones
// change.
#include "solve/complex_factors.h"

#include "solve/factors.h"

#include <klu.h>
#include <stdlib.h>

struct ComplexFactors {
  uint32_t n;
  int32_t *start, *row;
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
};

ComplexFactors *complex_factors_new(uint32_t n, const uint32_t *start, const uint32_t *row) {
  ComplexFactors *x = calloc(1, sizeof *x);
  if (!x || n == 0 || n >= INT32_MAX || start[n] >= INT32_MAX) {
    free(x);
    return NULL;
  }
  x->n = n;
  x->start = calloc((size_t)n + 1, sizeof *x->start);
  x->row = calloc((size_t)start[n] + 1, sizeof *x->row);
  bool ok = x->start && x->row && klu_defaults(&x->common);
  x->common.btf = FACTORS_BLOCK_FORM;
  x->common.tol = FACTORS_PIVOT;
  for (uint32_t c = 0; ok && c <= n; c++) x->start[c] = (int32_t)start[c];
  for (uint32_t k = 0; ok && k < start[n]; k++) x->row[k] = (int32_t)row[k];
  if (ok) ok = (x->symbolic = klu_analyze((int32_t)n, x->start, x->row, &x->common)) != NULL;
  if (ok) return x;
  complex_factors_free(x);
  return NULL;
}

SparseStatus complex_factors_make(ComplexFactors *x, const double *values) {
  if (x->numeric) klu_z_free_numeric(&x->numeric, &x->common);
  // KLU does not write to the values
  x->numeric = klu_z_factor(x->start, x->row, (double *)(uintptr_t)values, x->symbolic, &x->common);
  if (x->numeric && x->common.status == KLU_OK) return sparse_done;
  return x->common.status == KLU_OUT_OF_MEMORY || x->common.status == KLU_TOO_LARGE ? sparse_no_memory
                                                                                    : sparse_singular;
}

void complex_factors_solve(ComplexFactors *x, double *b, bool transposed) {
  if (transposed) klu_z_tsolve(x->symbolic, x->numeric, (int32_t)x->n, 1, b, 0, &x->common);
  else klu_z_solve(x->symbolic, x->numeric, (int32_t)x->n, 1, b, &x->common);
}

void complex_factors_free(ComplexFactors *x) {
  if (!x) return;
  if (x->numeric) klu_z_free_numeric(&x->numeric, &x->common);
  if (x->symbolic) klu_free_symbolic(&x->symbolic, &x->common);
  free(x->start);
  free(x->row);
  free(x);
}
