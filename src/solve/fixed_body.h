// A step of a fixed-step explicit Runge-Kutta method, over one lane or eight (solve/vector.h).
//
//   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y+ = y + h sum_i b_i k_i
#ifndef VIVA_SOLVE_FIXED_BODY_H
#define VIVA_SOLVE_FIXED_BODY_H

#include "solve/fixed_table.h"
#include "solve/lanes.h"
#include "solve/vector.h"

#include <string.h>

enum { fixed_stages = 4 };

#if SOLVE_WIDTH == 1
typedef OdeProblem FixedProblem;
#else
typedef LaneProblem FixedProblem;
#endif

typedef struct FixedStep {
  const FixedProblem *p;
  const Tableau *m;
  uint32_t n;
  Lanes *y, *next, *z, *k[fixed_stages];
} FixedStep;

static inline bool fixed_init(FixedStep *x, Arena *arena, const FixedProblem *p, OdeMethod method) {
  *x = (FixedStep){.p = p, .m = ode_is_explicit(method) ? tableau_of(method) : NULL, .n = p->n};
  x->next = lanes_new(arena, x->n);
  if (!x->m) return !arena_failed(arena); // another method makes the steps
  x->z = lanes_new(arena, x->n);
  for (int i = 0; i < x->m->stages; i++) x->k[i] = lanes_new(arena, x->n);
  return !arena_failed(arena);
}

// Stage i at y, all lanes at the same time; returns the lanes that are finite.
static inline unsigned fixed_f(FixedStep *x, double t, const Lanes *y, Lanes *out) {
#if SOLVE_WIDTH == 1
  return x->p->f(x->p->self, t, y, out);
#else
  Lanes times = all(t);
  return x->p->f(x->p->self, every_lane, (const double *)&times, (const double *)y, (double *)out);
#endif
}

// From y at t to next; the stages at its end are taken at `end`. Returns the lanes that stayed finite.
static inline unsigned fixed_try(FixedStep *x, double t, double h, double end) {
  const Tableau *m = x->m;
  unsigned finite = fixed_f(x, t, x->y, x->k[0]);
  for (int i = 1; finite && i < m->stages; i++) {
    const Lanes *from = x->y; // the first term is added to y, the others to z
    for (int j = 0; j < i; j++) {
      double a = h * m->a[i][j];
      if (a == 0) continue;
      const Lanes *kj = x->k[j];
      for (uint32_t e = 0; e < x->n; e++) x->z[e] = from[e] + a * kj[e];
      from = x->z;
    }
    if (from == x->y) memcpy(x->z, x->y, x->n * sizeof *x->z);
    finite &= fixed_f(x, m->c[i] == 1 ? end : t + m->c[i] * h, x->z, x->k[i]);
  }
  for (uint32_t e = 0; finite && e < x->n; e++) {
    Lanes sum = all(0);
    for (int i = 0; i < m->stages; i++) sum += m->b[i] * x->k[i][e];
    x->next[e] = x->y[e] + h * sum;
  }
  return finite;
}

#endif
