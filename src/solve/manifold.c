// Symmetric projection onto the constraint manifold and onto a level of the energy balance. See manifold.h.
#include "solve/manifold.h"

#include <float.h>
#include <string.h>

enum { most_rounds = 40 };
// The number a: for the difference that gives the derivative, and the most it may be. Beyond it the step is far too
// large, or there is next to nothing that moves.
static const double probe = 1e-5, most_moved = 0.05;
static const double tangent_probe = 1e-7; // the same for derivatives of residuals, which are near zero and round less
// As a part of the size of the energies: below it what is missing is rounding, and a derivative by a difference too.
static const double rounding = 4 * DBL_EPSILON, rough = 1e4 * DBL_EPSILON;

bool manifold_init(ManifoldStep *x, Arena *arena, const OdeProblem *p) {
  *x = (ManifoldStep){.p = p, .count = p->manifold ? p->manifold->count : 0};
  x->c = arena_array(arena, (size_t)x->count + 1, sizeof *x->c);
  x->next_c = arena_array(arena, (size_t)x->count + 1, sizeof *x->next_c);
  x->residue = arena_array(arena, (size_t)x->count + 1, sizeof *x->residue);
  x->start = arena_array(arena, p->n, sizeof *x->start);
  x->at = arena_array(arena, p->n, sizeof *x->at);
  if (p->balance) {
    x->rates = arena_array(arena, p->n, sizeof *x->rates);
    x->trial = arena_array(arena, p->n, sizeof *x->trial);
    x->slopes = arena_array(arena, (size_t)x->count + 1, sizeof *x->slopes);
    for (int i = 0; i < 2; i++) x->way[i] = arena_array(arena, p->n, sizeof *x->way[i]);
  }
  return !arena_failed(arena);
}

// Both ends are moved, by the same a.
void manifold_taken(const ManifoldStep *x, OdeResult *r) {
  if (x->slope != 0) r->balanced = fmax(r->balanced, 2 * fabs(x->by));
}

void manifold_restart(ManifoldStep *x) {
  x->aimed = false;
  x->by = 0;
}

// ---- the balance

static void go(const ManifoldStep *x, const double *way, double a, double *to) {
  for (uint32_t e = 0; e < x->p->checked; e++) to[e] += a * way[e];
}

// Takes from a way at y what leads off the manifold.
static bool stay(ManifoldStep *x, double t, const double *y, double *way) {
  const OdeManifold *m = x->p->manifold;
  void *self = x->p->self;
  memcpy(x->trial, y, x->p->n * sizeof *y);
  go(x, way, tangent_probe, x->trial);
  if (!m->residues(self, t, y, x->residue) || !m->residues(self, t, x->trial, x->slopes)) return false;
  for (uint32_t k = 0; k < x->count; k++) x->slopes[k] = (x->residue[k] - x->slopes[k]) / tangent_probe;
  return m->push(self, t, y, x->slopes, way);
}

// The way uphill in the energy at y.
static bool find_way(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, double *way) {
  const OdeBalance *b = x->p->balance;
  method->counts->evaluations++;
  if (!x->p->f(x->p->self, t, y, x->rates)) return false;
  memset(way, 0, x->p->n * sizeof *way);
  for (uint32_t i = 0; i < b->pair_count; i++) {
    OdePair k = b->pairs[i];
    way[k.place] = -h * h * x->rates[k.speed];
    way[k.speed] = x->rates[k.place];
  }
  return !x->count || stay(x, t, y, way);
}

// How the energy at y changes along a way; 0: it does not, but for rounding.
static double slope_at(ManifoldStep *x, double t, const double *y, const double *way) {
  const OdeBalance *b = x->p->balance;
  double value, moved, size;
  memcpy(x->trial, y, x->p->n * sizeof *y);
  go(x, way, probe, x->trial);
  if (!b->value(x->p->self, t, y, &value, &size) || !b->value(x->p->self, t, x->trial, &moved, &size)) return 0;
  return moved - value > rough * size ? (moved - value) / probe : 0;
}

// What a step from y is to keep. Without a derivative the step is not corrected.
static void aim(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y) {
  const OdeBalance *b = x->p->balance;
  double size;
  x->slope = 0;
  if (!b || !b->needed(x->p->self)) return;
  if (!x->aimed) x->aimed = b->value(x->p->self, t, y, &x->target, &size);
  if (x->aimed && find_way(x, method, t, h, y, x->way[0])) x->slope = slope_at(x, t, y, x->way[0]);
}

// ---- the rounds

typedef struct Missing {
  double residue; // the largest of the manifold
  double energy;
  bool rounding; // that of the energy is
} Missing;

// y moved by the present c and a, where D is taken at `at`.
static bool move(ManifoldStep *x, double t, const double *at, const double *way, double *y) {
  if (x->count && !x->p->manifold->push(x->p->self, t, at, x->c, y)) return false;
  if (x->slope != 0) go(x, way, x->by, y);
  return true;
}

static bool look(ManifoldStep *x, double t, const double *y, Missing *m) {
  double value, size;
  *m = (Missing){.rounding = true};
  if (x->count && !x->p->manifold->residues(x->p->self, t, y, x->residue)) return false;
  for (uint32_t k = 0; k < x->count; k++) {
    m->residue = fmax(m->residue, fabs(x->residue[k]));
    x->next_c[k] = x->c[k] - 0.5 * x->residue[k];
  }
  if (x->slope == 0) return true;
  if (!x->p->balance->value(x->p->self, t, y, &value, &size)) return false;
  m->energy = value - x->target;
  m->rounding = fabs(m->energy) <= rounding * size;
  return true;
}

// D at the end of the step, as far as it is known; with the first one the derivative is complete.
static bool see_end(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *next, bool first) {
  if (first) memcpy(x->at, next, x->p->n * sizeof *next);
  if (x->slope == 0) return true;
  if (!find_way(x, method, t, h, x->at, x->way[1])) return false;
  if (first) x->slope += slope_at(x, t, x->at, x->way[1]);
  return true;
}

// One round with the present c and a. False: it has no finite value.
static bool one_round(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, bool first,
                      double *next, Missing *m) {
  memcpy(x->start, y, x->p->n * sizeof *y);
  if (!move(x, t, y, x->way[0], x->start) || !method->step(method->self, t, h, x->start, next)) return false;
  if (!see_end(x, method, t + h, h, next, first)) return false;
  if (!move(x, t + h, x->at, x->way[1], next) || !look(x, t + h, next, m)) return false;
  memcpy(x->at, next, x->p->n * sizeof *next);
  return isfinite(m->residue) && isfinite(m->energy);
}

static bool give_up(ManifoldStep *x) {
  memset(x->c, 0, x->count * sizeof *x->c);
  x->by = 0;
  return false;
}

// Is what is left rounding, or not found this way? With a balance residuals and energy move each other, and get smaller
// every other round.
static bool is_over(const ManifoldStep *x, const Missing *rounds, int i) {
  const Missing *now = &rounds[i];
  if (x->slope == 0) return now->residue == 0 || (i && now->residue >= 0.5 * rounds[i - 1].residue);
  bool lies = now->residue == 0, keeps = now->rounding;
  if (i > 3) {
    lies = lies || now->residue >= 0.5 * rounds[i - 2].residue;
    keeps = keeps || fabs(now->energy) >= 0.5 * fabs(rounds[i - 2].energy);
  }
  return lies && keeps;
}

// The first round leads near the manifold, whose residuals move the energy as well; then a is found, too. The iteration
// starts from c and a of the step before: they change little.
bool manifold_step(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, double *next) {
  Missing rounds[most_rounds];
  aim(x, method, t, h, y);
  for (int i = 0; i < most_rounds; i++) {
    if (!one_round(x, method, t, h, y, i == 0, next, &rounds[i])) return give_up(x);
    if (is_over(x, rounds, i)) return true;
    memcpy(x->c, x->next_c, x->count * sizeof *x->c);
    if (x->slope == 0 || (i == 0 && x->count)) continue;
    x->by -= rounds[i].energy / x->slope;
    if (fabs(x->by) > most_moved) x->by = x->slope = 0;
  }
  return true;
}
