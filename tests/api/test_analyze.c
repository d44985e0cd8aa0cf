// viva_analyze from the outside: the critical gain by four methods, tables and pictures, wrong use.
#include "tests/support.h"

#include "viva/viva.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static viva_model *load(const char *file, const char *gain, const char *tap) {
  viva_load_options o = viva_load_defaults();
  viva_model *m;
  o.set = &gain;
  o.set_count = gain ? 1 : 0;
  o.taps = &tap;
  o.tap_count = tap ? 1 : 0;
  assert_int_equal(viva_model_load(file, &o, &m), VIVA_OK);
  return m;
}

static viva_analysis *analyze(const viva_model *m, const char *open, const char *over) {
  viva_analyze_options o = viva_analyze_defaults();
  viva_analysis *a;
  o.open = open;
  o.over = over;
  assert_int_equal(viva_analyze(m, &o, &a), VIVA_OK);
  return a;
}

// The number behind a key, the k-th time that it stands in the text from `after` on.
static double number_at(const char *json, const char *after, const char *key) {
  const char *at = strstr(json, after);
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  at = at ? strstr(at, quoted) : NULL;
  assert_non_null(at);
  return strtod(at + strlen(quoted), NULL);
}

static const char example[] = VIVA_ROOT "/examples/critical_gain.viva";

// The square of the swing over one turn, 13 turns later over before: 1 where it neither grows nor decays.
static double growth(double gain) {
  char text[64];
  snprintf(text, sizeof text, "K=%.17g", gain);
  viva_model *m = load(example, text, NULL);
  viva_run_options o = viva_run_defaults();
  const char *measures[] = {"integral(if(t > 10*pi and t < 12*pi, y^2, 0))", "integral(if(t > 36*pi, y^2, 0))"};
  viva_run *run;
  o.to = 38 * 3.14159265358979323846;
  o.rtol = 1e-13;
  o.method = "dop853";
  o.measures = measures;
  o.measure_count = 2;
  assert_int_equal(viva_run_model(m, &o, NULL, &run), VIVA_OK);
  double ratio = viva_run_measure(run, 1) / viva_run_measure(run, 0);
  viva_run_free(run);
  viva_model_free(m);
  return ratio;
}

static void four_ways_lead_to_the_critical_gain(void **state) {
  (void)state;
  // the margin, by an equation
  viva_model *m = load(example, "K=1", "e");
  viva_analysis *a = analyze(m, "e", "K=0:10");
  const char *json = viva_analysis_text(a, VIVA_FORMAT_JSON);
  assert_true(fabs(number_at(json, "\"margins\"", "value") - 4) < 4e-12);
  assert_true(fabs(number_at(json, "\"margins\"", "frequency") - 1) < 1e-12);
  // the locus, by its crossing
  assert_true(fabs(number_at(json, "\"crossings\"", "value") - 4) < 4e-10);
  viva_analysis_free(a);
  viva_model_free(m);
  // Routh's table and Nyquist's curve, a little to both sides
  const char *below = "K=4 - 4e-10", *above = "K=4 + 4e-10";
  for (int side = 0; side < 2; side++) {
    m = load(example, side ? above : below, "e");
    a = analyze(m, "e", NULL);
    json = viva_analysis_text(a, VIVA_FORMAT_JSON);
    assert_int_equal((int)number_at(json, "\"routh\"", "changes"), side ? 2 : 0);
    assert_int_equal((int)number_at(json, "\"nyquist\"", "closed"), side ? 2 : 0);
    viva_analysis_free(a);
    viva_model_free(m);
  }
}

// The motion itself: the gain at which it swings on, by the secant.
static void the_motion_swings_on_at_the_critical_gain(void **state) {
  (void)state;
  double a = 3.9, b = 4.1, fa = log(growth(a)), fb = log(growth(b));
  for (int i = 0; i < 6 && fabs(fb) > 1e-13; i++) {
    double c = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb;
    b = c, fb = log(growth(c));
  }
  if (!(fabs(b - 4) < 4e-10)) fail_msg("the motion says %.15g", b);
}

static void curves_are_tables_and_pictures(void **state) {
  (void)state;
  viva_model *m = load(example, NULL, "e");
  viva_analysis *a = analyze(m, "e", "K=0:10");
  for (int curve = VIVA_CURVE_BODE; curve <= VIVA_CURVE_LOCUS; curve++) {
    char *text;
    size_t length;
    assert_int_equal(viva_analysis_table(a, (viva_curve)curve, &text, &length), VIVA_OK);
    assert_true(length > 20 && strchr(text, '\n'));
    viva_text_free(text);
    assert_int_equal(viva_analysis_draw(a, (viva_curve)curve, NULL, VIVA_PICTURE_SVG, &text, &length), VIVA_OK);
    assert_non_null(strstr(text, "<svg"));
    viva_text_free(text);
  }
  viva_analysis_free(a);
  viva_model_free(m);
}

// The path of three lags: its sectors are 0 .. 4 and 0 .. 8, so the borders lie at -1/4 and -1/8.
static void sectors_are_drawn(void **state) {
  (void)state;
  static const char text[] = "input u\nlet y = tf(u, [1], [1, 3, 3, 1])\noutput y\n";
  viva_model *m;
  char *data;
  size_t length;
  assert_int_equal(viva_model_parse("lags", text, sizeof text - 1, NULL, &m), VIVA_OK);
  viva_analysis *a = analyze(m, NULL, NULL);
  assert_int_equal(viva_analysis_draw(a, VIVA_CURVE_CIRCLE, NULL, VIVA_PICTURE_SVG, &data, &length), VIVA_OK);
  assert_non_null(strstr(data, "sector 0 .. 4<"));
  viva_text_free(data);
  assert_int_equal(viva_analysis_draw(a, VIVA_CURVE_POPOV, NULL, VIVA_PICTURE_SVG, &data, &length), VIVA_OK);
  assert_non_null(strstr(data, "sector 0 .. 8<"));
  viva_text_free(data);
  // no point of Popov's curve lies left of its line x = -1/8 + y, and one touches it
  assert_int_equal(viva_analysis_table(a, VIVA_CURVE_POPOV, &data, &length), VIVA_OK);
  double least = INFINITY;
  for (char *row = strchr(data, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
    char *end;
    strtod(row + 1, &end);
    double re = strtod(end + 1, &end), im = strtod(end + 1, &end);
    least = fmin(least, re + 0.125 - im);
  }
  assert_true(least > -1e-8 && least < 1e-3);
  viva_text_free(data);
  viva_analysis_free(a);
  viva_model_free(m);
}

static void wrong_use_is_told(void **state) {
  (void)state;
  viva_model *m = load(example, NULL, NULL);
  viva_analyze_options o = viva_analyze_defaults();
  viva_analysis *a;
  char *text;
  size_t length;
  assert_int_equal(viva_analyze(NULL, NULL, &a), VIVA_EUSAGE);
  assert_int_equal(viva_analyze(m, NULL, NULL), VIVA_EUSAGE);
  o.open = "e"; // not among the taps
  assert_int_equal(viva_analyze(m, &o, &a), VIVA_EINPUT);
  assert_non_null(strstr(viva_analysis_message(a), "no signal called `e`"));
  assert_int_equal(viva_analysis_draw(a, VIVA_CURVE_BODE, NULL, VIVA_PICTURE_SVG, &text, &length), VIVA_EINPUT);
  viva_analysis_free(a);
  assert_int_equal(viva_analyze(m, NULL, &a), VIVA_OK);
  assert_int_equal(viva_analysis_table(a, VIVA_CURVE_LOCUS, &text, &length), VIVA_EINPUT);
  assert_int_equal(viva_analysis_table(a, (viva_curve)99, &text, &length), VIVA_EUSAGE);
  viva_analysis_free(a);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(four_ways_lead_to_the_critical_gain),
      cmocka_unit_test(the_motion_swings_on_at_the_critical_gain),
      cmocka_unit_test(curves_are_tables_and_pictures),
      cmocka_unit_test(sectors_are_drawn),
      cmocka_unit_test(wrong_use_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
