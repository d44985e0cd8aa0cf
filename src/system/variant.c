// A system with other parameter values and initial conditions. See variant.h.
//
// A parameter is a symbol everywhere but in its own entry, so its value stands in one field. A start stands in the list
// of coordinates or states and in the table of components; where velocities were combined or equations are solved from
// a first guess it went into other expressions too, and is not free.
#include "system/variant.h"

#include <string.h>

// Each coordinate moves by its own velocity, and nothing is solved from a first guess.
static bool starts_are_plain(const System *s) {
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const Speed *speed = &s->speeds[i];
    if (speed->symbol != s->coords.items[i].v || speed->start != s->coords.items[i].v0) return false;
  }
  return s->held.count == 0;
}

// Do parameters stand in what a storage loses? Then it is looked at for their values when a model is read.
static bool losses_depend(const System *s, const SystemStorage *x) {
  KindSet params = kind_set(sym_param);
  for (uint32_t i = 0; i < x->count * x->count; i++) {
    if (expr_has_kinds(s->pool, x->R[i], params)) return true;
  }
  for (uint32_t k = 0; k < x->ports.count; k++) {
    const SystemPort *p = &x->ports.items[k];
    for (uint32_t i = 0; i < x->count; i++) {
      if (expr_has_kinds(s->pool, p->through[i], params)) return true;
    }
    for (uint32_t j = 0; j < x->ports.count; j++) {
      if (expr_has_kinds(s->pool, p->feed[j], params)) return true;
    }
  }
  return false;
}

static bool param_is_free(const System *s, const Variant *v) {
  const SystemParam *p = &s->params.items[v->index];
  for (uint32_t i = 0; i < s->storages.count; i++) {
    if (losses_depend(s, &s->storages.items[i])) return false;
  }
  return !p->structural && p->value && !expr_has_kind(s->pool, p->value, sym_param) &&
         !expr_has_kind(s->pool, v->value, sym_param);
}

bool variant_is_free(const System *s, const Variant *v) {
  if (v->kind == variant_other || !v->value) return false;
  return v->kind == variant_param ? param_is_free(s, v) : starts_are_plain(s);
}

static void put_start(System *s, const Variant *v) {
  ComponentOrigin from = v->kind == variant_state ? of_state : of_coord;
  ComponentKind kind = v->kind == variant_place      ? component_position
                       : v->kind == variant_velocity ? component_velocity
                                                     : component_state;
  for (uint32_t i = 0; i < s->y.count; i++) {
    Component *y = &s->y.items[i];
    if (y->from == from && y->kind == kind && y->of == v->index) y->start = v->value;
  }
}

static void put(System *s, const Variant *v) {
  switch (v->kind) {
  case variant_param: s->params.items[v->index].value = v->value; return;
  case variant_place: s->coords.items[v->index].q0 = v->value; break;
  case variant_velocity: s->speeds[v->index].start = s->coords.items[v->index].v0 = v->value; break;
  case variant_state: s->states.items[v->index].x0 = v->value; break;
  case variant_other: return;
  }
  put_start(s, v);
}

// A copy of count things, with space for one more. NULL: out of memory.
static void *copy_of(Arena *arena, const void *from, size_t count, size_t size) {
  void *to = arena_array(arena, count + 1, size);
  if (to && count) memcpy(to, from, count * size);
  return to;
}

#define OWN_LIST(arena, list)                                                                                          \
  do {                                                                                                                 \
    (list).items = copy_of((arena), (list).items, (list).count, sizeof *(list).items);                                 \
    (list).cap = (list).count + 1;                                                                                     \
  } while (0)

bool variant_make(System *copy, const System *s, Arena *arena, const Variant *numbers, uint32_t count) {
  *copy = *s;
  copy->arena = arena;
  OWN_LIST(arena, copy->params);
  OWN_LIST(arena, copy->coords);
  OWN_LIST(arena, copy->states);
  OWN_LIST(arena, copy->y);
  copy->speeds = copy_of(arena, s->speeds, s->coord_count, sizeof *s->speeds);
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < count; i++) put(copy, &numbers[i]);
  return true;
}
