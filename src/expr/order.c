// Reading order of terms and factors in print. It comes from what a term holds, never from ids, so a text is stable and
// reads like a book's: numbers, parameters, functions, coordinates, velocities, accelerations.
#include "expr/print.h"

#include <stdlib.h>

// How a factor ranks inside a product, and what it adds to the rank of its term.
static uint64_t factor_rank(const ExprPool *pool, ExprId base) {
  SymbolId s = expr_symbol(pool, base);
  if (s) {
    const Symbol *symbol = pool_symbol_get(pool, s);
    uint64_t index = (uint64_t)symbol->index << 8 | symbol->order;
    switch (symbol->kind) {
    case sym_param: return 1ull << 40 | index;
    case sym_input:
    case sym_input_rate:
    case sym_signal: return 5ull << 40 | index;
    case sym_coord:
    case sym_state:
    case sym_bound:
    case sym_time: return 6ull << 40 | index;
    case sym_velocity:
    case sym_state_rate: return 7ull << 40 | index;
    case sym_friction: return 9ull << 40 | index;
    case sym_mode: return 10ull << 40 | index;
    default: return 8ull << 40 | index;
    }
  }
  ExprOp op = expr_op(pool, base);
  if (op == op_num) return 0;
  if (op == op_pi) return 1;
  if (op == op_add) return 2ull << 40;
  return 3ull << 40 | (uint64_t)op;
}

typedef struct Ranked {
  const ExprPool *pool;
  uint64_t group, rank;
  ExprId id;
  uint32_t place;
} Ranked;

// An order by structure: symbols as declared, then functions by their arguments.
static int by_structure(const ExprPool *pool, ExprId a, ExprId b, int depth) {
  if (a == b || depth > 40) return 0;
  uint64_t ra = factor_rank(pool, a), rb = factor_rank(pool, b);
  if (ra != rb) return ra < rb ? -1 : 1;
  Rat x, y;
  if (expr_number(pool, a, &x) && expr_number(pool, b, &y)) return rat_compare(x, y);
  const ExprNode *na = pool_node(pool, a), *nb = pool_node(pool, b);
  if (na->op != nb->op) return na->op < nb->op ? -1 : 1;
  if (na->op == op_num || na->op == op_sym) return (a > b) - (a < b);
  if (na->count != nb->count) return na->count < nb->count ? -1 : 1;
  for (uint32_t i = 0; i < na->count; i++) {
    int order = by_structure(pool, pool_args(pool, a)[i], pool_args(pool, b)[i], depth + 1);
    if (order) return order;
  }
  return 0;
}

static int by_rank(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  int order = by_structure(x->pool, x->id, y->id, 0);
  return order ? order : (x->place > y->place) - (x->place < y->place);
}

// Accelerations first (by coordinate), then products of velocities, then other terms by their functions.
static Ranked term_rank(const ExprPool *pool, ExprId term, uint32_t place) {
  Ranked r = {.pool = pool, .group = 4, .place = place, .id = term};
  uint32_t count = expr_factor_count(pool, term);
  for (uint32_t i = 0; i < count; i++) {
    SymbolId s = expr_symbol(pool, expr_factor(pool, term, i).base);
    if (!s) continue;
    const Symbol *symbol = pool_symbol_get(pool, s);
    uint64_t group = symbol->kind == sym_acceleration                                 ? 0
                     : symbol->kind == sym_velocity || symbol->kind == sym_state_rate ? 1
                     : symbol->kind == sym_coord || symbol->kind == sym_state         ? 2
                     : symbol->kind == sym_input || symbol->kind == sym_input_rate    ? 5
                                                                                      : 4;
    if (group < r.group) {
      r.group = group;
      r.rank = symbol->index;
    } else if (group == 5 && r.group == 4) {
      r.group = 5;
      r.rank = symbol->index;
    }
  }
  if (count == 0) r.group = 6;
  return r;
}

uint32_t *expr_factor_order(ExprPool *pool, ExprId term) {
  uint32_t n = expr_factor_count(pool, term);
  Ranked *ranked = arena_array(pool->scratch, n, sizeof *ranked);
  uint32_t *order = arena_array(pool->scratch, n, sizeof *order);
  if (!ranked || !order) return NULL;
  for (uint32_t i = 0; i < n; i++) {
    ExprId base = expr_factor(pool, term, i).base;
    ranked[i] = (Ranked){.pool = pool, .rank = factor_rank(pool, base), .id = base, .place = i};
  }
  qsort(ranked, n, sizeof *ranked, by_rank);
  for (uint32_t i = 0; i < n; i++) order[i] = ranked[i].place;
  return order;
}

Term *expr_display_terms(ExprPool *pool, ExprId id, uint32_t *count) {
  uint32_t n = expr_term_count(pool, id);
  Ranked *ranked = arena_array(pool->scratch, n, sizeof *ranked);
  Term *terms = arena_array(pool->scratch, n, sizeof *terms);
  if (!ranked || !terms) return NULL;
  for (uint32_t i = 0; i < n; i++) ranked[i] = term_rank(pool, expr_term(pool, id, i).term, i);
  qsort(ranked, n, sizeof *ranked, by_rank);
  for (uint32_t i = 0; i < n; i++) terms[i] = expr_term(pool, id, ranked[i].place);
  *count = n;
  return terms;
}
