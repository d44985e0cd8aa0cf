// Sectors that are proved stable, against closed forms.
#include "tests/support.h"

#include "control/absolute.h"
#include "control/realize.h"

static StateSpace fraction(Arena *arena, uint32_t m, const double *num, uint32_t n, const double *den) {
  StateSpace s;
  const char *why;
  assert_true(realize(arena, &(Fraction){m, n, num, den}, form_controllable, &s, &why));
  return s;
}

// 1/(s + 1)^3: Re G is least, -1/4 (at tan of the angle pi/4: w = 1), so the circle gives 4; the linear border is 8 at
// sqrt 3, and Popov's line reaches it.
static void three_lags_have_their_sectors(void **state) {
  (void)state;
  Arena *arena = arena_new();
  StateSpace s = fraction(arena, 0, (double[]){1}, 3, (double[]){1, 3, 3, 1});
  Absolute x;
  absolute_find(arena, &s, 0, &x);
  assert_int_equal(x.status, absolute_done);
  // the least of cos^3(p) cos(3 p), p = atan w: at p = pi/4
  assert_true(fabs(x.circle.k - 4) < 1e-8 && fabs(x.circle.frequency - 1) < 1e-4);
  assert_true(fabs(x.linear.k - 8) < 1e-11 && fabs(x.linear.frequency - sqrt(3)) < 1e-6);
  assert_true(fabs(x.popov.k - 8) < 1e-6);
  arena_free(arena);
}

// A second-order lag has every positive slope by Popov; the circle does not see that.
static void two_lags_are_stable_for_every_function(void **state) {
  (void)state;
  Arena *arena = arena_new();
  StateSpace s = fraction(arena, 0, (double[]){1}, 2, (double[]){1, 2, 1});
  Absolute x;
  absolute_find(arena, &s, 0, &x);
  assert_int_equal(x.status, absolute_done);
  // (1 - w^2)/(1 + w^2)^2 is least, -1/8, at w = sqrt 3
  assert_true(fabs(x.circle.k - 8) < 1e-8 && fabs(x.circle.frequency - sqrt(3)) < 1e-4);
  assert_true(x.popov.k > 1e5 && isinf(x.linear.k));
  arena_free(arena);
}

// An integrator is not stable by itself; a lower slope makes it so.
static void a_pole_at_zero_needs_a_lower_slope(void **state) {
  (void)state;
  Arena *arena = arena_new();
  StateSpace s = fraction(arena, 0, (double[]){1}, 3, (double[]){0, 1, 2, 1}); // 1/(s (s + 1)^2)
  Absolute x;
  absolute_find(arena, &s, 0, &x);
  assert_int_equal(x.status, absolute_unstable);
  assert_true(x.re == 0 || fabs(x.re) < 1e-10);
  absolute_find(arena, &s, 0.5, &x);
  assert_int_equal(x.status, absolute_done);
  assert_true(fabs(x.lower + x.linear.k - 2) < 1e-10); // s^3 + 2 s^2 + s + k: k = 2
  assert_true(x.circle.k <= x.linear.k * (1 + 1e-9) && x.popov.k <= x.linear.k * (1 + 1e-6));
  assert_true(x.popov.k >= x.circle.k * (1 - 1e-9));
  arena_free(arena);
}

// What is proved must never be more than what constant slopes allow.
static void no_sector_is_wider_than_the_linear_one(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 40; k++) {
    Arena *arena = arena_new();
    uint32_t n = 2 + k % 5;
    StateSpace s;
    assert_true(space_new(arena, n, 1, 1, &s));
    for (uint32_t i = 0; i < n * n; i++) s.A[i] = sin(7.1 * i + 0.37 * k * i + k);
    for (uint32_t i = 0; i < n; i++) {
      s.A[i * n + i] -= 1.5 * n;
      s.B[i] = cos(1.0 * i + k);
      s.C[i] = sin(2.0 * i + 3 * k);
    }
    Absolute x;
    absolute_find(arena, &s, 0, &x);
    assert_int_equal(x.status, absolute_done);
    assert_true(x.circle.k <= x.linear.k * (1 + 1e-7));
    assert_true(x.popov.k <= x.linear.k * (1 + 1e-6) && x.popov.k >= x.circle.k * (1 - 1e-7));
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_lags_have_their_sectors),
      cmocka_unit_test(two_lags_are_stable_for_every_function),
      cmocka_unit_test(a_pole_at_zero_needs_a_lower_slope),
      cmocka_unit_test(no_sector_is_wider_than_the_linear_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
