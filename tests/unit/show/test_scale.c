// Ticks: properties over random ranges and the nasty ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "show/drawing.h"
#include "show/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads a label back: the minus sign, plain decimals, raised powers.
static double read_label(const char *s) {
  double sign = 1;
  if (strncmp(s, "−", 3) == 0) {
    sign = -1;
    s += 3;
  }
  char *end;
  double x = strtod(s, &end);
  if (strncmp(end, "·", 2) == 0) {
    end += 2;
    assert_true(strncmp(end, "10", 2) == 0);
    end += 2;
  } else if (x == 10 && *end) {
    x = 1;
  } else {
    assert_string_equal(end, "");
    return sign * x;
  }
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  int power = 0, minus = strncmp(end, "⁻", 3) == 0;
  if (minus) end += 3;
  while (*end) {
    int digit = -1;
    for (int i = 0; i < 10; i++) {
      if (strncmp(end, raised[i], strlen(raised[i])) == 0) digit = i;
    }
    assert_true(digit >= 0);
    power = 10 * power + digit;
    end += strlen(raised[digit]);
  }
  return sign * x * pow(10, minus ? -power : power);
}

static void check(double lo, double hi, bool log, uint32_t wanted) {
  Ticks t;
  scale_ticks(&t, lo, hi, log, wanted);
  if (t.count < 2 || t.count > 3 * wanted + 2)
    print_error("%.17g .. %.17g, %u wanted: %u ticks\n", lo, hi, wanted, t.count);
  assert_in_range(t.count, 2, 3 * wanted + 2);
  for (uint32_t i = 0; i < t.count; i++) {
    if (!(t.at[i] >= lo * (1 - 1e-8 * (lo > 0)) && t.at[i] <= hi * (1 + 1e-8 * (hi > 0))))
      print_error("%.17g .. %.17g: tick %.17g\n", lo, hi, t.at[i]);
    assert_true(t.at[i] >= lo - 1e-8 * fabs(lo) && t.at[i] <= hi + 1e-8 * fabs(hi));
    assert_true(i == 0 || t.at[i] > t.at[i - 1]);
    assert_true(i == 0 || strcmp(t.text[i], t.text[i - 1]) != 0);
    assert_true(strlen(t.text[i]) > 0 && drawing_text_width(t.text[i], 0, true) <= 2 * 13);
    double value = read_label(t.text[i]) * pow(10, t.exponent) + t.offset;
    double slack = log ? 1e-9 * fabs(t.at[i]) : 1e-6 * (hi - lo) + 1e-12 * fabs(t.at[i]);
    if (fabs(value - t.at[i]) > slack) print_error("%.17g .. %.17g: \"%s\" is not %.17g\n", lo, hi, t.text[i], t.at[i]);
    assert_true(fabs(value - t.at[i]) <= slack);
  }
  for (uint32_t i = 1; i < t.count && !log; i++) {
    // evenly spaced, by 1, 2 or 5
    double step = t.at[1] - t.at[0], unit = step / pow(10, floor(log10(step) + 1e-6));
    if (step > 1e-9 * fabs(hi)) {
      assert_true(fabs(t.at[i] - t.at[i - 1] - step) < 1e-6 * step);
      assert_true(fabs(unit - 1) < 1e-5 || fabs(unit - 2) < 1e-5 || fabs(unit - 5) < 1e-5);
    }
  }
}

static void ticks_are_round_inside_and_say_what_they_are(void **state) {
  (void)state;
  uint64_t seed = 6;
  for (uint64_t i = 0; i < 20000; i++) {
    double size = pow(10, 40 * random_uniform(seed, 4 * i) - 20),
           middle = size * (random_uniform(seed, 4 * i + 1) - 0.5) * pow(10, 4 * random_uniform(seed, 4 * i + 2));
    check(middle - size, middle + size, false, 2 + (uint32_t)(8 * random_uniform(seed, 4 * i + 3)));
  }
}

static void logarithmic_ticks_too(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 20000; i++) {
    double a = 40 * random_uniform(7, 3 * i) - 20, width = pow(10, 3 * random_uniform(7, 3 * i + 1) - 1.5);
    check(pow(10, a), pow(10, a + width), true, 3 + (uint32_t)(7 * random_uniform(7, 3 * i + 2)));
  }
}

static void nasty_ranges_have_ticks(void **state) {
  (void)state;
  static const AxisRange nasty[] = {{0, 0},
                                    {1, 1},
                                    {-7, -7},
                                    {1e-300, 1e-300},
                                    {1e-300, 3e-300},
                                    {-1e308, 1e308},
                                    {1e6, 1e6 + 1e-5},
                                    {5, 5 + 1e-15},
                                    {0, 5e-324},
                                    {-1e-310, 1e-310},
                                    {1e300, 1.0000001e300},
                                    {-1e-5, 3e5},
                                    {DBL_MAX, DBL_MAX},
                                    {INFINITY, -INFINITY}};
  for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++) {
    AxisRange r = axis_range_with_margin(nasty[i], false, 0.05);
    assert_true(isfinite(r.lo) && isfinite(r.hi) && r.lo < r.hi);
    Ticks t;
    scale_ticks(&t, r.lo, r.hi, false, 5);
    assert_in_range(t.count, 2, 12);
    AxisRange g = axis_range_with_margin(nasty[i].lo > 0 || nasty[i].lo > nasty[i].hi ? nasty[i] : (AxisRange){1e-9, 1},
                                         true, 0.05);
    assert_true(g.lo > 0 && g.lo < g.hi && isfinite(g.hi));
    scale_ticks(&t, g.lo, g.hi, true, 5);
    assert_in_range(t.count, 2, 16);
  }
}

static void known_axes_look_as_expected(void **state) {
  (void)state;
  Ticks t;
  scale_ticks(&t, 0, 10, false, 5);
  assert_int_equal(t.count, 6);
  assert_string_equal(t.text[1], "2");
  scale_ticks(&t, -0.3, 0.3, false, 5);
  assert_string_equal(t.text[0], "−0.3");
  scale_ticks(&t, 0, 4e-7, false, 4);
  assert_int_equal(t.exponent, -9);
  assert_string_equal(t.text[t.count - 1], "400");
  scale_ticks(&t, 0, 3e6, false, 3);
  assert_int_equal(t.exponent, 6);
  assert_string_equal(t.text[3], "3");
  scale_ticks(&t, 1e-9, 1, true, 9);
  assert_string_equal(t.text[0], "10⁻⁹");
  assert_int_equal(t.count, 10);
  scale_ticks(&t, 1000.0001, 1000.0004, false, 3);
  assert_true(t.offset != 0);
}

// The palette: the first three can be told apart in grey, neighbours differ in dash, all stand out from the ground.
static void colours_survive_grey_printing(void **state) {
  (void)state;
  for (int dark = 0; dark < 2; dark++) {
    Theme theme = drawing_theme(dark);
    for (uint32_t i = 0; i < 7; i++) {
      double mine = drawing_lightness(drawing_theme_curve(&theme, i));
      assert_true(fabs(mine - drawing_lightness(theme.ground)) > 25);
      for (uint32_t k = 0; k < i && i < 3; k++)
        assert_true(fabs(mine - drawing_lightness(drawing_theme_curve(&theme, k))) > (dark ? 15 : 24));
      assert_true(i == 0 || drawing_dash(i) != drawing_dash(i - 1));
    }
  }
  // colour and dash repeat together after 28 curves
  for (uint32_t i = 0; i < 28; i++) {
    for (uint32_t k = 0; k < i; k++) assert_true(i % 7 != k % 7 || drawing_dash(i) != drawing_dash(k));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ticks_are_round_inside_and_say_what_they_are),
      cmocka_unit_test(logarithmic_ticks_too),
      cmocka_unit_test(nasty_ranges_have_ticks),
      cmocka_unit_test(known_axes_look_as_expected),
      cmocka_unit_test(colours_survive_grey_printing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
