// Which kernel solves a block of unknowns.
#include "tape/block.h"

#include "tape/kernels.h"

// The lower triangle (or all) row by row.
static bool list_dense(Arena *arena, const Block *block, TapeBlock *plan) {
  uint32_t k = block->count;
  uint32_t *cell = arena_array(arena, (size_t)k * k, sizeof *cell);
  for (uint32_t i = 0; cell && i < k; i++) {
    for (uint32_t j = 0; j < (block->symmetric ? i + 1 : k); j++) cell[plan->entries++] = i * k + j;
  }
  plan->cell = cell;
  return cell != NULL;
}

const TapeBlock *tape_block(Arena *arena, const ExprPool *pool, const Block *block, uint32_t columns,
                            TapeSolve *large) {
  TapeBlock *plan = arena_new_of(arena, TapeBlock);
  KernelSolve *data = arena_new_of(arena, KernelSolve);
  (void)pool;
  if (!plan || !data || !list_dense(arena, block, plan)) return NULL;
  *data = (KernelSolve){.size = block->count,
                        .more = columns - 1,
                        .symmetric = block->symmetric,
                        .large = block->count >= tape_large_size ? large : NULL};
  plan->kernel = &kernel_solve;
  plan->data = data;
  return plan;
}
