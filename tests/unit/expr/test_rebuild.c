// A node over other parts, and expressions of one pool in another.
#include "tests/support.h"

#include "expr/import.h"
#include "expr/print.h"
#include "expr/rebuild.h"

static Arena *arena;
static ExprPool pool;
static ExprId x, y, z;

static int setup(void **state) {
  (void)state;
  arena = arena_new();
  pool_init(&pool, arena);
  x = expr_sym(&pool, pool_symbol(&pool, "x", sym_coord, 0, 0));
  y = expr_sym(&pool, pool_symbol(&pool, "y", sym_coord, 1, 0));
  z = expr_sym(&pool, pool_symbol(&pool, "z", sym_coord, 2, 0));
  return 0;
}
static int teardown(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static const char *text(ExprPool *p, ExprId id) {
  Text out = text_in(p->arena);
  expr_print(p, id, format_text, NULL, &out);
  return text_str(&out);
}

// x becomes y; counts what is asked for
static ExprId x_to_y(void *self, ExprId parent, uint32_t i, ExprId part) {
  (void)parent, (void)i;
  if (self) ++*(uint32_t *)self;
  return part == x ? y : part;
}

static ExprId z_to_y(void *self, ExprId parent, uint32_t i, ExprId part) {
  (void)self, (void)parent, (void)i;
  return part == z ? y : part;
}

static void sums_products_and_functions_take_new_parts(void **state) {
  (void)state;
  ExprId sum = expr_add(&pool, expr_scale(&pool, rat_int(3), x), z);
  assert_string_equal(text(&pool, expr_rebuild(&pool, sum, x_to_y, NULL)), "3*y + z");
  ExprId like = expr_add(&pool, expr_scale(&pool, rat_int(3), x), y);
  assert_string_equal(text(&pool, expr_rebuild(&pool, like, x_to_y, NULL)), "4*y"); // like terms meet
  ExprId power = expr_mul(&pool, expr_int(&pool, 2), expr_pow(&pool, x, z));
  assert_string_equal(text(&pool, expr_rebuild(&pool, power, x_to_y, NULL)), "2*y^z");
  ExprId least = expr_fn(&pool, op_min, (ExprId[]){x, z}, 2);
  assert_string_equal(text(&pool, expr_rebuild(&pool, least, x_to_y, NULL)), "min(y, z)");
}

static void what_does_not_change_stays(void **state) {
  (void)state;
  uint32_t asked = 0;
  ExprId sum = expr_add(&pool, y, expr_mul(&pool, y, z));
  assert_int_equal(expr_rebuild(&pool, sum, x_to_y, &asked), sum);
  assert_int_equal(asked, 2);
  assert_int_equal(expr_rebuild(&pool, x, x_to_y, NULL), x); // a symbol has no parts
  assert_int_equal(expr_rebuild(&pool, pool.pi, x_to_y, NULL), pool.pi);
}

static ExprId none(void *self, ExprId parent, uint32_t i, ExprId part) {
  (void)self, (void)parent, (void)i, (void)part;
  return 0;
}

static void failure_is_absorbing(void **state) {
  (void)state;
  assert_int_equal(expr_rebuild(&pool, expr_add(&pool, x, y), none, NULL), 0);
  assert_int_equal(expr_rebuild(&pool, expr_mul(&pool, x, y), none, NULL), 0);
  assert_int_equal(expr_rebuild(&pool, expr_fn(&pool, op_sin, &x, 1), none, NULL), 0);
}

// Tables and integrals have no rules: noise(1, 2, x) of a constant stays as it is.
static void raw_ones_stay_raw(void **state) {
  (void)state;
  ExprId args[3] = {pool.one, pool.one, x};
  ExprId noise = expr_raw(&pool, op_noise, args, 3);
  args[2] = y;
  assert_int_equal(expr_rebuild(&pool, noise, x_to_y, NULL), expr_raw(&pool, op_noise, args, 3));
}

// A long sum as one term of another: it stays one, or is opened.
static void pieces_stay_or_are_opened(void **state) {
  (void)state;
  ExprId sum = x;
  for (uint32_t i = 3; i < 40; i++)
    sum = expr_add(&pool, sum, expr_sym(&pool, pool_symbol(&pool, "s", sym_coord, i, 0)));
  ExprId piece = expr_add(&pool, expr_whole(&pool, sum), z);
  assert_int_equal(expr_term_count(&pool, piece), 2);
  assert_int_equal(expr_term_count(&pool, expr_rebuild(&pool, piece, z_to_y, NULL)), 2);
  assert_int_equal(expr_term_count(&pool, expr_rebuild_flat(&pool, piece, z_to_y, NULL)), 39);
}

// Table 4 is table 2 over there.
static ExprId table_two(void *self, ExprId index) {
  assert_int_equal(index, expr_int(&pool, 4));
  return expr_int(self, 2);
}

static void a_pool_is_brought_over(void **state) {
  (void)state;
  ExprPool to;
  assert_true(pool_init(&to, arena));
  // the other pool has its symbols in another order
  ExprId b = expr_sym(&to, pool_symbol(&to, "b", sym_coord, 0, 0)),
         a = expr_sym(&to, pool_symbol(&to, "a", sym_param, 0, 0));
  ExprId e = expr_add(&pool, expr_mul(&pool, x, expr_powi(&pool, y, -2)), expr_fn(&pool, op_sin, &z, 1));
  Rat third = rat_make(arena, 1, 3);
  ExprId f = expr_mul(&pool, expr_num(&pool, third), pool.pi);
  ExprId symbol[4] = {0, a, b, b};
  ExprImport im = {.to = &to, .from = &pool, .symbol = symbol};
  assert_true(expr_import(&im));
  assert_int_equal(im.node[e], expr_add(&to, expr_mul(&to, a, expr_powi(&to, b, -2)), expr_fn(&to, op_sin, &b, 1)));
  assert_int_equal(im.node[f], expr_mul(&to, expr_num(&to, third), to.pi));
}

static void tables_get_other_numbers(void **state) {
  (void)state;
  ExprPool to;
  assert_true(pool_init(&to, arena));
  ExprId t = expr_raw(&pool, op_table, (ExprId[]){expr_int(&pool, 4), pool.zero, x}, 3);
  ExprId a = expr_sym(&to, pool_symbol(&to, "a", sym_coord, 0, 0)), symbol[4] = {0, a, a, a};
  ExprImport im = {.to = &to, .from = &pool, .symbol = symbol, .table = table_two, .self = &to};
  assert_true(expr_import(&im));
  assert_int_equal(im.node[t], expr_raw(&to, op_table, (ExprId[]){expr_int(&to, 2), to.zero, a}, 3));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(sums_products_and_functions_take_new_parts, setup, teardown),
      cmocka_unit_test_setup_teardown(what_does_not_change_stays, setup, teardown),
      cmocka_unit_test_setup_teardown(failure_is_absorbing, setup, teardown),
      cmocka_unit_test_setup_teardown(raw_ones_stay_raw, setup, teardown),
      cmocka_unit_test_setup_teardown(pieces_stay_or_are_opened, setup, teardown),
      cmocka_unit_test_setup_teardown(a_pool_is_brought_over, setup, teardown),
      cmocka_unit_test_setup_teardown(tables_get_other_numbers, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
