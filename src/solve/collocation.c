// Gauss' collocation methods, and line integrals that keep the energy: implicit Runge-Kutta methods with the
// coefficients of gauss_table.h. A part of stepper.h.
//
//   Z_i = z + h sum_j a_ij f(t + c_j h, Z_j),   z+ = z + h sum_i b_i f(t + c_i h, Z_i)
//
// z is y unless stated otherwise; for a Lagrangian model whose inertia varies, z holds the momenta instead of the
// velocities (OdeMomenta), because Gauss' methods are symplectic in these. For an energy with structure (OdeGradient)
// the rates of a line integral are those of mean_gradient.h.
//
// Stages are iterated until they stand still, up to rounding: by fixed points, which start from the polynomial of the
// step before; where those do not converge, by Newton's method with one matrix I - h A x J for many steps, J by
// differences. Sums are compensated: what rounding takes from z is kept and added to the next step. So rounding errors
// are random, and the energy wanders with the square root of the time instead of drifting with it (Hairer, McLachlan,
// Razakarivony, "Achieving Brouwer's law with implicit Runge-Kutta methods", 2008).
#include "solve/gauss_table.h"
#include "solve/linear.h"
#include "solve/mean_gradient.h"
#include "solve/stepper.h"

#include <string.h>

enum {
  most_iterations = 60, // of fixed points: a slower one is Newton's business
  most_newton = 30,
  settling = 5,       // rounds in which changes may grow
  slow_newton = 8,    // iterations from which on the next step has a new matrix
  newton_size = 1200, // unknowns of all stages together: the matrix is dense
  most_longer = 8,    // than the step before: further on its polynomial leads anywhere
};
// Changes of the stages, in parts of the size of their components. Below `finest` another iteration changes nothing; a
// change that does not get smaller is rounding: below `rounding` at once, below `noise` after the first rounds, in
// which changes may grow. Otherwise the iteration does not converge.
static const double finest = 1e-20, rounding = 1e-14, noise = 1e-9;

typedef struct Collocation {
  const OdeProblem *p;
  const CollocationTable *m;
  OdeResult *counts;
  uint32_t n;
  bool (*f)(void *self, double t, const double *z, double *rates);
  double *z, *lost, *z_next, *lost_next;
  double *stage, *rate;  // k * n each
  double *old;           // rates of the step before
  double *scale, *start; // one over the sizes of the components; rates at z
  bool known;            // z is the state
  bool turned;           // and has momenta
  bool history;          // `old` and old_h are of the step before
  double h, old_h;
  bool has_rounding;                                 // sizes are at least what rounding makes of them (add_rounding)
  double *rate_errors;                               // room for that
  double *tried, tried_t, tried_h;                   // the last trial started from there; tried_h 0: it was taken
  double extend[collocation_most][collocation_most]; // of starting values, for steps of this ratio:
  double ratio;                                      // 0: not made
  // Newton's method; a.n 0: too large
  bool stiff, factored;
  double factored_h;
  Linear a;
  double *jacobian, *residue;
  // forces at the ports, where the balance of energy is kept; NULL: none
  double *forces;
  double project[collocation_most][collocation_most]; // values at the nodes to those of the step's polynomial
  // of an energy with structure
  bool structured; // its rates are taken now
  MeanGradient mean;
} Collocation;

static const CollocationTable *table_of(OdeMethod m) {
  switch (m) {
  case ode_gauss4: return &gauss4_table;
  case ode_gauss6: return &gauss6_table;
  case ode_gauss12: return &gauss12_table;
  case ode_conserve2: return &conserve2_table;
  case ode_conserve: return &conserve4_table;
  case ode_conserve6: return &conserve6_table;
  default: return &gauss8_table;
  }
}

static bool evaluate(Collocation *x, double t, const double *z, double *rates) {
  x->counts->evaluations++;
  return x->f(x->p->self, t, z, rates);
}

// ---- starting values

// Lagrange's polynomial j of the nodes, at s.
static double basis(const CollocationTable *m, int j, double s) {
  double value = 1;
  for (int l = 0; l < m->stages; l++) {
    if (l != j) value *= (s - m->c[l]) / (m->c[j] - m->c[l]);
  }
  return value;
}

// The polynomial through the rates of the step before, integrated from its end to node i of a step that is `ratio`
// times as long. The rule of the nodes itself is exact for it.
static void make_extension(Collocation *x, double ratio) {
  const CollocationTable *m = x->m;
  for (int i = 0; i < m->stages; i++) {
    for (int j = 0; j < m->stages; j++) {
      double sum = 0;
      for (int l = 0; l < m->stages; l++)
        sum += (m->b[l].large + m->b[l].small) * basis(m, j, 1 + ratio * m->c[i] * m->c[l]);
      x->extend[i][j] = m->c[i] * sum;
    }
  }
  x->ratio = ratio;
}

// Rates at z, for starting values without a step before and for sizes.
static bool first_values(Collocation *x, double t, double h) {
  uint32_t n = x->n;
  if (!evaluate(x, t, x->z, x->start)) return false;
  for (int i = 0; i < x->m->stages; i++) {
    double *to = x->stage + (size_t)i * n, a = h * x->m->c[i];
    for (uint32_t e = 0; e < n; e++) to[e] = x->z[e] + a * x->start[e];
  }
  return true;
}

static bool starting_values(Collocation *x, double t, double h) {
  const CollocationTable *m = x->m;
  uint32_t n = x->n;
  if (x->tried_h == h && x->tried_t == t) { // the same step from nearby: its stages move with it
    for (int i = 0; i < m->stages; i++) {
      for (uint32_t e = 0; e < n; e++) x->stage[(size_t)i * n + e] += x->z[e] - x->tried[e];
    }
    return true;
  }
  if (!x->history || h > most_longer * x->old_h) return first_values(x, t, h);
  if (x->ratio != h / x->old_h) make_extension(x, h / x->old_h);
  for (int i = 0; i < m->stages; i++) {
    double *to = x->stage + (size_t)i * n;
    for (uint32_t e = 0; e < n; e++) {
      double sum = 0;
      for (int j = 0; j < m->stages; j++) sum += x->extend[i][j] * x->old[(size_t)j * n + e];
      to[e] = x->z[e] + h * sum;
    }
  }
  memcpy(x->start, x->old + (size_t)(m->stages - 1) * n, n * sizeof *x->start);
  return true;
}

// One over the sizes: a component is measured by itself, its change in the step and the values of its stages, and at
// least by a thousandth of the largest of its kind. At rest, where a force only begins, the stages alone say how large
// it gets: the velocities that a projection leaves there are rounding errors.
static void measure(Collocation *x, double h) {
  const uint8_t *kinds = x->p->kinds;
  double most[ode_kinds] = {0};
  for (uint32_t e = 0; e < x->p->checked; e++) {
    double size = fabs(x->z[e]) + fabs(h * x->start[e]), *largest = &most[kinds ? kinds[e] : ode_state];
    for (int i = 0; i < x->m->stages; i++) size = fmax(size, fabs(x->stage[(size_t)i * x->n + e]));
    x->scale[e] = size;
    if (size > *largest) *largest = size;
  }
  for (uint32_t e = 0; e < x->p->checked; e++) {
    double size = fmax(x->scale[e], 1e-3 * most[kinds ? kinds[e] : ode_state]);
    x->scale[e] = size > 0 ? 1 / size : 1;
  }
}

// Sizes beside which what rounding does to the rates in a step is below `noise`: about a preload forces balance, and
// the displacements may be so small that the last digits of these forces keep the stages from converging. False: it is
// not known.
static bool add_rounding(Collocation *x, double t, double h) {
  const OdeProblem *p = x->p;
  double *rate_errors = x->rate_errors, *rate = x->lost_next;
  if (x->turned || !p->rounding || !p->rounding(p->self, t, x->z, rate_errors)) return false;
  memcpy(x->z_next, x->z, x->n * sizeof *x->z);
  for (uint32_t e = 0; e < p->checked; e++) x->z_next[e] += rate_errors[e] *= h;
  if (!evaluate(x, t, x->z, x->start) || !evaluate(x, t, x->z_next, rate)) return false;
  for (uint32_t e = 0; e < p->checked; e++) {
    double off = fmax(rate_errors[e], h * fabs(rate[e] - x->start[e])); // the noise of a velocity acts on its position
    if (off > 0) x->scale[e] = fmin(x->scale[e], noise / off);
  }
  return true;
}

// ---- the stages

static bool evaluate_stages(Collocation *x, double t, double h) {
  if (x->structured) return mean_gradient_rates(&x->mean, t, h, x->z, x->stage, x->rate, &x->counts->evaluations);
  for (int i = 0; i < x->m->stages; i++) {
    if (!evaluate(x, t + x->m->c[i] * h, x->stage + (size_t)i * x->n, x->rate + (size_t)i * x->n)) return false;
  }
  return true;
}

// sum_j a_j rate_j of component e
static inline double weighted(const Collocation *x, const Coefficient *a, uint32_t e) {
  double large = 0, small = 0;
  for (int j = 0; j < x->m->stages; j++) {
    double r = x->rate[(size_t)j * x->n + e];
    large += a[j].large * r;
    small += a[j].small * r;
  }
  return large + small;
}

// New stages from the rates; how far they moved.
static double fixed_point(Collocation *x, double h) {
  double most = 0;
  for (int i = 0; i < x->m->stages; i++) {
    double *stage = x->stage + (size_t)i * x->n;
    for (uint32_t e = 0; e < x->p->checked; e++) {
      double to = x->z[e] + (x->lost[e] + h * weighted(x, x->m->a[i], e));
      double d = fabs(to - stage[e]) * x->scale[e];
      stage[e] = to;
      if (d > most) most = d;
    }
  }
  return most;
}

typedef enum StageVerdict { stages_on, stages_stand, stages_fail } StageVerdict;

// After `round` rounds, of which the last two moved the stages by `before` and d.
static StageVerdict judge(double d, double before, int round) {
  if (!isfinite(d)) return stages_fail;
  if (d == 0 || (round && d * (d / before) < finest)) return stages_stand;
  if (d < before || (d > rounding && round < settling)) return stages_on;
  return d < noise ? stages_stand : stages_fail;
}

// The same for rates of mean_gradient.h, whose iterations may get better and worse alternately: two consecutive ones
// have to agree before the stages count as converged.
static StageVerdict confirm(const Collocation *x, StageVerdict verdict, double d, int *standing) {
  *standing = verdict == stages_stand ? *standing + 1 : 0;
  return x->structured && verdict == stages_stand && d > 0 && *standing < 2 ? stages_on : verdict;
}

static bool by_fixed_points(Collocation *x, double t, double h) {
  double before = INFINITY;
  int standing = 0;
  for (int i = 0; i < most_iterations; i++) {
    if (!evaluate_stages(x, t, h)) return false;
    double d = fixed_point(x, h);
    StageVerdict verdict = confirm(x, judge(d, before, i), d, &standing);
    if (verdict != stages_on) return verdict == stages_stand;
    if (i >= settling && d > 0.6 * before && d > noise) return false; // this takes too long
    before = d;
  }
  return before < noise;
}

// ---- Newton's method

static bool differences(Collocation *x, double t) {
  uint32_t m = x->p->checked, n = x->n;
  double *f1 = x->residue;
  x->counts->jacobians++;
  if (!evaluate(x, t, x->z, x->start)) return false;
  memcpy(x->z_next, x->z, n * sizeof *x->z);
  for (uint32_t c = 0; c < m; c++) {
    double d = 1.5e-8 / x->scale[c];
    x->z_next[c] += d;
    d = x->z_next[c] - x->z[c];
    bool ok = evaluate(x, t, x->z_next, f1);
    x->z_next[c] = x->z[c];
    if (!ok) return false;
    for (uint32_t e = 0; e < m; e++) x->jacobian[(size_t)c * m + e] = (f1[e] - x->start[e]) / d;
  }
  return true;
}

static bool factor(Collocation *x, double t, double h) {
  uint32_t m = x->p->checked, k = (uint32_t)x->m->stages, size = k * m;
  if (!differences(x, t)) return false;
  for (uint32_t j = 0; j < k; j++) {
    for (uint32_t c = 0; c < m; c++) {
      double *column = x->a.a + (size_t)(j * m + c) * size;
      for (uint32_t i = 0; i < k; i++) {
        double a = h * (x->m->a[i][j].large + x->m->a[i][j].small);
        for (uint32_t e = 0; e < m; e++) column[i * m + e] = (i == j && e == c) - a * x->jacobian[(size_t)c * m + e];
      }
    }
  }
  x->counts->factorizations++;
  x->factored_h = h;
  return x->factored = linear_factor(&x->a);
}

static double newton_round(Collocation *x, double h) {
  uint32_t m = x->p->checked, k = (uint32_t)x->m->stages;
  double most = 0;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t e = 0; e < m; e++)
      x->residue[i * m + e] = x->z[e] + (x->lost[e] + h * weighted(x, x->m->a[i], e)) - x->stage[(size_t)i * x->n + e];
  }
  linear_solve(&x->a, x->residue);
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t e = 0; e < m; e++) {
      x->stage[(size_t)i * x->n + e] += x->residue[i * m + e];
      most = fmax(most, fabs(x->residue[i * m + e]) * x->scale[e]);
    }
  }
  return most;
}

static bool newton_rounds(Collocation *x, double t, double h) {
  double before = INFINITY;
  int standing = 0;
  for (int i = 0; i < most_newton; i++) {
    if (!evaluate_stages(x, t, h)) return false;
    double d = newton_round(x, h);
    StageVerdict verdict = confirm(x, judge(d, before, i), d, &standing);
    if (i + 1 >= slow_newton) x->factored = false;
    if (verdict != stages_on) return verdict == stages_stand;
    before = d;
  }
  return before < noise;
}

static bool by_newton(Collocation *x, double t, double h) {
  if (!x->a.n) return false;
  bool fresh = !x->factored || x->factored_h != h;
  if (fresh && !factor(x, t, h)) return false;
  if (newton_rounds(x, t, h)) return true;
  x->factored = false;
  if (fresh) return false;
  return first_values(x, t, h) && factor(x, t, h) && newton_rounds(x, t, h);
}

static bool iterate(Collocation *x, double t, double h) {
  if (!x->stiff) {
    if (by_fixed_points(x, t, h)) return true;
    x->history = false; // the rates of a failed iteration say nothing
    if (!first_values(x, t, h)) return false;
    x->stiff = true;
  }
  return by_newton(x, t, h);
}

static bool solve_stages(Collocation *x, double t, double h) {
  bool stiff = x->stiff;
  if (!starting_values(x, t, h)) return false;
  measure(x, h);
  if (x->has_rounding && !add_rounding(x, t, h)) return false;
  if (iterate(x, t, h)) return true;
  // once more, if rounding may be what moves them
  if (x->has_rounding || !first_values(x, t, h) || !add_rounding(x, t, h)) return false;
  x->has_rounding = true;
  x->stiff = stiff;
  return iterate(x, t, h);
}

// ---- the balance of energy

// Line integrals keep H + work of forces along their own polynomial: of velocities only its part of degree below s does
// work.
static void make_projection(Collocation *x) {
  const CollocationTable *m = x->m;
  for (int i = 0; i < m->stages; i++) {
    for (int l = 0; l < m->stages; l++) {
      double sum = legendre_kernel(m->order / 2, m->c[i], m->c[l]);
      x->project[i][l] = sum * (m->b[l].large + m->b[l].small);
    }
  }
}

// What the velocities of the polynomial let the ports do beyond those of the stages goes to the quadratures.
static bool balance(Collocation *x, double t, double h) {
  const OdePorts *ports = x->p->ports;
  const CollocationTable *m = x->m;
  for (int l = 0; l < m->stages; l++) {
    x->counts->evaluations++;
    if (!x->p->forces(x->p->self, t + m->c[l] * h, x->stage + (size_t)l * x->n, x->forces)) return false;
    double weight = h * (m->b[l].large + m->b[l].small);
    for (uint32_t i = 0; i < ports->count; i++) {
      double gap = -x->rate[(size_t)l * x->n + ports->place[i]];
      for (int k = 0; k < m->stages; k++) gap += x->project[l][k] * x->rate[(size_t)k * x->n + ports->place[i]];
      for (uint32_t f = 0; f < ports->flows; f++)
        x->z_next[x->p->checked + f] += weight * gap * x->forces[f * ports->count + i];
    }
  }
  return true;
}

// ---- the step

static bool load(Collocation *x, double t, const double *y) {
  const OdeMomenta *momenta = x->p->momenta;
  memset(x->lost, 0, x->n * sizeof *x->lost);
  memcpy(x->z, y, x->n * sizeof *x->z);
  x->known = true;
  x->turned = momenta && (!momenta->usable || momenta->usable(x->p->self));
  x->f = x->turned ? momenta->rates : x->p->f;
  x->structured = x->mean.gradient && x->p->gradient->usable(x->p->self);
  return !x->turned || momenta->from_velocities(x->p->self, t, y, x->z);
}

// Steps of manifold.h start beside the state.
static bool starts_beside(const OdeProblem *p) { return p->manifold || (p->balance && p->balance->needed(p->self)); }

static bool collocation_step(void *self, double t, double h, const double *y, double *next) {
  Collocation *x = self;
  if ((!x->known || starts_beside(x->p)) && !load(x, t, y)) return false;
  bool found = solve_stages(x, t, h);
  x->tried_h = found ? h : 0;
  x->tried_t = t;
  memcpy(x->tried, x->z, x->n * sizeof *x->z);
  if (!found) return false;
  for (uint32_t e = 0; e < x->n; e++) {
    double d = h * weighted(x, x->m->b, e) + x->lost[e], to = x->z[e] + d, part = to - x->z[e];
    x->z_next[e] = to;
    x->lost_next[e] = (x->z[e] - (to - part)) + (d - part);
  }
  if (x->forces && !balance(x, t, h)) return false;
  x->h = h;
  memcpy(next, x->z_next, x->n * sizeof *next);
  return !x->turned || x->p->momenta->to_velocities(x->p->self, t + h, x->z_next, next);
}

static void swap(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}

static void collocation_taken(void *self, bool moved) {
  Collocation *x = self;
  swap(&x->z, &x->z_next);
  swap(&x->lost, &x->lost_next);
  swap(&x->old, &x->rate);
  x->old_h = x->h;
  x->tried_h = 0;
  x->history = true;
  x->known = !moved;
}

static void collocation_restart(void *self) {
  Collocation *x = self;
  x->known = x->history = x->factored = false;
  x->tried_h = 0;
}

static bool make_rooms(Collocation *x, Arena *arena) {
  uint32_t n = x->n, k = (uint32_t)x->m->stages, m = x->p->checked;
  double **one[] = {&x->z, &x->lost, &x->z_next, &x->lost_next, &x->scale, &x->start, &x->rate_errors, &x->tried};
  double **many[] = {&x->stage, &x->rate, &x->old};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) *one[i] = arena_array(arena, n, sizeof(double));
  for (size_t i = 0; i < sizeof many / sizeof *many; i++) *many[i] = arena_array(arena, (size_t)k * n, sizeof(double));
  const OdePorts *ports = x->p->ports;
  if (ports && x->m->order < 2 * x->m->stages) {
    x->forces = arena_array(arena, (size_t)ports->flows * ports->count + 1, sizeof *x->forces);
    make_projection(x);
  }
  bool means = x->p->gradient && x->m->order < 2 * x->m->stages;
  if (means && !mean_gradient_new(&x->mean, arena, x->p, x->m)) return false;
  if (k * m > newton_size) return !arena_failed(arena);
  x->jacobian = arena_array(arena, (size_t)m * m + 1, sizeof *x->jacobian);
  x->residue = arena_array(arena, (size_t)k * m + n, sizeof *x->residue);
  return linear_init(&x->a, arena, k * m) && !arena_failed(arena);
}

OdeStepper ode_collocation_new(Arena *arena, const OdeProblem *p, OdeMethod method, OdeResult *counts) {
  Collocation *x = arena_new_of(arena, Collocation);
  if (!x) return (OdeStepper){0};
  *x = (Collocation){.p = p, .m = table_of(method), .counts = counts, .n = p->n};
  if (!make_rooms(x, arena)) return (OdeStepper){0};
  return (OdeStepper){x, collocation_step, collocation_taken, collocation_restart, counts, false};
}
