// What the event iteration (hybrid/instant.h) knows of a model before a run. A part of event_plan.h.
//
// in    guards of all modes, rules of memories, both rewritten
// out   guards that are one but for a factor, and how deep they stand inside of each other; the order of memories by
// their
//       dependencies, those of one block together; which block a check belongs to
#include "hybrid/event_plan.h"

#include "expr/calculus.h"

#include <stdlib.h>

// ---- the order of memories

// A walk over all expressions that rules depend on: through branches to their guards, through definitions to their
// values, through memories to the rules of their blocks. Components that depend on each other come out one after the
// other, innermost first (Tarjan).
typedef struct MemoryWalk {
  const EventPlan *p;
  const Rewriting *w;
  const uint32_t *block;
  uint32_t *of_symbol;         // what a symbol is, plus one: memories, modes, definitions
  uint32_t *index, *low, next; // by expression; 0: not seen; low UINT32_MAX: its component is known
  ExprList open, path;         // of components; the way to the present one
  VEC(uint32_t) child;         // of the way: the next one to look at
  uint32_t *order, count;      // of memories
  bool *placed;
} MemoryWalk;

// What an expression depends on directly. 0: no more.
static ExprId next_need(const MemoryWalk *x, ExprId id, uint32_t k) {
  const System *s = x->p->s;
  ExprPool *pool = s->pool;
  const ExprNode *n = pool_node(pool, id);
  if (n->op != op_sym) return k < n->count ? pool_args(pool, id)[k] : 0;
  uint32_t of = n->first < pool->symbols.count ? x->of_symbol[n->first] : 0, memories = x->p->memory_count;
  if (of == 0) return 0;
  if (of > memories) {
    if (k) return 0;
    of -= memories;
    return of <= x->p->mode_count ? x->p->modes[of - 1].g : s->definitions.items[of - x->p->mode_count - 1].value;
  }
  uint32_t at = x->block[of - 1] + k; // the memories of a block stand beside each other
  while (at < memories && x->block[at] == x->block[of - 1] && !x->w->rules[at]) at++;
  return at < memories && x->block[at] == x->block[of - 1] ? x->w->rules[at] : 0;
}

static bool enter(MemoryWalk *x, ExprId id) {
  Arena *a = x->p->s->arena;
  x->index[id] = x->low[id] = ++x->next;
  return vec_push(a, &x->open, id) && vec_push(a, &x->path, id) && vec_push(a, &x->child, 0);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// A component is complete: its memories follow in the order of the text, each with its block.
static void leave(MemoryWalk *x, ExprId id) {
  uint32_t first = x->count;
  for (ExprId other = 0; other != id;) {
    other = x->open.items[--x->open.count];
    x->low[other] = UINT32_MAX;
    SymbolId symbol = expr_symbol(x->p->s->pool, other);
    uint32_t of = symbol ? x->of_symbol[symbol] : 0;
    if (of == 0 || of > x->p->memory_count) continue;
    for (uint32_t m = x->block[of - 1]; m < x->p->memory_count && x->block[m] == x->block[of - 1]; m++) {
      if (!x->placed[m]) x->order[x->count++] = m;
      x->placed[m] = true;
    }
  }
  qsort(x->order + first, x->count - first, sizeof *x->order, by_number);
}

static bool visit(MemoryWalk *x, ExprId root) {
  if (x->index[root]) return true;
  if (!enter(x, root)) return false;
  while (x->path.count) {
    ExprId id = x->path.items[x->path.count - 1], need = next_need(x, id, x->child.items[x->child.count - 1]++);
    if (need && !x->index[need]) {
      if (!enter(x, need)) return false;
    } else if (need) {
      if (x->low[need] < x->low[id]) x->low[id] = x->low[need];
    } else {
      uint32_t low = x->low[id];
      x->path.count--;
      x->child.count--;
      if (low == x->index[id]) leave(x, id);
      ExprId up = x->path.count ? x->path.items[x->path.count - 1] : 0;
      if (up && low < x->low[up]) x->low[up] = low;
    }
  }
  return true;
}

// Each after those that its rule depends on; in a cycle they stand in the order of the text.
static uint32_t *order_memories(const EventPlan *p, const Rewriting *w, const uint32_t *block) {
  const System *s = p->s;
  ExprPool *pool = s->pool;
  uint32_t n = p->memory_count, nodes = pool->nodes.count + n + 1;
  MemoryWalk x = {.p = p, .w = w, .block = block};
  x.order = arena_array(s->arena, (size_t)n + 1, sizeof *x.order);
  if (n == 0) return x.order;
  x.placed = arena_array(s->arena, n, sizeof *x.placed);
  x.of_symbol = arena_array(s->arena, pool->symbols.count, sizeof *x.of_symbol);
  x.index = arena_array(s->arena, nodes, sizeof *x.index);
  x.low = arena_array(s->arena, nodes, sizeof *x.low);
  if (!x.order || !x.placed || !x.of_symbol || !x.index || !x.low) return NULL;
  for (uint32_t i = 0; i < s->definitions.count; i++)
    x.of_symbol[s->definitions.items[i].symbol] = n + p->mode_count + i + 1;
  for (uint32_t i = 0; i < p->mode_count; i++) x.of_symbol[p->modes[i].symbol] = n + i + 1;
  for (uint32_t i = 0; i < n; i++) x.of_symbol[s->memories.items[i].symbol] = i + 1;
  for (uint32_t i = 0; i < n; i++) {
    ExprId symbol = expr_sym(pool, s->memories.items[i].symbol);
    if (!symbol || symbol >= nodes || !visit(&x, symbol)) return NULL;
  }
  return x.order;
}

// Memories of one block stand beside each other, and the rule of one reads the old value of another.
static uint32_t *find_blocks(const EventPlan *p) {
  const System *s = p->s;
  uint32_t *block = arena_array(s->arena, (size_t)p->memory_count + 1, sizeof *block);
  for (uint32_t i = 0; block && i < p->memory_count; i++) {
    const SystemMemory *a = &s->memories.items[i], *b = i ? &s->memories.items[i - 1] : a;
    bool same = i && ((a->rule && expr_depends(s->pool, a->rule, b->before)) ||
                      (b->rule && expr_depends(s->pool, b->rule, a->before)));
    block[i] = same ? block[i - 1] : i;
  }
  return block;
}

// How deep guards stand inside of each other: by the branches that a guard reads itself, which come before it. Parts
// that guards share are looked at once.
static bool depth_unknown(const ExprPool *pool, ExprId id, const void *known) {
  (void)pool;
  return ((const uint32_t *)known)[id] == 0;
}

static uint32_t *find_depths(const EventPlan *p) {
  const System *s = p->s;
  ExprPool *pool = s->pool;
  uint32_t *depth = arena_array(s->arena, (size_t)p->mode_count + 1, sizeof *depth);
  uint32_t *known = arena_array(s->arena, (size_t)pool->nodes.count + 1, sizeof *known); // by expression, plus one
  for (uint32_t i = 0; depth && known && i < p->mode_count; i++) {
    uint32_t length = 0;
    ExprId g = p->modes[i].g;
    const ExprId *list = pool_reach(pool, &g, 1, depth_unknown, known, &length); // parts before the whole
    for (uint32_t k = 0; list && k < length; k++) {
      const ExprNode *n = pool_node(pool, list[k]);
      uint32_t most = 1;
      if (n->op == op_sym) {
        const Symbol *inner = pool_symbol_get(pool, n->first);
        if (inner->kind == sym_mode && inner->index < i) most = depth[inner->index] + 2;
      }
      for (uint32_t c = 0; n->op != op_sym && c < n->count; c++) {
        uint32_t part = known[pool_args(pool, list[k])[c]];
        most = part > most ? part : most;
      }
      known[list[k]] = most;
    }
    depth[i] = known[g] ? known[g] - 1 : 0;
  }
  return known ? depth : NULL;
}

// Which branches stand inside of guards. What is computed, as a new memory or an unknown of a loop, may hang on any.
static bool *find_inner(const EventPlan *p) {
  ExprPool *pool = p->s->pool;
  uint32_t n = p->mode_count;
  bool *inner = arena_array(p->s->arena, (size_t)n + 1, sizeof *inner);
  ExprId *g = arena_array(p->s->arena, (size_t)n + 1, sizeof *g);
  if (!inner || !g) return NULL;
  for (uint32_t i = 0; i < n; i++) g[i] = p->modes[i].g;
  if (!event_without_inputs(p->s, g, n)) return NULL;
  bool any = false;
  for (uint32_t i = 0; i < n; i++) any = any || !p->modes[i].rate || expr_has_kind(pool, g[i], sym_memory);
  uint32_t length = 0;
  const ExprId *list = any || !n ? NULL : pool_reach(pool, g, n, NULL, NULL, &length); // once, however many read a part
  if (!any && n && !list) return NULL;
  for (uint32_t k = 0; k < length; k++) {
    SymbolId symbol = expr_symbol(pool, list[k]);
    const Symbol *read = symbol ? pool_symbol_get(pool, symbol) : NULL;
    if (read && read->kind == sym_mode) inner[read->index] = true;
  }
  for (uint32_t i = 0; any && i < n; i++) inner[i] = true;
  return inner;
}

// ---- guards

static BranchKind kind_of(const SwitchMode *m) {
  if (m->kind == mode_floor) return branch_whole;
  if (m->kind == mode_sign) return branch_sign;
  return m->closed ? branch_closed : branch_open;
}

// Guards that are equal but for a number have one leader: the first of them; side is the sign of that number.
static bool find_leaders(const EventPlan *p, uint8_t *kind, uint32_t *leader, int8_t *side) {
  ExprPool *pool = p->s->pool;
  uint32_t room = pool->nodes.count + 2 * p->mode_count + 8; // further forms are made here
  uint32_t *first = arena_array(p->s->arena, room, sizeof *first);
  for (uint32_t i = 0; first && i < p->mode_count; i++) {
    ExprId g = p->modes[i].g;
    Rat factor = expr_op(pool, g) == op_add   ? expr_term(pool, g, 0).coef
                 : expr_op(pool, g) == op_mul ? expr_coef(pool, g)
                                              : RAT_ONE;
    kind[i] = (uint8_t)kind_of(&p->modes[i]);
    leader[i] = i;
    side[i] = 1;
    if (kind[i] == branch_whole) continue;
    ExprId form = expr_scale(pool, rat_div(pool->arena, RAT_ONE, factor), g);
    int8_t sign = (int8_t)rat_sign(factor);
    if (!form || form >= room) continue;
    if (!first[form]) first[form] = 2 * i + (sign > 0) + 1;
    leader[i] = (first[form] - 1) / 2;
    side[i] = (first[form] - 1) % 2 == (sign > 0) ? 1 : -1;
  }
  return first != NULL;
}

// ---- the whole

static bool list_checks(EventPlan *p, const uint32_t *block) {
  const System *s = p->s;
  p->check_of = arena_array(s->arena, (size_t)s->checks.count + 1, sizeof *p->check_of);
  for (uint32_t i = 0; p->check_of && i < s->checks.count; i++) {
    Span at = s->checks.items[i].span;
    p->check_of[i] = instant_no_memory;
    for (uint32_t k = p->memory_count; k-- > 0;) {
      Span of = s->memories.items[k].span;
      if (of.source == at.source && of.start == at.start && of.end == at.end) p->check_of[i] = block[k];
    }
  }
  return p->check_of != NULL;
}

bool event_plan_instants(EventPlan *p, const Rewriting *w) {
  const System *s = p->s;
  uint32_t n = p->mode_count;
  uint8_t *kind = arena_array(s->arena, (size_t)n + 1, sizeof *kind);
  uint32_t *leader = arena_array(s->arena, (size_t)n + 1, sizeof *leader), *depth = find_depths(p);
  int8_t *side = arena_array(s->arena, (size_t)n + 1, sizeof *side);
  bool *conditional = arena_array(s->arena, (size_t)p->when_count + 1, sizeof *conditional);
  bool *stops = arena_array(s->arena, (size_t)p->when_count + 1, sizeof *stops);
  bool *inner = find_inner(p), *enters = arena_array(s->arena, (size_t)n + 1, sizeof *enters);
  const uint32_t *block = find_blocks(p), *order = block ? order_memories(p, w, block) : NULL;
  if (!kind || !leader || !depth || !inner || !enters || !side || !conditional || !stops || !order) return false;
  for (uint32_t i = 0; i < n; i++) enters[i] = p->modes[i].enters;
  for (uint32_t i = 0; i < p->when_count; i++) {
    conditional[i] = s->whens.items[i].condition != 0;
    stops[i] = s->whens.items[i].stop;
  }
  p->instant = (InstantPlan){.guards = n,
                             .memories = p->memory_count,
                             .whens = p->when_count,
                             .variables = p->tape[event_rules]->var_count,
                             .body = p->body,
                             .kind = kind,
                             .leader = leader,
                             .side = side,
                             .depth = depth,
                             .inner = inner,
                             .enters = enters,
                             .conditional = conditional,
                             .stops = stops,
                             .reads_first = p->read_first,
                             .reads = p->read_modes,
                             .block = block,
                             .order = order};
  return find_leaders(p, kind, leader, side) && list_checks(p, block);
}
