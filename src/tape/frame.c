// Variables of tapes that are evaluated along a trajectory.
#include "tape/frame.h"

#include <string.h>

SymbolId *frame_variables(Arena *arena, const TapeFrame *f, uint32_t *count) {
  const System *s = f->system;
  uint32_t dim = system_dim(s), k = 0;
  SymbolId *vars = arena_array(arena, (size_t)dim + f->more_count + s->held.count + 1, sizeof *vars);
  if (!vars) return NULL;
  vars[k++] = s->time;
  for (uint32_t i = 0; i < dim; i++) vars[k++] = s->y.items[i].symbol;
  for (uint32_t i = 0; i < f->more_count; i++) vars[k++] = f->more[i];
  for (uint32_t i = 0; i < s->held.count; i++) vars[k++] = s->held.items[i].symbol;
  *count = k;
  return vars;
}

const Tape *frame_tape(Arena *arena, const TapeFrame *f, const ExprId *results, uint32_t count) {
  TapeRequest request = {.system = f->system,
                         .held_count = f->system->held.count,
                         .results = results,
                         .result_count = count,
                         .large = f->large,
                         .known = f->known,
                         .often = !f->origins,
                         .origins = f->origins};
  request.vars = frame_variables(arena, f, &request.var_count);
  return request.vars ? tape_build(arena, &request) : NULL;
}

double *frame_workspace(Arena *arena, const Tape *tape, const double *params) {
  double *w = tape ? arena_array(arena, tape->slot_count, sizeof *w) : NULL;
  if (!w) return NULL;
  memcpy(w, params, tape->param_count * sizeof *w);
  tape_prepare(tape, w);
  return w;
}
