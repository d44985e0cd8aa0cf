#include "tests/unit/tape/kernel_frame.h"

#include "base/random.h"

static double at(const Tape *t, double seed, double which) {
  double out;
  frame_eval(t, (double[]){seed, which}, &out);
  return out;
}

static void noise_is_normal_and_repeats(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const Tape *t = frame_tape(arena, &kernel_noise, NULL, 2);
  double sum = 0, squares = 0, fourth = 0;
  int n = 200000;
  for (int i = 0; i < n; i++) {
    double x = at(t, 1, i);
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  // five standard deviations of each moment
  assert_true(fabs(sum / n) < 5 / sqrt(n));
  assert_true(fabs(squares / n - 1) < 5 * sqrt(2.0 / n));
  assert_true(fabs(fourth / n - 3) < 5 * sqrt(96.0 / n));
  assert_true(at(t, 1, 5) == at(t, 1, 5));
  assert_true(at(t, 1, 5) != at(t, 2, 5));
  // quantiles from tables of the normal distribution
  assert_true(fabs(normal_quantile(0.975) - 1.959963984540054) < 1e-14);
  assert_true(fabs(normal_quantile(1e-10) + 6.361340902404056) < 1e-13);
  arena_free(arena);
}

static void uniform_noise_is_even_between_its_limits(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const Tape *t = frame_tape(arena, &kernel_noise, noise_uniform, 2);
  double sum = 0, squares = 0, least = 1, most = -1;
  int n = 200000, low = 0;
  for (int i = 0; i < n; i++) {
    double x = at(t, 1, i);
    sum += x;
    squares += x * x;
    least = fmin(least, x);
    most = fmax(most, x);
    low += x < -0.5;
  }
  // mean 0, variance 1/3, a quarter below -1/2; five standard deviations of each
  assert_true(fabs(sum / n) < 5 * sqrt(1 / (3.0 * n)));
  assert_true(fabs(squares / n - 1.0 / 3) < 5 * sqrt(4 / (45.0 * n)));
  assert_true(fabs((double)low / n - 0.25) < 5 * sqrt(3 / (16.0 * n)));
  assert_true(least > -1 && least < -0.999 && most < 1 && most > 0.999);
  arena_free(arena);
}

static void every_way_to_run_it_gives_the_same_bits(void **state) {
  (void)state;
  for (int uniform = 0; uniform < 2; uniform++) {
    Arena *arena = arena_new();
    const Tape *t = frame_tape(arena, &kernel_noise, uniform ? noise_uniform : NULL, 2);
    double in[2 * lane_count];
    for (int i = 0; i < 2 * lane_count; i++) in[i] = 7 * i - 3;
    in[4] = 1e16; // no whole numbers of its own up there
    frame_lanes(arena, t, in);
    frame_native(arena, t, in);
    frame_export(arena, t, in);
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_is_normal_and_repeats),
      cmocka_unit_test(uniform_noise_is_even_between_its_limits),
      cmocka_unit_test(every_way_to_run_it_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
