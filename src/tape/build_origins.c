// Which line of the text each expression came from.
//
// The first definition, energy or equation that holds a node is its origin. Only the tape of a search for faults is
// built with origins: derivatives of energies are made once more for it.
#include "tape/builder.h"

#include "expr/calculus.h"

// An energy enters the equations by its derivatives: their nodes belong to its line too.
static void put_derivatives(System *s, Arena *arena, ExprId root, ExprList *roots) {
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    ExprId dq = expr_depends(s->pool, root, c->q) ? expr_diff(s->pool, root, c->q) : 0;
    ExprId dv = expr_depends(s->pool, root, c->v) ? expr_diff(s->pool, root, c->v) : 0;
    if (dq) vec_push(arena, roots, dq);
    if (!dv) continue;
    vec_push(arena, roots, dv);
    for (uint32_t j = 0; j < s->coord_count; j++) {
      const SystemCoord *d = &s->coords.items[j];
      ExprId mixed[2] = {expr_diff(s->pool, dv, d->q), expr_diff(s->pool, dv, d->v)};
      if (mixed[0]) vec_push(arena, roots, mixed[0]);
      if (mixed[1]) vec_push(arena, roots, mixed[1]);
    }
  }
}

// The first definition, energy or equation that holds a node is its origin.
void build_origins(TapeBuilder *b, Arena *arena, System *s) {
  uint32_t total = s->signals.count + s->origins.count;
  ExprList *roots = arena_array(arena, total, sizeof *roots);
  if (!roots) return;
  for (uint32_t k = 0; k < total; k++) {
    ExprId root = k < s->signals.count ? s->signals.items[k].value : s->origins.items[k - s->signals.count].root;
    if (!root) continue;
    vec_push(arena, &roots[k], root);
    if (k >= s->signals.count) put_derivatives(s, arena, root, &roots[k]);
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
