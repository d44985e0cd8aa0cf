// The method of Stoermer and Verlet: kick, drift, kick. A part of stepper.h.
//
//   v+ = v + h/2 a(t, q),   q1 = q + h v+,   v1 = v+ + h/2 a(t + h, q1)
//
// Accelerations depend on places and time alone (whoever asks for it has proved that), so one evaluation a step does:
// that at its end serves the next one. Quadratures are summed by the trapezoidal rule and need the velocity at the end,
// a second evaluation. All sums are compensated: what rounding takes from y is kept and added to the next step.
#include "solve/stepper.h"

#include <string.h>

typedef struct Verlet {
  const OdeProblem *p;
  OdeResult *counts;
  double *lost, *lost_next; // of y
  double *f, *f_next;       // rates at the ends of the step
  double *half;             // y with the velocities of its middle
  bool known;               // f is that of the state
} Verlet;

// to = from + d, with what rounding took from both.
static double add(double from, double d, double lost, double *rest) {
  double sum = d + lost, to = from + sum, part = to - from;
  *rest = (from - (to - part)) + (sum - part);
  return to;
}

static bool evaluate(Verlet *x, double t, const double *y, double *f) {
  x->counts->evaluations++;
  return x->p->f(x->p->self, t, y, f);
}

static bool verlet_step(void *self, double t, double h, const double *y, double *next) {
  Verlet *x = self;
  const OdeProblem *p = x->p;
  if (!x->known && !evaluate(x, t, y, x->f)) return false;
  x->known = true;
  memcpy(next, y, p->n * sizeof *next);
  memcpy(x->lost_next, x->lost, p->n * sizeof *x->lost);
  for (uint32_t i = 0; i < p->pair_count; i++) {
    OdePair k = p->pairs[i];
    double rest;
    x->half[k.speed] = add(y[k.speed], 0.5 * h * x->f[k.speed], x->lost[k.speed], &rest);
    next[k.place] = add(y[k.place], h * (x->half[k.speed] + rest), x->lost[k.place], &x->lost_next[k.place]);
    next[k.speed] = x->half[k.speed];
    x->lost_next[k.speed] = rest;
  }
  if (!evaluate(x, t + h, next, x->f_next)) return false;
  for (uint32_t i = 0; i < p->pair_count; i++) {
    uint32_t v = p->pairs[i].speed;
    next[v] = add(next[v], 0.5 * h * x->f_next[v], x->lost_next[v], &x->lost_next[v]);
  }
  if (p->still) return true;
  if (!evaluate(x, t + h, next, x->f_next)) return false;
  for (uint32_t e = p->checked; e < p->n; e++)
    next[e] = add(y[e], 0.5 * h * (x->f[e] + x->f_next[e]), x->lost[e], &x->lost_next[e]);
  return true;
}

static void verlet_taken(void *self, bool moved) {
  Verlet *x = self;
  double *swap = x->f;
  x->f = x->f_next;
  x->f_next = swap;
  swap = x->lost;
  x->lost = x->lost_next;
  x->lost_next = swap;
  if (!moved) return;
  x->known = false;
  memset(x->lost, 0, x->p->n * sizeof *x->lost);
}

static void verlet_anew(void *self) {
  Verlet *x = self;
  x->known = false;
  memset(x->lost, 0, x->p->n * sizeof *x->lost);
}

OdeStepper ode_verlet_new(Arena *arena, const OdeProblem *p, OdeResult *counts) {
  Verlet *x = arena_new_of(arena, Verlet);
  if (!x) return (OdeStepper){0};
  *x = (Verlet){.p = p, .counts = counts};
  double **rooms[] = {&x->lost, &x->lost_next, &x->f, &x->f_next, &x->half};
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) *rooms[i] = arena_array(arena, p->n, sizeof **rooms[i]);
  if (arena_failed(arena)) return (OdeStepper){0};
  return (OdeStepper){x, verlet_step, verlet_taken, verlet_anew, counts};
}
