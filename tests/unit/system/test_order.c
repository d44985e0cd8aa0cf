// The order of computation, and circles.
#include "tests/unit/system/bare.h"

static SymbolId put_definition(Bare *b, SymbolId symbol, ExprId value) {
  uint32_t origin = system_origin(&b->s, (Span){0}, "a test", value);
  assert_true(vec_push(b->arena, &b->s.definitions, ((Definition){symbol, value, origin})));
  return symbol;
}

static SymbolId new_symbol(Bare *b, const char *name) { return pool_symbol(&b->pool, name, sym_signal, 0, 0); }

// c = b, b = a + 1, a = k: taken from the last to the first, whatever the order of their lines.
static void what_is_needed_comes_first(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  ExprId k = bare_param(b, "k");
  assert_true(system_init(&b->s));
  SymbolId a = new_symbol(b, "a"), s = new_symbol(b, "b"), c = new_symbol(b, "c");
  put_definition(b, c, expr_sym(p, s));
  put_definition(b, s, expr_add(p, expr_sym(p, a), p->one));
  put_definition(b, a, k);
  assert_true(system_order(&b->s, NULL));
  static const uint32_t expected[] = {2, 1, 0};
  assert_int_equal(b->s.steps.count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(b->s.steps.items[i].kind, step_define);
    assert_int_equal(b->s.steps.items[i].index, expected[i]);
  }
  bare_free(b);
}

// a = k s, s = a + 1 need each other: one implicit block of both. d = a comes after it.
static void circles_are_solved_together(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  ExprId k = bare_param(b, "k");
  assert_true(system_init(&b->s));
  SymbolId a = new_symbol(b, "a"), s = new_symbol(b, "s"), d = new_symbol(b, "d");
  put_definition(b, d, expr_sym(p, a));
  put_definition(b, a, expr_mul(p, k, expr_sym(p, s)));
  put_definition(b, s, expr_add(p, expr_sym(p, a), p->one));
  assert_true(system_order(&b->s, NULL));
  assert_int_equal(b->diags.errors, 0);
  assert_int_equal(b->s.steps.count, 2);
  assert_int_equal(b->s.steps.items[0].kind, step_solve);
  assert_int_equal(b->s.blocks.items[0].count, 2);
  assert_true(b->s.blocks.items[0].implicit);
  assert_int_equal(b->s.steps.items[1].kind, step_define);
  assert_int_equal(b->s.steps.items[1].index, 0);
  bare_free(b);
}

// a = s, s = a: any value would do.
static void circles_that_determine_nothing_are_refused(void **state) {
  (void)state;
  Bare *b = bare_new();
  assert_true(system_init(&b->s));
  SymbolId a = new_symbol(b, "a"), s = new_symbol(b, "s");
  put_definition(b, a, expr_sym(&b->pool, s));
  put_definition(b, s, expr_sym(&b->pool, a));
  assert_true(system_order(&b->s, NULL));
  assert_int_equal(b->diags.errors, 1);
  assert_int_equal(b->diags.list.items[0].code, diag_singular_loop);
  bare_free(b);
}

// A rate that a block of the formulation solves for is no unknown of implicit equations.
static void a_block_may_solve_for_rates(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t x = bare_state(b, "x");
  ExprId m = bare_param(b, "m"), force = expr_neg(p, expr_sym(p, b->s.states.items[x].x));
  b->s.states.items[x].implicit = true;
  assert_true(system_init(&b->s));
  uint32_t origin = system_origin(&b->s, (Span){0}, "a test", force);
  Block block = {.count = 1,
                 .symmetric = true,
                 .unknowns = &b->s.states.items[x].rate,
                 .matrix = &m,
                 .rhs = &force,
                 .origins = &origin};
  assert_true(vec_push(b->arena, &b->s.blocks, block));
  assert_true(system_finish(&b->s));
  assert_int_equal(b->diags.errors, 0);
  assert_int_equal(b->s.steps.count, 1);
  assert_int_equal(b->s.steps.items[0].kind, step_solve);
  assert_int_equal(system_dim(&b->s), 1);
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_needed_comes_first),
      cmocka_unit_test(circles_are_solved_together),
      cmocka_unit_test(circles_that_determine_nothing_are_refused),
      cmocka_unit_test(a_block_may_solve_for_rates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
