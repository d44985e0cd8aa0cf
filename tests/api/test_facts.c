// What `check` reports, against the motion itself: constants stay constant, and parameters that hang together may be
// changed together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_text = 16384, most_constants = 12 };

static const char *const plane = "param m1 = 2 [kg], m2 = 3 [kg], k = 40 [N/m], l = 1 [m]\n"
                                 "coord x1 = 1, y1 = 0.3, x2, y2 = 1\n"
                                 "init x1' = 0.5, y2' = -1\n"
                                 "let r = |[x1 - x2, y1 - y2]|\n"
                                 "kinetic 1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)\n"
                                 "potential 1/2*k*(r - l)^2\n";
static const char *const orbit = "param mu = 4 [m^3/s^2]\n"
                                 "coord x = 1 [m], y, z = 0.2\n"
                                 "init y' = 1.8, z' = 0.5\n"
                                 "kinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
                                 "potential -mu/sqrt(x^2 + y^2 + z^2)\n";
static const char *const top = "param A = 0.01, C = 0.005, m = 1, g = 9.81, l = 0.05\n"
                               "coord phi, th = 0.4, psi\n"
                               "init phi' = 1, psi' = 60\n"
                               "kinetic 1/2*A*(th'^2 + phi'^2*sin(th)^2) + 1/2*C*(psi' + phi'*cos(th))^2\n"
                               "potential m*g*l*cos(th)\n";
static const char *const magnet =
    "param m = 1, q = 2, B = 3, d = 0.1\n" // a charge in a magnetic field, and a damped slide
    "coord x = 1, y, s\n"
    "init x' = 1, s' = 2\n"
    "kinetic 1/2*m*(x'^2 + y'^2 + s'^2)\n"
    "lagrangian 1/2*q*B*(x*y' - y*x')\n"
    "dissipation 1/2*d*s'^2\n";

static viva_model *parse(const char *text, const char *const *set, size_t count) {
  viva_load_options o = viva_load_defaults();
  o.set = set;
  o.set_count = count;
  viva_model *model = NULL;
  viva_status status = viva_model_parse("test.viva", text, strlen(text), &o, &model);
  if (status != VIVA_OK) print_error("%s\n%s", text, viva_model_diagnostic(model, 0).text);
  assert_int_equal(status, VIVA_OK);
  return model;
}

static size_t find_constants(const char *text, char (*out)[2048]) {
  viva_model *model = parse(text, NULL, 0);
  viva_check *check = NULL;
  assert_int_equal(viva_check_model(model, &check), VIVA_OK);
  assert_int_equal(viva_check_verdict(check), VIVA_EQUAL);
  const char *json = strstr(viva_check_text(check, VIVA_FORMAT_JSON), "\"constants\""),
             *end = strstr(json, "\"lumped\"");
  size_t count = 0;
  for (const char *s = strstr(json, "\"value\": \""); s && s < end; s = strstr(s + 1, "\"value\": \"")) {
    s += strlen("\"value\": \"");
    size_t n = strcspn(s, "\"");
    assert_true(n < 2048 && count < most_constants);
    memcpy(out[count], s, n);
    out[count++][n] = '\0';
  }
  viva_check_free(check);
  viva_model_free(model);
  return count;
}

typedef struct Spread {
  double low[64], high[64], last[64];
  size_t columns;
} Spread;

static bool take_row(void *self, const double *values, size_t count) {
  Spread *s = self;
  for (size_t i = 0; i < count && i < 64; i++) {
    if (!s->columns || values[i] < s->low[i]) s->low[i] = values[i];
    if (!s->columns || values[i] > s->high[i]) s->high[i] = values[i];
    s->last[i] = values[i];
  }
  s->columns = count;
  return true;
}

static Spread run(const char *text, const char *const *set, size_t set_count) {
  viva_model *model = parse(text, set, set_count);
  Spread s = {0};
  viva_sink sink = {&s, NULL, take_row};
  viva_run_options o = viva_run_defaults();
  o.to = 1;
  o.every = 0.05;
  viva_run *result = NULL;
  assert_int_equal(viva_run_model(model, &o, &sink, &result), VIVA_OK);
  viva_run_free(result);
  viva_model_free(model);
  return s;
}

static void expect_constants(const char *text, size_t wanted) {
  static char constants[most_constants][2048], whole[most_text];
  size_t count = find_constants(text, constants);
  for (size_t i = 0; i < count; i++) print_message("%s\n", constants[i]);
  assert_int_equal(count, wanted);
  size_t used = (size_t)snprintf(whole, sizeof whole, "%s", text);
  for (size_t i = 0; i < count; i++)
    used += (size_t)snprintf(whole + used, sizeof whole - used, "output c%zu = %s\n", i, constants[i]);
  // broken twin: a hundredth of another one is not constant
  snprintf(whole + used, sizeof whole - used, "output twin = (%s) + t/100\n", constants[0]);
  Spread s = run(whole, NULL, 0);
  for (size_t i = 1; i <= count; i++) {
    double size = fmax(fabs(s.low[i]), fabs(s.high[i])) + 1e-3;
    assert_true(s.high[i] - s.low[i] < 1e-9 * size);
  }
  assert_true(s.high[count + 1] - s.low[count + 1] > 5e-3);
}

static void constants_stay_constant(void **state) {
  (void)state;
  expect_constants(plane, 4); // energy, two momenta, the angular momentum
  expect_constants(orbit, 4); // energy, three angular momenta
  expect_constants(top, 3);   // energy, two cyclic angles
  expect_constants(magnet,
                   4); // the turn of x and y; shifts, and the damped slide, with the forces of velocities integrated
}

static void same_motion(const char *text, const char *const *set, size_t count, bool same) {
  Spread a = run(text, NULL, 0), b = run(text, set, count);
  double worst = 0;
  for (size_t i = 0; i < a.columns; i++) worst = fmax(worst, fabs(a.last[i] - b.last[i]) / (1e-3 + fabs(a.last[i])));
  assert_int_equal(worst < 1e-8, same);
}

// The scalings that are reported: m2/m1, k/m1 in the plane; g/l, m*l^2/d for a pendulum; sums of springs.
static void parameters_may_be_changed_together(void **state) {
  (void)state;
  same_motion(plane, (const char *[]){"m1=6", "m2=9", "k=120"}, 3, true);
  same_motion(plane, (const char *[]){"m1=6", "m2=9", "k=40"}, 3, false);
  static const char *const pendulum = "param m = 1, l = 0.5, g = 9.81, d = 0.01, k1 = 1, k2 = 2\n"
                                      "coord th = 1, s = 1\n"
                                      "kinetic 1/2*m*l^2*th'^2 + 1/2*s'^2\n"
                                      "potential -m*g*l*cos(th) + 1/2*k1*s^2 + 1/2*k2*s^2\n"
                                      "dissipation 1/2*d*th'^2\n";
  viva_model *model = parse(pendulum, NULL, 0);
  viva_check *check = NULL;
  assert_int_equal(viva_check_model(model, &check), VIVA_OK);
  const char *text = viva_check_text(check, VIVA_FORMAT_TEXT);
  assert_non_null(strstr(text, "m, l, g and d count only by g/l and m*l^2/d: 2 numbers instead of 4"));
  assert_non_null(strstr(text, "k1 and k2 count only by k1 + k2: 1 number instead of 2"));
  viva_check_free(check);
  viva_model_free(model);
  same_motion(pendulum, (const char *[]){"m=3", "l=2", "g=39.24", "d=0.48", "k1=2.5", "k2=0.5"}, 6, true);
  same_motion(pendulum, (const char *[]){"m=3", "l=2", "g=39.24", "d=0.49"}, 4, false);
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  viva_check *check = NULL;
  assert_int_equal(viva_check_model(NULL, &check), VIVA_EUSAGE);
  viva_model *model = NULL;
  viva_load_options o = viva_load_defaults();
  const char *text = "param m = 1 [kg]\ncoord x [m]\nkinetic 1/2*m*x'^2\npotential m*x\n";
  assert_int_equal(viva_model_parse("a", text, strlen(text), &o, &model), VIVA_OK);
  assert_true(viva_model_diagnostic_count(model) == 1 && viva_model_diagnostic(model, 0).warning);
  assert_string_equal(viva_model_diagnostic(model, 0).code, "units");
  viva_model_free(model);
  o.strict = true;
  assert_int_equal(viva_model_parse("a", text, strlen(text), &o, &model), VIVA_EINPUT);
  assert_false(viva_model_diagnostic(model, 0).warning);
  assert_int_equal(viva_check_model(model, &check), VIVA_EINPUT);
  assert_null(check);
  viva_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_stay_constant),
      cmocka_unit_test(parameters_may_be_changed_together),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
