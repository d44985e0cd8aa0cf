// Names of the components of y, by the table of the system.
#include "sim/components.h"

#include "solve/ode.h"

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

static void mark(const System *s, SymbolId symbol, OdeKind kind, Components *out) {
  uint32_t at = system_place(s, symbol);
  if (at != no_place) out->kinds[at] = kind;
}

// What constraints bind is of another kind.
static void mark_bound(const System *s, Components *out) {
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    const MassRow *row = &s->constraints.items[k].G;
    for (uint32_t i = 0; i < row->count; i++) {
      uint32_t of = row->items[i].column;
      mark(s, system_freedom_velocity(s, of), ode_bound_velocity, out);
      if (of < s->coord_count) {
        mark(s, s->coords.items[of].q, ode_bound_coordinate, out);
        continue;
      }
      const SystemState *r = &s->states.items[s->turns.items[of - s->coord_count].first];
      for (int j = 0; j < 4; j++) mark(s, r[j].x, ode_bound_coordinate, out);
    }
  }
}

bool components_list(System *s, Components *out) {
  static const OdeKind kind_of[] = {
      [component_position] = ode_coordinate, [component_velocity] = ode_velocity, [component_state] = ode_state};
  *out = (Components){.count = system_dim(s), .total = s->y.count};
  out->items = arena_array(s->arena, (size_t)out->count + 1, sizeof *out->items);
  out->kinds = arena_array(s->arena, (size_t)out->count + 1, sizeof *out->kinds);
  if (!out->items || !out->kinds) return false;
  for (uint32_t i = 0; i < out->count; i++) {
    SimComponent *c = &out->items[i];
    *c = component(s, &s->y.items[i]);
    out->kinds[i] = kind_of[c->kind];
  }
  mark_bound(s, out);
  return true;
}
