// Points, tangents and derivatives of a curve of positions. See curve.h.
#include "positions/curve.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { newton_steps = 12 };
static const double rank_part = 1e-9;     // of the largest entry: what is smaller counts as zero
static const double settled_part = 4e-15; // of the size: a step so short is the last one

// ---- memory

// The matrix of u alone: the column of s and the last row, which is full, stand beside it.
static bool open_sparse(Curve *c) {
  Places *p = c->p;
  Arena *arena = p->arena;
  uint32_t n = c->n;
  uint32_t *start = arena_array(arena, (size_t)n + 2, sizeof *start);
  uint32_t *row = arena_array(arena, (size_t)p->entries + 1, sizeof *row);
  uint32_t *fill = arena_array(arena, (size_t)n + 1, sizeof *fill);
  size_t *at = arena_array(arena, (size_t)p->entries + 1, sizeof *at);
  size_t *diagonal = arena_array(arena, (size_t)n + 1, sizeof *diagonal);
  c->place = arena_array(arena, (size_t)p->entries + 1, sizeof *c->place);
  c->column = arena_array(arena, (size_t)n + 1, sizeof *c->column);
  c->last = arena_array(arena, (size_t)n + 2, sizeof *c->last);
  if (arena_failed(arena)) return false;
  for (uint32_t e = 0; e < p->entries; e++) {
    if (p->entry_column[e] < n) start[p->entry_column[e] + 1]++;
  }
  for (uint32_t k = 0; k < n; k++) start[k + 1] += start[k];
  memcpy(fill, start, n * sizeof *fill);
  for (uint32_t e = 0; e < p->entries; e++) {
    if (p->entry_column[e] >= n) continue;
    c->place[e] = fill[p->entry_column[e]];
    row[fill[p->entry_column[e]]++] = p->entry_row[e];
  }
  if (!linear_init_sparse(&c->linear, arena, n, start, row, at, diagonal)) return false;
  for (uint32_t e = 0; e < p->entries; e++) {
    if (p->entry_column[e] < n) c->place[e] = at[c->place[e]];
  }
  return true;
}

bool curve_open(Curve *c, Places *p) {
  Arena *arena = p->arena;
  *c = (Curve){.p = p, .n = p->n, .N = p->n + 1, .dense = p->n <= curve_dense_most, .dependent = rank_part};
  uint32_t N = c->N, rows = N > p->m ? N : p->m;
  c->a = arena_array(arena, (size_t)p->k + 1, sizeof *c->a);
  c->b = arena_array(arena, (size_t)p->k + 1, sizeof *c->b);
  c->row_at = arena_array(arena, (size_t)p->m + 1, sizeof *c->row_at);
  c->F = arena_array(arena, (size_t)rows + 1, sizeof *c->F);
  c->P = arena_array(arena, (size_t)p->k + 1, sizeof *c->P);
  c->P1 = arena_array(arena, (size_t)p->k + 1, sizeof *c->P1);
  c->work = arena_array(arena, (size_t)rows + 1, sizeof *c->work);
  c->more = arena_array(arena, (size_t)rows + 1, sizeof *c->more);
  c->step = arena_array(arena, (size_t)rows + 1, sizeof *c->step);
  if (c->dense) {
    c->A = arena_array(arena, (size_t)N * N, sizeof *c->A);
    c->lu = arena_array(arena, (size_t)N * N, sizeof *c->lu);
    c->perm = arena_array(arena, N, sizeof *c->perm);
  }
  for (uint32_t i = 0; c->row_at && i < p->m && i < p->n; i++) c->row_at[i] = i + 1;
  return !arena_failed(arena);
}

void curve_close(Curve *c) {
  if (!c->dense && c->place) linear_clear(&c->linear);
}

void curve_path(Curve *c, const double *a, const double *b) {
  for (uint32_t i = 0; i < c->p->k; i++) {
    c->a[i] = a[i];
    c->b[i] = b[i];
    c->P1[i] = b[i] - a[i];
  }
}

void curve_drives(const Curve *c, double s, double *P) {
  for (uint32_t i = 0; i < c->p->k; i++) P[i] = s == 1 ? c->b[i] : c->a[i] + (c->b[i] - c->a[i]) * s;
}

// ---- independent equations

// Elimination with complete pivoting: the rank. taken: rows that are pivots; those that were taken before are left out.
static uint32_t eliminate(double *J, uint32_t rows, uint32_t n, double part, bool *taken, bool *used) {
  double most = 0;
  for (size_t i = 0; i < (size_t)rows * n; i++) most = fmax(most, fabs(J[i]));
  uint32_t rank = 0;
  for (;;) {
    uint32_t pr = 0, pc = 0;
    double top = 0;
    for (uint32_t i = 0; i < rows; i++) {
      for (uint32_t k = 0; !taken[i] && k < n; k++) {
        if (!used[k] && fabs(J[(size_t)i * n + k]) > top) top = fabs(J[(size_t)i * n + k]), pr = i, pc = k;
      }
    }
    if (!(top > part * most)) return rank;
    taken[pr] = used[pc] = true;
    rank++;
    for (uint32_t i = 0; i < rows; i++) {
      double f = J[(size_t)i * n + pc] / J[(size_t)pr * n + pc];
      if (taken[i] || f == 0) continue;
      for (uint32_t k = 0; k < n; k++) J[(size_t)i * n + k] -= f * J[(size_t)pr * n + k];
    }
  }
}

static bool is_drive(const Places *p, uint32_t row) {
  for (uint32_t i = 0; i < p->k; i++) {
    if (p->drive_row[i] == row) return true;
  }
  return false;
}

CurveRank curve_choose(Curve *c, const double *z, CurveCount *count) {
  Places *p = c->p;
  uint32_t n = c->n, m = p->m, drives = 0;
  for (uint32_t i = 0; i < p->k; i++) drives += p->drive_row[i] != UINT32_MAX;
  if (count) *count = (CurveCount){m - drives, m};
  if (!c->dense) {
    if (m != n) return m < n ? rank_free : rank_overdriven;
    for (uint32_t i = 0; i < m; i++) c->row_at[i] = i + 1;
    if (!p->k) return rank_regular; // nothing is followed
    return c->place || open_sparse(c) ? rank_regular : rank_no_memory;
  }
  double *J = arena_array(p->arena, (size_t)m * n + 1, sizeof *J);
  bool *taken = arena_array(p->arena, (size_t)m + 1, sizeof *taken);
  bool *used = arena_array(p->arena, (size_t)n + 1, sizeof *used);
  if (!J || !taken || !used) return rank_no_memory;
  curve_drives(c, z[n], c->P);
  places_eval(p, z, c->P);
  for (uint32_t e = 0; e < p->entries; e++) {
    if (p->entry_column[e] < n) J[(size_t)p->entry_row[e] * n + p->entry_column[e]] = places_entry(p, e);
  }
  // constraints first, then drives: these are never left out
  for (uint32_t i = 0; i < m; i++) taken[i] = is_drive(p, i);
  uint32_t held = eliminate(J, m, n, rank_part, taken, used);
  // drives, over what constraints leave: their rows were not reduced above
  bool *own = arena_array(p->arena, (size_t)m + 1, sizeof *own);
  double *K = arena_array(p->arena, (size_t)m * n + 1, sizeof *K);
  if (!own || !K) return rank_no_memory;
  uint32_t row = 0;
  for (uint32_t i = 0; i < m; i++) c->row_at[i] = taken[i] ? ++row : 0;
  for (uint32_t e = 0; e < p->entries; e++) {
    bool in = c->row_at[p->entry_row[e]] && p->entry_column[e] < n;
    if (in) K[(size_t)p->entry_row[e] * n + p->entry_column[e]] = places_entry(p, e);
  }
  for (uint32_t i = 0; i < n; i++) used[i] = false;
  uint32_t all = eliminate(K, m, n, c->dependent, own, used);
  if (count) *count = (CurveCount){held, all};
  if (row > all) return rank_overdriven;
  return all < n ? rank_free : rank_regular;
}

// ---- the matrix

// The entries where they were evaluated last, sparse.
static void fill_sparse(Curve *c, const double *along) {
  Places *p = c->p;
  memset(c->linear.a, 0, c->linear.count * sizeof *c->linear.a);
  memset(c->column, 0, c->n * sizeof *c->column);
  for (uint32_t e = 0; e < p->entries; e++) {
    uint32_t row = c->row_at[p->entry_row[e]], column = p->entry_column[e];
    double value = places_entry(p, e);
    if (column < c->n) c->linear.a[c->place[e]] += value;
    else c->column[row - 1] += value * c->P1[column - c->n];
  }
  memcpy(c->last, along, c->N * sizeof *along);
}

void curve_matrix(Curve *c, const double *z, const double *along) {
  Places *p = c->p;
  uint32_t N = c->N, n = c->n;
  curve_drives(c, z[n], c->P);
  places_eval(p, z, c->P);
  c->evaluations++;
  for (uint32_t i = 0; i < p->m; i++) {
    if (c->row_at[i]) c->F[c->row_at[i] - 1] = places_value(p, i);
  }
  c->F[n] = 0;
  if (!c->dense) {
    fill_sparse(c, along);
    return;
  }
  memset(c->A, 0, (size_t)N * N * sizeof *c->A);
  for (uint32_t e = 0; e < p->entries; e++) {
    uint32_t row = c->row_at[p->entry_row[e]], column = p->entry_column[e];
    if (!row) continue;
    double value = places_entry(p, e);
    if (column >= n) value *= c->P1[column - n];
    c->A[(size_t)(row - 1) * N + (column < n ? column : n)] += value;
  }
  for (uint32_t k = 0; k < N; k++) c->A[(size_t)n * N + k] += along[k];
}

static bool factor_dense(Curve *c) {
  uint32_t N = c->N;
  double *a = c->lu, largest = 0, smallest = INFINITY;
  memcpy(a, c->A, (size_t)N * N * sizeof *a);
  c->sign = 1;
  c->log_det = 0;
  for (uint32_t i = 0; i < N; i++) c->perm[i] = i;
  for (uint32_t k = 0; k < N; k++) {
    uint32_t best = k;
    for (uint32_t i = k + 1; i < N; i++) {
      if (fabs(a[(size_t)i * N + k]) > fabs(a[(size_t)best * N + k])) best = i;
    }
    double pivot = a[(size_t)best * N + k];
    if (!isfinite(pivot) || pivot == 0) return c->sign = 0, false;
    if (best != k) {
      for (uint32_t j = 0; j < N; j++) {
        double swap = a[(size_t)k * N + j];
        a[(size_t)k * N + j] = a[(size_t)best * N + j];
        a[(size_t)best * N + j] = swap;
      }
      uint32_t swap = c->perm[k];
      c->perm[k] = c->perm[best];
      c->perm[best] = swap;
      c->sign = -c->sign;
    }
    if (pivot < 0) c->sign = -c->sign;
    c->log_det += log(fabs(pivot));
    largest = fmax(largest, fabs(pivot));
    smallest = fmin(smallest, fabs(pivot));
    for (uint32_t i = k + 1; i < N; i++) {
      double f = a[(size_t)i * N + k];
      if (f == 0) continue;
      f /= pivot;
      a[(size_t)i * N + k] = f;
      for (uint32_t j = k + 1; j < N; j++) a[(size_t)i * N + j] -= f * a[(size_t)k * N + j];
    }
  }
  c->least = smallest / largest;
  return c->least > DBL_EPSILON;
}

bool curve_set(Curve *c, const double *z, const double *along) {
  curve_matrix(c, z, along);
  if (c->dense) return factor_dense(c);
  bool done = linear_factor(&c->linear);
  c->no_memory = c->no_memory || c->linear.no_memory;
  if (!done) return false;
  // v = A_u^-1 A_s, overwrites the column; what the last row leaves of s
  linear_solve(&c->linear, c->column);
  c->corner = c->last[c->n];
  for (uint32_t i = 0; i < c->n; i++) c->corner -= c->last[i] * c->column[i];
  return isfinite(c->corner) && c->corner != 0;
}

void curve_solve(Curve *c, double *b) {
  uint32_t N = c->N;
  if (!c->dense) {
    linear_solve(&c->linear, b);
    for (uint32_t i = 0; i < c->n; i++) b[c->n] -= c->last[i] * b[i];
    b[c->n] /= c->corner;
    for (uint32_t i = 0; i < c->n; i++) b[i] -= c->column[i] * b[c->n];
    return;
  }
  double *x = c->more;
  for (uint32_t i = 0; i < N; i++) {
    double sum = b[c->perm[i]];
    for (uint32_t j = 0; j < i; j++) sum -= c->lu[(size_t)i * N + j] * x[j];
    x[i] = sum;
  }
  for (uint32_t i = N; i-- > 0;) {
    double sum = x[i];
    for (uint32_t j = i + 1; j < N; j++) sum -= c->lu[(size_t)i * N + j] * x[j];
    x[i] = sum / c->lu[(size_t)i * N + i];
  }
  memcpy(b, x, N * sizeof *b);
}

bool curve_inverse(Curve *c, double *out) {
  uint32_t N = c->N;
  if (!factor_dense(c)) return false;
  for (uint32_t k = 0; k < N; k++) {
    memset(c->step, 0, N * sizeof *c->step);
    c->step[k] = 1;
    curve_solve(c, c->step);
    for (uint32_t i = 0; i < N; i++) out[(size_t)i * N + k] = c->step[i];
  }
  return true;
}

// ---- points

static double length(const double *v, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!(fabs(v[i]) <= most)) most = fabs(v[i]);
  }
  return most;
}

bool curve_correct(Curve *c, double *z, const double *along, const double *from, double sigma, double *first,
                   double *ratio) {
  double before = INFINITY, size = fmax(c->p->size, 1);
  if (first) *first = 0;
  if (ratio) *ratio = 0;
  for (int k = 0; k < newton_steps; k++) {
    if (!curve_set(c, z, along)) return false;
    double *d = c->step, off = sigma;
    for (uint32_t i = 0; i < c->N; i++) off -= along[i] * (z[i] - from[i]);
    for (uint32_t i = 0; i < c->n; i++) d[i] = -c->F[i];
    d[c->n] = off;
    curve_solve(c, d);
    double now = length(d, c->N);
    if (!isfinite(now)) return false;
    for (uint32_t i = 0; i < c->N; i++) z[i] += d[i];
    if (k == 0 && first) *first = now;
    if (k == 1 && ratio && before > 0) *ratio = now / before;
    if (now <= settled_part * size) return true;
    if (k > 1 && now > 0.5 * before) return now <= 1e4 * settled_part * size;
    before = now;
  }
  return before <= 1e4 * settled_part * size;
}

bool curve_tangent(Curve *c, const double *z, const double *along, double *t) {
  if (!curve_set(c, z, along)) return false;
  memset(t, 0, c->N * sizeof *t);
  t[c->n] = 1;
  curve_solve(c, t);
  return isfinite(length(t, c->N));
}

// A u'' = - what else stands in d2F, and so on; the last row keeps s as it is.
static void solve_rate(Curve *c, const double *terms, double *out) {
  double *d = c->step;
  for (uint32_t i = 0; i < c->p->m; i++) {
    if (c->row_at[i]) d[c->row_at[i] - 1] = -terms[i];
  }
  d[c->n] = 0;
  curve_solve(c, d);
  memcpy(out, d, c->n * sizeof *out);
}

bool curve_rates(Curve *c, const double *z, double *const rates[3]) {
  Places *p = c->p;
  double *along = c->work, *t = c->F;
  memset(along, 0, c->N * sizeof *along);
  along[c->n] = 1;
  if (!curve_tangent(c, z, along, t)) return false;
  memcpy(rates[0], t, c->n * sizeof *t);
  curve_drives(c, z[c->n], c->P);
  places_second(p, z, c->P, rates[0], c->P1, c->work);
  solve_rate(c, c->work, rates[1]);
  places_third(p, z, c->P, rates[0], c->P1, rates[1], c->work);
  solve_rate(c, c->work, rates[2]);
  return isfinite(length(rates[1], c->n)) && isfinite(length(rates[2], c->n));
}

double curve_watched(Curve *c, const double *z, uint32_t *which) {
  Places *p = c->p;
  double most = 0;
  if (which) *which = UINT32_MAX;
  curve_drives(c, z[c->n], c->P);
  places_eval(p, z, c->P);
  for (uint32_t i = 0; i < p->m; i++) {
    double value = fabs(places_value(p, i));
    if (c->row_at[i] || value <= most) continue;
    most = value;
    if (which) *which = i;
  }
  return most;
}
