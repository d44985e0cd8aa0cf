// The entry of the module (solve/module.h), and its dense linear systems by LAPACK.
#include "solve/bdf.h"
#include "solve/complex_factors.h"
#include "solve/factors.h"
#include "solve/lapack.h"
#include "solve/schur.h"
#include "solve/spectrum.h"

#include "solve_build_id.h"

#include <math.h>
#include <string.h>

// LAPACK, with Fortran's calling convention
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dgetrs_(const char *trans, const int *n, const int *columns, const double *a, const int *lda, const int *pivot,
             double *b, const int *ldb, int *info, size_t);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpotrs_(const char *uplo, const int *n, const int *columns, const double *a, const int *lda, double *b,
             const int *ldb, int *info, size_t);

static int factor(int n, double *a, int *pivot) {
  int info = 0;
  bool grew = lapack_enter();
  dgetrf_(&n, &n, a, &n, pivot, &info);
  lapack_leave(grew);
  return info;
}

static void solve(int n, const double *a, const int *pivot, double *b) {
  int one = 1, info = 0;
  bool grew = lapack_enter();
  dgetrs_("N", &n, &one, a, &n, pivot, b, &n, &info, 1);
  lapack_leave(grew);
}

// Cholesky's method. A pivot may not be lost: the squares of row i of L sum to M_ii, its last one is the pivot.
static bool solve_definite(int n, int columns, double *m, double *x) {
  const double lost = 1e-12; // as in tape/kernels.c
  int info = 0;
  size_t size = (size_t)n;
  dpotrf_("L", &n, m, &n, &info, 1);
  for (size_t i = 0; info == 0 && i < size; i++) {
    double sum = 0, last = m[i * (size + 1)];
    for (size_t k = 0; k <= i; k++) sum += m[k * size + i] * m[k * size + i];
    if (!(last * last > lost * sum)) return false;
  }
  if (info == 0) dpotrs_("L", &n, &columns, m, &n, x, &n, &info, 1);
  return info == 0;
}

// Elimination. M is stored row by row, which LAPACK reads as its transpose.
static bool solve_general(int n, int columns, double *m, double *x, int *pivot) {
  const double lost = 1e-15; // as in tape/kernels.c
  int info = 0;
  size_t size = (size_t)n;
  double largest = 0;
  for (size_t i = 0; i < size * size; i++) largest = fmax(largest, fabs(m[i]));
  dgetrf_(&n, &n, m, &n, pivot, &info);
  for (size_t i = 0; info == 0 && i < size; i++) {
    if (!(fabs(m[i * (size + 1)]) > lost * largest)) return false;
  }
  if (info == 0) dgetrs_("T", &n, &columns, m, &n, pivot, x, &n, &info, 1);
  return info == 0;
}

static bool dense(uint32_t n, uint32_t columns, bool definite, double *m, double *x, int *pivot) {
  bool grew = lapack_enter();
  bool ok = definite ? solve_definite((int)n, (int)columns, m, x) : solve_general((int)n, (int)columns, m, x, pivot);
  lapack_leave(grew);
  return ok;
}

const SolveModule *viva_solvers(const char *version, const char *build);

__attribute__((visibility("default"))) const SolveModule *viva_solvers(const char *version, const char *build) {
  static const SolveModule module = {
      .ready = lapack_ready,
      .bdf = bdf_solve,
      .factor = factor,
      .solve = solve,
      .dense = dense,
      .factors_new = factors_new,
      .factors_new_bordered = factors_new_bordered,
      .factors_make = factors_make,
      .factors_solve = factors_solve,
      .factors_work = factors_work,
      .factors_negative = factors_negative,
      .factors_least = factors_least,
      .factors_free = factors_free,
      .eigen = spectrum_eigen,
      .singular = spectrum_singular,
      .least = spectrum_least,
      .hessenberg = spectrum_hessenberg,
      .complex_new = complex_factors_new,
      .complex_make = complex_factors_make,
      .complex_solve = complex_factors_solve,
      .complex_free = complex_factors_free,
      .schur = schur_ordered,
      .pencil = schur_pencil,
      .lyapunov = schur_lyapunov,
  };
  return strcmp(version, SOLVE_VERSION) == 0 && strcmp(build, SOLVE_BUILD_ID) == 0 ? &module : NULL;
}
