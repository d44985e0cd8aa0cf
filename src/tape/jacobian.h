// Exact sparse Jacobian of the right-hand side y' of a system, as a tape.
// parts: jacobian_forward.c
#ifndef VIVA_TAPE_JACOBIAN_H
#define VIVA_TAPE_JACOBIAN_H

#include "tape/tape.h"

// Entries that are not identically zero, column by column: entry k of column c, start[c] <= k < start[c + 1], stands in
// row[k] and is result k of the tape. Variables of the tape: t, q, v, x.
typedef struct TapeJacobian {
  const Tape *tape;
  uint32_t columns; // q, v, x and, as the last one, t
  uint32_t rows;    // q', v', x', then `more`
  uint32_t *start, *row;
  uint32_t count;
} TapeJacobian;

// Shall it stop? Asked between columns; `stop` may be NULL.
typedef struct TapeAsk {
  void *self;
  bool (*stop)(void *self);
} TapeAsk;

// d(q', v', x', more)/d(q, v, x, t). large: as in TapeRequest. Adds expressions and symbols to the pool of the system.
// NULL: out of memory, or it was asked to stop.
const TapeJacobian *tape_jacobian(Arena *arena, System *s, const ExprId *more, uint32_t more_count, TapeSolve *large);
const TapeJacobian *tape_jacobian_asked(Arena *arena, System *s, const ExprId *more, uint32_t more_count,
                                        TapeSolve *large, TapeAsk ask);

// The same in numbers: a tape that is one call, which takes forward mode through the tape of the rates. For calls of
// kernels whose results all depend on each other, where every entry would be an expression.
bool tape_jacobian_prefers_forward(const System *s);
const TapeJacobian *tape_jacobian_forward(Arena *arena, System *s, const ExprId *more, uint32_t more_count,
                                          TapeSolve *large);

#endif
