// Symmetric projection. See manifold.h.
#include "solve/manifold.h"

#include <float.h>
#include <string.h>

enum { most_rounds = 40 };
// a: for the difference that tells the slope, and the most it may be. Beyond it the step is far too large, or there is
// next to nothing that moves.
static const double probe = 1e-5, most_moved = 0.05;
// Of the size of the energies: below it what is missing is rounding, and a slope by a difference too.
static const double rounding = 4 * DBL_EPSILON, rough = 1e4 * DBL_EPSILON;

bool manifold_init(ManifoldStep *x, Arena *arena, const OdeProblem *p) {
  *x = (ManifoldStep){.p = p, .count = p->manifold ? p->manifold->count : 0};
  x->c = arena_array(arena, (size_t)x->count + 1, sizeof *x->c);
  x->next_c = arena_array(arena, (size_t)x->count + 1, sizeof *x->next_c);
  x->residue = arena_array(arena, (size_t)x->count + 1, sizeof *x->residue);
  x->start = arena_array(arena, p->n, sizeof *x->start);
  x->at = arena_array(arena, p->n, sizeof *x->at);
  if (p->balance) x->rates = arena_array(arena, p->n, sizeof *x->rates);
  return !arena_failed(arena);
}

void manifold_anew(ManifoldStep *x) {
  x->aimed = false;
  x->by = 0;
}

// ---- the balance

// Moves `to` uphill in the energy at y, by a.
static bool climb(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, double a,
                  double *to) {
  const OdeBalance *b = x->p->balance;
  method->counts->evaluations++;
  if (!x->p->f(x->p->self, t, y, x->rates)) return false;
  for (uint32_t i = 0; i < b->pair_count; i++) {
    OdePair k = b->pairs[i];
    to[k.place] -= a * h * h * x->rates[k.speed];
    to[k.speed] += a * x->rates[k.place];
  }
  return true;
}

// How the energy at y changes with a; 0: it does not, but for rounding.
static double slope_at(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y) {
  const OdeBalance *b = x->p->balance;
  double value, moved, size;
  memcpy(x->start, y, x->p->n * sizeof *y);
  if (!b->value(x->p->self, t, y, &value, &size) || !climb(x, method, t, h, y, probe, x->start) ||
      !b->value(x->p->self, t, x->start, &moved, &size))
    return 0;
  return moved - value > rough * size ? (moved - value) / probe : 0;
}

// What a step from y is to keep. Without a slope it goes as it is.
static void aim(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y) {
  const OdeBalance *b = x->p->balance;
  double size;
  x->slope = 0;
  if (!b || !b->needed(x->p->self)) return;
  if (!x->aimed) x->aimed = b->value(x->p->self, t, y, &x->target, &size);
  if (x->aimed) x->slope = slope_at(x, method, t, h, y);
}

// ---- the rounds

typedef struct Missing {
  double residue; // the largest of the manifold
  double energy;
  bool rounding; // that of the energy is
} Missing;

// y moved by the present c and a, where both are taken at `at`.
static bool move(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *at, double *y) {
  if (x->count && !x->p->manifold->push(x->p->self, t, at, x->c, y)) return false;
  return x->slope == 0 || climb(x, method, t, h, at, x->by, y);
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

// One round with the present c and a. False: it has no finite value.
static bool one_round(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, bool first,
                      double *next, Missing *m) {
  memcpy(x->start, y, x->p->n * sizeof *y);
  if (!move(x, method, t, h, y, x->start) || !method->step(method->self, t, h, x->start, next)) return false;
  if (first) {
    memcpy(x->at, next, x->p->n * sizeof *next);
    if (x->slope != 0) x->slope += slope_at(x, method, t + h, h, next);
  }
  if (!move(x, method, t + h, h, x->at, next) || !look(x, t + h, next, m)) return false;
  memcpy(x->at, next, x->p->n * sizeof *next);
  return isfinite(m->residue) && isfinite(m->energy);
}

static bool give_up(ManifoldStep *x) {
  memset(x->c, 0, x->count * sizeof *x->c);
  x->by = 0;
  return false;
}

// Is what is left rounding, or not found this way? With a balance residues and energy move each other, and get smaller
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

// The first round leads near the manifold, whose residues move the energy as well; then a is found, too. c and a of the
// step before are where this one starts: they change little.
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
