// Describing functions against quadrature of their definitions, limit cycles against closed forms.
#include "tests/support.h"

#include "control/describing.h"

static const double pi = 3.14159265358979323846;

// The output of each over one period of A sin(t), by its own rules: memory is carried from t to t.
static double output(const Describing *d, double e, double *memory) {
  double h = d->width;
  switch (d->kind) {
  case describing_relay: return e > 0 ? d->size : e < 0 ? -d->size : 0;
  case describing_saturation: return d->size * fmin(fmax(e, -h), h);
  case describing_deadzone: return d->size * (e - fmin(fmax(e, -h), h));
  case describing_hysteresis:
    if (e > h) *memory = d->size;
    if (e < -h) *memory = -d->size;
    return *memory;
  case describing_backlash: return *memory = fmin(fmax(*memory, e - h), e + h);
  case describing_steps: return d->size * floor(e / d->size + 0.5);
  default: return d->value(d->self, e);
  }
}

// The first harmonic by summing over many points of the second period.
static Complex summed(const Describing *d, double a) {
  enum { points = 400000 };
  double memory = 0;
  Complex sum = 0;
  for (int i = 0; i < 2 * points; i++) {
    double t = 2 * pi * (i + 0.5) / points, y = output(d, a * sin(t), &memory);
    if (i >= points) sum += y * (sin(t) + I * cos(t));
  }
  return 2 * sum / points / a;
}

static double cubic(void *self, double e) {
  (void)self;
  return e * e * e;
}

static double cornered(void *self, double e) {
  (void)self;
  return fmin(fmax(2 * e, -1), 1) + (e > 0.3 ? 1 : e < -0.3 ? -1 : 0);
}

static void closed_forms_are_their_definitions(void **state) {
  (void)state;
  static const Describing all[] = {
      {describing_relay, 2, 0, NULL, NULL},           {describing_saturation, 3, 0.5, NULL, NULL},
      {describing_deadzone, 2, 0.7, NULL, NULL},      {describing_hysteresis, 1.5, 0.4, NULL, NULL},
      {describing_backlash, 1, 0.3, NULL, NULL},      {describing_steps, 0.25, 0, NULL, NULL},
      {describing_function, 0, 0, cubic, NULL},       {describing_function, 0, 0, cornered, NULL},
      {describing_hysteresis, -1.5, 0.4, NULL, NULL},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    for (double a = 0.45; a < 8; a *= 1.9) {
      Complex n = describing_at(&all[i], a), want = summed(&all[i], a);
      if (cabs(n - want) > 2e-5 * (cabs(want) + 0.01))
        fail_msg("%zu at %g: %g %+gi, not %g %+gi", i, a, creal(n), cimag(n), creal(want), cimag(want));
    }
  }
  for (double a = 0.6; a < 100; a *= 1.1) { // of a corner and a jump in one
    double r = 0.5 / a, q = 0.3 / a;
    double want = 4 / pi * (asin(r) + r * sqrt(1 - r * r)) + 4 / (pi * a) * sqrt(1 - q * q);
    assert_true(fabs(creal(describing_at(&all[7], a)) / want - 1) < 1e-12);
  }
  for (double a = 0.1; a < 10; a *= 2) // 3/4 A^2
    assert_true(fabs(creal(describing_at(&all[6], a)) / (0.75 * a * a) - 1) < 1e-13);
}

// L = -k/(s + 1)^3 (negative feedback): real at w = sqrt 3, where it is k/8.
static bool three_lags(void *self, double w, Complex *out) {
  Complex p = 1 + I * w;
  *out = -*(double *)self / (p * p * p);
  return true;
}

static void a_relay_swings_where_the_phase_says(void **state) {
  (void)state;
  Arena *arena = arena_new();
  double k = 4;
  LimitCycleList list;
  assert_true(
      describing_cycles(arena, &(Describing){.kind = describing_relay, .size = 1}, three_lags, &k, 1e-2, 1e2, &list));
  assert_int_equal(list.count, 1);
  assert_true(fabs(list.items[0].frequency - sqrt(3)) < 1e-11);
  assert_true(fabs(list.items[0].amplitude - 4 / pi * k / 8) < 1e-11 && list.items[0].stable);
  // saturation of slope 1: only where k > 8
  Describing s = {.kind = describing_saturation, .size = 1, .width = 1};
  assert_true(describing_cycles(arena, &s, three_lags, &k, 1e-2, 1e2, &list));
  assert_int_equal(list.count, 0);
  k = 16; // S(r) = 1/2
  assert_true(describing_cycles(arena, &s, three_lags, &k, 1e-2, 1e2, &list));
  assert_int_equal(list.count, 1);
  assert_true(list.items[0].stable && fabs(creal(describing_at(&s, list.items[0].amplitude)) - 0.5) < 1e-12);
  // a dead zone swings away beyond it: not stable
  s.kind = describing_deadzone;
  assert_true(describing_cycles(arena, &s, three_lags, &k, 1e-2, 1e2, &list));
  assert_int_equal(list.count, 1);
  assert_false(list.items[0].stable);
  arena_free(arena);
}

// Hysteresis on an integrator with a lag: L = -1/(s (s + 1)), N L = 1 in both parts.
static bool servo(void *self, double w, Complex *out) {
  (void)self;
  *out = -1 / (I * w * (1 + I * w));
  return true;
}

static bool drive(void *self, double w, Complex *out) {
  *out = -*(double *)self / (I * w * (1 + I * w));
  return true;
}

static void hysteresis_and_play_swing(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LimitCycleList list;
  Describing h = {.kind = describing_hysteresis, .size = 1, .width = 0.1};
  assert_true(describing_cycles(arena, &h, servo, NULL, 1e-2, 1e2, &list));
  assert_int_equal(list.count, 1);
  // -1/N has the imaginary part -pi h/(4 M), and Im L = 1/(w (1 + w^2)): w^3 + w = 4 M/(pi h)
  double w = list.items[0].frequency;
  assert_true(fabs((w * w * w + w) * pi * 0.1 / 4 - 1) < 1e-10 && list.items[0].stable);
  // play in a loop with 4/(s (s + 1)): w = -4 Im N and w^2 = 4 Re N, so two of them; below 3.43 there are none
  Describing play = {.kind = describing_backlash, .size = 1, .width = 0.2};
  double gain = 4;
  assert_true(describing_cycles(arena, &play, drive, &gain, 1e-3, 1e3, &list));
  assert_int_equal(list.count, 2);
  for (int i = 0; i < 2; i++) {
    Complex n = describing_at(&play, list.items[i].amplitude);
    assert_true(fabs(list.items[i].frequency + 4 * cimag(n)) < 1e-9);
    assert_true(list.items[i].stable == (list.items[i].amplitude > 0.3));
  }
  gain = 3.4;
  assert_true(describing_cycles(arena, &play, drive, &gain, 1e-3, 1e3, &list));
  assert_int_equal(list.count, 0);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms_are_their_definitions),
      cmocka_unit_test(a_relay_swings_where_the_phase_says),
      cmocka_unit_test(hysteresis_and_play_swing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
