// Scenes in space: the projection, the order by depth, the ground, boxes of bodies, and what the script of a page gets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "show/space.h"
#include "show/space_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void close_to(double x, double y) { assert_true(fabs(x - y) <= 1e-12 * (1 + fabs(y))); }

static double next(uint64_t *counter) { return random_uniform(7, (*counter)++); }

// ---- the camera

static void the_isometric_view_is_that_of_the_textbook(void **state) {
  (void)state;
  Camera c;
  assert_true(camera_look((double[]){1, 1, 1}, (double[]){0, 0, 1}, &c));
  double right[3] = {-1 / sqrt(2), 1 / sqrt(2), 0}, up[3] = {-1 / sqrt(6), -1 / sqrt(6), 2 / sqrt(6)};
  for (int i = 0; i < 3; i++) {
    close_to(c.right[i], right[i]);
    close_to(c.up[i], up[i]);
    close_to(c.toward[i], 1 / sqrt(3));
    // every axis is shortened alike
    close_to(hypot(c.right[i], c.up[i]), sqrt(2.0 / 3));
  }
}

static void views_along_axes_are_plans(void **state) {
  (void)state;
  static const struct {
    double from[3], up[3], right[3], paper_up[3];
  } views[] = {{{0, -1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, 1}},
               {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}},
               {{0, 0, 5}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}},
               {{0, 1e300, 0}, {0, 0, 1e-300}, {-1, 0, 0}, {0, 0, 1}}};
  for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
    Camera c;
    assert_true(camera_look(views[k].from, views[k].up, &c));
    for (int i = 0; i < 3; i++) {
      close_to(c.right[i], views[k].right[i]);
      close_to(c.up[i], views[k].paper_up[i]);
    }
  }
}

static void a_camera_without_a_direction_is_refused(void **state) {
  (void)state;
  static const double bad[][2][3] = {{{0, 0, 0}, {0, 0, 1}},    {{1, 0, 0}, {0, 0, 0}},   {{0, 0, 2}, {0, 0, 1}},
                                     {{0, 0, -2}, {0, 0, 1}},   {{NAN, 1, 0}, {0, 0, 1}}, {{INFINITY, 1, 0}, {0, 0, 1}},
                                     {{1, 1, 1}, {-3, -3, -3}}, {{1e-9, 0, 1}, {0, 0, 1}}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    Camera c = {.up = {7}};
    assert_false(camera_look(bad[k][0], bad[k][1], &c));
    assert_true(c.up[0] == 7);
  }
}

// ---- scenes of this test: shapes at rest, in two rows

typedef struct Made {
  Arena *arena;
  Scene scene;
  double t[2];
} Made;

static Made *made_new(const double from[3]) {
  Made *m = calloc(1, sizeof *m);
  m->arena = arena_new();
  m->t[1] = 1;
  scene_init(&m->scene, m->arena, m->t, 2);
  m->scene.space = true;
  assert_true(camera_look(from, (double[]){0, 0, 1}, &m->scene.camera));
  return m;
}

static void made_free(Made *m) {
  arena_free(m->arena);
  free(m);
}

static void add(Made *m, SystemShape shape, const double *numbers, uint32_t count) {
  const double *columns[shape_values_most];
  for (uint32_t i = 0; i < count; i++) {
    double *c = arena_array(m->arena, 2, sizeof *c);
    c[0] = c[1] = numbers[i];
    columns[i] = c;
  }
  scene_add(&m->scene, &shape, columns);
}

static void add_rod(Made *m, const double ends[6]) {
  add(m, (SystemShape){.kind = shape_rod, .count = 2, .dims = 3}, ends, 6);
}

// The shapes that are drawn with a stroke of a rod, in their order, by where they start; returns how many.
static uint32_t drawn_rods(const Made *m, DrawPoint starts[16]) {
  SceneMap map = {100, 0, 0, -500, 500};
  Drawing d = {.arena = m->arena};
  scene_draw(&m->scene, &d, &map, 0, 1, 0);
  Theme theme = drawing_theme(false);
  uint32_t n = 0;
  for (uint32_t i = 0; i < d.items.count; i++) {
    const DrawItem *item = &d.items.items[i];
    if (item->kind == draw_path && item->stroke == theme.ink && n < 16) starts[n++] = item->points[0];
  }
  return n;
}

static bool is_start(const Made *m, const double p[3], DrawPoint at) {
  double seen[3];
  camera_see(&m->scene.camera, p, seen);
  return fabs(100 * seen[0] - at.x) < 1e-6 && fabs(-100 * seen[1] - at.y) < 1e-6;
}

// Two rods that cross when looked at: the nearer one comes last. Seen from behind it is the other one.
static void what_is_nearer_is_drawn_later(void **state) {
  (void)state;
  const double ends[2][6] = {{-1, 0, -1, 1, 0, 1}, {-1, 0.3, 1, 1, 0.3, -1}};
  for (int side = -1; side <= 1; side += 2) {
    Made *m = made_new((double[]){0.1, side, 0.1});
    add_rod(m, ends[0]);
    add_rod(m, ends[1]);
    scene_finish(&m->scene);
    DrawPoint at[16];
    assert_int_equal(drawn_rods(m, at), 2);
    assert_true(is_start(m, ends[side < 0 ? 0 : 1], at[1]));
    made_free(m);
  }
}

static bool crosses(double a[2][3], double b[2][3], double *nearer) {
  double dx = a[1][0] - a[0][0], dy = a[1][1] - a[0][1], ex = b[1][0] - b[0][0], ey = b[1][1] - b[0][1];
  double fx = b[0][0] - a[0][0], fy = b[0][1] - a[0][1], det = dx * ey - dy * ex;
  double u = (fx * ey - fy * ex) / det, v = (fx * dy - fy * dx) / det;
  *nearer = a[0][2] + u * (a[1][2] - a[0][2]) - b[0][2] - v * (b[1][2] - b[0][2]);
  return u > 0.01 && u < 0.99 && v > 0.01 && v < 0.99;
}

// Long rods whose middles tell the wrong order are right, too.
static void pairs_of_rods_are_right_wherever_they_lie(void **state) {
  (void)state;
  uint64_t r = 0;
  uint32_t met = 0, middles_wrong = 0;
  for (int trial = 0; trial < 2000; trial++) {
    Made *m = made_new((double[]){1, -2, 1});
    double ends[2][6], seen[2][2][3], nearer;
    for (int i = 0; i < 12; i++) ends[i / 6][i % 6] = 2 * next(&r) - 1;
    for (int i = 0; i < 4; i++) camera_see(&m->scene.camera, &ends[i / 2][3 * (i % 2)], seen[i / 2][i % 2]);
    add_rod(m, ends[0]);
    add_rod(m, ends[1]);
    scene_finish(&m->scene);
    if (crosses(seen[0], seen[1], &nearer)) {
      DrawPoint at[16];
      assert_int_equal(drawn_rods(m, at), 2);
      assert_true(is_start(m, ends[nearer > 0 ? 0 : 1], at[1]));
      met++;
      double middle = seen[0][0][2] + seen[0][1][2] - seen[1][0][2] - seen[1][1][2];
      middles_wrong += (middle > 0) != (nearer > 0);
    }
    made_free(m);
  }
  assert_true(met > 200);
  assert_true(middles_wrong > 10); // an order by middles alone would not have passed
}

// Three rods, each over the next: no order is right, but all are drawn.
static void a_circle_of_rods_is_drawn(void **state) {
  (void)state;
  Made *m = made_new((double[]){0, -1, 0});
  for (int i = 0; i < 3; i++) {
    double a = 2.0943951023931953 * i, b = a + 2.0943951023931953, x = cos(a), z = sin(a), u = cos(b), v = sin(b);
    double more = 0.4; // beyond its corners
    add_rod(m, (double[]){x - more * (u - x), -0.3, z - more * (v - z), u + more * (u - x), 0.3, v + more * (v - z)});
  }
  scene_finish(&m->scene);
  DrawPoint at[16];
  assert_int_equal(drawn_rods(m, at), 3);
  made_free(m);
}

// ---- the ground

static SpaceGrid ground_of(double low, double high, double wide) {
  Made *m = made_new((double[]){1, -2, 1});
  add_rod(m, (double[]){-wide / 2, 0, low, wide / 2, wide / 10, high});
  scene_finish(&m->scene);
  SpaceGrid g = space_grid(&m->scene);
  // all of it lies in the picture
  for (int k = 0; k < 4; k++) {
    double p[3], seen[3];
    for (int c = 0; c < 3; c++)
      p[c] = g.origin[c] + g.step * ((k & 1 ? g.across : 0) * g.u[c] + (k & 2 ? g.along : 0) * g.v[c]);
    camera_see(&m->scene.camera, p, seen);
    assert_true(seen[0] >= m->scene.x.lo - 1e-9 && seen[0] <= m->scene.x.hi + 1e-9);
    assert_true(seen[1] >= m->scene.y.lo - 1e-9 && seen[1] <= m->scene.y.hi + 1e-9);
  }
  made_free(m);
  return g;
}

static void the_ground_lies_below_everything(void **state) {
  (void)state;
  close_to(ground_of(0.3, 1, 1).origin[2], 0); // near: at zero
  close_to(ground_of(-0.7, 1, 1).origin[2], -0.7);
  close_to(ground_of(90, 91, 1).origin[2], 90); // far above: zero would be out of sight
  SpaceGrid g = ground_of(0, 1, 6);
  close_to(g.step, 1);
  assert_int_equal(g.across, 6);
  close_to(ground_of(0, 1e-3, 3e-3).step, 5e-4);
  close_to(ground_of(0, 1e5, 3e5).step, 5e4);
}

// ---- boxes

// A box of even density, turned: its tensor by the textbook's formula; back come its sides and axes.
static void a_box_comes_back_from_its_tensor(void **state) {
  (void)state;
  uint64_t r = 0;
  for (int trial = 0; trial < 500; trial++) {
    double m = 0.1 + 9 * next(&r), side[3], q[4], n = 0, axes[9], half[3], tensor[3][3];
    for (int i = 0; i < 3; i++) side[i] = 0.05 + next(&r);
    for (int i = 0; i < 4; i++) q[i] = next(&r) - 0.5, n += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(n);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                         {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                         {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    double moment[3] = {m / 12 * (side[1] * side[1] + side[2] * side[2]),
                        m / 12 * (side[0] * side[0] + side[2] * side[2]),
                        m / 12 * (side[0] * side[0] + side[1] * side[1])};
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) {
        tensor[i][k] = 0;
        for (int c = 0; c < 3; c++) tensor[i][k] += turn[i][c] * moment[c] * turn[k][c];
      }
    }
    double given[7] = {m, tensor[0][0], tensor[1][1], tensor[2][2], tensor[0][1], tensor[0][2], tensor[1][2]};
    assert_true(space_box(given, axes, half));
    for (int c = 0; c < 3; c++) { // each of its axes is one of the box, with half of its side
      bool found = false;
      for (int k = 0; k < 3 && !found; k++) {
        double along = 0;
        for (int i = 0; i < 3; i++) along += axes[3 * i + c] * turn[i][k];
        found = fabs(fabs(along) - 1) < 1e-6 && fabs(half[c] - side[k] / 2) < 1e-9;
      }
      assert_true(found);
    }
  }
}

static void what_has_no_extent_has_no_box(void **state) {
  (void)state;
  double axes[9], half[3];
  assert_false(space_box((double[7]){1}, axes, half));
  assert_false(space_box((double[7]){0, 1, 1, 1}, axes, half));
  assert_false(space_box((double[7]){1, NAN, 1, 1}, axes, half));
  assert_true(space_box((double[7]){12, 1, 1, 0}, axes, half)); // a rod of length 1 along z
  close_to(half[2], 0.5);
  close_to(half[0], 0);
}

// A plate without thickness is seen from both sides, with the area that its angle to the view leaves of it.
static void a_plate_is_a_face(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    for (int trial = 0; trial < 20; trial++) {
      double a = 0.1 * trial, c = cos(a), s = sin(a); // turned about z; its normal is y
      double values[19] = {0.3, 0.2, 0.1, c, -s, 0, s, c, 0, 0, 0, 1, 12, 4, 5, 1, 0, 0, 0};
      Made *m = made_new((double[]){1, 2 * side, 1});
      add_rod(m, (double[]){-1, -3, 0, 2, 1, 1});
      SystemShape solid = {.kind = shape_solid, .count = 1, .dims = 3, .turn = {1}, .inertia = {1}};
      add(m, solid, values, 19);
      scene_finish(&m->scene);
      SceneMap map = {100, 0, 0, -500, 500};
      Drawing d = {.arena = m->arena};
      scene_draw(&m->scene, &d, &map, 0, 1, 0);
      double largest = 0;
      for (uint32_t i = 0; i < d.items.count; i++) {
        const DrawItem *item = &d.items.items[i];
        double area = 0;
        for (uint32_t k = 0; item->kind == draw_path && item->closed && k < item->count; k++) {
          DrawPoint p = item->points[k], q = item->points[(k + 1) % item->count];
          area += (p.x * q.y - q.x * p.y) / 2;
        }
        largest = fmax(largest, fabs(area));
      }
      double seen = fabs(-s * 1 + c * 2 * side) / sqrt(6); // the normal along the view; the sides are 1 and 2
      if (!(fabs(largest - 20000 * seen) < 1e-4)) fail_msg("%g instead of %g", largest, 20000 * seen);
      made_free(m);
    }
  }
}

// ---- the numbers of the page

static int digit(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = strchr(digits, c);
  return at && c ? (int)(at - digits) : 0;
}

// The numbers of a key, read from the text behind `from`.
static size_t read_numbers(const char *from, const char *key, double *out) {
  const char *s = strstr(from, key);
  assert_non_null(s);
  s += strlen(key);
  unsigned char bytes[4096];
  size_t n = 0;
  for (; *s != '"'; s += 4) {
    uint32_t v =
        (uint32_t)digit(s[0]) << 18 | (uint32_t)digit(s[1]) << 12 | (uint32_t)digit(s[2]) << 6 | (uint32_t)digit(s[3]);
    bytes[n++] = (unsigned char)(v >> 16);
    if (s[2] != '=') bytes[n++] = (unsigned char)(v >> 8 & 255);
    if (s[3] != '=') bytes[n++] = (unsigned char)(v & 255);
  }
  for (size_t i = 0; i < n / 2; i++)
    out[i] = (int16_t)((unsigned)bytes[2 * i] | (unsigned)bytes[2 * i + 1] << 8) / 32767.0;
  return n / 2;
}

static void a_page_gets_places_and_turns(void **state) {
  (void)state;
  uint64_t r = 0;
  for (int trial = 0; trial < 200; trial++) {
    double q[4], n = 0, numbers[24];
    for (int i = 0; i < 4; i++) q[i] = next(&r) - 0.5, n += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(n) * (q[0] < 0 ? -1 : 1);
    if (q[0] < 0) {
      for (int i = 0; i < 4; i++) q[i] = -q[i];
    }
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double values[12] = {0.5,
                         -2,
                         1,
                         1 - 2 * (y * y + z * z),
                         2 * (x * y - w * z),
                         2 * (x * z + w * y),
                         2 * (x * y + w * z),
                         1 - 2 * (x * x + z * z),
                         2 * (y * z - w * x),
                         2 * (x * z - w * y),
                         2 * (y * z + w * x),
                         1 - 2 * (x * x + y * y)};
    Made *m = made_new((double[]){1, -2, 1});
    add_rod(m, (double[]){-1, -3, 0, 2, 1, 1});
    SystemShape frame = {.kind = shape_frame, .count = 1, .dims = 3, .turn = {1}};
    add(m, frame, values, 12);
    scene_finish(&m->scene);
    Text text = text_in(m->arena);
    space_data_write(&m->scene, 1, NULL, &(Json){.out = &text});
    const char *at = strstr(text_str(&text), "\"kind\": \"frame\"");
    // at rest: one frame; the box of the scene is -1 .. 2, -3 .. 1, 0 .. 1
    assert_int_equal(read_numbers(at, "\"data\": \"", numbers), 3);
    const double middle[3] = {0.5, -1, 0.5}, half = 2;
    for (int c = 0; c < 3; c++) assert_true(fabs(middle[c] + half * numbers[c] - values[c]) < half / 32767);
    assert_int_equal(read_numbers(at, "\"turn\": \"", numbers), 4);
    double same = 0;
    for (int c = 0; c < 4; c++) same += numbers[c] * q[c];
    assert_true(fabs(fabs(same) - 1) < 1e-4);
    made_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_isometric_view_is_that_of_the_textbook),
      cmocka_unit_test(views_along_axes_are_plans),
      cmocka_unit_test(a_camera_without_a_direction_is_refused),
      cmocka_unit_test(what_is_nearer_is_drawn_later),
      cmocka_unit_test(pairs_of_rods_are_right_wherever_they_lie),
      cmocka_unit_test(a_circle_of_rods_is_drawn),
      cmocka_unit_test(the_ground_lies_below_everything),
      cmocka_unit_test(a_box_comes_back_from_its_tensor),
      cmocka_unit_test(what_has_no_extent_has_no_box),
      cmocka_unit_test(a_plate_is_a_face),
      cmocka_unit_test(a_page_gets_places_and_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
