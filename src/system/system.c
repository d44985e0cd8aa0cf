// A System at its start: space for its equations, a copy of it, also without its order,
// time derivatives of its expressions.
#include "system/system.h"

#include "expr/calculus.h"

#include <string.h>

bool system_init(System *s) {
  Arena *arena = s->arena;
  uint32_t n = s->coord_count = s->coords.count, m = s->state_count = s->states.count;
  s->M = arena_array(arena, n, sizeof *s->M);
  s->h = arena_array(arena, n, sizeof(ExprId));
  s->source = arena_array(arena, n, sizeof *s->source);
  s->role = arena_array(arena, n, sizeof *s->role);
  s->speeds = arena_array(arena, n, sizeof *s->speeds);
  s->null_row = arena_array(arena, n, sizeof(ExprId));
  s->f = arena_array(arena, m, sizeof(ExprId));
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < n; i++) s->h[i] = s->pool->zero;
  for (uint32_t i = 0; i < m; i++) s->f[i] = s->pool->zero;
  s->energy.kinetic = s->energy.potential = s->energy.stored = s->pool->zero;
  vec_push(arena, &s->energy.flows, (EnergyFlow){"dissipated", s->pool->zero, 1});
  vec_push(arena, &s->energy.flows, (EnergyFlow){"supplied", s->pool->zero, -1});
  return !arena_failed(arena);
}

bool system_clone(System *copy, const System *s, ExprPool *pool, Arena *arena) {
  *copy = *s;
  copy->arena = arena;
  copy->pool = pool;
  return pool_clone(pool, s->pool, arena);
}

#define OWN_COPY(arena, list, length)                                                                                  \
  ((list).count = (list).cap = (length), (list).items = own_copy(arena, (list).items, (length), sizeof *(list).items))

static void *own_copy(Arena *arena, const void *items, size_t count, size_t size) {
  void *p = arena_array(arena, count, size);
  if (p && count) memcpy(p, items, count * size);
  return p;
}

bool system_unorder(System *s) {
  OWN_COPY(s->arena, s->definitions, s->definitions.count);
  OWN_COPY(s->arena, s->blocks, s->unordered.blocks);
  OWN_COPY(s->arena, s->held, s->unordered.held);
  OWN_COPY(s->arena, s->origins, s->unordered.origins);
  OWN_COPY(s->arena, s->notes, s->unordered.notes);
  s->steps = (SystemStepList){0};
  return !arena_failed(s->arena);
}

void system_roots(const System *s, Arena *arena, ExprList *roots) {
  for (uint32_t i = 0; i < s->definitions.count; i++) vec_push(arena, roots, s->definitions.items[i].value);
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    for (uint32_t k = 0; k < b->count; k++) vec_push(arena, roots, b->rhs[k]);
    for (uint32_t k = 0; k < block_entries(b); k++) vec_push(arena, roots, b->matrix.value[k]);
  }
  for (uint32_t i = 0; i < s->calls.count; i++) {
    const SystemCall *c = &s->calls.items[i];
    for (uint32_t k = 0; k < c->arg_count; k++) vec_push(arena, roots, c->args[k]);
  }
}

uint32_t system_origin(System *s, Span span, const char *label, ExprId root) {
  return vec_push(s->arena, &s->origins, (Origin){span, label, root}) ? s->origins.count : 0;
}

static const SystemState *turn_state(const System *s, uint32_t i) {
  return &s->states.items[s->turns.items[i - s->coord_count].state];
}

SymbolId system_freedom_velocity(const System *s, uint32_t i) {
  return i < s->coord_count ? s->coords.items[i].v : turn_state(s, i)->x;
}

SymbolId system_freedom_rate(const System *s, uint32_t i) {
  return i < s->coord_count ? s->coords.items[i].a : turn_state(s, i)->rate;
}

const char *system_freedom_name(const System *s, uint32_t i) {
  return i < s->coord_count ? s->coords.items[i].name : turn_state(s, i)->name;
}

Span system_freedom_span(const System *s, uint32_t i) {
  return i < s->coord_count ? s->coords.items[i].span : turn_state(s, i)->span;
}

SymbolId system_rate(System *s, SymbolId symbol) {
  const Symbol *x = pool_symbol_get(s->pool, symbol);
  switch (x->kind) {
  case sym_coord: return s->coords.items[x->index].v;
  case sym_velocity: return s->coords.items[x->index].a;
  case sym_state: return s->states.items[x->index].rate;
  case sym_input:
  case sym_input_rate: return input_rate(s->arena, s->pool, &s->input_rates, symbol, (Span){0});
  default: return 0;
  }
}

bool system_time_derivative(System *s, const ExprId *roots, uint32_t count, bool accelerations, ExprId *out) {
  ExprPool *pool = s->pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, roots, count, NULL, NULL, &length);
  if (!list) return false;
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(pool, list[i]);
    if (id) vec_push(s->arena, &found, id);
  }
  VEC(ExprId) rates = {0};
  for (uint32_t i = 0; i < found.count; i++) {
    SymbolKind kind = pool_symbol_get(pool, found.items[i])->kind;
    ExprId rate = pool->zero;
    if (kind == sym_time) rate = pool->one;
    else if (kind != sym_velocity || accelerations) {
      const Symbol *x = pool_symbol_get(pool, found.items[i]);
      const SystemState *state = kind == sym_state ? &s->states.items[x->index] : NULL;
      SymbolId r = system_rate(s, found.items[i]);
      if (r) rate = expr_sym(pool, r);
      if (state && state->kinematic) rate = state->kinematic;
      else if (state && state->role == state_velocity && !accelerations) rate = pool->zero;
    }
    if (!vec_push(s->arena, &rates, rate)) return false;
  }
  SymbolMap map = symbol_map_new(pool);
  for (uint32_t i = 0; i < found.count; i++) {
    if (rates.items[i] != pool->zero) symbol_map_set(&map, found.items[i], rates.items[i]);
  }
  return expr_derive(pool, &map, roots, count, out, NULL);
}

bool system_is_curve(const System *s) {
  return !s->coord_count && !s->state_count && !s->unknowns.count && !s->memories.count && !s->delays.count &&
         !s->frictions.count && !s->whens.count && !s->checks.count && !s->held.count;
}
