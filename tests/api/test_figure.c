// Pictures through the public interface.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include "tests/api/font_leaks.h"
#include "tests/unit/show/svg_reader.h"

static const char text[] =
    "title \"Spring\"\nparam k = 4 [N/m]\ncoord x = 1 [m]\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\n"
    "plot x, x'\nplot x' against x\nplot |x| log\nplot k*x \"force\"\ndraw spring [-1, 0] [x, 0], mass [x, 0], trail "
    "[x, 0]\nsimulate to 3 step 0.01\n";

static viva_model *parse(const char *source) {
  viva_model *m;
  assert_int_equal(viva_model_parse("spring.viva", source, strlen(source), NULL, &m), VIVA_OK);
  return m;
}

static viva_figure *fed(const viva_model *m, viva_figure_options o) {
  viva_figure *f;
  assert_int_equal(viva_figure_new(m, &o, &f), VIVA_OK);
  viva_run_options r = viva_run_defaults();
  r.figure = f;
  viva_run *run;
  assert_int_equal(viva_run_model(m, &r, NULL, &run), VIVA_OK);
  viva_run_free(run);
  return f;
}

static bool label_is(const SvgFile *f, const char *class, size_t which, const char *want) {
  const SvgElement *e = svg_find(f, "text", class, which);
  return e && (size_t)(e->text_end - e->text) == strlen(want) && memcmp(e->text, want, strlen(want)) == 0;
}

static void plots_have_panels_and_units(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_figure_options o = viva_figure_defaults();
  o.energy = true;
  viva_figure *f = fed(m, o);
  char *svg;
  size_t length;
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_SVG, &svg, &length), VIVA_OK);
  assert_int_equal(strlen(svg), length);
  SvgFile file = svg_read(svg);
  assert_true(file.well_formed);
  // x and x' / phase plane / |x| / force / energy account / residue
  assert_int_equal(svg_count(&file, "clipPath", NULL), 6);
  assert_int_equal(svg_count(&file, "path", "curve"), 2 + 1 + 1 + 1 + 3 + 1);
  assert_true(label_is(&file, "legend", 0, "x") && label_is(&file, "legend", 1, "x' →"));
  assert_true(label_is(&file, "label-y", 0, "x [m]") && label_is(&file, "label-right", 0, "x' [m/s]"));
  assert_true(label_is(&file, "label-y", 1, "x' [m/s]"));
  assert_true(label_is(&file, "label-y", 2, "|x| [m]"));
  assert_true(label_is(&file, "label-y", 3, "force [N]"));
  assert_true(label_is(&file, "label-y", 4, "energy [J]"));
  assert_true(label_is(&file, "label-x", 0, "t [s]") && label_is(&file, "label-x", 1, "x [m]"));
  free(file.items);
  viva_text_free(svg);
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_TERMINAL, &svg, &length), VIVA_OK);
  assert_non_null(strstr(svg, "force [N]"));
  viva_text_free(svg);
  // a second run starts anew
  viva_run_options r = viva_run_defaults();
  r.figure = f;
  r.to = 1;
  viva_run *run;
  assert_int_equal(viva_run_model(m, &r, NULL, &run), VIVA_OK);
  assert_true(fabs(viva_figure_end(f) - 1) < 1e-12);
  viva_run_free(run);
  viva_figure_free(f);
  viva_model_free(m);
}

static void the_figure_changes_no_row_of_the_table(void **state) {
  (void)state;
  viva_model *m = parse(text);
  double end[2];
  for (int i = 0; i < 2; i++) {
    viva_figure *f = NULL;
    viva_figure_options o = viva_figure_defaults();
    if (i) assert_int_equal(viva_figure_new(m, &o, &f), VIVA_OK);
    viva_run_options r = viva_run_defaults();
    r.figure = f;
    viva_run *run;
    assert_int_equal(viva_run_model(m, &r, NULL, &run), VIVA_OK);
    end[i] = viva_run_value(run, 0);
    viva_run_free(run);
    viva_figure_free(f);
  }
  assert_true(end[0] == end[1]);
  viva_model_free(m);
}

static void animations_move(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_figure_options o = viva_figure_defaults();
  o.kind = VIVA_FIGURE_ANIMATION;
  o.fps = 10;
  viva_figure *f = fed(m, o);
  char *data;
  size_t length;
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_SVG, &data, &length), VIVA_OK);
  SvgFile file = svg_read(data);
  assert_true(file.well_formed);
  assert_null(strstr(data, "<script"));
  // the mass goes to and fro: x = cos 2t, 31 frames in 3 s; its height stays, so only cx is told through the frames
  const SvgElement *mass = svg_find(&file, "circle", "shape", 0), *animate = mass + 1;
  char name[16], values[4096];
  assert_string_equal(svg_get(animate, "attributeName", name, sizeof name), "cx");
  svg_get(animate, "values", values, sizeof values);
  double at[64];
  size_t n = 0;
  for (char *s = values; *s && n < 64; s += *s == ';') at[n++] = strtod(s, &s);
  assert_int_equal(n, 31);
  for (size_t i = 0; i < n; i++) {
    double t = 0.1 * (double)i, scale = (at[0] - at[15]) / (1 - cos(3));
    assert_true(fabs(at[i] - (at[0] - scale * (1 - cos(2 * t)))) < 0.05);
  }
  free(file.items);
  viva_text_free(data);
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_HTML, &data, &length), VIVA_OK);
  assert_non_null(strstr(data, "type=\"range\""));
  assert_null(strstr(data, "http://") || strstr(data, "https://"));
  viva_text_free(data);
  assert_int_equal(viva_figure_frame(f, 1.5, VIVA_PICTURE_SVG, &data, &length), VIVA_OK);
  viva_text_free(data);
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_TERMINAL, &data, &length), VIVA_EUSAGE);
  viva_figure_free(f);
  o.kind = VIVA_FIGURE_GHOSTS;
  o.ghosts = 5;
  f = fed(m, o);
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_SVG, &data, &length), VIVA_OK);
  file = svg_read(data);
  assert_int_equal(svg_count(&file, "circle", "shape"), 5);
  free(file.items);
  viva_text_free(data);
  viva_figure_free(f);
  viva_model_free(m);
}

static void pixels_and_pages_where_librsvg_is(void **state) {
  (void)state;
  viva_model *m = parse(text);
  viva_figure *f = fed(m, viva_figure_defaults());
  char *data;
  size_t length;
  viva_status png = viva_figure_draw(f, VIVA_PICTURE_PNG, &data, &length);
  if (viva_picture_missing(VIVA_PICTURE_PNG)) {
    assert_int_equal(png, VIVA_EFAIL);
    assert_non_null(strstr(viva_figure_message(f), "librsvg"));
  } else {
    assert_int_equal(png, VIVA_OK);
    assert_memory_equal(data, "\x89PNG", 4);
    viva_text_free(data);
    assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_PDF, &data, &length), VIVA_OK);
    assert_memory_equal(data, "%PDF", 4);
  }
  viva_text_free(data);
  viva_figure_free(f);
  viva_model_free(m);
}

static void misuse_and_emptiness_are_answered(void **state) {
  (void)state;
  viva_figure *f = NULL;
  char *data;
  size_t length;
  assert_int_equal(viva_figure_new(NULL, NULL, &f), VIVA_EUSAGE);
  assert_int_equal(viva_figure_draw(NULL, VIVA_PICTURE_SVG, &data, &length), VIVA_EUSAGE);
  viva_figure_free(NULL);
  viva_file_discard(NULL);
  viva_picture kind;
  assert_true(viva_picture_find("a.b/c.svg", &kind) && kind == VIVA_PICTURE_SVG);
  assert_false(viva_picture_find("svg", &kind) || viva_picture_find("a.SVGZ", &kind) || viva_picture_find(NULL, &kind));
  viva_model *m = parse("coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\n");
  viva_figure_options o = viva_figure_defaults();
  o.kind = VIVA_FIGURE_ANIMATION;
  assert_int_equal(viva_figure_new(m, &o, &f), VIVA_EINPUT);
  assert_non_null(strstr(viva_figure_message(f), "draw"));
  viva_figure_free(f);
  // not fed
  assert_int_equal(viva_figure_new(m, NULL, &f), VIVA_OK);
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_SVG, &data, &length), VIVA_EINPUT);
  assert_non_null(strstr(viva_figure_message(f), "no row"));
  assert_true(isnan(viva_figure_end(f)));
  viva_figure_free(f);
  viva_model_free(m);
}

// A ball from 1 m meets the ground at sqrt(2/g), and after each bounce flies 0.8 of the time before.
static void events_are_marked_where_they_happen(void **state) {
  (void)state;
  viva_model *m = parse("param g = 9.81\ncoord h = 1\nkinetic 1/2*h'^2\npotential g*h\nwhen h < 0 do h' := "
                        "-0.8*h'\nplot h\nplot h'\nplot h' against h\nsimulate to 2 step 0.001\n");
  viva_figure *f = fed(m, viva_figure_defaults());
  char *svg;
  size_t length;
  assert_int_equal(viva_figure_draw(f, VIVA_PICTURE_SVG, &svg, &length), VIVA_OK);
  SvgFile file = svg_read(svg);
  // two panels over time; words in the first
  size_t lines = svg_count(&file, "path", "event");
  assert_int_equal(lines, 2 * 3);
  assert_true(label_is(&file, "event", 0, "h &lt; 0"));
  // the first two ticks of the time axis tell its scale
  const SvgElement *first = svg_find(&file, "text", "tick-x", 0), *second = svg_find(&file, "text", "tick-x", 1);
  double x0 = svg_num(first, "x"), per = (svg_num(second, "x") - x0) / strtod(second->text, NULL);
  assert_true(first->text[0] == '0' && first->text_end == first->text + 1);
  double t = sqrt(2 / 9.81), flight = 2 * t;
  for (size_t i = 0; i < 3; i++) {
    double xy[4][2];
    assert_int_equal(svg_points(svg_find(&file, "path", "event", i), xy, 4), 2);
    assert_true(fabs(xy[0][0] - (x0 + per * t)) < 0.02 && xy[0][0] == xy[1][0]);
    flight *= 0.8;
    t += flight;
  }
  free(file.items);
  viva_text_free(svg);
  viva_figure_free(f);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_are_marked_where_they_happen),    cmocka_unit_test(plots_have_panels_and_units),
      cmocka_unit_test(the_figure_changes_no_row_of_the_table), cmocka_unit_test(animations_move),
      cmocka_unit_test(pixels_and_pages_where_librsvg_is),      cmocka_unit_test(misuse_and_emptiness_are_answered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
