// An index of performance becomes least: against closed forms.
#include "tests/support.h"

#include "viva/viva.h"

typedef struct Found {
  viva_model *model;
  viva_fit *fit;
  viva_status status;
} Found;

static Found minimized(const char *model, const char *line, const char *index, const char *const *where, size_t count,
                       const char *method) {
  Found out = {0};
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  assert_int_equal(viva_model_parse("m.viva", model, strlen(model), &load, &out.model), VIVA_OK);
  viva_fit_options o = viva_fit_defaults();
  o.minimize = index;
  o.where = where;
  o.where_count = count;
  o.method = method;
  out.status = viva_fit_model(out.model, &o, &out.fit);
  return out;
}

static void done(Found *f) {
  viva_fit_free(f->fit);
  viva_model_free(f->model);
}

// The step response of 1/(s^2 + 2 z s + 1).
static const char second[] = "param z = 1\nstate y = 0, v = 0\ny' = v\nv' = 1 - y - 2*z*v\nsimulate to 30\n";
static const char line[] = "fit z in 0.1 .. 3";
static const char *const searches[] = {"auto", "de", "cmaes", "ga", "ga-binary"};

// The integral of (1 - y)^2 is z + 1/(4 z).
static void the_square_of_the_error_is_least_at_half_the_critical_damping(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
    bool rough = i >= 3; // genes of 16 bits, or what evolution leaves
    Found f = minimized(second, line, "integral((1 - y)^2)", NULL, 0, searches[i]);
    assert_int_equal(f.status, VIVA_OK);
    double z = viva_fit_estimate(f.fit, 0).value, least = viva_fit_index(f.fit);
    assert_true(fabs(least - (z + 1 / (4 * z))) < 1e-6);
    assert_true(fabs(z - 0.5) < (rough ? 0.05 : 1e-3) && fabs(least - 1) < (rough ? 5e-3 : 1e-6));
    assert_true(isnan(viva_fit_r_squared(f.fit)));
    done(&f);
  }
}

// An overshoot of 2 %: exp(-pi z/sqrt(1 - z^2)) = 0.02.
static void a_condition_holds_where_it_binds(void **state) {
  (void)state;
  const double log50 = 3.912023005428146, bound = log50 / sqrt(9.869604401089358 + log50 * log50);
  const char *const where[] = {"max(y) <= 1.02"};
  for (size_t i = 0; i < 3; i++) {
    Found f = minimized(second, line, "integral((1 - y)^2)", where, 1, searches[i]);
    assert_int_equal(f.status, VIVA_OK);
    double z = viva_fit_estimate(f.fit, 0).value;
    assert_true(z > bound - 1e-6 && z < bound + 1e-3);
    done(&f);
  }
}

// Settled within 2 % as soon as can be: the overshoot touches 2 %, too.
static void the_time_until_it_has_settled_is_a_measure(void **state) {
  (void)state;
  const double log50 = 3.912023005428146, bound = log50 / sqrt(9.869604401089358 + log50 * log50);
  Found f = minimized(second, line, "time(|y - 1| > 0.02)", NULL, 0, "de");
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(viva_fit_estimate(f.fit, 0).value - bound) < 2e-3);
  done(&f);
}

// A throw: the angle of the longest flight is 45 degrees, that over a wall is steeper.
static void a_throw_is_longest_at_45_degrees(void **state) {
  (void)state;
  static const char ball[] =
      "param a = 1\ncoord x, y\ninit x' = 10*cos(a), y' = 10*sin(a)\nkinetic 1/2*x'^2 + 1/2*y'^2\n"
      "potential 9.81*y\nwhen y < -1e-9 do stop\nsimulate to 5\n";
  const char *const where[] = {"max(y) >= 3.5"};
  Found f = minimized(ball, "fit a in 0.1 .. 1.5", "-final(x)", NULL, 0, NULL);
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(viva_fit_estimate(f.fit, 0).value - 0.7853981633974483) < 1e-3);
  assert_true(fabs(viva_fit_index(f.fit) + 100 / 9.81) < 1e-5);
  done(&f);
  f = minimized(ball, "fit a in 0.1 .. 1.5", "-final(x)", where, 1, NULL);
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(viva_fit_estimate(f.fit, 0).value - asin(sqrt(3.5 * 2 * 9.81) / 10)) < 1e-5);
  done(&f);
}

static void conditions_that_nothing_obeys_are_no_success(void **state) {
  (void)state;
  const char *const where[] = {"max(y) <= 0.5"};
  Found f = minimized(second, line, "integral((1 - y)^2)", where, 1, NULL);
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_fit_message(f.fit), "no point that was tried obeys"));
  assert_non_null(strstr(viva_fit_summary(f.fit, VIVA_FORMAT_TEXT), "does not hold"));
  assert_true(isnan(viva_fit_index(f.fit)));
  done(&f);
}

// The gain of the tape tension regulator: the document takes 0.1 for "overdamped, settled within 20 s".
static void the_gain_of_the_tape_is_that_of_the_document(void **state) {
  (void)state;
  viva_model *model = NULL;
  viva_fit *fit = NULL;
  const char *const where[] = {"max(y) <= 1.02", "time(|e| > 0.05) <= 20"};
  assert_int_equal(viva_model_load(VIVA_ROOT "/examples/fit/tape_tension.viva", NULL, &model), VIVA_OK);
  viva_fit_options o = viva_fit_defaults();
  o.minimize = "integral(t*|e|)";
  o.where = where;
  o.where_count = 2;
  o.method = "de";
  o.generations = 12;
  assert_int_equal(viva_fit_model(model, &o, &fit), VIVA_OK);
  assert_true(fabs(viva_fit_estimate(fit, 0).value - 0.1) < 0.01);
  viva_fit_free(fit);
  viva_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_square_of_the_error_is_least_at_half_the_critical_damping),
                                     cmocka_unit_test(a_condition_holds_where_it_binds),
                                     cmocka_unit_test(the_time_until_it_has_settled_is_a_measure),
                                     cmocka_unit_test(a_throw_is_longest_at_45_degrees),
                                     cmocka_unit_test(conditions_that_nothing_obeys_are_no_success),
                                     cmocka_unit_test(the_gain_of_the_tape_is_that_of_the_document)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
