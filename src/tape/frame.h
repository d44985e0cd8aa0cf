// Tapes that are evaluated along a trajectory of a system: which variables they have, and in which order.
//
//   t, the components of y (those that are computed leave their entry empty), what a caller adds, held variables
//   (System.held)
//
// Everything that is evaluated at a point of a trajectory uses this order: the Program of runs and exports
// (sim/program.h), the plan of events, a system at a point (rest/operating.h), the Jacobian.
#ifndef VIVA_TAPE_FRAME_H
#define VIVA_TAPE_FRAME_H

#include "tape/tape.h"

typedef struct TapeFrame {
  System *system;
  const SymbolId *more;
  uint32_t more_count;
  TapeSolve *large; // the rest as in TapeRequest
  const double *known;
  bool origins;
} TapeFrame;

// NULL: out of memory.
SymbolId *frame_variables(Arena *arena, const TapeFrame *frame, uint32_t *count);
const Tape *frame_tape(Arena *arena, const TapeFrame *frame, const ExprId *results, uint32_t count);
// A workspace whose parameters have these values, ready for its variables. NULL: out of memory, or there is no tape.
double *frame_workspace(Arena *arena, const Tape *tape, const double *params);

#endif
