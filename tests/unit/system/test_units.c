// Units against the brochure of the SI: scales, prefixes, exponents; and how dimensions are written.
#include "tests/support.h"

#include "system/dimension.h"

static void unit_is(const char *name, double scale, int pi, const int dim[unit_dims]) {
  Arena *arena = arena_new();
  Unit u;
  assert_true(unit_find(arena, name, &u));
  double found = rat_to_double(u.scale);
  assert_true(fabs(found - scale) <= 1e-15 * fabs(scale));
  assert_int_equal(u.pi, pi);
  for (int i = 0; i < unit_dims; i++) assert_int_equal(u.dim[i], dim[i]);
  arena_free(arena);
}
//                                       m  kg   s   A  K mol cd rad
#define DIM(...) ((const int[unit_dims]){__VA_ARGS__})

static void units_are_those_of_the_si(void **state) {
  (void)state;
  unit_is("m", 1, 0, DIM(1));
  unit_is("kg", 1, 0, DIM(0, 1));
  unit_is("g", 1e-3, 0, DIM(0, 1));
  unit_is("N", 1, 0, DIM(1, 1, -2));
  unit_is("J", 1, 0, DIM(2, 1, -2));
  unit_is("W", 1, 0, DIM(2, 1, -3));
  unit_is("V", 1, 0, DIM(2, 1, -3, -1));
  unit_is("F", 1, 0, DIM(-2, -1, 4, 2));
  unit_is("H", 1, 0, DIM(2, 1, -2, -2));
  unit_is("ohm", 1, 0, DIM(2, 1, -3, -2));
  unit_is("Wb", 1, 0, DIM(2, 1, -2, -1));
  unit_is("Pa", 1, 0, DIM(-1, 1, -2));
  unit_is("Hz", 1, 0, DIM(0, 0, -1));
}

static void prefixes_multiply(void **state) {
  (void)state;
  unit_is("mm", 1e-3, 0, DIM(1));
  unit_is("kN", 1e3, 0, DIM(1, 1, -2));
  unit_is("uF", 1e-6, 0, DIM(-2, -1, 4, 2));
  unit_is("mg", 1e-6, 0, DIM(0, 1));
}

static void angles_hold_pi(void **state) {
  (void)state;
  unit_is("deg", 1.0 / 180, 1, DIM(0, 0, 0, 0, 0, 0, 0, 1));
  unit_is("rpm", 1.0 / 30, 1, DIM(0, 0, -1, 0, 0, 0, 0, 1));
}

static void what_is_no_unit_is_not_found(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Unit u;
  assert_false(unit_find(arena, "xyz", &u));
  assert_false(unit_find(arena, "kkg", &u));
  assert_false(unit_find(arena, "", &u));
  assert_string_equal(unit_split(arena, "Nm"), "N*m");
  arena_free(arena);
}

static void exponents_stay_in_range(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Unit a = unit_none(), m;
  assert_true(unit_find(arena, "mm", &m));
  assert_true(unit_combine(arena, &a, m, 3));
  assert_int_equal(a.dim[unit_metre], 3);
  assert_true(fabs(rat_to_double(a.scale) - 1e-9) < 1e-24);
  bool fits = true;
  for (int i = 0; i < 60 && fits; i++) fits = unit_combine(arena, &a, m, 20);
  assert_false(fits);
  arena_free(arena);
}

static void dimensions_are_written_as_people_read_them(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Dimension d = dimension_plain();
  assert_string_equal(dimension_text(arena, &d), "");
  assert_string_equal(dimension_words(arena, &d), "1");
  d.power[unit_metre] = ratio_int(1);
  d.power[unit_second] = ratio_int(-2);
  assert_string_equal(dimension_text(arena, &d), "m/s²");
  Dimension kilogram = dimension_plain();
  kilogram.power[unit_kilogram] = ratio_int(1);
  d = dimension_mul(d, kilogram, ratio_int(1));
  assert_string_equal(dimension_text(arena, &d), "N");
  arena_free(arena);
}

static void ratios_are_exact(void **state) {
  (void)state;
  Ratio r = ratio_add((Ratio){1, 2}, (Ratio){1, 3});
  assert_true(r.num == 5 && r.den == 6);
  r = ratio_mul((Ratio){2, 3}, (Ratio){3, 4});
  assert_true(r.num == 1 && r.den == 2);
  r = ratio_div(ratio_int(1), ratio_int(-4));
  assert_true(r.num == -1 && r.den == 4);
  r = ratio_mul(ratio_int(INT32_MAX), ratio_int(2));
  assert_int_equal(r.den, 0); // out of range
  r = ratio_add(r, ratio_int(1));
  assert_int_equal(r.den, 0); // and stays so
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_are_those_of_the_si),
                                     cmocka_unit_test(prefixes_multiply),
                                     cmocka_unit_test(angles_hold_pi),
                                     cmocka_unit_test(what_is_no_unit_is_not_found),
                                     cmocka_unit_test(exponents_stay_in_range),
                                     cmocka_unit_test(dimensions_are_written_as_people_read_them),
                                     cmocka_unit_test(ratios_are_exact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
