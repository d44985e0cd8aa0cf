// Systems by hand, without a language: symbols, expressions, and form_build.
#ifndef VIVA_TESTS_BARE_H
#define VIVA_TESTS_BARE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/decide.h"
#include "form/form.h"

#include <stdlib.h>
#include <string.h>

typedef struct Bare {
  Arena *arena;
  ExprPool pool;
  Sources sources;
  Diags diags;
  System s;
} Bare;

static inline Bare *bare_new(void) {
  Arena *arena = arena_new();
  Bare *b = arena_new_of(arena, Bare);
  b->arena = b->sources.arena = b->diags.arena = arena;
  assert_true(pool_init(&b->pool, arena));
  b->s = (System){.arena = arena, .pool = &b->pool, .sources = &b->sources, .diags = &b->diags};
  b->s.time = pool_symbol(&b->pool, "t", sym_time, 0, 0);
  return b;
}

static inline void bare_free(Bare *b) { arena_free(b->arena); }

static inline ExprId bare_param(Bare *b, const char *name) {
  SystemParam p = {
      .symbol = pool_symbol(&b->pool, name, sym_param, b->s.params.count, 0), .name = name, .unit = &unit_unsaid};
  assert_true(vec_push(b->arena, &b->s.params, p));
  return expr_sym(&b->pool, p.symbol);
}

static inline uint32_t bare_coord(Bare *b, const char *name) {
  uint32_t i = b->s.coords.count;
  SystemCoord c = {.q = pool_symbol(&b->pool, name, sym_coord, i, 0),
                   .v = pool_symbol(&b->pool, arena_printf(b->arena, "%s'", name), sym_velocity, i, 1),
                   .a = pool_symbol(&b->pool, arena_printf(b->arena, "%s''", name), sym_acceleration, i, 2),
                   .name = name,
                   .q0 = b->pool.zero,
                   .v0 = b->pool.zero};
  assert_true(vec_push(b->arena, &b->s.coords, c));
  return i;
}

static inline ExprId bare_q(const Bare *b, uint32_t i) { return expr_sym(&b->pool, b->s.coords.items[i].q); }
static inline ExprId bare_v(const Bare *b, uint32_t i) { return expr_sym(&b->pool, b->s.coords.items[i].v); }
static inline ExprId bare_a(const Bare *b, uint32_t i) { return expr_sym(&b->pool, b->s.coords.items[i].a); }

static inline uint32_t bare_state(Bare *b, const char *name) {
  uint32_t i = b->s.states.count;
  SystemState x = {.x = pool_symbol(&b->pool, name, sym_state, i, 0),
                   .rate = pool_symbol(&b->pool, arena_printf(b->arena, "%s'", name), sym_state_rate, i, 1),
                   .name = name,
                   .x0 = b->pool.zero};
  assert_true(vec_push(b->arena, &b->s.states, x));
  return i;
}

static inline void bare_energy(Bare *b, EnergyKind kind, ExprId value) {
  assert_true(value && vec_push(b->arena, &b->s.energies, ((SystemTerm){.kind = kind, .value = value})));
}

static inline void bare_build(Bare *b) {
  assert_true(form_build(&b->s));
  for (uint32_t i = 0; b->diags.errors && i < b->diags.list.count; i++)
    print_error("%s\n", b->diags.list.items[i].message);
  assert_int_equal(b->diags.errors, 0);
}

// Equal for all values, decided.
static inline void bare_equal(Bare *b, ExprId found, ExprId expected) {
  assert_true(found && expected);
  assert_true(expr_vanishes(&b->pool, b->arena, expr_sub(&b->pool, found, expected)));
}

// product of up to four
static inline ExprId bare_mul(Bare *b, ExprId x, ExprId y, ExprId z, ExprId w) {
  ExprId p = expr_mul(&b->pool, x, y);
  if (z) p = expr_mul(&b->pool, p, z);
  return w ? expr_mul(&b->pool, p, w) : p;
}

static inline ExprId bare_half(Bare *b, ExprId x) { return expr_scale(&b->pool, rat_make(b->arena, 1, 2), x); }
static inline ExprId bare_fn(Bare *b, ExprOp op, ExprId x) { return expr_fn(&b->pool, op, &x, 1); }

#endif
