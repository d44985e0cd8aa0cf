// Eigenvalues, stability and controllability: by LAPACK, with signs and ranks decided in rational arithmetic.
//
// in    A, B, C in doubles and, where they are rational, exactly
// out   modes, stability, ranks
//
// Exact entries say how many eigenvalues are zero, on the imaginary axis and to its right (hurwitz.c): that many of the
// computed ones are put there, and the others get their digits from the exact polynomial. Without exact entries the
// bound of its own rounding says on which side an eigenvalue is: on the axis, or zero, where the bound reaches it and
// it is off by rounding of the norm of A; else its side is not decided. Every reader takes EigenMode.side. Reach is
// decided by the rank of [B, AB, ...] modulo a large prime, or by an orthonormal basis of its columns; which modes are
// out of reach, by the least singular value of [A - lambda, B] (Hautus).
#include "linear/eigenmodes.h"

#include "linear/reach.h"
#include "solve/module.h"
#include "solve/spectrum.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ModesWork {
  Arena *arena;
  const ModesIn *in;
  const SolveModule *module;
  Modes *out;
  double *scale; // of the balanced states: x = scale * balanced
  double *A;     // balanced, row by row
  double norm;   // of it
} ModesWork;

// ---- eigenvalues

static int by_place(const void *a, const void *b) {
  const EigenMode *x = a, *y = b;
  if (x->re != y->re) return x->re > y->re ? -1 : 1;
  if (x->im != y->im) return x->im < y->im ? -1 : 1;
  return (int)x->chain - (int)y->chain;
}

static void normalise(const ModesWork *w, EigenMode *m) {
  uint32_t n = w->in->n, at = 0;
  double all = 0, positions = 0;
  for (uint32_t i = 0; i < n; i++) {
    double size = hypot(m->shape[0][i], m->shape[1][i]);
    all = fmax(all, size);
    if (w->in->position[i]) positions = fmax(positions, size);
  }
  if (!(all > 0)) return;
  bool displaced = positions > 1e-6 * all;
  double most = 0;
  for (uint32_t i = 0; i < n; i++) {
    double size = hypot(m->shape[0][i], m->shape[1][i]);
    if ((displaced && !w->in->position[i]) || size <= most * (1 + 1e-9)) continue;
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

// Rows and columns of A of like size: powers of two, a few rounds.
static bool balance(ModesWork *w) {
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
  for (size_t i = 0; i < (size_t)n * n; i++) w->norm += w->A[i] * w->A[i];
  w->norm = sqrt(w->norm);
  return true;
}

static bool find_eigen(ModesWork *w) {
  const double entries =
      4; // entries of A are rounded results themselves: a bound for the last bit of each is too small
  uint32_t n = w->in->n;
  Modes *out = w->out;
  double *a = arena_array(w->arena, (size_t)n * n, sizeof *a), *v = arena_array(w->arena, (size_t)n * n, sizeof *v);
  double *re = arena_array(w->arena, n, sizeof *re), *im = arena_array(w->arena, n, sizeof *im);
  double *work = arena_array(w->arena, (size_t)spectrum_eigen_room((int)n), sizeof *work),
         *bound = arena_array(w->arena, n, sizeof *bound);
  double *shapes = arena_array(w->arena, 2 * (size_t)n * n, sizeof *shapes);
  out->modes = arena_array(w->arena, n + 1, sizeof *out->modes);
  if (!a || !v || !re || !im || !work || !bound || !shapes || !out->modes) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) a[(size_t)j * n + i] = w->in->A[(size_t)i * n + j];
  }
  if (w->module->eigen((int)n, a, re, im, v, bound, work) != 0) {
    out->why = "the eigenvalues did not converge";
    return true;
  }
  for (uint32_t i = 0; i < n; i++) {
    EigenMode m = {.re = re[i],
                   .im = fabs(im[i]),
                   .bound = entries * bound[i],
                   .pair = im[i] != 0,
                   .control = NAN,
                   .observe = NAN};
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

// A pair that is two real ones: false: out of memory.
static bool split_pair(ModesWork *w, EigenMode *m) {
  uint32_t n = w->in->n;
  EigenMode *other = &w->out->modes[w->out->count];
  double *shape = arena_array(w->arena, 2 * (size_t)n, sizeof *shape);
  if (!shape) return false;
  m->pair = false;
  m->im = 0;
  *other = *m;
  other->shape[0] = shape;
  other->shape[1] = shape + n;
  memcpy(shape, m->shape[1], n * sizeof *shape);
  memset(m->shape[1], 0, n * sizeof *shape);
  w->out->count++;
  return true;
}

static bool is_zero(const EigenMode *m) { return m->re == 0 && m->im == 0; }

static bool make_zero(ModesWork *w, EigenMode *m) {
  m->re = m->im = m->bound = 0;
  if (!m->pair) return true;
  if (!split_pair(w, m)) return false;
  return true;
}

// The k nearest to zero become zero. A pair may stand for two of them.
static bool put_zeros(ModesWork *w, uint32_t k) {
  Modes *out = w->out;
  for (;;) {
    EigenMode *best = NULL;
    uint32_t done = 0;
    for (uint32_t i = 0; i < out->count; i++) {
      EigenMode *m = &out->modes[i];
      done += is_zero(m);
      if (!is_zero(m) && (!best || hypot(m->re, m->im) < hypot(best->re, best->im))) best = m;
    }
    if (done >= k || !best) return true;
    if (!make_zero(w, best)) return false;
  }
}

// Vectors of the kernel for the zeros; what is left of them has none.
static void zero_shapes(ModesWork *w) {
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
static void put_axis(ModesWork *w, uint32_t k) {
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

// Digits from the exact polynomial, where rounding left too few; a real one that came out as a pair is two. False:
// out of memory.
static bool refine(ModesWork *w) {
  Modes *out = w->out;
  RootFinder f;
  if (!roots_open(&f, w->arena, &out->planes, w->in->n)) return !arena_failed(w->arena);
  out->distinct = f.distinct;
  bool multiple = f.degree < (int)(w->in->n - out->planes.zero);
  for (uint32_t i = 0, count = out->count; i < count; i++) {
    EigenMode *m = &out->modes[i];
    double least = m->pair ? fmin(fabs(m->re), m->im) : fabs(m->re);
    if (is_zero(m) || (!multiple && m->bound < 1e-9 * least)) continue;
    bool axis = m->re == 0;
    double re = m->re, im = m->im, bound = m->bound;
    if (!roots_refine(&f, w->arena, &re, &im, &bound)) continue;
    m->re = axis ? 0 : re;
    m->im = fabs(im);
    m->bound = bound;
    if (m->pair && !axis && m->im <= 4 * DBL_EPSILON * fabs(re) && !split_pair(w, m)) return false;
    if (!m->pair) m->im = 0;
  }
  return true;
}

// Those of the right half: as many as there are, the largest first.
static void put_sides(ModesWork *w) {
  Modes *out = w->out;
  for (uint32_t i = 0; i < out->count; i++) {
    EigenMode *m = &out->modes[i];
    m->side = is_zero(m) ? side_zero : m->re == 0 ? side_axis : side_left;
  }
  for (uint32_t left = out->planes.right; left;) {
    EigenMode *best = NULL;
    for (uint32_t i = 0; i < out->count; i++) {
      EigenMode *m = &out->modes[i];
      if (m->side == side_left && (!best || m->re > best->re)) best = m;
    }
    if (!best) break;
    best->side = side_right;
    left -= best->pair && left > 1 ? 2 : 1;
  }
  // a sign that only rounding made
  for (uint32_t i = 0; i < out->count; i++) {
    EigenMode *m = &out->modes[i];
    if (m->side == side_left) m->re = -fabs(m->re);
    if (m->side == side_right) m->re = fabs(m->re);
  }
}

// Zeros by rounding whose vectors are the same have one vector.
static void find_chains(ModesWork *w) {
  Modes *out = w->out;
  uint32_t n = w->in->n;
  for (uint32_t i = 0; i < out->count; i++) {
    EigenMode *m = &out->modes[i];
    for (uint32_t k = 0; k < i && m->side == side_zero; k++) {
      const EigenMode *e = &out->modes[k];
      double dot = 0, a = 0, b = 0;
      if (e->side != side_zero || e->chain) continue;
      for (uint32_t j = 0; j < n; j++) {
        dot += m->shape[0][j] * e->shape[0][j];
        a += m->shape[0][j] * m->shape[0][j];
        b += e->shape[0][j] * e->shape[0][j];
      }
      m->chain = m->chain || !(a > 0) || fabs(dot) > (1 - 1e-6) * sqrt(a * b);
    }
  }
}

// What a double eigenvalue leaves of the digits of a matrix: rounding by 1e-16 of its norm moves it by the square root
// of that, 1e-8, times its condition. What lies farther off is not called 0; nor is anything whose bound is far larger.
static const double rounding_part = 1e-6, bound_part = 1e-3;

EigenSide eigen_side(double off, double zero, double bound, double size) {
  if (off > bound) return side_right;
  if (off < -bound) return side_left;
  if (fabs(off) > rounding_part * size || bound > bound_part * size) return side_undecided;
  if (zero > bound) return side_axis;
  return zero <= rounding_part * size ? side_zero : side_undecided;
}

static bool judge_by_bounds(ModesWork *w) {
  Modes *out = w->out;
  HalfPlanes *h = &out->planes;
  *h = (HalfPlanes){0};
  for (uint32_t i = 0, count = out->count; i < count; i++) {
    EigenMode *m = &out->modes[i];
    m->side = eigen_side(m->re, hypot(m->re, m->im), m->bound, w->norm);
    if (m->side == side_zero && !make_zero(w, m)) return false;
    if (m->side == side_axis) m->re = 0;
  }
  uint32_t *const count[] = {&h->left, &h->zero, &h->axis, &h->right, &h->undecided};
  for (uint32_t i = 0; i < out->count; i++) *count[out->modes[i].side] += out->modes[i].pair ? 2 : 1;
  return true;
}

// The one function that decides stability.
static bool judge(ModesWork *w) {
  Modes *out = w->out;
  HalfPlanes *h = &out->planes;
  out->exact = w->in->rA && hurwitz_count(w->arena, w->in->rA, w->in->n, h);
  if (out->exact) {
    if (!put_zeros(w, h->zero)) return false;
    put_axis(w, h->axis);
    if (!refine(w)) return false;
    if (h->zero) zero_shapes(w);
    put_sides(w);
  } else {
    if (!judge_by_bounds(w)) return false;
    find_chains(w);
  }
  out->stability = h->right             ? stability_unstable
                   : h->undecided       ? stability_unknown
                   : h->axis || h->zero ? stability_marginal
                                        : stability_stable;
  return true;
}

static bool same_value(const Modes *x, const EigenMode *a, const EigenMode *b) {
  if (a->side != b->side || a->pair != b->pair) return false;
  if (a->side == side_zero) return true;
  if (x->distinct == x->n) return false; // proved
  return hypot(a->re - b->re, a->im - b->im) <= a->bound + b->bound;
}

static void count_equals(Modes *x) {
  for (uint32_t i = 0; i < x->count; i++) {
    x->modes[i].times = 0;
    for (uint32_t k = 0; k < x->count; k++) x->modes[i].times += i == k || same_value(x, &x->modes[i], &x->modes[k]);
  }
}

// ---- reach

static const double most_work = 1e10; // operations for distances of all modes: some seconds

// Of a mode: how far it is from being beyond reach, and whether it is.
static double *distance_of(EigenMode *m, bool observe) { return observe ? &m->observe : &m->control; }
static bool *lost_of(EigenMode *m, bool observe) { return observe ? &m->unobservable : &m->uncontrollable; }

// As many states as are out of reach, the nearest to it first.
static void mark_lost(Modes *x, uint32_t count, bool observe) {
  while (count) {
    EigenMode *best = NULL;
    for (uint32_t i = 0; i < x->count; i++) {
      EigenMode *mode = &x->modes[i];
      if (*lost_of(mode, observe) || (mode->pair && count < 2)) continue;
      if (!best || *distance_of(mode, observe) < *distance_of(best, observe)) best = mode;
    }
    if (!best) break;
    *lost_of(best, observe) = true;
    count -= best->pair ? 2 : 1;
  }
}

// A: balanced, for outputs transposed. b: n rows of m columns, balanced; each column is made as long as A is large.
static bool find_reach(ModesWork *w, const double *A, double *b, uint32_t m, const Rat *exact, bool observe,
                       ModeRank *out) {
  uint32_t n = w->in->n;
  Modes *o = w->out;
  for (uint32_t c = 0; c < m; c++) {
    double length = 0;
    for (uint32_t i = 0; i < n; i++) length = hypot(length, b[(size_t)i * m + c]);
    for (uint32_t i = 0; length > 0 && i < n; i++) b[(size_t)i * m + c] *= (w->norm > 0 ? w->norm : 1) / length;
  }
  const ReachPair pair = {n, m, A, b, w->norm};
  int rank = reach_exact_rank(w->arena, w->in->rA, exact, n, m, observe);
  out->exact = rank >= 0;
  if (rank < 0) rank = reach_rank(w->arena, &pair);
  Reach *reach = rank < 0 ? NULL : reach_open(w->arena, w->module, &pair);
  if (!reach) return false;
  out->known = true;
  out->rank = (uint32_t)rank;
  out->smallest = INFINITY;
  bool stopped = false;
  // where all states are in reach, how far the modes are from being lost is worth no minutes
  bool skipped = out->rank == n && reach_work(reach) * o->count > most_work;
  if (skipped) out->smallest = NAN;
  for (uint32_t i = 0; i < o->count && !stopped && !skipped; i++) {
    stopped = w->in->interrupted && w->in->interrupted(w->in->self);
    if (stopped) break;
    EigenMode *mode = &o->modes[i];
    *distance_of(mode, observe) = reach_distance(reach, mode->re, mode->im);
    out->smallest = fmin(out->smallest, *distance_of(mode, observe));
  }
  reach_close(reach);
  if (!stopped) mark_lost(o, n - out->rank, observe);
  return true;
}

static bool find_ranks(ModesWork *w) {
  const ModesIn *in = w->in;
  uint32_t n = in->n;
  double *b = arena_array(w->arena, (size_t)n * in->m, sizeof *b),
         *c = arena_array(w->arena, (size_t)n * in->p, sizeof *c),
         *transposed = arena_array(w->arena, (size_t)n * n, sizeof *transposed);
  if (!b || !c || !transposed) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < in->m; j++) b[(size_t)i * in->m + j] = in->B[(size_t)i * in->m + j] / w->scale[i];
    for (uint32_t j = 0; j < in->p; j++) c[(size_t)i * in->p + j] = in->C[(size_t)j * n + i] * w->scale[i];
    for (uint32_t j = 0; j < n; j++) transposed[(size_t)j * n + i] = w->A[(size_t)i * n + j];
  }
  if (in->m && !find_reach(w, w->A, b, in->m, in->rB, false, &w->out->control)) return false;
  return !in->p || find_reach(w, transposed, c, in->p, in->rC, true, &w->out->observe);
}

bool modes_find(Arena *arena, const ModesIn *in, Modes *out) {
  *out = (Modes){.n = in->n};
  ModesWork work = {.arena = arena, .in = in, .module = module_load(), .out = out}, *w = &work;
  if (in->n == 0) return true;
  if (!w->module && !module_has_room()) return false;
  if (!w->module) {
    out->why = "eigenvalues need libviva-solvers.so beside the library, and LAPACK";
    return true;
  }
  for (size_t i = 0; i < (size_t)in->n * in->n; i++) {
    if (isfinite(in->A[i])) continue;
    out->why = "A has entries that are not finite";
    return true;
  }
  if (!balance(w) || !find_eigen(w)) return false;
  if (out->why) return true;
  if (!judge(w)) return false;
  count_equals(out);
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
