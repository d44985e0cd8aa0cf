// The layout of the state vector y: the table of its components.
//
// in    coordinates with what is integrated instead of their velocities (Speed), states, flows of the energy balance
// out   y, in the order of integration: positions, velocities, states; then the quadratures. Positions and velocities
//       are those of coordinates, then those that a formulation brings as states (StateRole)
//
// A coordinate whose position or velocity is computed leaves its slot in y empty. All code reads the table, so another
// order needs a change here alone; VIVA_SHUFFLED builds one, for a test that no code relies on the usual order.
#include "system/layout.h"

#include "system/system.h"

static Component position(const System *s, uint32_t i) {
  const SystemCoord *c = &s->coords.items[i];
  Component y = {.kind = component_position, .of = i, .name = "", .start = s->pool->zero, .span = c->span};
  y.unit = &c->unit;
  y.dim = &c->dim;
  if (s->role[i] == coord_algebraic) return y;
  y.symbol = c->q;
  y.rate = expr_sym(s->pool, c->v);
  y.start = c->q0;
  y.name = c->name;
  return y;
}

static Component velocity(const System *s, uint32_t i) {
  const SystemCoord *c = &s->coords.items[i];
  const Speed *speed = &s->speeds[i];
  Component y = {.kind = component_velocity, .of = i, .name = "", .start = speed->start, .span = c->span};
  if (speed->symbol == c->v) { // a combination of velocities has no unit of its own
    y.unit = &c->unit;
    y.dim = &c->dim;
    y.derivative = 1;
  }
  if (!speed->symbol) return y;
  y.symbol = speed->symbol;
  y.rate = expr_sym(s->pool, speed->rate);
  y.name = pool_symbol_get(s->pool, speed->symbol)->name;
  return y;
}

static Component state(const System *s, uint32_t i) {
  const SystemState *x = &s->states.items[i];
  static const ComponentKind kinds[] = {
      [state_plain] = component_state, [state_position] = component_position, [state_velocity] = component_velocity};
  return (Component){.kind = kinds[x->role],
                     .from = of_state,
                     .of = i,
                     .symbol = x->x,
                     .rate = expr_sym(s->pool, x->rate),
                     .start = x->x0,
                     .name = x->name,
                     .unit = &x->unit,
                     .dim = &x->dim,
                     .span = x->span};
}

static Component quadrature(const System *s, uint32_t i) {
  const EnergyFlow *flow = &s->energy.flows.items[i];
  return (Component){.kind = component_quadrature,
                     .from = of_flow,
                     .of = i,
                     .rate = flow->power,
                     .start = s->pool->zero,
                     .name = flow->name};
}

static void put_states(const System *s, StateRole role, ComponentList *y) {
  for (uint32_t i = 0; i < s->state_count; i++) {
    if (s->states.items[i].role == role) vec_push(s->arena, y, state(s, i));
  }
}

#ifdef VIVA_SHUFFLED
static void shuffle(ComponentList *y) {
  uint64_t chance = 88172645463325252u;
  for (uint32_t i = y->count; i-- > 1;) {
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    uint32_t k = (uint32_t)(chance >> 33) % (i + 1);
    Component swap = y->items[i];
    y->items[i] = y->items[k];
    y->items[k] = swap;
  }
}
#endif

bool system_layout(System *s) {
  ComponentList y = {0};
  for (uint32_t i = 0; i < s->coord_count; i++) vec_push(s->arena, &y, position(s, i));
  put_states(s, state_position, &y);
  for (uint32_t i = 0; i < s->coord_count; i++) vec_push(s->arena, &y, velocity(s, i));
  put_states(s, state_velocity, &y);
  put_states(s, state_plain, &y);
#ifdef VIVA_SHUFFLED
  shuffle(&y);
#endif
  s->place_count = s->pool->symbols.count;
  s->place = arena_array(s->arena, (size_t)s->place_count + 1, sizeof *s->place);
  for (uint32_t i = 0; s->place && i < y.count; i++) {
    if (y.items[i].symbol) s->place[y.items[i].symbol] = i + 1;
  }
  for (uint32_t i = 0; i < s->energy.flows.count; i++) vec_push(s->arena, &y, quadrature(s, i));
  s->y = y;
  return !arena_failed(s->arena);
}

uint32_t system_place(const System *s, SymbolId symbol) {
  return symbol && symbol < s->place_count && s->place[symbol] ? s->place[symbol] - 1 : no_place;
}

uint32_t system_dim(const System *s) {
  uint32_t count = s->y.count;
  while (count && s->y.items[count - 1].kind == component_quadrature) count--;
  return count;
}
