// Variables that stay as they are within a step: the last solution of implicit equations, from which the next one
// starts.
#include "sim/runner.h"

#include <math.h>
#include <string.h>

uint32_t run_put_held(const Runner *x, SymbolId *vars, uint32_t count) {
  for (uint32_t i = 0; i < x->s.held.count; i++) vars[count++] = x->s.held.items[i].symbol;
  return count;
}

void run_set_held(const Runner *x, const Tape *t, double *w) {
  uint32_t k = x->s.held.count; // those of events come behind them
  if (t && w && t->held_count && k) memcpy(tape_vars(t, w) + t->var_count - t->held_count, x->held, k * sizeof *w);
}

bool run_build_held(Runner *x) {
  uint32_t k = x->s.held.count;
  if (k == 0) return true;
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + k + 1, sizeof *vars);
  ExprId *results = arena_array(x->arena, k, sizeof *results);
  if (!vars || !results) return false;
  for (uint32_t i = 0; i < k; i++) results[i] = expr_sym(&x->pool, x->s.held.items[i].of);
  uint32_t count = run_put_held(x, vars, run_put_vars(x, vars));
  x->ahead = tape_build(x->arena, &(TapeWish){.system = &x->s,
                                              .vars = vars,
                                              .var_count = count,
                                              .held_count = k,
                                              .results = results,
                                              .result_count = k,
                                              .large = x->large});
  return x->ahead != NULL;
}

// The solution at (t, y), from what is held now. False: none was found.
static bool solve_at(Runner *x, double t, const double *y) {
  double *var = tape_vars(x->ahead, x->aw);
  run_set_held(x, x->ahead, x->aw);
  var[0] = t;
  memcpy(var + 1, y, x->dim * sizeof *y);
  tape_eval(x->ahead, x->aw);
  for (uint32_t i = 0; i < x->s.held.count; i++) {
    if (!isfinite(tape_result(x->ahead, x->aw, i))) return false;
  }
  for (uint32_t i = 0; i < x->s.held.count; i++) x->held[i] = tape_result(x->ahead, x->aw, i);
  return true;
}

void run_accept(void *self, double t, const double *y) {
  Runner *x = self;
  if (!solve_at(x, t, y)) return; // the next evaluation fails, and says where
  run_set_held(x, x->f, x->fw);
  run_set_held(x, x->rows, x->rw);
  if (x->j) run_set_held(x, x->j->tape, x->jw);
}

bool run_start_held(Runner *x, double t, const double *y) {
  static const double tries[] = {NAN, 0, 1, -1, 0.1, -0.1, 10, -10};
  uint32_t k = x->s.held.count;
  if (k == 0) return true;
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    for (uint32_t j = 0; j < k; j++) x->held[j] = i ? tries[i] : x->held_start[j];
    if (!solve_at(x, t, y)) continue;
    run_accept(x, t, y);
    return true;
  }
  // as the model says, so that the failure is found there
  memcpy(x->held, x->held_start, k * sizeof *x->held);
  run_set_held(x, x->f, x->fw);
  return false;
}
