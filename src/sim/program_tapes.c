// Tapes over the variables of a Program: t, y, what a caller adds, held ones. A part of program.h.
#include "sim/program.h"

#include "tape/frame.h"

static TapeFrame frame_of(const SimProgram *p, System *s) { return (TapeFrame){.system = s, .large = p->large}; }

const Tape *program_tape(Arena *arena, const SimProgram *p, System *s, const ExprId *results, uint32_t count,
                         bool origins) {
  TapeFrame f = frame_of(p, s);
  f.origins = origins;
  return frame_tape(arena, &f, results, count);
}

const Tape *program_tape_with(Arena *arena, const SimProgram *p, System *s, const ExprId *results, uint32_t count,
                              const SymbolId *more, uint32_t more_count) {
  TapeFrame f = frame_of(p, s);
  f.more = more;
  f.more_count = more_count;
  return frame_tape(arena, &f, results, count);
}

const Tape *program_rates_tape(const SimProgram *p, System *s, const ExprId *results, uint32_t count) {
  TapeFrame f = frame_of(p, s);
  f.known = p->specialized ? p->fixed : NULL;
  return frame_tape(p->arena, &f, results, count);
}
