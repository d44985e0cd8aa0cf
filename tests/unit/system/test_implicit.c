// An implicit block: z^3 + z - k w = 0, w - z = 1.
#include "tests/unit/system/bare.h"

#include "system/implicit.h"

static void derivatives_bodies_and_guesses(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  SymbolId unknowns[2] = {pool_symbol(p, "z", sym_unknown, 0, 0), pool_symbol(p, "w", sym_unknown, 1, 0)};
  ExprId k = bare_param(b, "k"), z = expr_sym(p, unknowns[0]), w = expr_sym(p, unknowns[1]);
  ExprId residuals[2] = {expr_sub(p, expr_add(p, expr_powi(p, z, 3), z), expr_mul(p, k, w)),
                         expr_sub(p, expr_sub(p, w, z), p->one)};
  ExprId starts[2] = {p->one, k};
  assert_true(system_init(&b->s));
  Block block = {.count = 2, .unknowns = unknowns, .rhs = residuals};
  assert_true(implicit_block(&b->s, &block, starts));
  assert_true(block.implicit && !block.symmetric);
  ExprId three = expr_add(p, expr_scale(p, rat_int(3), expr_powi(p, z, 2)), p->one);
  bare_equal(b, block_entry(p, &block, 0, 0), three);
  bare_equal(b, block_entry(p, &block, 0, 1), expr_neg(p, k));
  bare_equal(b, block_entry(p, &block, 1, 0), p->minus_one);
  bare_equal(b, block_entry(p, &block, 1, 1), p->one);
  // the body: residuals, then derivatives, in variables of its own
  for (uint32_t i = 0; i < 6; i++) {
    assert_false(expr_depends(p, block.body[i], unknowns[0]) || expr_depends(p, block.body[i], unknowns[1]));
  }
  assert_true(expr_depends(p, block.body[0], block.bound[0]) && expr_depends(p, block.body[0], block.bound[1]));
  assert_true(expr_depends(p, block.body[2], block.bound[0]));
  // held: the last solution, which begins at the start
  assert_int_equal(b->s.held.count, 2);
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(b->s.held.items[i].of, unknowns[i]);
    assert_int_equal(b->s.held.items[i].symbol, block.guesses[i]);
    assert_int_equal(b->s.held.items[i].start, starts[i]);
  }
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_bodies_and_guesses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
