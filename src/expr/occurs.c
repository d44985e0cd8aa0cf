// Which of a set of symbols occur in an expression: one pass over its nodes, and a table of the indices of symbols.
#include "expr/occurs.h"

#include <stdlib.h>

bool symbol_index(Arena *arena, const ExprPool *pool, const SymbolId *symbols, uint32_t count, SymbolIndex *out) {
  *out = (SymbolIndex){.symbols = symbols, .count = count, .known = pool->symbols.count};
  out->place = arena_array(arena, (size_t)out->known + 1, sizeof *out->place);
  for (uint32_t i = 0; out->place && i < count; i++) out->place[symbols[i]] = i + 1;
  return out->place != NULL;
}

static uint32_t place_of(const ExprPool *pool, const SymbolIndex *index, ExprId id) {
  SymbolId symbol = expr_symbol(pool, id);
  return symbol && symbol < index->known ? index->place[symbol] : 0;
}

static int by_place(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

const uint32_t *symbol_index_in(ExprPool *pool, const SymbolIndex *index, ExprId root, uint32_t *count) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &root, 1, NULL, NULL, &length);
  uint32_t *places = list ? arena_array(pool->scratch, (size_t)length + 1, sizeof *places) : NULL;
  *count = 0;
  for (uint32_t i = 0; places && i < length; i++) {
    uint32_t place = place_of(pool, index, list[i]);
    if (place) places[(*count)++] = place - 1;
  }
  if (places && *count > 1) qsort(places, *count, sizeof *places, by_place);
  return places;
}

bool expr_has_op(ExprPool *pool, ExprId root, ExprOp op) {
  uint32_t length;
  const ExprId *list = root ? pool_reach(pool, &root, 1, NULL, NULL, &length) : NULL;
  for (uint32_t i = 0; list && i < length; i++) {
    if (expr_op(pool, list[i]) == op) return true;
  }
  return false;
}

uint64_t expr_written_size(ExprPool *pool, const ExprId *roots, uint32_t count) {
  static const uint64_t most = UINT64_MAX / 4; // sums of sizes stay below this: nobody asks for more
  uint32_t length;
  const ExprId *list = pool_reach(pool, roots, count, NULL, NULL, &length);
  uint64_t *size = list ? arena_array(pool->scratch, (size_t)length + 1, sizeof *size) : NULL, all = 0;
  for (uint32_t i = 0; size && i < length; i++) {
    const ExprNode *node = pool_node(pool, list[i]);
    size[i] = 1;
    if (node->op == op_num || node->op == op_sym) continue;
    for (uint32_t k = 0; k < node->count && size[i] < most; k++)
      size[i] += size[pool->slot[pool_args(pool, list[i])[k]]];
  }
  for (uint32_t i = 0; size && i < count && all < most; i++) all += size[pool->slot[roots[i]]];
  return size ? all : most;
}
