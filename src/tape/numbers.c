// Values of parameters: a tape that computes them from their definitions, run once.
#include "tape/numbers.h"

#include "tape/tape.h"

bool tape_numbers(Arena *arena, const System *system, const ExprId *wanted, uint32_t count, double *out) {
  if (count == 0) return true;
  System own;
  ExprPool pool;
  if (!system_clone(&own, system, &pool, arena)) return false;
  const Tape *t = tape_build(
      arena, &(TapeRequest){.system = &own, .results = wanted, .result_count = count, .params_by_value = true});
  double *w = t ? arena_array(arena, t->slot_count, sizeof *w) : NULL;
  if (!w) return false;
  tape_prepare(t, w);
  tape_eval(t, w);
  for (uint32_t i = 0; i < count; i++) out[i] = tape_result(t, w, i);
  return true;
}
