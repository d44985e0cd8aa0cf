// What a picture says against what was computed: the points of its curves, read back from the SVG by the scale that its
// ticks show.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include "tests/unit/show/svg_reader.h"

enum { most_points = 20000 };

static char *draw(viva_model *m, const char *method, double step) {
  viva_figure_options o = viva_figure_defaults();
  viva_figure *f;
  assert_int_equal(viva_figure_new(m, &o, &f), VIVA_OK);
  viva_run_options r = viva_run_defaults();
  r.figure = f;
  r.method = method;
  if (step > 0) r.step = step;
  viva_run *run;
  viva_status status = viva_run_model(m, &r, NULL, &run);
  if (status != VIVA_OK) fail_msg("%s", viva_run_message(run));
  viva_run_free(run);
  char *svg;
  size_t length;
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_SVG, &svg, &length), VIVA_OK);
  viva_figure_free(f);
  return svg;
}

static viva_model *parse(const char *text) {
  viva_model *m;
  if (viva_model_parse("picture.viva", text, strlen(text), NULL, &m) != VIVA_OK)
    fail_msg("%s\n%s", viva_model_diagnostic(m, 0).text, text);
  return m;
}

// The points of a curve in the units of its axes; a piece ends before a point whose x is NAN.
static size_t curve_values(const SvgFile *f, size_t curve, const char *axis, double (*at)[2]) {
  const SvgElement *e = svg_find(f, "path", "curve", curve);
  assert_non_null(e);
  size_t n = svg_points(e, at, most_points);
  double a, b, c, d;
  told_scale(f, "tick-x", "x", false, &a, &b);
  told_scale(f, axis, "y", false, &c, &d);
  for (size_t i = 0; i < n; i++) {
    at[i][0] = a + b * at[i][0];
    at[i][1] = c + d * at[i][1];
  }
  return n;
}

// ---- an instant

typedef struct Jump {
  const char *signal;
  double left, right, least, most; // at t = 0.5; over the whole run from 0 to 1
} Jump;

// r = 5 step(t - 0.5) and x = t, in closed form.
static const Jump jumps[] = {
    {"r", 0, 5, 0, 5},
    {"min(r, 1)", 0, 1, 0, 1},
    {"max(r, 1)", 1, 5, 1, 5},
    {"limit(r, -1, 2)", 0, 2, 0, 2},
    {"if(r > 2, 3, 1)", 1, 3, 1, 3},
    {"sign(r - 2)", -1, 1, -1, 1},
    {"floor(r/2)", 0, 2, 0, 2},
    {"mod(r, 3)", 0, 2, 0, 2},
    {"abs(r - 2)", 2, 3, 2, 3},
    {"deadzone(r, 1)", 0, 4.5, 0, 4.5},
    {"min(max(r, -1), 1) + 0*x", 0, 1, 0, 1},
    {"hysteresis(r, 1, 2, 7, 4)", 4, 7, 4, 7},
    {"if(x > 0.5, 2, -1)", -1, 2, -1, 2},
    {"sign(x - 0.5)", -1, 1, -1, 1},
    {"3*floor(2*x) + 0.5", 0.5, 3.5, 0.5, 6.5},
    {"-mod(x, 0.5)", -0.5, 0, -0.5, 0},
    {"compare(x, 0.5, -2, 2)", -2, 2, -2, 2},
    {"5*(t > 0.5)", 0, 5, 0, 5},
    {"min(5*(t > 0.5), 1)", 0, 1, 0, 1},
    {"c", 0, 0.5, 0, 1},
};

// Both limits stand over the instant, next to each other; and no ordinate is beyond the values of the run.
static void check_jump(const Jump *j, const char *method, double step) {
  char text[512];
  snprintf(
      text, sizeof text,
      "input r = 5*step(t - 0.5)\nstate x = 0, c = 0, s = 0\nx' = 1\ns' = y\nevery 0.5 do c := x\nlet y = %s\nplot y\n"
      "simulate to 1 step 0.15\n",
      j->signal);
  viva_model *m = parse(text);
  char *svg = draw(m, method, step);
  SvgFile f = svg_read(svg);
  double(*p)[2] = calloc(most_points, sizeof *p), off = 5e-3 * (j->most - j->least);
  size_t n = curve_values(&f, 0, "tick-y", p), upright = 0;
  for (size_t i = 0; i < n; i++) {
    if (p[i][1] < j->least - off || p[i][1] > j->most + off)
      fail_msg("%s by %s: drawn at %g for t = %g", j->signal, method ? method : "auto", p[i][1], p[i][0]);
    if (i == 0 || fabs(p[i][0] - 0.5) > 1e-3 || fabs(p[i - 1][0] - 0.5) > 1e-3) continue;
    upright += fabs(p[i - 1][1] - j->left) < off && fabs(p[i][1] - j->right) < off;
  }
  // before and after it the curve is flat or goes with x: nowhere else is there a step of half the size
  for (size_t i = 1; i < n; i++) {
    bool at = fabs(p[i][0] - 0.5) < 1e-3 || fabs(p[i][0] - 1) < 1e-3;
    if (!at && fabs(p[i][1] - p[i - 1][1]) > 0.5 * fabs(j->right - j->left))
      fail_msg("%s by %s: from %g to %g at t = %g", j->signal, method ? method : "auto", p[i - 1][1], p[i][1], p[i][0]);
  }
  if (upright != 1) fail_msg("%s by %s: %zu upright lines at the jump", j->signal, method ? method : "auto", upright);
  free(p);
  free(f.items);
  viva_text_free(svg);
  viva_model_free(m);
}

static void an_instant_has_two_limits_and_an_upright_line(void **state) {
  (void)state;
  static const char *const methods[] = {NULL, "rodas", "bdf", "rk4", "gauss4"};
  for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) check_jump(&jumps[i], methods[k], 0);
  }
}

// Without events a fixed step is not cut at the jumps of inputs; the picture shows both sides all the same.
static void an_input_jumps_inside_a_fixed_step(void **state) {
  (void)state;
  viva_model *m = parse("input r = 5*step(t - 0.5)\nstate x = 0\nx' = r - x\nplot r\nsimulate to 1 step 0.2\n");
  char *svg = draw(m, "rk4", 0);
  SvgFile f = svg_read(svg);
  double(*p)[2] = calloc(most_points, sizeof *p);
  size_t n = curve_values(&f, 0, "tick-y", p);
  for (size_t i = 0; i < n; i++)
    assert_true(fabs(p[i][1] - (p[i][0] < 0.5 ? 0 : 5)) < 0.02 || fabs(p[i][0] - 0.5) < 1e-3);
  free(p);
  free(f.items);
  viva_text_free(svg);
  viva_model_free(m);
}

// A controller whose output is limited to 8 is not drawn beyond it.
static void a_limited_signal_stays_within_its_limits(void **state) {
  (void)state;
  viva_model *m;
  assert_int_equal(viva_model_load(VIVA_ROOT "/examples/blocks/pid_pendulum.viva", NULL, &m), VIVA_OK);
  char *svg = draw(m, NULL, 0);
  SvgFile f = svg_read(svg);
  double(*p)[2] = calloc(most_points, sizeof *p), most = 0;
  size_t n = curve_values(&f, 1, "tick-right", p);
  for (size_t i = 0; i < n; i++) most = fmax(most, p[i][1]);
  assert_true(fabs(most - 8) < 0.02);
  free(p);
  free(f.items);
  viva_text_free(svg);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_instant_has_two_limits_and_an_upright_line),
      cmocka_unit_test(an_input_jumps_inside_a_fixed_step),
      cmocka_unit_test(a_limited_signal_stays_within_its_limits),
  };
  return cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
}
