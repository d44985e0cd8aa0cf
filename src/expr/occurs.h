// Which of a set of symbols occur in an expression.
#ifndef VIVA_EXPR_OCCURS_H
#define VIVA_EXPR_OCCURS_H

#include "expr/calculus.h"

// A set of symbols with their indices in a list, made once for many questions.
typedef struct SymbolIndex {
  const SymbolId *symbols;
  uint32_t count;
  uint32_t *place; // by symbol: plus one
  uint32_t known;  // symbols of the pool then
} SymbolIndex;

bool symbol_index(Arena *arena, const ExprPool *pool, const SymbolId *symbols, uint32_t count, SymbolIndex *out);
// The indices of those that occur in an expression, ascending, in the pool's scratch memory until the next call that
// uses it. NULL: out of memory.
const uint32_t *symbol_index_in(ExprPool *pool, const SymbolIndex *index, ExprId root, uint32_t *count);

// Does an operation stand in it?
bool expr_has_op(ExprPool *pool, ExprId root, ExprOp op);

// How many symbols, numbers and functions stand in the expressions when they are written out, shared parts each time.
uint64_t expr_written_size(ExprPool *pool, const ExprId *roots, uint32_t count);

#endif
