// What a model says of its pictures, from its text to the numbers in the picture: profiles, colours, shapes with sizes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include "tests/unit/show/svg_reader.h"

typedef struct Drawn {
  viva_model *model;
  viva_figure *figure;
  char *svg;
  SvgFile file;
} Drawn;

static Drawn draw(const char *text, viva_figure_kind kind, uint32_t ghosts) {
  Drawn d = {0};
  viva_figure_options o = viva_figure_defaults();
  o.kind = kind;
  o.ghosts = ghosts;
  assert_int_equal(viva_model_parse("m.viva", text, strlen(text), NULL, &d.model), VIVA_OK);
  assert_int_equal(viva_figure_new(d.model, &o, &d.figure), VIVA_OK);
  viva_run_options r = viva_run_defaults();
  r.figure = d.figure;
  viva_run *run;
  assert_int_equal(viva_run_model(d.model, &r, NULL, &run), VIVA_OK);
  viva_run_free(run);
  size_t length;
  assert_int_equal(viva_figure_draw(d.figure, VIVA_PICTURE_SVG, &d.svg, &length), VIVA_OK);
  d.file = svg_read(d.svg);
  assert_true(d.file.well_formed);
  return d;
}

static void drop(Drawn *d) {
  free(d->file.items);
  viva_text_free(d->svg);
  viva_figure_free(d->figure);
  viva_model_free(d->model);
}

// T[i]' = -i T[i]: at every time the profile is exp(-i t). 0.37 lies between two rows.
static void profiles_are_those_of_the_motion(void **state) {
  (void)state;
  Drawn d = draw("state T[i] = 1 for i in 1 .. 6\nT[i]' = -i*T[i] for i in 1 .. 6\n"
                 "plot T[i] over i at 0, 0.37, 2\nsimulate to 2 every 0.05\n",
                 VIVA_FIGURE_PLOTS, 0);
  static const double times[] = {0, 0.37, 2};
  double ax, bx, ay, by, xy[16][2];
  told_scale(&d.file, "tick-x", "x", false, &ax, &bx);
  told_scale(&d.file, "tick-y", "y", false, &ay, &by);
  assert_int_equal(svg_count(&d.file, "path", "curve"), 3);
  for (size_t k = 0; k < 3; k++) {
    assert_int_equal(svg_points(svg_find(&d.file, "path", "curve", k), xy, 16), 6);
    for (int i = 0; i < 6; i++) {
      assert_true(fabs(ax + bx * xy[i][0] - (i + 1)) < 0.03 * fabs(bx));
      assert_true(fabs(ay + by * xy[i][1] - exp(-(i + 1) * times[k])) < 0.03 * fabs(by));
    }
  }
  assert_true(strncmp(svg_find(&d.file, "text", "legend", 1)->text, "t = 0.37 s", 10) == 0);
  assert_true(strncmp(svg_find(&d.file, "text", "label-x", 0)->text, "i", 1) == 0);
  drop(&d);
}

// A value that jumps between two rows is one of its two sides, never between them.
static void a_profile_beside_a_jump_takes_one_side(void **state) {
  (void)state;
  Drawn d = draw("state n[i] = i for i in 1 .. 2\nstate s = 0\ns' = 1\nwhen s > 0.525 do n[1] := 5, n[2] := 5\n"
                 "plot n[i] over i at 0.51, 0.54\nsimulate to 1 every 0.05\n",
                 VIVA_FIGURE_PLOTS, 0);
  double a, b, xy[4][2];
  told_scale(&d.file, "tick-y", "y", false, &a, &b);
  static const double want[2][2] = {{1, 2}, {5, 5}};
  for (size_t k = 0; k < 2; k++) {
    assert_int_equal(svg_points(svg_find(&d.file, "path", "curve", k), xy, 4), 2);
    for (int i = 0; i < 2; i++) assert_true(fabs(a + b * xy[i][1] - want[k][i]) < 0.03 * fabs(b));
  }
  drop(&d);
}

// Values 1 .. 4 that rest: four stripes, each of one colour, the largest at the top.
static void colours_are_those_of_the_values(void **state) {
  (void)state;
  Drawn d = draw("state T[i] = i for i in 1 .. 4\nstate s = 0\ns' = 1\nheat T[i] over i\nsimulate to 2\n",
                 VIVA_FIGURE_PLOTS, 0);
  assert_int_equal(svg_count(&d.file, "path", "heat"), 4);
  double last = INFINITY, a, b;
  told_scale(&d.file, "tick-y", "y", false, &a, &b);
  for (size_t k = 0; k < 4; k++) { // colours come from dark to light
    double xy[8][2], top;
    const SvgElement *stripe = svg_find(&d.file, "path", "heat", k);
    assert_true(svg_points(stripe, xy, 1) == 1);
    top = xy[0][1];
    assert_true(top < last);
    last = top;
    assert_true(fabs(fabs(a + b * top - ((double)k + 1)) - 0.5) < 0.05); // an edge of the cell of k + 1
  }
  drop(&d);
}

// A circle of 0.25 m around a mass at rest, beside a point 1 m away: its radius on paper is a quarter of their
// distance.
static void sizes_are_lengths_of_the_model(void **state) {
  (void)state;
  Drawn d = draw("param r = 0.25 [m]\ncoord x = 0 [m]\nkinetic 1/2*x'^2\npotential 1/2*x^2\n"
                 "draw circle [x, 0] radius r color #ff8800, circle [x + 1 [m], 0] radius 0.1, box [x, 0] size [0.5, "
                 "0.2] turned pi/2\n"
                 "simulate to 1\n",
                 VIVA_FIGURE_GHOSTS, 1);
  const SvgElement *first = svg_find(&d.file, "circle", "shape", 0), *second = svg_find(&d.file, "circle", "shape", 1);
  double metre = svg_num(second, "cx") - svg_num(first, "cx"), a, b, xy[8][2];
  char colour[16];
  assert_true(fabs(svg_num(first, "r") - 0.25 * metre) < 0.02);
  assert_true(fabs(svg_num(second, "r") - 0.1 * metre) < 0.02);
  assert_string_equal(svg_get(first, "fill", colour, sizeof colour), "#ff8800");
  // the axis is a true one
  told_scale(&d.file, "tick-x", "x", false, &a, &b);
  assert_true(fabs(b * metre - 1) < 1e-3);
  // a box that stands on its end is 0.2 wide and 0.5 high
  assert_int_equal(svg_points(svg_find(&d.file, "path", "shape", 0), xy, 8), 4);
  for (int i = 0; i < 4; i++) {
    assert_true(fabs(fabs(xy[i][0] - svg_num(first, "cx")) - 0.1 * metre) < 0.02);
    assert_true(fabs(fabs(xy[i][1] - svg_num(first, "cy")) - 0.25 * metre) < 0.02);
  }
  drop(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(profiles_are_those_of_the_motion),
      cmocka_unit_test(a_profile_beside_a_jump_takes_one_side),
      cmocka_unit_test(colours_are_those_of_the_values),
      cmocka_unit_test(sizes_are_lengths_of_the_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
