// Held variables of a run: the last solution of its implicit equations (algebraic loops), from which the next Newton
// iteration starts. A step does not change them. A part of motion.h.
//
// At the start Newton's method begins at the guess of the model; where it does not converge, at a few plain numbers.
#include "sim/motion.h"

#include <string.h>

void run_put_held(const Run *r, const Tape *t, double *w) {
  uint32_t k = r->p->s.held.count; // those of events come behind them
  if (t->held_count && k) memcpy(tape_vars(t, w) + t->var_count - t->held_count, r->held, k * sizeof *w);
}

// The solution at (t, y), from what is held now. False: none was found.
static bool solve_at(Run *r, double t, const double *y) {
  const Tape *tape = r->p->held;
  uint32_t k = r->p->s.held.count;
  double *var = tape_vars(tape, r->hw);
  run_put_held(r, tape, r->hw);
  var[0] = t;
  memcpy(var + 1, y, r->p->y.count * sizeof *y);
  tape_eval(tape, r->hw);
  for (uint32_t i = 0; i < k; i++) {
    if (!isfinite(tape_result(tape, r->hw, i))) return false;
  }
  for (uint32_t i = 0; i < k; i++) r->held[i] = tape_result(tape, r->hw, i);
  return true;
}

void run_accept(void *self, double t, const double *y) {
  Run *r = self;
  if (!solve_at(r, t, y)) return; // the next evaluation fails, and says where
  run_put_held(r, r->p->f, r->fw);
  run_put_held(r, r->p->rows, r->rw);
  if (r->p->measures) run_put_held(r, r->p->measures->tape, r->measures.w);
  if (r->j) run_put_held(r, r->j->tape, r->jw);
  if (r->p->momenta) run_put_held(r, r->p->momenta->rates, r->momenta.rates);
}

bool run_start_held(Run *r, double t, const double *y) {
  static const double tries[] = {NAN, 0, 1, -1, 0.1, -0.1, 10, -10}; // NAN: as the model says
  uint32_t k = r->p->s.held.count;
  if (k == 0) return true;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    for (uint32_t j = 0; j < k; j++) r->held[j] = i ? tries[i] : r->held_start[j];
    if (!solve_at(r, t, y)) continue;
    run_accept(r, t, y);
    return true;
  }
  // as the model says, so that the failure is found there
  memcpy(r->held, r->held_start, k * sizeof *r->held);
  run_put_held(r, r->p->f, r->fw);
  return false;
}
