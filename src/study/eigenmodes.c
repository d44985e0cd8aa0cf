// Eigenvalues by LAPACK; what must not depend on rounding by rational numbers.
//
// in    A, B, C in doubles and, where they are rational, exactly
// out   modes, stability, ranks
//
// Exact entries say how many eigenvalues are zero, on the imaginary axis and to its right (hurwitz.c): that many of the
// computed ones are put there. Reach is decided by the rank of [B, AB, ...] modulo a large prime, or by an orthonormal
// basis of its columns; which modes are out of reach, by the least singular value of [A - lambda, B] (Hautus).
#include "study/eigenmodes.h"

#include "expr/modular.h"
#include "solve/module.h"
#include "solve/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double zero_part = 1e-7, axis_part = 1e-9, reach_part = 1e-9; // where nothing exact is known

typedef struct Work {
  Arena *arena;
  const ModesIn *in;
  const SolveModule *module;
  Modes *out;
  double *scale; // of the balanced states: x = scale * balanced
  double *A;     // balanced, row by row
  double norm;   // of it
} Work;

// ---- eigenvalues

static int by_place(const void *a, const void *b) {
  const EigenMode *x = a, *y = b;
  if (x->re != y->re) return x->re > y->re ? -1 : 1;
  if (x->im != y->im) return x->im < y->im ? -1 : 1;
  return (int)x->chain - (int)y->chain;
}

static void normalise(const Work *w, EigenMode *m) {
  uint32_t n = w->in->n, from = 0, to = n, at = 0;
  double all = 0, positions = 0;
  for (uint32_t i = 0; i < n; i++) {
    double size = hypot(m->shape[0][i], m->shape[1][i]);
    all = fmax(all, size);
    if (i < w->in->positions) positions = fmax(positions, size);
  }
  if (!(all > 0)) return;
  if (positions > 1e-6 * all) to = w->in->positions;
  double most = 0;
  for (uint32_t i = from; i < to; i++) {
    double size = hypot(m->shape[0][i], m->shape[1][i]);
    if (size <= most * (1 + 1e-9)) continue;
    most = size;
    at = i;
  }
  double re = m->shape[0][at] / (most * most), im = -m->shape[1][at] / (most * most);
  for (uint32_t i = 0; i < n; i++) {
    double a = m->shape[0][i], b = m->shape[1][i], x = a * re - b * im, y = a * im + b * re, size = hypot(x, y);
    // rounding of what is zero
    m->shape[0][i] = fabs(x) < 1e-13 * all / most || fabs(x) < 1e-13 * size ? 0 : x;
    m->shape[1][i] = fabs(y) < 1e-13 * all / most || fabs(y) < 1e-13 * size ? 0 : y;
  }
  m->shape[0][at] = 1;
  m->shape[1][at] = 0;
}

static bool find_eigen(Work *w) {
  uint32_t n = w->in->n;
  Modes *out = w->out;
  double *a = arena_array(w->arena, (size_t)n * n, sizeof *a), *v = arena_array(w->arena, (size_t)n * n, sizeof *v);
  double *re = arena_array(w->arena, n, sizeof *re), *im = arena_array(w->arena, n, sizeof *im);
  double *work = arena_array(w->arena, (size_t)spectrum_room((int)n, (int)n), sizeof *work);
  double *shapes = arena_array(w->arena, 2 * (size_t)n * n, sizeof *shapes);
  out->modes = arena_array(w->arena, n, sizeof *out->modes);
  if (!a || !v || !re || !im || !work || !shapes || !out->modes) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) a[(size_t)j * n + i] = w->in->A[(size_t)i * n + j];
  }
  if (w->module->eigen((int)n, a, re, im, v, work) != 0) {
    out->why = "the eigenvalues did not converge";
    return true;
  }
  for (uint32_t i = 0; i < n; i++) {
    EigenMode m = {.re = re[i], .im = fabs(im[i]), .pair = im[i] != 0, .control = NAN, .observe = NAN};
    m.shape[0] = shapes + 2 * (size_t)n * out->count;
    m.shape[1] = m.shape[0] + n;
    memcpy(m.shape[0], v + (size_t)i * n, n * sizeof(double));
    if (m.pair) memcpy(m.shape[1], v + (size_t)(i + 1) * n, n * sizeof(double));
    out->modes[out->count++] = m;
    if (m.pair) i++;
  }
  return true;
}

// ---- what is exactly known

// The k nearest to zero become zero. A pair may stand for two of them.
static void put_zeros(Work *w, uint32_t k) {
  Modes *out = w->out;
  while (k) {
    EigenMode *best = NULL;
    for (uint32_t i = 0; i < out->count; i++) {
      EigenMode *m = &out->modes[i];
      if ((m->re != 0 || m->im != 0) && (!best || hypot(m->re, m->im) < hypot(best->re, best->im))) best = m;
    }
    // zeros that came out as such
    uint32_t done = 0;
    for (uint32_t i = 0; i < out->count; i++) done += out->modes[i].re == 0 && out->modes[i].im == 0;
    if (done >= k || !best) return;
    if (best->pair) {
      EigenMode *other = &out->modes[out->count++];
      *other = *best;
      other->shape[0] = arena_array(w->arena, 2 * (size_t)w->in->n, sizeof(double));
      other->shape[1] = other->shape[0] ? other->shape[0] + w->in->n : NULL;
      other->pair = best->pair = false;
      other->re = other->im = 0;
      if (!other->shape[0]) return;
      memset(best->shape[1], 0, w->in->n * sizeof(double));
    }
    best->re = best->im = 0;
  }
}

// Vectors of the kernel for the zeros; what is left of them has none.
static void zero_shapes(Work *w) {
  uint32_t count = 0, used = 0, n = w->in->n;
  const Rat *kernel = hurwitz_kernel(w->arena, w->in->rA, n, &count);
  if (!kernel) return;
  for (uint32_t i = 0; i < w->out->count; i++) {
    EigenMode *m = &w->out->modes[i];
    if (m->re != 0 || m->im != 0) continue;
    m->chain = used >= count;
    memset(m->shape[0], 0, n * sizeof(double));
    memset(m->shape[1], 0, n * sizeof(double));
    for (uint32_t j = 0; j < n && !m->chain; j++) m->shape[0][j] = rat_to_double(kernel[(size_t)used * n + j]);
    used++;
  }
}

// Those nearest to the imaginary axis, by the angle, come to lie on it.
static void put_axis(Work *w, uint32_t k) {
  Modes *out = w->out;
  for (uint32_t i = 0; i < out->count; i++) k -= k >= 2 && out->modes[i].pair && out->modes[i].re == 0 ? 2 : 0;
  while (k >= 2) {
    EigenMode *best = NULL;
    for (uint32_t i = 0; i < out->count; i++) {
      EigenMode *m = &out->modes[i];
      if (m->pair && m->re != 0 && (!best || fabs(m->re) * best->im < fabs(best->re) * m->im)) best = m;
    }
    if (!best) return;
    best->re = 0;
    k -= 2;
  }
}

static void judge(Work *w) {
  Modes *out = w->out;
  HalfPlanes *h = &out->planes;
  out->exact = w->in->rA && hurwitz_count(w->arena, w->in->rA, w->in->n, h);
  if (out->exact) {
    put_zeros(w, h->zero);
    if (h->zero) zero_shapes(w);
    put_axis(w, h->axis);
  } else {
    double most = 0;
    for (uint32_t i = 0; i < out->count; i++) most = fmax(most, hypot(out->modes[i].re, out->modes[i].im));
    *h = (HalfPlanes){0};
    for (uint32_t i = 0; i < out->count; i++) {
      const EigenMode *m = &out->modes[i];
      uint32_t size = m->pair ? 2 : 1;
      if (hypot(m->re, m->im) <= zero_part * most) h->zero += size;
      else if (fabs(m->re) <= axis_part * most) h->axis += size;
      else if (m->re > 0) h->right += size;
      else h->left += size;
    }
  }
  out->stability = h->right ? stability_unstable : h->axis || h->zero ? stability_marginal : stability_stable;
}

// ---- reach

// Rows and columns of A of like size: powers of two, a few rounds.
static bool balance(Work *w) {
  uint32_t n = w->in->n;
  w->A = arena_array(w->arena, (size_t)n * n, sizeof *w->A);
  w->scale = arena_array(w->arena, n, sizeof *w->scale);
  if (!w->A || !w->scale) return false;
  memcpy(w->A, w->in->A, (size_t)n * n * sizeof *w->A);
  for (uint32_t i = 0; i < n; i++) w->scale[i] = 1;
  for (int round = 0; round < 20; round++) {
    for (uint32_t i = 0; i < n; i++) {
      double row = 0, col = 0;
      for (uint32_t j = 0; j < n; j++) {
        if (j == i) continue;
        row += fabs(w->A[(size_t)i * n + j]);
        col += fabs(w->A[(size_t)j * n + i]);
      }
      if (!(row > 0) || !(col > 0)) continue;
      double f = exp2(nearbyint(0.5 * log2(row / col)));
      w->scale[i] *= f;
      for (uint32_t j = 0; j < n; j++) w->A[(size_t)i * n + j] /= f;
      for (uint32_t j = 0; j < n; j++) w->A[(size_t)j * n + i] *= f;
    }
  }
  for (uint32_t i = 0; i < n * n; i++) w->norm += w->A[i] * w->A[i];
  w->norm = sqrt(w->norm);
  return true;
}

// The dimension of the space that b, A b, ... span; b has n rows of m columns. at: A or its transpose.
static int numeric_rank(Work *w, const double *b, uint32_t m, bool transpose) {
  uint32_t n = w->in->n, rank = 0, last = m;
  double *basis = arena_array(w->arena, (size_t)n * n, sizeof *basis), *queue = arena_array(w->arena, (size_t)(n + m) * n, sizeof *queue);
  if (!basis || !queue) return -1;
  for (uint32_t c = 0; c < m; c++) {
    for (uint32_t i = 0; i < n; i++) queue[(size_t)c * n + i] = b[(size_t)i * m + c];
  }
  for (uint32_t at = 0; at < last && rank < n; at++) {
    double *v = queue + (size_t)at * n, *q = basis + (size_t)rank * n, before = 0, after = 0;
    for (uint32_t i = 0; i < n; i++) before += v[i] * v[i];
    memcpy(q, v, n * sizeof *q);
    for (int twice = 0; twice < 2; twice++) {
      for (uint32_t r = 0; r < rank; r++) {
        double dot = 0;
        for (uint32_t i = 0; i < n; i++) dot += basis[(size_t)r * n + i] * q[i];
        for (uint32_t i = 0; i < n; i++) q[i] -= dot * basis[(size_t)r * n + i];
      }
    }
    for (uint32_t i = 0; i < n; i++) after += q[i] * q[i];
    // an image is judged against A, a column of b against itself
    double against = at < m ? sqrt(before) : w->norm;
    if (!(sqrt(after) > reach_part * against) || against == 0) continue;
    for (uint32_t i = 0; i < n; i++) q[i] /= sqrt(after);
    rank++;
    double *next = queue + (size_t)last++ * n;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) next[i] += (transpose ? w->A[(size_t)j * n + i] : w->A[(size_t)i * n + j]) * q[j];
    }
  }
  return (int)rank;
}

static uint64_t *residues(Arena *arena, const Rat *a, size_t count) {
  uint64_t *out = a ? arena_array(arena, count, sizeof *out) : NULL;
  for (size_t i = 0; out && i < count; i++) {
    bool good = true;
    out[i] = rat_mod(a[i], MODULAR_PRIME, &good);
    if (!good) return NULL;
  }
  return out;
}

// Modular: the rank of rational matrices; -1: not rational. transpose: of (A', C').
static int exact_rank(Work *w, const Rat *b, uint32_t m, bool transpose) {
  uint32_t n = w->in->n;
  uint64_t *a = residues(w->arena, w->in->rA, (size_t)n * n), *r = residues(w->arena, b, (size_t)n * m);
  if (!a || !r) return -1;
  for (uint32_t i = 0; transpose && i < n; i++) {
    for (uint32_t j = 0; j < i; j++) {
      uint64_t swap = a[i * n + j];
      a[i * n + j] = a[j * n + i];
      a[j * n + i] = swap;
    }
  }
  if (transpose) {
    uint64_t *t = arena_array(w->arena, (size_t)n * m, sizeof *t);
    for (uint32_t i = 0; t && i < n; i++) {
      for (uint32_t j = 0; j < m; j++) t[(size_t)i * m + j] = r[(size_t)j * n + i];
    }
    if (!t) return -1;
    r = t;
  }
  return modular_krylov_rank(w->arena, n, m, a, r);
}

// The least singular value of [A - lambda, b], over the norm of A. Complex numbers as two by two blocks.
static double distance(Work *w, const double *b, uint32_t m, bool transpose, double re, double im, double *room) {
  uint32_t n = w->in->n, rows = 2 * n, cols = 2 * (n + m);
  double *a = room, *s = room + (size_t)rows * cols, *work = s + rows;
  memset(a, 0, (size_t)rows * cols * sizeof *a);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double x = (transpose ? w->A[(size_t)j * n + i] : w->A[(size_t)i * n + j]) - (i == j ? re : 0);
      a[(size_t)j * rows + i] = a[(size_t)(n + j) * rows + n + i] = x;
    }
    a[(size_t)i * rows + n + i] = -im;
    a[(size_t)(n + i) * rows + i] = im;
    for (uint32_t j = 0; j < m; j++) a[(size_t)(2 * n + j) * rows + i] = a[(size_t)(2 * n + m + j) * rows + n + i] = b[(size_t)i * m + j];
  }
  if (w->module->singular((int)rows, (int)cols, a, s, NULL, NULL, work) != 0) return NAN;
  return w->norm > 0 ? s[rows - 1] / w->norm : s[rows - 1];
}

// b: n rows of m columns, balanced, each column as long as A is large.
static bool find_reach(Work *w, double *b, uint32_t m, const Rat *exact, bool observe, ModeRank *out) {
  uint32_t n = w->in->n;
  Modes *o = w->out;
  for (uint32_t c = 0; c < m; c++) {
    double length = 0;
    for (uint32_t i = 0; i < n; i++) length = hypot(length, b[(size_t)i * m + c]);
    for (uint32_t i = 0; length > 0 && i < n; i++) b[(size_t)i * m + c] *= (w->norm > 0 ? w->norm : 1) / length;
  }
  int rank = exact_rank(w, exact, m, observe);
  out->exact = rank >= 0;
  if (rank < 0) rank = numeric_rank(w, b, m, observe);
  size_t cells = (size_t)2 * n * 2 * (n + m) + 2 * n + (size_t)spectrum_room((int)(2 * n), (int)(2 * (n + m)));
  double *room = arena_array(w->arena, cells, sizeof *room);
  if (rank < 0 || !room) return false;
  out->known = true;
  out->rank = (uint32_t)rank;
  out->smallest = INFINITY;
  for (uint32_t i = 0; i < o->count; i++) {
    EigenMode *mode = &o->modes[i];
    double d = distance(w, b, m, observe, mode->re, mode->im, room);
    *(observe ? &mode->observe : &mode->control) = d;
    out->smallest = fmin(out->smallest, d);
  }
  // as many states as are out of reach, the nearest first
  for (uint32_t left = n - out->rank; left;) {
    EigenMode *best = NULL;
    for (uint32_t i = 0; i < o->count; i++) {
      EigenMode *mode = &o->modes[i];
      bool taken = observe ? mode->unobservable : mode->uncontrollable;
      if (taken || (mode->pair && left < 2)) continue;
      if (!best || (observe ? mode->observe < best->observe : mode->control < best->control)) best = mode;
    }
    if (!best) break;
    *(observe ? &best->unobservable : &best->uncontrollable) = true;
    left -= best->pair ? 2 : 1;
  }
  return true;
}

static bool find_ranks(Work *w) {
  const ModesIn *in = w->in;
  uint32_t n = in->n;
  double *b = arena_array(w->arena, (size_t)n * in->m, sizeof *b), *c = arena_array(w->arena, (size_t)n * in->p, sizeof *c);
  if (!b || !c || !balance(w)) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < in->m; j++) b[(size_t)i * in->m + j] = in->B[(size_t)i * in->m + j] / w->scale[i];
    for (uint32_t j = 0; j < in->p; j++) c[(size_t)i * in->p + j] = in->C[(size_t)j * n + i] * w->scale[i];
  }
  if (in->m && !find_reach(w, b, in->m, in->rB, false, &w->out->control)) return false;
  return !in->p || find_reach(w, c, in->p, in->rC, true, &w->out->observe);
}

bool modes_find(Arena *arena, const ModesIn *in, Modes *out) {
  *out = (Modes){.n = in->n};
  Work work = {.arena = arena, .in = in, .module = module_load(), .out = out}, *w = &work;
  if (in->n == 0) return true;
  if (!w->module) {
    out->why = "eigenvalues need libviva-solvers.so beside the library, and LAPACK";
    return true;
  }
  for (size_t i = 0; i < (size_t)in->n * in->n; i++) {
    if (isfinite(in->A[i])) continue;
    out->why = "A has entries that are not finite";
    return true;
  }
  if (!find_eigen(w)) return false;
  if (out->why) return true;
  judge(w);
  for (uint32_t i = 0; i < out->count; i++) {
    EigenMode *m = &out->modes[i];
    m->frequency = hypot(m->re, m->im);
    m->damping = m->frequency > 0 ? -m->re / m->frequency : NAN;
    if (!m->chain) normalise(w, m);
  }
  qsort(out->modes, out->count, sizeof *out->modes, by_place);
  out->re = arena_array(arena, in->n, sizeof *out->re);
  out->im = arena_array(arena, in->n, sizeof *out->im);
  if (!out->re || !out->im) return false;
  for (uint32_t i = 0, k = 0; i < out->count && k < in->n; i++) {
    const EigenMode *m = &out->modes[i];
    out->re[k] = m->re;
    out->im[k++] = m->im;
    if (!m->pair || k >= in->n) continue;
    out->re[k] = m->re;
    out->im[k++] = -m->im;
  }
  return find_ranks(w);
}
