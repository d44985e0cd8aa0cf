// Measures of a run against closed forms: by every method, across events, of expressions with corners and jumps; and
// they move no bit of the motion.
#include "tests/support.h"

#include "viva/viva.h"

static viva_model *parse(const char *text) {
  viva_model *model;
  if (viva_model_parse("test.viva", text, strlen(text), NULL, &model) != VIVA_OK) {
    for (size_t i = 0; i < viva_model_diagnostic_count(model); i++)
      print_error("%s", viva_model_diagnostic(model, i).text);
    fail();
  }
  return model;
}

typedef struct Known {
  const char *measure;
  double value;
} Known;

static viva_run *run_of(const char *text, const char *method, double step, const Known *known, size_t count) {
  viva_model *model = parse(text);
  viva_run_options o = viva_run_defaults();
  const char *measures[32];
  for (size_t i = 0; i < count; i++) measures[i] = known[i].measure;
  o.measures = measures;
  o.measure_count = count;
  o.method = method;
  if (step > 0) o.step = step;
  viva_run *run;
  viva_status status = viva_run_model(model, &o, NULL, &run);
  if (viva_run_message(run)) print_error("%s", viva_run_message(run));
  assert_int_equal(status, VIVA_OK);
  viva_model_free(model);
  return run;
}

static void check(const char *text, const char *method, double step, const Known *known, size_t count, double error) {
  viva_run *run = run_of(text, method, step, known, count);
  for (size_t i = 0; i < count; i++) {
    double got = viva_run_measure(run, i);
    if (!(fabs(got - known[i].value) <= error * fmax(1, fabs(known[i].value))))
      fail_msg("%s: %s is %.17g, not %.17g", method ? method : "auto", known[i].measure, got, known[i].value);
  }
  viva_run_free(run);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

// x = cos(2 t) on 0 .. 10: everything in closed form.
static const char *const oscillator = "param k = 4\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\n"
                                      "simulate to 10\n";

static size_t swing(Known *k) {
  const double pi = 3.14159265358979323846;
  double mean = sin(20) / 20, square = 5 + sin(40) / 8;
  size_t n = 0;
  k[n++] = (Known){"min(x)", -1};
  k[n++] = (Known){"max(x'*x)", 1};
  k[n++] = (Known){"mean(x)", mean};
  k[n++] = (Known){"sd(x)", sqrt(square / 10 - mean * mean)};
  k[n++] = (Known){"final(x)", cos(20)};
  k[n++] = (Known){"integral(x^2)", square};
  k[n++] = (Known){"time(x > 1/2)", 3.5 * pi / 3};          // u = 20 lies in the seventh half of 2 pi/3
  k[n++] = (Known){"time(x > 1/2 and x' < 0)", 4 * pi / 6}; // four falling flanks of u in 0 .. 20
  k[n++] = (Known){"integral(abs(x))", 6 + sin(20) / 2};    // six whole half waves lie in 20 - 6 pi = 1.15 < pi/2
  k[n++] = (Known){"max(abs(x'))", 2};
  k[n++] = (Known){"max(x') - k*final(x)", 2 - 4 * cos(20)};
  k[n++] = (Known){"max(abs(x)) <= 1.02", 1};
  k[n++] = (Known){"max(abs(x)) < 0.98 or min(x) > 0", 0};
  k[n++] = (Known){"integral(t)", 50};
  return n;
}

static void measures_are_as_exact_as_the_method(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double step, error;
  } methods[] = {{NULL, 0, 1e-10},         {"dopri5", 0, 2e-9},     {"dop853", 0, 1e-10},    {"rodas", 0, 1e-8},
                 {"bdf", 0, 1e-6},         {"rk4", 0.005, 2e-8},    {"gauss4", 0.005, 2e-8}, {"gauss6", 0.05, 2e-8},
                 {"gauss8", 0.1, 2e-9},    {"gauss12", 0.25, 1e-9}, {"verlet", 1e-3, 2e-5},  {"heun", 1e-3, 1e-4},
                 {"conserve", 0.01, 1e-6}, {"bs3", 0.002, 1e-6}};
  Known known[32];
  size_t count = swing(known);
  for (size_t i = 0; i < COUNT(methods); i++)
    check(oscillator, methods[i].method, methods[i].step, known, count, methods[i].error);
}

// A ball that is let fall from 1 m, e = 1/2: impacts at T, 2 T, 5/2 T ... with T = sqrt(2/g).
static void both_sides_of_an_event_count(void **state) {
  (void)state;
  static const char *const ball = "coord h = 1\nstate n = 0\nkinetic 1/2*h'^2\npotential 10*h\n"
                                  "when h < 0 do h' := -1/2*h', n := n + 1\nsimulate to 1\n";
  double v = sqrt(20), T = v / 10, after = 1 - 2 * T; // two impacts before t = 1, the second with v/2
  double h = v / 4 * after - 5 * after * after;
  const Known known[] = {{"min(h')", -v},
                         {"max(h')", v / 2},
                         {"final(n)", 2},
                         {"final(h)", h},
                         {"integral(h')", h - 1},
                         {"integral(abs(h'))", 1 + 0.5 + fabs(h)},
                         {"time(h' > 0)", v / 20 + after},
                         {"max(n) - min(n)", 2},
                         {"integral(n)", T + 2 * after},
                         {"time(n == 1)", T}};
  check(ball, NULL, 0, known, COUNT(known), 1e-9);
  check(ball, "rk4", 0.001, known, COUNT(known), 1e-7);
}

// What jumps, bends and dips between steps that are long: the motion itself is a straight line.
static void corners_inside_long_steps_are_found(void **state) {
  (void)state;
  static const char *const line = "state s = 0\ns' = 1\nsimulate to 10\n";
  const double pi = 3.14159265358979323846;
  const Known known[] = {{"integral(floor(s))", 45},
                         {"integral(mod(s, 1))", 5},
                         {"integral(if(s > 3, 1, 0) - step(s - 7.5))", 4.5},
                         {"time(abs(s - 5) < 0.001)", 0.002},
                         {"max(min(s - 4, 5 - s))", 0.5},
                         {"time(sin(2*pi*s) > 0)", 5},
                         {"integral(sign(s - 2.5))", 5},
                         {"integral(step(t - 6))", 4},
                         {"max(exp(-(s - 5)^2))", 1},
                         {"integral(exp(-(s - 5)^2))", sqrt(pi) * erf(5)},
                         {"sd(s)", 10 / sqrt(12)},
                         {"min(1/(1 + s))", 1.0 / 11}};
  check(line, NULL, 0, known, COUNT(known), 1e-10);
  check(line, "rk4", 1, known, COUNT(known), 1e-10);
}

// What has no value somewhere has no measure; other measures keep theirs.
static void a_number_without_a_value_has_no_measure(void **state) {
  (void)state;
  const Known known[] = {{"max(ln(5 - t))", NAN}, {"max(t)", 10}, {"max(ln(5 - t)) < 3", NAN}, {"mean(t)", 5}};
  viva_run *run = run_of("state s = 0\ns' = 1\nsimulate to 10\n", NULL, 0, known, COUNT(known));
  assert_true(isnan(viva_run_measure(run, 0)));
  assert_true(isnan(viva_run_measure(run, 2)));
  assert_true(fabs(viva_run_measure(run, 1) - 10) < 1e-12 && fabs(viva_run_measure(run, 3) - 5) < 1e-12);
  assert_non_null(strstr(viva_run_summary(run, VIVA_FORMAT_TEXT), "has no value at t = 5"));
  viva_run_free(run);
}

static void measures_move_no_bit_of_the_motion(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "dopri5", "rodas", "bdf", "rk4", "gauss8", "conserve"};
  static const char *const text = "coord x = 1, y = 0.2\nkinetic 1/2*(x'^2 + y'^2) + 0.1*cos(x)*x'*y'\n"
                                  "potential 1/2*x^2 + y^4\ndissipation 0.01*x'^2\nsimulate to 5 step 0.05\n";
  viva_model *model = parse(text);
  for (size_t i = 0; i < COUNT(methods); i++) {
    viva_run_options o = viva_run_defaults();
    viva_run *plain, *measured;
    o.method = methods[i];
    assert_int_equal(viva_run_model(model, &o, NULL, &plain), VIVA_OK);
    o.measures = (const char *const[]){"max(x)", "sd(y)", "time(x*y > 0)"};
    o.measure_count = 3;
    assert_int_equal(viva_run_model(model, &o, NULL, &measured), VIVA_OK);
    for (size_t k = 0; k < viva_run_value_count(plain); k++) {
      double a = viva_run_value(plain, k), b = viva_run_value(measured, k);
      if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%s: %a and %a", methods[i], a, b);
    }
    viva_run_free(plain);
    viva_run_free(measured);
  }
  viva_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measures_are_as_exact_as_the_method), cmocka_unit_test(both_sides_of_an_event_count),
      cmocka_unit_test(corners_inside_long_steps_are_found), cmocka_unit_test(a_number_without_a_value_has_no_measure),
      cmocka_unit_test(measures_move_no_bit_of_the_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
