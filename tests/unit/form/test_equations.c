// Equations as they are written: x'' = ..., s' = ..., and what they refuse.
#include "tests/unit/system/bare.h"

static void put_acceleration(Bare *b, uint32_t coord, ExprId value) {
  assert_true(value && vec_push(b->arena, &b->s.accelerations, ((SystemForce){.coord = coord, .value = value})));
}

// x'' = k y'' - x: the row is 1, -k; h is x
static void other_accelerations_go_into_the_matrix(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t x = bare_coord(b, "x"), y = bare_coord(b, "y");
  ExprId k = bare_param(b, "k");
  put_acceleration(b, x, expr_sub(p, expr_mul(p, k, bare_a(b, y)), bare_q(b, x)));
  put_acceleration(b, y, expr_neg(p, bare_v(b, y)));
  bare_build(b);
  bare_equal(b, system_mass(&b->s, 0, 0), p->one);
  bare_equal(b, system_mass(&b->s, 0, 1), expr_neg(p, k));
  bare_equal(b, b->s.h[0], bare_q(b, x));
  assert_int_equal(b->s.M[1].count, 1);
  bare_equal(b, b->s.h[1], bare_v(b, y));
  assert_int_equal(b->s.blocks.items[0].count, 2);
  assert_false(b->s.blocks.items[0].symmetric);
  bare_free(b);
}

static bool reported(const Bare *b, DiagCode code) {
  for (uint32_t i = 0; i < b->diags.list.count; i++) {
    if (b->diags.list.items[i].code == code) return true;
  }
  return false;
}

static void what_is_wrong_is_said(void **state) {
  (void)state;
  // energies and an equation for the same coordinate
  Bare *b = bare_new();
  uint32_t x = bare_coord(b, "x");
  bare_energy(b, energy_kinetic, bare_half(b, bare_mul(b, bare_v(b, x), bare_v(b, x), 0, 0)));
  put_acceleration(b, x, bare_q(b, x));
  assert_true(form_build(&b->s) && reported(b, diag_two_ways));
  bare_free(b);
  // nothing for it at all
  b = bare_new();
  bare_coord(b, "x");
  assert_true(form_build(&b->s) && reported(b, diag_no_equation));
  bare_free(b);
  // the square of an acceleration
  b = bare_new();
  x = bare_coord(b, "x");
  put_acceleration(b, x, bare_mul(b, bare_a(b, x), bare_a(b, x), 0, 0));
  assert_true(form_build(&b->s) && reported(b, diag_nonlinear_acceleration));
  bare_free(b);
  // a state without an equation keeps its value, and that is said
  b = bare_new();
  bare_state(b, "s");
  assert_true(form_build(&b->s) && reported(b, diag_state_without_equation));
  assert_int_equal(b->diags.errors, 0);
  assert_int_equal(b->s.f[0], b->pool.zero);
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_accelerations_go_into_the_matrix),
      cmocka_unit_test(what_is_wrong_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
