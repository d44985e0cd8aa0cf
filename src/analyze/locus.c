// Root locus by continuation: eigenvalues matched from step to step along a parameter.
//
// From a point to the next one branches are matched by where they are expected: extrapolated from the last three
// points. A step counts where every eigenvalue lies far nearer to the expectation of its own branch than to that of any
// other; else it is halved. Where that does not help, because two branches pass through one another, a leap over the
// point is tried before the step gets small. Real branches that become a pair, or a pair that becomes real, meet:
// between two points with different numbers of real eigenvalues the break is bisected on that number. A branch that
// changes its side of the border crosses it: bisected on its real part (its size). What comes of it must lie on the
// border, and the number of eigenvalues beyond the border must change by as many; where it does not, because branches
// were taken for one another, crossings are bisected on that number. Points with an eigenvalue on the border, as where
// a locus starts from poles at 0, have no side: the next point is compared with the one before. Where the matrix is
// affine in k, it is asked for twice only.
#include "analyze/locus.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_points = 4000 };
static const double apart = 0.2; // of an expectation: the error against the distance to the next one

typedef struct LocusWork {
  Arena *arena;
  const SolveModule *module;
  const LocusSource *source;
  Locus *out;
  double *A0, *A1, *a; // affine: A0 + k A1
  double from, to, size;
  Complex *next, *expected, *found;
  bool *taken;
  bool together;    // branches start from one point: which is which there is a matter of rounding
  uint32_t decided; // the last point whose sides are compared
  DenseStatus status;
} LocusWork;

// What the source says. False: w->status, or out->why.
static bool ask(LocusWork *w, double k, double *a) {
  if (w->source->at(w->source->self, k, a, &w->out->why)) return true;
  if (!w->out->why) w->status = dense_no_memory;
  return false;
}

// The matrix at k. False: w->status, or out->why.
static bool matrix_at(LocusWork *w, double k) {
  size_t cells = (size_t)w->source->n * w->source->n;
  if (!w->out->affine) return ask(w, k, w->a);
  for (size_t i = 0; i < cells; i++) w->a[i] = w->A0[i] + k * w->A1[i];
  return true;
}

static bool values_at(LocusWork *w, double k, Complex *out) {
  if (!matrix_at(w, k)) return false;
  Arena *scratch = arena_new_scratch(w->arena);
  if (!scratch) return w->status = dense_no_memory, false;
  w->status = dense_eigenvalues(scratch, w->module, w->source->n, w->a, out, NULL);
  arena_free_scratch(scratch);
  return w->status == dense_done;
}

// Is the matrix A0 + k A1? Looked at for five values of k.
static bool find_affine(LocusWork *w) {
  size_t cells = (size_t)w->source->n * w->source->n;
  double *end = arena_array(w->arena, 2 * cells + 1, sizeof *end), *there = end + cells;
  if (!end) return w->status = dense_no_memory, false;
  if (!ask(w, w->from, w->A0)) return false;
  bool affine = ask(w, w->to, end);
  double size = dense_norm(cells, w->A0) + dense_norm(cells, end);
  for (int i = 1; i <= 3 && affine; i++) {
    double part = i == 1 ? 0.5 : i == 2 ? 0.17 : 0.83;
    affine = ask(w, w->from + part * (w->to - w->from), there);
    for (size_t c = 0; c < cells && affine; c++)
      affine = affine && fabs((1 - part) * w->A0[c] + part * end[c] - there[c]) <= 1e-13 * size;
  }
  for (size_t c = 0; c < cells && affine; c++) {
    w->A1[c] = (end[c] - w->A0[c]) / (w->to - w->from);
    w->A0[c] -= w->from * w->A1[c];
  }
  w->out->affine = affine;
  if (w->status != dense_done) return false;
  w->out->why = NULL; // it is followed as far as it goes
  return true;
}

// Where branch i is expected at k: through the last three points.
static Complex expect(const Locus *l, uint32_t i, double k) {
  const LocusPoint *p = l->points.items + l->points.count - 1;
  if (l->points.count < 2) return p[0].s[i];
  double h = p[0].k - p[-1].k, x = k - p[0].k;
  Complex slope = (p[0].s[i] - p[-1].s[i]) / h;
  if (l->points.count < 3) return p[0].s[i] + slope * x;
  double g = p[-1].k - p[-2].k;
  Complex before = (p[-1].s[i] - p[-2].s[i]) / g, bend = (slope - before) / (h + g);
  return p[0].s[i] + slope * x + bend * x * (x + h);
}

// Eigenvalues in w->found onto branches, in w->next; of how many it is not clear which they are.
static uint32_t match(LocusWork *w, double k) {
  uint32_t n = w->source->n, unclear = 0;
  for (uint32_t i = 0; i < n; i++) w->expected[i] = expect(w->out, i, k);
  memset(w->taken, 0, n * sizeof *w->taken);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t best = n;
    double near = INFINITY, other = INFINITY;
    for (uint32_t j = 0; j < n; j++) {
      double off = cabs(w->found[j] - w->expected[i]);
      if (!w->taken[j] && off < near) near = off, best = j;
    }
    for (uint32_t j = 0; j < n; j++) {
      if (j != best) other = fmin(other, cabs(w->found[j] - w->expected[i]));
    }
    w->taken[best] = true;
    w->next[i] = w->found[best];
    unclear += !(near <= apart * other || near <= 1e-12 * (1 + cabs(w->next[i])));
  }
  return unclear;
}

static uint32_t real_count(const Complex *s, uint32_t n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) count += cimag(s[i]) == 0;
  return count;
}

static double beyond(const LocusWork *w, Complex s) { return w->source->period > 0 ? cabs(s) - 1 : creal(s); }

static bool push(LocusWork *w, double k) {
  uint32_t n = w->source->n;
  LocusPoint p = {k, arena_array(w->arena, (size_t)n + 1, sizeof *p.s)};
  if (!p.s) return w->status = dense_no_memory, false;
  memcpy(p.s, w->next, n * sizeof *p.s);
  if (!vec_push(w->arena, &w->out->points, p)) return w->status = dense_no_memory, false;
  return true;
}

// Do branches start from one point, as multiple poles do?
static bool starts_together(const LocusWork *w) {
  const Complex *s = w->out->points.items[0].s;
  for (uint32_t i = 0; i < w->source->n; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (cabs(s[i] - s[j]) <= 1e-7 * (cabs(s[i]) + cabs(s[j])) || s[i] == s[j]) return true;
    }
  }
  return false;
}

// Is k still where they start?
static bool at_start(const LocusWork *w, double k) {
  return w->together && fabs(k - w->from) <= 1e-6 * fabs(w->to - w->from);
}

// The break between two points whose numbers of real eigenvalues differ. It is bisected while the number tells.
static bool find_break(LocusWork *w, double a, double b, uint32_t real_a, uint32_t real_b) {
  uint32_t n = w->source->n;
  for (int i = 0; i < 200 && fabs(b - a) > 2 * DBL_EPSILON * (fabs(a) + fabs(b)); i++) {
    double c = (a + b) / 2;
    if (c == a || c == b) break;
    if (!values_at(w, c, w->found)) return false;
    uint32_t real = real_count(w->found, n);
    // several breaks in between: the first one
    if (real == real_a) a = c;
    else b = c, real_b = real;
  }
  // the two that are nearest to each other, real on one side, a pair on the other
  double k = (a + b) / 2, near = INFINITY;
  Complex at = 0;
  if (!values_at(w, k, w->found)) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < i; j++) {
      double off = cabs(w->found[i] - w->found[j]), height = fmin(fabs(cimag(w->found[i])), fabs(cimag(w->found[j])));
      if (off < near && (height == 0 || fabs(cimag(w->found[i] + w->found[j])) == 0))
        near = off, at = (w->found[i] + w->found[j]) / 2;
    }
  }
  LocusBreak x = {k, creal(at), real_b < real_a};
  return vec_push(w->arena, &w->out->breaks, x) || (w->status = dense_no_memory, false);
}

// On which side of the border an eigenvalue is; 0: on it, to rounding.
static int side(const LocusWork *w, Complex s) {
  double off = beyond(w, s), tiny = 1e-12 * (1 + cabs(s));
  return off > tiny ? 1 : off < -tiny ? -1 : 0;
}

static uint32_t count_side(const LocusWork *w, const Complex *s, int which) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->source->n; i++) count += side(w, s[i]) == which;
  return count;
}

// Where branch i passes the border between k = a, where it is sa, and b, where it is sb. What does not lie on the
// border is no crossing: two branches were taken for one another.
static bool find_crossing(LocusWork *w, uint32_t i, double a, double b, Complex sa, Complex sb) {
  double fa = beyond(w, sa), fb = beyond(w, sb), size = w->source->period > 0 ? 1 : 0;
  bool grows = fb > 0;
  Complex at = sb;
  for (int step = 0; step < 200 && fabs(b - a) > 2 * DBL_EPSILON * (fabs(a) + fabs(b)); step++) {
    // by the secant, and halves so that it ends
    double c = step % 3 == 2 ? (a + b) / 2 : a - fa * (b - a) / (fb - fa);
    if (!(c > fmin(a, b) && c < fmax(a, b))) c = (a + b) / 2;
    if (c == a || c == b || !values_at(w, c, w->found)) break;
    Complex expected = sa + (sb - sa) * (c - a) / (b - a);
    at = w->found[0];
    for (uint32_t j = 1; j < w->source->n; j++) {
      if (cabs(w->found[j] - expected) < cabs(at - expected)) at = w->found[j];
    }
    double f = beyond(w, at);
    if (f == 0) a = b = c;
    else if ((f > 0) == (fa > 0)) a = c, fa = f, sa = at;
    else b = c, fb = f, sb = at;
  }
  if (w->status != dense_done) return false;
  for (uint32_t j = 0; j < w->source->n; j++) size = fmax(size, cabs(w->found[j]));
  if (fabs(beyond(w, at)) > 1e-7 * size) return true; // what a double one may be off by
  LocusCrossing x = {(a + b) / 2, w->source->period > 0 ? at : I * cimag(at), i, grows};
  return vec_push(w->arena, &w->out->crossings, x) || (w->status = dense_no_memory, false);
}

// Of the eigenvalues on one side the nearest to the border, and of a pair the upper one.
static Complex nearest(const LocusWork *w, const Complex *s, int which) {
  Complex best = NAN;
  for (uint32_t i = 0; i < w->source->n; i++) {
    if (side(w, s[i]) != which || cimag(s[i]) < 0) continue;
    if (isnan(creal(best)) || fabs(beyond(w, s[i])) < fabs(beyond(w, best))) best = s[i];
  }
  return best;
}

// Crossings between two points by the number of eigenvalues beyond the border, one after the other.
static bool count_crossings(LocusWork *w, const LocusPoint *p, const LocusPoint *q) {
  uint32_t n = w->source->n, last = count_side(w, q->s, 1), now = count_side(w, p->s, 1);
  double from = p->k;
  Complex *low = arena_array(w->arena, 2 * (size_t)n + 1, sizeof *low), *high = low + n;
  if (!low) return w->status = dense_no_memory, false;
  memcpy(low, p->s, n * sizeof *low);
  for (uint32_t round = 0; now != last && round < n; round++) {
    double a = from, b = q->k, close = 1e-6 * fabs(q->k - p->k);
    memcpy(high, q->s, n * sizeof *high);
    while (fabs(b - a) > close) {
      double c = (a + b) / 2;
      if (c == a || c == b) break;
      if (!values_at(w, c, w->found)) return false;
      bool same = count_side(w, w->found, 1) == now;
      memcpy(same ? low : high, w->found, n * sizeof *low);
      if (same) a = c;
      else b = c;
    }
    uint32_t then = count_side(w, high, 1), branch = 0;
    bool grows = then > now;
    Complex sa = nearest(w, low, grows ? -1 : 1), sb = nearest(w, high, grows ? 1 : -1);
    for (uint32_t i = 1; i < n; i++) {
      if (cabs(q->s[i] - sb) < cabs(q->s[branch] - sb)) branch = i;
    }
    uint32_t before = w->out->crossings.count;
    if (!find_crossing(w, branch, a, b, sa, sb)) return false;
    if (cimag(sb) > 0 && w->out->crossings.count > before && !find_crossing(w, branch, a, b, conj(sa), conj(sb)))
      return false;
    from = b;
    now = then;
    memcpy(low, high, n * sizeof *low);
  }
  return true;
}

// Crossings from the last point whose sides are known to the new one.
static bool find_crossings(LocusWork *w) {
  Locus *l = w->out;
  uint32_t n = w->source->n, last = l->points.count - 1, before = l->crossings.count;
  LocusPoint p = l->points.items[w->decided], q = l->points.items[last];
  uint32_t on_p = count_side(w, p.s, 0), on_q = count_side(w, q.s, 0);
  if (on_q > on_p) return true; // the next point tells
  w->decided = last;
  if (on_q < on_p) return true; // they leave the border
  for (uint32_t i = 0; i < n; i++) {
    if (side(w, p.s[i]) * side(w, q.s[i]) < 0 && !find_crossing(w, i, p.k, q.k, p.s[i], q.s[i])) return false;
  }
  int64_t net = 0, change = (int64_t)count_side(w, q.s, 1) - (int64_t)count_side(w, p.s, 1);
  for (uint32_t i = before; i < l->crossings.count; i++) net += l->crossings.items[i].grows ? 1 : -1;
  if (net == change) return true;
  l->crossings.count = before;
  return count_crossings(w, &p, &q);
}

static bool look_between(LocusWork *w) {
  const Locus *l = w->out;
  uint32_t n = w->source->n, last = l->points.count - 1;
  LocusPoint p = l->points.items[last - 1], q = l->points.items[last];
  uint32_t real_p = real_count(p.s, n), real_q = real_count(q.s, n);
  if (real_p != real_q && !at_start(w, p.k) && !find_break(w, p.k, q.k, real_p, real_q)) return false;
  return find_crossings(w);
}

// Halving does not help: two branches are at one point. Over it, where they pass through one another, or where they
// meet and leave the real axis, or come back to it: of two that meet nobody can say which is which. 0: no leap does.
static double leap_over(LocusWork *w, double k, double sign, double least) {
  uint32_t n = w->source->n, real = real_count(w->out->points.items[w->out->points.count - 1].s, n);
  for (double leap = 4 * least; leap < 0.02 * fabs(w->to - w->from); leap *= 2) {
    if (leap > fabs(w->to - k) || !values_at(w, k + sign * leap, w->found)) return 0;
    uint32_t unclear = match(w, k + sign * leap), now = real_count(w->found, n);
    if (unclear == 0 || (unclear <= 2 && now != real && leap > 64 * least)) return leap;
  }
  return 0;
}

// One more point, at most h further. False: stop.
static bool advance(LocusWork *w, double *h) {
  double k = w->out->points.items[w->out->points.count - 1].k, least = fabs(w->to - w->from) * 1e-9;
  double sign = w->to > w->from ? 1 : -1, step = fmin(*h, fabs(w->to - k));
  for (;;) {
    if (!values_at(w, k + sign * step, w->found)) return false;
    if (match(w, k + sign * step) == 0) break;
    step /= 2;
    if (step > least) continue;
    // from one point any of them may be any: no leap passes what they do next
    step = at_start(w, k) ? 0 : leap_over(w, k, sign, least);
    if (step > 0 || w->status != dense_done || w->out->why) break;
    step = fmin(least, fabs(w->to - k));
    if (!values_at(w, k + sign * step, w->found)) return false;
    match(w, k + sign * step);
    w->out->unsure += !at_start(w, k);
    break;
  }
  if (w->status != dense_done || w->out->why) return false;
  bool end = fabs(w->to - k) - step <= 1e-12 * fabs(w->to - w->from);
  if (!push(w, end ? w->to : k + sign * step) || !look_between(w)) return false;
  *h = fmin(2 * step, fabs(w->to - w->from) / 100);
  return !end;
}

DenseStatus locus_follow(Arena *arena, const SolveModule *module, const LocusSource *source, double from, double to,
                         Locus *out) {
  LocusWork work = {.arena = arena, .module = module, .source = source, .out = out, .from = from, .to = to}, *w = &work;
  size_t n = source->n, cells = n * n;
  *out = (Locus){.n = source->n};
  w->A0 = arena_array(arena, 3 * cells + 1, sizeof *w->A0);
  w->next = arena_array(arena, 3 * n + 1, sizeof *w->next);
  w->taken = arena_array(arena, n + 1, sizeof *w->taken);
  if (arena_failed(arena)) return dense_no_memory;
  w->A1 = w->A0 + cells;
  w->a = w->A1 + cells;
  w->expected = w->next + n;
  w->found = w->expected + n;
  if (!find_affine(w) || !values_at(w, from, w->next) || !push(w, from)) return w->status;
  w->together = starts_together(w);
  double h = fabs(to - from) * 1e-4;
  while (out->points.count < most_points && advance(w, &h)) {
  }
  if (w->status == dense_done && out->points.count >= most_points) out->why = "it needs too many points";
  return w->status;
}

// ---- Pade

// The chain of channel k: v_j' = v_(j+1)/T, the last by the denominator and z, a row over (x, v) and u.
static void put_chain(const LinearSystem *s, size_t k, size_t N, const double *c, const double *z, LinearSystem *out) {
  size_t n = s->n, all = out->n;
  for (size_t j = 0; j < N; j++) {
    double *row = out->A + (n + k * N + j) * all;
    if (j + 1 < N) {
      row[n + k * N + j + 1] = 1 / s->time[k];
      continue;
    }
    for (size_t l = 0; l < N; l++) row[n + k * N + l] -= c[l] / c[N] / s->time[k];
    for (size_t l = 0; l < all; l++) row[l] += z[l] / s->time[k];
    for (size_t l = 0; l < s->m; l++) out->B[(n + k * N + j) * s->m + l] = z[all + l] / s->time[k];
  }
}

bool locus_pade(Arena *arena, const LinearSystem *s, uint32_t order, LinearSystem *out) {
  size_t n = s->n, d = s->delays, N = order, all = n + d * N;
  if (!system_room(out, arena, (uint32_t)all, s->m, s->p, 0)) return false;
  double *c = arena_array(arena, N + 1, sizeof *c), sign = N % 2 ? -1 : 1;
  // the gain at high frequencies is +-1: w = sign z + C v, so z = (1 - sign J)^-1 (G x + H u + J C v)
  double *loop = arena_array(arena, 2 * d * d + 1, sizeof *loop), *back = loop + d * d;
  if (!c || !loop) return false;
  c[0] = 1;
  for (size_t k = 1; k <= N; k++) c[k] = c[k - 1] * (double)(N - k + 1) / (double)((2 * N - k + 1) * k);
  for (size_t i = 0; i < d; i++) {
    for (size_t j = 0; j < d; j++) loop[i * d + j] = (i == j) - sign * s->J[i * d + j], back[i * d + j] = i == j;
  }
  if (d && !dense_solve((uint32_t)d, (uint32_t)d, loop, back)) return true;
  // channel k: v' = chain/T, driven by z; e = sign + sum of (num - sign den)/den
  double *z = arena_array(arena, (d + 1) * (all + s->m), sizeof *z); // rows of z over (x, v), u
  double *w = arena_array(arena, (d + 1) * (all + s->m), sizeof *w);
  if (!z || !w) return false;
  size_t wide = all + s->m;
  for (size_t k = 0; k < d; k++) {
    for (size_t j = 0; j < N; j++) {
      double num = (j % 2 ? -1 : 1) * c[j], den = c[j];
      w[k * wide + n + k * N + j] = (num - sign * den) / c[N];
    }
  }
  for (size_t i = 0; i < d; i++) {
    for (size_t l = 0; l < d; l++) {
      double f = back[i * d + l];
      for (size_t j = 0; j < n; j++) z[i * wide + j] += f * s->G[l * n + j];
      for (size_t j = 0; j < s->m; j++) z[i * wide + all + j] += f * s->H[l * s->m + j];
      for (size_t k = 0; k < d; k++) {
        for (size_t j = 0; j < all; j++) z[i * wide + j] += f * s->J[l * d + k] * w[k * wide + j];
      }
    }
  }
  for (size_t k = 0; k < d; k++) {
    for (size_t j = 0; j < wide; j++) w[k * wide + j] += sign * z[k * wide + j];
  }
  for (size_t i = 0; i < n + s->p; i++) { // x' and y
    bool y = i >= n;
    size_t r = y ? i - n : i;
    double *row = y ? out->C + r * all : out->A + r * all, *through = (y ? out->D : out->B) + r * s->m;
    const double *own = y ? s->C + r * n : s->A + r * n, *u = (y ? s->D : s->B) + r * s->m,
                 *e = (y ? s->F : s->E) + r * d;
    for (size_t j = 0; j < n; j++) row[j] = own[j];
    for (size_t j = 0; j < s->m; j++) through[j] = u[j];
    for (size_t k = 0; k < d; k++) {
      for (size_t j = 0; j < all; j++) row[j] += e[k] * w[k * wide + j];
      for (size_t j = 0; j < s->m; j++) through[j] += e[k] * w[k * wide + all + j];
    }
  }
  for (size_t k = 0; k < d; k++) put_chain(s, k, N, c, z + k * wide, out);
  out->inputs = s->inputs;
  out->outputs = s->outputs;
  return true;
}
