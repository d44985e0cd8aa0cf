// Thinning of curves: few points, no extreme lost, gaps kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "show/curve.h"

#include <math.h>
#include <stdlib.h>

enum { width = 600, height = 200 };

typedef struct Data {
  Arena *arena;
  double *x, *y;
  size_t n;
  Scale sx, sy;
} Data;

static Data data_new(size_t n) {
  Data d = {.arena = arena_new(), .x = malloc(n * sizeof(double)), .y = malloc(n * sizeof(double)), .n = n};
  assert_true(d.arena && d.x && d.y);
  return d;
}

static void data_free(Data *d) {
  arena_free(d->arena);
  free(d->x);
  free(d->y);
}

static void scales(Data *d) {
  AxisRange x = axis_range_empty(), y = axis_range_empty();
  axis_range_take(&x, d->x, d->n, false);
  axis_range_take(&y, d->y, d->n, false);
  x = axis_range_with_margin(x, false, 0);
  y = axis_range_with_margin(y, false, 0);
  d->sx = (Scale){false, x.lo, x.hi, 0, width};
  d->sy = (Scale){false, y.lo, y.hi, height, 0};
}

// The least and the largest place of the data in each column of pixels, counted anew.
static void check_columns(const Data *d, const CurvePath *path) {
  double lo[width + 1], hi[width + 1], plo[width + 1], phi[width + 1];
  for (int i = 0; i <= width; i++) lo[i] = plo[i] = INFINITY, hi[i] = phi[i] = -INFINITY;
  for (size_t i = 0; i < d->n; i++) {
    double px = scale_place(&d->sx, d->x[i]), py = scale_place(&d->sy, d->y[i]);
    if (isnan(px) || isnan(py)) continue;
    int c = (int)floor(px);
    lo[c] = fmin(lo[c], py);
    hi[c] = fmax(hi[c], py);
  }
  for (uint32_t i = 0; i < path->count; i++) {
    if (isnan(path->points[i].x)) continue;
    int c = (int)floor(path->points[i].x);
    plo[c] = fmin(plo[c], path->points[i].y);
    phi[c] = fmax(phi[c], path->points[i].y);
  }
  for (int i = 0; i <= width; i++) {
    if (lo[i] > hi[i]) {
      assert_true(plo[i] > phi[i]);
      continue;
    }
    assert_true(fabs(lo[i] - plo[i]) < 1e-6 && fabs(hi[i] - phi[i]) < 1e-6);
  }
}

static void extremes_of_every_column_are_kept(void **state) {
  (void)state;
  for (uint64_t round = 0; round < 200; round++) {
    size_t n = 1 + (size_t)(pow(10, 4.3 * random_uniform(1, round)));
    Data d = data_new(n);
    bool noise = round % 2, gaps = round % 3 == 0;
    for (size_t i = 0; i < n; i++) {
      d.x[i] = (double)i * 1e-3;
      d.y[i] = sin((double)i * 0.01) + (noise ? random_normal(round + 2, i) : 0);
      if (gaps && random_uniform(round + 1000, i) < 0.05) d.y[i] = NAN;
    }
    scales(&d);
    CurvePath path = curve_reduce(d.arena, &d.sx, &d.sy, d.x, d.y, n);
    check_columns(&d, &path);
    size_t pieces = 0;
    for (uint32_t i = 0; i < path.count; i++) pieces += isnan(path.points[i].x) ? 1u : 0u;
    assert_true(gaps || (pieces == 0 && path.count <= 4 * (width + 1u)));
    data_free(&d);
  }
}

static void one_spike_in_ten_million_is_seen(void **state) {
  (void)state;
  size_t n = 10000000;
  Data d = data_new(n);
  for (size_t i = 0; i < n; i++) d.x[i] = (double)i, d.y[i] = 0;
  d.y[6789012] = 5;
  scales(&d);
  CurvePath path = curve_reduce(d.arena, &d.sx, &d.sy, d.x, d.y, n);
  assert_true(path.count <= 4 * (width + 1));
  double top = INFINITY;
  for (uint32_t i = 0; i < path.count; i++) top = fmin(top, path.points[i].y);
  assert_true(top < 1e-9);
  data_free(&d);
}

static void a_gap_interrupts_and_nothing_bridges_it(void **state) {
  (void)state;
  Data d = data_new(7);
  const double y[] = {1, 2, NAN, 3, INFINITY, 4, 5};
  for (size_t i = 0; i < 7; i++) d.x[i] = (double)i, d.y[i] = y[i];
  scales(&d);
  CurvePath path = curve_reduce(d.arena, &d.sx, &d.sy, d.x, d.y, 7);
  assert_int_equal(path.count, 7);
  assert_true(isnan(path.points[2].x) && isnan(path.points[4].x) && !isnan(path.points[3].x));
  data_free(&d);
}

static void a_path_in_the_plane_keeps_its_extremes(void **state) {
  (void)state;
  size_t n = 1000000;
  Data d = data_new(n);
  for (size_t i = 0; i < n; i++)
    d.x[i] = cos((double)i * 1e-5) * exp(-(double)i * 1e-6), d.y[i] = sin((double)i * 1e-5) * exp(-(double)i * 1e-6);
  scales(&d);
  CurvePath path = curve_reduce(d.arena, &d.sx, &d.sy, d.x, d.y, n);
  assert_true(path.count < 20000);
  double lo = INFINITY, hi = -INFINITY, left = INFINITY, right = -INFINITY;
  for (uint32_t i = 0; i < path.count; i++) {
    lo = fmin(lo, path.points[i].y), hi = fmax(hi, path.points[i].y);
    left = fmin(left, path.points[i].x), right = fmax(right, path.points[i].x);
  }
  assert_true(fabs(lo) < 1e-6 && fabs(hi - height) < 1e-6 && fabs(left) < 1e-6 && fabs(right - width) < 1e-6);
  // its end is where the motion ended
  assert_true(fabs(path.points[path.count - 1].x - scale_place(&d.sx, d.x[n - 1])) < 1e-9);
  data_free(&d);
}

static void a_path_that_fills_the_plane_stays_small(void **state) {
  (void)state;
  size_t n = 2000000;
  Data d = data_new(n);
  for (size_t i = 0; i < n; i++) {
    double t = (double)i * 1e-4;
    d.x[i] = sin(3 * t) + 0.01 * sin(1e4 * t);
    d.y[i] = cos(3.1 * t);
  }
  scales(&d);
  CurvePath path = curve_reduce(d.arena, &d.sx, &d.sy, d.x, d.y, n);
  assert_true(path.count < 3u * (width + 1) * (height + 1));
  // every pixel that holds data has ink on it or beside it
  static bool ink[height + 2][width + 2];
  for (uint32_t i = 1; i < path.count; i++) {
    DrawPoint a = path.points[i - 1], b = path.points[i];
    if (isnan(a.x) || isnan(b.x)) continue;
    for (int k = 0; k <= 100; k++) ink[(int)(a.y + k * (b.y - a.y) / 100)][(int)(a.x + k * (b.x - a.x) / 100)] = true;
  }
  for (size_t i = 0; i < n; i++) {
    int px = (int)scale_place(&d.sx, d.x[i]), py = (int)scale_place(&d.sy, d.y[i]);
    bool near = false;
    for (int k = 0; k < 9; k++) {
      int qx = px + k % 3 - 1, qy = py + k / 3 - 1;
      near = near || (qx >= 0 && qy >= 0 && ink[qy][qx]);
    }
    assert_true(near);
  }
  data_free(&d);
}

static void negative_values_have_no_place_on_a_logarithmic_axis(void **state) {
  (void)state;
  Data d = data_new(5);
  const double y[] = {10, -1, 0, 1, 100};
  for (size_t i = 0; i < 5; i++) d.x[i] = (double)i, d.y[i] = y[i];
  Scale sx = {false, 0, 4, 0, width}, sy = {true, 1, 100, height, 0};
  CurvePath path = curve_reduce(d.arena, &sx, &sy, d.x, d.y, 5);
  assert_int_equal(path.count, 4);
  assert_true(fabs(path.points[0].y - height / 2) < 1e-9 && isnan(path.points[1].x));
  data_free(&d);
}

static void points_are_drawn_once_a_pixel(void **state) {
  (void)state;
  size_t n = 300000;
  Data d = data_new(n);
  for (size_t i = 0; i < n; i++) d.x[i] = random_uniform(1, i), d.y[i] = random_uniform(2, i);
  scales(&d);
  CurvePath path = curve_scatter(d.arena, &d.sx, &d.sy, d.x, d.y, n);
  assert_true(path.count <= 2 * (width + 1) * (height + 1) && path.count > width * height);
  data_free(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extremes_of_every_column_are_kept),
      cmocka_unit_test(one_spike_in_ten_million_is_seen),
      cmocka_unit_test(a_gap_interrupts_and_nothing_bridges_it),
      cmocka_unit_test(a_path_in_the_plane_keeps_its_extremes),
      cmocka_unit_test(a_path_that_fills_the_plane_stays_small),
      cmocka_unit_test(negative_values_have_no_place_on_a_logarithmic_axis),
      cmocka_unit_test(points_are_drawn_once_a_pixel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
