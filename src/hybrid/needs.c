// The dependency graph of expressions and its strongly connected components (Tarjan). See needs.h.
#include "hybrid/needs.h"

NeedItem need_item(const NeedWalk *x, ExprId id) {
  SymbolId symbol = expr_symbol(x->p->s->pool, id);
  return symbol && symbol < x->p->s->pool->symbols.count ? x->of_symbol[symbol] : (NeedItem){need_other, 0};
}

// The k-th expression that a block is solved from. 0: no more.
static ExprId block_need(const Block *b, uint32_t k) {
  if (k < b->count) return b->rhs[k];
  return !b->implicit && k - b->count < block_entries(b) ? b->matrix.value[k - b->count] : 0;
}

// What an expression depends on directly. 0: no more.
static ExprId next_need(const NeedWalk *x, ExprId id, uint32_t k) {
  const System *s = x->p->s;
  const ExprNode *n = pool_node(s->pool, id);
  if (n->op != op_sym) return k < n->count ? pool_args(s->pool, id)[k] : 0;
  NeedItem of = need_item(x, id);
  uint32_t memories = x->p->memory_count, at = of.index + k;
  switch (of.kind) {
  case need_mode: return k ? 0 : x->p->modes[of.index].g;
  case need_definition: return k ? 0 : s->definitions.items[of.index].value;
  case need_unknown: return block_need(&s->blocks.items[of.index], k);
  case need_memory: // the memories of a block stand beside each other
    at = x->block[of.index] + k;
    while (at < memories && x->block[at] == x->block[of.index] && !x->rules[at]) at++;
    return at < memories && x->block[at] == x->block[of.index] ? x->rules[at] : 0;
  case need_other: break;
  }
  return 0;
}

bool needs_open(NeedWalk *x) {
  const System *s = x->p->s;
  ExprPool *pool = s->pool;
  x->of_symbol = arena_array(s->arena, pool->symbols.count, sizeof *x->of_symbol);
  if (!x->of_symbol) return false;
  for (uint32_t b = 0; b < s->blocks.count; b++) {
    for (uint32_t k = 0; k < s->blocks.items[b].count; k++)
      x->of_symbol[s->blocks.items[b].unknowns[k]] = (NeedItem){need_unknown, b};
  }
  for (uint32_t i = 0; i < s->definitions.count; i++)
    x->of_symbol[s->definitions.items[i].symbol] = (NeedItem){need_definition, i};
  for (uint32_t i = 0; i < x->p->mode_count; i++) x->of_symbol[x->p->modes[i].symbol] = (NeedItem){need_mode, i};
  for (uint32_t i = 0; x->rules && i < x->p->memory_count; i++)
    x->of_symbol[s->memories.items[i].symbol] = (NeedItem){need_memory, i};
  x->nodes = pool->nodes.count + x->p->memory_count + x->p->mode_count + 1; // symbols that had no expression get one
  x->index = arena_array(s->arena, x->nodes, sizeof *x->index);
  x->low = arena_array(s->arena, x->nodes, sizeof *x->low);
  return x->index && x->low;
}

static bool enter(NeedWalk *x, ExprId id) {
  Arena *a = x->p->s->arena;
  x->index[id] = x->low[id] = ++x->next;
  return vec_push(a, &x->open, id) && vec_push(a, &x->path, id) && vec_push(a, &x->child, 0);
}

static bool leave(NeedWalk *x, ExprId id) {
  uint32_t end = x->open.count, first = end;
  do x->low[x->open.items[--first]] = UINT32_MAX;
  while (x->open.items[first] != id);
  x->open.count = first;
  return x->component(x, x->open.items + first, end - first);
}

bool needs_visit(NeedWalk *x, SymbolId symbol) {
  ExprId root = expr_sym(x->p->s->pool, symbol);
  if (!root || root >= x->nodes) return false;
  if (x->index[root]) return true;
  if (!enter(x, root)) return false;
  while (x->path.count) {
    ExprId id = x->path.items[x->path.count - 1], need = next_need(x, id, x->child.items[x->child.count - 1]++);
    if (need && !x->index[need]) {
      if (!enter(x, need)) return false;
    } else if (need) {
      if (x->low[need] != UINT32_MAX && x->low[need] < x->low[id]) x->low[id] = x->low[need];
    } else {
      uint32_t low = x->low[id];
      x->path.count--;
      x->child.count--;
      if (low == x->index[id] && !leave(x, id)) return false;
      ExprId up = x->path.count ? x->path.items[x->path.count - 1] : 0;
      if (up && low < x->low[up]) x->low[up] = low;
    }
  }
  return true;
}
