// Polynomial homotopy: paths from a start system with known solutions. See homotopy.h.
#include "positions/homotopy.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

enum { most_steps = 4000, retries = 4 };

// One polynomial over all coordinates: powers as short lists of (variable, power).
typedef struct Flat {
  uint32_t terms, degree;
  double *coef;
  uint8_t *power; // n + 1 for each term, the last one that of x_0
} Flat;

typedef struct Paths {
  Arena *arena;
  uint32_t n, N; // coordinates: n + 1
  Flat *f;
  double complex gamma, *r, *patch;
  // room
  double complex *J, *b, *x, *k[4], *y, *powers;
  uint32_t *perm;
  double tightness; // of steps: 1, then smaller
} Paths;

static bool flatten(Paths *w, const PolynomialSystem *s) {
  w->f = arena_array(w->arena, (size_t)w->n + 1, sizeof *w->f);
  if (!w->f) return false;
  for (uint32_t e = 0; e < w->n; e++) {
    const Polynomial *p = &s->eq[e];
    Flat *f = &w->f[e];
    *f = (Flat){.terms = p->count, .degree = polynomial_degree(s, e), .coef = p->coef};
    f->power = arena_array(w->arena, (size_t)p->count * w->N + 1, 1);
    if (!f->power) return false;
    for (uint32_t i = 0; i < p->count; i++) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < w->n; k++) {
        f->power[(size_t)i * w->N + k] = p->power[(size_t)i * s->nv + s->left_var[k]];
        sum += f->power[(size_t)i * w->N + k];
      }
      f->power[(size_t)i * w->N + w->n] = (uint8_t)(f->degree - sum);
    }
  }
  return true;
}

// powers[k*24 + p] = x_k^p
enum { power_room = 24 };
static void find_powers(Paths *w, const double complex *x, uint32_t most) {
  for (uint32_t k = 0; k < w->N; k++) {
    w->powers[(size_t)k * power_room] = 1;
    for (uint32_t p = 1; p <= most && p < power_room; p++)
      w->powers[(size_t)k * power_room + p] = w->powers[(size_t)k * power_room + p - 1] * x[k];
  }
}

// H and its Jacobian at (x, t); b: H, or (rate) dH/dt.
static void evaluate(Paths *w, const double complex *x, double t, bool rate) {
  uint32_t N = w->N, n = w->n, most = 1;
  for (uint32_t e = 0; e < n; e++) most = w->f[e].degree > most ? w->f[e].degree : most;
  find_powers(w, x, most);
  memset(w->J, 0, (size_t)N * N * sizeof *w->J);
  for (uint32_t e = 0; e < n; e++) {
    const Flat *f = &w->f[e];
    double complex value = 0, *row = w->J + (size_t)e * N;
    for (uint32_t i = 0; i < f->terms; i++) {
      const uint8_t *p = f->power + (size_t)i * N;
      double complex term = f->coef[i];
      uint32_t in[power_room], count = 0;
      for (uint32_t k = 0; k < N; k++) {
        if (!p[k]) continue;
        term *= w->powers[(size_t)k * power_room + p[k]];
        if (count < power_room) in[count++] = k;
      }
      value += term;
      for (uint32_t a = 0; a < count; a++) {
        double complex slope = t * f->coef[i] * p[in[a]] * w->powers[in[a] * power_room + p[in[a]] - 1];
        for (uint32_t c = 0; c < count; c++) {
          if (c != a) slope *= w->powers[in[c] * power_room + p[in[c]]];
        }
        row[in[a]] += slope;
      }
    }
    uint32_t d = f->degree;
    double complex start = w->powers[e * power_room + d] - w->r[e] * w->powers[n * power_room + d];
    double complex g = w->gamma * (1 - t);
    w->b[e] = rate ? value - w->gamma * start : g * start + t * value;
    row[e] += g * d * w->powers[e * power_room + d - 1];
    row[n] -= g * w->r[e] * d * w->powers[n * power_room + d - 1];
  }
  double complex on = -1;
  for (uint32_t k = 0; k < N; k++) {
    w->J[(size_t)n * N + k] = w->patch[k];
    on += w->patch[k] * x[k];
  }
  w->b[n] = rate ? 0 : on;
}

// J d = -b, into b. False: singular. *least: the least pivot by the largest.
static bool solve(Paths *w, double *least) {
  uint32_t N = w->N;
  double complex *a = w->J, *b = w->b;
  double small = INFINITY, large = 0;
  for (uint32_t i = 0; i < N; i++) b[i] = -b[i];
  for (uint32_t k = 0; k < N; k++) {
    uint32_t best = k;
    double top = 0;
    for (uint32_t i = k; i < N; i++) {
      double size = fabs(creal(a[(size_t)i * N + k])) + fabs(cimag(a[(size_t)i * N + k]));
      if (size > top) top = size, best = i;
    }
    if (!(top > 0) || !isfinite(top)) return false;
    small = fmin(small, top);
    large = fmax(large, top);
    if (best != k) {
      for (uint32_t j = k; j < N; j++) {
        double complex swap = a[(size_t)k * N + j];
        a[(size_t)k * N + j] = a[(size_t)best * N + j];
        a[(size_t)best * N + j] = swap;
      }
      double complex swap = b[k];
      b[k] = b[best];
      b[best] = swap;
    }
    double complex by = 1 / a[(size_t)k * N + k];
    for (uint32_t i = k + 1; i < N; i++) {
      double complex f = a[(size_t)i * N + k] * by;
      if (f == 0) continue;
      for (uint32_t j = k + 1; j < N; j++) a[(size_t)i * N + j] -= f * a[(size_t)k * N + j];
      b[i] -= f * b[k];
    }
  }
  for (uint32_t i = N; i-- > 0;) {
    double complex sum = b[i];
    for (uint32_t j = i + 1; j < N; j++) sum -= a[(size_t)i * N + j] * b[j];
    b[i] = sum / a[(size_t)i * N + i];
  }
  if (least) *least = small / large;
  return true;
}

static double size_of(const double complex *v, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++) {
    double s = fabs(creal(v[i])) + fabs(cimag(v[i]));
    if (!(s <= most)) most = s;
  }
  return most;
}

static bool tangent(Paths *w, const double complex *x, double t, double complex *out) {
  evaluate(w, x, t, true);
  if (!solve(w, NULL)) return false;
  memcpy(out, w->b, w->N * sizeof *out);
  return isfinite(size_of(out, w->N));
}

// Newton's method at t. False: it does not contract at once.
static bool correct(Paths *w, double complex *x, double t, uint32_t steps, double enough) {
  double before = INFINITY;
  for (uint32_t i = 0; i < steps; i++) {
    evaluate(w, x, t, false);
    if (!solve(w, NULL)) return false;
    double now = size_of(w->b, w->N), size = size_of(x, w->N);
    if (!isfinite(now) || now > 0.25 * before) return false;
    for (uint32_t k = 0; k < w->N; k++) x[k] += w->b[k];
    if (now <= enough * size) return true;
    before = now;
  }
  return false;
}

// Runge and Kutta from (x, t) by h, into w->y.
static bool predict(Paths *w, const double complex *x, double t, double h) {
  uint32_t N = w->N;
  const double part[] = {0, 0.5, 0.5, 1};
  for (int s = 0; s < 4; s++) {
    for (uint32_t i = 0; i < N; i++) w->y[i] = s ? x[i] + h * part[s] * w->k[s - 1][i] : x[i];
    if (!tangent(w, w->y, t + part[s] * h, w->k[s])) return false;
  }
  for (uint32_t i = 0; i < N; i++) w->y[i] = x[i] + h / 6 * (w->k[0][i] + 2 * w->k[1][i] + 2 * w->k[2][i] + w->k[3][i]);
  return true;
}

// Is x, near the end of its path, a regular finite solution? It is corrected.
static bool is_regular(Paths *w, double complex *x) {
  double least;
  for (int i = 0; i < 8; i++) {
    evaluate(w, x, 1, false);
    if (!solve(w, &least) || least < 1e-11) return false;
    double now = size_of(w->b, w->N), size = size_of(x, w->N);
    if (!isfinite(now) || (i == 0 && now > 0.1 * size)) return false;
    for (uint32_t k = 0; k < w->N; k++) x[k] += w->b[k];
    if (now <= 1e-13 * size) return true;
  }
  return false;
}

static bool far_away(const Paths *w, const double complex *x, double part) {
  return cabs(x[w->n]) < part * size_of(x, w->n);
}

// Does the tangent at x lead to w->x, where Newton's method came to?
static bool leads_to(Paths *w, const double complex *x, double t) {
  double off = 0, step = 0;
  if (!tangent(w, x, t, w->k[0])) return false;
  for (uint32_t k = 0; k < w->N; k++) {
    off = fmax(off, cabs(w->x[k] - x[k] - (1 - t) * w->k[0][k]));
    step = fmax(step, cabs((1 - t) * w->k[0][k]));
  }
  return off <= 0.1 * step + 1e-12 * size_of(x, w->N);
}

static PathEnd follow_path(Paths *w, double complex *x) {
  double t = 0, h = 0.02 * w->tightness, most = 0.1 * w->tightness;
  uint32_t good = 0;
  for (uint32_t step = 0; step < most_steps; step++) {
    if (1 - t < 1e-9) break;
    double go = fmin(h, t > 0.9 ? 0.5 * (1 - t) : 1 - t);
    bool ok = predict(w, x, t, go) && correct(w, w->y, t + go, 3, 1e-8 * w->tightness);
    if (!ok) {
      h = go / 2;
      good = 0;
      if (h < 1e-13) break;
      continue;
    }
    memcpy(x, w->y, w->N * sizeof *x);
    t += go;
    if (++good >= 3) h = fmin(most, 2 * go), good = 0;
    else h = fmax(h, go);
    if (t > 0.99 && far_away(w, x, 1e-7)) return path_infinite;
    // the end of a regular path is near enough for Newton's method
    if (1 - t < 1e-4) {
      memcpy(w->x, x, w->N * sizeof *x);
      if (is_regular(w, w->x) && !far_away(w, w->x, 1e-6) && leads_to(w, x, t)) {
        memcpy(x, w->x, w->N * sizeof *x);
        return path_finite;
      }
    }
  }
  return far_away(w, x, 1e-3) ? path_infinite : path_lost;
}

static void start_of(const Paths *w, uint64_t path, double complex *x) {
  double complex on = 0;
  for (uint32_t e = 0; e < w->n; e++) {
    uint32_t d = w->f[e].degree, k = (uint32_t)(path % d);
    path /= d;
    double angle = (carg(w->r[e]) + 2 * 3.14159265358979323846 * k) / d;
    x[e] = pow(cabs(w->r[e]), 1.0 / d) * cexp(I * angle);
  }
  x[w->n] = 1;
  for (uint32_t k = 0; k < w->N; k++) on += w->patch[k] * x[k];
  for (uint32_t k = 0; k < w->N; k++) x[k] /= on;
}

static bool open(Paths *w, const PolynomialSystem *s, uint64_t seed) {
  Arena *arena = s->arena;
  size_t N = s->left + 1;
  *w = (Paths){.arena = arena, .n = s->left, .N = s->left + 1, .tightness = 1};
  double complex **vectors[] = {&w->r, &w->patch, &w->b, &w->x, &w->k[0], &w->k[1], &w->k[2], &w->k[3], &w->y};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(arena, N, sizeof(double complex));
  w->J = arena_array(arena, N * N, sizeof *w->J);
  w->powers = arena_array(arena, N * power_room, sizeof *w->powers);
  if (arena_failed(arena) || !flatten(w, s)) return false;
  uint64_t k = 0;
  const double turn = 6.283185307179586476925;
  w->gamma = cexp(I * turn * random_uniform(seed, k++));
  for (uint32_t i = 0; i < w->n; i++) w->r[i] = cexp(I * turn * random_uniform(seed, k++));
  for (uint32_t i = 0; i < w->N; i++) {
    double size = 0.5 + random_uniform(seed, k++);
    w->patch[i] = size * cexp(I * turn * random_uniform(seed, k++));
  }
  return true;
}

static bool same(const double complex *a, const double complex *b, uint32_t n) {
  double size = 1 + size_of(a, n);
  for (uint32_t i = 0; i < n; i++) {
    if (cabs(a[i] - b[i]) > 1e-7 * size) return false;
  }
  return true;
}

bool homotopy_solve(Homotopy *h, const PolynomialSystem *s, uint64_t seed, bool (*interrupted)(void *self),
                    void *self) {
  Paths w;
  uint64_t paths = (uint64_t)polynomial_bound(s);
  *h = (Homotopy){.n = s->left, .paths = paths};
  if (!open(&w, s, seed)) return false;
  double complex *ends = arena_array(s->arena, paths * w.N + 1, sizeof *ends);
  PathEnd *how = arena_array(s->arena, paths + 1, sizeof *how);
  bool *again = arena_array(s->arena, paths + 1, sizeof *again);
  h->solutions = arena_array(s->arena, paths * w.n + 1, sizeof *h->solutions);
  h->lost_ends = arena_array(s->arena, paths * w.n + 1, sizeof *h->lost_ends);
  if (!ends || !how || !again || !h->solutions || !h->lost_ends) return false;
  for (uint64_t i = 0; i < paths; i++) again[i] = true;
  for (int round = 0; round < retries; round++, w.tightness *= 0.2) {
    bool any = false;
    for (uint64_t i = 0; i < paths; i++) {
      if (!again[i]) continue;
      if (interrupted && interrupted(self)) return h->interrupted = true;
      double complex *x = ends + i * w.N;
      start_of(&w, i, x);
      how[i] = follow_path(&w, x);
      for (uint32_t k = 0; how[i] == path_finite && k < w.n; k++) x[k] /= x[w.n];
      any = true;
    }
    if (!any) break;
    // paths that were lost, or met: a regular solution has one path
    for (uint64_t i = 0; i < paths; i++) again[i] = how[i] == path_lost;
    for (uint64_t i = 0; i < paths; i++) {
      for (uint64_t k = 0; how[i] == path_finite && k < i; k++) {
        if (how[k] == path_finite && same(ends + i * w.N, ends + k * w.N, w.n)) again[i] = again[k] = true;
      }
    }
  }
  for (uint64_t i = 0; i < paths; i++) {
    h->finite += how[i] == path_finite;
    h->infinite += how[i] == path_infinite;
    for (uint32_t k = 0; how[i] == path_lost && k < w.n; k++)
      h->lost_ends[h->lost * w.n + k] = ends[i * w.N + k] / ends[i * w.N + w.n];
    h->lost += how[i] == path_lost;
    bool known = how[i] != path_finite;
    for (uint32_t k = 0; !known && k < h->count; k++) known = same(ends + i * w.N, h->solutions + (size_t)k * w.n, w.n);
    if (!known) memcpy(h->solutions + (size_t)h->count++ * w.n, ends + i * w.N, w.n * sizeof *ends);
  }
  return !arena_failed(s->arena);
}
