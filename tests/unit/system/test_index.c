// Equations of higher index by hand.
//
//   pendulum   x' = u, y' = v, u' = L x, v' = L y - g, x^2 + y^2 = 1: differentiated twice the equation holds L,
//              2 (x^2 + y^2) L - 2 g y + 2 u^2 + 2 v^2 = 0
//   chain      z_k' = z_(k+1), z_0 = sin t: the equation is differentiated as often as the chain is long
//   plain      z^3 + z = x: nothing is differentiated
#include "tests/unit/system/bare.h"

#include "expr/calculus.h"
#include "system/index.h"

static ExprId put_unknown(Bare *b, const char *name) {
  SystemUnknown u = {
      .symbol = pool_symbol(&b->pool, name, sym_unknown, b->s.unknowns.count, 0), .name = name, .guess = b->pool.zero};
  assert_true(vec_push(b->arena, &b->s.unknowns, u));
  return expr_sym(&b->pool, u.symbol);
}

static void put_equation(Bare *b, ExprId residual) {
  SystemEquation e = {.left = residual, .right = b->pool.zero, .residual = residual, .label = "equation"};
  assert_true(residual && vec_push(b->arena, &b->s.implicit, e));
}

static ExprId state_of(Bare *b, const char *name, uint32_t *index) {
  *index = bare_state(b, name);
  return expr_sym(&b->pool, b->s.states.items[*index].x);
}

static ExprId square(Bare *b, ExprId x) { return expr_powi(&b->pool, x, 2); }
static ExprId twice(Bare *b, ExprId x) { return expr_scale(&b->pool, rat_int(2), x); }

static void a_pendulum_in_first_order_form(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t i[4];
  ExprId x = state_of(b, "x", &i[0]), y = state_of(b, "y", &i[1]), u = state_of(b, "u", &i[2]),
         v = state_of(b, "v", &i[3]), g = bare_param(b, "g"), L = put_unknown(b, "L");
  b->s.states.items[i[0]].rhs = u;
  b->s.states.items[i[1]].rhs = v;
  b->s.states.items[i[2]].rhs = expr_mul(p, L, x);
  b->s.states.items[i[3]].rhs = expr_sub(p, expr_mul(p, L, y), g);
  put_equation(b, expr_sub(p, expr_add(p, square(b, x), square(b, y)), p->one));
  bare_build(b);
  const SystemEquation *e = &b->s.implicit.items[0];
  assert_int_equal(e->times, 2);
  bare_equal(b, e->levels[0], e->residual);
  bare_equal(b, e->levels[1], twice(b, expr_add(p, expr_mul(p, x, u), expr_mul(p, y, v))));
  ExprId stretch = twice(b, expr_mul(p, L, expr_add(p, square(b, x), square(b, y))));
  ExprId rest = twice(b, expr_sub(p, expr_add(p, square(b, u), square(b, v)), expr_mul(p, g, y)));
  bare_equal(b, e->levels[2], expr_add(p, stretch, rest));
  assert_int_equal(equation_solved(e), e->levels[2]);
  // what stays as it is: the equation and its first derivative
  assert_int_equal(b->s.invariants.count, 2);
  for (uint32_t k = 0; k < 2; k++) {
    assert_int_equal(b->s.invariants.items[k].kind, invariant_level);
    bare_equal(b, b->s.invariants.items[k].value, e->levels[k]);
  }
  bare_free(b);
}

// n integrators, of which the first must follow a signal: index n + 1.
static void a_chain_that_must_follow_a_signal(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 4; n++) {
    Bare *b = bare_new();
    ExprPool *p = &b->pool;
    ExprId z[5], signal = bare_fn(b, op_sin, expr_sym(p, b->s.time));
    for (uint32_t k = 0, at; k < n; k++) z[k] = state_of(b, arena_printf(b->arena, "z%u", k), &at);
    z[n] = put_unknown(b, "w");
    for (uint32_t k = 0; k < n; k++) b->s.states.items[k].rhs = z[k + 1];
    put_equation(b, expr_sub(p, z[0], signal));
    bare_build(b);
    const SystemEquation *e = &b->s.implicit.items[0];
    assert_int_equal(e->times, n);
    // the k-th derivative: z_k is that of the sine
    ExprId expected = signal;
    for (uint32_t k = 0; k <= n; k++) {
      bare_equal(b, e->levels[k], expr_sub(p, z[k], expected));
      expected = expr_diff(p, expected, b->s.time);
    }
    assert_int_equal(b->s.invariants.count, n);
    bare_free(b);
  }
}

static void what_holds_its_unknown_is_left_alone(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t at;
  ExprId x = state_of(b, "x", &at), z = put_unknown(b, "z");
  b->s.states.items[at].rhs = expr_neg(p, z);
  put_equation(b, expr_sub(p, expr_add(p, expr_powi(p, z, 3), z), x));
  bare_build(b);
  assert_int_equal(b->s.implicit.items[0].times, 0);
  assert_int_equal(equation_solved(&b->s.implicit.items[0]), b->s.implicit.items[0].residual);
  assert_int_equal(b->s.invariants.count, 0);
  bare_free(b);
}

// x^2 = 1 says nothing of z, however often it is differentiated.
static void what_no_derivative_helps_is_refused(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  uint32_t at;
  ExprId x = state_of(b, "x", &at);
  put_unknown(b, "z");
  b->s.states.items[at].rhs = expr_neg(p, x);
  put_equation(b, expr_sub(p, square(b, x), p->one));
  assert_true(form_build(&b->s));
  assert_true(b->diags.errors > 0);
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_in_first_order_form),
      cmocka_unit_test(a_chain_that_must_follow_a_signal),
      cmocka_unit_test(what_holds_its_unknown_is_left_alone),
      cmocka_unit_test(what_no_derivative_helps_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
