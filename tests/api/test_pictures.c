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

// Nothing of the motion depends on what is shown alone, so no event is located; its jumps are upright all the same.
static void what_is_shown_alone_jumps_upright(void **state) {
  (void)state;
  static const struct {
    const char *signal;
    double first, every; // when it jumps
    size_t count;
  } cases[] = {
      {"if(x > 0.523, 2, -1)", 0.523, 1, 1}, {"floor(7*x)", 1 / 7.0, 1 / 7.0, 6}, {"mod(x, 0.13)", 0.13, 0.13, 7}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[256];
    snprintf(text, sizeof text, "state x = 0\nx' = 1\nplot %s\nsimulate to 0.99 step 0.15\n", cases[k].signal);
    viva_model *m = parse(text);
    char *svg = draw(m, NULL, 0);
    SvgFile f = svg_read(svg);
    double(*p)[2] = calloc(most_points, sizeof *p), size = k == 0 ? 3 : k == 1 ? 1 : 0.13;
    size_t n = curve_values(&f, 0, "tick-y", p), upright = 0;
    for (size_t i = 1; i < n; i++) {
      if (fabs(p[i][1] - p[i - 1][1]) < 0.9 * size || (k == 2 && p[i][1] > p[i - 1][1])) continue;
      double want = cases[k].first + cases[k].every * (double)upright++;
      if (fabs(p[i][0] - want) > 1e-3 || fabs(p[i - 1][0] - want) > 1e-3)
        fail_msg("%s: from t = %g to %g, not at %g", cases[k].signal, p[i - 1][0], p[i][0], want);
    }
    assert_int_equal(upright, cases[k].count);
    free(p);
    free(f.items);
    viva_text_free(svg);
    viva_model_free(m);
  }
}

// x = cos t, x' = -sin t with rows 0.8 s apart: the path is a circle all the same.
static void a_path_in_the_plane_is_round(void **state) {
  (void)state;
  viva_model *m =
      parse("coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\nplot x' against x\nsimulate to 20 step 0.8\n");
  char *svg = draw(m, NULL, 0);
  SvgFile f = svg_read(svg);
  double(*p)[2] = calloc(most_points, sizeof *p);
  size_t n = curve_values(&f, 0, "tick-y", p);
  assert_true(n > 80);
  for (size_t i = 1; i < n; i++) {
    double x = (p[i - 1][0] + p[i][0]) / 2, y = (p[i - 1][1] + p[i][1]) / 2; // the middle of a segment, too
    assert_true(fabs(hypot(p[i][0], p[i][1]) - 1) < 5e-3);
    assert_true(hypot(x, y) > 0.985);
  }
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

// ---- poles

// tan(2 t) and 1/sin(2 t): no piece of the curve goes from one side of a pole to the other, and the axis says its cut.
static void curves_are_not_joined_across_poles(void **state) {
  (void)state;
  static const struct {
    const char *signal;
    double first; // pole, in parts of pi, and then every half of it
  } cases[] = {{"tan(2*t)", 0.25}, {"1/sin(2*t + 1e-3)", 0.5}, {"tan(2*t)^2", 0.25}};
  const double pi = 3.14159265358979323846;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[256];
    snprintf(text, sizeof text, "state x = 0\nx' = 0\nplot %s\nsimulate to 6 step 0.01\n", cases[k].signal);
    viva_model *m = parse(text);
    char *svg = draw(m, NULL, 0);
    assert_non_null(strstr(svg, "cut at poles: the largest value is "));
    SvgFile f = svg_read(svg);
    const SvgElement *e = svg_find(&f, "path", "curve", 0);
    double(*p)[2] = calloc(most_points, sizeof *p), a, b, lo, hi;
    told_scale(&f, "tick-x", "x", false, &a, &b);
    told_scale(&f, "tick-y", "y", false, &lo, &hi);
    assert_true(fabs(hi) < 1); // a pixel is no large part of the axis: nothing is flattened
    // pieces, each from an M to the next
    size_t pieces = 0;
    for (const char *s = strstr(e->start, " d=\"M"); s && s < e->end; s = strchr(s + 1, 'M')) {
      const char *from = strchr(s, 'M') + 1, *stop = strchr(from, 'M');
      if (from > e->end) break;
      if (!stop || stop > e->end) stop = e->end;
      char *next;
      double first = a + b * strtod(from, &next), last = first;
      for (const char *q = next; q < stop && *q != '"';) {
        double v = strtod(q, &next);
        if (next == q) {
          q++;
          continue;
        }
        if (*next == ',') last = a + b * v;
        q = next;
      }
      pieces++;
      for (double pole = cases[k].first * pi; pole < 6; pole += 0.5 * pi) {
        if (first < pole - 0.02 && last > pole + 0.02)
          fail_msg("%s is joined across %g: from %g to %g", cases[k].signal, pole, first, last);
      }
    }
    assert_true(pieces >= 4);
    free(p);
    free(f.items);
    viva_text_free(svg);
    viva_model_free(m);
  }
}

// A spike is no pole: nothing of it is cut, and neither is a steep slope through zero.
static void spikes_are_shown_whole(void **state) {
  (void)state;
  static const char *const signals[] = {"exp(-(100*(t - 3))^2)", "tanh(1e4*(t - 3))", "100*mod(t, 1) - 50",
                                        "1/((t - 3)^2 + 1e-3)",  "sin(150*t)",        "floor(7*t) + sin(170*t)"};
  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
    char text[256];
    snprintf(text, sizeof text, "state x = 0\nx' = 0\nplot %s\nsimulate to 6 step 0.01\n", signals[k]);
    viva_model *m = parse(text);
    char *svg = draw(m, NULL, 0);
    if (strstr(svg, "cut at poles")) fail_msg("%s has no pole", signals[k]);
    viva_text_free(svg);
    viva_model_free(m);
  }
}

// ---- words and axes

static size_t words_with(const SvgFile *f, const char *class, const char *part) {
  size_t n = 0;
  for (size_t i = 0; i < svg_count(f, "text", class); i++) {
    const SvgElement *e = svg_find(f, "text", class, i);
    char text[256] = "";
    memcpy(text, e->text, (size_t)(e->text_end - e->text) < 255 ? (size_t)(e->text_end - e->text) : 255);
    n += strstr(text, part) != NULL;
  }
  return n;
}

static void long_names_stay_different(void **state) {
  (void)state;
  viva_model *m = parse("state temperature_of_the_combustion_chamber_left = 300 [K], "
                        "temperature_of_the_combustion_chamber_right = 310 [K], "
                        "volume_of_the_oil_in_the_upper_reservoir = 2 [m^3]\n"
                        "temperature_of_the_combustion_chamber_left' = -1\n"
                        "temperature_of_the_combustion_chamber_right' = -2\n"
                        "volume_of_the_oil_in_the_upper_reservoir' = 0.1\n"
                        "plot temperature_of_the_combustion_chamber_left, temperature_of_the_combustion_chamber_right\n"
                        "plot temperature_of_the_combustion_chamber_left, volume_of_the_oil_in_the_upper_reservoir\n"
                        "simulate to 10\n");
  char *svg = draw(m, NULL, 0);
  SvgFile f = svg_read(svg);
  assert_int_equal(words_with(&f, "legend", "left"), 2);
  assert_int_equal(words_with(&f, "legend", "right"), 1);
  assert_int_equal(words_with(&f, "legend", "reservoir →"), 1);
  // the axis at the right has the colour of its curve
  char curve[16], axis[16];
  svg_get(svg_find(&f, "path", "curve", 3), "stroke", curve, sizeof curve);
  svg_get(svg_find(&f, "text", "tick-right", 0), "fill", axis, sizeof axis);
  assert_string_equal(curve, axis);
  free(f.items);
  viva_text_free(svg);
  viva_model_free(m);
}

static void more_than_two_units_have_a_panel_each(void **state) {
  (void)state;
  viva_model *m = parse("state x = 0 [m], T = 300 [K], p = 1e5 [Pa], u = 2 [V], v = 1 [m]\nx' = 1\nT' = -1\np' = 100\n"
                        "u' = 0.1\nv' = -1\nplot x, T, p, u, v\nsimulate to 10\n");
  char *svg = draw(m, NULL, 0);
  SvgFile f = svg_read(svg);
  assert_int_equal(svg_count(&f, "clipPath", NULL), 4);
  assert_int_equal(svg_count(&f, "path", "curve"), 5);
  assert_int_equal(svg_count(&f, "text", "label-y"), 4);
  static const char *const units[] = {"[m]", "[K]", "Pa]", "[V]"};
  for (size_t i = 0; i < 4; i++) assert_int_equal(words_with(&f, "label-y", units[i]), 1);
  free(f.items);
  viva_text_free(svg);
  viva_model_free(m);
}

// ---- margins and curves of a loop

// Four loops with a resonance: of many phase margins the least is drawn, with its words.
static void the_least_margin_is_named(void **state) {
  (void)state;
  viva_model *m = parse("input u = 0\nstate x1, v1, x2, v2, z\nx1' = v1\nv1' = -100*x1 - 0.2*v1 + u\nx2' = v2\n"
                        "v2' = -1e6*x2 - 2*v2 + 1e4*u\nz' = 0.5*z + u\noutput y = x1 + x2 + z\nsimulate to 1\n");
  viva_analyze_options o = viva_analyze_defaults();
  o.path = "u:y";
  viva_analysis *a;
  assert_int_equal(viva_analyze(m, &o, &a), VIVA_OK);
  char *svg;
  size_t length;
  assert_int_equal(viva_analysis_draw(a, VIVA_CURVE_BODE, NULL, VIVA_PICTURE_SVG, &svg, &length), VIVA_OK);
  assert_non_null(strstr(svg, "phase margin 11.6°"));
  viva_text_free(svg);
  // Nyquist: the circle of a resonance has no corner of more than 0.2 rad where it is drawn at some size
  assert_int_equal(viva_analysis_draw(a, VIVA_CURVE_NYQUIST, NULL, VIVA_PICTURE_SVG, &svg, &length), VIVA_OK);
  SvgFile f = svg_read(svg);
  double(*p)[2] = calloc(most_points, sizeof *p);
  size_t n = svg_points(svg_find(&f, "path", "curve", 0), p, most_points), corners = 0;
  for (size_t i = 1; i + 1 < n; i++) {
    double ax = p[i][0] - p[i - 1][0], ay = p[i][1] - p[i - 1][1], bx = p[i + 1][0] - p[i][0],
           by = p[i + 1][1] - p[i][1];
    if (hypot(ax, ay) > 3 && hypot(bx, by) > 3) corners += fabs(atan2(ax * by - ay * bx, ax * bx + ay * by)) > 0.2;
  }
  assert_int_equal(corners, 0);
  assert_true(svg_count(&f, "path", "arrow") >= 4);
  free(p);
  free(f.items);
  viva_text_free(svg);
  viva_analysis_free(a);
  viva_model_free(m);
}

// ---- diagrams

static char *dot_of(const char *example) {
  char path[1024], *text, *message = NULL;
  snprintf(path, sizeof path, VIVA_ROOT "/examples/%s.viva", example);
  viva_model *m;
  assert_int_equal(viva_model_load(path, NULL, &m), VIVA_OK);
  assert_int_equal(viva_diagram_dot(m, &text, &message), VIVA_OK);
  viva_model_free(m);
  return text;
}

static size_t count_of(const char *text, const char *part) {
  size_t n = 0;
  for (const char *s = text; (s = strstr(s, part)); s += strlen(part)) n++;
  return n;
}

static void diagrams_show_ports_and_joints(void **state) {
  (void)state;
  char *text = dot_of("exo/exo"); // torques in, angles out, nothing else
  assert_int_equal(count_of(text, "->"), 2);
  assert_null(strstr(text, "dt"));
  viva_text_free(text);
  text = dot_of("ports/synchronous_machine"); // four voltages and torques in, four currents and speeds out
  assert_int_equal(count_of(text, "->"), 8);
  viva_text_free(text);
  text = dot_of("ports/drive"); // a voltage in, two bonds, four outputs
  assert_int_equal(count_of(text, "->"), 7);
  assert_int_equal(count_of(text, "⇄"), 2);
  viva_text_free(text);
}

// ---- along a drive

// The slider of a crank: x = cos a + sqrt(9 - (e - sin a)^2), so the drawing moves over the range of that.
static void a_mechanism_moves_along_its_drive(void **state) {
  (void)state;
  viva_model *m;
  assert_int_equal(viva_model_load(VIVA_ROOT "/examples/positions/slider_crank.viva", NULL, &m), VIVA_OK);
  viva_positions_options o = viva_positions_defaults();
  o.problem = "successive";
  viva_positions *p;
  assert_int_equal(viva_positions_find(m, &o, NULL, &p), VIVA_OK);
  viva_figure_options options = viva_figure_defaults();
  viva_figure *f;
  assert_int_equal(viva_figure_new(m, &options, &f), VIVA_OK);
  assert_int_equal(viva_positions_follow(p, f), VIVA_EUSAGE); // of plots
  viva_figure_free(f);
  options.kind = VIVA_FIGURE_ANIMATION;
  assert_int_equal(viva_figure_new(m, &options, &f), VIVA_OK);
  assert_int_equal(viva_positions_follow(p, f), VIVA_OK);
  assert_true(fabs(viva_figure_end(f) - 4) < 1e-12);
  char *svg;
  size_t length;
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_SVG, &svg, &length), VIVA_OK);
  assert_non_null(strstr(svg, "<animate"));
  viva_text_free(svg);
  viva_figure_free(f);
  viva_positions_free(p);
  viva_report_options r = viva_report_defaults();
  r.drive = true;
  viva_report *page;
  assert_int_equal(viva_report_model(m, &r, &page), VIVA_OK);
  assert_non_null(strstr(viva_report_page(page, NULL), "Positions along the drive"));
  assert_non_null(strstr(viva_report_page(page, NULL), "id=\"scene\""));
  viva_report_free(page);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_instant_has_two_limits_and_an_upright_line),
      cmocka_unit_test(an_input_jumps_inside_a_fixed_step),
      cmocka_unit_test(what_is_shown_alone_jumps_upright),
      cmocka_unit_test(a_path_in_the_plane_is_round),
      cmocka_unit_test(a_limited_signal_stays_within_its_limits),
      cmocka_unit_test(curves_are_not_joined_across_poles),
      cmocka_unit_test(spikes_are_shown_whole),
      cmocka_unit_test(long_names_stay_different),
      cmocka_unit_test(more_than_two_units_have_a_panel_each),
      cmocka_unit_test(the_least_margin_is_named),
      cmocka_unit_test(diagrams_show_ports_and_joints),
      cmocka_unit_test(a_mechanism_moves_along_its_drive),
  };
  return cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
}
