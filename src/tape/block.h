// Choice of the linear solver (kernel) for a block of unknowns, M x + h = 0.
#ifndef VIVA_TAPE_BLOCK_H
#define VIVA_TAPE_BLOCK_H

#include "tape/tape.h"

typedef struct TapeBlock {
  const TapeKernel *kernel;
  const void *data;
  uint32_t entries;    // operands that are entries of M; behind them stand the right-hand sides
  const uint32_t *row; // of each
  const ExprId *value; // of each
} TapeBlock;

// columns: number of right-hand sides. work: scratch memory of the call; dependent: as System.dependent; large: as in
// TapeRequest. NULL: out of memory.
const TapeBlock *tape_block(Arena *arena, Arena *work, const ExprPool *pool, const Block *block, uint32_t columns,
                            bool dependent, TapeSolve *large);

#endif
