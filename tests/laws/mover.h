// One motion of a model from any place, and whether one step of it is a symplectic map.
#ifndef VIVA_TESTS_MOVER_H
#define VIVA_TESTS_MOVER_H

#include "tests/laws/one_run.h"

// One motion of a model, from any place.
typedef struct Mover {
  Loaded *l;
  Arena *arena;
  SimProgram *p;
  Run *r;
} Mover;

static inline Mover mover_new(const char *text, const char *method, double step, double to) {
  Mover m = {.l = load_text(text), .arena = arena_new()};
  Diags diags = {.arena = m.arena, .sources = &m.l->model.sources};
  RunSettings s = run_defaults();
  s.method = method;
  s.step = step;
  s.to = s.every = to;
  ProgramReport report;
  m.p = program_new(m.arena, &m.l->system, &(ProgramRequest){.settings = &s}, &diags, &report);
  assert_non_null(m.p);
  m.r = run_new(m.arena, m.p);
  return m;
}

static inline void mover_free(Mover *m) {
  program_free(m->p);
  arena_free(m->arena);
  unload(m->l);
}

// y: NULL: from the model's own start; becomes the end
static inline void mover_go(Mover *m, const double *start, double to, double *end, uint32_t n) {
  assert_true(run_reset(m->r, NULL, start));
  run_listen(m->r, (RunListener){.quiet = true});
  assert_int_equal(run_to(m->r, to).status, ode_done);
  memcpy(end, m->r->y, n * sizeof *end);
}

// How far J' Omega J is from Omega, J the derivative of one step of 0.1 in (q, p) by differences, two coordinates. z0:
// the place; the two functions turn (q, p) into (q, v) and back, NULL: v itself is taken for p.
static inline double off_omega(const char *text, const char *method, const double *z0, void (*to_velocities)(double *),
                               void (*to_momenta)(double *)) {
  const double h = 0.1, d = 1e-5;
  Mover m = mover_new(text, method, h, h);
  double J[4][4], worst = 0;
  for (int c = 0; c < 4; c++) {
    for (int side = 0; side < 2; side++) {
      double z[4];
      memcpy(z, z0, sizeof z);
      z[c] += side ? -d : d;
      if (to_velocities) to_velocities(z);
      mover_go(&m, z, h, z, 4);
      if (to_momenta) to_momenta(z);
      for (int i = 0; i < 4; i++) J[i][c] = side ? J[i][c] - z[i] / (2 * d) : z[i] / (2 * d);
    }
  }
  for (int a = 0; a < 4; a++) {
    for (int b = 0; b < 4; b++) {
      double sum = 0;
      for (int i = 0; i < 2; i++) sum += J[i][a] * J[i + 2][b] - J[i + 2][a] * J[i][b];
      worst = fmax(worst, fabs(sum - (b == a + 2) + (a == b + 2)));
    }
  }
  mover_free(&m);
  return worst;
}

#endif
