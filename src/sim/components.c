// Names of the places of y, by the table of the system.
#include "sim/components.h"

static SimComponent component(const System *s, const Component *y) {
  SimComponent c = {.kind = y->kind, .of = y->of, .variable = y->symbol, .start = y->start, .span = y->span};
  c.rate = y->rate ? y->rate : s->pool->zero;
  if (y->from == of_state) {
    c.shown = s->states.items[y->of].x;
    c.declared = s->states.items[y->of].name;
  } else {
    const SystemCoord *q = &s->coords.items[y->of];
    c.shown = y->kind == component_position ? q->q : q->v;
    c.declared = q->name;
    if (y->kind == component_position) c.start = q->q0; // also where it is computed
  }
  bool primed = y->from == of_coord && y->kind == component_velocity;
  c.name = primed ? pool_symbol_get(s->pool, c.shown)->name : c.declared;
  return c;
}

bool components_list(System *s, Components *out) {
  *out = (Components){.count = system_dim(s), .total = s->y.count};
  out->items = arena_array(s->arena, (size_t)out->count + 1, sizeof *out->items);
  if (!out->items) return false;
  for (uint32_t i = 0; i < out->count; i++) {
    SimComponent *c = &out->items[i];
    *c = component(s, &s->y.items[i]);
    out->kinds[0] += c->kind == component_position;
    out->kinds[1] += c->kind != component_state;
  }
  return true;
}
