// Numbers as text: the shortest text that reads back to the same double, and the bits of a number.
#include "tests/support.h"

#include "base/number.h"

#include <float.h>

static void text_is(double value, const char *expected) {
  char out[number_text_size];
  number_print(value, out);
  assert_string_equal(out, expected);
}

static void the_shortest_text_is_printed(void **state) {
  (void)state;
  text_is(0, "0");
  text_is(0.1, "0.1");
  text_is(1.0 / 3, "0.3333333333333333");
  text_is(-2.5, "-2.5");
  text_is(100, "100");
  text_is(0.30000000000000004, "0.30000000000000004");
  text_is(INFINITY, "inf");
  text_is(-INFINITY, "-inf");
  text_is(NAN, "nan");
}

// What printf and strtod say: 15 digits, or 16, or 17, the first that are read back as the same number.
static void digits_are_those_of_printf(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int i = 0; i < 400000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    double u = (double)(seed >> 11) * 0x1p-53, value = u * pow(10, (int)(seed >> 3 & 31) - 12);
    if (i % 4 == 1) value = floor(value * 1e6) / 1e6;                                  // few digits
    if (i % 4 == 2) value = ldexp(1, (int)(seed >> 7 & 63) - 20);                      // powers of two
    if (i % 4 == 3) value = nextafter(floor(u * 1e5) / 1e3, i % 8 > 4 ? INFINITY : 0); // beside few digits
    if (i % 5 == 0) value = -value;
    char out[number_text_size], expected[number_text_size];
    for (int digits = 15; digits <= 17; digits++) {
      snprintf(expected, sizeof expected, "%.*g", digits, value);
      if (strtod(expected, NULL) == value) break;
    }
    number_print(value, out);
    if (value != 0 && !(value == floor(value) && fabs(value) < 1e15)) assert_string_equal(out, expected);
    assert_true(strtod(out, NULL) == value);
  }
}

static void what_is_printed_reads_back(void **state) {
  (void)state;
  static const double values[] = {DBL_MAX, DBL_MIN, 4.9406564584124654e-324, 1e22, 1e23, 5e-7, 123456789.125, -1e-300};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    char out[number_text_size], *end;
    number_print(values[i], out);
    assert_true(number_parse(out, &end) == values[i] && *end == '\0');
    const char *rest;
    double back;
    number_print_bits(values[i], out);
    rest = number_read_bits(out, &back);
    assert_non_null(rest);
    assert_true(*rest == '\0' && back == values[i]);
  }
}

static void bits_are_hexadecimal(void **state) {
  (void)state;
  char out[number_text_size];
  number_print_bits(3, out);
  assert_string_equal(out, "0x1.8p+1");
  number_print_bits(-0.0, out);
  assert_string_equal(out, "-0x0p+0");
  double back;
  assert_null(number_read_bits("three", &back));
  assert_null(number_read_bits("", &back));
}

static void formats_know_no_locale(void **state) {
  (void)state;
  char out[40];
  assert_int_equal(number_format(out, sizeof out, "%.2f and %d", 0.5, 7), 10);
  assert_string_equal(out, "0.50 and 7");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_shortest_text_is_printed),
                                     cmocka_unit_test(digits_are_those_of_printf),
                                     cmocka_unit_test(what_is_printed_reads_back),
                                     cmocka_unit_test(bits_are_hexadecimal), cmocka_unit_test(formats_know_no_locale)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
