// Differential equations between signals: every derivative in states and inputs.
//
// The order of computation gives velocities without inertia, accelerations and rates of states as expressions of
// positions, velocities, states, inputs and their rates: definitions as they are, blocks solved by minors. What is
// differentiated further takes these for its rates. At one moment states and the derivatives of inputs are free of each
// other, so an equation that holds for all solutions is an identity, and one that is none fails for some solution.
#include "algebra/differentiated.h"

#include "algebra/solved.h"

typedef struct Differentiated {
  System *s;
  ExprPool *pool;
  SymbolMap values; // what computed symbols are
  SymbolMap rates;  // the time derivatives of what is left
  const char *why;
} Differentiated;

static bool is_given(SymbolKind k) { return k == sym_input || k == sym_input_rate; }

bool differentiated_holds(System *s, const CheckText *q) {
  for (uint32_t i = 0; i < q->higher_count; i++) {
    if (expr_depends(s->pool, q->lhs, q->higher[i].symbol) || expr_depends(s->pool, q->rhs, q->higher[i].symbol))
      return true;
  }
  return false;
}

bool differentiated_helps(System *s, const CheckText *q) {
  for (uint32_t i = 0; i < s->coord_count; i++) {
    SymbolId a = s->coords.items[i].a;
    if (s->role[i] >= coord_first_order && (expr_depends(s->pool, q->lhs, a) || expr_depends(s->pool, q->rhs, a)))
      return true;
  }
  return false;
}

static ExprId with_values(Differentiated *w, ExprId id) {
  ExprId out = 0;
  return expr_replace(w->pool, &w->values, &id, 1, &out) ? out : 0;
}

static bool solve_block(Differentiated *w, const Block *b) {
  System *s = w->s;
  uint32_t k = b->count;
  const char *note = NULL;
  if (b->implicit || b->multipliers || k > most_solved) {
    w->why = b->implicit      ? "an implicit equation is not solved in symbols"
             : b->multipliers ? "the forces of constraints are not solved in symbols"
                              : "the coupled coordinates are too many to be solved in symbols";
    return true;
  }
  ExprId *m = block_dense(s->arena, w->pool, b), *rhs = arena_array(s->arena, k, sizeof *rhs),
         *out = arena_array(s->arena, k, sizeof *out);
  if (!m || !rhs || !out) return false;
  for (uint32_t i = 0; i < k * k; i++) {
    if (!(m[i] = with_values(w, m[i]))) return false;
  }
  for (uint32_t i = 0; i < k; i++) {
    if (!(rhs[i] = with_values(w, b->rhs[i]))) return false;
  }
  if (!solved_linear(s, m, rhs, k, &(DeriveStyle){0}, out, &note)) return false;
  for (uint32_t i = 0; i < k; i++) {
    if (!out[i]) w->why = note ? note : "the accelerations grow too large in symbols";
    else symbol_map_set(&w->values, b->unknowns[i], out[i]);
  }
  return true;
}

static bool find_values(Differentiated *w) {
  const System *s = w->s;
  for (uint32_t i = 0; i < s->steps.count && !w->why; i++) {
    const SystemStep *step = &s->steps.items[i];
    if (step->kind == step_call) w->why = "accelerations of a tree of this size are not written out";
    if (step->kind == step_solve && !solve_block(w, &s->blocks.items[step->index])) return false;
    if (step->kind != step_define) continue;
    const Definition *d = &s->definitions.items[step->index];
    if (is_given(pool_symbol_get(w->pool, d->symbol)->kind)) continue; // free
    ExprId value = with_values(w, d->value);
    if (!value) return false;
    symbol_map_set(&w->values, d->symbol, value);
  }
  return true;
}

// Rates of everything that an expression in states and inputs holds.
static bool find_rates(Differentiated *w, ExprId of) {
  uint32_t length;
  const ExprId *list = pool_reach(w->pool, &of, 1, NULL, NULL, &length);
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(w->pool, list[i]);
    if (id) vec_push(w->s->arena, &found, id);
  }
  for (uint32_t i = 0; i < found.count; i++) {
    SymbolId id = found.items[i];
    if (id == w->s->time) symbol_map_set(&w->rates, id, w->pool->one);
    SymbolId rate = symbol_map_get(&w->rates, id) ? 0 : system_rate(w->s, id);
    if (!rate) continue;
    ExprId value = symbol_map_get(&w->values, rate);
    symbol_map_set(&w->rates, id, value ? value : expr_sym(w->pool, rate));
  }
  return list != NULL && !arena_failed(w->s->arena);
}

// The derivative of `of` as an expression; 0: out of memory, or w->why.
static ExprId derivative(Differentiated *w, ExprId of) {
  ExprId out = 0, bad = 0;
  const KindSet known = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_input_rate) |
                        kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_state);
  if (!expr_only_kinds(w->pool, of, known)) {
    w->why = "something in it has no derivative in symbols";
    return 0;
  }
  if (!find_rates(w, of) || !expr_derive(w->pool, &w->rates, &of, 1, &out, &bad)) return 0;
  if (bad) w->why = "noise and impulses have no derivative";
  return bad ? 0 : out;
}

// Accelerations of coordinates without inertia are derivatives of their velocities.
static bool find_accelerations(Differentiated *w) {
  const System *s = w->s;
  for (uint32_t i = 0; i < s->coord_count && !w->why; i++) {
    const SystemCoord *c = &s->coords.items[i];
    ExprId v = symbol_map_get(&w->values, c->v);
    if (!v || symbol_map_get(&w->values, c->a)) continue;
    ExprId a = derivative(w, v);
    if (!a) return w->why != NULL;
    symbol_map_set(&w->values, c->a, a);
  }
  return true;
}

static bool find_higher(Differentiated *w, const CheckText *q) {
  for (uint32_t i = 0; i < q->higher_count && !w->why; i++) {
    ExprId of = with_values(w, expr_sym(w->pool, q->higher[i].of));
    ExprId value = of ? derivative(w, of) : 0;
    if (!value) return w->why != NULL;
    symbol_map_set(&w->values, q->higher[i].symbol, value);
  }
  return true;
}

bool differentiated_check(System *s, const CheckText *q, CheckResult *out) {
  Differentiated *w = &(Differentiated){.s = s, .pool = s->pool};
  w->values = symbol_map_new(w->pool);
  w->rates = symbol_map_new(w->pool);
  *out = (CheckResult){.verdict = verdict_undecided, .reason = "out of memory"};
  bool other = s->constraints.count || s->memories.count || s->delays.count || s->frictions.count || s->unknowns.count;
  if (other && !differentiated_holds(s, q)) return false;
  if (other) w->why = "with constraints, unknowns or blocks that remember, nothing says what its derivatives are";
  if (!w->why && (!find_values(w) || !find_accelerations(w) || !find_higher(w, q))) return true;
  if (w->why) {
    out->reason = w->why;
    return differentiated_holds(s, q);
  }
  if (decide_equal(w->pool, s->arena, q->lhs, q->rhs).verdict == verdict_equal) {
    out->fault = check_empty;
    return true;
  }
  ExprId lhs = with_values(w, q->lhs), rhs = with_values(w, q->rhs);
  if (!lhs || !rhs) return true;
  Decision d = decide_equal(w->pool, s->arena, lhs, rhs);
  out->verdict = d.verdict;
  out->witness = d.witness;
  out->reason = d.reason;
  bool equal = d.verdict == verdict_equal;
  out->means = equal ? "true of every motion, with its derivatives put in" : "the motion, with its derivatives put in";
  if (d.verdict != verdict_different) return true;
  out->difference = expr_short(w->pool, s->arena, expr_sub(w->pool, lhs, rhs));
  out->difference_of = "left - right, in states and inputs";
  return true;
}
