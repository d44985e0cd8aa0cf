// Whole plots, read back from their SVG: where data, ticks and words stand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "show/braille.h"
#include "show/plot.h"
#include "show/svg.h"

#include "svg_reader.h"

typedef struct Made {
  Arena *arena;
  Plot plot;
  Text svg;
  SvgFile file;
} Made;

static Made *made_new(const char *title) {
  Made *m = calloc(1, sizeof *m);
  m->arena = arena_new();
  m->plot.title = title;
  return m;
}

static void made_draw(Made *m) {
  Drawing d = {.arena = m->arena, .title = m->plot.title};
  assert_true(plot_layout(&m->plot, (PlotStyle){0}, &d));
  m->svg = text_in(m->arena);
  svg_write(&d, &m->svg);
  m->file = svg_read(text_str(&m->svg));
  assert_true(m->file.well_formed);
  assert_null(strstr(text_str(&m->svg), "<script"));
  assert_null(strstr(text_str(&m->svg), "href"));
  assert_null(strstr(text_str(&m->svg), "nan"));
  assert_null(strstr(text_str(&m->svg), "inf\""));
}

static void made_free(Made *m) {
  free(m->file.items);
  arena_free(m->arena);
  free(m);
}

static void add(Made *m, PlotPanel *p, const char *name, const char *unit, const double *x, const double *y, size_t n) {
  PlotCurve c = {.kind = curve_line, .name = name, .unit = unit, .x = x, .y = y, .count = n};
  vec_push(m->arena, &p->curves, c);
}

static void check_places(bool x_log, bool y_log) {
  Made *m = made_new("Places");
  const double x[] = {1, 2, 4, 7, 10}, y[] = {3, 20, 7, 90, 55};
  PlotPanel *p = plot_panel(m->arena, &m->plot, "u", "V");
  p->x_log = x_log;
  p->y_log = y_log;
  add(m, p, "w", "A", x, y, 5);
  made_draw(m);
  double ax, bx, ay, by, xy[16][2];
  told_scale(&m->file, "tick-x", "x", x_log, &ax, &bx);
  told_scale(&m->file, "tick-y", "y", y_log, &ay, &by);
  assert_int_equal(svg_count(&m->file, "path", "curve"), 1);
  assert_int_equal(svg_points(svg_find(&m->file, "path", "curve", 0), xy, 16), 5);
  for (int i = 0; i < 5; i++) {
    double u = ax + bx * xy[i][0], w = ay + by * xy[i][1];
    // a place is written to a hundredth of a pixel
    assert_true(fabs(u - (x_log ? log10(x[i]) : x[i])) < 0.03 * fabs(bx));
    assert_true(fabs(w - (y_log ? log10(y[i]) : y[i])) < 0.03 * fabs(by));
  }
  const SvgElement *name = svg_find(&m->file, "text", "label-y", 0);
  assert_true(strncmp(name->text, "w [A]", 5) == 0);
  assert_true(strncmp(svg_find(&m->file, "text", "label-x", 0)->text, "u [V]", 5) == 0);
  assert_int_equal(svg_count(&m->file, "text", "legend"), 0);
  made_free(m);
}

static void data_stand_where_the_ticks_say(void **state) {
  (void)state;
  check_places(false, false);
  check_places(true, false);
  check_places(false, true);
  check_places(true, true);
}

static void a_second_unit_has_its_axis_at_the_right(void **state) {
  (void)state;
  Made *m = made_new("Two units");
  const double t[] = {0, 1, 2, 3}, y[] = {3, 20, 7, 90}, z[] = {-0.01, 0.02, 0.015, 0};
  PlotPanel *p = plot_panel(m->arena, &m->plot, "t", "s");
  add(m, p, "w", "A", t, y, 4);
  add(m, p, "v", "mm", t, z, 4);
  p->curves.items[1].right = true;
  p->right = (AxisRange){-0.02, 0.03};
  made_draw(m);
  double a[2], b[2], xy[8][2];
  told_scale(&m->file, "tick-y", "y", false, &a[0], &b[0]);
  told_scale(&m->file, "tick-right", "y", false, &a[1], &b[1]);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(svg_points(svg_find(&m->file, "path", "curve", (size_t)k), xy, 8), 4);
    for (int i = 0; i < 4; i++) assert_true(fabs(a[k] + b[k] * xy[i][1] - (k ? z[i] : y[i])) < 0.03 * fabs(b[k]));
  }
  assert_true(strncmp(svg_find(&m->file, "text", "label-y", 0)->text, "w [A]", 5) == 0);
  assert_true(strncmp(svg_find(&m->file, "text", "label-right", 0)->text, "v [mm]", 6) == 0);
  assert_int_equal(svg_count(&m->file, "text", "legend"), 2);
  made_free(m);
}

static void panels_over_the_same_time_share_its_axis(void **state) {
  (void)state;
  Made *m = made_new("Three panels");
  const double t[] = {0, 1, 2}, y[] = {1, 2, 3}, late[] = {1, 2, 4};
  for (int i = 0; i < 3; i++) {
    PlotPanel *p = plot_panel(m->arena, &m->plot, "t", "s");
    add(m, p, i ? "b" : "a", "m", i == 2 ? late : t, y, 3);
    if (i == 1) add(m, p, "c", "m", t, y, 3);
  }
  made_draw(m);
  assert_int_equal(svg_count(&m->file, "text", "label-x"), 1);
  assert_int_equal(svg_count(&m->file, "text", "legend"), 2);
  // the three areas are as wide as the longest data ask, and aligned
  double xy[8][2], end[3];
  for (size_t i = 0; i < 4; i++) {
    size_t n = svg_points(svg_find(&m->file, "path", "curve", i), xy, 8);
    assert_int_equal(n, 3);
    if (i != 2) end[i == 3 ? 2 : i] = xy[2][0];
  }
  assert_true(fabs(end[0] - end[1]) < 0.01 && end[2] > end[0] + 100);
  // a legend stands above its area, never inside
  const SvgElement *area = svg_find(&m->file, "clipPath", NULL, 1);
  const SvgElement *rect = area + 1;
  for (size_t i = 0; i < 2; i++)
    assert_true(svg_num(svg_find(&m->file, "text", "legend", i), "y") < svg_num(rect, "y"));
  made_free(m);
}

static void a_phase_plane_shows_start_and_direction(void **state) {
  (void)state;
  Made *m = made_new(NULL);
  double x[400], y[400], xy[600][2];
  for (int i = 0; i < 400; i++) x[i] = cos(0.02 * i), y[i] = -sin(0.02 * i);
  PlotPanel *p = plot_panel(m->arena, &m->plot, "x", "m");
  p->phase = true;
  add(m, p, "x'", "m/s", x, y, 400);
  made_draw(m);
  assert_int_equal(svg_count(&m->file, "circle", "start"), 1);
  assert_in_range(svg_count(&m->file, "path", "arrow"), 3, 7);
  svg_points(svg_find(&m->file, "path", "curve", 0), xy, 600);
  const SvgElement *start = svg_find(&m->file, "circle", "start", 0);
  assert_true(fabs(svg_num(start, "cx") - xy[0][0]) < 0.02 && fabs(svg_num(start, "cy") - xy[0][1]) < 0.02);
  // the first arrow points the way the motion goes: down at the right
  double tip[4][2];
  svg_points(svg_find(&m->file, "path", "arrow", 0), tip, 4);
  assert_true(tip[0][1] > tip[1][1] && tip[0][1] > tip[2][1]);
  made_free(m);
}

static void bands_points_events_and_gaps_are_drawn(void **state) {
  (void)state;
  Made *m = made_new("All kinds");
  const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {1, 2, NAN, 3, 2, 1}, top[] = {2, 3, NAN, 4, 3, 2};
  PlotPanel *p = plot_panel(m->arena, &m->plot, "t", "s");
  PlotCurve band = {.kind = curve_band, .name = "range", .x = x, .y = y, .y2 = top, .count = 6};
  PlotCurve points = {.kind = curve_points, .name = "measured", .x = x, .y = y, .count = 6};
  vec_push(m->arena, &p->curves, band);
  vec_push(m->arena, &p->curves, points);
  add(m, p, "fit", NULL, x, y, 6);
  vec_push(m->arena, &p->events, (PlotEvent){2.5, "impact"});
  vec_push(m->arena, &p->events, (PlotEvent){2.51, "too near for a second word"});
  made_draw(m);
  assert_int_equal(svg_count(&m->file, "path", "band"), 2);
  assert_int_equal(svg_count(&m->file, "path", "event"), 2);
  assert_int_equal(svg_count(&m->file, "text", "event"), 1);
  assert_int_equal(svg_count(&m->file, "text", "legend"), 3);
  char d[400];
  svg_get(svg_find(&m->file, "path", "curve", 0), "d", d, sizeof d);
  assert_non_null(strchr(strchr(d, 'M') + 1, 'M')); // two pieces
  made_free(m);
}

// ---- nasty ones

static void check_words(const Made *m, const char *what) { assert_int_equal(svg_clashes(&m->file, what), 0); }

static void the_check_of_words_can_fail(void **state) {
  (void)state;
  const char *over = "<svg width=\"100\" height=\"50\"><text x=\"10\" y=\"20\" font-size=\"10\">left word</text><text "
                     "x=\"40\" y=\"22\" font-size=\"10\">right</text></svg>";
  const char *out = "<svg width=\"100\" height=\"50\"><text x=\"80\" y=\"20\" font-size=\"10\">too long</text></svg>";
  SvgFile a = svg_read(over), b = svg_read(out);
  assert_int_equal(svg_clashes(&a, NULL), 1);
  assert_int_equal(svg_clashes(&b, NULL), 1);
  free(a.items);
  free(b.items);
}

static void words_never_overlap(void **state) {
  (void)state;
  static const char *const names[] = {
      "x",
      "th1'",
      "a very long name of a signal that somebody thought was a good idea at the time, and then some more words",
      "θ₁ − φ",
      "|P2-P1|^2*sin(th1)*cos(th2)/(1+x^2)",
      "速度と加速度の長い名前",
      "<&\">'"};
  static const AxisRange ranges[] = {
      {0, 1},        {3, 3},           {0, 0},      {1e-300, 3e-300}, {-1e300, 1e300}, {1e6, 1e6 + 1e-4},
      {-1e-9, 1e-9}, {123456, 123457}, {1e-8, 1e8}, {-99999, 99999}};
  enum { name_count = sizeof names / sizeof *names, range_count = sizeof ranges / sizeof *ranges };
  for (uint64_t round = 0; round < 400; round++) {
    uint64_t r = random_bits(11, round);
    Made *m = made_new(r % 5 ? names[r % name_count] : NULL);
    double x[3][8], y[6][8];
    int panels = 1 + (int)(r >> 8) % 3;
    for (int k = 0; k < panels; k++) {
      uint64_t q = random_bits(12 + (uint64_t)k, round);
      PlotPanel *p = plot_panel(m->arena, &m->plot, names[q % name_count], q & 64 ? "kg*m^2/s^2" : NULL);
      p->phase = (q >> 10) % 4 == 0;
      p->x_log = (q >> 12) % 4 == 0;
      p->y_log = (q >> 14) % 4 == 0;
      AxisRange rx = ranges[(q >> 16) % range_count], ry = ranges[(q >> 20) % range_count];
      size_t n = (q >> 24) % 5 == 0 ? 1 : (q >> 24) % 5 == 1 ? 0 : 8;
      int curves = 1 + (int)((q >> 28) % 9);
      for (size_t i = 0; i < 8; i++) x[k][i] = rx.lo + (rx.hi / 7 - rx.lo / 7) * (double)i;
      for (size_t i = 0; i < 8; i++) y[k][i] = i == 3 ? NAN : ry.lo + (ry.hi - ry.lo) * random_uniform(round, i);
      for (int c = 0; c < curves; c++)
        add(m, p, names[(q + (uint64_t)c) % name_count], c % 2 ? "m" : (q & 32 ? "m" : "rad"), x[k], y[k], n);
      if (q & 16) {
        vec_push(m->arena, &p->events, (PlotEvent){x[k][2], "impact"});
        vec_push(m->arena, &p->events, (PlotEvent){x[k][3], "again"});
      }
    }
    made_draw(m);
    char what[40];
    snprintf(what, sizeof what, "round %llu", (unsigned long long)round);
    check_words(m, what);
    made_free(m);
  }
}

static void ten_million_points_make_a_small_picture(void **state) {
  (void)state;
  size_t n = 10000000;
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (size_t i = 0; i < n; i++) x[i] = (double)i * 1e-6, y[i] = sin((double)i) * (i % 1234567 ? 1 : 3);
  Made *m = made_new("Ten million");
  add(m, plot_panel(m->arena, &m->plot, "t", "s"), "y", NULL, x, y, n);
  made_draw(m);
  assert_true(m->svg.length < 60000);
  check_words(m, "ten million");
  made_free(m);
  free(x);
  free(y);
}

static void forty_curves_get_a_column_and_the_rest_a_count(void **state) {
  (void)state;
  Made *m = made_new("Many");
  const double x[] = {0, 1}, y[] = {0, 1};
  PlotPanel *p = plot_panel(m->arena, &m->plot, "t", "s");
  for (int i = 0; i < 100; i++) add(m, p, "curve", "m", x, y, 2);
  made_draw(m);
  assert_int_equal(svg_count(&m->file, "text", "legend"), 41);
  assert_int_equal(svg_count(&m->file, "path", "curve"), 100);
  check_words(m, "many");
  made_free(m);
}

static void nothing_at_all_says_so(void **state) {
  (void)state;
  Made *m = made_new(NULL);
  const double x[] = {0, 1}, y[] = {-1, -2};
  PlotPanel *p = plot_panel(m->arena, &m->plot, "t", "s");
  p->y_log = true;
  add(m, p, "y", NULL, x, y, 2);
  assert_false(plot_curve_visible(p, &p->curves.items[0]));
  made_draw(m);
  assert_int_equal(svg_count(&m->file, "text", "note"), 1);
  made_free(m);
}

// ---- terminal

static void the_terminal_shows_the_same_axes(void **state) {
  (void)state;
  Made *m = made_new("Title");
  double x[200], y[200];
  for (int i = 0; i < 200; i++) x[i] = 0.05 * i, y[i] = sin(x[i]);
  PlotPanel *p = plot_panel(m->arena, &m->plot, "t", "s");
  add(m, p, "y", "m", x, y, 200);
  for (int columns = 40; columns <= 140; columns += 25) {
    Drawing d = {.arena = m->arena, .title = "Title"};
    assert_true(plot_layout(&m->plot, (PlotStyle){.cells = true, .width = 2 * columns}, &d));
    Text out = text_in(m->arena);
    braille_write(&d, false, &out);
    const char *s = text_str(&out);
    assert_non_null(strstr(s, "y [m]"));
    assert_non_null(strstr(s, "t [s]"));
    assert_non_null(strstr(s, "└"));
    assert_null(strstr(s, "\033"));
    size_t dots = 0;
    for (const char *line = s; *line;) {
      size_t n = strcspn(line, "\n");
      assert_true(utf8_columns(line, n) <= (size_t)columns);
      for (size_t i = 0; i + 2 < n; i++)
        dots += (unsigned char)line[i] == 0xE2 && ((unsigned char)line[i + 1] & 0xFC) == 0xA0 ? 1u : 0u;
      line += n + (line[n] == '\n');
    }
    assert_true(dots >= (size_t)columns - 10);
    Text coloured = text_in(m->arena);
    braille_write(&d, true, &coloured);
    assert_non_null(strstr(text_str(&coloured), "\033[38;2;"));
  }
  made_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(data_stand_where_the_ticks_say),
      cmocka_unit_test(panels_over_the_same_time_share_its_axis),
      cmocka_unit_test(a_phase_plane_shows_start_and_direction),
      cmocka_unit_test(bands_points_events_and_gaps_are_drawn),
      cmocka_unit_test(the_check_of_words_can_fail),
      cmocka_unit_test(words_never_overlap),
      cmocka_unit_test(ten_million_points_make_a_small_picture),
      cmocka_unit_test(forty_curves_get_a_column_and_the_rest_a_count),
      cmocka_unit_test(nothing_at_all_says_so),
      cmocka_unit_test(a_second_unit_has_its_axis_at_the_right),
      cmocka_unit_test(the_terminal_shows_the_same_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
