// Absolute stability by the circle criterion and Popov's: bounds of Re G(iw) by eigenvalues of a Hamiltonian matrix.
//
// Re G(iw) = g at exactly the w where the Hamiltonian matrix
//
//   H = [A - B R^-1 C, -B R^-1 B'; C' R^-1 C, -(A - B R^-1 C)'],  R = 2 (D - g)
//
// has the eigenvalue iw: G(s) + G(-s) - 2 g has its zeros there. From a level that is reached the next is the least
// value in the middles between its crossings; a level a little lower without a crossing proves the bound. Popov's
// function is that of (1 + q s) G(s), whose least value is concave in q: the best q is found by a search on the
// derivative.
#include "control/absolute.h"

#include "analyze/margins.h"
#include "control/norms.h"
#include "control/riccati.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool real_part(Arena *arena, const StateSpace *s, double w, double *out) {
  Complex g;
  if (isinf(w)) {
    *out = s->D[0];
    return true;
  }
  if (!space_response(arena, s, I * w, &g)) return false;
  *out = creal(g);
  return true;
}

static bool positive_real_matrix(Arena *arena, const StateSpace *s, double level, double *h) {
  uint32_t n = s->n, k = 2 * n;
  double r = 2 * (s->D[0] - level);
  (void)arena;
  if (r == 0) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double a = s->A[(size_t)i * n + j] - s->B[i] * s->C[j] / r;
      h[(size_t)i * k + j] = a;
      h[(size_t)(n + j) * k + n + i] = -a;
      h[(size_t)i * k + n + j] = -s->B[i] * s->B[j] / r;
      h[(size_t)(n + i) * k + j] = s->C[i] * s->C[j] / r;
    }
  }
  return true;
}

typedef struct SectorLevel {
  double least, frequency, size;
} SectorLevel;

static void try_at(Arena *arena, const StateSpace *s, double w, SectorLevel *x) {
  double g;
  if (!real_part(arena, s, w, &g)) return;
  x->size = fmax(x->size, fabs(g));
  if (!(g < x->least)) return;
  x->least = g;
  x->frequency = w;
}

// The level falls to what is found between the crossings; *proved: there are none.
static bool lower_level(Arena *arena, const StateSpace *s, double level, SectorLevel *x, bool *proved) {
  uint32_t k = 2 * s->n, count;
  ArenaMark mark = arena_mark(arena);
  double *h = matrix_new(arena, k, k), *w = matrix_new(arena, k + 2, 1);
  bool ok = h && w && positive_real_matrix(arena, s, level, h) && axis_frequencies(arena, k, h, w + 1, &count);
  if (ok) {
    *proved = count == 0;
    w[0] = 0;
    for (uint32_t i = 1; i <= count; i++) {
      try_at(arena, s, w[i], x);
      try_at(arena, s, i == 1 ? w[1] / 2 : sqrt(w[i - 1] * w[i]), x);
      try_at(arena, s, (w[i - 1] + w[i]) / 2, x);
      if (i == count) try_at(arena, s, 2 * w[i], x);
    }
  }
  arena_release(arena, mark);
  return ok;
}

bool least_real_part(Arena *arena, const StateSpace *s, double *least, double *frequency) {
  SectorLevel x = {.least = INFINITY};
  double *re = matrix_new(arena, s->n, 3);
  bool proved = false;
  if (!re || !matrix_eigen(arena, s->n, s->A, re, re + s->n, re + 2 * (size_t)s->n)) return false;
  try_at(arena, s, 0, &x);
  try_at(arena, s, INFINITY, &x);
  for (uint32_t i = 0; i < s->n; i++) {
    double w = hypot(re[i], re[s->n + i]);
    for (int part = -2; part <= 2; part++) try_at(arena, s, w * pow(2, part), &x);
  }
  if (!isfinite(x.least)) return false;
  for (double step = 1e-12; !proved && step < 1e-4; step *= 10) {
    for (int round = 0; round < 50 && !proved; round++) {
      double before = x.least, level = x.least - step * fmax(x.size, DBL_MIN);
      if (!lower_level(arena, s, level, &x, &proved)) return false;
      if (!proved && !(x.least < before)) break;
    }
  }
  *least = x.least;
  *frequency = x.frequency;
  return proved;
}

// (1 + q s) G(s) of a strictly proper G.
static void popov_space(const StateSpace *s, double q, StateSpace *out) {
  *out = (StateSpace){.n = s->n, .m = 1, .p = 1, .A = s->A, .B = s->B, .C = out->C, .D = out->D};
  double through = 0;
  for (uint32_t j = 0; j < s->n; j++) {
    double ca = 0;
    for (uint32_t i = 0; i < s->n; i++) ca += s->C[i] * s->A[(size_t)i * s->n + j];
    out->C[j] = s->C[j] + q * ca;
    through += s->C[j] * s->B[j];
  }
  out->D[0] = q * through;
}

// The least value at q, and its derivative by q.
static bool popov_at(Arena *arena, const StateSpace *s, double q, double *least, double *w, double *slope) {
  StateSpace x = {.C = matrix_new(arena, 1, s->n), .D = matrix_new(arena, 1, 1)};
  Complex g;
  if (!x.C || !x.D) return false;
  popov_space(s, q, &x);
  if (!least_real_part(arena, &x, least, w)) return false;
  if (isinf(*w)) { // -w Im G tends to C B
    *slope = 0;
    for (uint32_t i = 0; i < s->n; i++) *slope += s->C[i] * s->B[i];
    return true;
  }
  if (!space_response(arena, s, I * *w, &g)) return false;
  *slope = -*w * cimag(g);
  return true;
}

// The least value is concave in q: its derivative falls. q lies between lo, where it rises, and hi, where it falls.
static bool best_line(Arena *arena, const StateSpace *s, double scale, SectorBound *out) {
  double lo = 0, hi = 0, least, w, slope, best = -INFINITY;
  if (!popov_at(arena, s, 0, &least, &w, &slope)) return false;
  best = least;
  *out = (SectorBound){.frequency = w, .q = 0};
  double side = slope < 0 ? -1 : 1;
  for (double q = side * scale; fabs(q) < 1e6 * scale; q *= 4) {
    if (!popov_at(arena, s, q, &least, &w, &slope)) return false;
    if (least > best) {
      best = least;
      out->q = q;
      out->frequency = w;
    }
    hi = q;
    if (side * slope <= 0) break;
    lo = q;
  }
  for (int round = 0; round < 100 && fabs(hi - lo) > 1e-13 * fabs(hi); round++) {
    double q = (lo + hi) / 2;
    if (!popov_at(arena, s, q, &least, &w, &slope)) return false;
    if (least > best) {
      best = least;
      out->q = q;
      out->frequency = w;
    }
    if (side * slope > 0) lo = q;
    else hi = q;
  }
  out->k = best < 0 ? -1 / best : INFINITY;
  out->found = true;
  return true;
}

// G/(1 + a G): the lower slope closes the loop. False: 1 + a D = 0.
static bool close_with(Arena *arena, const StateSpace *s, double a, StateSpace *out) {
  uint32_t n = s->n;
  double den = 1 + a * s->D[0];
  if (!space_new(arena, n, 1, 1, out) || den == 0) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) out->A[(size_t)i * n + j] = s->A[(size_t)i * n + j] - a * s->B[i] * s->C[j] / den;
    out->B[i] = s->B[i] / den;
    out->C[i] = s->C[i] / den;
  }
  out->D[0] = s->D[0] / den;
  return true;
}

// The largest k of constant slopes: from k = 0 on, where the loop is stable, the first at which a pole reaches the
// axis: the least gain margin.
static bool linear_slope(Arena *arena, const StateSpace *s, SectorBound *out) {
  LinearSystem path;
  Margins m;
  const SolveModule *module = module_load();
  *out = (SectorBound){.k = INFINITY, .frequency = NAN, .found = true};
  if (!module || !system_room(&path, arena, s->n, 1, 1, 0)) return false;
  path.A = s->A;
  path.B = s->B;
  path.C = s->C;
  path.D = s->D;
  if (margins_find(arena, module, &path, NULL, &m) != dense_done) return false;
  for (uint32_t i = 0; i < m.gain.count; i++) {
    const Margin *g = &m.gain.items[i];
    if (!(g->value > 0 && g->value < out->k)) continue;
    out->k = g->value;
    out->frequency = g->frequency;
  }
  return true;
}

void absolute_find(Arena *arena, const StateSpace *s, double lower, Absolute *out) {
  *out = (Absolute){.status = absolute_failed, .lower = lower};
  double *re = matrix_new(arena, s->n, 3), least, size = 0;
  if (!re || !close_with(arena, s, lower, &out->shifted)) return;
  const StateSpace *g = &out->shifted;
  if (!matrix_eigen(arena, g->n, g->A, re, re + g->n, re + 2 * (size_t)g->n)) return;
  for (uint32_t i = 0; i < g->n; i++) {
    size = fmax(size, hypot(re[i], re[g->n + i]));
    if (re[i] < 0 && fabs(re[i]) > re[2 * (size_t)g->n + i] * 1e-3) continue;
    out->status = absolute_unstable;
    out->re = re[i];
    out->im = fabs(re[g->n + i]);
    return;
  }
  if (!least_real_part(arena, g, &least, &out->circle.frequency)) return;
  out->circle.k = least < 0 ? -1 / least : INFINITY;
  out->circle.found = true;
  if (!linear_slope(arena, g, &out->linear)) return;
  if (g->D[0] == 0 && !best_line(arena, g, size > 0 ? 1 / size : 1, &out->popov)) return;
  out->status = arena_failed(arena) ? absolute_no_memory : absolute_done;
}
