// Signals that jump: the motion is exact to the tolerance, whatever the output step.
#include "tests/laws/one_run.h"

static double final_x(const char *input, double rtol, double every, OdeResult *ode) {
  char text[512];
  snprintf(text, sizeof text, "coord x\ninput u = %s\nkinetic 1/2*x'^2\npotential 1/2*x^2\nforce x = u\n", input);
  RunSettings s = run_defaults();
  s.to = 10;
  s.every = every;
  s.rtol = rtol;
  double x;
  RunResult r = one_run(text, s, NULL, &x, 1);
  assert_int_equal(r.status, run_done);
  if (ode) *ode = r.ode;
  return x;
}

// x'' + x = 1 from a to b, at rest before
static double pulse(double t, double a, double b) {
  return (t > a ? 1 - cos(t - a) : 0) - (t > b ? 1 - cos(t - b) : 0);
}

static void pulses_are_exact_even_when_narrow(void **state) {
  (void)state;
  assert_true(fabs(final_x("step(t - 1) - step(t - 2)", 1e-11, 10, NULL) - pulse(10, 1, 2)) < 1e-9);
  // a pulse of a thousandth of a second, from rest: an integrator that does not know of it steps over it
  assert_true(fabs(final_x("step(t - 7.3) - step(t - 7.301)", 1e-11, 10, NULL) - pulse(10, 7.3, 7.301)) < 1e-12);
  assert_true(fabs(final_x("if(t >= 3 and t < 4, 1, 0)", 1e-11, 10, NULL) - pulse(10, 3, 4)) < 1e-9);
}

static void a_square_wave_is_exact(void **state) {
  (void)state;
  // sign(sin(2 t)) switches at k pi/2; by superposition of pulses of height 2 less a constant
  double x = -(1 - cos(10));
  for (int k = 0; 2 * k * M_PI_2 < 10; k++) x += 2 * pulse(10, 2 * k * M_PI_2, (2 * k + 1) * M_PI_2);
  assert_true(fabs(final_x("sign(sin(2*t))", 1e-11, 10, NULL) - x) < 1e-9);
}

static void jumps_do_not_cost_rejected_steps(void **state) {
  (void)state;
  OdeResult ode;
  final_x("floor(2*t)", 1e-8, 10, &ode);
  assert_true(ode.rejected < 25);
}

static void rows_do_not_move_the_breaks(void **state) {
  (void)state;
  const char *signals[] = {"step(3*t - 1)", "noise(4, 0.3)", "mod(t, 0.7)", "|t - 5|", "min(t, 3)", "ramp(t - 2)"};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    double a = final_x(signals[i], 1e-10, 10, NULL), b = final_x(signals[i], 1e-10, 0.01, NULL);
    assert_true(a == b);
    // and the tolerance is kept: a tighter one agrees
    assert_true(fabs(final_x(signals[i], 1e-12, 10, NULL) - a) < 1e-8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pulses_are_exact_even_when_narrow),
      cmocka_unit_test(a_square_wave_is_exact),
      cmocka_unit_test(jumps_do_not_cost_rejected_steps),
      cmocka_unit_test(rows_do_not_move_the_breaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
