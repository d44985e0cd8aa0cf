// The order of computation of a rewritten system.
//
// The rules of memories are items of the order (system/order.c): each comes after what it needs. In a cycle of memories
// the symbols themselves are the old values.
//
// A system that could be ordered as it is described can fail here: a delay without length, or a friction that depends
// on accelerations, may close a cycle. What is wrong with it is the reason why the run cannot be.
#include "hybrid/event_order.h"

#include "expr/calculus.h"

// The symbols are the old values, in all rules and checks.
static bool see_old_values(Rewriting *w) {
  ExprPool *p = w->s->pool;
  SymbolMap map = symbol_map_new(p);
  for (uint32_t i = 0; i < w->s->memories.count; i++)
    symbol_map_set(&map, w->s->memories.items[i].before, expr_sym(p, w->s->memories.items[i].symbol));
  return expr_replace(p, &map, w->rules, w->s->memories.count, w->rules) &&
         expr_replace(p, &map, w->checks, w->s->checks.count, w->checks);
}

static bool without_errors(Rewriting *w) {
  const Diags *diags = w->s->diags;
  for (uint32_t i = 0; i < diags->list.count && !w->failure; i++) {
    if (diags->list.items[i].warning) continue;
    w->failure = diags->list.items[i].message;
    w->failure_place = diags->list.items[i].span;
  }
  return !w->failure;
}

bool event_order(Rewriting *w, System *rules, bool *ordered) {
  System *s = w->s;
  uint32_t n = s->memories.count;
  Definition *list = arena_array(w->arena, n, sizeof *list);
  s->diags = arena_new_of(w->arena, Diags); // the model's are not to be written to while runs go on
  if (!list || !s->diags) return false;
  *s->diags = (Diags){.arena = w->arena, .sources = s->sources};
  for (uint32_t i = 0; i < n; i++) list[i] = (Definition){s->memories.items[i].symbol, w->rules[i], 0};
  if (!w->stepwise) { // the event iteration applies one rule after the other
    *ordered = false;
    if (!system_order(s, NULL) || !without_errors(w)) return false;
    *rules = *s;
    return see_old_values(w);
  }
  OrderRules r = {.items = list, .count = n, .with = rules};
  if (!system_order(s, &r) || !without_errors(w)) return false;
  *ordered = r.ordered;
  return r.ordered || see_old_values(w);
}
