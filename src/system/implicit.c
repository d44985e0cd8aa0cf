// Implicit equations: g(z) = 0 for several unknowns together, by Newton's method.
//
// in    unknowns z, residuals g in them (and in what is known)
// out   a block with dg/dz; the same with variables of their own for the body of the kernel; a held variable for each
//       unknown: its last solution, from which the next one starts
#include "system/implicit.h"

#include "expr/calculus.h"

bool implicit_derive(System *s, Block *b) {
  ExprPool *pool = s->pool;
  uint32_t k = b->count, total = k + k * k;
  ExprId *column = arena_array(s->arena, k, sizeof *column), *roots = arena_array(s->arena, total, sizeof *roots);
  ExprId *m = roots ? roots + k : NULL; // all of the matrix
  b->body = arena_array(s->arena, total, sizeof *b->body);
  if (arena_failed(s->arena)) return false;
  for (uint32_t j = 0; j < k; j++) {
    if (!expr_diff_all(pool, b->rhs, k, b->unknowns[j], column)) return false;
    for (uint32_t i = 0; i < k; i++) m[i * k + j] = column[i];
  }
  ArenaMark mark = arena_mark(pool->scratch); // there may be thousands of blocks
  SymbolMap map = symbol_map_in(pool->scratch);
  for (uint32_t i = 0; i < k; i++) {
    symbol_map_set(&map, b->unknowns[i], expr_sym(pool, b->bound[i]));
    roots[i] = b->rhs[i];
  }
  bool ok = block_from_dense(s->arena, pool, b, m) && map.of && expr_replace(pool, &map, roots, total, b->body);
  arena_release(pool->scratch, mark);
  return ok;
}

bool implicit_guessed(System *s, Block *b) {
  ExprPool *pool = s->pool;
  b->implicit = true;
  b->symmetric = false;
  b->bound = arena_array(s->arena, b->count, sizeof *b->bound);
  if (!b->bound) return false;
  for (uint32_t i = 0; i < b->count; i++) {
    b->bound[i] = pool_symbol(pool, pool_symbol_get(pool, b->unknowns[i])->name, sym_bound, bound_outermost, 0);
    if (!b->bound[i] || !b->guesses[i]) return false;
  }
  return implicit_derive(s, b);
}

bool implicit_block(System *s, Block *b, const ExprId *starts) {
  ExprPool *pool = s->pool;
  b->guesses = arena_array(s->arena, b->count, sizeof *b->guesses);
  if (!b->guesses) return false;
  for (uint32_t i = 0; i < b->count; i++) {
    const char *name = pool_symbol_get(pool, b->unknowns[i])->name;
    b->guesses[i] = pool_symbol(pool, arena_printf(s->arena, "%s before", name), sym_held, 0, 0);
    if (!b->guesses[i] || !vec_push(s->arena, &s->held, (Held){b->guesses[i], b->unknowns[i], starts[i]})) return false;
  }
  return implicit_guessed(s, b);
}
