// The matrix of a block: most mechanisms couple an unknown with few others, so rows hold only what is there.
#include "system/block.h"

#include "expr/modular.h"

#include <string.h>

ExprId block_entry(const ExprPool *pool, const Block *b, uint32_t row, uint32_t column) {
  const BlockMatrix *m = &b->matrix;
  uint32_t low = m->start[row], end = m->start[row + 1], high = end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (m->column[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low < end && m->column[low] == column ? m->value[low] : pool->zero;
}

ExprId *block_dense(Arena *arena, const ExprPool *pool, const Block *b) {
  uint32_t n = b->count;
  ExprId *m = arena_array(arena, (size_t)n * n + 1, sizeof *m);
  for (size_t i = 0; m && i < (size_t)n * n; i++) m[i] = pool->zero;
  for (uint32_t i = 0; m && i < n; i++) {
    for (uint32_t k = b->matrix.start[i]; k < b->matrix.start[i + 1]; k++)
      m[(size_t)i * n + b->matrix.column[k]] = b->matrix.value[k];
  }
  return m;
}

static bool matrix_room(Arena *arena, uint32_t rows, uint32_t entries, BlockMatrix *m) {
  m->start = arena_array(arena, (size_t)rows + 1, sizeof *m->start);
  m->column = arena_array(arena, (size_t)entries + 1, sizeof *m->column);
  m->value = arena_array(arena, (size_t)entries + 1, sizeof *m->value);
  return m->start && m->column && m->value;
}

bool block_from_dense(Arena *arena, const ExprPool *pool, Block *b, const ExprId *m) {
  uint32_t n = b->count, count = 0;
  for (size_t i = 0; i < (size_t)n * n; i++) count += !expr_is_zero(pool, m[i]);
  if (!matrix_room(arena, n, count, &b->matrix)) return false;
  count = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      if (expr_is_zero(pool, m[(size_t)i * n + j])) continue;
      b->matrix.column[count] = j;
      b->matrix.value[count++] = m[(size_t)i * n + j];
    }
    b->matrix.start[i + 1] = count;
  }
  return true;
}

bool block_from_entries(Arena *arena, const ExprPool *pool, Block *b, const BlockMatrix *entries) {
  BlockMatrix out;
  uint32_t n = b->count, count = 0;
  if (!matrix_room(arena, n, entries->start[n], &out)) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = entries->start[i]; k < entries->start[i + 1]; k++) {
      if (expr_is_zero(pool, entries->value[k])) continue;
      uint32_t at = count++; // few are out of order
      for (; at > out.start[i] && out.column[at - 1] > entries->column[k]; at--) {
        out.column[at] = out.column[at - 1];
        out.value[at] = out.value[at - 1];
      }
      out.column[at] = entries->column[k];
      out.value[at] = entries->value[k];
    }
    out.start[i + 1] = count;
  }
  b->matrix = out;
  return true;
}

bool block_set_values(Arena *arena, const ExprPool *pool, Block *b, const ExprId *values) {
  BlockMatrix entries = b->matrix;
  ExprId *copy = arena_array(arena, (size_t)block_entries(b) + 1, sizeof *copy);
  if (!copy) return false;
  memcpy(copy, values, block_entries(b) * sizeof *copy);
  entries.value = copy;
  return block_from_entries(arena, pool, b, &entries);
}

bool block_is_symmetric(const ExprPool *pool, const Block *b) {
  for (uint32_t i = 0; i < b->count; i++) {
    for (uint32_t k = b->matrix.start[i]; k < b->matrix.start[i + 1]; k++) {
      if (block_entry(pool, b, b->matrix.column[k], i) != b->matrix.value[k]) return false;
    }
  }
  return true;
}

bool block_is_linear(ExprPool *pool, const Block *b) {
  for (uint32_t k = 0; k < block_entries(b); k++) {
    for (uint32_t j = 0; j < b->count; j++) {
      if (expr_depends(pool, b->matrix.value[k], b->unknowns[j])) return false;
    }
  }
  return true;
}

int block_rank(ExprPool *pool, const Block *b) {
  return expr_rank_sparse(pool, b->matrix.value, b->matrix.start, b->matrix.column, b->count);
}
