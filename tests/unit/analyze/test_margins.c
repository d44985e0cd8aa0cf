// Crossings, margins, peaks and bandwidths against closed forms; with dead time against their transcendental equations.
#include "systems.h"

#include "analyze/margins.h"

static const double pi = 3.14159265358979323846;

static Margins margins_of(Arena *arena, const LinearSystem *s) {
  Margins m;
  assert_int_equal(margins_find(arena, module_load(), s, NULL, &m), dense_done);
  return m;
}

// K/(s + 1)^3: gain margin 8/K at sqrt(3); |L| = 1 at w^2 = K^(2/3) - 1
static void three_lags_have_the_margins_of_the_textbook(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = system_of(arena, 3, (double[]){0, 0, 0, 4}, (double[]){1, 3, 3, 1});
  Margins m = margins_of(arena, &s);
  assert_int_equal(m.gain.count, 1);
  assert_near(m.gain.items[0].value, 2, 1e-12);
  assert_near(m.gain.items[0].frequency, sqrt(3), 1e-12);
  double w = sqrt(pow(4, 2.0 / 3) - 1), phase = pi - 3 * atan(w);
  assert_int_equal(m.phase.count, 1);
  assert_near(m.phase.items[0].frequency, w, 1e-12);
  assert_near(m.phase.items[0].value, phase, 1e-12);
  assert_near(m.delay, phase / w, 1e-12);
  arena_free(arena);
}

// A resonance lifts |L| over 1 once more: three crossings, all of them; L = 0.3 (s^2 + 0.1 s + 4)/(s (s^2 + 0.02 s +
// 1))
static void every_crossing_is_listed(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = system_of(arena, 3, (double[]){0, 0.3, 0.03, 1.2}, (double[]){1, 0.02, 1, 0});
  Margins m = margins_of(arena, &s);
  // 0.09 ((4 - x)^2 + 0.01 x) = x ((1 - x)^2 + 0.0004 x), x = w^2: bisected here
  double root[3] = {0}, f_last = 0, last = 0;
  int count = 0;
  for (double x = 1e-4; x < 50; x *= 1.0005) {
    double f = 0.09 * ((4 - x) * (4 - x) + 0.01 * x) - x * ((1 - x) * (1 - x) + 0.0004 * x);
    if (last > 0 && (f > 0) != (f_last > 0)) {
      double a = last, b = x;
      for (int i = 0; i < 200; i++) {
        double c = (a + b) / 2, g = 0.09 * ((4 - c) * (4 - c) + 0.01 * c) - c * ((1 - c) * (1 - c) + 0.0004 * c);
        if ((g > 0) == (f_last > 0)) a = c;
        else b = c;
      }
      assert_true(count < 3);
      root[count++] = sqrt(a);
    }
    last = x, f_last = f;
  }
  assert_int_equal(m.phase.count, count);
  for (int i = 0; i < count; i++) assert_near(m.phase.items[i].frequency, root[i], 1e-12);
  arena_free(arena);
}

// K e^(-s T)/s: gain margin pi/(2 K T), phase margin pi/2 - K T at K
static void dead_time_behind_an_integrator(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = delayed_system(arena, 1, (double[]){0, 1}, (double[]){1, 0}, 0.5);
  Margins m = margins_of(arena, &s);
  assert_true(m.gain.count >= 1);
  assert_near(m.gain.items[0].value, pi, 1e-12);
  assert_near(m.gain.items[0].frequency, pi, 1e-12);
  assert_int_equal(m.phase.count, 1);
  assert_near(m.phase.items[0].value, pi / 2 - 0.5, 1e-12);
  assert_near(m.delay, pi / 2 - 0.5, 1e-12);
  arena_free(arena);
}

// 5 e^(-s)/(s + 1)^2: w + 2 atan w = pi, and its further roots
static void dead_time_behind_two_lags(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = delayed_system(arena, 2, (double[]){0, 0, 5}, (double[]){1, 2, 1}, 1);
  Margins m = margins_of(arena, &s);
  assert_true(m.gain.count >= 2);
  for (int k = 0; k < 2; k++) {
    double a = 0, b = 20;
    for (int i = 0; i < 200; i++) {
      double c = (a + b) / 2;
      if (c + 2 * atan(c) < pi + 2 * pi * k) a = c;
      else b = c;
    }
    assert_near(m.gain.items[k].frequency, a, 1e-12);
    assert_near(m.gain.items[k].value, (1 + a * a) / 5, 1e-12);
  }
  assert_int_equal(m.phase.count, 1);
  assert_near(m.phase.items[0].frequency, 2, 1e-12);
  assert_near(m.phase.items[0].value, pi - 2 - 2 * atan(2), 1e-12);
  arena_free(arena);
}

// w0^2/(s^2 + 2 z w0 s + w0^2): peak 1/(2 z sqrt(1 - z^2)) at w0 sqrt(1 - 2 z^2)
static void the_peak_of_a_resonance_is_found_to_the_last_digits(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const double damping[] = {0.5, 0.1, 1e-3, 1e-5};
  for (int i = 0; i < 4; i++) {
    double z = damping[i], w0 = 3;
    LinearSystem s = system_of(arena, 2, (double[]){0, 0, w0 * w0}, (double[]){1, 2 * z * w0, w0 * w0});
    Peak p;
    double width;
    assert_int_equal(margins_peak(arena, module_load(), &s, &p), dense_done);
    assert_near(p.value, 1 / (2 * z * sqrt(1 - z * z)), 1e-9);
    assert_near(p.frequency, w0 * sqrt(1 - 2 * z * z), 1e-6);
    assert_int_equal(margins_bandwidth(arena, module_load(), &s, &width), dense_done);
    assert_near(width, w0 * sqrt(1 - 2 * z * z + sqrt(2 - 4 * z * z + 4 * z * z * z * z)), 1e-12);
  }
  arena_free(arena);
}

// y[k + 1] = y[k] + K u[k]: L = K/(z - 1), |L| = 1 at 2 sin(w/2) = K, real negative at half the rate: margin 2/K
static void a_sampled_integrator(void **state) {
  (void)state;
  Arena *arena = arena_new();
  double K = 0.4, T = 0.1;
  LinearSystem s = system_of(arena, 1, (double[]){0, K}, (double[]){1, -1});
  s.period = T;
  Margins m = margins_of(arena, &s);
  assert_int_equal(m.gain.count, 1);
  assert_near(m.gain.items[0].value, 2 / K, 1e-12);
  assert_near(m.gain.items[0].frequency, pi / T, 1e-12);
  assert_int_equal(m.phase.count, 1);
  double w = 2 * asin(K / 2);
  assert_near(m.phase.items[0].frequency, w / T, 1e-12);
  assert_near(m.phase.items[0].value, pi / 2 - w / 2, 1e-12);
  arena_free(arena);
}

// ---- loops whose poles span decades

typedef struct LoopStage {
  double num[3], den[3]; // highest power first
  uint32_t order;
} LoopStage;

static double chance(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

static LoopStage stage_of(uint64_t *seed) {
  double w = pow(10, -3 + 6 * chance(seed)), z = pow(10, -2 + 2 * chance(seed)), kind = chance(seed);
  if (kind < 0.5) return (LoopStage){{0, 0, w * w}, {1, 2 * z * w, w * w}, 2};
  if (kind < 0.75) return (LoopStage){{0, 0, w}, {0, 1, w}, 1};
  return (LoopStage){{0, 1, w}, {0, 1, w * pow(10, -1 + 2 * chance(seed))}, 1};
}

// One behind the other, each in the controller form.
static LinearSystem cascade(Arena *arena, const LoopStage *stage, uint32_t count, double gain) {
  LinearSystem s;
  uint32_t n = 0, at = 0;
  for (uint32_t k = 0; k < count; k++) n += stage[k].order;
  assert_true(system_room(&s, arena, n, 1, 1, 0));
  double *row = arena_array(arena, n, sizeof *row), through = gain; // what comes out so far
  for (uint32_t k = 0; k < count; k++) {
    const double *den = stage[k].den + 2 - stage[k].order, *num = stage[k].num + 2 - stage[k].order;
    uint32_t m = stage[k].order, last = at + m - 1;
    for (uint32_t i = 0; i + 1 < m; i++) s.A[(at + i) * n + at + i + 1] = 1;
    memcpy(s.A + last * n, row, n * sizeof *row);
    s.B[last] = through;
    double direct = num[0];
    for (uint32_t i = 0; i < n; i++) row[i] *= direct;
    for (uint32_t i = 0; i < m; i++) {
      s.A[last * n + at + i] = -den[m - i];
      row[at + i] = num[m - i] - direct * den[m - i];
    }
    through *= direct;
    at += m;
  }
  memcpy(s.C, row, n * sizeof *row);
  s.D[0] = through;
  return s;
}

static Complex product(const LoopStage *stage, uint32_t count, double gain, double w) {
  Complex g = gain, s = I * w;
  for (uint32_t k = 0; k < count; k++) {
    const double *a = stage[k].num, *b = stage[k].den;
    g *= ((a[0] * s + a[1]) * s + a[2]) / ((b[0] * s + b[1]) * s + b[2]);
  }
  return g;
}

static bool is_listed(const Margin *list, uint32_t count, double low, double high) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i].frequency > low * (1 - 1e-6) && list[i].frequency < high * (1 + 1e-6)) return true;
  }
  return false;
}

// The product of the stages tells at 6000 frequencies where L crosses the negative axis and the unit circle.
static void no_crossing_is_lost_where_poles_span_decades(void **state) {
  (void)state;
  const char *given = getenv("VIVA_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 20261;
  for (int k = 0; k < 120; k++) {
    Arena *arena = arena_new();
    LoopStage stage[8];
    uint32_t count = 3 + (uint32_t)(6 * chance(&seed));
    double gain = pow(10, -1 + 3 * chance(&seed)), before = 0;
    for (uint32_t i = 0; i < count; i++) stage[i] = stage_of(&seed);
    LinearSystem s = cascade(arena, stage, count, gain);
    Margins m = margins_of(arena, &s);
    Complex last = 0;
    for (int i = 0; i <= 6000; i++) {
      double w = pow(10, -5 + i / 600.0);
      Complex l = product(stage, count, gain, w);
      bool real = creal(l) < 0 && creal(last) < 0 && (cimag(l) > 0) != (cimag(last) > 0) && cabs(l) > 1e-8,
           unit = (cabs(l) > 1) != (cabs(last) > 1);
      if (i && real && !is_listed(m.gain.items, m.gain.count, before, w)) fail_msg("loop %d, L < 0 at %g", k, w);
      if (i && unit && !is_listed(m.phase.items, m.phase.count, before, w)) fail_msg("loop %d, |L| = 1 at %g", k, w);
      last = l;
      before = w;
    }
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_lags_have_the_margins_of_the_textbook),
      cmocka_unit_test(every_crossing_is_listed),
      cmocka_unit_test(dead_time_behind_an_integrator),
      cmocka_unit_test(dead_time_behind_two_lags),
      cmocka_unit_test(the_peak_of_a_resonance_is_found_to_the_last_digits),
      cmocka_unit_test(a_sampled_integrator),
      cmocka_unit_test(no_crossing_is_lost_where_poles_span_decades),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
