// Which kernel solves a block of unknowns, M x + h = 0.
//
//   kkt     M is symmetric and a diagonal entry is identically zero: it cannot be positive definite
//   sparse  M is large and elimination fills in little of it
//   solve   otherwise
#include "tape/block.h"

#include "tape/kernels.h"

static bool is_zero(const ExprPool *pool, const Block *block, uint32_t i, uint32_t j) {
  return expr_is_zero(pool, block->matrix[i * block->count + j]);
}

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

static bool has_empty_diagonal(const ExprPool *pool, const Block *block) {
  for (uint32_t i = 0; i < block->count; i++) {
    if (is_zero(pool, block, i, i)) return true;
  }
  return false;
}

// A sparse elimination costs at least so much more for each number that it touches: it reads where they stand.
enum { sparse_overhead = 4 };

// The entries that are not identically zero, where a sparse kernel pays.
static bool try_sparse(Arena *arena, const ExprPool *pool, const Block *block, uint32_t columns, TapeBlock *plan) {
  uint64_t k = block->count, count = 0, work;
  if (k < tape_large_size) return false;
  for (uint32_t i = 0; i < k * k; i++) count += !expr_is_zero(pool, block->matrix[i]);
  if (count * sparse_overhead > k * k) return false;
  uint32_t *cell = arena_array(arena, (size_t)count + 1, sizeof *cell);
  KernelCell *cells = arena_array(arena, (size_t)count + 1, sizeof *cells);
  if (!cell || !cells) return false;
  plan->entries = 0;
  for (uint32_t i = 0; i < k * k; i++) {
    if (expr_is_zero(pool, block->matrix[i])) continue;
    cells[plan->entries] = (KernelCell){(uint32_t)(i / k), (uint32_t)(i % k)};
    cell[plan->entries++] = i;
  }
  plan->cell = cell;
  plan->kernel = &kernel_sparse;
  plan->data = kernel_sparse_plan(arena, (uint32_t)k, cells, (uint32_t)count, columns, &work);
  return plan->data && work * sparse_overhead <= k * k * k / 3 + k * k * columns;
}

const TapeBlock *tape_block(Arena *arena, const ExprPool *pool, const Block *block, uint32_t columns,
                            TapeSolve *large) {
  TapeBlock *plan = arena_new_of(arena, TapeBlock);
  if (!plan || try_sparse(arena, pool, block, columns, plan)) return plan;
  *plan = (TapeBlock){0};
  if (!list_dense(arena, block, plan)) return NULL;
  if (block->symmetric && has_empty_diagonal(pool, block)) {
    KernelKkt *data = arena_new_of(arena, KernelKkt);
    if (data) *data = (KernelKkt){.size = block->count, .columns = columns, .multipliers = block->multipliers};
    plan->kernel = &kernel_kkt;
    plan->data = data;
  } else {
    KernelSolve *data = arena_new_of(arena, KernelSolve);
    if (data)
      *data = (KernelSolve){.size = block->count,
                            .more = columns - 1,
                            .symmetric = block->symmetric,
                            .large = block->count >= tape_large_size ? large : NULL};
    plan->kernel = &kernel_solve;
    plan->data = data;
  }
  return plan->data ? plan : NULL;
}
