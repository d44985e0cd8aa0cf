// Assembly modes against counts that are known, by homotopy and by elimination.
#define _POSIX_C_SOURCE 200809L
#include "tests/api/positions_frame.h"

static Found look_seeded(const char *text, uint64_t seed) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = "modes";
  o.seed = seed;
  return look_by(text, &o);
}

static bool is_all(const Found *f) { return strstr(f->json, "\"all\": true") != NULL; }
static double modes(const Found *f) { return fact(f, "\"modes\": {\"all\": true, \"count\": "); }
static double solutions(const Found *f) { return fact(f, "\"solutions\": "); }

// ---- four-bars

// Two circles meet in 0 or 2 points; where they touch nothing says "all".
static void random_four_bars_have_none_or_two(void **state) {
  (void)state;
  uint64_t seed = 7;
  int none = 0, two = 0;
  for (int k = 0; k < 1000; k++) {
    double a = 0.3 + 2 * chance(&seed), b = 0.3 + 3 * chance(&seed), c = 0.3 + 3 * chance(&seed),
           t = 6.28 * chance(&seed);
    double e = hypot(3 - a * cos(t), a * sin(t));
    char text[500];
    snprintf(text, sizeof text,
             "node A = [0, 0] fixed\nnode D = [3, 0] fixed\nnode B = [1, 0.1]\nnode C = [2, 1]\n"
             "bar AB: A B length %.17g\nbar BC: B C length %.17g\nbar CD: C D length %.17g\n"
             "drive AB.angle from %.17g to 7 steps 1\n",
             a, b, c, t);
    Found f = look(text, "modes");
    int expected = e < b + c && e > fabs(b - c) ? 2 : 0;
    assert_int_equal(f.status, VIVA_OK);
    assert_true(is_all(&f));
    assert_int_equal((int)modes(&f), expected);
    assert_int_equal((int)solutions(&f), 4); // with the crank the other way round
    none += expected == 0;
    two += expected == 2;
    leave(&f);
  }
  assert_true(none > 50 && two > 50);
}

static void circles_that_touch_are_not_called_all(void **state) {
  (void)state;
  Found f =
      look("node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode B = [1, 0.1]\nnode C = [2, 1]\nbar AB: A B length 1\n"
           "bar BC: B C length 1\nbar CD: C D length 2\ndrive AB.angle from 0 to 1 steps 1\n",
           "modes");
  assert_int_equal(f.status, VIVA_OK);
  assert_false(is_all(&f));
  leave(&f);
}

// The curve of a coupler point is of sixth order, and a circle meets it in 6 points beside those at infinity; the
// triangle of the coupler may be turned over, and the driven bar may stand the other way round: 6 * 2 * 2.
static void coupler_curve_meets_a_circle_in_six_points(void **state) {
  (void)state;
  const char *text = "node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode G = [6, -1] fixed\nnode B = [1, 0]\n"
                     "node C = [3.2, 2.9]\nnode E = [2, 3.5]\nnode F = [5, 3]\nbar AB: A B length 1\n"
                     "bar BC: B C length 3.5\nbar CD: C D length 3\nbar BE: B E length 3.4\nbar CE: C E length 1.6\n"
                     "bar EF: E F length 3.1\nbar FG: F G length 4.2\ndrive FG.angle from %g to 3 steps 1\n";
  char line[800];
  snprintf(line, sizeof line, text, -1.3);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    Found f = look_seeded(line, seed);
    assert_int_equal(f.status, VIVA_OK);
    assert_true(is_all(&f));
    assert_int_equal((int)solutions(&f), 24);
    leave(&f);
  }
}

static void watt_and_stephenson_driven_by_the_crank_are_dyads(void **state) {
  (void)state;
  Found f = look_file("stephenson.viva", "modes");
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 16); // three dyads, two ways each, and the crank turned
  assert_int_equal((int)modes(&f), 8);
  leave(&f);
  f = look_file("six_bar.viva", "modes");
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 16);
  leave(&f);
}

static void stewart_platform_has_forty(void **state) {
  (void)state;
  Found f = look_file("stewart.viva", "modes");
  assert_int_equal(f.status, VIVA_OK);
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 40);
  // the drawing is the first of them
  assert_true(fabs(value(&f, 0, "P[1].z") - 1.2) < 1e-12);
  leave(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_four_bars_have_none_or_two),
      cmocka_unit_test(circles_that_touch_are_not_called_all),
      cmocka_unit_test(coupler_curve_meets_a_circle_in_six_points),
      cmocka_unit_test(watt_and_stephenson_driven_by_the_crank_are_dyads),
      cmocka_unit_test(stewart_platform_has_forty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
