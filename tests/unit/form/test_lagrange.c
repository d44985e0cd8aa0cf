// Lagrange's equations by hand: a pendulum (m, l) on a cart (M) with a damper d and a force F.
//
//   M + m        m l cos th        h_x  = -m l sin th th'^2 + d x' - F
//   m l cos th   m l^2             h_th = m g l sin th
#include "tests/unit/system/bare.h"

static void a_pendulum_on_a_cart(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t x = bare_coord(b, "x"), th = bare_coord(b, "th");
  ExprId M = bare_param(b, "M"), m = bare_param(b, "m"), l = bare_param(b, "l"), g = bare_param(b, "g"),
         d = bare_param(b, "d"), F = bare_param(b, "F");
  ExprId c = bare_fn(b, op_cos, bare_q(b, th)), s = bare_fn(b, op_sin, bare_q(b, th));
  ExprId w = bare_v(b, th), v = bare_v(b, x);
  ExprId across = expr_add(p, v, bare_mul(b, l, c, w, 0)), up = bare_mul(b, l, s, w, 0);
  bare_energy(b, energy_kinetic, bare_half(b, bare_mul(b, M, v, v, 0)));
  ExprId squares = expr_add(p, bare_mul(b, across, across, 0, 0), bare_mul(b, up, up, 0, 0));
  bare_energy(b, energy_kinetic, bare_half(b, bare_mul(b, m, squares, 0, 0)));
  bare_energy(b, energy_potential, expr_neg(p, bare_mul(b, m, g, l, c)));
  bare_energy(b, energy_dissipation, bare_half(b, bare_mul(b, d, v, v, 0)));
  assert_true(vec_push(b->arena, &b->s.forces, ((SystemForce){.coord = x, .value = F})));
  bare_build(b);
  System *sys = &b->s;
  ExprId coupling = bare_mul(b, m, l, c, 0);
  bare_equal(b, system_mass(sys, 0, 0), expr_add(p, M, m));
  bare_equal(b, system_mass(sys, 0, 1), coupling);
  bare_equal(b, system_mass(sys, 1, 0), coupling);
  bare_equal(b, system_mass(sys, 1, 1), bare_mul(b, m, l, l, 0));
  ExprId centrifugal = expr_neg(p, bare_mul(b, bare_mul(b, m, l, s, 0), w, w, 0));
  bare_equal(b, sys->h[0], expr_sub(p, expr_add(p, centrifugal, bare_mul(b, d, v, 0, 0)), F));
  bare_equal(b, sys->h[1], bare_mul(b, m, g, l, s));
  // one block of both, in one solve
  assert_int_equal(sys->blocks.count, 1);
  assert_int_equal(sys->blocks.items[0].count, 2);
  assert_true(sys->blocks.items[0].symmetric);
  // the account: d x'^2 is lost, F x' comes in
  assert_true(sys->energy.kept);
  bare_equal(b, sys->energy.flows.items[flow_dissipated].power, bare_mul(b, d, v, v, 0));
  bare_equal(b, sys->energy.flows.items[flow_supplied].power, bare_mul(b, F, v, 0, 0));
  bare_equal(b, sys->energy.potential, expr_neg(p, bare_mul(b, m, g, l, c)));
  bare_free(b);
}

// A force -k a is an added mass: M gets + k.
static void forces_with_accelerations_are_inertia(void **state) {
  (void)state;
  Bare *b = bare_new();
  uint32_t x = bare_coord(b, "x");
  ExprId m = bare_param(b, "m"), k = bare_param(b, "k");
  bare_energy(b, energy_kinetic, bare_half(b, bare_mul(b, m, bare_v(b, x), bare_v(b, x), 0)));
  ExprId force = expr_neg(&b->pool, expr_mul(&b->pool, k, bare_a(b, x)));
  assert_true(vec_push(b->arena, &b->s.forces, ((SystemForce){.coord = x, .value = force})));
  bare_build(b);
  bare_equal(b, system_mass(&b->s, 0, 0), expr_add(&b->pool, m, k));
  assert_true(expr_is_zero(&b->pool, b->s.h[0]));
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_on_a_cart),
      cmocka_unit_test(forces_with_accelerations_are_inertia),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
