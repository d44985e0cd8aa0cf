// Eigenvalues and singular values by LAPACK: dgeevx with balancing and conditions, dgesvd.
#include "solve/spectrum.h"

#include "solve/lapack.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// LAPACK, with Fortran's calling convention
void dgeevx_(const char *balanc, const char *jobvl, const char *jobvr, const char *sense, const int *n, double *a,
             const int *lda, double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr, int *ilo,
             int *ihi, double *scale, double *abnrm, double *rconde, double *rcondv, double *work, const int *lwork,
             int *iwork, int *info, size_t, size_t, size_t, size_t);
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *info, size_t,
             size_t);

void dgehrd_(const int *n, const int *low, const int *high, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dorghr_(const int *n, const int *low, const int *high, double *a, const int *lda, const double *tau, double *work,
             const int *lwork, int *info);
void dgelsy_(const int *m, const int *n, const int *columns, double *a, const int *lda, double *b, const int *ldb,
             int *pivot, const double *part, int *rank, double *work, const int *lwork, int *info);

// How far any eigenvalue goes by rounding, also one of a chain, whose condition is without bound (Elsner 1985):
// (|A| + |A + E|)^(1 - 1/n) |E|^(1/n), in the spectral norm, which is at most sqrt(n) times that of the columns.
static double whole_bound(int n, double norm) {
  double all = sqrt(n) * norm, off = (n + 4) * DBL_EPSILON * all;
  return pow(2 * all + off, 1 - 1.0 / n) * pow(off, 1.0 / n);
}

int spectrum_eigen(int n, double *a, double *re, double *im, double *v, double *bound, double *work) {
  int info = 0, low, high, room = spectrum_room(n, n), none = 0;
  double norm, *left = work + room, *scale = left + (size_t)n * (size_t)n, *condition = scale + n, unused = 0;
  if (n == 0) return 0;
  bool grew = lapack_enter();
  dgeevx_("B", "V", "V", "E", &n, a, &n, re, im, left, &n, v, &n, &low, &high, scale, &norm, condition, &unused, work,
          &room, &none, &info, 1, 1, 1, 1);
  lapack_leave(grew);
  // entries and elimination round n times at most
  for (int i = 0; i < n && info == 0; i++)
    bound[i] = fmin(condition[i] > 0 ? (n + 4) * DBL_EPSILON * norm / condition[i] : INFINITY, whole_bound(n, norm));
  return info;
}

int spectrum_singular(int m, int n, double *a, double *s, double *u, double *vt, double *work) {
  int info = 0, room = spectrum_room(m, n), one = 1;
  double unused = 0;
  const char *job = u && vt ? "A" : "N";
  if (m == 0 || n == 0) return 0;
  bool grew = lapack_enter();
  dgesvd_(job, job, &m, &n, a, &m, s, u && vt ? u : &unused, u && vt ? &m : &one, u && vt ? vt : &unused,
          u && vt ? &n : &one, work, &room, &info, 1, 1);
  lapack_leave(grew);
  return info;
}

int spectrum_hessenberg(int n, double *a, double *q, double *work) {
  int info = 0, low = 1, room = spectrum_room(n, n);
  double *tau = work + room;
  if (n == 0) return 0;
  bool grew = lapack_enter();
  dgehrd_(&n, &low, &n, a, &n, tau, work, &room, &info);
  memcpy(q, a, (size_t)n * (size_t)n * sizeof *q);
  if (info == 0) dorghr_(&n, &low, &n, q, &n, tau, work, &room, &info);
  lapack_leave(grew);
  // below the diagonal stand the reflections
  for (size_t c = 0; c < (size_t)n; c++) {
    for (size_t r = c + 2; r < (size_t)n; r++) a[c * (size_t)n + r] = 0;
  }
  return info;
}

int spectrum_least(int m, int n, double *a, double *b, double part, int *rank, int *pivot, double *work) {
  int info = 0, one = 1, rows = m > n ? m : n, room = spectrum_room(m, n);
  *rank = 0;
  if (m == 0 || n == 0) return 0;
  memset(pivot, 0, (size_t)n * sizeof *pivot); // any column may come first
  bool grew = lapack_enter();
  dgelsy_(&m, &n, &one, a, &m, b, &rows, pivot, &part, rank, work, &room, &info);
  lapack_leave(grew);
  return info;
}
