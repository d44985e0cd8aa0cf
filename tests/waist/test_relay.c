// Functions that switch inside the arguments of a kernel are events: the motion is made of parabolas,
//   x = x0 - c t^2/2 up to the first zero at T = sqrt(2 x0/c), then the same turned round about it, zeros at T, 3 T, 5
//   T.
#include "tests/waist/waist.h"

static const double c = 3, x0 = 2;

// Where it is at t: four quarters, the second and third below zero.
static double place(double t) {
  double T = sqrt(2 * x0 / c), since = fmod(t, 4 * T), rest = fmod(since + T, 2 * T) - T; // from the nearest top
  return (since > T && since < 3 * T ? -1 : 1) * (x0 - c * rest * rest / 2);
}

static void what_switches_in_an_argument_is_an_event(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double allowed;
  } ways[] = {{"rk4", 1e-11}, {"dopri5", 1e-11}, {"dop853", 1e-11}, {"rodas", 1e-8}, {"bdf", 1e-5}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    Waist *w = waist_new((WaistParam[]){{"relay.c", "3"}, {"relay.x", "2"}, {0}});
    RunSettings settings = waist_settings(ways[i].method, 7);
    if (strcmp(ways[i].method, "rk4") == 0) settings.step = 0.01;
    RunResult r = waist_run(w, &settings, NULL);
    // two modes, of the sign and of the comparison, at each of three zeros
    uint32_t zeros = 0;
    assert_int_equal(r.events.count, 6);
    for (uint32_t k = 0; k < r.events.count; k++) {
      assert_int_equal(r.events.items[k].kind, event_of_mode);
      double at = (2 * (k / 2) + 1) * sqrt(2 * x0 / c);
      zeros += fabs(r.events.items[k].t - at) < 10 * ways[i].allowed;
    }
    assert_int_equal(zeros, 6);
    double error = fabs(waist_final(&r, "x") - place(7));
    if (!(error < 10 * ways[i].allowed)) fail_msg("%s: %.3g", ways[i].method, error);
    waist_free(w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_switches_in_an_argument_is_an_event)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
