// Pole maps and mode shapes, read back from their SVG.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include "tests/api/font_leaks.h"
#include "tests/unit/show/svg_reader.h"

static viva_linearization *linear(const char *text, viva_model **model) {
  assert_int_equal(viva_model_parse("text", text, strlen(text), NULL, model), VIVA_OK);
  viva_linearization *l;
  assert_int_equal(viva_linearize(*model, NULL, &l), VIVA_OK);
  return l;
}

static SvgFile drawn(const viva_linearization *l, viva_linear_figure figure, char **svg) {
  size_t length;
  assert_int_equal(viva_linearization_draw(l, figure, NULL, VIVA_PICTURE_SVG, svg, &length), VIVA_OK);
  assert_int_equal(strlen(*svg), length);
  SvgFile f = svg_read(*svg);
  assert_true(f.well_formed);
  assert_null(strstr(*svg, "nan"));
  assert_null(strstr(*svg, "inf\""));
  return f;
}

static void poles_stand_where_they_are(void **state) {
  (void)state;
  // s^2 + 4 s + 100: -2 +- 9.797958971132712 i
  viva_model *m;
  viva_linearization *l = linear("title \"Circuit\"\nparam R = 2, L = 0.5, C = 0.02\ncoord q\ninput E = 12\nkinetic "
                                 "1/2*L*q'^2\npotential q^2/(2*C)\ndissipation 1/2*R*q'^2\nforce q = E\n",
                                 &m);
  char *svg;
  SvgFile f = drawn(l, VIVA_LINEAR_POLES, &svg);
  double ax, bx, ay, by;
  told_scale(&f, "tick-x", "x", false, &ax, &bx);
  told_scale(&f, "tick-y", "y", false, &ay, &by);
  assert_true(fabs(fabs(bx) - fabs(by)) < 1e-3 * fabs(bx)); // equal units
  assert_int_equal(svg_count(&f, "path", "points"), 2);
  for (size_t i = 0; i < 2; i++) {
    // two crossed lines: their middle; a place is written to a hundredth of a pixel
    double xy[8][2];
    assert_int_equal(svg_points(svg_find(&f, "path", "points", i), xy, 8), 4);
    double px = (xy[0][0] + xy[1][0]) / 2, py = (xy[0][1] + xy[1][1]) / 2;
    assert_true(fabs(ax + bx * px + 2) < 0.03 * fabs(bx));
    assert_true(fabs(fabs(ay + by * py) - 9.797958971132712) < 0.03 * fabs(by));
  }
  assert_int_equal(svg_count(&f, "path", "band"), 1); // the stable half
  free(f.items);
  viva_text_free(svg);
  viva_linearization_free(l);
  viva_model_free(m);
}

// The middle of a pole's cross, from the zero of both axes.
static void pole_at(const SvgFile *f, size_t i, double *x, double *y) {
  double xy[8][2];
  assert_int_equal(svg_points(svg_find(f, "path", "points", i), xy, 8), 4);
  *x = (xy[0][0] + xy[1][0]) / 2;
  *y = (xy[0][1] + xy[1][1]) / 2;
}

// The circles of a grid, by size: their middle, and the radii. Returns how many.
static size_t circles(const SvgFile *f, double middle[2], double *r, size_t most) {
  static double xy[200][2];
  size_t n = 0;
  for (size_t i = 0; i < svg_count(f, "path", "grid"); i++) {
    size_t points = svg_points(svg_find(f, "path", "grid", i), xy, 200);
    if (points < 50 || n == most) continue;
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (size_t k = 0; k < points; k++) {
      for (int c = 0; c < 2; c++) lo[c] = fmin(lo[c], xy[k][c]), hi[c] = fmax(hi[c], xy[k][c]);
    }
    for (int c = 0; c < 2; c++) middle[c] = (lo[c] + hi[c]) / 2;
    r[n++] = (hi[0] - lo[0]) / 2;
  }
  return n;
}

// Is there a word beside a place?
static bool word_beside(const SvgFile *f, const char *word, double x, double y, double near) {
  for (size_t i = 0; i < svg_count(f, "text", "note"); i++) {
    const SvgElement *e = svg_find(f, "text", "note", i);
    if ((size_t)(e->text_end - e->text) != strlen(word) || strncmp(e->text, word, strlen(word)) != 0) continue;
    if (hypot(svg_num(e, "x") - x, svg_num(e, "y") - y) < near) return true;
  }
  return false;
}

// Slow poles beside a fast one: the distance from zero is logarithmic, the angle is true. -0.1 +- i lies at its damping
// ratio, a decade is as long everywhere, and -1000 stands three decades beyond -1.
static void slow_poles_are_seen_beside_a_fast_one(void **state) {
  (void)state;
  viva_model *m;
  viva_linearization *l = linear("state a, b, c, d\na' = -1000*a\nb' = c\nc' = -b - 0.2*c\nd' = -d\n", &m);
  char *svg;
  SvgFile f = drawn(l, VIVA_LINEAR_POLES, &svg);
  // circles of |s|, a decade apart, and neither ticks nor lines of real and imaginary parts
  double zero[2] = {0}, r[16] = {0}, x[4], y[4];
  size_t n = circles(&f, zero, r, 16);
  assert_true(n >= 4);
  double decade = r[1] - r[0];
  for (size_t i = 1; i < n; i++) assert_true(fabs(r[i] - r[i - 1] - decade) < 0.1);
  assert_int_equal(svg_count(&f, "text", "tick-x") + svg_count(&f, "text", "tick-y"), 0);
  for (size_t i = 0; i < 4; i++) {
    pole_at(&f, i, &x[i], &y[i]);
    x[i] -= zero[0];
    y[i] -= zero[1];
  }
  // modes: the pair (1), -1 (2), -1000 (3)
  assert_true(fabs(-x[0] / hypot(x[0], y[0]) - 0.1) < 1e-3);
  assert_true(fabs(y[0] + y[1]) < 0.1);
  assert_true(fabs(hypot(x[0], y[0]) + x[2]) < 0.2); // both at one rad/s
  assert_true(fabs(x[2] - x[3] - 3 * decade) < 0.5);
  assert_true(fabs(x[2]) > 20); // not behind each other
  // the circle through -1 is named so
  bool named = false;
  for (size_t i = 0; i < n; i++)
    named = named || (fabs(r[i] + x[2]) < 0.2 && word_beside(&f, "1", zero[0], zero[1] - r[i], 25));
  assert_true(named);
  free(f.items);
  viva_text_free(svg);
  viva_linearization_free(l);
  viva_model_free(m);
}

// Words: the number of each mode; "2 times" for equal poles, not for those that only lie close.
static void only_equal_poles_are_told_as_such_and_no_words_overlap(void **state) {
  (void)state;
  static const struct {
    const char *text, *label;
    bool there;
  } all[] = {{"state a, b, c\na' = -2*a\nb' = -2*b\nc' = -3*c\n", "1–2 (2 times)", true},
             {"state a, b, c\na' = -2*a\nb' = -2.000001*b\nc' = -3*c\n", "times", false},
             {"param k = sqrt(2)\nstate a, b, c\na' = -k*a\nb' = -k*b\nc' = -3*c\n", "1–2 (2 times)", true},
             {"param k = sqrt(2)\nstate a, b, c\na' = -k*a\nb' = -1.00000001*k*b\nc' = -3*c\n", "times", false},
             // a double pole without a second eigenvector: computed poles lie 1e-8 apart
             {"state a, b\na' = b\nb' = -a - 2*b\n", "1–2 (2 times)", true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    viva_model *m;
    viva_linearization *l = linear(all[i].text, &m);
    char *svg;
    SvgFile f = drawn(l, VIVA_LINEAR_POLES, &svg);
    if ((strstr(svg, all[i].label) != NULL) != all[i].there) fail_msg("%s", all[i].text);
    assert_int_equal(svg_clashes(&f, all[i].text), 0);
    free(f.items);
    viva_text_free(svg);
    viva_linearization_free(l);
    viva_model_free(m);
  }
}

// An unstable pole has its colour, a zero one that of words, in both themes.
static void zero_is_not_drawn_as_growth(void **state) {
  (void)state;
  viva_model *m;
  viva_linearization *l = linear("param k = sqrt(3)\nstate a, b, c\na' = k*(b - a)\nb' = k*(a - b)\nc' = 2*c\n", &m);
  static const char *const colours[2][2] = {{"#1a1a1a", "#c62f21"}, {"#e6e6e6", "#ff6b57"}};
  for (int dark = 0; dark < 2; dark++) {
    viva_figure_options o = viva_figure_defaults();
    o.dark = dark;
    char *svg;
    size_t length;
    assert_int_equal(viva_linearization_draw(l, VIVA_LINEAR_POLES, &o, VIVA_PICTURE_SVG, &svg, &length), VIVA_OK);
    SvgFile f = svg_read(svg);
    int zero = 0, growing = 0;
    for (size_t i = 0; i < svg_count(&f, "path", "points"); i++) {
      const SvgElement *e = svg_find(&f, "path", "points", i);
      char stroke[16] = "";
      svg_get(e, "stroke", stroke, sizeof stroke);
      zero += strcmp(stroke, colours[dark][0]) == 0;
      growing += strcmp(stroke, colours[dark][1]) == 0;
    }
    assert_int_equal(zero, 1);
    assert_int_equal(growing, 1);
    free(f.items);
    viva_text_free(svg);
  }
  viva_linearization_free(l);
  viva_model_free(m);
}

static void modes_have_a_bar_for_each_displacement_and_poses(void **state) {
  (void)state;
  viva_model *m;
  viva_linearization *l = linear("coord a, b\nkinetic 1/2*a'^2 + 1/2*b'^2\npotential a^2 + b^2 + 1/2*(a - b)^2\ndraw "
                                 "mass [1 + a, 0], mass [2 + b, 0]\n",
                                 &m);
  char *svg;
  SvgFile f = drawn(l, VIVA_LINEAR_MODES, &svg);
  assert_int_equal(svg_count(&f, "path", "band"), 4);            // two modes of two displacements
  assert_int_equal(svg_count(&f, "circle", "shape"), 2 * 3 * 2); // two masses, at rest and to both sides
  free(f.items);
  viva_text_free(svg);
  viva_linearization_free(l);
  viva_model_free(m);
}

static void every_kind_of_file_can_be_made(void **state) {
  (void)state;
  viva_model *m;
  viva_linearization *l = linear("coord a\nkinetic 1/2*a'^2\npotential a^2\n", &m);
  char *data;
  size_t length;
  for (int figure = 0; figure < 2 && !viva_picture_missing(VIVA_PICTURE_PNG); figure++) {
    assert_int_equal(viva_linearization_draw(l, (viva_linear_figure)figure, NULL, VIVA_PICTURE_PNG, &data, &length),
                     VIVA_OK);
    assert_memory_equal(data, "\x89PNG", 4);
    viva_text_free(data);
    assert_int_equal(viva_linearization_draw(l, (viva_linear_figure)figure, NULL, VIVA_PICTURE_PDF, &data, &length),
                     VIVA_OK);
    assert_memory_equal(data, "%PDF", 4);
    viva_text_free(data);
  }
  assert_int_equal(viva_linearization_draw(l, VIVA_LINEAR_POLES, NULL, VIVA_PICTURE_TERMINAL, &data, &length), VIVA_OK);
  assert_non_null(strstr(data, "real part [1/s]"));
  viva_text_free(data);
  assert_int_equal(viva_linearization_draw(l, VIVA_LINEAR_MODES, NULL, VIVA_PICTURE_TERMINAL, &data, &length),
                   VIVA_EUSAGE);
  assert_int_equal(viva_linearization_draw(l, VIVA_LINEAR_POLES, NULL, VIVA_PICTURE_HTML, &data, &length), VIVA_EUSAGE);
  assert_int_equal(viva_linearization_draw(NULL, VIVA_LINEAR_POLES, NULL, VIVA_PICTURE_SVG, &data, &length),
                   VIVA_EUSAGE);
  viva_linearization_free(l);
  viva_model_free(m);
  // symbols have no poles
  static const char symbols[] = "param k\ncoord a\nkinetic 1/2*a'^2\npotential k*a^2\n";
  assert_int_equal(viva_model_parse("text", symbols, strlen(symbols), NULL, &m), VIVA_OK);
  const char *at = "a=0";
  viva_linearize_options o = viva_linearize_defaults();
  o.point = VIVA_AT_POINT;
  o.at = &at;
  o.at_count = 1;
  assert_int_equal(viva_linearize(m, &o, &l), VIVA_OK);
  assert_int_equal(viva_linearization_draw(l, VIVA_LINEAR_POLES, NULL, VIVA_PICTURE_SVG, &data, &length), VIVA_EINPUT);
  viva_linearization_free(l);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poles_stand_where_they_are),
      cmocka_unit_test(slow_poles_are_seen_beside_a_fast_one),
      cmocka_unit_test(only_equal_poles_are_told_as_such_and_no_words_overlap),
      cmocka_unit_test(zero_is_not_drawn_as_growth),
      cmocka_unit_test(modes_have_a_bar_for_each_displacement_and_poses),
      cmocka_unit_test(every_kind_of_file_can_be_made),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
