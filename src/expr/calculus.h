// Derivatives and substitution on the shared graph.
// parts: expand.c group.c
#ifndef VIVA_EXPR_CALCULUS_H
#define VIVA_EXPR_CALCULUS_H

#include "expr/pool.h"

// What each symbol's derivative (or replacement) is. Zero: constant (or stays as it is).
// A hash table: what it costs goes with its entries, not with the symbols of the pool, which may be a million.
typedef struct SymbolMap {
  Arena *arena;
  SymbolId *symbols; // by slot; 0: free
  ExprId *of;        // NULL: out of memory
  uint32_t size, used;
  uint64_t mask; // of the symbols that have an entry
} SymbolMap;

SymbolMap symbol_map_new(ExprPool *pool); // owned by the pool's arena
SymbolMap symbol_map_in(Arena *arena);    // owned by this one
void symbol_map_set(SymbolMap *map, SymbolId symbol, ExprId value);
ExprId symbol_map_get(const SymbolMap *map, SymbolId symbol); // 0: none
void symbol_map_clear(SymbolMap *map);                        // no entry any more
void symbol_map_unset(SymbolMap *map, SymbolId symbol);       // the mask keeps its bit

// Directional derivative of each root: sum over symbols of d(root)/d(symbol) * map(symbol). One pass for all roots.
// A noise signal has none: then *bad is set to its node (if bad is given) and its derivative counts as zero.
bool expr_derive(ExprPool *pool, const SymbolMap *map, const ExprId *roots, uint32_t count, ExprId *out, ExprId *bad);
ExprId expr_diff(ExprPool *pool, ExprId root, SymbolId symbol);
bool expr_diff_all(ExprPool *pool, const ExprId *roots, uint32_t count, SymbolId symbol, ExprId *out);

// d(root)/d(symbol) of many symbols: out[k] is that by symbols[k], each symbol once. The work goes with what is
// touched: a sum of n terms with a few symbols each takes about n steps, not n for each symbol.
bool expr_gradient(ExprPool *pool, ExprId root, const SymbolId *symbols, uint32_t count, ExprId *out);

// Replaces symbols by expressions, in all roots at once.
bool expr_replace(ExprPool *pool, const SymbolMap *map, const ExprId *roots, uint32_t count, ExprId *out);

// Products and whole powers of sums multiplied out, like terms collected, and where it is obvious
// sin^2 + cos^2 = 1, cos a cos b + sin a sin b = cos(a - b) and its sisters joined.
// When it would grow beyond `most` terms the expression is returned as it is.
ExprId expr_expand(ExprPool *pool, ExprId root, uint32_t most);
// The same, but what the filter keeps out stays as it is.
ExprId expr_expand_until(ExprPool *pool, ExprId root, uint32_t most, ExprFilter *enter, const void *context);

// Terms that differ only in parameters collected: a*m1*x + a*m2*x becomes a*(m1 + m2)*x. For reading.
ExprId expr_group(ExprPool *pool, ExprId id);

#endif
