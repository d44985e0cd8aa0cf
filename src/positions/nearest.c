// Levenberg-Marquardt method with least-norm steps. See gather.h.
#include "positions/nearest.h"

#include "solve/sparse.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_iterations = 200, dense_most = 160 };

typedef struct Squares {
  Places *p;
  const NearestRequest *request;
  double *scale; // of equations: the length of their gradients
  double *F, *step, *trial, *lambda;
  double *normal; // m * m, dense
  // sparse: [S mu I, J; J', -1] with unknowns behind equations
  Sparse *factors;
  uint32_t *start, *row;
  double *values;
  uint32_t *low, *high; // indices of the entries, below and above the diagonal
  uint32_t *diagonal;
} Squares;

static bool counts(const Squares *x, uint32_t row) { return !x->request->skip || !x->request->skip[row]; }
static bool moves(const Squares *x, uint32_t column) {
  return column < x->p->n && (!x->request->may || x->request->may[column]);
}

// Values and Jacobian at u: the sum of squares of what is left, scaled.
static double measure(Squares *x, const double *u, bool scale) {
  Places *p = x->p;
  places_eval(p, u, x->request->P);
  if (scale) {
    memset(x->scale, 0, p->m * sizeof *x->scale);
    for (uint32_t e = 0; e < p->entries; e++) {
      if (p->entry_column[e] < p->n) x->scale[p->entry_row[e]] += places_entry(p, e) * places_entry(p, e);
    }
    for (uint32_t i = 0; i < p->m; i++) {
      x->scale[i] = x->scale[i] > 0 ? sqrt(x->scale[i]) : 1;
      if (x->request->weight)
        x->scale[i] = 1 / x->request->weight[i]; // distances are those of the equations themselves
    }
  }
  double sum = 0;
  for (uint32_t i = 0; i < p->m; i++) {
    x->F[i] = counts(x, i) ? places_value(p, i) / x->scale[i] : 0;
    sum += x->F[i] * x->F[i];
  }
  return sum;
}

// ---- dense: J J' + mu, by Cholesky

static bool step_dense(Squares *x, double mu) {
  Places *p = x->p;
  uint32_t m = p->m;
  memset(x->normal, 0, (size_t)m * m * sizeof *x->normal);
  // rows of entries are in order: a pair of rows meets in its columns
  for (uint32_t e = 0; e < p->entries; e++) {
    if (!moves(x, p->entry_column[e]) || !counts(x, p->entry_row[e])) continue;
    for (uint32_t k = 0; k < p->entries; k++) {
      if (p->entry_column[k] != p->entry_column[e] || p->entry_row[k] > p->entry_row[e]) continue;
      if (!counts(x, p->entry_row[k])) continue;
      x->normal[(size_t)p->entry_row[e] * m + p->entry_row[k]] +=
          places_entry(p, e) * places_entry(p, k) / (x->scale[p->entry_row[e]] * x->scale[p->entry_row[k]]);
    }
  }
  for (uint32_t i = 0; i < m; i++) x->normal[(size_t)i * m + i] += counts(x, i) ? mu : 1;
  for (uint32_t j = 0; j < m; j++) {
    double *row = x->normal + (size_t)j * m, d = row[j];
    for (uint32_t k = 0; k < j; k++) d -= row[k] * row[k];
    if (!(d > 0)) return false;
    row[j] = sqrt(d);
    for (uint32_t i = j + 1; i < m; i++) {
      double *other = x->normal + (size_t)i * m, s = other[j];
      for (uint32_t k = 0; k < j; k++) s -= other[k] * row[k];
      other[j] = s / row[j];
    }
  }
  for (uint32_t i = 0; i < m; i++) {
    double s = -x->F[i];
    for (uint32_t k = 0; k < i; k++) s -= x->normal[(size_t)i * m + k] * x->lambda[k];
    x->lambda[i] = s / x->normal[(size_t)i * m + i];
  }
  for (uint32_t i = m; i-- > 0;) {
    double s = x->lambda[i];
    for (uint32_t k = i + 1; k < m; k++) s -= x->normal[(size_t)k * m + i] * x->lambda[k];
    x->lambda[i] = s / x->normal[(size_t)i * m + i];
  }
  return true;
}

// ---- sparse: unknowns first, [1, J'; J, -mu]

static bool open_sparse(Squares *x) {
  Places *p = x->p;
  Arena *arena = p->arena;
  uint32_t size = p->n + p->m, used = 0;
  for (uint32_t e = 0; e < p->entries; e++) used += p->entry_column[e] < p->n;
  x->start = arena_array(arena, (size_t)size + 1, sizeof *x->start);
  x->row = arena_array(arena, (size_t)2 * used + size, sizeof *x->row);
  x->values = arena_array(arena, (size_t)2 * used + size, sizeof *x->values);
  x->low = arena_array(arena, (size_t)p->entries + 1, sizeof *x->low);
  x->high = arena_array(arena, (size_t)p->entries + 1, sizeof *x->high);
  x->diagonal = arena_array(arena, (size_t)size + 1, sizeof *x->diagonal);
  uint32_t *fill = arena_array(arena, (size_t)size + 1, sizeof *fill);
  if (arena_failed(arena)) return false;
  for (uint32_t e = 0; e < p->entries; e++) {
    if (p->entry_column[e] >= p->n) continue;
    x->start[p->entry_column[e] + 1]++;
    x->start[p->n + p->entry_row[e] + 1]++;
  }
  for (uint32_t k = 0; k < size; k++) x->start[k + 1] += x->start[k] + 1;
  for (uint32_t k = 0; k < size; k++) {
    fill[k] = x->start[k];
    x->diagonal[k] = fill[k];
    x->row[fill[k]++] = k;
  }
  for (uint32_t e = 0; e < p->entries; e++) {
    uint32_t c = p->entry_column[e], r = p->n + p->entry_row[e];
    if (c >= p->n) continue;
    x->low[e] = fill[c];
    x->row[fill[c]++] = r;
    x->high[e] = fill[r];
    x->row[fill[r]++] = c;
  }
  x->factors = sparse_new(size, x->start, x->row, sparse_symmetric);
  return x->factors != NULL;
}

static bool step_sparse(Squares *x, double mu) {
  Places *p = x->p;
  uint32_t size = p->n + p->m;
  for (uint32_t k = 0; k < p->n; k++) x->values[x->diagonal[k]] = 1;
  for (uint32_t i = 0; i < p->m; i++) x->values[x->diagonal[p->n + i]] = counts(x, i) ? -mu : -1;
  for (uint32_t e = 0; e < p->entries; e++) {
    if (p->entry_column[e] >= p->n) continue;
    bool in = moves(x, p->entry_column[e]) && counts(x, p->entry_row[e]);
    x->values[x->low[e]] = x->values[x->high[e]] = in ? places_entry(p, e) / x->scale[p->entry_row[e]] : 0;
  }
  if (sparse_factor(x->factors, x->values) != sparse_done) return false;
  double *b = x->step;
  memset(b, 0, size * sizeof *b);
  for (uint32_t i = 0; i < p->m; i++) b[p->n + i] = -x->F[i];
  sparse_solve(x->factors, b, 1);
  // du - J' z = 0 has its sign here: du + J' y = 0, J du - mu y = -F, so lambda = -y
  for (uint32_t i = 0; i < p->m; i++) x->lambda[i] = -b[p->n + i];
  return true;
}

// du = J' lambda
static bool find_step(Squares *x, double mu) {
  Places *p = x->p;
  if (!(p->m <= dense_most ? step_dense(x, mu) : step_sparse(x, mu))) return false;
  memset(x->step, 0, p->n * sizeof *x->step);
  for (uint32_t e = 0; e < p->entries; e++) {
    if (!moves(x, p->entry_column[e]) || !counts(x, p->entry_row[e])) continue;
    x->step[p->entry_column[e]] += places_entry(p, e) / x->scale[p->entry_row[e]] * x->lambda[p->entry_row[e]];
  }
  return true;
}

static double largest(const double *v, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++) most = fmax(most, fabs(v[i]));
  return most;
}

// The gradient of half the sum of squares, the largest of its entries.
static double slope(Squares *x) {
  Places *p = x->p;
  memset(x->trial, 0, p->n * sizeof *x->trial);
  for (uint32_t e = 0; e < p->entries; e++) {
    if (moves(x, p->entry_column[e]))
      x->trial[p->entry_column[e]] += places_entry(p, e) / x->scale[p->entry_row[e]] * x->F[p->entry_row[e]];
  }
  return largest(x->trial, p->n);
}

static bool open(Squares *x, NearestPoint *out) {
  Places *p = x->p;
  Arena *arena = p->arena;
  size_t size = (size_t)p->n + p->m + 1;
  x->scale = arena_array(arena, size, sizeof *x->scale);
  x->F = arena_array(arena, size, sizeof *x->F);
  x->step = arena_array(arena, size, sizeof *x->step);
  x->trial = arena_array(arena, size, sizeof *x->trial);
  x->lambda = arena_array(arena, size, sizeof *x->lambda);
  out->left = arena_array(arena, size, sizeof *out->left);
  if (p->m <= dense_most) x->normal = arena_array(arena, (size_t)p->m * p->m + 1, sizeof *x->normal);
  return !arena_failed(arena);
}

static NearestStatus iterate(Squares *x, double *u, NearestPoint *out) {
  Places *p = x->p;
  double size = fmax(1e-300, p->size), mu = 1e-3, sum = measure(x, u, true), enough = 1e-14 * size, moved = INFINITY;
  double before = INFINITY;
  for (uint32_t k = 0; k < most_iterations; k++) {
    out->iterations = k;
    double off = largest(x->F, p->m);
    if (!isfinite(sum)) return nearest_unsettled;
    if (off <= enough && moved <= 1e-12 * size) return nearest_done;     // slender structures amplify what is left
    if (off <= 1e-11 * size && sum > 0.25 * before) return nearest_done; // what is left is rounding
    before = sum;
    double g = slope(x);
    if (g <= fmax(1e-11, x->request->rough) * off) return off <= 1e-9 * size ? nearest_done : nearest_contradiction;
    bool down = false;
    for (int tries = 0; tries < 40 && !down; tries++) {
      if (!find_step(x, mu)) {
        mu = fmax(10 * mu, 1e-14);
        continue;
      }
      for (uint32_t i = 0; i < p->n; i++) x->trial[i] = u[i] + x->step[i];
      double trial = measure(x, x->trial, false);
      down = trial < sum;
      if (down) {
        bool fast = trial < 0.01 * sum;
        moved = largest(x->step, p->n);
        memcpy(u, x->trial, p->n * sizeof *u);
        sum = measure(x, u, true);
        mu = fmax(1e-15, mu * (fast ? 1e-3 : 0.2));
      } else {
        (void)measure(x, u, false);
        mu = fmax(4 * mu, 1e-14);
      }
    }
    if (!down) return largest(x->F, p->m) <= 1e-11 * size ? nearest_done : nearest_contradiction;
  }
  return nearest_unsettled;
}

NearestStatus gather(Places *p, const NearestRequest *request, double *u, NearestPoint *out) {
  Squares x = {.p = p, .request = request};
  *out = (NearestPoint){0};
  if (!open(&x, out)) return nearest_no_memory;
  if (p->m > dense_most && !open_sparse(&x)) return arena_failed(p->arena) ? nearest_no_memory : nearest_no_module;
  NearestStatus status = p->m ? iterate(&x, u, out) : nearest_done;
  memcpy(out->left, x.F, p->m * sizeof *out->left);
  sparse_free(x.factors);
  return status;
}

NearestStatus nearest_least(Places *p, const NearestRequest *request, const double *from, double *u,
                            NearestPoint *out) {
  enum { most_rounds = 2000 };
  Squares x = {.p = p, .request = request};
  double *away = arena_array(p->arena, (size_t)p->n + 1, sizeof *away), before = INFINITY, part = 1;
  if (!away || !open(&x, out)) return nearest_no_memory;
  out->least = false;
  if (p->m > dense_most) return nearest_done; // many unknowns: by the shortest steps alone
  for (int k = 0; k < most_rounds; k++) {
    measure(&x, u, true);
    for (uint32_t i = 0; i < p->n; i++) away[i] = moves(&x, i) ? from[i] - u[i] : 0;
    // what of it the equations leave: away - J' (J J')^-1 J away
    memset(x.F, 0, p->m * sizeof *x.F);
    for (uint32_t e = 0; e < p->entries; e++) {
      if (moves(&x, p->entry_column[e]) && counts(&x, p->entry_row[e]))
        x.F[p->entry_row[e]] += places_entry(p, e) / x.scale[p->entry_row[e]] * away[p->entry_column[e]];
    }
    if (!find_step(&x, 1e-14)) return nearest_done;
    double step = 0;
    for (uint32_t i = 0; i < p->n; i++) step = fmax(step, fabs(away[i] + x.step[i]));
    out->least = step <= 1e-11 * p->size || (step > before && step < 1e-6 * p->size);
    if (out->least) return nearest_done;
    if (step > before) part *= 0.5; // curved: shorter steps
    before = step;
    double by = fmin(part, 0.02 * p->size / step); // no part flips over on the way
    for (uint32_t i = 0; i < p->n; i++) u[i] += by * (away[i] + x.step[i]);
    NearestStatus status = gather(p, request, u, out);
    if (status != nearest_done) return status;
  }
  return nearest_done;
}
