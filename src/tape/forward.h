// Slopes of a tape's results in numbers, without a tape of their own: forward mode.
#ifndef VIVA_TAPE_FORWARD_H
#define VIVA_TAPE_FORWARD_H

#include "tape/tape.h"

// Is it worth more than the tape of the derivatives (jacobian.h)? Where a large full matrix is solved with: there every
// rate depends on everything, so a derivative in expressions takes the third power of the unknowns in steps of building
// them, and here in multiplications. False as well where a kernel has no rates in numbers.
bool tape_forward_pays(const Tape *tape);

// slopes[i * count + k] = d(result i)/d(variable first + k), at the variables in w, whose parameters are prepared.
// False: memory is out.
bool tape_forward(Arena *arena, const Tape *tape, double *w, uint32_t first, uint32_t count, double *slopes);

// The same in room of the caller: so many doubles.
size_t tape_forward_room(const Tape *tape);
void tape_forward_in(const Tape *tape, double *w, uint32_t first, uint32_t count, double *slopes, double *room);

// The variables that the results from .. to - 1 are computed from: reads[variable].
bool tape_reads(Arena *arena, const Tape *tape, uint32_t from, uint32_t to, bool *reads);

#endif
