// A singular mass matrix: only combinations of velocities have inertia.
#include "tests/unit/system/bare.h"

// T = m (x' + y')^2/2, a damper d on y, a spring k on x: M has rank 1. Integrated is u = x' + y'; along (1, -1), where
// there is no inertia, the spring and the damper hold each other: k x = d y'.
static void one_mass_for_two_coordinates(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t x = bare_coord(b, "x"), y = bare_coord(b, "y");
  ExprId m = bare_param(b, "m"), d = bare_param(b, "d"), k = bare_param(b, "k");
  ExprId both = expr_add(p, bare_v(b, x), bare_v(b, y));
  bare_energy(b, energy_kinetic, bare_half(b, bare_mul(b, m, both, both, 0)));
  bare_energy(b, energy_dissipation, bare_half(b, bare_mul(b, d, bare_v(b, y), bare_v(b, y), 0)));
  bare_energy(b, energy_potential, bare_half(b, bare_mul(b, k, bare_q(b, x), bare_q(b, x), 0)));
  bare_build(b);
  // one combination is integrated, the other velocity is computed
  uint32_t combined = b->s.speeds[x].symbol ? x : y;
  assert_true((b->s.speeds[x].symbol != 0) != (b->s.speeds[y].symbol != 0));
  bare_equal(b, b->s.speeds[combined].meaning, both);
  assert_int_equal(system_place(&b->s, b->s.coords.items[1 - combined].v), no_place);
  // along (1, -1): k x - d y' = 0, up to a sign
  uint32_t other = 1 - combined;
  ExprId along = b->s.null_row[other],
         expected = expr_sub(p, bare_mul(b, k, bare_q(b, x), 0, 0), bare_mul(b, d, bare_v(b, y), 0, 0));
  assert_true(along != 0);
  bool same = expr_vanishes(p, b->arena, expr_sub(p, along, expected)) ||
              expr_vanishes(p, b->arena, expr_add(p, along, expected));
  assert_true(same);
  bare_free(b);
}

// x'' = y'', y'' = x'': not symmetric, and of rank 1.
static void what_is_not_symmetric_is_refused(void **state) {
  (void)state;
  Bare *b = bare_new();
  uint32_t x = bare_coord(b, "x"), y = bare_coord(b, "y");
  ExprId two = expr_scale(&b->pool, rat_int(2), bare_a(b, y)), half = bare_half(b, bare_a(b, x));
  assert_true(vec_push(b->arena, &b->s.accelerations, ((SystemForce){.coord = x, .value = two})));
  assert_true(vec_push(b->arena, &b->s.accelerations, ((SystemForce){.coord = y, .value = half})));
  assert_true(form_build(&b->s));
  assert_int_equal(b->diags.errors, 1);
  assert_int_equal(b->diags.list.items[0].code, diag_singular_mass);
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_mass_for_two_coordinates),
      cmocka_unit_test(what_is_not_symmetric_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
