// Statistics of a sweep against NumPy 1.24: mean, std(ddof=1), quantile with linear interpolation.
#include "tests/support.h"

#include "sim/tally.h"

static void statistics_are_those_of_numpy(void **state) {
  (void)state;
  static const double values[] = {3.25, -1.5, 1e6, 1000000.25, 0.1, 0.1, 7, 2.5, -3e-3, 12.75};
  Arena *arena = arena_new();
  Tally t;
  assert_true(tally_init(&t, arena, 2, 1));
  for (uint64_t i = 0; i < 10; i++) {
    const double row[] = {values[i], i < 4};
    tally_take(&t, i, row);
  }
  tally_take(&t, 10, NULL);
  TallyStatistics s = tally_statistics(&t, 0);
  assert_int_equal(s.count, 10);
  assert_true(fabs(s.mean - 200002.4447) < 1e-9);
  assert_true(fabs(s.sd - 421635.79878728697) < 1e-9);
  assert_true(s.min == -1.5 && s.max == 1000000.25);
  assert_true(fabs(s.low + 0.82635) < 1e-15 && s.median == 2.875 && fabs(s.high - 1000000.1375) < 1e-9);
  assert_true(t.failed == 1 && t.failures[0] == 10 && t.passed == 4 && t.listed[3] == 3 && t.done == 11);
  tally_clear(&t);
  arena_free(arena);
}

// What has no value is left out, what is infinite makes the mean infinite, one value alone has no deviation.
static void values_that_are_none_are_left_out(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Tally t;
  assert_true(tally_init(&t, arena, 3, 0));
  tally_take(&t, 0, (const double[]){NAN, 1, NAN});
  tally_take(&t, 1, (const double[]){0.1, -INFINITY, NAN});
  TallyStatistics one = tally_statistics(&t, 0), infinite = tally_statistics(&t, 1), none = tally_statistics(&t, 2);
  assert_true(one.count == 1 && one.mean == 0.1 && isnan(one.sd) && one.low == 0.1 && one.high == 0.1);
  assert_true(infinite.count == 2 && infinite.mean == -INFINITY && isnan(infinite.sd) && infinite.max == 1);
  assert_true(none.count == 0 && isnan(none.mean) && isnan(none.min) && isnan(none.median));
  tally_clear(&t);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statistics_are_those_of_numpy),
      cmocka_unit_test(values_that_are_none_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
