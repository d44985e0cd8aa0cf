// The exact Jacobian of the motion.
//
// in    M a + h = 0, x' = f, definitions of inputs, in the order of computation
// out   a tape of the entries of d(v, a, f, more)/d(q, v, x, t) that are not identically zero
//
// One direction y_k after the other, along the steps of the system: a definition is differentiated with the rates of
// what was computed before it; a block of accelerations (or of velocities without inertia) a gives
//   M da/dy_k + r_k = 0,   r_k = dh/dy_k + (dM/dy_k) a
// with `a` already found. All right-hand sides r_k of a block share one factorization of M. Kinks (abs,
// min, if) have the one-sided derivatives of ops.def, noise has none.
#include "tape/jacobian.h"

#include "expr/calculus.h"

#include <string.h>

// The directions of one block that have an effect.
typedef struct Sides {
  VEC(ExprId) r;
  VEC(SymbolId) symbols;
  uint32_t count;
} Sides;

typedef struct Work {
  Arena *arena;
  System *s;
  SymbolMap rate; // of each symbol in the present direction
  Sides *sides;   // one a step
  VEC(ExprId) entries;
  VEC(uint32_t) rows;
  uint32_t *start;
} Work;

// A single unknown needs no kernel: da = -r/M.
static bool derive_single(Work *w, const Block *block, ExprId r) {
  ExprPool *pool = w->s->pool;
  ExprId da = expr_neg(pool, expr_div(pool, r, block->matrix[0]));
  symbol_map_set(&w->rate, block->unknowns[0], da);
  return da != 0;
}

static bool derive_block(Work *w, uint32_t step, const Block *block) {
  System *s = w->s;
  ExprPool *pool = s->pool;
  uint32_t k = block->count, total = k * k + k;
  ArenaMark mark = arena_mark(pool->scratch);
  ExprId *roots = arena_array(pool->scratch, 2 * (size_t)total, sizeof *roots), *d = roots + total;
  Term *terms = arena_array(pool->scratch, (size_t)k + 1, sizeof *terms);
  ExprId *r = arena_array(pool->scratch, k, sizeof *r);
  bool ok = roots && terms && r, zero = true;
  for (uint32_t i = 0; ok && i < k; i++) {
    for (uint32_t j = 0; j < k; j++) roots[i * k + j] = block->matrix[i * k + j];
    roots[k * k + i] = block->rhs[i];
  }
  ok = ok && expr_derive(pool, &w->rate, roots, total, d, NULL);
  for (uint32_t i = 0; ok && i < k; i++) {
    uint32_t count = 0;
    terms[count++] = (Term){rat_int(1), d[k * k + i]};
    // of implicit equations the matrix is the derivative already
    for (uint32_t j = 0; j < k && !block->implicit; j++) {
      if (expr_is_zero(pool, d[i * k + j])) continue;
      terms[count++] = (Term){rat_int(1), expr_mul(pool, d[i * k + j], expr_sym(pool, block->unknowns[j]))};
    }
    r[i] = expr_sum(pool, terms, count);
    ok = r[i] != 0;
    zero = zero && expr_is_zero(pool, r[i]);
  }
  if (ok && !zero && k == 1) ok = derive_single(w, block, r[0]);
  for (uint32_t i = 0; ok && !zero && k > 1 && i < k; i++) {
    SymbolId symbol = pool_symbol(pool, "da/dy", sym_signal, 0, 0);
    ok = symbol && vec_push(w->arena, &w->sides[step].r, r[i]) && vec_push(w->arena, &w->sides[step].symbols, symbol);
    if (ok) symbol_map_set(&w->rate, block->unknowns[i], expr_sym(pool, symbol));
  }
  if (ok && !zero && k > 1) w->sides[step].count++;
  arena_release(pool->scratch, mark);
  return ok;
}

static bool derive_steps(Work *w) {
  System *s = w->s;
  for (uint32_t k = 0; k < s->steps.count; k++) {
    uint32_t index = s->steps.items[k].index;
    if (s->steps.items[k].solve) {
      if (!derive_block(w, k, &s->blocks.items[index])) return false;
      continue;
    }
    const Definition *def = &s->definitions.items[index];
    ExprId d;
    if (!expr_derive(s->pool, &w->rate, &def->value, 1, &d, NULL)) return false;
    if (!expr_is_zero(s->pool, d)) symbol_map_set(&w->rate, def->symbol, d);
  }
  return true;
}

static bool put_entry(Work *w, uint32_t row, ExprId value) {
  if (!value || expr_is_zero(w->s->pool, value)) return true;
  return vec_push(w->arena, &w->entries, value) && vec_push(w->arena, &w->rows, row);
}

// The rate of an expression; most are symbols.
static bool derive_rate(Work *w, ExprId value, ExprId *d) {
  SymbolId symbol = expr_symbol(w->s->pool, value);
  *d = symbol ? w->rate.of[symbol] : 0;
  return symbol || expr_derive(w->s->pool, &w->rate, &value, 1, d, NULL);
}

// One column: the rates of (y', more) when only `symbol` changes.
static bool derive_column(Work *w, SymbolId symbol, const ExprId *more, uint32_t more_count) {
  System *s = w->s;
  uint32_t dim = system_dim(s);
  memset(w->rate.of, 0, w->rate.count * sizeof *w->rate.of);
  w->rate.mask = 0;
  if (symbol) symbol_map_set(&w->rate, symbol, s->pool->one);
  if (!derive_steps(w)) return false;
  bool ok = true;
  for (uint32_t i = 0; ok && i < dim + more_count; i++) {
    ExprId value = i < dim ? s->y.items[i].rate : more[i - dim], d;
    ok = !value || (derive_rate(w, value, &d) && put_entry(w, i, d));
  }
  return ok;
}

static const TapeTangent *gather(Work *w, uint32_t *count) {
  uint32_t steps = w->s->steps.count;
  TapeTangent *list = arena_array(w->arena, steps, sizeof *list);
  *count = 0;
  for (uint32_t k = 0; list && k < steps; k++) {
    const Sides *x = &w->sides[k];
    if (x->count) list[(*count)++] = (TapeTangent){k, x->count, x->r.items, x->symbols.items};
  }
  return list;
}

const TapeJacobian *tape_jacobian_asked(Arena *arena, System *s, const ExprId *more, uint32_t more_count,
                                        TapeSolve *large, TapeAsk ask) {
  uint32_t dim = system_dim(s), columns = dim + 1, k = 0;
  TapeJacobian *j = arena_new_of(arena, TapeJacobian);
  Work work = {.arena = arena, .s = s, .rate = symbol_map_new(s->pool)}, *w = &work;
  w->sides = arena_array(arena, s->steps.count, sizeof *w->sides);
  w->start = arena_array(arena, (size_t)columns + 1, sizeof *w->start);
  SymbolId *vars = arena_array(arena, columns + s->held.count, sizeof *vars);
  if (!j || !w->rate.of || !w->sides || !w->start || !vars) return NULL;
  vars[k++] = s->time;
  // what is computed leaves its place empty
  for (uint32_t i = 0; i < dim; i++) vars[k++] = s->y.items[i].symbol;
  for (uint32_t i = 0; i < s->held.count; i++) vars[k++] = s->held.items[i].symbol;
  // time comes first among the variables and last among the columns
  for (uint32_t c = 0; c < columns; c++) {
    if (c % 16 == 0 && ask.stop && ask.stop(ask.self)) return NULL;
    if (!derive_column(w, c + 1 < columns ? vars[c + 1] : s->time, more, more_count)) return NULL;
    w->start[c + 1] = w->entries.count;
  }
  *j = (TapeJacobian){.columns = columns,
                      .rows = columns - 1 + more_count,
                      .start = w->start,
                      .row = w->rows.items,
                      .count = w->entries.count};
  TapeWish wish = {.system = s,
                   .vars = vars,
                   .var_count = k,
                   .held_count = s->held.count,
                   .results = w->entries.items,
                   .result_count = w->entries.count,
                   .large = large};
  wish.tangents = gather(w, &wish.tangent_count);
  j->tape = wish.tangents ? tape_build(arena, &wish) : NULL;
  return j->tape ? j : NULL;
}

const TapeJacobian *tape_jacobian(Arena *arena, System *s, const ExprId *more, uint32_t more_count, TapeSolve *large) {
  return tape_jacobian_asked(arena, s, more, more_count, large, (TapeAsk){0});
}
