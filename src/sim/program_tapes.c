// Tapes over the variables of a Program: t, y, what a caller adds, held ones. A part of program.h.
#include "sim/program.h"

size_t program_var_room(const Components *y, const System *s, uint32_t more_count) {
  return (size_t)y->count + s->held.count + more_count + 1;
}

uint32_t program_vars(const Components *y, const System *s, const SymbolId *more, uint32_t more_count, SymbolId *vars) {
  uint32_t k = 0;
  vars[k++] = s->time;
  for (uint32_t i = 0; i < y->count; i++) vars[k++] = s->y.items[i].symbol; // what is computed leaves its place empty
  for (uint32_t i = 0; i < more_count; i++) vars[k++] = more[i];
  for (uint32_t i = 0; i < s->held.count; i++) vars[k++] = s->held.items[i].symbol;
  return k;
}

typedef struct TapeExtra {
  const SymbolId *vars; // behind y
  uint32_t var_count;
  const double *known;
  bool origins;
} TapeExtra;

static const Tape *build(Arena *arena, const SimProgram *p, System *s, const ExprId *results, uint32_t count,
                         TapeExtra extra) {
  SymbolId *vars = arena_array(arena, program_var_room(&p->y, s, extra.var_count), sizeof *vars);
  if (!vars) return NULL;
  return tape_build(arena, &(TapeWish){.system = s,
                                       .vars = vars,
                                       .var_count = program_vars(&p->y, s, extra.vars, extra.var_count, vars),
                                       .held_count = s->held.count,
                                       .results = results,
                                       .result_count = count,
                                       .origins = extra.origins,
                                       .large = p->large,
                                       .known = extra.known});
}

const Tape *program_tape(Arena *arena, const SimProgram *p, System *s, const ExprId *results, uint32_t count,
                         bool origins) {
  return build(arena, p, s, results, count, (TapeExtra){.origins = origins});
}

const Tape *program_tape_with(Arena *arena, const SimProgram *p, System *s, const ExprId *results, uint32_t count,
                              const SymbolId *more, uint32_t more_count) {
  return build(arena, p, s, results, count, (TapeExtra){.vars = more, .var_count = more_count});
}

const Tape *program_rates_tape(const SimProgram *p, System *s, const ExprId *results, uint32_t count) {
  return build(p->arena, p, s, results, count, (TapeExtra){.known = p->specialized ? p->fixed : NULL});
}
