// Sparse factors: KLU for general matrices, L D L' for symmetric ones, both ordered by AMD.
//
// L D L' is found row by row (T. Davis, Algorithm 849: a concise sparse Cholesky factorization package, ACM TOMS 31,
// 2005). Row k of L solves L(1..k-1) D y = A(1..k-1, k), sparse: its pattern is what the entries of column k reach in
// the elimination tree, parent(i) = the row of the first entry of column i of L below the diagonal.
#include "solve/factors.h"

#include "solve/fronts.h"

#include <amd.h>
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Factors {
  SparseKind kind;
  uint32_t n;
  int32_t *start, *row; // the pattern
  // general
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  // symmetric
  int32_t *order, *back; // row order[k] of A is the k-th; back: the inverse
  int32_t *parent;       // in the elimination tree; -1: a root
  size_t *first;         // of each column of L
  int32_t *filled;       // entries of each column so far
  int32_t *lower_row;    // L below its diagonal of ones, column by column
  double *lower, *diagonal;
  int32_t *seen, *path; // room: marks, and a pattern on its way
  double *work;
  uint32_t negative;
  Fronts *fronts; // with a border: all is theirs
};

static void *room(size_t count, size_t size) { return calloc(count ? count : 1, size); }

// ---- L D L'

// The elimination tree, and how many entries each column of L has.
static void find_tree(Factors *x) {
  int32_t n = (int32_t)x->n;
  for (int32_t k = 0; k < n; k++) {
    int32_t column = x->order[k];
    x->parent[k] = -1;
    x->seen[k] = k;
    x->filled[k] = 0;
    for (int32_t p = x->start[column]; p < x->start[column + 1]; p++) {
      for (int32_t i = x->back[x->row[p]]; i < k && x->seen[i] != k; i = x->parent[i]) {
        if (x->parent[i] < 0) x->parent[i] = k;
        x->filled[i]++;
        x->seen[i] = k;
      }
    }
  }
}

static bool start_symmetric(Factors *x) {
  size_t n = x->n;
  int32_t **marks[] = {&x->order, &x->back, &x->parent, &x->filled, &x->seen, &x->path};
  for (int i = 0; i < 6; i++) {
    if (!(*marks[i] = room(n, sizeof(int32_t)))) return false;
  }
  x->first = room(n + 1, sizeof *x->first);
  x->diagonal = room(n, sizeof *x->diagonal);
  x->work = room(n, sizeof *x->work);
  if (!x->first || !x->diagonal || !x->work) return false;
  if (n && amd_order((int32_t)n, x->start, x->row, x->order, NULL, NULL) < AMD_OK) return false;
  for (size_t k = 0; k < n; k++) x->back[x->order[k]] = (int32_t)k;
  find_tree(x);
  for (size_t k = 0; k < n; k++) x->first[k + 1] = x->first[k] + (size_t)x->filled[k];
  x->lower_row = room(x->first[n], sizeof *x->lower_row);
  x->lower = room(x->first[n], sizeof *x->lower);
  return x->lower_row && x->lower;
}

// Column k of A above its diagonal into `work`, and what it reaches into the end of `path`, in an order in which each
// comes before those that need it. Returns where that begins.
static int32_t reach(Factors *x, int32_t k, const double *values) {
  int32_t top = (int32_t)x->n, column = x->order[k];
  x->work[k] = 0;
  x->seen[k] = k;
  x->filled[k] = 0;
  for (int32_t p = x->start[column]; p < x->start[column + 1]; p++) {
    int32_t i = x->back[x->row[p]], length = 0;
    if (i > k) continue;
    x->work[i] += values[p];
    for (; x->seen[i] != k; i = x->parent[i]) {
      x->path[length++] = i;
      x->seen[i] = k;
    }
    while (length > 0) x->path[--top] = x->path[--length];
  }
  return top;
}

static SparseStatus make_symmetric(Factors *x, const double *values) {
  // a pivot that is lost against what it is made of
  const double lost = 1e-14;
  x->negative = 0;
  memset(x->work, 0, x->n * sizeof *x->work);
  for (int32_t k = 0; k < (int32_t)x->n; k++) x->seen[k] = -1;
  for (int32_t k = 0; k < (int32_t)x->n; k++) {
    int32_t top = reach(x, k, values);
    double pivot = x->work[k], whole = fabs(pivot);
    x->work[k] = 0;
    for (; top < (int32_t)x->n; top++) {
      int32_t i = x->path[top];
      double y = x->work[i];
      x->work[i] = 0;
      size_t p = x->first[i], end = p + (size_t)x->filled[i];
      for (; p < end; p++) x->work[x->lower_row[p]] -= x->lower[p] * y;
      double l = y / x->diagonal[i];
      pivot -= l * y;
      whole += fabs(l * y);
      x->lower_row[p] = k;
      x->lower[p] = l;
      x->filled[i]++;
    }
    if (!(fabs(pivot) > lost * whole)) return sparse_singular;
    if (pivot < 0) x->negative++;
    x->diagonal[k] = pivot;
  }
  return sparse_done;
}

static void solve_symmetric(const Factors *x, double *b) {
  uint32_t n = x->n;
  double *z = x->work;
  for (uint32_t k = 0; k < n; k++) z[k] = b[x->order[k]];
  for (uint32_t j = 0; j < n; j++) {
    for (size_t p = x->first[j]; p < x->first[j + 1]; p++) z[x->lower_row[p]] -= x->lower[p] * z[j];
  }
  for (uint32_t j = 0; j < n; j++) z[j] /= x->diagonal[j];
  for (uint32_t j = n; j-- > 0;) {
    for (size_t p = x->first[j]; p < x->first[j + 1]; p++) z[j] -= x->lower[p] * z[x->lower_row[p]];
  }
  for (uint32_t k = 0; k < n; k++) b[x->order[k]] = z[k];
}

// ---- both

Factors *factors_new(uint32_t n, const uint32_t *start, const uint32_t *row, SparseKind kind) {
  Factors *x = calloc(1, sizeof *x);
  if (!x || n >= INT32_MAX || start[n] >= INT32_MAX) {
    free(x);
    return NULL;
  }
  x->kind = kind;
  x->n = n;
  x->start = room((size_t)n + 1, sizeof *x->start);
  x->row = room(start[n], sizeof *x->row);
  bool ok = x->start && x->row && klu_defaults(&x->common);
  x->common.btf = FACTORS_BLOCK_FORM;
  x->common.tol = FACTORS_PIVOT;
  for (uint32_t c = 0; ok && c <= n; c++) x->start[c] = (int32_t)start[c];
  for (uint32_t k = 0; ok && k < start[n]; k++) x->row[k] = (int32_t)row[k];
  if (ok && kind == sparse_symmetric) ok = start_symmetric(x);
  else if (ok && n) ok = (x->symbolic = klu_analyze((int32_t)n, x->start, x->row, &x->common)) != NULL;
  if (ok) return x;
  factors_free(x);
  return NULL;
}

Factors *factors_new_bordered(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border,
                              const uint32_t *group, bool backwards) {
  Factors *x = calloc(1, sizeof *x);
  if (x && start[n] < INT32_MAX) x->fronts = fronts_new(n, start, row, border, group, backwards);
  if (x && x->fronts) {
    x->kind = sparse_symmetric;
    x->n = n;
    return x;
  }
  free(x);
  return NULL;
}

SparseStatus factors_make(Factors *x, const double *values) {
  if (x->n == 0) return sparse_done;
  if (x->fronts) return fronts_make(x->fronts, values);
  if (x->kind == sparse_symmetric) return make_symmetric(x, values);
  if (x->numeric) klu_free_numeric(&x->numeric, &x->common);
  // KLU does not write to the values
  x->numeric = klu_factor(x->start, x->row, (double *)(uintptr_t)values, x->symbolic, &x->common);
  if (x->numeric && x->common.status == KLU_OK) return sparse_done;
  return x->common.status == KLU_OUT_OF_MEMORY || x->common.status == KLU_TOO_LARGE ? sparse_no_memory
                                                                                    : sparse_singular;
}

void factors_solve(const Factors *x, double *b, uint32_t columns) {
  for (uint32_t c = 0; x->fronts && c < columns; c++) fronts_solve(x->fronts, b + (size_t)c * x->n);
  if (x->fronts) return;
  klu_common common = x->common; // it keeps the status of each call
  for (uint32_t c = 0; x->n && x->kind == sparse_symmetric && c < columns; c++)
    solve_symmetric(x, b + (size_t)c * x->n);
  if (x->n && x->kind == sparse_general)
    klu_solve(x->symbolic, x->numeric, (int32_t)x->n, (int32_t)columns, b, &common);
}

double factors_work(const Factors *x) {
  if (x->fronts) return fronts_work(x->fronts);
  if (x->kind == sparse_general) return x->symbolic ? x->symbolic->est_flops : 0;
  double sum = 0;
  for (uint32_t k = 0; k < x->n; k++) {
    double count = (double)(x->first[k + 1] - x->first[k]);
    sum += count * (count + 2);
  }
  return sum;
}

uint32_t factors_negative(const Factors *x) { return x->fronts ? fronts_negative(x->fronts) : x->negative; }

double factors_least(const Factors *x, uint32_t from) {
  if (x->fronts) return fronts_least(x->fronts, from);
  double least = INFINITY;
  for (uint32_t k = 0; k < x->n; k++) {
    if (x->order[k] >= (int32_t)from) least = fmin(least, fabs(x->diagonal[k]));
  }
  return least;
}

void factors_free(Factors *x) {
  if (!x) return;
  fronts_free(x->fronts);
  if (x->numeric) klu_free_numeric(&x->numeric, &x->common);
  if (x->symbolic) klu_free_symbolic(&x->symbolic, &x->common);
  void *all[] = {x->start, x->row,       x->order, x->back, x->parent,   x->first, x->filled,
                 x->lower, x->lower_row, x->path,  x->seen, x->diagonal, x->work};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(x);
}
