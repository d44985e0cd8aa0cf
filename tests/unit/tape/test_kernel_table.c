#include "tests/unit/tape/kernel_frame.h"

static const double xs[] = {0, 1, 3}, ys[] = {5, 7, -1};

static double at(double x, int slope) {
  Arena *arena = arena_new();
  KernelTable data = {.x = xs, .y = ys, .count = 3, .slope = slope};
  double out;
  frame_eval(frame_tape(arena, &kernel_table, &data, 1), &x, &out);
  arena_free(arena);
  return out;
}

static void tables_are_linear_and_held_at_the_ends(void **state) {
  (void)state;
  assert_true(at(-1, 0) == 5 && at(9, 0) == -1);
  assert_true(at(0.5, 0) == 6 && at(2, 0) == 3);
}

static void the_slope_is_the_derivative(void **state) {
  (void)state;
  assert_true(at(0.5, 1) == 2 && at(2, 1) == -4 && at(9, 1) == 0 && at(-1, 1) == 0);
  assert_true(at(0.5, 2) == 1 && at(2, 2) == 2 && at(9, 2) == 3 && at(-1, 2) == 0);
  assert_true(at(0.5, 3) == ys[0] && at(1, 3) == ys[1] && at(2, 3) == ys[1] && at(9, 3) == ys[2] && at(-1, 3) == ys[0]);
}

static void every_way_to_run_it_gives_the_same_bits(void **state) {
  (void)state;
  for (int slope = 0; slope < 4; slope++) {
    Arena *arena = arena_new();
    KernelTable data = {.x = xs, .y = ys, .count = 3, .slope = slope};
    const Tape *t = frame_tape(arena, &kernel_table, &data, 1);
    frame_lanes(arena, t, (double[]){-1, 0, 0.3, 1, 1.7, 3, 4, NAN});
    frame_native(arena, t, (double[]){1.7});
    frame_export(arena, t, (double[]){1.7});
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_are_linear_and_held_at_the_ends),
      cmocka_unit_test(the_slope_is_the_derivative),
      cmocka_unit_test(every_way_to_run_it_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
