// Null vectors and derivatives at a bifurcation. See bifurcation.h.
#include "positions/bifurcation.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

enum { iterations = 4, halvings = 12 };
static const double no_part = 1e-5; // of its length: a direction has no part in s
static const double aside = 1e-4;   // of its length: the direction that was come, which is less exact, has none
static const double flat = 1e-7;    // of the other one: a derivative that vanishes

typedef struct BifurcationPoint {
  Curve *c;
  uint32_t N;
  const double *z;
  double *A, *work, *psi, *phi, *terms, *sum, *w;
  uint32_t *column;
} BifurcationPoint;

// ---- dense

static void swap_numbers(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

// Elimination with complete pivoting, of M (n x n) with one right side b; the last pivot is taken as it is.
static void eliminate(double *M, double *b, uint32_t n, uint32_t *column) {
  for (uint32_t i = 0; i < n; i++) column[i] = i;
  for (uint32_t k = 0; k + 1 < n; k++) {
    uint32_t pr = k, pc = k;
    for (uint32_t i = k; i < n; i++) {
      for (uint32_t j = k; j < n; j++) {
        if (fabs(M[(size_t)i * n + j]) > fabs(M[(size_t)pr * n + pc])) pr = i, pc = j;
      }
    }
    if (M[(size_t)pr * n + pc] == 0) return;
    for (uint32_t j = 0; j < n; j++) swap_numbers(&M[(size_t)k * n + j], &M[(size_t)pr * n + j]);
    swap_numbers(&b[k], &b[pr]);
    for (uint32_t i = 0; i < n; i++) swap_numbers(&M[(size_t)i * n + k], &M[(size_t)i * n + pc]);
    uint32_t kept = column[k];
    column[k] = column[pc];
    column[pc] = kept;
    for (uint32_t i = k + 1; i < n; i++) {
      double f = M[(size_t)i * n + k] / M[(size_t)k * n + k];
      for (uint32_t j = k; f != 0 && j < n; j++) M[(size_t)i * n + j] -= f * M[(size_t)k * n + j];
      b[i] -= f * b[k];
    }
  }
}

// The last unknown of the order is given; the others follow.
static void substitute(const double *M, const double *b, uint32_t n, const uint32_t *column, double last, double *out) {
  out[column[n - 1]] = last;
  for (uint32_t i = n - 1; i-- > 0;) {
    double sum = b[i];
    for (uint32_t j = i + 1; j < n; j++) sum -= M[(size_t)i * n + j] * out[column[j]];
    out[column[i]] = sum / M[(size_t)i * n + i];
  }
}

static double dot(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void scale_to_one(double *v, uint32_t n) {
  double size = sqrt(dot(v, v, n));
  for (uint32_t i = 0; size > 0 && i < n; i++) v[i] /= size;
}

// The null vector of x->A, or of its transpose.
static void null_vector(BifurcationPoint *x, bool left, double *out) {
  uint32_t N = x->N;
  double *M = x->work, *b = M + (size_t)(N + 1) * (N + 1);
  for (uint32_t i = 0; i < N; i++) {
    for (uint32_t j = 0; j < N; j++) M[(size_t)i * N + j] = left ? x->A[(size_t)j * N + i] : x->A[(size_t)i * N + j];
    b[i] = 0;
  }
  eliminate(M, b, N, x->column);
  substitute(M, b, N, x->column, 1, out);
  scale_to_one(out, N);
}

// A w = right (rows of F; t.w = 0), phi.w = 0: bordered by psi.
static void solve_bordered(BifurcationPoint *x, const double *right, double *w) {
  uint32_t N = x->N, n = N + 1;
  double *M = x->work, *b = M + (size_t)n * n;
  for (uint32_t i = 0; i < N; i++) {
    memcpy(M + (size_t)i * n, x->A + (size_t)i * N, N * sizeof *M);
    M[(size_t)i * n + N] = x->psi[i];
    b[i] = right[i];
  }
  memcpy(M + (size_t)N * n, x->phi, N * sizeof *M);
  M[(size_t)N * n + N] = b[N] = 0;
  eliminate(M, b, n, x->column);
  substitute(M, b, n, x->column, b[n - 1] / M[(size_t)n * n - 1], w);
}

// ---- derivatives along directions of (u, s)

// Rows of the equations that count, in the order of A; the last row is 0.
static void keep_rows(BifurcationPoint *x, const double *terms, double *out) {
  const Curve *c = x->c;
  for (uint32_t i = 0; i < c->p->m; i++) {
    if (c->row_at[i]) out[c->row_at[i] - 1] = terms[i];
  }
  out[c->n] = 0;
}

static void drive_rates(BifurcationPoint *x, const double *d) {
  for (uint32_t k = 0; k < x->c->p->k; k++) x->c->P1[k] = (x->c->b[k] - x->c->a[k]) * d[x->c->n];
}

// D2F[d, d] into out.
static void second_along(BifurcationPoint *x, const double *d, double *out) {
  Curve *c = x->c;
  drive_rates(x, d);
  curve_drives(c, x->z[c->n], c->P);
  places_second(c->p, x->z, c->P, d, c->P1, x->terms);
  keep_rows(x, x->terms, out);
}

// psi.D2F[d, e], by polarization.
static double second_of(BifurcationPoint *x, const double *d, const double *e) {
  double *both = x->sum, *out = both + x->N + 1;
  for (uint32_t i = 0; i < x->N; i++) both[i] = d[i] + e[i];
  second_along(x, both, out);
  double q = dot(x->psi, out, x->N);
  for (uint32_t i = 0; i < x->N; i++) both[i] = d[i] - e[i];
  second_along(x, both, out);
  return (q - dot(x->psi, out, x->N)) / 4;
}

static double third_of(BifurcationPoint *x, const double *d) {
  Curve *c = x->c;
  double *still = x->sum, *out = still + x->N + 1;
  memset(still, 0, x->N * sizeof *still);
  drive_rates(x, d);
  curve_drives(c, x->z[c->n], c->P);
  places_third(c->p, x->z, c->P, d, c->P1, still, x->terms);
  keep_rows(x, x->terms, out);
  return dot(x->psi, out, x->N);
}

// ---- memory

static bool open(BifurcationPoint *x, Curve *c, const double *z) {
  Arena *arena = c->p->arena;
  size_t N = c->N, rows = N > c->p->m ? N : c->p->m;
  *x = (BifurcationPoint){.c = c, .N = c->N, .z = z};
  x->A = arena_array(arena, N * N, sizeof *x->A);
  x->work = arena_array(arena, (N + 1) * (N + 2), sizeof *x->work);
  x->psi = arena_array(arena, N + 1, sizeof *x->psi);
  x->phi = arena_array(arena, N + 1, sizeof *x->phi);
  x->terms = arena_array(arena, rows + 1, sizeof *x->terms);
  x->sum = arena_array(arena, 2 * (N + 1), sizeof *x->sum);
  x->w = arena_array(arena, N + 1, sizeof *x->w);
  x->column = arena_array(arena, N + 1, sizeof *x->column);
  return !arena_failed(arena);
}

// s'' along the branch of a symmetric bifurcation, whose direction is d.
static double bend_of(BifurcationPoint *x, const double *d, const double *t) {
  uint32_t N = x->N;
  double *right = x->sum, *w = x->w;
  second_along(x, d, right);
  for (uint32_t i = 0; i < N; i++) right[i] = -right[i];
  solve_bordered(x, right, w);
  double known = third_of(x, d) + 3 * second_of(x, d, w), along = 3 * second_of(x, d, t);
  return along != 0 ? w[x->c->n] - known / along * t[x->c->n] : NAN;
}

// ---- many unknowns

// Which s a point of the other way has, `length` from z along d. NAN: none is found.
static double branch_s(Curve *c, const double *z, const double *d, double length, double *room) {
  for (uint32_t i = 0; i < c->N; i++) room[i] = z[i] + length * d[i];
  return curve_correct(c, room, d, z, length, NULL, NULL) ? room[c->n] : NAN;
}

static bool estimate(Bifurcation *out, Curve *c, const double *z, const double *t) {
  Arena *arena = c->p->arena;
  uint32_t N = c->N, n = c->n;
  double *d = arena_array(arena, (size_t)N + 1, sizeof *d), *room = arena_array(arena, (size_t)N + 1, sizeof *room);
  if (!d || !room) return false;
  if (fabs(t[n]) <= aside) return true; // along a branch: the main path is not looked for
  room[n] = 1;
  if (!curve_set(c, z, room)) return !c->no_memory;
  for (uint32_t i = 0; i < n; i++) d[i] = random_normal(1, i);
  for (int k = 0; k < iterations; k++) {
    d[n] = 0;
    curve_solve(c, d);
    d[n] = 0;
    scale_to_one(d, n);
  }
  double places = sqrt(dot(d, d, c->p->coords)), length = 1e-2 * c->p->size / fmax(1e-9, places);
  uint32_t largest = 0;
  for (uint32_t i = 0; i < c->p->coords; i++) largest = fabs(d[i]) > fabs(d[largest]) * (1 + 1e-6) ? i : largest;
  for (uint32_t i = 0, down = d[largest] < 0; down && i < n; i++) d[i] = -d[i];
  for (int k = 0; k < halvings; k++, length /= 2) {
    double up = branch_s(c, z, d, length, room) - z[n], down = branch_s(c, z, d, -length, room) - z[n];
    if (!isfinite(up) || !isfinite(down)) continue;
    out->other = d;
    out->kind = (up > 0) == (down > 0) ? bifurcation_symmetric : bifurcation_transcritical;
    if (out->kind == bifurcation_symmetric) out->bend = (up + down) / (length * length);
    return true;
  }
  return true;
}

// ---- the whole

bool bifurcation_find(Bifurcation *out, Curve *c, const double *z, const double *t) {
  BifurcationPoint x;
  *out = (Bifurcation){.bend = NAN};
  if (!c->dense) return estimate(out, c, z, t);
  if (!open(&x, c, z)) return false;
  curve_matrix(c, z, t);
  memcpy(x.A, c->A, (size_t)c->N * c->N * sizeof *x.A);
  null_vector(&x, false, x.phi);
  null_vector(&x, true, x.psi);
  double a = second_of(&x, x.phi, x.phi), b = second_of(&x, x.phi, t);
  double size = fabs(a) + fabs(b);
  for (uint32_t k = 0; k < c->p->k; k++) c->P1[k] = c->b[k] - c->a[k];
  if (!(size > 0) || !isfinite(size) || fabs(b) <= flat * size) return true;
  double *d = arena_array(c->p->arena, (size_t)c->N + 1, sizeof *d);
  if (!d) return false;
  for (uint32_t i = 0; i < c->N; i++) d[i] = a * t[i] - 2 * b * x.phi[i];
  scale_to_one(d, c->N);
  bool across = fabs(d[c->n]) <= no_part;
  uint32_t largest = across ? 0 : c->n; // its sign: s rises, or the largest entry is positive
  for (uint32_t i = 0; across && i < c->n; i++) largest = fabs(d[i]) > fabs(d[largest]) * (1 + 1e-6) ? i : largest;
  double sign = d[largest] < 0 ? -1 : 1;
  for (uint32_t i = 0; i < c->N; i++) d[i] *= sign;
  out->other = d;
  out->from_side = !across && fabs(t[c->n]) <= aside;
  out->kind = across || out->from_side ? bifurcation_symmetric : bifurcation_transcritical;
  if (across) out->bend = bend_of(&x, d, t);
  for (uint32_t k = 0; k < c->p->k; k++) c->P1[k] = c->b[k] - c->a[k];
  return !arena_failed(c->p->arena);
}
