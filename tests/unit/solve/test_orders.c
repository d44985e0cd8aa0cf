// A method's measured order is its stated order; dense output is as good as its order says.
#include "tests/support.h"

#include "solve/ode.h"

// x'' = -x with a drive, over a time with a known end: x = cos t + sin(2t)/3, y = x'
static bool oscillator(void *self, double t, const double *y, double *dydt) {
  (void)self;
  dydt[0] = y[1];
  dydt[1] = -y[0] - sin(2 * t);
  dydt[2] = y[0]; // a quadrature
  return true;
}

static double exact(double t) { return cos(t) + sin(2 * t) / 3; }

typedef struct Rows {
  double worst;
  uint64_t count;
} Rows;

static bool compare(void *self, double t, const double *y) {
  Rows *r = self;
  double e = fabs(y[0] - exact(t));
  if (e > r->worst) r->worst = e;
  r->count++;
  return true;
}

static double run(OdeMethod method, double h, double rtol, double every, Rows *rows, OdeResult *result) {
  Arena *arena = arena_new();
  double y[3] = {1, 2.0 / 3, 0};
  OdeProblem p = {.n = 3, .checked = 2, .f = oscillator};
  OdeSettings s = {
      .method = method, .t1 = 5, .step = h, .every = every, .rtol = rtol, .atol = rtol, .most_steps = 10000000};
  *rows = (Rows){0};
  OdeObserver o = {rows, compare, NULL, NULL, NULL, NULL};
  *result = ode_solve(arena, &p, &s, y, &o);
  arena_free(arena);
  return fabs(y[0] - exact(5));
}

static void fixed_methods_have_their_order(void **state) {
  (void)state;
  for (int m = ode_euler; m <= ode_rk4; m++) {
    Rows rows;
    OdeResult r;
    double coarse = run((OdeMethod)m, 0.02, 0, 5, &rows, &r), fine = run((OdeMethod)m, 0.01, 0, 5, &rows, &r);
    double order = log2(coarse / fine);
    assert_true(fabs(order - ode_order((OdeMethod)m)) < 0.15);
    assert_int_equal(r.steps, 500);
  }
}

// The work grows as tolerance^(-1/q): q is the order of the error estimate that steers the steps.
static void adaptive_methods_have_their_order(void **state) {
  (void)state;
  const struct {
    OdeMethod method;
    double order, coarse, fine;
  } cases[] = {{ode_dopri5, 5, 1e-6, 1e-9}, {ode_dop853, 8, 1e-8, 1e-13}};
  for (int i = 0; i < 2; i++) {
    Rows rows;
    OdeResult a, b;
    run(cases[i].method, 0, cases[i].coarse, 5, &rows, &a);
    double e = run(cases[i].method, 0, cases[i].fine, 5, &rows, &b);
    double order = log(cases[i].coarse / cases[i].fine) / log((double)b.steps / (double)a.steps);
    print_message("%s: measured order %.2f, error %.1e at tolerance %.0e\n", ode_method_name(cases[i].method), order, e,
                  cases[i].fine);
    assert_true(fabs(order - cases[i].order) < 1.2);
    assert_true(e < 20 * cases[i].fine);
  }
}

static void dense_rows_are_as_good_as_steps(void **state) {
  (void)state;
  const OdeMethod methods[] = {ode_dopri5, ode_dop853};
  for (int i = 0; i < 2; i++) {
    Rows rows;
    OdeResult r;
    run(methods[i], 0, 1e-9, 0.001, &rows, &r);
    assert_int_equal(rows.count, 5001);
    assert_true(rows.worst < 3e-8);
    assert_true(r.steps < 300);
  }
}

static void rows_do_not_change_the_steps(void **state) {
  (void)state;
  Rows rows;
  OdeResult few, many;
  double a = run(ode_dop853, 0, 1e-8, 5, &rows, &few), b = run(ode_dop853, 0, 1e-8, 0.01, &rows, &many);
  assert_int_equal(few.steps, many.steps);
  assert_true(a == b);
}

static void rows_fall_on_their_times_with_an_odd_step(void **state) {
  (void)state;
  Rows rows;
  OdeResult r;
  run(ode_rk4, 0.03, 0, 0.1, &rows, &r); // 0.1 is no multiple of 0.03
  assert_int_equal(rows.count, 51);
  assert_true(rows.worst < 1e-6);
  assert_int_equal(r.steps, 200);
}

// y' = -1/(2 y): y = sqrt(1 - t) ends at t = 1
static bool dies(void *self, double t, const double *y, double *dydt) {
  (void)self, (void)t;
  dydt[0] = -0.5 / y[0];
  return y[0] > 0;
}

static bool no_row(void *self, double t, const double *y) {
  (void)self, (void)t, (void)y;
  return true;
}

static void an_end_of_the_motion_is_found_not_crossed(void **state) {
  (void)state;
  const OdeMethod methods[] = {ode_rk4, ode_dopri5, ode_dop853};
  for (int i = 0; i < 3; i++) {
    Arena *arena = arena_new();
    double y[1] = {1};
    OdeProblem p = {.n = 1, .checked = 1, .f = dies};
    OdeSettings s = {
        .method = methods[i], .t1 = 2, .step = 0.001, .every = 0.1, .rtol = 1e-8, .atol = 1e-8, .most_steps = 100000};
    OdeResult r = ode_solve(arena, &p, &s, y, &(OdeObserver){NULL, no_row, NULL, NULL, NULL, NULL});
    assert_true(r.status == ode_not_finite || r.status == ode_step_small);
    assert_true(fabs(r.t - 1) < 2e-3);
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_methods_have_their_order),
      cmocka_unit_test(adaptive_methods_have_their_order),
      cmocka_unit_test(dense_rows_are_as_good_as_steps),
      cmocka_unit_test(rows_do_not_change_the_steps),
      cmocka_unit_test(rows_fall_on_their_times_with_an_odd_step),
      cmocka_unit_test(an_end_of_the_motion_is_found_not_crossed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
