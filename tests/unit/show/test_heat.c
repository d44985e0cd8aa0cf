// Heat maps, bars of colours and shaded curves, read back from their SVG.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/braille.h"
#include "show/plot.h"
#include "show/svg.h"

#include "svg_reader.h"

typedef struct Made {
  Arena *arena;
  Plot plot;
  Drawing d;
  SvgFile file;
} Made;

static PlotPanel *start(Made *m) {
  *m = (Made){.arena = arena_new()};
  return plot_panel(m->arena, &m->plot, "x", "m");
}

static void draw(Made *m) {
  m->d = (Drawing){.arena = m->arena};
  assert_true(plot_layout(&m->plot, (PlotStyle){0}, &m->d));
  Text svg = text_in(m->arena);
  svg_write(&m->d, &svg);
  m->file = svg_read(text_str(&svg));
  assert_true(m->file.well_formed);
  assert_null(strstr(text_str(&svg), "nan"));
}

static void end(Made *m) {
  free(m->file.items);
  arena_free(m->arena);
}

static double red(int32_t c) { return c >> 16 & 0xff; }

static void lightness_grows_along_the_scale_of_colours(void **state) {
  (void)state;
  double before = -1;
  for (int i = 0; i <= 200; i++) {
    double here = drawing_lightness(drawing_scale_colour(i / 200.0));
    assert_true(here >= before - 0.3); // colours are whole numbers
    if (i % 10 == 0) before = here;
  }
  assert_true(drawing_lightness(drawing_scale_colour(1)) - drawing_lightness(drawing_scale_colour(0)) > 60);
  assert_int_equal(drawing_scale_colour(-3), drawing_scale_colour(0));
  assert_int_equal(drawing_scale_colour(7), drawing_scale_colour(1));
  assert_true(red(drawing_scale_colour(0)) == 0x44);
}

// Every cell is covered once by the colour of its value, and the cells fill the area.
static void cells_stand_at_their_places(void **state) {
  (void)state;
  // two rows of three; the middle of the upper one is missing
  static const double v[] = {0, 1, 2, 3, NAN, 5};
  const PlotHeat map = {v, 3, 2, {10, 40}, {0, 2}, NULL, NULL};
  Made m;
  PlotPanel *p = start(&m);
  p->heat = &map;
  p->bar = (PlotBar){.name = "T", .unit = "K"};
  draw(&m);
  const DrawRect area = m.d.clips.items[0];
  double covered = 0;
  size_t cells = 0;
  for (uint32_t i = 0; i < m.d.items.count; i++) {
    const DrawItem *item = &m.d.items.items[i];
    if (item->role != role_heat) continue;
    for (uint32_t k = 0; k + 3 < item->count; k += 5, cells++) {
      const DrawPoint *q = item->points + k;
      covered += fabs((q[2].x - q[0].x) * (q[2].y - q[0].y));
      double cx = (q[0].x + q[2].x) / 2, cy = (q[0].y + q[2].y) / 2;
      int column = (int)((cx - area.x) / area.w * 3), row = (int)((area.y + area.h - cy) / area.h * 2);
      // within one of 64 steps of the colour of its value
      double part = v[3 * row + column] / 5, near = 1e9;
      for (int s = -1; s <= 1; s++)
        near =
            fmin(near, fabs(drawing_lightness(item->fill) - drawing_lightness(drawing_scale_colour(part + s / 64.0))));
      assert_true(near < 1);
    }
  }
  assert_int_equal(cells, 5);
  assert_true(fabs(covered - area.w * area.h * 5 / 6) < 1e-6 * area.w * area.h);
  assert_int_equal(svg_clashes(&m.file, "heat map"), 0);
  // the bar says the range, its name and its unit
  size_t words = svg_count(&m.file, "text", "bar");
  assert_int_equal(words, 7); // 0 1 2 3 4 5 and the name
  const SvgElement *name = svg_find(&m.file, "text", "bar", words - 1);
  assert_memory_equal(name->text, "T [K]", 5);
  end(&m);
}

static void a_large_matrix_becomes_no_more_cells_than_pixels(void **state) {
  (void)state;
  enum { w = 3000, h = 2000 };
  double *v = malloc(sizeof *v * w * h);
  assert_non_null(v);
  for (size_t i = 0; i < (size_t)w * h; i++) v[i] = sin((double)(i % w) / 300) * cos((double)(i / w) / 200);
  const PlotHeat map = {v, w, h, {0, 1}, {0, 1}, NULL, NULL};
  Made m;
  start(&m)->heat = &map;
  draw(&m);
  size_t points = 0;
  for (uint32_t i = 0; i < m.d.items.count; i++)
    points += m.d.items.items[i].role == role_heat ? m.d.items.items[i].count : 0;
  assert_true(points > 1000 && points < 5 * 720 * 400);
  end(&m);
  free(v);
}

static void nasty_matrices_are_drawn(void **state) {
  (void)state;
  static const double flat[] = {7, 7, 7, 7}, none[] = {NAN, NAN, NAN, INFINITY}, tiny[] = {1e-300, 2e-300, -1e-300, 0},
                      mixed[] = {-1, 0, 10, 1000};
  static const double *const all[] = {flat, none, tiny, mixed};
  for (size_t i = 0; i < 4; i++) {
    for (int log = 0; log < 2; log++) {
      const PlotHeat map = {all[i], 2, 2, {1, 1e6}, {-1, 1}, NULL, NULL};
      Made m;
      PlotPanel *p = start(&m);
      p->heat = &map;
      p->x_log = true;
      p->bar.log = log;
      draw(&m);
      assert_int_equal(svg_clashes(&m.file, "nasty matrix"), 0);
      // nothing at all says so
      assert_int_equal(svg_count(&m.file, "text", "note"), i == 1 ? 1 : 0);
      end(&m);
    }
  }
  const PlotHeat empty = {NULL, 0, 0, {0, 1}, {0, 1}, NULL, NULL};
  Made m;
  start(&m)->heat = &empty;
  draw(&m);
  assert_int_equal(svg_count(&m.file, "text", "note"), 1);
  end(&m);
}

// One of many has a colour of the bar and no entry in the legend; what stands out lies above them.
static void iterations_are_shaded(void **state) {
  (void)state;
  enum { n = 20, curves = 50 };
  static double x[n], y[curves][n];
  Made m;
  PlotPanel *p = start(&m);
  p->bar = (PlotBar){.name = "iteration"};
  p->y_name = "y";
  for (int k = 0; k < curves; k++) {
    for (int i = 0; i < n; i++) x[i] = i, y[k][i] = k + i;
    vec_push(m.arena, &p->curves,
             (PlotCurve){.name = k ? "try" : "last", .x = x, .y = y[k], .count = n, .shaded = k > 0, .level = k});
  }
  draw(&m);
  assert_int_equal(svg_count(&m.file, "path", "curve"), curves);
  assert_int_equal(svg_clashes(&m.file, "iterations"), 0);
  assert_int_equal(svg_count(&m.file, "text", "legend"), 1);
  char name[16] = "";
  assert_string_equal(svg_get(svg_find(&m.file, "path", "curve", curves - 1), "data-name", name, sizeof name), "last");
  // their lightness follows their level, and none is lost on a white ground
  double before = -1;
  for (uint32_t i = 0; i < m.d.items.count; i++) {
    const DrawItem *item = &m.d.items.items[i];
    if (item->role != role_curve || strcmp(item->text, "try") != 0) continue;
    double here = drawing_lightness(item->stroke);
    assert_true(here >= before - 0.3 && here < 85);
    before = here;
  }
  end(&m);
}

static void a_terminal_shows_more_dots_where_it_is_hot(void **state) {
  (void)state;
  static const double v[] = {0, 1};
  const PlotHeat map = {v, 2, 1, {0, 2}, {0, 1}, NULL, NULL};
  Made m;
  PlotPanel *p = start(&m);
  p->heat = &map;
  p->bar.name = "T";
  m.d = (Drawing){.arena = m.arena};
  assert_true(plot_layout(&m.plot, (PlotStyle){.cells = true}, &m.d));
  const DrawRect area = m.d.clips.items[0];
  size_t left = 0, right = 0;
  for (uint32_t i = 0; i < m.d.items.count; i++) {
    const DrawItem *item = &m.d.items.items[i];
    for (uint32_t k = 0; item->role == role_heat && k < item->count; k++) {
      if (isnan(item->points[k].x)) continue;
      if (item->points[k].x < area.x + area.w / 2) left++;
      else right++;
    }
  }
  assert_true(left == 0 && right > 100);
  Text out = text_in(m.arena);
  braille_write(&m.d, false, &out);
  assert_non_null(strstr(text_str(&out), "T 0 .. 1"));
  arena_free(m.arena);
}

// A Bode plot goes over many decades: ticks are powers of ten, and stand where their words say.
static void bode_ranges_have_powers_of_ten(void **state) {
  (void)state;
  enum { n = 400 };
  static double w[n], g[n];
  for (int decades = 3; decades <= 18; decades += 5) {
    for (int i = 0; i < n; i++) {
      w[i] = pow(10, -2 + decades * (double)i / (n - 1));
      g[i] = 1 / hypot(1, w[i] * w[i]);
    }
    Made m;
    PlotPanel *p = start(&m);
    p->x_log = p->y_log = true;
    vec_push(m.arena, &p->curves, (PlotCurve){.name = "G", .x = w, .y = g, .count = n});
    draw(&m);
    const DrawRect area = m.d.clips.items[0];
    size_t words = 0;
    double last = -INFINITY;
    for (uint32_t i = 0; i < m.d.items.count; i++) {
      const DrawItem *item = &m.d.items.items[i];
      if (item->role != role_tick_x || item->kind != draw_text) continue;
      words++;
      // "10⁻²", or "0.01" where that is short
      char *plain;
      double value = strtod(item->text, &plain), exponent = 0;
      int sign = 1;
      if (!*plain) exponent = log10(value);
      else assert_memory_equal(item->text, "10", 2);
      for (const char *s = *plain ? item->text + 2 : plain; *s;) {
        static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        size_t size = strncmp(s, "⁻", 3) == 0 ? 3 : 0;
        if (size) sign = -1;
        for (int k = 0; k < 10 && !size; k++) {
          if (strncmp(s, raised[k], strlen(raised[k])) == 0) exponent = 10 * exponent + k, size = strlen(raised[k]);
        }
        assert_true(size > 0);
        s += size;
      }
      double place = area.x + (sign * exponent + 2.0) / decades * area.w;
      assert_true(fabs(item->x - place) < 0.01);
      assert_true(item->x > last);
      last = item->x;
    }
    assert_true(words >= 3);
    end(&m);
  }
}

// Two colours that lose lightness on both sides of white, which is the middle itself.
static void diverging_colours_are_white_in_the_middle(void **state) {
  (void)state;
  assert_int_equal(drawing_diverging_colour(0.5), 0xffffff);
  for (int i = 1; i <= 100; i++) {
    double part = 0.005 * i, before = part - 0.005;
    assert_true(drawing_lightness(drawing_diverging_colour(0.5 - part)) <
                drawing_lightness(drawing_diverging_colour(0.5 - before)));
    assert_true(drawing_lightness(drawing_diverging_colour(0.5 + part)) <
                drawing_lightness(drawing_diverging_colour(0.5 + before)));
  }
  assert_true((drawing_diverging_colour(0) & 0xff) > (drawing_diverging_colour(0) >> 16));
  assert_true((drawing_diverging_colour(1) & 0xff) < (drawing_diverging_colour(1) >> 16));
}

// Correlations 1, 0 and -1: the cells of 0 are white.
static void no_correlation_is_white(void **state) {
  (void)state;
  static const double values[] = {1, 0, -1, 1};
  PlotHeat heat = {.values = values, .columns = 2, .rows = 2, .x = {0, 2}, .y = {0, 2}};
  Arena *arena = arena_new();
  Plot plot = {0};
  PlotPanel *p = plot_panel(arena, &plot, "", NULL);
  p->heat = &heat;
  p->bar = (PlotBar){.name = "correlation", .range = {-1, 1}, .diverging = true};
  Drawing d = {.arena = arena};
  assert_true(plot_layout(&plot, (PlotStyle){0}, &d));
  uint32_t white = 0, cells = 0;
  for (uint32_t i = 0; i < d.items.count; i++) {
    if (d.items.items[i].role != role_heat) continue;
    cells++;
    white += d.items.items[i].fill == 0xffffff;
  }
  assert_int_equal(cells, 3);
  assert_int_equal(white, 1);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lightness_grows_along_the_scale_of_colours),
                                     cmocka_unit_test(cells_stand_at_their_places),
                                     cmocka_unit_test(a_large_matrix_becomes_no_more_cells_than_pixels),
                                     cmocka_unit_test(nasty_matrices_are_drawn),
                                     cmocka_unit_test(iterations_are_shaded),
                                     cmocka_unit_test(a_terminal_shows_more_dots_where_it_is_hot),
                                     cmocka_unit_test(bode_ranges_have_powers_of_ten),
                                     cmocka_unit_test(diverging_colours_are_white_in_the_middle),
                                     cmocka_unit_test(no_correlation_is_white)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
