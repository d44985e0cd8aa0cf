#include "tests/support.h"

#include "sim/spline.h"

enum { most = 2000 };

// Times that are not evenly spaced.
static void times(double *t, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) t[i] = 2.0 * (i + 0.3 * sin(3.0 * i)) / (n - 1);
}

static void polynomials_of_degree_five_are_met_exactly(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (uint32_t n = 6; n <= 40; n += n < 10 ? 1 : 10) {
    double t[most], y[most], first[most], second[most];
    times(t, n);
    for (uint32_t i = 0; i < n; i++) y[i] = 1 - t[i] + 2 * pow(t[i], 3) - 0.5 * pow(t[i], 5);
    assert_true(spline_slopes(arena, t, y, n, first, second));
    for (uint32_t i = 0; i < n; i++) {
      assert_true(fabs(first[i] - (-1 + 6 * t[i] * t[i] - 2.5 * pow(t[i], 4))) < 1e-9);
      assert_true(fabs(second[i] - (12 * t[i] - 10 * pow(t[i], 3))) < 1e-7);
    }
  }
  arena_free(arena);
}

// The largest error of the derivatives of sin(2 t + 1).
static void errors(uint32_t n, double *of_first, double *of_second) {
  Arena *arena = arena_new();
  double t[most], y[most], first[most], second[most];
  times(t, n);
  for (uint32_t i = 0; i < n; i++) y[i] = sin(2 * t[i] + 1);
  assert_true(spline_slopes(arena, t, y, n, first, second));
  *of_first = *of_second = 0;
  for (uint32_t i = 0; i < n; i++) {
    *of_first = fmax(*of_first, fabs(first[i] - 2 * cos(2 * t[i] + 1)));
    *of_second = fmax(*of_second, fabs(second[i] + 4 * sin(2 * t[i] + 1)));
  }
  arena_free(arena);
}

static void errors_fall_with_the_fifth_and_the_fourth_power(void **state) {
  (void)state;
  double first[2], second[2];
  errors(41, &first[0], &second[0]);
  errors(161, &first[1], &second[1]);
  double h = 2.0 * 1.6 / 160; // no two points are farther apart; the sixth derivative is at most 64
  assert_true(first[1] < 64 * pow(h, 5) && second[1] < 64 * pow(h, 4));
  assert_true(log(first[0] / first[1]) / log(4) > 4.7);
  assert_true(log(second[0] / second[1]) / log(4) > 3.7);
}

static void either_derivative_may_be_left_out(void **state) {
  (void)state;
  Arena *arena = arena_new();
  double t[6], y[6], first[6], second[6], alone[6];
  times(t, 6);
  for (uint32_t i = 0; i < 6; i++) y[i] = exp(t[i]);
  assert_true(spline_slopes(arena, t, y, 6, first, second));
  assert_true(spline_slopes(arena, t, y, 6, alone, NULL));
  assert_memory_equal(alone, first, sizeof alone);
  assert_true(spline_slopes(arena, t, y, 6, NULL, alone));
  assert_memory_equal(alone, second, sizeof alone);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polynomials_of_degree_five_are_met_exactly),
      cmocka_unit_test(errors_fall_with_the_fifth_and_the_fourth_power),
      cmocka_unit_test(either_derivative_may_be_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
