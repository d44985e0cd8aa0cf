// Rules of sums, products, powers and functions: equal expressions have equal ids.
#include "tests/support.h"

#include "expr/calculus.h"
#include "expr/print.h"

static Arena *arena;
static ExprPool pool;
static ExprId x, y, a;

static int setup(void **state) {
  (void)state;
  arena = arena_new();
  pool_init(&pool, arena);
  x = expr_sym(&pool, pool_symbol(&pool, "x", sym_coord, 0, 0));
  y = expr_sym(&pool, pool_symbol(&pool, "y", sym_coord, 1, 0));
  a = expr_sym(&pool, pool_symbol(&pool, "a", sym_param, 0, 0));
  return 0;
}
static int teardown(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static ExprId add(ExprId p, ExprId q) { return expr_add(&pool, p, q); }
static ExprId mul(ExprId p, ExprId q) { return expr_mul(&pool, p, q); }
static ExprId num(int64_t n) { return expr_int(&pool, n); }
static ExprId fn(ExprOp op, ExprId p) { return expr_fn(&pool, op, &p, 1); }

static void like_terms_are_collected(void **state) {
  (void)state;
  assert_int_equal(add(x, x), mul(num(2), x));
  assert_int_equal(add(mul(num(2), x), mul(num(-2), x)), pool.zero);
  assert_int_equal(add(x, y), add(y, x));
  assert_int_equal(mul(num(2), add(x, y)), add(mul(num(2), x), mul(num(2), y)));
}

static void equal_bases_are_joined(void **state) {
  (void)state;
  assert_int_equal(mul(x, x), expr_powi(&pool, x, 2));
  assert_int_equal(mul(expr_powi(&pool, x, 3), expr_powi(&pool, x, -3)), pool.one);
  assert_int_equal(expr_powi(&pool, expr_sqrt(&pool, add(x, y)), 2), add(x, y));
  assert_int_equal(expr_div(&pool, x, x), pool.one);
}

static void roots_keep_their_sign(void **state) {
  (void)state;
  assert_int_equal(expr_sqrt(&pool, expr_powi(&pool, x, 2)), fn(op_abs, x));
  assert_int_equal(expr_sqrt(&pool, num(9)), num(3));
  assert_int_equal(expr_powi(&pool, fn(op_abs, x), 2), expr_powi(&pool, x, 2));
  // sqrt(2)*sqrt(2) is 2
  assert_int_equal(mul(expr_sqrt(&pool, num(2)), expr_sqrt(&pool, num(2))), num(2));
}

static void signs_leave_odd_and_even_functions(void **state) {
  (void)state;
  assert_int_equal(fn(op_sin, expr_neg(&pool, x)), expr_neg(&pool, fn(op_sin, x)));
  assert_int_equal(fn(op_cos, expr_neg(&pool, x)), fn(op_cos, x));
  ExprId d = expr_sub(&pool, x, y), e = expr_sub(&pool, y, x);
  assert_int_equal(fn(op_cos, d), fn(op_cos, e));
  assert_int_equal(expr_powi(&pool, d, 2), expr_powi(&pool, e, 2));
  assert_int_equal(fn(op_sin, mul(num(2), pool.pi)), pool.zero);
  assert_int_equal(fn(op_cos, pool.pi), pool.minus_one);
}

static void division_by_zero_is_undefined(void **state) {
  (void)state;
  assert_int_equal(expr_op(&pool, expr_div(&pool, x, pool.zero)), op_undefined);
  assert_int_equal(expr_op(&pool, add(y, expr_powi(&pool, pool.zero, -1))), op_undefined);
}

static void failure_is_absorbing(void **state) {
  (void)state;
  assert_int_equal(add(x, 0), 0);
  assert_int_equal(mul(0, x), 0);
  assert_int_equal(fn(op_sin, 0), 0);
  assert_int_equal(expr_diff(&pool, 0, 1), 0);
}

static void expansion_joins_sines_and_cosines(void **state) {
  (void)state;
  ExprId s = fn(op_sin, x), c = fn(op_cos, x), s2 = fn(op_sin, y), c2 = fn(op_cos, y);
  ExprId one = add(mul(a, expr_powi(&pool, s, 2)), mul(a, expr_powi(&pool, c, 2)));
  assert_int_equal(expr_expand(&pool, one, 1000), a);
  ExprId angle = expr_sub(&pool, x, y);
  assert_int_equal(expr_expand(&pool, add(mul(c, c2), mul(s, s2)), 1000), fn(op_cos, angle));
  assert_int_equal(expr_expand(&pool, expr_sub(&pool, mul(s, c2), mul(c, s2)), 1000), fn(op_sin, angle));
  assert_int_equal(expr_expand(&pool, expr_sub(&pool, mul(c, c2), mul(s, s2)), 1000), fn(op_cos, add(x, y)));
}

static const char *text(ExprId id) {
  Text t = text_in(arena);
  expr_print(&pool, id, format_text, NULL, &t);
  return text_str(&t);
}

static void text_reads_like_a_book(void **state) {
  (void)state;
  assert_string_equal(text(expr_sub(&pool, mul(a, x), mul(num(2), y))), "a*x - 2*y");
  assert_string_equal(text(expr_div(&pool, a, mul(x, y))), "a/(x*y)");
  assert_string_equal(text(expr_powi(&pool, add(x, y), 2)), "(x + y)^2");
  assert_string_equal(text(expr_neg(&pool, mul(a, fn(op_sin, x)))), "-a*sin(x)");
  assert_string_equal(text(expr_sqrt(&pool, x)), "sqrt(x)");
  assert_string_equal(text(mul(expr_num(&pool, rat_make(arena, 1, 2)), expr_powi(&pool, x, 2))), "1/2*x^2");
  assert_string_equal(text(expr_pow(&pool, expr_neg(&pool, x), expr_num(&pool, rat_make(arena, 1, 3)))), "(-x)^(1/3)");
  assert_string_equal(text(expr_powi(&pool, num(2), 3)), "8");
  assert_string_equal(text(expr_pow(&pool, num(2), x)), "2^x");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(like_terms_are_collected, setup, teardown),
      cmocka_unit_test_setup_teardown(equal_bases_are_joined, setup, teardown),
      cmocka_unit_test_setup_teardown(roots_keep_their_sign, setup, teardown),
      cmocka_unit_test_setup_teardown(signs_leave_odd_and_even_functions, setup, teardown),
      cmocka_unit_test_setup_teardown(division_by_zero_is_undefined, setup, teardown),
      cmocka_unit_test_setup_teardown(failure_is_absorbing, setup, teardown),
      cmocka_unit_test_setup_teardown(expansion_joins_sines_and_cosines, setup, teardown),
      cmocka_unit_test_setup_teardown(text_reads_like_a_book, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
