// The choice of an experiment: against published designs and closed forms.
#include "tests/support.h"

#include "viva/viva.h"

typedef struct Chosen {
  viva_model *model;
  viva_experiments *x;
  viva_status status;
} Chosen;

static Chosen choose(const char *model, const char *line, const viva_experiments_options *options) {
  Chosen out = {0};
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  assert_int_equal(viva_model_parse("m.viva", model, strlen(model), &load, &out.model), VIVA_OK);
  out.status = viva_experiments_choose(out.model, options, &out.x);
  return out;
}

static void done(Chosen *c) {
  viva_experiments_free(c->x);
  viva_model_free(c->model);
}

// A -> B -> C with k1 = 0.7, k2 = 0.2: B is measured best at t = 1.23 and 6.86 (Box and Lucas, Biometrika 46, 1959).
static void box_and_lucas_times_are_found(void **state) {
  (void)state;
  static const char *const models[] = {
      "param k1 = 0.7, k2 = 0.2\noutput b = k1/(k1 - k2)*(exp(-k2*t) - exp(-k1*t))\nsimulate to 20 every 0.01\n",
      "param k1 = 0.7, k2 = 0.2\nstate a = 1, b = 0\na' = -k1*a\nb' = k1*a - k2*b\nsimulate to 20 every 0.01\n"};
  for (size_t i = 0; i < 2; i++) {
    viva_experiments_options o = viva_experiments_defaults();
    o.samples = 2;
    Chosen c = choose(models[i], "fit k1 in 0 .. 1, k2 in 0 .. 1 by b sd 0.1", &o);
    assert_int_equal(c.status, VIVA_OK);
    viva_experiment best = viva_experiments_get(c.x, 0);
    assert_true(best.time_count == 2);
    assert_true(fabs(best.times[0] - 1.23) < 1e-9 && fabs(best.times[1] - 6.86) < 1e-9);
    done(&c);
  }
}

// a exp(-k t) is measured best at 0 and at 1/k.
static void a_decay_is_measured_at_its_start_and_its_time_constant(void **state) {
  (void)state;
  viva_experiments_options o = viva_experiments_defaults();
  o.samples = 2;
  o.run.to = 5;
  o.run.every = 0.01;
  Chosen c = choose("param a = 3, k = 0.5\noutput y = a*exp(-k*t)\n", "fit a in 0 .. 10, k in 0 .. 5 by y", &o);
  assert_int_equal(c.status, VIVA_OK);
  viva_experiment best = viva_experiments_get(c.x, 0);
  assert_true(best.times[0] == 0 && fabs(best.times[1] - 2) < 1e-9);
  // two samples determine both: noise of 1 at t = 0 is that of a; dk = -(k e dy2 - dy1 k)/a, ...
  assert_true(fabs(best.errors[0] - 1) < 1e-7);
  double e = exp(1), k = 0.5, a = 3;
  assert_true(fabs(best.errors[1] - k / a * sqrt(1 + e * e)) < 1e-6);
  done(&c);
}

// The slopes of a linear motion grow with its start, and its information with the square of that.
static void the_largest_start_tells_most(void **state) {
  (void)state;
  static const char model[] = "param m = 1, k = 30, c = 0.5\ncoord x = 0.2\nkinetic 1/2*m*x'^2\npotential 1/2*k*x^2\n"
                              "dissipation 1/2*c*x'^2\nsimulate to 10 every 0.05\n";
  static const char *const vary[] = {"x=0.1:0.1:0.5"};
  viva_experiments_options o = viva_experiments_defaults();
  o.vary = vary;
  o.vary_count = 1;
  Chosen c = choose(model, "fit k in 10 .. 100, c in 0 .. 5 by x sd 0.01", &o);
  assert_int_equal(c.status, VIVA_OK);
  assert_int_equal(viva_experiments_count(c.x), 5);
  for (size_t i = 0; i < 5; i++) {
    double start = 0.5 - 0.1 * (double)i, part = start / 0.5;
    viva_experiment e = viva_experiments_get(c.x, i);
    assert_true(fabs(e.efficiency - part * part) < 1e-7);
    assert_true(fabs(e.errors[0] * part / viva_experiments_get(c.x, 0).errors[0] - 1) < 1e-7);
  }
  assert_string_equal(viva_experiments_get(c.x, 0).text, "x = 0.5");
  assert_true(isnan(viva_experiments_get(c.x, 5).efficiency));
  done(&c);
}

// y = a t: the standard error of a is sd/sqrt(sum of t^2), whatever the unit of a; twice the noise, half of it.
static void standard_errors_are_those_of_a_straight_line(void **state) {
  (void)state;
  viva_experiments_options o = viva_experiments_defaults();
  o.run.to = 4;
  o.run.every = 1;
  Chosen c = choose("param a = 7\noutput y = a*t\n", "fit a in 0 .. 10 by y sd 0.3", &o);
  assert_int_equal(c.status, VIVA_OK);
  assert_true(fabs(viva_experiments_get(c.x, 0).errors[0] - 0.3 / sqrt(30)) < 1e-12);
  done(&c);
}

// x' = -x/tau + u, u = w cos(w t) or a step: cases are candidates, each with all values.
static void cases_are_candidates(void **state) {
  (void)state;
  static const char model[] = "param tau = 1, g = 1, w = 1\nstate x = 0\ninput u = 0\nx' = (g*u - x)/tau\n"
                              "case step: u = 1\ncase wave: u = sin(w*t)\nsimulate to 20 every 0.1\n";
  static const char *const vary[] = {"w=[0.1, 1, 10]"}, *const cases[] = {"step", "wave"},
                           *const rest[] = {"step", "no"};
  viva_experiments_options o = viva_experiments_defaults();
  o.vary = vary;
  o.vary_count = 1;
  o.cases = cases;
  o.case_count = 2;
  Chosen c = choose(model, "fit tau in 0.1 .. 10, g in 0.1 .. 10 by x sd 0.01", &o);
  assert_int_equal(c.status, VIVA_OK);
  assert_int_equal(viva_experiments_count(c.x), 6);
  assert_string_equal(viva_experiments_get(c.x, 0).text, "case wave, w = 1"); // a wave at the corner
  done(&c);
  // at rest nothing is told
  o.cases = NULL;
  o.case_count = 0;
  c = choose(model, "fit tau in 0.1 .. 10, g in 0.1 .. 10 by x sd 0.01", &o);
  assert_int_equal(c.status, VIVA_EFAIL);
  assert_true(viva_experiments_get(c.x, 0).efficiency == 0);
  done(&c);
  o.cases = rest;
  o.case_count = 2;
  c = choose(model, "fit tau in 0.1 .. 10 by x", &o);
  assert_int_equal(c.status, VIVA_EINPUT);
  assert_non_null(strstr(viva_experiments_message(c.x), "there is no case `no`"));
  done(&c);
}

static void what_cannot_be_chosen_is_said(void **state) {
  (void)state;
  static const char model[] = "param k = 2\nstate x = 1\nx' = -k*x\nsimulate to 1 every 0.1\n";
  static const char *const unknown[] = {"k=1:1:3"}, *const interval[] = {"x=1:3"}, *const none[] = {NULL};
  viva_experiments_options o = viva_experiments_defaults();
  o.vary = unknown;
  o.vary_count = 1;
  Chosen c = choose(model, "fit k in 0 .. 10 by x", &o);
  assert_int_equal(c.status, VIVA_EINPUT);
  done(&c);
  o.vary = interval;
  c = choose(model, "fit k in 0 .. 10 by x", &o);
  assert_int_equal(c.status, VIVA_EINPUT);
  assert_string_equal(viva_experiments_summary(c.x, VIVA_FORMAT_JSON), "");
  done(&c);
  o.vary = none;
  c = choose(model, "fit k in 0 .. 10 by x", &o);
  assert_int_equal(c.status, VIVA_EUSAGE);
  done(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(box_and_lucas_times_are_found),
                                     cmocka_unit_test(a_decay_is_measured_at_its_start_and_its_time_constant),
                                     cmocka_unit_test(the_largest_start_tells_most),
                                     cmocka_unit_test(standard_errors_are_those_of_a_straight_line),
                                     cmocka_unit_test(cases_are_candidates),
                                     cmocka_unit_test(what_cannot_be_chosen_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
