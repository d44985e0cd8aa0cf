// Symmetric projection. See manifold.h.
#include "solve/manifold.h"

#include <string.h>

enum { most_rounds = 12 };

bool manifold_init(ManifoldStep *x, Arena *arena, const OdeProblem *p) {
  uint32_t count = p->manifold->count;
  *x = (ManifoldStep){.p = p};
  x->c = arena_array(arena, count, sizeof *x->c);
  x->next_c = arena_array(arena, count, sizeof *x->next_c);
  x->residue = arena_array(arena, count, sizeof *x->residue);
  x->start = arena_array(arena, p->n, sizeof *x->start);
  x->at = arena_array(arena, p->n, sizeof *x->at);
  return !arena_failed(arena);
}

// One round with the present c; the largest residue, NAN: none.
static double one_round(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, bool first,
                        double *next) {
  const OdeManifold *m = x->p->manifold;
  void *self = x->p->self;
  double most = 0;
  memcpy(x->start, y, x->p->n * sizeof *y);
  if (!m->push(self, t, y, x->c, x->start) || !method->step(method->self, t, h, x->start, next)) return NAN;
  if (first) memcpy(x->at, next, x->p->n * sizeof *next);
  if (!m->push(self, t + h, x->at, x->c, next) || !m->residues(self, t + h, next, x->residue)) return NAN;
  memcpy(x->at, next, x->p->n * sizeof *next);
  for (uint32_t k = 0; k < m->count; k++) {
    most = fmax(most, fabs(x->residue[k]));
    x->next_c[k] = x->c[k] - 0.5 * x->residue[k];
  }
  return most;
}

// c of the step before is where this one starts: it changes little.
bool manifold_step(ManifoldStep *x, const OdeStepper *method, double t, double h, const double *y, double *next) {
  double before = INFINITY;
  for (int i = 0; i < most_rounds; i++) {
    double most = one_round(x, method, t, h, y, i == 0, next);
    if (!isfinite(most)) {
      memset(x->c, 0, x->p->manifold->count * sizeof *x->c);
      return false;
    }
    if (most == 0 || (i && most >= 0.5 * before)) return true; // what is left is rounding, or not found this way
    before = most;
    memcpy(x->c, x->next_c, x->p->manifold->count * sizeof *x->c);
  }
  return true;
}
