// In which order memories are computed, and what reads what.
//
// Definitions and blocks of the system and the rules of memories are sorted depth first, so that each comes after what
// it needs. In a circle of memories the symbols themselves are the old values.
#include "sim/mode_order.h"

#include "expr/calculus.h"

#include <string.h>

// ---- the order of memories

typedef struct Sorter {
  Hybrid *h;
  System *s;
  uint32_t steps, total;
  uint32_t *maker; // by symbol: the item that computes it, plus one
  char *state;     // of items: 0 new, 1 on the way, 2 done
  bool *seen;      // by expression: all items below are done
  VEC(Step) order;
} Sorter;

static uint32_t item_roots(const Sorter *x, uint32_t item, const ExprId **roots, ExprId *room) {
  if (item >= x->steps) {
    *roots = &x->h->rules[item - x->steps];
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
  ExprId *room = arena_array(x->h->arena, (size_t)k * (k + 1) + 1, sizeof *room);
  if (!room) return false;
  *f = (SortFrame){.item = item};
  f->count = item_roots(x, item, &f->below, room);
  x->state[item] = 1;
  return true;
}

// Depth first with a stack of its own, each expression once. False: a circle, or memory is out.
static bool sort_from(Sorter *x, uint32_t first) {
  Arena *arena = x->h->arena;
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

bool modes_order(Hybrid *h, System *own) {
  const System *m = h->m;
  uint32_t steps = own->steps.count, defs = own->definitions.count;
  if (m->memories.count == 0) return true;
  Sorter x = {.h = h, .s = own, .steps = steps, .total = steps + m->memories.count};
  x.maker = arena_array(h->arena, own->pool->symbols.count, sizeof *x.maker);
  x.state = arena_array(h->arena, (size_t)x.total + 1, sizeof *x.state);
  Definition *list = arena_array(h->arena, (size_t)defs + m->memories.count + 1, sizeof *list);
  x.seen = arena_array(h->arena, own->pool->nodes.count, sizeof *x.seen);
  if (!x.maker || !x.state || !x.seen || !list) return false;
  for (uint32_t i = 0; i < steps; i++) {
    Step step = own->steps.items[i];
    if (step.kind == step_define) {
      x.maker[own->definitions.items[step.index].symbol] = i + 1;
      continue;
    }
    if (step.kind == step_call) {
      const SystemCall *c = &own->calls.items[step.index];
      for (uint32_t k = 0; k < c->result_count; k++) x.maker[c->results[k]] = i + 1;
      continue;
    }
    const Block *b = &own->blocks.items[step.index];
    for (uint32_t k = 0; k < b->count; k++) x.maker[b->unknowns[k]] = i + 1;
  }
  for (uint32_t i = 0; i < m->memories.count; i++) x.maker[m->memories.items[i].symbol] = steps + i + 1;
  for (uint32_t i = 0; i < x.total; i++) {
    if (!x.state[i] && !sort_from(&x, i)) return false;
  }
  if (defs) memcpy(list, own->definitions.items, defs * sizeof *list);
  for (uint32_t i = 0; i < m->memories.count; i++)
    list[defs + i] = (Definition){m->memories.items[i].symbol, h->rules[i], 0};
  own->definitions.items = list;
  own->definitions.count = own->definitions.cap = defs + m->memories.count;
  own->steps.items = x.order.items;
  own->steps.count = own->steps.cap = x.order.count;
  return true;
}

bool modes_unordered(Hybrid *h) {
  ExprPool *p = h->s->pool;
  SymbolMap map = symbol_map_new(p);
  for (uint32_t i = 0; i < h->memory_count; i++)
    symbol_map_set(&map, h->m->memories.items[i].before, expr_sym(p, h->m->memories.items[i].symbol));
  return expr_replace(p, &map, h->rules, h->memory_count, h->rules) &&
         expr_replace(p, &map, h->checks, h->m->checks.count, h->checks);
}

// ---- what reads what

// Modes that the equations of motion read, and whether values between the branches enter there.
static bool find_entering(Hybrid *h) {
  ExprPool *p = h->s->pool;
  Roots roots = {0};
  uint32_t length = 0, *mode = arena_array(h->arena, p->symbols.count, sizeof *mode); // by symbol, plus one
  modes_roots(h->s, h->arena, &roots);
  if (!mode || arena_failed(h->arena)) return false;
  for (uint32_t i = 0; i < h->modes.count; i++) mode[h->modes.items[i].symbol] = i + 1;
  const ExprId *list = roots.count ? pool_reach(p, roots.items, roots.count, NULL, NULL, &length) : NULL;
  for (uint32_t i = 0; list && i < length; i++) {
    const ExprNode *n = pool_node(p, list[i]);
    SymbolId own = expr_symbol(p, list[i]);
    if (own && mode[own]) h->modes.items[mode[own] - 1].enters = true;
    for (uint32_t k = 0; (n->op == op_add || n->op == op_mul) && k < n->count; k++) {
      SymbolId s = expr_symbol(p, pool_args(p, list[i])[k]);
      if (s && mode[s]) h->modes.items[mode[s] - 1].between = true;
    }
  }
  for (uint32_t i = 0; i < roots.count; i++) { // a right-hand side that is nothing but a mode
    SymbolId s = expr_symbol(p, roots.items[i]);
    if (s && mode[s]) h->modes.items[mode[s] - 1].between = true;
  }
  return true;
}

static uint32_t place_in_y(const Hybrid *h, const Symbol *s) {
  uint32_t n = h->s->coord_count;
  switch ((int)s->kind) {
  case sym_coord: return s->index;
  case sym_velocity: return n + s->index;
  case sym_state: return 2 * n + s->index;
  default: return UINT32_MAX;
  }
}

// Guards that are sums of velocities and states, with numbers as factors.
static bool find_linear(Hybrid *h) {
  ExprPool *p = h->s->pool;
  VEC(uint32_t) at = {0};
  VEC(double) factor = {0};
  h->linear_first = arena_array(h->arena, (size_t)h->modes.count + 2, sizeof *h->linear_first);
  if (!h->linear_first) return false;
  for (uint32_t i = 0; i < h->modes.count; i++) {
    ExprId g = h->modes.items[i].g;
    bool sum = expr_op(p, g) == op_add, linear = true;
    uint32_t first = h->linear_first[i] = at.count, terms = sum ? expr_term_count(p, g) : 1;
    for (uint32_t k = 0; k < terms && linear; k++) {
      Term t = sum ? expr_term(p, g, k) : (Term){RAT_ONE, g};
      SymbolId symbol = expr_symbol(p, t.term);
      const Symbol *s = symbol ? pool_symbol_get(p, symbol) : NULL;
      linear = s && (s->kind == sym_velocity || s->kind == sym_state);
      if (linear && s->kind == sym_velocity) linear = h->s->speeds[s->index].symbol == symbol;
      if (linear) vec_push(h->arena, &at, place_in_y(h, s));
      if (linear) vec_push(h->arena, &factor, rat_to_double(t.coef));
    }
    if (!linear) at.count = factor.count = first;
  }
  h->linear_first[h->modes.count] = at.count;
  h->linear_at = at.items;
  h->linear_factor = factor.items;
  return !arena_failed(h->arena);
}

bool modes_readers(Hybrid *h) {
  ExprPool *p = h->s->pool;
  uint32_t modes = h->modes.count;
  ExprId *g = arena_array(h->arena, (size_t)modes + 1, sizeof *g);
  h->read_first = arena_array(h->arena, (size_t)h->body + 2, sizeof *h->read_first);
  if (!g || !h->read_first) return false;
  for (uint32_t i = 0; i < modes; i++) g[i] = h->modes.items[i].g;
  if (!modes_without_inputs(h, g, modes)) return false;
  uint32_t total = 0;
  for (int round = 0; round < 2; round++) { // counts, then fills from the ends
    for (uint32_t i = 0; i < modes; i++) {
      uint32_t length = 0;
      const ExprId *list = pool_reach(p, &g[i], 1, NULL, NULL, &length);
      for (uint32_t k = 0; list && k < length; k++) {
        SymbolId s = expr_symbol(p, list[k]);
        uint32_t at = s ? place_in_y(h, pool_symbol_get(p, s)) : UINT32_MAX;
        if (at >= h->body) continue;
        if (round == 0) h->read_first[at]++, total++;
        else h->read_modes[--h->read_first[at]] = i;
      }
    }
    if (round) break;
    for (uint32_t k = 1; k <= h->body; k++) h->read_first[k] += h->read_first[k - 1];
    h->read_first[h->body] = total;
    h->read_modes = arena_array(h->arena, (size_t)total + 1, sizeof *h->read_modes);
    if (!h->read_modes) return false;
  }
  return find_entering(h) && find_linear(h);
}
