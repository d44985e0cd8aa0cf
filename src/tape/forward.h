// Forward-mode automatic differentiation: derivatives of a tape's results in numbers, without a tape of their own.
#ifndef VIVA_TAPE_FORWARD_H
#define VIVA_TAPE_FORWARD_H

#include "tape/tape.h"

// Has every kernel derivatives in numbers? The functions that differentiate below are for such tapes alone, but for
// tape_along.
bool tape_forward_knows(const Tape *tape);

// Is it worth more than the tape of the derivatives (jacobian.h)? Where a large full matrix is solved with: there every
// rate depends on everything, so a derivative in expressions takes the third power of the unknowns in steps of building
// them, and here in multiplications. False as well where a kernel has no rates in numbers.
bool tape_forward_pays(const Tape *tape);

// slopes[i * count + k] = d(result i)/d(variable first + k), at the variables in w, whose parameters are prepared.
// False: out of memory.
bool tape_forward(Arena *arena, const Tape *tape, double *w, uint32_t first, uint32_t count, double *slopes);

// The same in memory of the caller, `room`: tape_forward_room doubles.
size_t tape_forward_room(const Tape *tape);
void tape_forward_in(const Tape *tape, double *w, uint32_t first, uint32_t count, double *slopes, double *room);

// Rates of all results along directions that the caller gives, of parameters too: for sensitivities of a trajectory.
// What follows from parameters alone is followed once (tape_along_params), and kept in the room from call to call.
typedef struct TapeAlong {
  const Tape *tape;
  uint32_t count; // directions, tape_directions at most
  double *room;
  bool *moves; // by slot, behind the prologue
} TapeAlong;
bool tape_along_init(TapeAlong *a, Arena *arena, const Tape *tape, uint32_t count); // false: out of memory
// rates[parameter * count + direction]. w: its parameters are set; it is prepared here. Variables that are parameters
// may stand in the prologue as well: more are the rates of all of them; NULL: there are none.
void tape_along_params(TapeAlong *a, double *w, const double *rates, const double *more);
// rates[variable * count + direction] of the first `variables` variables; other rates are 0. The variables in w are
// set; values are left there as tape_eval leaves them. slopes[result * count + direction], NAN where a kernel on the
// way has no rates in numbers.
void tape_along(TapeAlong *a, double *w, const double *rates, uint32_t variables, double *slopes);

// The variables that the results from .. to - 1 are computed from: reads[variable].
bool tape_reads(Arena *arena, const Tape *tape, uint32_t from, uint32_t to, bool *reads);

#endif
