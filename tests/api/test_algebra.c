// The examples against equations from outside: the reference residuals are equal to the model's equations, so are the
// printed ones, and the slips of the source documents are different, each with a witness.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static viva_model *load(const char *example) {
  char path[8192];
  viva_model *model = NULL;
  snprintf(path, sizeof path, VIVA_ROOT "/examples/%.200s.viva", example);
  assert_int_equal(viva_model_load(path, NULL, &model), VIVA_OK);
  return model;
}

// With another text in the place of the first one that is equal to `old`.
static viva_model *load_changed(const char *example, const char *old, const char *new) {
  char path[512], text[8192] = "", out[9000];
  snprintf(path, sizeof path, "%s/examples/%s.viva", VIVA_ROOT, example);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  const char *at = strstr(text, old);
  assert_non_null(at);
  snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
  viva_model *model;
  assert_int_equal(viva_model_parse(path, out, strlen(out), NULL, &model), VIVA_OK);
  return model;
}

static viva_check *check(const viva_model *model, const char *text) {
  viva_check *c = NULL;
  viva_status status = viva_check_equations(model, "test", text, strlen(text), &c);
  if (viva_check_message(c)) print_error("%s", viva_check_message(c));
  assert_int_equal(status, VIVA_OK);
  return c;
}

static void expect(const viva_model *model, const char *text, viva_verdict verdict) {
  viva_check *c = check(model, text);
  if (viva_check_verdict(c) != verdict) print_error("%s", viva_check_text(c, VIVA_FORMAT_TEXT));
  assert_int_equal(viva_check_verdict(c), verdict);
  assert_true(viva_check_count(c) > 0);
  bool witness = strstr(viva_check_text(c, VIVA_FORMAT_JSON), "\"witness\": {\"exact\": true") != NULL;
  assert_int_equal(witness, verdict == VIVA_DIFFERENT);
  viva_check_free(c);
}

// The same where values are balls: there are functions that have no rational values.
static void expect_inexact(const viva_model *model, const char *text, viva_verdict verdict) {
  viva_check *c = check(model, text);
  if (viva_check_verdict(c) != verdict) print_error("%s", viva_check_text(c, VIVA_FORMAT_TEXT));
  assert_int_equal(viva_check_verdict(c), verdict);
  bool witness = strstr(viva_check_text(c, VIVA_FORMAT_JSON), "\"witness\": {\"exact\": false") != NULL;
  assert_int_equal(witness, verdict == VIVA_DIFFERENT);
  viva_check_free(c);
}

// th_1_dd is th[1]''. Names like th_1 and m_1 are entries.
static void in_our_names(const char *line, char *out) {
  while (*line) {
    if (strncmp(line, "_dd", 3) == 0) {
      strcpy(out, "''");
      out += 2;
      line += 3;
    } else if (strncmp(line, "_d", 2) == 0) {
      *out++ = '\'';
      line += 2;
    } else if (*line == '_' && line[1] >= '0' && line[1] <= '9') {
      out += sprintf(out, "[%c]", line[1]);
      line += 2;
    } else {
      *out++ = *line++;
    }
  }
  *out = '\0';
}

static void reference_residuals_are_equal(void **state) {
  (void)state;
  FILE *f = fopen(VIVA_ROOT "/tests/reference/equations.txt", "r");
  assert_non_null(f);
  char line[8192], text[16384];
  viva_model *model = NULL;
  int seen = 0;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#') continue;
    if (line[0] == '=') { // = example setting; k=1 is a number in the equations
      char *blank = strchr(line + 2, ' ');
      *blank = '\0';
      viva_model_free(model);
      model = blank[1] == 'k' ? load_changed(line + 2, "k*FA", blank[3] == '1' ? "1*FA" : "0*FA") : load(line + 2);
      continue;
    }
    in_our_names(line, text);
    strcat(text, " = 0");
    expect(model, text, VIVA_EQUAL);
    seen++;
  }
  fclose(f);
  viva_model_free(model);
  assert_int_equal(seen, 32);
}

// The lines of the section with equations, as they are printed.
static char *printed_equations(const viva_model *model, viva_form form, const char *heading) {
  viva_derive_options o = viva_derive_defaults();
  o.form = form;
  char *text = NULL;
  assert_int_equal(viva_derive(model, &o, &text), VIVA_OK);
  char *start = strstr(text, heading);
  assert_non_null(start);
  start += strlen(heading) + 1;
  char *end = strstr(start, "\n\n");
  if (end) end[1] = '\0';
  char *copy = malloc(strlen(start) + 1);
  strcpy(copy, start);
  viva_text_free(text);
  return copy;
}

static void printed_equations_are_equal(void **state) {
  (void)state;
  static const char *const examples[] = {"inverted_pendulum", "cart_double_pendulum", "triple_pendulum", "two_masses",
                                         "quarter_car"};
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    viva_model *model = load(examples[i]);
    char *lagrange = printed_equations(model, VIVA_FORM_LAGRANGE, "Lagrange's equations");
    expect(model, lagrange, VIVA_EQUAL);
    char *solved = printed_equations(model, VIVA_FORM_SOLVED, "Accelerations");
    expect(model, solved, VIVA_EQUAL);
    free(lagrange);
    free(solved);
    viva_model_free(model);
  }
}

// The slips of the documents that concern these models.
static void errata_are_different(void **state) {
  (void)state;
  viva_model *model = load("inverted_pendulum");
  // the solved form with the force on the wrong side, and the right one
  expect(model,
         "th'' = (-l*m*sin(th)*cos(th)*th'^2 + u*cos(th) + delta*x'*cos(th) + (M + m)*g*sin(th))/(l*(M + m*sin(th)^2))",
         VIVA_DIFFERENT);
  expect(model,
         "th'' = (-l*m*sin(th)*cos(th)*th'^2 - u*cos(th) + delta*x'*cos(th) + (M + m)*g*sin(th))/(l*(M + m*sin(th)^2))",
         VIVA_EQUAL);
  // the angle measured from the hanging position
  expect(model, "l*m*cos(th)*x'' + l^2*m*th'' + g*l*m*sin(th) = 0", VIVA_DIFFERENT);
  expect(model, "V = -m*g*l*cos(th)", VIVA_DIFFERENT);
  viva_model_free(model);

  model = load("triple_pendulum");
  // the height of the second bob with a sine
  expect(
      model,
      "V = -m[1]*g*l*cos(th[1]) - m[2]*g*l*(cos(th[1]) + sin(th[2])) - m[3]*g*l*(cos(th[1]) + sin(th[2]) + cos(th[3]))",
      VIVA_DIFFERENT);
  // gravity upwards on the second and third bob: potential, and the equation that follows
  expect(
      model,
      "V = -m[1]*g*l*cos(th[1]) + m[2]*g*l*(cos(th[1]) + cos(th[2])) + m[3]*g*l*(cos(th[1]) + cos(th[2]) + cos(th[3]))",
      VIVA_DIFFERENT);
  expect(
      model,
      "V = -m[1]*g*l*cos(th[1]) - m[2]*g*l*(cos(th[1]) + cos(th[2])) - m[3]*g*l*(cos(th[1]) + cos(th[2]) + cos(th[3]))",
      VIVA_EQUAL);
  expect(model,
         "m[3]*l*cos(th[1] - th[3])*th[1]'' + m[3]*l*cos(th[2] - th[3])*th[2]'' + m[3]*l*th[3]'' - m[3]*l*sin(th[1] - "
         "th[3])*th[1]'^2 - m[3]*l*sin(th[2] - th[3])*th[2]'^2 - m[3]*g*sin(th[3]) = 0",
         VIVA_DIFFERENT);
  viva_model_free(model);

  model = load("quarter_car");
  // row 1 of the matrix form without the free length of the suspension
  expect(model, "m1*q1'' + (Bn + Bs)*q1' - Bs*q2' + (ks + kn)*q1 - ks*q2 = Bn*x0' + kn*(x0 + Dn) - Fs", VIVA_DIFFERENT);
  expect(model, "m1*q1'' + (Bn + Bs)*q1' - Bs*q2' + (ks + kn)*q1 - ks*q2 = Bn*x0' + kn*(x0 + Dn) - Fs - ks*Ds",
         VIVA_EQUAL);
  viva_model_free(model);

  model = load("rlc_series");
  // the gradient of the energy without C and L, the resistor with the wrong sign
  expect(model, "L*q'' + R*q' + q = E", VIVA_DIFFERENT);
  expect(model, "L*q'' - R*q' + q/C = E", VIVA_DIFFERENT);
  expect(model, "L*q'' + R*q' + q/C = E", VIVA_EQUAL);
  viva_model_free(model);

  model = load("dc_motor");
  // the load with the wrong sign
  expect_inexact(model, "qm'' = -b/J*qm' + km*psis*tanh(qe'/Is)*qa'/J + Tc/J", VIVA_DIFFERENT);
  expect_inexact(model, "qm'' = -b/J*qm' + km*psis*tanh(qe'/Is)*qa'/J - Tc/J", VIVA_EQUAL);
  viva_model_free(model);

  // L(x) and a current: i' for i, x' for i
  model = load("electromagnet");
  expect(model, "T = 1/2*L(qm)*qe''^2 + 1/2*m*qm'^2", VIVA_DIFFERENT);
  expect(model, "T = 1/2*L(qm)*qm'^2 + 1/2*m*qm'^2", VIVA_DIFFERENT);
  expect(model, "T = 1/2*L(qm)*qe'^2 + 1/2*m*qm'^2", VIVA_EQUAL);
  viva_model_free(model);

  model = load_changed("robot_on_flexible_base", "k*FA", "0*FA");
  // q3' for q3'', and a spring without its rest length: each alone, and both
  expect(model,
         "(mB + mT)*q1'' + mT*sin(q2)*q3' + mT*(l + q3)*cos(q2)*q2'' + 2*mT*cos(q2)*q2'*q3' - mT*(l + "
         "q3)*sin(q2)*q2'^2 + bB*q1' + kB*(q1 - H - DB) + (mB + mT)*g = 0",
         VIVA_DIFFERENT);
  expect(model,
         "(mB + mT)*q1'' + mT*sin(q2)*q3'' + mT*(l + q3)*cos(q2)*q2'' + 2*mT*cos(q2)*q2'*q3' - mT*(l + "
         "q3)*sin(q2)*q2'^2 + bB*q1' + kB*q1 + (mB + mT)*g = 0",
         VIVA_DIFFERENT);
  expect(model,
         "(mB + mT)*q1'' + mT*sin(q2)*q3' + mT*(l + q3)*cos(q2)*q2'' + 2*mT*cos(q2)*q2'*q3' - mT*(l + "
         "q3)*sin(q2)*q2'^2 + bB*q1' + kB*q1 + (mB + mT)*g = 0",
         VIVA_DIFFERENT);
  expect(model,
         "(mB + mT)*q1'' + mT*sin(q2)*q3'' + mT*(l + q3)*cos(q2)*q2'' + 2*mT*cos(q2)*q2'*q3' - mT*(l + "
         "q3)*sin(q2)*q2'^2 + bB*q1' + kB*(q1 - H - DB) + (mB + mT)*g = 0",
         VIVA_EQUAL);
  // gravity inside the brace with mT*q1'
  expect(model,
         "mT*(l + q3)^2*q2'' + 2*mT*(l + q3)*q2'*q3' + mT*(l + q3)*cos(q2)*q1'' + mT*q1'*(mT*g*(l + q3)*cos(q2)) + "
         "bM*q2' = tauM",
         VIVA_DIFFERENT);
  expect(
      model,
      "mT*(l + q3)^2*q2'' + 2*mT*(l + q3)*q2'*q3' + mT*(l + q3)*cos(q2)*q1'' + mT*g*(l + q3)*cos(q2) + bM*q2' = tauM",
      VIVA_EQUAL);
  // the reaction of the actuator counted at the base once more
  expect(model,
         "(mB + mT)*q1'' + mT*sin(q2)*q3'' + mT*(l + q3)*cos(q2)*q2'' + 2*mT*cos(q2)*q2'*q3' - mT*(l + "
         "q3)*sin(q2)*q2'^2 + bB*q1' + kB*(q1 - H - DB) + (mB + mT)*g = -FA*sin(q2)",
         VIVA_DIFFERENT);
  viva_model_free(model);
}

static void two_models_are_compared(void **state) {
  (void)state;
  viva_model *a = load("inverted_pendulum"), *b = load("inverted_pendulum"), *c = load("two_masses");
  viva_check *same = NULL, *other = NULL;
  assert_int_equal(viva_check_same(a, b, "a", "b", &same), VIVA_OK);
  assert_int_equal(viva_check_verdict(same), VIVA_EQUAL);
  assert_int_equal(viva_check_verdict_of(same, 0), VIVA_EQUAL);
  assert_int_equal(viva_check_same(a, c, "a", "c", &other), VIVA_OK);
  assert_int_equal(viva_check_verdict(other), VIVA_DIFFERENT);
  viva_check_free(same);
  viva_check_free(other);
  viva_model_free(a);
  viva_model_free(b);
  viva_model_free(c);
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  viva_model *model = load("two_masses");
  viva_check *c = NULL;
  assert_int_equal(viva_check_equations(model, "test", NULL, 0, &c), VIVA_EUSAGE);
  assert_int_equal(viva_check_equations(NULL, "test", "", 0, &c), VIVA_EUSAGE);
  assert_int_equal(viva_check_same(model, NULL, "a", "b", &c), VIVA_EUSAGE);
  assert_int_equal(viva_check_equations(model, "test", "q1 = = 3", 8, &c), VIVA_EINPUT);
  assert_non_null(strstr(viva_check_message(c), "test:1:6"));
  assert_string_equal(viva_check_text(c, VIVA_FORMAT_TEXT), "");
  viva_check_free(c);
  viva_check_free(NULL);
  viva_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_residuals_are_equal), cmocka_unit_test(printed_equations_are_equal),
      cmocka_unit_test(errata_are_different),          cmocka_unit_test(two_models_are_compared),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
