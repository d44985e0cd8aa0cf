// Breaks of signals of time against what they are by hand.
#include "tests/unit/system/bare.h"

#include "sim/breaks.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

typedef struct Signal {
  Bare *b;
  ExprId t, a; // time, a parameter
} Signal;

static Signal signal_new(void) {
  Signal x = {.b = bare_new()};
  x.t = expr_sym(&x.b->pool, x.b->s.time);
  x.a = bare_param(x.b, "a");
  return x;
}

static ExprId fn2(Signal *x, ExprOp op, ExprId a, ExprId b) { return expr_fn(&x->b->pool, op, (ExprId[]){a, b}, 2); }

// The breaks of a signal between 0 and 10, with the parameter at 0.3.
static OdeBreaks breaks_of(Signal *x, ExprId value, double from, double to) {
  uint32_t at = bare_state(x->b, "s");
  OdeBreaks found = {0};
  x->b->s.states.items[at].rhs = value;
  bare_build(x->b);
  const BreakPlan *plan = breaks_plan(x->b->arena, &x->b->s);
  assert_non_null(plan);
  assert_true(breaks_find(plan, x->b->arena, (double[]){0.3}, from, to, &found));
  return found;
}

// As doubles: each break is the first double of its new branch, so expected values are exact.
static void equal_times(const OdeBreaks *found, const double *expected, uint32_t count, double off) {
  assert_int_equal(found->count, count);
  for (uint32_t i = 0; i < count; i++) assert_true(fabs(found->times[i] - expected[i]) <= off);
  assert_true(!found->many && !found->unsure);
}

static ExprId number(Signal *x, int64_t n, int64_t d) { return expr_num(&x->b->pool, rat_make(x->b->arena, n, d)); }

static void a_corner_where_its_argument_is_zero(void **state) {
  (void)state;
  Signal x = signal_new();
  ExprPool *p = &x.b->pool;
  // |t - 10 a|: one corner, at 3
  OdeBreaks found = breaks_of(&x, bare_fn(x.b, op_abs, expr_sub(p, x.t, expr_scale(p, rat_int(10), x.a))), 0, 10);
  equal_times(&found, (double[]){3}, 1, 4e-16);
  bare_free(x.b);
}

// ||t - 5| - 2|: the inner corner at 5, the outer ones at 3 and 7
static void corners_inside_corners(void **state) {
  (void)state;
  Signal x = signal_new();
  ExprPool *p = &x.b->pool;
  ExprId inner = bare_fn(x.b, op_abs, expr_sub(p, x.t, number(&x, 5, 1)));
  OdeBreaks found = breaks_of(&x, bare_fn(x.b, op_abs, expr_sub(p, inner, number(&x, 2, 1))), 0, 10);
  equal_times(&found, (double[]){3, 5, 7}, 3, 1e-15);
  bare_free(x.b);
}

// |sin t| between 0 and 10: pi, 2 pi, 3 pi, each between the double before and after it
static void zeros_of_a_curve(void **state) {
  (void)state;
  Signal x = signal_new();
  OdeBreaks found = breaks_of(&x, bare_fn(x.b, op_abs, bare_fn(x.b, op_sin, x.t)), 0.5, 10);
  equal_times(&found, (double[]){pi, 2 * pi, 3 * pi}, 3, 4e-15);
  for (uint32_t i = 0; i < found.count; i++) { // it is the first double of the new sign
    double t = found.times[i], before = nextafter(t, 0);
    assert_true((sin(t) < 0) != (sin(before) < 0) || sin(t) == 0);
  }
  bare_free(x.b);
}

// min(t, 4 - t) bends at 2; floor(t/a) jumps at every multiple of 0.3: 33 of them below 10
static void stairs(void **state) {
  (void)state;
  Signal x = signal_new();
  ExprPool *p = &x.b->pool;
  OdeBreaks found = breaks_of(&x, bare_fn(x.b, op_floor, expr_div(p, x.t, x.a)), 0, 10);
  assert_int_equal(found.count, 33);
  for (uint32_t i = 0; i < 33; i++) {
    double t = found.times[i];
    assert_true(fabs(t - 0.3 * (i + 1)) < 4e-15);
    assert_true(floor(t / 0.3) == i + 1 && floor(nextafter(t, 0) / 0.3) == i);
  }
  bare_free(x.b);
  x = signal_new();
  p = &x.b->pool;
  found = breaks_of(&x, fn2(&x, op_min, x.t, expr_sub(p, number(&x, 4, 1), x.t)), 0, 10);
  equal_times(&found, (double[]){2}, 1, 1e-15);
  bare_free(x.b);
}

// What depends on the motion has its events, not breaks; what is smooth has none.
static void motions_and_smooth_signals_have_none(void **state) {
  (void)state;
  Signal x = signal_new();
  ExprPool *p = &x.b->pool;
  uint32_t other = bare_state(x.b, "r");
  x.b->s.states.items[other].rhs = bare_fn(x.b, op_sin, x.t);
  ExprId r = expr_sym(p, x.b->s.states.items[other].x);
  OdeBreaks found = breaks_of(&x, bare_fn(x.b, op_abs, expr_sub(p, r, x.t)), 0, 10);
  assert_int_equal(found.count, 0);
  bare_free(x.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_corner_where_its_argument_is_zero),
      cmocka_unit_test(corners_inside_corners),
      cmocka_unit_test(zeros_of_a_curve),
      cmocka_unit_test(stairs),
      cmocka_unit_test(motions_and_smooth_signals_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
