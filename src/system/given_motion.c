// Inverse dynamics: the trajectory is given. See given_motion.h.
#include "system/given_motion.h"

static bool is_motion(const System *s, SymbolId symbol) {
  const Symbol *x = pool_symbol_get(s->pool, symbol);
  if (x->kind == sym_coord || x->kind == sym_velocity || x->kind == sym_acceleration) return true;
  // of a ball the velocities are states
  for (uint32_t i = 0; i < s->states.count; i++) {
    if (s->states.items[i].rate == symbol) return s->states.items[i].role == state_velocity;
  }
  return false;
}

static bool computes_motion(const System *s, const SystemStep *step) {
  const SymbolId *results = NULL;
  uint32_t count = 1;
  switch (step->kind) {
  case step_define: results = &s->definitions.items[step->index].symbol; break;
  case step_solve:
    results = s->blocks.items[step->index].unknowns;
    count = s->blocks.items[step->index].count;
    break;
  case step_call:
    results = s->calls.items[step->index].results;
    count = s->calls.items[step->index].result_count;
    break;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (is_motion(s, results[i])) return true;
  }
  return false;
}

bool system_give_motion(System *s) {
  SystemStepList kept = {0};
  for (uint32_t i = 0; i < s->steps.count; i++) {
    if (computes_motion(s, &s->steps.items[i])) continue;
    if (!vec_push(s->arena, &kept, s->steps.items[i])) return false;
  }
  s->steps = kept;
  return true;
}
