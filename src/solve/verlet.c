// The symplectic method of Stoermer and Verlet (leapfrog: kick, drift, kick), with constraints RATTLE. A part of
// stepper.h.
//
//   v+ = v + h/2 a(t, q),   q1 = q + h v+,   v1 = v+ + h/2 a(t + h, q1)
//
// Accelerations depend on positions and time alone (whoever asks for it has proved that), so one evaluation a step
// does: that at its end serves the next one. With OdeMomenta it is the same in (q, p), where p' depends on positions
// and time alone, and v on p and time: v+ is taken half way in time, by a second evaluation. Quadratures are summed by
// the trapezoidal rule and need the velocity at the end, a second evaluation. All sums are compensated: what rounding
// takes from y is kept and added to the next step.
//
// With constraints it is RATTLE (Andersen 1983; Hairer, Lubich, Wanner, "Geometric Numerical Integration", VII.1.4):
//
//   v+ = v + h/2 a(t, q) + D(q) c,   with c so that q1 lies on the manifold
//   v1 = v+ + h/2 a(t + h, q1) + D(q1) d,   with d so that v1 does
//
// D is that of OdeManifold.push: along the forces of the constraints, so whatever multipliers a was evaluated with, and
// whatever velocities these depend on, c and d make up for them. A constraint on velocities alone says nothing of q1:
// it is imposed half way, at (q + q1)/2 with v+, which is the same seen from either end.
#include "solve/stepper.h"

#include <string.h>

enum { most_rounds = 60, speed_rounds = 3 };
// Each iteration moves the positions by less than the one before. Below this part of their size the change is rounding.
static const double rounding = 1e-12;

typedef struct Verlet {
  const OdeProblem *p;
  OdeResult *counts;
  double *lost, *lost_next; // of y
  double *f, *f_next;       // rates at the ends of the step
  double *half, *rest;      // y with the velocities of its middle, and what rounding lost of these
  bool known;               // f is that of the state
  // in momenta
  double *z, *z_next; // the state with momenta instead of velocities; NULL: it is y
  double *drifts;     // rates half way
  // with constraints
  double *c, *residue; // by residual; those of positions are 0 in c
  double *middle;      // y half way
} Verlet;

// to = from + d, with what rounding took from both.
static double add(double from, double d, double lost, double *rest) {
  double sum = d + lost, to = from + sum, part = to - from;
  *rest = (from - (to - part)) + (sum - part);
  return to;
}

static bool evaluate(Verlet *x, double t, const double *y, double *f) {
  x->counts->evaluations++;
  return (x->z ? x->p->momenta->rates : x->p->f)(x->p->self, t, y, f);
}

// ---- kick, drift, kick

static void kick(Verlet *x, double h, const double *y) {
  memcpy(x->half, y, x->p->n * sizeof *y);
  for (uint32_t i = 0; i < x->p->pair_count; i++) {
    uint32_t v = x->p->pairs[i].speed;
    x->half[v] = add(y[v], 0.5 * h * x->f[v], x->lost[v], &x->rest[v]);
  }
}

// The positions after the step, with the velocities in next; how far they moved from their values there, as a part of
// their sizes.
static double drift(Verlet *x, double h, const double *y, double *next) {
  double most = 0, size = 0;
  for (uint32_t i = 0; i < x->p->pair_count; i++) {
    OdePair k = x->p->pairs[i];
    double before = next[k.place];
    next[k.place] = add(y[k.place], h * (next[k.speed] + x->rest[k.speed]), x->lost[k.place], &x->lost_next[k.place]);
    most = fmax(most, fabs(next[k.place] - before));
    size = fmax(size, fmax(fabs(next[k.place]), fabs(h * next[k.speed])));
  }
  return most > 0 ? most / fmax(size, most) : most;
}

static bool drift_by_momenta(Verlet *x, double t, double h, const double *z, double *next) {
  if (!evaluate(x, t + 0.5 * h, next, x->drifts)) return false;
  for (uint32_t i = 0; i < x->p->pair_count; i++) {
    uint32_t q = x->p->pairs[i].place;
    next[q] = add(z[q], h * x->drifts[q], x->lost[q], &x->lost_next[q]);
  }
  return true;
}

static void end_kick(Verlet *x, double h, double *next) {
  for (uint32_t i = 0; i < x->p->pair_count; i++) {
    uint32_t v = x->p->pairs[i].speed;
    next[v] = add(next[v], 0.5 * h * x->f_next[v], x->rest[v], &x->lost_next[v]);
  }
}

// ---- constraints

// c for the next iteration, by what is missing at the end of this one. D is a right inverse of the Jacobian at y.
static bool correct_half(Verlet *x, double t, double h, const double *y, const double *next) {
  const OdeManifold *m = x->p->manifold;
  uint32_t count = m->count / 2;
  bool whole = true;
  if (!m->residues(x->p->self, t + h, next, x->residue)) return false;
  for (uint32_t k = 0; k < count; k++) {
    if (m->velocities[k]) whole = false;
    else x->c[count + k] -= x->residue[k] / h;
  }
  if (whole) return true;
  memcpy(x->middle, next, x->p->n * sizeof *next);
  for (uint32_t i = 0; i < x->p->pair_count; i++) {
    uint32_t q = x->p->pairs[i].place;
    x->middle[q] = 0.5 * (y[q] + next[q]);
  }
  if (!m->residues(x->p->self, t + 0.5 * h, x->middle, x->residue)) return false;
  for (uint32_t k = 0; k < count; k++) {
    if (m->velocities[k]) x->c[count + k] -= x->residue[count + k];
  }
  return true;
}

// Kicked velocities that lead onto the manifold. c of the step before is where this one starts: it changes little.
static bool drift_on_manifold(Verlet *x, double t, double h, const double *y, double *next) {
  double before = INFINITY;
  for (int i = 0; i < most_rounds; i++) {
    for (uint32_t k = 0; k < x->p->pair_count; k++) next[x->p->pairs[k].speed] = x->half[x->p->pairs[k].speed];
    if (!x->p->manifold->push(x->p->self, t, y, x->c, next)) break;
    double moved = drift(x, h, y, next);
    if (!isfinite(moved)) break;
    if (i && (moved == 0 || (moved >= 0.5 * before && moved < rounding))) return true;
    if (i > 3 && moved > before) break; // this does not converge
    if (!correct_half(x, t, h, y, next)) break;
    before = i ? moved : INFINITY;
  }
  memset(x->c, 0, x->p->manifold->count * sizeof *x->c);
  return false;
}

static bool speeds_on_manifold(Verlet *x, double t, double *next) {
  const OdeManifold *m = x->p->manifold;
  double before = INFINITY;
  for (int i = 0; i < speed_rounds; i++) { // once would do, but for rounding
    double most = 0;
    if (!m->residues(x->p->self, t, next, x->residue)) return false;
    for (uint32_t k = 0; k < m->count; k++) {
      x->residue[k] = k < m->count / 2 ? 0 : -x->residue[k];
      most = fmax(most, fabs(x->residue[k]));
    }
    if (most == 0 || most >= 0.5 * before) return true;
    if (!m->push(x->p->self, t, next, x->residue, next)) return false;
    before = most;
  }
  return true;
}

// ---- the step

static bool sum_up(Verlet *x, double t, double h, const double *y, double *next) {
  const OdeProblem *p = x->p;
  if (p->still) return true;
  if (!evaluate(x, t + h, next, x->f_next)) return false;
  for (uint32_t e = p->checked; e < p->n; e++)
    next[e] = add(y[e], 0.5 * h * (x->f[e] + x->f_next[e]), x->lost[e], &x->lost_next[e]);
  return true;
}

// From y, which is z where there are momenta.
static bool go(Verlet *x, double t, double h, const double *y, double *next) {
  const OdeProblem *p = x->p;
  if (!x->known && !evaluate(x, t, y, x->f)) return false;
  x->known = true;
  memcpy(x->lost_next, x->lost, p->n * sizeof *x->lost);
  kick(x, h, y);
  memcpy(next, x->half, p->n * sizeof *next);
  if (x->z && !drift_by_momenta(x, t, h, y, next)) return false;
  if (!x->z && !p->manifold) drift(x, h, y, next);
  if (p->manifold && !drift_on_manifold(x, t, h, y, next)) return false;
  if (!evaluate(x, t + h, next, x->f_next)) return false;
  end_kick(x, h, next);
  if (p->manifold && !speeds_on_manifold(x, t + h, next)) return false;
  return sum_up(x, t, h, y, next);
}

static bool verlet_step(void *self, double t, double h, const double *y, double *next) {
  Verlet *x = self;
  const OdeMomenta *momenta = x->p->momenta;
  if (!x->z) return go(x, t, h, y, next);
  if (!x->known) {
    memcpy(x->z, y, x->p->n * sizeof *y);
    if (!momenta->from_velocities(x->p->self, t, y, x->z)) return false;
  }
  if (!go(x, t, h, x->z, x->z_next)) return false;
  memcpy(next, x->z_next, x->p->n * sizeof *next);
  return momenta->to_velocities(x->p->self, t + h, x->z_next, next);
}

static void verlet_taken(void *self, bool moved) {
  Verlet *x = self;
  double *swap = x->f;
  x->f = x->f_next;
  x->f_next = swap;
  swap = x->lost;
  x->lost = x->lost_next;
  x->lost_next = swap;
  swap = x->z;
  x->z = x->z_next;
  x->z_next = swap;
  if (!moved || x->p->manifold) return; // it lay on the manifold: what moved it there was rounding
  x->known = false;
  memset(x->lost, 0, x->p->n * sizeof *x->lost);
}

static void verlet_restart(void *self) {
  Verlet *x = self;
  x->known = false;
  memset(x->lost, 0, x->p->n * sizeof *x->lost);
}

OdeStepper ode_verlet_new(Arena *arena, const OdeProblem *p, OdeResult *counts) {
  Verlet *x = arena_new_of(arena, Verlet);
  if (!x) return (OdeStepper){0};
  *x = (Verlet){.p = p, .counts = counts};
  double **rooms[] = {&x->lost, &x->lost_next, &x->f, &x->f_next, &x->half, &x->rest};
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) *rooms[i] = arena_array(arena, p->n, sizeof **rooms[i]);
  if (p->momenta) {
    x->z = arena_array(arena, p->n, sizeof *x->z);
    x->z_next = arena_array(arena, p->n, sizeof *x->z_next);
    x->drifts = arena_array(arena, p->n, sizeof *x->drifts);
  }
  if (p->manifold) {
    x->c = arena_array(arena, p->manifold->count, sizeof *x->c);
    x->residue = arena_array(arena, p->manifold->count, sizeof *x->residue);
    x->middle = arena_array(arena, p->n, sizeof *x->middle);
  }
  if (arena_failed(arena)) return (OdeStepper){0};
  return (OdeStepper){x, verlet_step, verlet_taken, verlet_restart, counts, true};
}
