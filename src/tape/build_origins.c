// Source lines for diagnostics: which line of the text each expression came from.
//
// The first definition, energy or equation that holds a node is its origin. Only the tape of a search for faults is
// built with origins: derivatives of energies are made once more for it.
#include "tape/builder.h"

#include "expr/calculus.h"
#include "expr/occurs.h"

// The coordinates and velocities of the system, one after the other: q of coordinate i at 2 i, v behind it.
static bool index_motion(Arena *arena, const System *s, SymbolIndex *out) {
  VEC(SymbolId) symbols = {0};
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (!vec_push(arena, &symbols, s->coords.items[i].q) || !vec_push(arena, &symbols, s->coords.items[i].v))
      return false;
  }
  return symbol_index(arena, s->pool, symbols.items, symbols.count, out);
}

// Derivatives by what a root holds; of those by a velocity once more.
static void put_derivatives(System *s, const SymbolIndex *motion, Arena *arena, ExprId root, bool again,
                            ExprList *roots) {
  ArenaMark mark = arena_mark(s->pool->scratch);
  uint32_t count;
  const uint32_t *held = symbol_index_in(s->pool, motion, root, &count);
  uint32_t *copy = held ? arena_array(arena, (size_t)count + 1, sizeof *copy) : NULL;
  for (uint32_t k = 0; copy && k < count; k++) copy[k] = held[k];
  arena_release(s->pool->scratch, mark);
  for (uint32_t k = 0; copy && k < count; k++) {
    ExprId d = expr_diff(s->pool, root, motion->symbols[copy[k]]);
    if (!d) continue;
    vec_push(arena, roots, d);
    if (again && copy[k] % 2) put_derivatives(s, motion, arena, d, false, roots);
  }
}

// The first definition, energy or equation that holds a node is its origin.
void build_origins(TapeBuilder *b, Arena *arena, System *s) {
  uint32_t total = s->signals.count + s->origins.count;
  ExprList *roots = arena_array(arena, total, sizeof *roots);
  SymbolIndex motion;
  if (!roots || !index_motion(arena, s, &motion)) return;
  for (uint32_t k = 0; k < total; k++) {
    ExprId root = k < s->signals.count ? s->signals.items[k].value : s->origins.items[k - s->signals.count].root;
    if (!root) continue;
    vec_push(arena, &roots[k], root);
    // an energy enters the equations by its derivatives: their nodes belong to its line too
    if (k >= s->signals.count) put_derivatives(s, &motion, arena, root, true, &roots[k]);
  }
  b->node_origin = arena_array(arena, s->pool->nodes.count, sizeof *b->node_origin);
  for (uint32_t k = 0; b->node_origin && k < total; k++) {
    bool let = k < s->signals.count;
    Origin o =
        let ? (Origin){s->signals.items[k].span, s->signals.items[k].name, 0} : s->origins.items[k - s->signals.count];
    vec_push(arena, &b->origins, (TapeOrigin){o.span, let ? arena_printf(arena, "let %s", o.label) : o.label});
    uint32_t length;
    const ExprId *list =
        roots[k].count ? pool_reach(s->pool, roots[k].items, roots[k].count, NULL, NULL, &length) : NULL;
    for (uint32_t i = 0; list && i < length; i++) {
      if (!b->node_origin[list[i]]) b->node_origin[list[i]] = b->origins.count;
    }
  }
}
