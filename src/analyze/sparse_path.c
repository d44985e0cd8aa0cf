// Large sparse paths.
//
// Response: one sparse complex factorization of s - A a point.
//
// Dominant poles: solutions of (s - A) v = b and (s - A)' w = c at frequencies over the range span a small space, in
// which the path is projected (moments are matched there); its poles are guesses. Each is finished by Newton's method
// on 1/G (the dominant pole algorithm: s <- s - (c v)/(w v), N. Martins 1996), then by two-sided Rayleigh quotients,
// and counts where A v = s v holds.
#include "analyze/sparse_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { shifts = 16, most_steps = 30 };

struct SparseResponse {
  Arena *arena;
  const SolveModule *module;
  const SparsePath *p;
  struct ComplexFactors *factors;
  double *values; // of s - A, pairs
  Complex *v, *w; // scratch
};

SparseResponse *sparse_response_open(Arena *arena, const SolveModule *module, const SparsePath *p) {
  SparseResponse *r = module ? arena_new_of(arena, SparseResponse) : NULL;
  if (!r) return NULL;
  *r = (SparseResponse){.arena = arena, .module = module, .p = p};
  r->values = arena_array(arena, 2 * (size_t)p->start[p->n] + 2, sizeof *r->values);
  r->v = arena_array(arena, (size_t)p->n + 1, sizeof *r->v);
  r->w = arena_array(arena, (size_t)p->n + 1, sizeof *r->w);
  r->factors = module->complex_new(p->n, p->start, p->row);
  if (!arena_failed(arena) && r->factors) return r;
  sparse_response_close(r);
  return NULL;
}

void sparse_response_close(SparseResponse *r) {
  if (r && r->factors) r->module->complex_free(r->factors);
  if (r) r->factors = NULL;
}

static bool factor_at(SparseResponse *r, Complex s) {
  const SparsePath *p = r->p;
  for (uint32_t c = 0; c < p->n; c++) {
    for (uint32_t k = p->start[c]; k < p->start[c + 1]; k++) {
      bool diagonal = p->row[k] == c;
      r->values[2 * (size_t)k] = (diagonal ? creal(s) : 0) - p->value[k];
      r->values[2 * (size_t)k + 1] = diagonal ? cimag(s) : 0;
    }
  }
  return r->module->complex_make(r->factors, r->values) == sparse_done;
}

// v = (s - A)^-1 b, or w = (s - A)'^-1 c, from real vectors.
static void solve_real(SparseResponse *r, const double *side, Complex *out, bool transposed) {
  for (uint32_t i = 0; i < r->p->n; i++) out[i] = side[i];
  r->module->complex_solve(r->factors, (double *)out, transposed);
}

bool sparse_response_at(SparseResponse *r, Complex s, Complex *out) {
  if (!factor_at(r, s)) return false;
  solve_real(r, r->p->b, r->v, false);
  Complex sum = r->p->d;
  for (uint32_t i = 0; i < r->p->n; i++) sum += r->p->c[i] * r->v[i];
  *out = sum;
  return true;
}

static void multiply(const SparsePath *p, const Complex *x, Complex *out) {
  memset(out, 0, p->n * sizeof *out);
  for (uint32_t c = 0; c < p->n; c++) {
    for (uint32_t k = p->start[c]; k < p->start[c + 1]; k++) out[p->row[k]] += p->value[k] * x[c];
  }
}

// ---- guesses

// One more direction of a basis; what is already in it is taken out. rows of q.
static uint32_t add_direction(double *q, uint32_t count, uint32_t n, const double *x) {
  double *to = q + (size_t)count * n, before = dense_norm(n, x);
  memcpy(to, x, n * sizeof *to);
  for (int twice = 0; twice < 2; twice++) {
    for (uint32_t k = 0; k < count; k++) {
      double dot = 0;
      for (uint32_t i = 0; i < n; i++) dot += q[(size_t)k * n + i] * to[i];
      for (uint32_t i = 0; i < n; i++) to[i] -= dot * q[(size_t)k * n + i];
    }
  }
  double norm = dense_norm(n, to);
  if (!(norm > 1e-10 * before)) return count;
  for (uint32_t i = 0; i < n; i++) to[i] /= norm;
  return count + 1;
}

// Both parts of a complex vector.
static uint32_t add_both(double *q, uint32_t count, uint32_t n, const Complex *x, double *room) {
  for (int part = 0; part < 2; part++) {
    for (uint32_t i = 0; i < n; i++) room[i] = part ? cimag(x[i]) : creal(x[i]);
    count = add_direction(q, count, n, room);
  }
  return count;
}

// Poles of the projected path; returns how many.
static uint32_t guess(SparseResponse *r, double from, double to, Complex *out) {
  const SparsePath *p = r->p;
  uint32_t n = p->n, most = 2 * shifts, nv = 0, nw = 0;
  double *v = arena_array(r->arena, (size_t)n * most + n, sizeof *v),
         *w = arena_array(r->arena, (size_t)n * most + n, sizeof *w);
  double *room = arena_array(r->arena, (size_t)n + 1, sizeof *room);
  double *e = arena_array(r->arena, 2 * (size_t)most * most + 1, sizeof *e), *a = e + (size_t)most * most;
  Complex *x = arena_array(r->arena, 2 * (size_t)n + 2, sizeof *x), *ax = x + n + 1;
  if (!v || !w || !room || !e || !x) return 0;
  for (uint32_t k = 0; k < shifts; k++) {
    if (!factor_at(r, I * from * pow(to / from, (double)k / (shifts - 1)))) continue;
    solve_real(r, p->b, r->v, false);
    solve_real(r, p->c, r->w, true);
    nv = add_both(v, nv, n, r->v, room);
    nw = add_both(w, nw, n, r->w, room);
  }
  uint32_t size = nv < nw ? nv : nw;
  for (uint32_t j = 0; j < size; j++) {
    for (uint32_t i = 0; i < n; i++) x[i] = v[(size_t)j * n + i];
    multiply(p, x, ax);
    for (uint32_t i = 0; i < size; i++) {
      for (uint32_t k = 0; k < n; k++) {
        e[(size_t)i * size + j] += w[(size_t)i * n + k] * v[(size_t)j * n + k];
        a[(size_t)i * size + j] += w[(size_t)i * n + k] * creal(ax[k]);
      }
    }
  }
  if (!dense_solve(size, size, e, a)) return 0;
  return dense_eigenvalues(r->arena, r->module, size, a, out, NULL) == dense_done ? size : 0;
}

// ---- finishing

static Complex dot(const Complex *a, const Complex *b, uint32_t n) {
  Complex sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void normalize(Complex *x, uint32_t n) {
  double most = 0;
  for (uint32_t i = 0; i < n; i++) most = fmax(most, cabs(x[i]));
  for (uint32_t i = 0; i < n && most > 0; i++) x[i] /= most;
}

// Newton's method on 1/G, then Rayleigh quotients. False: it leads to no eigenvalue.
static bool finish(SparseResponse *r, Complex s, Complex *room, DominantPole *out) {
  const SparsePath *p = r->p;
  uint32_t n = p->n;
  bool turned = false; // from now on with the vectors themselves
  for (int i = 0; i < most_steps; i++) {
    if (!factor_at(r, s)) break; // just on it
    if (!turned) {
      solve_real(r, p->b, r->v, false);
      solve_real(r, p->c, r->w, true);
    } else {
      r->module->complex_solve(r->factors, (double *)r->v, false);
      r->module->complex_solve(r->factors, (double *)r->w, true);
    }
    normalize(r->v, n);
    normalize(r->w, n);
    multiply(p, r->v, room);
    Complex next = dot(r->w, room, n) / dot(r->w, r->v, n);
    double change = cabs(next - s);
    if (!isfinite(change)) return false;
    s = next;
    turned = turned || change < 1e-3 * cabs(s) || i > 8;
    if (turned && change < 1e-12 * (cabs(s) + 1e-300)) break;
  }
  multiply(p, r->v, room);
  double off = 0, size = 0;
  for (uint32_t i = 0; i < n; i++) {
    off = fmax(off, cabs(room[i] - s * r->v[i]));
    size = fmax(size, cabs(r->v[i]));
  }
  Complex share = dot(r->w, r->v, n), in = 0, seen = 0;
  for (uint32_t i = 0; i < n; i++) in += r->w[i] * p->b[i], seen += p->c[i] * r->v[i];
  *out = (DominantPole){s, in * seen / share, 0, off / size};
  out->weight = cabs(out->residue) / fmax(fabs(creal(s)), 1e-300);
  return off <= 1e-6 * size * (1 + cabs(s));
}

static int by_weight(const void *a, const void *b) {
  double x = ((const DominantPole *)a)->weight, y = ((const DominantPole *)b)->weight;
  return (x < y) - (x > y);
}

uint32_t sparse_dominant(SparseResponse *r, double from, double to, uint32_t wanted, DominantPole *out) {
  Complex guesses[2 * shifts];
  Complex *room = arena_array(r->arena, (size_t)r->p->n + 1, sizeof *room);
  DominantPole found[2 * shifts];
  uint32_t count = 0, all = room ? guess(r, from, to, guesses) : 0;
  for (uint32_t i = 0; i < all; i++) {
    DominantPole pole;
    if (cimag(guesses[i]) < 0 || !finish(r, guesses[i], room, &pole)) continue;
    if (cimag(pole.pole) < 0) pole.pole = conj(pole.pole), pole.residue = conj(pole.residue);
    bool known = false;
    for (uint32_t k = 0; k < count; k++) known = known || cabs(found[k].pole - pole.pole) <= 1e-8 * cabs(pole.pole);
    if (!known) found[count++] = pole;
  }
  qsort(found, count, sizeof *found, by_weight);
  if (count > wanted) count = wanted;
  memcpy(out, found, count * sizeof *out);
  return count;
}
