// Ordered Schur forms by LAPACK: dgees, dgges, dtrsyl.
//
// A X + X A' = C with A = Q T Q' is T Y + Y T' = Q' C Q, which dtrsyl solves from the last rows on. The discrete
// equation A X A' - X = C is brought to the same form by A = (1 + Z)(1 - Z)^-1: with F = (A - 1)(A + 1)^-1 it is
// F X + X F' = 2 (A + 1)^-1 C (A + 1)^-T, where no eigenvalue is -1.
#include "solve/schur.h"

#include "solve/lapack.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef int Select(const double *re, const double *im);
typedef int SelectPencil(const double *re, const double *im, const double *beta);

void dgees_(const char *jobvs, const char *sort, Select *select, const int *n, double *a, const int *lda, int *sdim,
            double *wr, double *wi, double *vs, const int *ldvs, double *work, const int *lwork, int *bwork, int *info,
            size_t, size_t);
void dgges_(const char *jobvsl, const char *jobvsr, const char *sort, SelectPencil *select, const int *n, double *a,
            const int *lda, double *b, const int *ldb, int *sdim, double *alphar, double *alphai, double *beta,
            double *vsl, const int *ldvsl, double *vsr, const int *ldvsr, double *work, const int *lwork, int *bwork,
            int *info, size_t, size_t, size_t);
void dtrsyl_(const char *trana, const char *tranb, const int *isgn, const int *m, const int *n, const double *a,
             const int *lda, const double *b, const int *ldb, double *c, const int *ldc, double *scale, int *info,
             size_t, size_t);
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivot, double *b, const int *ldb, int *info);

static int is_left(const double *re, const double *im) {
  (void)im;
  return *re < 0;
}

static int is_inside(const double *re, const double *im) { return hypot(*re, *im) < 1; }

static int pencil_inside(const double *re, const double *im, const double *beta) {
  return hypot(*re, *im) < fabs(*beta);
}

int schur_ordered(int n, bool circle, double *a, double *q, double *re, double *im, int *count, double *work) {
  int info = 0, room = 8 * n + 64, *marks = (int *)(work + room);
  *count = 0;
  if (n == 0) return 0;
  bool grew = lapack_enter();
  dgees_("V", "S", circle ? is_inside : is_left, &n, a, &n, count, re, im, q, &n, work, &room, marks, &info, 1, 1);
  lapack_leave(grew);
  return info == n + 2 ? 0 : info; // rounding moved one over the line after sorting: *count tells
}

int schur_pencil(int n, double *a, double *b, double *z, int *count, double *work) {
  int info = 0, room = 16 * n + 64, *marks;
  double *re = work + room, *im = re + n, *beta = im + n, *left = beta + n;
  marks = (int *)(left + (size_t)n * (size_t)n);
  *count = 0;
  if (n == 0) return 0;
  bool grew = lapack_enter();
  dgges_("V", "V", "S", pencil_inside, &n, a, &n, b, &n, count, re, im, beta, left, &n, z, &n, work, &room, marks,
         &info, 1, 1, 1);
  lapack_leave(grew);
  return info == n + 2 ? 0 : info;
}

// out = a b, with a or b transposed
static void product(int n, bool ta, const double *a, bool tb, const double *b, double *out) {
  size_t m = (size_t)n;
  for (size_t c = 0; c < m; c++) {
    for (size_t r = 0; r < m; r++) {
      double sum = 0;
      for (size_t k = 0; k < m; k++) sum += (ta ? a[r * m + k] : a[k * m + r]) * (tb ? b[k * m + c] : b[c * m + k]);
      out[c * m + r] = sum;
    }
  }
}

// T Y + Y T' = C, overwrites c
static int solve_upper(int n, const double *t, double *c) {
  int info = 0, sign = 1;
  double scale = 1;
  dtrsyl_("N", "T", &sign, &n, &n, t, &n, t, &n, c, &n, &scale, &info, 1, 1);
  for (size_t i = 0; info == 0 && i < (size_t)n * (size_t)n; i++) c[i] /= scale;
  return scale == 0 ? 1 : info;
}

// (T - 1)(T + 1)^-1 in `f`, and (T + 1)^-1 C (T + 1)^-T times 2 in c; room: two matrices and pivots
static int cayley(int n, const double *t, double *c, double *f, double *room) {
  size_t m = (size_t)n;
  int info = 0, *pivot = (int *)(room + 2 * m * m);
  double *sum = room, *turned = room + m * m;
  for (int round = 0; round < 3 && info == 0; round++) {
    // 0: c := (T + 1)^-1 c; 1: c := ((T + 1)^-1 c')'; 2: f := (T + 1)^-1 (T - 1), which commutes
    for (size_t i = 0; i < m * m; i++) sum[i] = t[i] + (i % (m + 1) == 0);
    if (round < 2) {
      for (size_t i = 0; i < m * m; i++) turned[i] = c[(i % m) * m + i / m];
      dgesv_(&n, &n, sum, &n, pivot, turned, &n, &info);
      memcpy(c, turned, m * m * sizeof *c);
    } else {
      for (size_t i = 0; i < m * m; i++) f[i] = t[i] - (i % (m + 1) == 0);
      dgesv_(&n, &n, sum, &n, pivot, f, &n, &info);
    }
  }
  for (size_t i = 0; i < m * m; i++) c[i] *= 2;
  // upper triangular up to rounding: what is below the blocks of T is zero
  for (size_t col = 0; col < m; col++) {
    for (size_t r = col + 1; r < m; r++) {
      if (t[col * m + r] == 0) f[col * m + r] = 0;
    }
  }
  return info;
}

int schur_lyapunov(int n, bool discrete, const double *t, const double *q, double *c, double *work) {
  size_t m = (size_t)n;
  double *y = work, *f = work + m * m;
  int info = 0;
  if (n == 0) return 0;
  bool grew = lapack_enter();
  product(n, true, q, false, c, y);
  product(n, false, y, false, q, c);
  if (discrete) info = cayley(n, t, c, f, f + m * m);
  if (info == 0) info = solve_upper(n, discrete ? f : t, c);
  product(n, false, q, false, c, y);
  product(n, false, y, true, q, c);
  lapack_leave(grew);
  return info;
}
