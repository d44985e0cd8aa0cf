#include "sim/components.h"

bool components_list(System *s, Components *out) {
  const Model *m = s->model;
  ExprPool *p = s->pool;
  uint32_t n = s->coord_count, k = 0;
  *out = (Components){.count = 2 * n + s->state_count, .kinds = {n, 2 * n}};
  Component *list = out->items = arena_array(s->arena, (size_t)out->count + 1, sizeof *list);
  if (!list) return false;
  for (uint32_t i = 0; i < n; i++) {
    const ModelCoord *c = &m->coords.items[i];
    bool computed = s->order_zero[i];
    list[k++] = (Component){component_position,
                            i,
                            computed ? 0 : c->q,
                            c->q,
                            computed ? p->zero : expr_sym(p, c->v),
                            c->q0,
                            c->name,
                            c->name,
                            c->span};
  }
  for (uint32_t i = 0; i < n; i++) {
    const ModelCoord *c = &m->coords.items[i];
    const Speed *v = &s->speeds[i];
    list[k++] = (Component){component_velocity,
                            i,
                            v->symbol,
                            c->v,
                            v->rate ? expr_sym(p, v->rate) : p->zero,
                            v->start,
                            pool_symbol_get(p, c->v)->name,
                            c->name,
                            c->span};
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    const ModelState *x = &m->states.items[i];
    list[k++] = (Component){component_state, i, x->x, x->x, expr_sym(p, x->rate), x->x0, x->name, x->name, x->span};
  }
  return !arena_failed(s->arena);
}
