// The swing of a signal, of motions that are known.
#include "tests/support.h"

#include "control/oscillation.h"

enum { rows = 256 * 40 };
static double t[rows], e[rows];

static void fill(double (*f)(double t), double period) {
  for (int i = 0; i < rows; i++) {
    t[i] = i * period / 256;
    e[i] = f(t[i]);
  }
}

static const double pi = 3.14159265358979323846;

static double bent(double x) { return 0.3 + 2 * sin(3 * x) + 0.1 * sin(9 * x); }
static double decaying(double x) { return exp(-0.02 * x) * sin(x); }
static double still(double x) { return 1 + exp(-x); }
static double triangle(double x) { return fabs(fmod(x + 0.123, 2) - 1) - 0.5; }

static void a_steady_swing_is_measured(void **state) {
  (void)state;
  // about how long a turn takes is enough
  fill(bent, 2.2);
  Oscillation s = oscillation_of(t, e, rows, 2.2);
  assert_int_equal(s.kind, oscillation_steady);
  assert_true(fabs(s.frequency - 3) < 3e-9);
  // at sin = 1 the third harmonic takes a tenth off
  assert_true(fabs(s.amplitude - 1.9) < 1e-7 && fabs(s.middle - 0.3) < 1e-7);
}

static void corners_are_met(void **state) {
  (void)state;
  fill(triangle, 2);
  Oscillation s = oscillation_of(t, e, rows, 2);
  assert_int_equal(s.kind, oscillation_steady);
  assert_true(fabs(s.amplitude - 0.5) < 1e-12 && fabs(s.frequency - pi) < 1e-9);
}

static void what_decays_or_rests_is_no_swing(void **state) {
  (void)state;
  fill(decaying, 2 * pi);
  assert_int_equal(oscillation_of(t, e, 256 * 10, 2 * pi).kind, oscillation_changing);
  fill(still, 1);
  Oscillation s = oscillation_of(t, e, rows, 1);
  assert_int_equal(s.kind, oscillation_gone);
  assert_true(fabs(s.largest - 1) < 1e-12);
  assert_int_equal(oscillation_of(t, e, 5, 1).kind, oscillation_gone);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_steady_swing_is_measured),
      cmocka_unit_test(corners_are_met),
      cmocka_unit_test(what_decays_or_rests_is_no_swing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
