#include "tests/support.h"

static Arena *arena;

static int setup(void **state) {
  (void)state;
  arena = arena_new();
  return 0;
}
static int teardown(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

static void decimals_are_exact(void **state) {
  (void)state;
  Rat tenth = rat_parse(arena, "0.1", 3);
  assert_true(rat_equal(tenth, rat_make(arena, 1, 10)));
  assert_true(rat_equal(rat_parse(arena, "1e-3", 4), rat_make(arena, 1, 1000)));
  assert_true(rat_equal(rat_parse(arena, "9.81", 4), rat_make(arena, 981, 100)));
  assert_false(rat_valid(rat_parse(arena, "1.2.3", 5)));
}

static void large_numbers_leave_machine_words_and_come_back(void **state) {
  (void)state;
  Rat big = rat_pow(arena, rat_int(10), 40);
  assert_non_null(big.big);
  Rat back = rat_div(arena, big, rat_pow(arena, rat_int(10), 39));
  assert_null(back.big);
  assert_true(rat_equal(back, rat_int(10)));
  // 2^62 + 2^62 overflows; the sum is right
  Rat half = rat_int((int64_t)1 << 62);
  Rat sum = rat_add(arena, half, half);
  assert_true(rat_equal(sum, rat_pow(arena, rat_int(2), 63)));
}

static void doubles_are_correctly_rounded(void **state) {
  (void)state;
  // strtod of the C library is the reference
  static const char *const texts[] = {"0.1",
                                      "1e23",
                                      "8.5e-324",
                                      "2.2250738585072011e-308",
                                      "123456789012345678901234567890",
                                      "1.7976931348623157e308",
                                      "9007199254740993",
                                      "4.9e-324",
                                      "0.3",
                                      "6.02214076e23"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double want = strtod(texts[i], NULL);
    assert_true(rat_to_double(rat_parse(arena, texts[i], strlen(texts[i]))) == want);
    assert_true(decimal_to_double(texts[i], strlen(texts[i])) == want);
  }
  uint64_t seed = 7;
  for (int i = 0; i < 20000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = seed >> 1;
    double x;
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x)) continue;
    char text[64];
    snprintf(text, sizeof text, "%.17g", x);
    assert_true(decimal_to_double(text, strlen(text)) == x);
    number_print(x, text);
    assert_true(strtod(text, NULL) == x);
  }
}

static void roots_are_exact_or_absent(void **state) {
  (void)state;
  assert_true(rat_equal(rat_root(arena, rat_make(arena, 9, 4), 2), rat_make(arena, 3, 2)));
  assert_false(rat_valid(rat_root(arena, rat_int(2), 2)));
  assert_false(rat_valid(rat_root(arena, rat_int(-4), 2)));
}

static void absurd_powers_are_refused(void **state) {
  (void)state;
  assert_false(rat_valid(rat_pow(arena, rat_int(3), 1000000)));
  assert_true(rat_equal(rat_pow(arena, rat_int(-1), 1000001), rat_int(-1)));
}

static void rounding_is_decimal_and_done_once(void **state) {
  (void)state;
  static const struct {
    const char *value;
    unsigned digits;
    const char *rounded;
  } list[] = {{"0.35", 1, "0.4"},
              {"0.25", 1, "0.3"},
              {"19.62", 17, "19.62"},
              {"9.995", 3, "10"},
              {"0.9994999", 3, "0.999"},
              {"1e-30", 2, "1e-30"},
              {"123456.789", 2, "120000"},
              {"0.00012345678901234567", 17, "0.00012345678901234567"},
              {"2.4999999999999999999999", 1, "2"},
              {"99999999999999999.6", 17, "100000000000000000"},
              {"0.000099995", 4, "0.0001"},
              {"1.00000000000000005", 17, "1.0000000000000001"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    Rat a = rat_parse(arena, list[i].value, strlen(list[i].value)),
        want = rat_parse(arena, list[i].rounded, strlen(list[i].rounded));
    assert_true(rat_equal(rat_round(arena, a, list[i].digits), want));
    assert_true(rat_equal(rat_round(arena, rat_neg(arena, a), list[i].digits), rat_neg(arena, want)));
    assert_string_equal(rat_print(arena, want, true), list[i].rounded);
  }
  assert_string_equal(rat_print(arena, rat_round(arena, rat_make(arena, 1, 3), 17), true), "0.33333333333333333");
  assert_string_equal(rat_print(arena, rat_round(arena, rat_make(arena, -2, 300000), 17), true),
                      "-6.6666666666666667e-06");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(decimals_are_exact, setup, teardown),
      cmocka_unit_test_setup_teardown(large_numbers_leave_machine_words_and_come_back, setup, teardown),
      cmocka_unit_test_setup_teardown(doubles_are_correctly_rounded, setup, teardown),
      cmocka_unit_test_setup_teardown(roots_are_exact_or_absent, setup, teardown),
      cmocka_unit_test_setup_teardown(absurd_powers_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(rounding_is_decimal_and_done_once, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
