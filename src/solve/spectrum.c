// Eigenvalues and singular values by LAPACK.
//
// Eigenvalues: a permutation to block upper triangular form, whose diagonal blocks are the strongly connected
// components of the sparsity pattern, splits the spectrum exactly; each block is balanced and has its own Schur form,
// norm and conditions (dgebal, dgehrd, dhseqr, dtrsna), so that an entry outside of a block moves none of its
// eigenvalues. Blocks and what stands above them are one quasi-triangular matrix, which has the eigenvectors (dtrevc).
#include "solve/spectrum.h"

#include "solve/lapack.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// LAPACK, with Fortran's calling convention
void dgebal_(const char *job, const int *n, double *a, const int *lda, int *low, int *high, double *scale, int *info,
             size_t);
void dhseqr_(const char *job, const char *compz, const int *n, const int *low, const int *high, double *h,
             const int *ldh, double *re, double *im, double *z, const int *ldz, double *work, const int *lwork,
             int *info, size_t, size_t);
void dtrevc_(const char *side, const char *many, int *select, const int *n, const double *t, const int *ldt, double *vl,
             const int *ldvl, double *vr, const int *ldvr, const int *mm, int *m, double *work, int *info, size_t,
             size_t);
void dtrsna_(const char *job, const char *many, const int *select, const int *n, const double *t, const int *ldt,
             const double *vl, const int *ldvl, const double *vr, const int *ldvr, double *s, double *sep,
             const int *mm, int *m, double *work, const int *ldwork, int *iwork, int *info, size_t, size_t);
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *info, size_t,
             size_t);

void dgehrd_(const int *n, const int *low, const int *high, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dorghr_(const int *n, const int *low, const int *high, double *a, const int *lda, const double *tau, double *work,
             const int *lwork, int *info);
void dgelsy_(const int *m, const int *n, const int *columns, double *a, const int *lda, double *b, const int *ldb,
             int *pivot, const double *part, int *rank, double *work, const int *lwork, int *info);

// ---- eigenvalues

// Strongly connected components of the sparsity pattern, by Tarjan's algorithm (1972), without recursion: row i belongs
// behind column j wherever a_ij is not zero.
typedef struct SpectrumBlocks {
  int n, count, clock, depth;
  int *order;                                  // rows, one component behind the other: block upper triangular
  int *start;                                  // of each component in it, and the end
  int *seen, *low, *stack, *path, *next, open; // of the search; path: from the root, with the next row to look at
} SpectrumBlocks;

static void enter_node(SpectrumBlocks *x, int j) {
  x->seen[j] = x->low[j] = ++x->clock;
  x->stack[x->open++] = j;
  x->next[j] = 0;
  x->path[x->depth++] = j;
}

// The component whose root is j is complete.
static void close_component(SpectrumBlocks *x, int j, int *done) {
  int i;
  do {
    i = x->stack[--x->open];
    x->low[i] = INT_MAX; // no longer open
    x->order[(*done)++] = i;
  } while (i != j);
  x->start[++x->count] = *done;
}

static void find_components(SpectrumBlocks *x, const double *a) {
  int done = 0;
  memset(x->seen, 0, (size_t)x->n * sizeof *x->seen);
  x->start[0] = 0;
  for (int root = 0; root < x->n; root++) {
    if (x->seen[root]) continue;
    enter_node(x, root);
    while (x->depth) {
      int j = x->path[x->depth - 1], i = x->next[j]++;
      if (i < x->n) {
        if (i == j || a[(size_t)j * (size_t)x->n + (size_t)i] == 0) continue;
        if (!x->seen[i]) enter_node(x, i);
        else if (x->low[i] != INT_MAX && x->seen[i] < x->low[j]) x->low[j] = x->seen[i];
        continue;
      }
      if (--x->depth > 0) {
        int before = x->path[x->depth - 1];
        if (x->low[j] < x->low[before]) x->low[before] = x->low[j];
      }
      if (x->low[j] == x->seen[j]) close_component(x, j, &done);
    }
  }
}

// How far any eigenvalue goes by rounding, also one of a chain, whose condition is without bound (Elsner 1985):
// (|A| + |A + E|)^(1 - 1/n) |E|^(1/n), in the spectral norm, which is at most sqrt(n) times that of the columns.
static double whole_bound(int n, double norm) {
  double all = sqrt(n) * norm, off = (n + 4) * DBL_EPSILON * all;
  return pow(2 * all + off, 1 - 1.0 / n) * pow(off, 1.0 / n);
}

typedef struct EigenWork {
  int n, lwork;
  double *a, *v;           // T and Q, as they come to be
  double *re, *im, *bound; // of all
  double *scale;           // x = scale * balanced
  double *left, *right;    // eigenvectors of one block
  double *tau, *s, *work, *row;
} EigenWork;

static double column_norm(int n, int k, const double *a) {
  double most = 0;
  for (int j = 0; j < k; j++) {
    double sum = 0;
    for (int i = 0; i < k; i++) sum += fabs(a[(size_t)j * (size_t)n + (size_t)i]);
    most = fmax(most, sum);
  }
  return most;
}

// The Schur form of the block of rows from .. from + k, balanced, overwriting it; conditions of its eigenvalues in it.
static int reduce_block(EigenWork *w, int from, int k) {
  size_t n = (size_t)w->n, at = (size_t)from * n + (size_t)from;
  double *t = w->a + at, *q = w->v + at, norm, unused = 0;
  int info = 0, low = 1, high = k, found, none = 0;
  if (k == 1) {
    w->re[from] = *t;
    w->im[from] = 0;
    w->bound[from] = (k + 4) * DBL_EPSILON * fabs(*t);
    return 0;
  }
  dgebal_("S", &k, t, &w->n, &low, &high, w->scale + from, &info, 1);
  norm = column_norm(w->n, k, t);
  dgehrd_(&k, &low, &high, t, &w->n, w->tau, w->work, &w->lwork, &info);
  for (int j = 0; j < k; j++) memcpy(q + (size_t)j * n, t + (size_t)j * n, (size_t)k * sizeof *q);
  dorghr_(&k, &low, &high, q, &w->n, w->tau, w->work, &w->lwork, &info);
  dhseqr_("S", "V", &k, &low, &high, t, &w->n, w->re + from, w->im + from, q, &w->n, w->work, &w->lwork, &info, 1, 1);
  if (info != 0) return info;
  for (int j = 0; j < k; j++) { // reflections stand below
    for (int i = j + 2; i < k; i++) t[(size_t)j * n + (size_t)i] = 0;
  }
  dtrevc_("B", "A", &none, &k, t, &w->n, w->left, &k, w->right, &k, &k, &found, w->work, &info, 1, 1);
  if (info == 0)
    dtrsna_("E", "A", &none, &k, t, &w->n, w->left, &k, w->right, &k, w->s, &unused, &k, &found, w->work, &k, &none,
            &info, 1, 1);
  // entries and elimination round n times at most
  for (int i = 0; i < k && info == 0; i++)
    w->bound[from + i] = fmin(w->s[i] > 0 ? (k + 4) * DBL_EPSILON * norm / w->s[i] : INFINITY, whole_bound(k, norm));
  return info;
}

// The rows of a block right of it, and the columns above it, in its Schur vectors.
static void turn_beside(EigenWork *w, int from, int k) {
  size_t n = (size_t)w->n, s = (size_t)from, m = (size_t)k;
  const double *q = w->v + s * n + s;
  if (k == 1) return;
  for (size_t c = s + m; c < n; c++) {
    double *x = w->a + c * n + s;
    for (size_t i = 0; i < m; i++) w->row[i] = x[i] / w->scale[s + i];
    for (size_t i = 0; i < m; i++) {
      x[i] = 0;
      for (size_t l = 0; l < m; l++) x[i] += q[i * n + l] * w->row[l];
    }
  }
  for (size_t r = 0; r < s; r++) {
    double *x = w->a + s * n + r;
    for (size_t i = 0; i < m; i++) w->row[i] = x[i * n] * w->scale[s + i];
    for (size_t i = 0; i < m; i++) {
      x[i * n] = 0;
      for (size_t l = 0; l < m; l++) x[i * n] += q[i * n + l] * w->row[l];
    }
  }
}

// Of length 1; the largest entry of a complex one is real.
static void normalise(size_t n, double *re, double *im) {
  double most = 0, sum = 0, c = 1, s = 0;
  size_t at = 0;
  for (size_t i = 0; i < n; i++) {
    double size = im ? hypot(re[i], im[i]) : fabs(re[i]);
    if (size > most) most = size, at = i;
  }
  if (!(most > 0)) return;
  for (size_t i = 0; i < n; i++) {
    double x = re[i] / most, y = im ? im[i] / most : 0;
    sum += x * x + y * y;
  }
  double length = most * sqrt(sum);
  if (im) c = re[at] / most, s = im[at] / most;
  for (size_t i = 0; i < n; i++) {
    double x = re[i] / length, y = im ? im[i] / length : 0;
    re[i] = c * x + s * y;
    if (im) im[i] = c * y - s * x;
  }
  if (im) im[at] = 0;
}

// Eigenvectors of the whole from T and Q.
static int find_vectors(EigenWork *w, const int *order) {
  size_t n = (size_t)w->n;
  int info = 0, found, none = 0;
  dtrevc_("R", "B", &none, &w->n, w->a, &w->n, w->left, &w->n, w->v, &w->n, &w->n, &found, w->work, &info, 1, 1);
  for (size_t c = 0; c < n && info == 0; c++) {
    double *x = w->v + c * n;
    for (size_t i = 0; i < n; i++) w->row[order[i]] = x[i] * w->scale[i];
    memcpy(x, w->row, n * sizeof *x);
  }
  for (size_t c = 0; c < n && info == 0; c++) {
    bool pair = w->im[c] != 0 && c + 1 < n;
    normalise(n, w->v + c * n, pair ? w->v + (c + 1) * n : NULL);
    c += pair;
  }
  return info;
}

// a := its rows and columns in this order; room: n * n
static void permute(int size, const int *order, double *a, double *room) {
  size_t n = (size_t)size;
  memcpy(room, a, n * n * sizeof *a);
  for (size_t c = 0; c < n; c++) {
    for (size_t r = 0; r < n; r++) a[c * n + r] = room[(size_t)order[c] * n + (size_t)order[r]];
  }
}

int spectrum_eigen(int n, double *a, double *re, double *im, double *v, double *bound, double *work) {
  const size_t size = (size_t)n, cells = size * size;
  int info = 0, *whole = (int *)(work + spectrum_eigen_room(n) - 4 * size - 4);
  if (n == 0) return 0;
  EigenWork x = {.n = n, .lwork = spectrum_room(n, n), .a = a, .v = v, .re = re, .im = im, .bound = bound}, *w = &x;
  w->work = work;
  w->left = work + w->lwork;
  w->right = w->left + cells;
  w->scale = w->right + cells;
  w->tau = w->scale + n;
  w->s = w->tau + n;
  w->row = w->s + n;
  SpectrumBlocks parts = {.n = n,
                          .order = whole,
                          .start = whole + n,
                          .seen = whole + 2 * size + 1,
                          .low = whole + 3 * size + 1,
                          .stack = whole + 4 * size + 1,
                          .path = whole + 5 * size + 1,
                          .next = whole + 6 * size + 1};
  find_components(&parts, a);
  permute(n, parts.order, a, w->left);
  memset(v, 0, cells * sizeof *v);
  for (int i = 0; i < n; i++) v[(size_t)i * (size_t)n + (size_t)i] = w->scale[i] = 1;
  bool grew = lapack_enter();
  for (int i = 0; i < parts.count && info == 0; i++) {
    int from = parts.start[i], k = parts.start[i + 1] - from;
    info = reduce_block(w, from, k);
    if (info == 0) turn_beside(w, from, k);
  }
  if (info == 0) info = find_vectors(w, parts.order);
  lapack_leave(grew);
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
