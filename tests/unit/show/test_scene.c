// Shapes of a plane on paper: sizes in lengths of the model, colours, coils, words; and the times of poses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void close_to(double x, double y) { assert_true(fabs(x - y) <= 1e-9 * (1 + fabs(y))); }

// Two rows of a scene: a point goes from (0, 0) to (2, 1), and a box at it turns by a right angle.
typedef struct Made {
  Arena *arena;
  Scene scene;
  double t[2];
} Made;

static const SceneMap map = {100, 50, 400, 0, 500}; // 100 pixels a length

static Made *made_new(void) {
  Made *m = calloc(1, sizeof *m);
  m->arena = arena_new();
  m->t[1] = 3;
  scene_init(&m->scene, m->arena, m->t, 2);
  return m;
}

static void made_free(Made *m) {
  arena_free(m->arena);
  free(m);
}

// numbers: the values of the first row, then those of the second.
static void add(Made *m, SystemShape shape, uint32_t count, const double *numbers) {
  const double *columns[shape_values_most];
  for (uint32_t i = 0; i < count; i++) {
    double *c = arena_array(m->arena, 2, sizeof *c);
    c[0] = numbers[i];
    c[1] = numbers[count + i];
    columns[i] = c;
  }
  scene_add(&m->scene, &shape, columns);
}

static const DrawItem *drawn(Made *m, double time, uint32_t index) {
  Drawing *d = arena_new_of(m->arena, Drawing);
  d->arena = m->arena;
  scene_draw(&m->scene, d, &map, time, 1, 0);
  assert_true(index < d->items.count);
  return &d->items.items[index];
}

static void a_circle_is_as_large_as_its_radius(void **state) {
  (void)state;
  Made *m = made_new();
  SystemShape circle = {.kind = shape_circle, .count = 1, .dims = 2, .size = {1}, .colour = shape_coloured + 0xff8800};
  add(m, circle, 3, (double[]){0, 0, 0.25, 2, 1, 0.25});
  const DrawItem *item = drawn(m, 3, 0);
  assert_int_equal(item->kind, draw_circle);
  close_to(item->x, 50 + 100 * 2);
  close_to(item->y, 400 - 100 * 1);
  close_to(item->r, 25);
  assert_int_equal(item->fill, 0xff8800);
  // it is part of the picture
  close_to(m->scene.x.lo, -0.25);
  close_to(m->scene.y.hi, 1.25);
  made_free(m);
}

// Corners of a rectangle of 0.6 by 0.2 about (2, 1), turned by a right angle: 0.1 to both sides, 0.3 up and down.
static void a_box_turns_with_its_second_point(void **state) {
  (void)state;
  Made *m = made_new();
  SystemShape box = {.kind = shape_box, .count = 2, .dims = 2, .size = {1, 1}};
  add(m, box, 6, (double[]){0, 0, 0.3, 0, 0.6, 0.2, 2, 1, 2, 1.3, 0.6, 0.2});
  for (int end = 0; end < 2; end++) {
    const DrawItem *item = drawn(m, end ? 3 : 0, 0);
    double x = end ? 250 : 50, y = end ? 300 : 400, w = end ? 10 : 30, h = end ? 30 : 10;
    uint32_t seen = 0;
    assert_int_equal(item->count, 4);
    assert_true(item->closed);
    for (uint32_t i = 0; i < 4; i++) {
      close_to(fabs(item->points[i].x - x), w);
      close_to(fabs(item->points[i].y - y), h);
      seen |= 1u << ((item->points[i].x > x) + 2 * (item->points[i].y > y));
    }
    assert_int_equal(seen, 15); // all four corners
  }
  made_free(m);
}

static void a_spring_has_the_coils_and_the_width_that_are_said(void **state) {
  (void)state;
  Made *m = made_new();
  SystemShape spring = {.kind = shape_spring, .count = 2, .dims = 2, .width = 1, .coils = 5};
  add(m, spring, 5, (double[]){0, 0, 2, 0, 0.3, 0, 0, 2, 0, 0.3});
  const DrawItem *item = drawn(m, 0, 0);
  uint32_t above = 0, below = 0;
  for (uint32_t i = 0; i < item->count; i++) {
    double side = item->points[i].y - 400;
    if (fabs(side) < 1e-9) continue;
    close_to(fabs(side), 15);
    above += side<0, below += side> 0;
  }
  assert_int_equal(above, 5);
  assert_int_equal(below, 5);
  made_free(m);
}

static void widths_are_lengths_and_words_stand_at_their_point(void **state) {
  (void)state;
  Made *m = made_new();
  add(m, (SystemShape){.kind = shape_rod, .count = 2, .dims = 2, .width = 1}, 5,
      (double[]){0, 0, 1, 0, 0.07, 0, 0, 1, 0, 0.07});
  add(m, (SystemShape){.kind = shape_text, .count = 1, .dims = 2, .size = {1}, .text = "m1"}, 3,
      (double[]){0, 0, 0.2, 2, 1, 0.2});
  close_to(drawn(m, 0, 0)->line, 7);
  const DrawItem *words = drawn(m, 3, 1);
  assert_int_equal(words->kind, draw_text);
  assert_string_equal(words->text, "m1");
  close_to(words->x, 250);
  close_to(words->size, 20);
  made_free(m);
}

// What lies over what does not follow the order of writing: wheels behind rods, rods behind masses, words over all.
static void shapes_lie_in_layers(void **state) {
  (void)state;
  Made *m = made_new();
  static const ShapeKind kinds[] = {shape_text, shape_mass, shape_rod, shape_circle};
  for (int i = 0; i < 4; i++) {
    SystemShape shape = {.kind = kinds[i], .count = i == 2 ? 2 : 1, .dims = 2, .text = i ? NULL : "A"};
    add(m, shape, i == 2 ? 4 : 2, (double[]){0, 0, 1, 1, 0, 0, 1, 1});
  }
  static const DrawKind order[] = {draw_circle, draw_path, draw_circle, draw_text};
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(drawn(m, 0, i)->kind, order[i]);
  made_free(m);
}

static void poses_say_their_times(void **state) {
  (void)state;
  Made *m = made_new();
  add(m, (SystemShape){.kind = shape_mass, .count = 1, .dims = 2}, 2, (double[]){0, 0, 2, 1});
  scene_finish(&m->scene);
  Ghosts ghosts = {.scene = &m->scene, .count = 4};
  Plot plot;
  scene_ghosts(m->arena, &ghosts, &plot);
  Drawing d = {.arena = m->arena};
  assert_true(plot_layout(&plot, (PlotStyle){.width = ghosts.width}, &d));
  static const char *const times[] = {"0 s", "1 s", "2 s", "3 s",
                                      "4 poses from t = 0 s, 1 s apart, the earlier the fainter"};
  for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < d.items.count; i++) {
      const DrawItem *item = &d.items.items[i];
      found += item->kind == draw_text && item->role == role_note && strcmp(item->text, times[k]) == 0;
    }
    assert_int_equal(found, 1);
  }
  made_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_circle_is_as_large_as_its_radius),
      cmocka_unit_test(a_box_turns_with_its_second_point),
      cmocka_unit_test(a_spring_has_the_coils_and_the_width_that_are_said),
      cmocka_unit_test(widths_are_lengths_and_words_stand_at_their_point),
      cmocka_unit_test(shapes_lie_in_layers),
      cmocka_unit_test(poses_say_their_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
