// The matrix of a block: most mechanisms couple an unknown with few others, so rows hold only what is there.
#include "system/block.h"

#include "expr/modular.h"

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

// One piece for all three lists: there may be very many small blocks.
static bool matrix_room(Arena *arena, uint32_t rows, uint32_t entries, BlockMatrix *m) {
  uint32_t *room = arena_array(arena, (size_t)rows + 1 + 2 * (size_t)entries, sizeof *room);
  *m = (BlockMatrix){room, room ? room + rows + 1 : NULL, room ? room + rows + 1 + entries : NULL};
  return room != NULL;
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

bool block_from_rows(Arena *arena, const ExprPool *pool, Block *b, const MassRow *rows, const uint32_t *member,
                     const uint32_t *place) {
  uint32_t entries = 0, count = 0;
  BlockMatrix *m = &b->matrix;
  for (uint32_t i = 0; i < b->count; i++) entries += rows[member[i]].count;
  if (!matrix_room(arena, b->count, entries, m)) return false;
  for (uint32_t i = 0; i < b->count; i++) {
    const MassRow *row = &rows[member[i]];
    for (uint32_t k = 0; k < row->count; k++) {
      uint32_t column = place[row->items[k].column], at = count;
      if (expr_is_zero(pool, row->items[k].value)) continue;
      for (; at > m->start[i] && m->column[at - 1] > column; at--) { // few are out of order
        m->column[at] = m->column[at - 1];
        m->value[at] = m->value[at - 1];
      }
      m->column[at] = column;
      m->value[at] = row->items[k].value;
      count++;
    }
    m->start[i + 1] = count;
  }
  return true;
}

bool block_set_values(Arena *arena, const ExprPool *pool, Block *b, const ExprId *values) {
  BlockMatrix m;
  uint32_t count = 0;
  if (!matrix_room(arena, b->count, block_entries(b), &m)) return false;
  for (uint32_t i = 0; i < b->count; i++) {
    for (uint32_t k = b->matrix.start[i]; k < b->matrix.start[i + 1]; k++) {
      if (expr_is_zero(pool, values[k])) continue;
      m.column[count] = b->matrix.column[k];
      m.value[count++] = values[k];
    }
    m.start[i + 1] = count;
  }
  b->matrix = m;
  return true;
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
