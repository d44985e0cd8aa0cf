// Derivatives, gradients, replacements, corners, ranks: forms and values found by hand.
#include "tests/support.h"

#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/evaluate.h"
#include "expr/modular.h"
#include "expr/print.h"

static Arena *arena;
static ExprPool pool;
static SymbolId sx, sy;
static ExprId x, y;

static int setup(void **state) {
  (void)state;
  arena = arena_new();
  pool_init(&pool, arena);
  sx = pool_symbol(&pool, "x", sym_coord, 0, 0);
  sy = pool_symbol(&pool, "y", sym_coord, 1, 0);
  x = expr_sym(&pool, sx);
  y = expr_sym(&pool, sy);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static const char *text(ExprId id) {
  Text out = text_in(arena);
  expr_print(&pool, id, format_text, NULL, &out);
  return text_str(&out);
}

static ExprId fn(ExprOp op, ExprId a) { return expr_fn(&pool, op, &a, 1); }
static ExprId fn2(ExprOp op, ExprId a, ExprId b) { return expr_fn(&pool, op, (ExprId[]){a, b}, 2); }

static void derivatives_are_those_of_the_book(void **state) {
  (void)state;
  assert_int_equal(expr_diff(&pool, expr_powi(&pool, x, 3), sx), expr_scale(&pool, rat_int(3), expr_powi(&pool, x, 2)));
  assert_int_equal(expr_diff(&pool, fn(op_sin, expr_mul(&pool, x, y)), sx),
                   expr_mul(&pool, y, fn(op_cos, expr_mul(&pool, x, y))));
  assert_int_equal(expr_diff(&pool, fn(op_ln, x), sx), expr_powi(&pool, x, -1));
  assert_int_equal(expr_diff(&pool, expr_powi(&pool, y, 5), sx), pool.zero);
}

// d/dx int_0^x s^2 ds = x^2, and the variable inside hides the one outside
static void integrals_are_derived_by_their_bounds(void **state) {
  (void)state;
  ExprId s = expr_sym(&pool, pool_symbol(&pool, "s", sym_bound, 0, 0));
  ExprId area = expr_raw(&pool, op_integral, (ExprId[]){expr_powi(&pool, s, 2), s, pool.zero, x}, 4);
  assert_int_equal(expr_diff(&pool, area, sx), expr_powi(&pool, x, 2));
  SymbolMap map = symbol_map_new(&pool);
  symbol_map_set(&map, expr_symbol(&pool, s), y);
  ExprId out = 0;
  assert_true(expr_replace(&pool, &map, &area, 1, &out));
  assert_int_equal(out, area);
}

// More entries than the map begins with, and symbols that came after it.
static void maps_grow(void **state) {
  (void)state;
  SymbolMap map = symbol_map_new(&pool);
  SymbolId first = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    SymbolId s = pool_symbol(&pool, "p", sym_param, i, 0);
    if (!i) first = s;
    symbol_map_set(&map, s, expr_int(&pool, i));
  }
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(symbol_map_get(&map, first + i), expr_int(&pool, i));
  assert_int_equal(symbol_map_get(&map, sx), 0);
  symbol_map_unset(&map, first);
  assert_int_equal(symbol_map_get(&map, first), 0);
  assert_int_equal(symbol_map_get(&map, first + 1), pool.one);
  symbol_map_clear(&map);
  assert_int_equal(symbol_map_get(&map, first + 1), 0);
  assert_int_equal(map.mask, 0);
}

// The gradient is the derivatives one by one: of a sum, a product, a constant.
static void gradients_are_the_derivatives(void **state) {
  (void)state;
  enum { n = 50 };
  SymbolId q[n];
  ExprId sum = fn(op_cos, x), out[n];
  for (uint32_t i = 0; i < n; i++) q[i] = pool_symbol(&pool, "q", sym_coord, 2 + i, 0);
  for (uint32_t i = 1; i < n; i++) { // springs of a chain
    ExprId stretch = expr_sub(&pool, expr_sym(&pool, q[i]), expr_sym(&pool, q[i - 1]));
    sum = expr_add(&pool, sum, expr_powi(&pool, stretch, 2));
  }
  assert_true(expr_gradient(&pool, sum, q, n, out));
  for (uint32_t i = 0; i < n; i++) assert_int_equal(out[i], expr_diff(&pool, sum, q[i]));
  ExprId product = expr_mul(&pool, fn(op_sin, expr_sym(&pool, q[3])), x);
  assert_true(expr_gradient(&pool, product, q, n, out));
  for (uint32_t i = 0; i < n; i++) assert_int_equal(out[i], expr_diff(&pool, product, q[i]));
  assert_true(expr_gradient(&pool, pool.pi, q, n, out));
  assert_int_equal(out[7], pool.zero);
  assert_false(expr_gradient(&pool, 0, q, n, out));
}

static void corners_and_jumps_are_told_apart(void **state) {
  (void)state;
  KindSet moving = kinds_moving();
  ExprId zero = pool.zero, below = fn2(op_lt, x, zero);
  assert_true(expr_has_corner(&pool, fn(op_abs, x), moving));
  assert_false(expr_has_jump(&pool, fn(op_abs, x), moving));
  assert_false(expr_has_corner(&pool, fn(op_abs, x), kind_set(sym_velocity)));
  assert_true(expr_may_jump(&pool, arena, below, moving));
  // x*(x < 0) is continuous, (x + 1)*(x < 0) is not; atan(1/x) jumps without any switch
  assert_false(expr_may_jump(&pool, arena, expr_mul(&pool, x, below), moving));
  assert_true(expr_may_jump(&pool, arena, expr_mul(&pool, expr_add(&pool, x, pool.one), below), moving));
  assert_true(expr_may_jump(&pool, arena, fn(op_atan, expr_powi(&pool, x, -1)), moving));
}

static void ranks_are_those_of_the_forms(void **state) {
  (void)state;
  ExprId c = fn(op_cos, x), s = fn(op_sin, x);
  ExprId turn[4] = {c, expr_neg(&pool, s), s, c}; // determinant 1
  ExprId singular[4] = {expr_mul(&pool, x, x), expr_mul(&pool, x, y), expr_mul(&pool, x, y), expr_mul(&pool, y, y)};
  assert_int_equal(expr_rank(&pool, turn, 2, 2, NULL), 2);
  assert_int_equal(expr_rank(&pool, singular, 2, 2, NULL), 1);
  uint64_t value;
  ExprId one = expr_sub(&pool, expr_add(&pool, expr_mul(&pool, c, c), expr_mul(&pool, s, s)), pool.one);
  assert_true(expr_eval_mod(&pool, &one, 1, 42, &value));
  assert_int_equal(value, 0);
}

// At a rational point of the circle c^2 + s^2 is 1 to the last digit.
static void exact_points_lie_on_the_circle(void **state) {
  (void)state;
  ExprId c = fn(op_cos, x), s = fn(op_sin, x);
  ExprId roots[2] = {expr_add(&pool, expr_powi(&pool, c, 2), expr_powi(&pool, s, 2)), c};
  assert_true(point_can_be_exact(&pool, arena, roots, 2));
  assert_false(point_can_be_exact(&pool, arena, (ExprId[]){expr_add(&pool, c, x)}, 1));
  for (uint32_t attempt = 0; attempt < 5; attempt++) {
    Point p;
    Num v[2];
    assert_true(point_open(&p, &pool, arena, roots, 2, attempt, true));
    assert_true(point_eval(&p, roots, 2, v));
    assert_true(rat_is_int_value(v[0].r, 1));
    assert_true(rat_compare(v[1].r, RAT_ONE) <= 0);
    point_close(&p);
  }
}

static void products_are_multiplied_out(void **state) {
  (void)state;
  ExprId product = expr_mul(&pool, expr_add(&pool, x, y), expr_sub(&pool, x, y));
  assert_string_equal(text(expr_expand(&pool, product, 100)), "x^2 - y^2");
  ExprId power = expr_powi(&pool, expr_add(&pool, x, y), 3);
  assert_int_equal(expr_term_count(&pool, expr_expand(&pool, power, 100)), 4);
  assert_int_equal(expr_expand(&pool, power, 2), power); // it would grow too long
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(derivatives_are_those_of_the_book, setup, teardown),
      cmocka_unit_test_setup_teardown(integrals_are_derived_by_their_bounds, setup, teardown),
      cmocka_unit_test_setup_teardown(maps_grow, setup, teardown),
      cmocka_unit_test_setup_teardown(gradients_are_the_derivatives, setup, teardown),
      cmocka_unit_test_setup_teardown(corners_and_jumps_are_told_apart, setup, teardown),
      cmocka_unit_test_setup_teardown(ranks_are_those_of_the_forms, setup, teardown),
      cmocka_unit_test_setup_teardown(exact_points_lie_on_the_circle, setup, teardown),
      cmocka_unit_test_setup_teardown(products_are_multiplied_out, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
