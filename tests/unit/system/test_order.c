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

// Where a definition stands among the steps; UINT32_MAX: nowhere.
static uint32_t step_of(const System *s, uint32_t definition) {
  for (uint32_t i = 0; i < s->steps.count; i++) {
    if (s->steps.items[i].kind == step_define && s->steps.items[i].index == definition) return i;
  }
  return UINT32_MAX;
}

// m = m + z, z = 2 n, n = k: memories m and n are computed by rules, and z between them. In the rule of m its own
// symbol is the value before, which is no circle.
static void rules_of_memories_are_items(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  ExprId k = bare_param(b, "k");
  assert_true(system_init(&b->s));
  SymbolId z = new_symbol(b, "z"), m = pool_symbol(p, "m", sym_memory, 0, 0), n = pool_symbol(p, "n", sym_memory, 1, 0);
  put_definition(b, z, expr_scale(p, rat_int(2), expr_sym(p, n)));
  Definition rules[] = {{m, expr_add(p, expr_sym(p, m), expr_sym(p, z)), 0}, {n, k, 0}};
  System with;
  OrderRules r = {.items = rules, .count = 2, .with = &with};
  assert_true(system_order(&b->s, &r));
  assert_int_equal(b->diags.errors, 0);
  assert_true(r.ordered);
  // without the rules memories are given
  assert_int_equal(b->s.definitions.count, 1);
  assert_int_equal(b->s.steps.count, 1);
  assert_int_equal(with.definitions.count, 3);
  assert_int_equal(with.steps.count, 3);
  assert_int_equal(step_of(&with, 2), 0); // n
  assert_int_equal(step_of(&with, 0), 1); // z
  assert_int_equal(step_of(&with, 1), 2); // m
  bare_free(b);
}

// Rules in a circle are left out, never solved: all of them see the old values. The circle a = k s, s = a + 1 beside
// them is solved as ever.
static void expect_no_rules(Bare *b, const Definition *rules, uint32_t count) {
  ExprPool *p = &b->pool;
  SymbolId a = new_symbol(b, "a"), s = new_symbol(b, "s");
  put_definition(b, a, expr_mul(p, bare_param(b, "k"), expr_sym(p, s)));
  put_definition(b, s, expr_add(p, expr_sym(p, a), p->one));
  uint32_t definitions = b->s.definitions.count;
  System with;
  OrderRules r = {.items = rules, .count = count, .with = &with};
  assert_true(system_order(&b->s, &r));
  assert_int_equal(b->diags.errors, 0);
  assert_false(r.ordered);
  for (const System *x = &b->s; x; x = x == &with ? NULL : &with) {
    assert_int_equal(x->definitions.count, definitions);
    assert_int_equal(x->steps.count, definitions - 1); // the block of a and s, and the others
    assert_int_equal(x->blocks.count, 1);
    assert_int_equal(x->blocks.items[0].count, 2);
    assert_int_equal(x->held.count, 2);
    assert_int_equal(x->notes.count, 0);
  }
}

static void rules_in_a_circle_are_not_solved(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  assert_true(system_init(&b->s));
  SymbolId m = pool_symbol(p, "m", sym_memory, 0, 0), n = pool_symbol(p, "n", sym_memory, 1, 0);
  // as equations m = n/2 + 1, n = m/2 they would have a solution
  Definition rules[] = {{m, expr_add(p, bare_half(b, expr_sym(p, n)), p->one), 0},
                        {n, bare_half(b, expr_sym(p, m)), 0}};
  expect_no_rules(b, rules, 2);
  bare_free(b);
}

// The rule of m needs z, and z needs m: as equations z = m/2 + 1, m = z/2 they would have a solution.
static void rules_in_a_circle_with_equations_are_not_solved(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  assert_true(system_init(&b->s));
  SymbolId m = pool_symbol(p, "m", sym_memory, 0, 0), z = new_symbol(b, "z");
  put_definition(b, z, expr_add(p, bare_half(b, expr_sym(p, m)), p->one));
  expect_no_rules(b, &(Definition){m, bare_half(b, expr_sym(p, z)), 0}, 1);
  bare_free(b);
}

// What a circle holds is computed by its block alone, also where a rule reads it.
static void rules_read_what_circles_are_solved_to(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  ExprId k = bare_param(b, "k");
  assert_true(system_init(&b->s));
  SymbolId a = new_symbol(b, "a"), s = new_symbol(b, "s"), m = pool_symbol(p, "m", sym_memory, 0, 0);
  put_definition(b, a, expr_mul(p, k, expr_sym(p, s)));
  put_definition(b, s, expr_add(p, expr_sym(p, a), p->one));
  System with;
  OrderRules r = {.items = &(Definition){m, expr_sym(p, a), 0}, .count = 1, .with = &with};
  assert_true(system_order(&b->s, &r));
  assert_true(r.ordered);
  assert_int_equal(with.steps.count, 2);
  assert_int_equal(with.steps.items[0].kind, step_solve);
  assert_int_equal(step_of(&with, 2), 1);
  bare_free(b);
}

// As it was before its order: what circles brought is gone, and the ordered system keeps it.
static void an_order_can_be_taken_back(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  ExprId k = bare_param(b, "k");
  assert_true(system_init(&b->s));
  SymbolId a = new_symbol(b, "a"), s = new_symbol(b, "s");
  put_definition(b, a, expr_mul(p, k, expr_sym(p, s)));
  put_definition(b, s, expr_add(p, expr_sym(p, a), p->one));
  assert_true(system_order(&b->s, NULL));
  System own = b->s;
  assert_true(system_unorder(&own));
  assert_int_equal(own.definitions.count, 2);
  assert_int_equal(own.blocks.count + own.held.count + own.steps.count, 0);
  own.definitions.items[1].value = p->one; // no circle any more
  assert_true(system_order(&own, NULL));
  assert_int_equal(own.steps.count, 2);
  assert_int_equal(own.steps.items[0].index, 1);
  assert_int_equal(own.blocks.count, 0);
  assert_int_equal(b->s.steps.count, 1);
  assert_int_equal(b->s.blocks.items[0].count, 2);
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
  Block block = {
      .count = 1, .symmetric = true, .unknowns = &b->s.states.items[x].rate, .rhs = &force, .origins = &origin};
  assert_true(block_from_dense(b->arena, p, &block, &m));
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
      cmocka_unit_test(rules_of_memories_are_items),
      cmocka_unit_test(rules_in_a_circle_are_not_solved),
      cmocka_unit_test(rules_in_a_circle_with_equations_are_not_solved),
      cmocka_unit_test(rules_read_what_circles_are_solved_to),
      cmocka_unit_test(an_order_can_be_taken_back),
      cmocka_unit_test(a_block_may_solve_for_rates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
