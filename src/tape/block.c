// Choice of the linear solver (kernel) for a block of unknowns, M x + h = 0.
//
//   kkt     M is symmetric and a diagonal entry is identically zero: it cannot be positive definite
//   sparse  M is large and elimination fills in little of it
//   solve   otherwise
#include "tape/block.h"

#include "tape/kernel_ldl.h"

// The lower triangle (or all) row by row.
static bool list_dense(Arena *work, const ExprPool *pool, const Block *block, TapeBlock *plan) {
  uint32_t k = block->count;
  const ExprId *m = block_dense(work, pool, block);
  uint32_t *row = arena_array(work, (size_t)k * k, sizeof *row);
  ExprId *value = arena_array(work, (size_t)k * k, sizeof *value);
  if (!m || !row || !value) return false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < (block->symmetric ? i + 1 : k); j++) {
      row[plan->entries] = i;
      value[plan->entries++] = m[i * k + j];
    }
  }
  plan->row = row;
  plan->value = value;
  return true;
}

static bool has_empty_diagonal(const ExprPool *pool, const Block *block) {
  for (uint32_t i = 0; i < block->count; i++) {
    if (expr_is_zero(pool, block_entry(pool, block, i, i))) return true;
  }
  return false;
}

// A sparse elimination costs at least so much more for each number that it touches: it reads where they stand.
enum { sparse_overhead = 4 };

// The entries that are not identically zero, where a sparse kernel pays.
static bool try_sparse(Arena *arena, Arena *work, const Block *block, uint32_t columns, bool dependent,
                       TapeBlock *plan) {
  uint64_t k = block->count, count = block_entries(block), cost;
  if (k < tape_large_size || count * sparse_overhead > k * k) return false;
  uint32_t *row = arena_array(work, (size_t)count + 1, sizeof *row);
  KernelCell *cells = arena_array(work, (size_t)count + 1, sizeof *cells);
  if (!row || !cells) return false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t e = block->matrix.start[i]; e < block->matrix.start[i + 1]; e++) {
      cells[e] = (KernelCell){i, block->matrix.column[e]};
      row[e] = i;
    }
  }
  plan->entries = (uint32_t)count;
  plan->row = row;
  plan->value = block->matrix.value;
  plan->kernel = &kernel_sparse;
  KernelSparse sparse = {(uint32_t)k, columns,         block->symmetric ? block->multipliers : 0,
                         cells,       (uint32_t)count, dependent};
  plan->data = kernel_sparse_plan(arena, work, &sparse, &cost);
  return plan->data && cost * sparse_overhead <= k * k * k / 3 + k * k * columns;
}

// The entries of the lower triangle that are not identically zero, for a solution without a choice of pivots.
static const viva_ldl *plan_definite(Arena *arena, Arena *work, const ExprPool *pool, const Block *block,
                                     const TapeBlock *plan) {
  KernelCell *cells = arena_array(work, (size_t)plan->entries + 1, sizeof *cells);
  uint32_t *operand = arena_array(work, (size_t)plan->entries + 1, sizeof *operand), count = 0;
  if (!block->multipliers || !cells || !operand) return NULL;
  for (uint32_t i = 0, e = 0; i < block->count; i++) {
    for (uint32_t j = 0; j <= i; j++, e++) {
      if (expr_is_zero(pool, plan->value[e])) continue;
      cells[count] = (KernelCell){i, j};
      operand[count++] = e;
    }
  }
  return kernel_ldl_plan(arena, work, block->count, block->multipliers, cells, operand, count);
}

const TapeBlock *tape_block(Arena *arena, Arena *work, const ExprPool *pool, const Block *block, uint32_t columns,
                            bool dependent, TapeSolve *large) {
  TapeBlock *plan = arena_new_of(arena, TapeBlock);
  if (!plan || try_sparse(arena, work, block, columns, dependent, plan)) return plan;
  *plan = (TapeBlock){0};
  if (!list_dense(work, pool, block, plan)) return NULL;
  if (block->symmetric && has_empty_diagonal(pool, block)) {
    KernelKkt *data = arena_new_of(arena, KernelKkt);
    if (data)
      *data = (KernelKkt){.size = block->count,
                          .columns = columns,
                          .multipliers = block->multipliers,
                          .ldl = dependent ? NULL : plan_definite(arena, work, pool, block, plan),
                          .dependent = dependent};
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
