// Algebraic loops through branches. A part of event_plan.h.
//
// in    an ordered System with its modes; a strongly connected component of what expressions depend on is a loop if
//       unknowns of implicit equations and branches are in it
// out   by loop: the modes whose branches are in it, and the unknowns that messages name
#include "hybrid/event_plan.h"

#include "hybrid/needs.h"

#include <stdlib.h>

typedef struct LoopSearch {
  const EventPlan *p;
  VEC(uint32_t) first, modes, named_first, block;
  VEC(SymbolId) named;
  uint32_t loops;
} LoopSearch;

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool is_implicit(const NeedWalk *x, NeedItem item) {
  return item.kind == need_unknown && x->p->s->blocks.items[item.index].implicit;
}

// The unknowns of definitions that were cut, or, where there are none, the others. False: out of memory.
static bool name_unknowns(const NeedWalk *x, const ExprId *members, uint32_t count) {
  LoopSearch *l = x->self;
  const System *s = x->p->s;
  for (int cut = 1; cut >= 0; cut--) {
    for (uint32_t i = 0; i < count; i++) {
      if (!is_implicit(x, need_item(x, members[i]))) continue;
      SymbolId symbol = expr_symbol(s->pool, members[i]);
      const Symbol *z = pool_symbol_get(s->pool, symbol);
      bool is_cut = z->kind == sym_unknown && s->unknowns.items[z->index].chain;
      if (is_cut == (cut == 1) && !vec_push(s->arena, &l->named, symbol)) return false;
    }
    if (l->named.count > l->named_first.items[l->loops]) break;
  }
  return true;
}

// The block of all unknowns of a loop, plus one; 0: they are in several, or a function of the loop jumps.
static uint32_t block_of(const NeedWalk *x, const ExprId *members, uint32_t count) {
  uint32_t block = 0;
  for (uint32_t i = 0; i < count; i++) {
    NeedItem item = need_item(x, members[i]);
    if (item.kind == need_mode && switch_jumps(&x->p->modes[item.index])) return 0;
    if (item.kind != need_unknown) continue;
    if (block && block != item.index + 1) return 0;
    block = item.index + 1;
  }
  return block;
}

static bool take_component(NeedWalk *x, const ExprId *members, uint32_t count) {
  LoopSearch *l = x->self;
  Arena *a = x->p->s->arena;
  uint32_t first = l->modes.count;
  bool implicit = false;
  if (count < 2) return true;
  for (uint32_t i = 0; i < count; i++) {
    NeedItem item = need_item(x, members[i]);
    implicit = implicit || is_implicit(x, item);
    if (item.kind == need_mode && !vec_push(a, &l->modes, item.index)) return false;
  }
  if (!implicit || l->modes.count == first) {
    l->modes.count = first;
    return true;
  }
  qsort(l->modes.items + first, l->modes.count - first, sizeof *l->modes.items, by_number);
  if (!vec_push(a, &l->first, first) || !vec_push(a, &l->named_first, l->named.count)) return false;
  if (!vec_push(a, &l->block, block_of(x, members, count)) || !name_unknowns(x, members, count)) return false;
  l->loops++;
  return true;
}

bool event_find_loops(EventPlan *p) {
  Arena *a = p->s->arena;
  LoopSearch l = {.p = p};
  NeedWalk x = {.p = p, .self = &l, .component = take_component};
  bool implicit = false;
  for (uint32_t b = 0; b < p->s->blocks.count; b++) implicit = implicit || p->s->blocks.items[b].implicit;
  if (!implicit || !p->mode_count) return true;
  if (!needs_open(&x)) return false;
  for (uint32_t i = 0; i < p->mode_count; i++) {
    if (!needs_visit(&x, p->modes[i].symbol)) return false;
  }
  if (!vec_push(a, &l.first, l.modes.count) || !vec_push(a, &l.named_first, l.named.count)) return false;
  p->loops = (EventLoops){.count = l.loops,
                          .first = l.first.items,
                          .modes = l.modes.items,
                          .named_first = l.named_first.items,
                          .named = l.named.items,
                          .block = l.block.items,
                          .watched_first = arena_array(a, (size_t)l.loops + 1, sizeof *p->loops.watched_first),
                          .size = arena_array(a, (size_t)l.loops + 1, sizeof *p->loops.size),
                          .gains_at = arena_array(a, (size_t)l.loops + 1, sizeof *p->loops.gains_at)};
  return p->loops.watched_first && p->loops.size && p->loops.gains_at;
}
