// In which order memories are computed.
//
// Definitions and blocks of the system and the rules of memories are sorted depth first, so that each comes after what
// it needs. In a circle of memories the symbols themselves are the old values.
#include "sim/memory_order.h"

#include "expr/calculus.h"

#include <string.h>

// ---- the order of memories

typedef struct Sorter {
  Rewriting *w;
  System *s;
  uint32_t steps, total;
  uint32_t *maker; // by symbol: the item that computes it, plus one
  char *state;     // of items: 0 new, 1 on the way, 2 done
  bool *seen;      // by expression: all items below are done
  VEC(Step) order;
} Sorter;

static uint32_t item_roots(const Sorter *x, uint32_t item, const ExprId **roots, ExprId *room) {
  if (item >= x->steps) {
    *roots = &x->w->rules[item - x->steps];
    return 1;
  }
  Step step = x->s->steps.items[item];
  if (step.kind == step_define) {
    *roots = &x->s->definitions.items[step.index].value;
    return 1;
  }
  if (step.kind == step_call) {
    *roots = x->s->calls.items[step.index].args;
    return x->s->calls.items[step.index].arg_count;
  }
  const Block *b = &x->s->blocks.items[step.index];
  memcpy(room, b->rhs, b->count * sizeof *room);
  memcpy(room + b->count, b->matrix, (size_t)b->count * b->count * sizeof *room);
  *roots = room;
  return b->count + b->count * b->count;
}

// On the way down: an item, or an expression of one.
typedef struct SortFrame {
  uint32_t item;
  ExprId node; // 0: the item itself
  const ExprId *below;
  uint32_t next, count;
  bool own; // holds what its item computes: another item has to look at it again
} SortFrame;

static bool enter_item(Sorter *x, uint32_t item, SortFrame *f) {
  Step step = item < x->steps ? x->s->steps.items[item] : (Step){0};
  uint32_t k = step.kind == step_solve ? x->s->blocks.items[step.index].count : 0;
  ExprId *room = arena_array(x->w->arena, (size_t)k * (k + 1) + 1, sizeof *room);
  if (!room) return false;
  *f = (SortFrame){.item = item};
  f->count = item_roots(x, item, &f->below, room);
  x->state[item] = 1;
  return true;
}

// Depth first with a stack of its own, each expression once. False: a circle, or memory is out.
static bool sort_from(Sorter *x, uint32_t first) {
  Arena *arena = x->w->arena;
  ExprPool *pool = x->s->pool;
  VEC(SortFrame) stack = {0};
  SortFrame in;
  if (!enter_item(x, first, &in) || !vec_push(arena, &stack, in)) return false;
  while (stack.count) {
    SortFrame *f = &stack.items[stack.count - 1];
    if (f->next == f->count) {
      if (!f->node) {
        x->state[f->item] = 2;
        vec_push(arena, &x->order,
                 f->item < x->steps ? x->s->steps.items[f->item]
                                    : (Step){step_define, x->s->definitions.count + f->item - x->steps});
      } else {
        x->seen[f->node] = !f->own;
        if (f->own && stack.count > 1) f[-1].own = true;
      }
      stack.count--;
      continue;
    }
    ExprId child = f->below[f->next++];
    if (!child || x->seen[child]) continue;
    SymbolId symbol = expr_symbol(pool, child);
    uint32_t maker = symbol ? x->maker[symbol] : 0;
    if (maker && maker - 1 == f->item) f->own = true;
    else if (maker && x->state[maker - 1] == 1) return false;
    if (maker && maker - 1 != f->item && !x->state[maker - 1]) {
      if (!enter_item(x, maker - 1, &in) || !vec_push(arena, &stack, in)) return false;
    }
    const ExprNode *n = pool_node(pool, child);
    if (symbol || n->op == op_num || !n->count) continue;
    in = (SortFrame){.item = f->item, .node = child, .below = pool_args(pool, child), .count = n->count};
    if (!vec_push(arena, &stack, in)) return false;
  }
  return true;
}

bool memory_order(Rewriting *w, System *rules) {
  const System *m = w->s;
  uint32_t steps = rules->steps.count, defs = rules->definitions.count;
  if (m->memories.count == 0) return true;
  Sorter x = {.w = w, .s = rules, .steps = steps, .total = steps + m->memories.count};
  x.maker = arena_array(w->arena, rules->pool->symbols.count, sizeof *x.maker);
  x.state = arena_array(w->arena, (size_t)x.total + 1, sizeof *x.state);
  Definition *list = arena_array(w->arena, (size_t)defs + m->memories.count + 1, sizeof *list);
  x.seen = arena_array(w->arena, rules->pool->nodes.count, sizeof *x.seen);
  if (!x.maker || !x.state || !x.seen || !list) return false;
  for (uint32_t i = 0; i < steps; i++) {
    Step step = rules->steps.items[i];
    if (step.kind == step_define) {
      x.maker[rules->definitions.items[step.index].symbol] = i + 1;
      continue;
    }
    if (step.kind == step_call) {
      const SystemCall *c = &rules->calls.items[step.index];
      for (uint32_t k = 0; k < c->result_count; k++) x.maker[c->results[k]] = i + 1;
      continue;
    }
    const Block *b = &rules->blocks.items[step.index];
    for (uint32_t k = 0; k < b->count; k++) x.maker[b->unknowns[k]] = i + 1;
  }
  for (uint32_t i = 0; i < m->memories.count; i++) x.maker[m->memories.items[i].symbol] = steps + i + 1;
  for (uint32_t i = 0; i < x.total; i++) {
    if (!x.state[i] && !sort_from(&x, i)) return false;
  }
  if (defs) memcpy(list, rules->definitions.items, defs * sizeof *list);
  for (uint32_t i = 0; i < m->memories.count; i++)
    list[defs + i] = (Definition){m->memories.items[i].symbol, w->rules[i], 0};
  rules->definitions.items = list;
  rules->definitions.count = rules->definitions.cap = defs + m->memories.count;
  rules->steps.items = x.order.items;
  rules->steps.count = rules->steps.cap = x.order.count;
  return true;
}

bool memory_unordered(Rewriting *w) {
  ExprPool *p = w->s->pool;
  SymbolMap map = symbol_map_new(p);
  for (uint32_t i = 0; i < w->s->memories.count; i++)
    symbol_map_set(&map, w->s->memories.items[i].before, expr_sym(p, w->s->memories.items[i].symbol));
  return expr_replace(p, &map, w->rules, w->s->memories.count, w->rules) &&
         expr_replace(p, &map, w->checks, w->s->checks.count, w->checks);
}
