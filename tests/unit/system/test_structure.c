// What is solved together, and what has no inertia: by hand.
#include "tests/unit/system/bare.h"

static void put_kinetic(Bare *b, ExprId m, ExprId v) {
  bare_energy(b, energy_kinetic, bare_half(b, bare_mul(b, m, v, v, 0)));
}

// T = (m (x' + z')^2 + m z'^2 + m y'^2)/2: x and z hang together, y stands alone. Blocks come in the order of their
// first coordinates.
static void connected_parts_are_blocks(void **state) {
  (void)state;
  Bare *b = bare_new();
  uint32_t x = bare_coord(b, "x"), y = bare_coord(b, "y"), z = bare_coord(b, "z");
  ExprId m = bare_param(b, "m");
  put_kinetic(b, m, expr_add(&b->pool, bare_v(b, x), bare_v(b, z)));
  put_kinetic(b, m, bare_v(b, z));
  put_kinetic(b, m, bare_v(b, y));
  bare_build(b);
  assert_int_equal(b->s.blocks.count, 2);
  const Block *first = &b->s.blocks.items[0], *second = &b->s.blocks.items[1];
  assert_int_equal(first->count, 2);
  assert_int_equal(first->coords[0], x);
  assert_int_equal(first->coords[1], z);
  assert_int_equal(second->count, 1);
  assert_int_equal(second->coords[0], y);
  assert_int_equal(second->unknowns[0], b->s.coords.items[y].a);
  bare_equal(b, block_entry(&b->pool, first, 1, 1), expr_scale(&b->pool, rat_int(2), m));
  bare_free(b);
}

// sin^2 + cos^2 - 1 is zero, though it does not look so: no coupling comes of it.
static void hidden_zeros_are_none(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t x = bare_coord(b, "x"), y = bare_coord(b, "y");
  ExprId m = bare_param(b, "m"), s = bare_fn(b, op_sin, bare_q(b, x)), c = bare_fn(b, op_cos, bare_q(b, x));
  ExprId nothing = expr_sub(p, expr_add(p, bare_mul(b, s, s, 0, 0), bare_mul(b, c, c, 0, 0)), p->one);
  put_kinetic(b, m, bare_v(b, x));
  put_kinetic(b, m, bare_v(b, y));
  bare_energy(b, energy_kinetic, bare_mul(b, nothing, bare_v(b, x), bare_v(b, y), 0));
  bare_build(b);
  assert_int_equal(b->s.blocks.count, 2);
  bare_free(b);
}

// d y' + k (y - x) = 0: y has no inertia, its velocity is -k (y - x)/d, and it leaves its place among the velocities.
static void a_damper_alone_gives_a_velocity(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t x = bare_coord(b, "x"), y = bare_coord(b, "y");
  ExprId m = bare_param(b, "m"), d = bare_param(b, "d"), k = bare_param(b, "k");
  ExprId apart = expr_sub(p, bare_q(b, y), bare_q(b, x));
  put_kinetic(b, m, bare_v(b, x));
  bare_energy(b, energy_dissipation, bare_half(b, bare_mul(b, d, bare_v(b, y), bare_v(b, y), 0)));
  bare_energy(b, energy_potential, bare_half(b, bare_mul(b, k, apart, apart, 0)));
  bare_build(b);
  assert_int_equal(b->s.role[y], coord_first_order);
  assert_int_equal(b->s.speeds[y].symbol, 0);
  assert_int_equal(b->s.blocks.count, 2);
  const Block *v = &b->s.blocks.items[1];
  assert_true(v->velocities);
  assert_int_equal(v->unknowns[0], b->s.coords.items[y].v);
  bare_equal(b, block_entry(&b->pool, v, 0, 0), d);
  bare_equal(b, v->rhs[0], bare_mul(b, k, apart, 0, 0));
  bare_free(b);
}

// A spring alone: k (y - x) = 0 says where y is, and k (y' - x') = 0 how fast.
static void a_spring_alone_gives_a_place(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t x = bare_coord(b, "x"), y = bare_coord(b, "y");
  ExprId m = bare_param(b, "m"), k = bare_param(b, "k"), apart = expr_sub(p, bare_q(b, y), bare_q(b, x));
  put_kinetic(b, m, bare_v(b, x));
  bare_energy(b, energy_potential, bare_half(b, bare_mul(b, k, apart, apart, 0)));
  bare_build(b);
  assert_int_equal(b->s.role[y], coord_algebraic);
  assert_int_equal(b->s.held.count, 1); // the last solution, from which Newton's method starts
  assert_int_equal(b->s.held.items[0].of, b->s.coords.items[y].q);
  bare_free(b);
}

// Two coordinates, one damper between them: only their difference is determined.
static void what_is_not_determined_is_refused(void **state) {
  (void)state;
  Bare *b = bare_new();
  uint32_t x = bare_coord(b, "x"), y = bare_coord(b, "y");
  ExprId d = bare_param(b, "d"), apart = expr_sub(&b->pool, bare_v(b, y), bare_v(b, x));
  bare_energy(b, energy_dissipation, bare_half(b, bare_mul(b, d, apart, apart, 0)));
  assert_true(form_build(&b->s));
  assert_int_equal(b->diags.errors, 1);
  assert_int_equal(b->diags.list.items[0].code, diag_undetermined);
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(connected_parts_are_blocks),        cmocka_unit_test(hidden_zeros_are_none),
      cmocka_unit_test(a_damper_alone_gives_a_velocity),   cmocka_unit_test(a_spring_alone_gives_a_place),
      cmocka_unit_test(what_is_not_determined_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
