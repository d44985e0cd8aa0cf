// Eigenvalues and singular values by LAPACK: dgeevx with balancing and conditions, dgesvd.
#include "solve/spectrum.h"

#include "solve/lapack.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// LAPACK, with Fortran's calling convention
void dgeevx_(const char *balanc, const char *jobvl, const char *jobvr, const char *sense, const int *n, double *a,
             const int *lda, double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr, int *ilo,
             int *ihi, double *scale, double *abnrm, double *rconde, double *rcondv, double *work, const int *lwork,
             int *iwork, int *info, size_t, size_t, size_t, size_t);
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *info, size_t,
             size_t);

int spectrum_eigen(int n, double *a, double *re, double *im, double *v, double *bound, double *work) {
  int info = 0, low, high, room = spectrum_room(n, n), none = 0;
  double norm, *left = work + room, *scale = left + (size_t)n * (size_t)n, *condition = scale + n, unused = 0;
  if (n == 0) return 0;
  bool grew = lapack_enter();
  dgeevx_("B", "V", "V", "E", &n, a, &n, re, im, left, &n, v, &n, &low, &high, scale, &norm, condition, &unused, work,
          &room, &none, &info, 1, 1, 1, 1);
  lapack_leave(grew);
  // entries and elimination round n times at most; what has no condition may be anywhere
  for (int i = 0; i < n && info == 0; i++)
    bound[i] = condition[i] > 0 ? (n + 4) * DBL_EPSILON * norm / condition[i] : INFINITY;
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
