// Total time derivatives: every symbol that occurs is replaced by its rate, the chain rule does the rest
// (expr_derive), in one pass over the shared graph of all expressions that are asked for.
#include "lang/eval.h"

// A derivative that is no symbol of its own in the equations of motion.
static SymbolId higher_symbol(Elab *e, SymbolId id, const Symbol *of) {
  for (uint32_t i = 0; i < e->eval.higher.count; i++) {
    if (e->eval.higher.items[i].of == id) return e->eval.higher.items[i].symbol;
  }
  const char *name = arena_printf(e->arena, "%s'", of->name);
  uint32_t number = UINT32_MAX - e->eval.higher.count;
  SymbolId symbol = name ? pool_symbol(e->pool, name, sym_state_rate, number, of->order + 1) : 0;
  return symbol && vec_push(e->arena, &e->eval.higher, (HigherRate){symbol, id}) ? symbol : 0;
}

// The symbol that is the time derivative of another; 0 when there is none, reported.
static SymbolId rate_symbol(Elab *e, SymbolId id, Span span) {
  SymbolId rate = model_rate(e->model, id, span);
  if (rate) return rate;
  Symbol s = *pool_symbol_get(e->pool, id);
  if (e->eval.further && (s.kind == sym_acceleration || s.kind == sym_state_rate)) return higher_symbol(e, id, &s);
  if (s.kind == sym_acceleration) {
    diag_error(e->diags, diag_third_derivative, span, "`%s'` would be a third derivative of a coordinate", s.name);
  } else if (s.kind == sym_state_rate) {
    diag_error(e->diags, diag_third_derivative, span, "`%s'` would be a second derivative of a state", s.name);
    diag_hint(e->diags, "declare it with `coord` to give it an equation for `''`");
  } else if (s.kind == sym_delay || s.kind == sym_friction) {
    diag_error(e->diags, diag_no_derivative, span, "`%s` has no time derivative: it is the output of a block", s.name);
  } else if (s.kind == sym_unknown || s.kind == sym_multiplier) {
    diag_error(e->diags, diag_no_derivative, span, "`%s` is %s, and how fast it changes is not computed", s.name,
               s.kind == sym_unknown ? "an algebraic unknown" : "the force of a constraint");
  } else if (s.kind == sym_signal) {
    diag_error(e->diags, diag_no_derivative, span, "`%s` cannot be differentiated", s.name);
  }
  return 0;
}

// The total time derivatives of some expressions, in one pass. False: reported, or out of memory.
static bool rates_of(Elab *e, ExprId *ids, uint32_t count, Span span) {
  ExprPool *pool = e->pool;
  // seeds for the symbols that occur
  uint32_t length;
  const ExprId *list = pool_reach(pool, ids, count, NULL, NULL, &length);
  if (!list || !elab_spend(e, span, length)) return false;
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; i < length; i++) {
    SymbolId s = expr_symbol(pool, list[i]);
    if (s && !vec_push(pool->scratch, &found, s)) return false;
  }
  VEC(ExprId) rates = {0};
  for (uint32_t i = 0; i < found.count; i++) {
    SymbolKind kind = pool_symbol_get(pool, found.items[i])->kind;
    ExprId known =
        kind == sym_state ? e->model->states.items[pool_symbol_get(pool, found.items[i])->index].kinematic : 0;
    ExprId rate = known                                                          ? known
                  : kind == sym_param || kind == sym_bound || kind == sym_memory ? pool->zero
                  : kind == sym_time                                             ? pool->one
                                     : expr_sym(pool, rate_symbol(e, found.items[i], span));
    if (!rate || !vec_push(pool->scratch, &rates, rate)) return false;
  }
  SymbolMap map = symbol_map_in(pool->scratch);
  for (uint32_t i = 0; i < found.count; i++) {
    if (rates.items[i] != pool->zero) symbol_map_set(&map, found.items[i], rates.items[i]);
  }
  ExprId noise = 0;
  bool ok = map.of && expr_derive(pool, &map, ids, count, ids, &noise);
  if (!ok) return false;
  if (noise)
    diag_error(e->diags, diag_no_derivative, span, "%s has no time derivative",
               expr_op(pool, noise) == op_impulse ? "an impulse" : "a noise signal");
  return !noise;
}

bool eval_rates(Elab *e, ExprId *ids, uint32_t count, Span span) {
  ArenaMark mark = arena_mark(e->pool->scratch);
  bool ok = rates_of(e, ids, count, span);
  arena_release(e->pool->scratch, mark);
  return ok;
}
