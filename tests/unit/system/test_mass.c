// The sparse mass matrix: entries, rows in order, derivatives.
#include "tests/unit/system/bare.h"

static void entries_are_set_replaced_and_taken_out(void **state) {
  (void)state;
  Bare *b = bare_new();
  System *s = &b->s;
  for (int i = 0; i < 4; i++) bare_coord(b, (const char *const[]){"x", "y", "z", "w"}[i]);
  ExprId m = bare_param(b, "m"), k = bare_param(b, "k");
  assert_true(system_init(s));
  assert_true(system_mass_set(s, 1, 3, m) && system_mass_set(s, 1, 0, k) && system_mass_set(s, 1, 2, m));
  assert_int_equal(s->M[1].count, 3);
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(s->M[1].items[i].column, ((uint32_t[]){0, 2, 3})[i]);
  assert_int_equal(system_mass(s, 1, 0), k);
  assert_int_equal(system_mass(s, 1, 1), b->pool.zero);
  assert_true(system_mass_set(s, 1, 2, k));
  assert_int_equal(system_mass(s, 1, 2), k);
  assert_true(system_mass_set(s, 1, 2, b->pool.zero) && system_mass_set(s, 1, 1, b->pool.zero));
  assert_int_equal(s->M[1].count, 2);
  assert_false(system_mass_set(s, 1, 1, 0)); // memory was out when it was made
  const ExprId *dense = system_mass_dense(s, b->arena);
  for (uint32_t i = 0; i < 16; i++) assert_int_equal(dense[i], i == 4 ? k : i == 7 ? m : b->pool.zero);
  bare_free(b);
}

// rows x^2 y and x + z by (x, y, z, w)
static void derivatives_fill_only_what_is_there(void **state) {
  (void)state;
  Bare *b = bare_new();
  for (int i = 0; i < 4; i++) bare_coord(b, (const char *const[]){"x", "y", "z", "w"}[i]);
  ExprId x = bare_q(b, 0), y = bare_q(b, 1), z = bare_q(b, 2);
  ExprId roots[] = {bare_mul(b, x, x, y, 0), expr_add(&b->pool, x, z)};
  SymbolId symbols[4];
  for (uint32_t i = 0; i < 4; i++) symbols[i] = b->s.coords.items[i].q;
  SymbolIndex index;
  MassRow rows[2] = {{0}};
  assert_true(symbol_index(b->arena, &b->pool, symbols, 4, &index));
  assert_true(sparse_jacobian(b->arena, &b->pool, roots, 2, &index, rows));
  assert_int_equal(rows[0].count, 2);
  assert_int_equal(rows[0].items[0].column, 0);
  bare_equal(b, rows[0].items[0].value, expr_scale(&b->pool, rat_int(2), bare_mul(b, x, y, 0, 0)));
  assert_int_equal(rows[0].items[1].column, 1);
  bare_equal(b, rows[0].items[1].value, bare_mul(b, x, x, 0, 0));
  assert_int_equal(rows[1].count, 2);
  assert_int_equal(rows[1].items[1].column, 2);
  bare_equal(b, rows[1].items[1].value, b->pool.one);
  bare_free(b);
}

// L = x^2 y + z x: its gradient by (x, y, z) has the second derivatives 2 y, 2 x, 1 on both sides of the diagonal
static void second_derivatives_stand_on_both_sides(void **state) {
  (void)state;
  Bare *b = bare_new();
  for (int i = 0; i < 3; i++) bare_coord(b, (const char *const[]){"x", "y", "z"}[i]);
  ExprId x = bare_q(b, 0), y = bare_q(b, 1), z = bare_q(b, 2), two = expr_int(&b->pool, 2);
  ExprId gradient[] = {expr_add(&b->pool, bare_mul(b, two, x, y, 0), z), bare_mul(b, x, x, 0, 0), x};
  SymbolId symbols[3];
  for (uint32_t i = 0; i < 3; i++) symbols[i] = b->s.coords.items[i].q;
  SymbolIndex index;
  MassRow rows[3] = {{0}};
  assert_true(symbol_index(b->arena, &b->pool, symbols, 3, &index));
  assert_true(sparse_hessian(b->arena, &b->pool, gradient, 3, &index, rows));
  const ExprId first[] = {bare_mul(b, two, y, 0, 0), bare_mul(b, two, x, 0, 0), b->pool.one};
  assert_int_equal(rows[0].count, 3);
  for (uint32_t k = 0; k < 3; k++) {
    assert_int_equal(rows[0].items[k].column, k);
    bare_equal(b, rows[0].items[k].value, first[k]);
    assert_int_equal(rows[k].items[0].column, 0);
    bare_equal(b, rows[k].items[0].value, first[k]);
  }
  assert_int_equal(rows[1].count, 1);
  assert_int_equal(rows[2].count, 1);
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_are_set_replaced_and_taken_out),
      cmocka_unit_test(derivatives_fill_only_what_is_there),
      cmocka_unit_test(second_derivatives_stand_on_both_sides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
