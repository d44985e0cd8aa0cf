// In which order memories are computed.
//
// The rules of memories are items of the order of computation (system/order.c): each comes after what it needs. In a
// circle of memories the symbols themselves are the old values.
#include "sim/memory_order.h"

#include "expr/calculus.h"

bool memory_order(Rewriting *w, System *rules) {
  const System *m = w->s;
  if (m->memories.count == 0) return true;
  System as_it_was = *rules;
  Definition *list = arena_array(w->arena, m->memories.count, sizeof *list);
  for (uint32_t i = 0; list && i < m->memories.count; i++)
    list[i] = (Definition){m->memories.items[i].symbol, w->rules[i], 0};
  if (list && system_order_rules(rules, list, m->memories.count)) return true;
  *rules = as_it_was;
  return false;
}

bool memory_unordered(Rewriting *w) {
  ExprPool *p = w->s->pool;
  SymbolMap map = symbol_map_new(p);
  for (uint32_t i = 0; i < w->s->memories.count; i++)
    symbol_map_set(&map, w->s->memories.items[i].before, expr_sym(p, w->s->memories.items[i].symbol));
  return expr_replace(p, &map, w->rules, w->s->memories.count, w->rules) &&
         expr_replace(p, &map, w->checks, w->s->checks.count, w->checks);
}
