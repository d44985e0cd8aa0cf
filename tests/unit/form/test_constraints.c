// Constraints by hand: a mass on a rod whose length grows, l = L + c t, in x and y; a blade that does not slip.
//
//   value  x^2 + y^2 - l^2      rate  2 x x' + 2 y y' - 2 l c      G  (2 x, 2 y)      curvature  2 x'^2 + 2 y'^2 - 2
//   c^2 lambda = m (2 g y - curvature)/(4 x^2 + 4 y^2),   m x'' = 2 x lambda,   m y'' = 2 y lambda - m g the rod
//   supplies the power lambda 2 l c
#include "tests/unit/system/bare.h"

static ExprId put_constraint(Bare *b, const char *name, ExprId value, bool velocities) {
  SystemConstraint c = {.symbol = pool_symbol(&b->pool, name, sym_multiplier, b->s.constraints.count, 0),
                        .name = name,
                        .label = name,
                        .value = value,
                        .velocities = velocities};
  assert_true(value && c.symbol && vec_push(b->arena, &b->s.constraints, c));
  return expr_sym(&b->pool, c.symbol);
}

static ExprId twice(Bare *b, ExprId x) { return expr_scale(&b->pool, rat_int(2), x); }
static ExprId square(Bare *b, ExprId x) { return expr_powi(&b->pool, x, 2); }

// What stands in a row of a constraint for a coordinate; the number zero: nothing.
static ExprId entry(const Bare *b, uint32_t k, uint32_t coord) {
  const MassRow *row = &b->s.constraints.items[k].G;
  for (uint32_t i = 0; i < row->count; i++) {
    if (row->items[i].column == coord) return row->items[i].value;
  }
  return b->pool.zero;
}

// matrix * unknowns + rhs, row i, with these values of the unknowns
static ExprId residue(Bare *b, const Block *block, uint32_t i, const ExprId *values) {
  ExprId sum = block->rhs[i];
  for (uint32_t j = 0; j < block->count; j++)
    sum = expr_add(&b->pool, sum, expr_mul(&b->pool, block_entry(&b->pool, block, i, j), values[j]));
  return sum;
}

static void a_rod_that_grows(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t i = bare_coord(b, "x"), j = bare_coord(b, "y");
  ExprId m = bare_param(b, "m"), g = bare_param(b, "g"), L = bare_param(b, "L"), c = bare_param(b, "c");
  ExprId x = bare_q(b, i), y = bare_q(b, j), u = bare_v(b, i), v = bare_v(b, j);
  ExprId l = expr_add(p, L, expr_mul(p, c, expr_sym(p, b->s.time)));
  bare_energy(b, energy_kinetic, bare_half(b, expr_mul(p, m, expr_add(p, square(b, u), square(b, v)))));
  bare_energy(b, energy_potential, bare_mul(b, m, g, y, 0));
  ExprId lambda =
      put_constraint(b, "lambda.rod", expr_sub(p, expr_add(p, square(b, x), square(b, y)), square(b, l)), false);
  bare_build(b);
  const SystemConstraint *rod = &b->s.constraints.items[0];
  bare_equal(b, entry(b, 0, i), twice(b, x));
  bare_equal(b, entry(b, 0, j), twice(b, y));
  ExprId moving = twice(b, expr_add(p, expr_mul(p, x, u), expr_mul(p, y, v)));
  bare_equal(b, rod->rate, expr_sub(p, moving, twice(b, expr_mul(p, l, c))));
  ExprId curvature = twice(b, expr_sub(p, expr_add(p, square(b, u), square(b, v)), square(b, c)));
  bare_equal(b, rod->curvature, curvature);
  bare_equal(b, b->s.energy.flows.items[flow_supplied].power, twice(b, bare_mul(b, lambda, l, c, 0)));
  // value and rate are kept, and are zero
  assert_int_equal(b->s.invariants.count, 2);
  assert_int_equal(b->s.invariants.items[0].kind, invariant_place);
  assert_int_equal(b->s.invariants.items[1].kind, invariant_rate);
  // one block, which the closed form solves
  assert_int_equal(b->s.blocks.count, 1);
  const Block *block = &b->s.blocks.items[0];
  assert_true(block->count == 3 && block->multipliers == 1 && block->symmetric);
  ExprId force = expr_mul(p, m, expr_sub(p, twice(b, expr_mul(p, g, y)), curvature));
  ExprId length = expr_scale(p, rat_int(4), expr_add(p, square(b, x), square(b, y)));
  ExprId tension = expr_div(p, force, length), by_mass = twice(b, expr_div(p, tension, m));
  const ExprId solved[3] = {expr_mul(p, x, by_mass), expr_sub(p, expr_mul(p, y, by_mass), g), tension};
  for (uint32_t k = 0; k < 3; k++) bare_equal(b, residue(b, block, k, solved), p->zero);
  // and nothing else does: with gravity of the other sign it is left over
  const ExprId wrong[3] = {solved[0], expr_add(p, expr_mul(p, y, by_mass), g), tension};
  assert_false(expr_vanishes(p, b->arena, residue(b, block, 1, wrong)));
  bare_free(b);
}

// sin(th) x' - cos(th) y' = 0: a row of velocities, whose place is not bound
static void a_blade_that_does_not_slip(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t i = bare_coord(b, "x"), j = bare_coord(b, "y"), k = bare_coord(b, "th");
  ExprId s = bare_fn(b, op_sin, bare_q(b, k)), c = bare_fn(b, op_cos, bare_q(b, k));
  ExprId u = bare_v(b, i), v = bare_v(b, j), w = bare_v(b, k);
  bare_energy(b, energy_kinetic, bare_half(b, expr_add(p, expr_add(p, square(b, u), square(b, v)), square(b, w))));
  ExprId value = expr_sub(p, expr_mul(p, s, u), expr_mul(p, c, v));
  put_constraint(b, "lambda.blade", value, true);
  bare_build(b);
  const SystemConstraint *blade = &b->s.constraints.items[0];
  bare_equal(b, blade->rate, value);
  bare_equal(b, entry(b, 0, i), s);
  bare_equal(b, entry(b, 0, j), expr_neg(p, c));
  assert_int_equal(entry(b, 0, k), p->zero);
  bare_equal(b, blade->curvature, expr_mul(p, w, expr_add(p, expr_mul(p, c, u), expr_mul(p, s, v))));
  assert_int_equal(b->s.invariants.count, 1);
  assert_int_equal(b->s.invariants.items[0].kind, invariant_rate);
  // it does not work: no power comes in
  bare_equal(b, b->s.energy.flows.items[flow_supplied].power, p->zero);
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_that_grows),
      cmocka_unit_test(a_blade_that_does_not_slip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
