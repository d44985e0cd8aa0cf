// What the event iteration (hybrid/instant.h) knows of a model before a run. A part of event_plan.h.
//
// in    guards of all modes, rules of memories, both rewritten
// out   guards that are one but for a factor, and how deep they stand inside of each other; the order of memories by
//       their dependencies, those of one block together; which block a check belongs to
#include "hybrid/event_plan.h"

#include "expr/calculus.h"
#include "hybrid/loop_choices.h"
#include "hybrid/needs.h"

#include <stdlib.h>

// ---- the order of memories

typedef struct MemoryOrder {
  const uint32_t *block;
  uint32_t *order, count; // of memories
  bool *placed;
} MemoryOrder;

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// The memories of a component follow in the order of the text, each with its block.
static bool place_memories(NeedWalk *x, const ExprId *members, uint32_t count) {
  MemoryOrder *o = x->self;
  uint32_t first = o->count, memories = x->p->memory_count;
  for (uint32_t i = 0; i < count; i++) {
    NeedItem item = need_item(x, members[i]);
    if (item.kind != need_memory) continue;
    for (uint32_t m = o->block[item.index]; m < memories && o->block[m] == o->block[item.index]; m++) {
      if (!o->placed[m]) o->order[o->count++] = m;
      o->placed[m] = true;
    }
  }
  qsort(o->order + first, o->count - first, sizeof *o->order, by_number);
  return true;
}

// Each after those that its rule depends on; in a cycle they stand in the order of the text.
static uint32_t *order_memories(const EventPlan *p, const Rewriting *w, const uint32_t *block) {
  const System *s = p->s;
  uint32_t n = p->memory_count;
  MemoryOrder o = {.block = block, .order = arena_array(s->arena, (size_t)n + 1, sizeof *o.order)};
  NeedWalk x = {.p = p, .rules = w->rules, .block = block, .self = &o, .component = place_memories};
  if (n == 0) return o.order;
  o.placed = arena_array(s->arena, n, sizeof *o.placed);
  if (!o.order || !o.placed || !needs_open(&x)) return NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (!needs_visit(&x, s->memories.items[i].symbol)) return NULL;
  }
  return o.order;
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

// Which branches stand inside of guards. What is computed, as a new memory or an unknown of a loop, may depend on any.
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

// Expressions that are equal but for a number have one leader: the first of them; side is the sign of that number. 0:
// of its own.
static bool find_equal(const EventPlan *p, const ExprId *list, uint32_t *leader, int8_t *side) {
  ExprPool *pool = p->s->pool;
  uint32_t room = pool->nodes.count + 2 * p->mode_count + 8; // further forms are made here
  uint32_t *first = arena_array(p->s->arena, room, sizeof *first);
  for (uint32_t i = 0; first && i < p->mode_count; i++) {
    ExprId e = list[i];
    leader[i] = i;
    side[i] = 1;
    if (!e || e == pool->zero) continue;
    int8_t sign;
    ExprId form = rewrite_form(pool, e, &sign);
    if (!form || form >= room) continue;
    if (!first[form]) first[form] = 2 * i + (sign > 0) + 1;
    leader[i] = (first[form] - 1) / 2;
    side[i] = (first[form] - 1) % 2 == (sign > 0) ? 1 : -1;
  }
  return first != NULL;
}

// Guards that are one but for a number, and those whose rates are: the elements of stick and slip.
static bool find_leaders(const EventPlan *p, SwitchMode *modes, uint8_t *kind, uint32_t *leader, int8_t *side) {
  uint32_t n = p->mode_count;
  ExprId *list = arena_array(p->s->arena, (size_t)n + 1, sizeof *list);
  uint32_t *element = arena_array(p->s->arena, (size_t)n + 1, sizeof *element);
  int8_t *sign = arena_array(p->s->arena, (size_t)n + 1, sizeof *sign);
  if (!list || !element || !sign) return false;
  for (uint32_t i = 0; i < n; i++) {
    kind[i] = (uint8_t)kind_of(&modes[i]);
    list[i] = kind[i] == branch_whole ? 0 : modes[i].g;
  }
  if (!find_equal(p, list, leader, side)) return false;
  for (uint32_t i = 0; i < n; i++) list[i] = modes[i].rate;
  if (!find_equal(p, list, element, sign)) return false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t first = modes[i].element = modes[i].next = element[i];
    modes[i].side = sign[i];
    if (first == i) continue;
    modes[i].next = modes[first].next;
    modes[first].next = i;
  }
  return true;
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

bool event_plan_instants(EventPlan *p, Rewriting *w) {
  const System *s = p->s;
  uint32_t n = p->mode_count;
  uint8_t *kind = arena_array(s->arena, (size_t)n + 1, sizeof *kind);
  uint32_t *leader = arena_array(s->arena, (size_t)n + 1, sizeof *leader), *depth = find_depths(p);
  int8_t *side = arena_array(s->arena, (size_t)n + 1, sizeof *side);
  bool *conditional = arena_array(s->arena, (size_t)p->when_count + 1, sizeof *conditional);
  bool *stops = arena_array(s->arena, (size_t)p->when_count + 1, sizeof *stops);
  bool *inner = find_inner(p), *enters = arena_array(s->arena, (size_t)n + 1, sizeof *enters);
  bool *jumps = arena_array(s->arena, (size_t)n + 1, sizeof *jumps);
  bool *image = arena_array(s->arena, (size_t)n + 1, sizeof *image);
  const uint32_t *block = find_blocks(p), *order = block ? order_memories(p, w, block) : NULL;
  if (!kind || !leader || !depth || !inner || !enters || !jumps || !image || !side || !conditional || !stops || !order)
    return false;
  for (uint32_t i = 0; i < n; i++) enters[i] = p->modes[i].enters;
  for (uint32_t i = 0; i < n; i++) jumps[i] = switch_jumps(&p->modes[i]);
  for (uint32_t i = 0; i < n; i++) image[i] = p->modes[i].image;
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
                             .order = order,
                             .jumps = jumps,
                             .image = image,
                             .loops = p->loops.count,
                             .loop_first = p->loops.first,
                             .loop_guards = p->loops.modes};
  if (!find_leaders(p, w->modes.items, kind, leader, side) || !list_checks(p, block)) return false;
  for (uint32_t i = 0; i < p->loops.count; i++)
    p->loops.watched_first[i + 1] = p->loops.watched_first[i] + loop_choice_count(&p->instant, i);
  return true;
}
