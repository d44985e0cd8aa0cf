// The examples with blocks and events against closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_columns = 12, most_rows = 20000 };
static const double pi = 3.14159265358979323846;

typedef struct Rows {
  char names[most_columns][32];
  size_t columns, rows;
  double (*values)[most_columns];
  viva_status status;
  char message[1024];
} Rows;

static bool take_header(void *self, const char *const *names, size_t count) {
  Rows *t = self;
  t->columns = count;
  for (size_t i = 0; i < count && i < most_columns; i++) snprintf(t->names[i], sizeof t->names[i], "%s", names[i]);
  return count <= most_columns;
}

static bool take_row(void *self, const double *values, size_t count) {
  Rows *t = self;
  if (t->rows >= most_rows) return false;
  memcpy(t->values[t->rows++], values, count * sizeof *values);
  return true;
}

static Rows run_set(const char *example, const char *const *set, size_t count, double to, double every) {
  char path[1024];
  snprintf(path, sizeof path, "%s/examples/blocks/%s.viva", VIVA_ROOT, example);
  viva_model *model;
  viva_load_options load = viva_load_defaults();
  load.set = set;
  load.set_count = count;
  viva_status status = viva_model_load(path, &load, &model);
  if (status != VIVA_OK) fail_msg("%s", viva_model_diagnostic(model, 0).text);
  Rows t = {.values = calloc(most_rows, sizeof(double[most_columns]))};
  assert_non_null(t.values);
  viva_run_options o = viva_run_defaults();
  o.to = to;
  o.every = every;
  viva_sink sink = {&t, take_header, take_row};
  viva_run *run;
  t.status = viva_run_model(model, &o, &sink, &run);
  snprintf(t.message, sizeof t.message, "%s", viva_run_message(run) ? viva_run_message(run) : "");
  viva_run_free(run);
  viva_model_free(model);
  return t;
}

static Rows run(const char *example, double to, double every) { return run_set(example, NULL, 0, to, every); }

static size_t column(const Rows *t, const char *name) {
  for (size_t i = 0; i < t->columns; i++) {
    if (strcmp(t->names[i], name) == 0) return i;
  }
  fail_msg("there is no column %s", name);
  return 0;
}

// The largest difference of a column from a function of time.
static double worst(const Rows *t, const char *name, double (*exact)(double t)) {
  size_t c = column(t, name);
  double d = 0;
  for (size_t i = 0; i < t->rows; i++) d = fmax(d, fabs(t->values[i][c] - exact(t->values[i][0])));
  return d;
}

static void done(Rows *t) {
  if (t->status != VIVA_OK) fail_msg("%s", t->message);
  free(t->values);
}

// ---- a ball: parabolas between t1*(1 + 2(e + ... + e^n))

static double ball_height(double t) {
  const double g = 9.81, e = 0.8;
  double start = -sqrt(2 / g), v = g * sqrt(2 / g); // as if it had been thrown up from the ground
  while (t >= start + 2 * v / g) {
    start += 2 * v / g;
    v *= e;
  }
  return v * (t - start) - g / 2 * (t - start) * (t - start);
}

static double ball_bounces(double t) {
  const double g = 9.81, e = 0.8;
  double at = sqrt(2 / g), v = g * sqrt(2 / g), n = 0;
  while (at <= t) {
    v *= e;
    at += 2 * v / g;
    n++;
  }
  return n;
}

static void a_ball_bounces(void **state) {
  (void)state;
  Rows t = run("bouncing_ball", 4, 0.01);
  double d = worst(&t, "h", ball_height);
  print_message("height: %.1e\n", d);
  assert_true(d < 1e-10);
  assert_true(worst(&t, "n", ball_bounces) == 0);
  done(&t);
  // its bounces pile up at t1*(1 + 2e/(1 - e)): reported, rows kept
  Rows z = run("bouncing_ball", 10, 0.01);
  assert_int_equal(z.status, VIVA_EFAIL);
  double end = sqrt(2 / 9.81) * 9, last = z.values[z.rows - 1][0];
  print_message("%s", z.message);
  assert_true(last <= end && last > end - 0.02);
  char number[32];
  snprintf(number, sizeof number, "%.8f", end - 5e-9); // all digits but the last
  assert_non_null(strstr(z.message, number));
  assert_non_null(strstr(z.message, "when h < 0"));
  free(z.values);
}

// ---- a relay with hysteresis on an integrator: a triangle of period 4*width/level

static double triangle(double t) {
  double phase = fmod(t + 0.2, 0.8);
  return phase < 0.4 ? -0.2 + phase : 0.6 - phase;
}

static void a_relay_swings(void **state) {
  (void)state;
  Rows t = run("relay", 50, 0.03);
  double d = worst(&t, "y", triangle);
  print_message("relay: %.1e\n", d);
  assert_true(d < 1e-10);
  done(&t);
}

// ---- stick and slip: with the belt while the spring is weak, then a piece of a circle

static double stick_slip(double t) {
  const double k = 4, w = 2, v0 = 0.4, slip = 1, stick = 1.5;
  double x0 = slip / k, first = asin(v0 / (w * x0)) / w; // it is caught by the belt
  if (t < first) return x0 * (1 - cos(w * t));
  double x = x0 * (1 - cos(w * first)), at = first, a = (stick - slip) / k, b = v0 / w;
  double slipping = (2 * pi - 2 * atan2(a, b)) / w;
  for (;;) {
    double held = (stick / k - x) / v0;
    if (t < at + held) return x + v0 * (t - at);
    at += held;
    if (t < at + slipping) return x0 + a * cos(w * (t - at)) + b * sin(w * (t - at));
    x = x0 + a * cos(w * slipping) + b * sin(w * slipping);
    at += slipping;
  }
}

static void a_block_sticks_and_slips(void **state) {
  (void)state;
  Rows t = run("stick_slip", 40, 0.01);
  double d = worst(&t, "x", stick_slip);
  print_message("stick and slip: %.1e\n", d);
  assert_true(d < 1e-9);
  done(&t);
}

// ---- a thermostat: exponentials between 19 and 21

static double thermostat(double t) {
  const double T = 1800, low = 19, high = 21, cold = 5, hot = 35;
  double temp = 15, at = 0;
  bool heating = true;
  for (;;) {
    double end = heating ? hot : cold, to = heating ? high : low, span = T * log((temp - end) / (to - end));
    if (t < at + span) return end + (temp - end) * exp(-(t - at) / T);
    at += span;
    temp = to;
    heating = !heating;
  }
}

static void a_thermostat_switches(void **state) {
  (void)state;
  Rows t = run("thermostat", 14400, 10);
  double d = worst(&t, "temp", thermostat);
  print_message("thermostat: %.1e\n", d);
  assert_true(d < 1e-8);
  done(&t);
}

// ---- x' = -x(t - pi/2) with the history cos(t)

static void a_delay_keeps_swinging(void **state) {
  (void)state;
  Rows t = run("delay_equation", 62.8, 0.1);
  double d = worst(&t, "x", cos);
  print_message("ten periods: %.1e\n", d);
  assert_true(d < 1e-9);
  done(&t);
  t = run("delay_equation", 2000 * pi, pi / 5);
  d = worst(&t, "x", cos);
  print_message("a thousand periods: %.1e\n", d);
  assert_true(d < 1e-6);
  done(&t);
}

// ---- a sampled controller: the plant y'' = u - y - 1.4 y' with u held, solved exactly from sample to sample

static void a_controller_samples(void **state) {
  (void)state;
  const double Ts = 0.1, Kp = 2, Ki = 3;
  const double complex p = -0.7 + csqrt(0.49 - 1);
  Rows t = run("sampled_controller", 10, 0.01);
  size_t cy = column(&t, "y"), cu = column(&t, "u");
  double y = 0, z = 0, s = 0, u = 0, worst_y = 0, worst_u = 0;
  size_t row = 0;
  for (int k = 0; k < 100; k++) {
    double now = k * Ts, r = k >= 5 ? 1 : 0;
    u = Kp * (r - y) + s; // of the old s: all new values come from the old ones
    s += Ki * Ts * (r - y);
    // y = u + Re(c exp(p t)): c from y and z
    double complex c = (y - u) - I * (z - creal(p) * (y - u)) / cimag(p);
    for (; row < t.rows && t.values[row][0] < now + Ts - 1e-9; row++) {
      double exact = u + creal(c * cexp(p * (t.values[row][0] - now)));
      worst_y = fmax(worst_y, fabs(t.values[row][cy] - exact));
      if (t.values[row][0] > now + 1e-9) worst_u = fmax(worst_u, fabs(t.values[row][cu] - u));
    }
    y = u + creal(c * cexp(p * Ts));
    z = creal(c * p * cexp(p * Ts));
  }
  print_message("sampled controller: %.1e, %.1e\n", worst_y, worst_u);
  assert_true(worst_y < 1e-9 && worst_u < 1e-8);
  done(&t);
}

// ---- a limited controller: never beyond its limits, at them for a while, and at rest where it should be

static void a_limited_controller_settles(void **state) {
  (void)state;
  Rows t = run("pid_antiwindup", 40, 0.01);
  size_t cy = column(&t, "y"), cu = column(&t, "u");
  double top = 0, overshoot = 0, at_limit = 0;
  for (size_t i = 0; i < t.rows; i++) {
    top = fmax(top, fabs(t.values[i][cu]));
    overshoot = fmax(overshoot, t.values[i][cy] - 1);
    at_limit += fabs(fabs(t.values[i][cu]) - 1.5) < 1e-12;
  }
  print_message("limited controller: at the limit for %.2f s, overshoot %.3f\n", 0.01 * at_limit, overshoot);
  assert_true(top <= 1.5 + 1e-12);
  assert_true(at_limit > 10);
  assert_true(overshoot < 0.35);
  assert_true(fabs(t.values[t.rows - 1][cy] - 1) < 1e-6 && fabs(t.values[t.rows - 1][cu] - 1) < 1e-6);
  done(&t);
}

// ---- three phases: found in the right order from the second pulse to the next first one, never in the wrong order

static void phases_in_order_are_found(void **state) {
  (void)state;
  Rows t = run("sequence_detector", 12, 0.05);
  size_t c = column(&t, "right");
  double edge = asin(0.1) / (pi / 3); // the pulses reach so far around the zeros
  for (size_t i = 0; i < t.rows; i++) {
    double phase = fmod(t.values[i][0], 3);
    if (fabs(phase - 1) < edge + 0.06 || fabs(phase - 3) < edge + 0.06 || phase < 0.06) continue;
    assert_true(t.values[i][c] == (phase > 1 ? 1 : 0));
  }
  done(&t);
  static const char *const swapped[] = {"T2=2", "T3=1"};
  t = run_set("sequence_detector", swapped, 2, 12, 0.05);
  for (size_t i = 0; i < t.rows; i++) assert_true(t.values[i][column(&t, "right")] == 0);
  done(&t);
}

// ---- a thyristor: nothing before it is fired, then the current of a coil until it is gone

static void a_thyristor_is_fired(void **state) {
  (void)state;
  const double w = 100 * pi, U = 325, R = 10, L = 5e-3, fired = 0.02 - asin(10 / U) / w + 3e-3;
  const double Z2 = R * R + w * w * L * L;
  Rows t = run("thyristor_trigger", 0.06, 5e-5);
  size_t ci = column(&t, "i"), con = column(&t, "on");
  double d = 0, gone = 0;
  for (size_t i = 0; i < t.rows; i++) {
    double now = t.values[i][0];
    if (now < 0.02 || now > 0.035) continue;
    double steady = U / Z2 * (R * sin(w * now) - w * L * cos(w * now)),
           first = U / Z2 * (R * sin(w * fired) - w * L * cos(w * fired));
    double exact = now < fired || gone > 0 ? 0 : steady - first * exp(-R / L * (now - fired));
    if (exact < 0 && gone == 0) {
      gone = now;
      exact = 0;
    }
    d = fmax(d, fabs(t.values[i][ci] - exact));
    if (fabs(now - fired) > 1e-4 && fabs(now - gone) > 1e-4)
      assert_true(t.values[i][con] == (now > fired && gone == 0));
  }
  print_message("thyristor: %.1e A, gone before t = %g\n", d, gone);
  assert_true(gone > 0.03 && d < 1e-8);
  done(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_bounces),
                                     cmocka_unit_test(a_relay_swings),
                                     cmocka_unit_test(a_block_sticks_and_slips),
                                     cmocka_unit_test(a_thermostat_switches),
                                     cmocka_unit_test(a_delay_keeps_swinging),
                                     cmocka_unit_test(a_controller_samples),
                                     cmocka_unit_test(a_limited_controller_settles),
                                     cmocka_unit_test(phases_in_order_are_found),
                                     cmocka_unit_test(a_thyristor_is_fired)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
