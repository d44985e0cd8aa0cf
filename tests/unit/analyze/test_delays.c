// Dead times: poles that are counted, responses with their kinks, what a path does at rest.
#include "systems.h"

#include "analyze/analysis.h"
#include "analyze/far.h"
#include "analyze/parts.h"

static const double pi = 3.14159265358979323846;

// x' = (-x - K x(t - T) + u)/unit
static LinearSystem lag_loop(Arena *arena, double unit, double gain, double time) {
  LinearSystem s;
  assert_true(system_room(&s, arena, 1, 1, 1, 1));
  s.A[0] = -1 / unit;
  s.B[0] = 1 / unit;
  s.E[0] = -gain / unit;
  s.C[0] = s.G[0] = 1;
  s.time[0] = time;
  return s;
}

// A lag behind dead time swings at w with tan(w T) = -w, K = sqrt(1 + w^2): just below it is stable, just above two
// grow, for dead times from a ten-millionth of the lag to a hundred of it, in microseconds and in months.
static void short_and_long_dead_times_are_decided(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (double part = 1e-7; part < 200; part *= 10) {
    double low = pi / 2 / part, high = pi / part;
    for (int i = 0; i < 200; i++) {
      double w = (low + high) / 2;
      if (tan(w * part) + w < 0) low = w;
      else high = w;
    }
    double critical = sqrt(1 + low * low);
    for (double unit = 1e-6; unit < 1e7; unit *= 1e3) {
      for (int side = -1; side <= 1; side += 2) {
        LinearSystem s = lag_loop(arena, unit, critical * (1 + 1e-3 * side), part * unit);
        PoleList list;
        assert_int_equal(analysis_poles(arena, module_load(), &s, NULL, &list), dense_done);
        assert_non_null(list.delayed);
        assert_true(list.delayed->certain);
        assert_int_equal(list.stability, side < 0 ? stability_stable : stability_unstable);
        assert_true(list.delayed->right_known);
        assert_int_equal(list.delayed->right, side < 0 ? 0 : 2);
        // each is a root of the transcendental equation
        for (uint32_t i = 0; i < list.count; i++) {
          Complex v = list.values[i] * unit, back = critical * (1 + 1e-3 * side) * cexp(-v * part);
          assert_true(cabs(v + 1 + back) < 1e-9 * (cabs(v) + 1 + cabs(back)));
        }
      }
    }
  }
  arena_free(arena);
}

// x' = -x - K x(t - T): every T_k = (pi - atan w + 2 pi k)/w, w = sqrt(K^2 - 1), brings one more pair (Cooke, van den
// Driessche 1986).
static void many_growing_poles_are_counted(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const double gain = 20, w = sqrt(gain * gain - 1);
  const double times[] = {0.05, 1, 10, 100};
  for (int i = 0; i < 4; i++) {
    LinearSystem s = lag_loop(arena, 1, gain, times[i]);
    uint32_t count, wanted = 0;
    const char *why;
    for (int k = 0; (pi - atan(w) + 2 * pi * k) / w < times[i]; k++) wanted += 2;
    assert_true(delay_poles_count(arena, &s, 0, &count, &why));
    assert_int_equal(count, wanted);
  }
  arena_free(arena);
}

// s + e^(-s)/e has the double root -1.
static void a_double_pole_counts_twice(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s;
  DelayPoles p;
  assert_true(system_room(&s, arena, 1, 1, 1, 1));
  s.E[0] = -exp(-1);
  s.G[0] = s.time[0] = 1;
  assert_int_equal(delay_poles_find(arena, module_load(), &s, 7, &p), dense_done);
  assert_true(p.certain);
  assert_true(p.count >= 2);
  assert_complex(p.values[0], -1, 1e-6);
  assert_complex(p.values[1], -1, 1e-6);
  arena_free(arena);
}

// Smith's predictor around an integrator, u = K (-(x(t - T)) - m + m(t - T)), x' = u, m' = u: the poles are 0 and -K; a
// load d, x' = u + d, moves x(t - T) by (1 + K T)/K at rest.
static LinearSystem predictor(Arena *arena, double gain, double time) {
  LinearSystem s;
  assert_true(system_room(&s, arena, 2, 1, 1, 2));
  for (int i = 0; i < 2; i++) {
    s.A[2 * i + 1] = -gain;
    s.E[2 * i] = -gain;
    s.E[2 * i + 1] = gain;
    s.G[3 * i] = 1;
    s.time[i] = time;
  }
  s.B[0] = 1;
  s.F[0] = 1;
  return s;
}

static void a_predictor_takes_the_dead_time_out_of_the_poles(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = predictor(arena, 0.5, 1);
  PoleList list;
  RestGain rest;
  assert_int_equal(analysis_poles(arena, module_load(), &s, NULL, &list), dense_done);
  assert_true(list.delayed && list.delayed->certain);
  assert_int_equal(list.count, 2);
  assert_int_equal(list.side[0], side_zero);
  assert_complex(list.values[1], -0.5, 1e-12);
  assert_int_equal(rest_find(arena, module_load(), &s, 0.5, &rest), dense_done);
  assert_true(rest.known);
  assert_int_equal(rest.order, 0);
  assert_near(rest.constant, 3, 1e-10);
  arena_free(arena);
}

// 1/(s + 1 - e^(-s)) ~ 1/(2 s); 3 (s + 1)/(s^2 (s + 2)); s/(s + 1); sampled T = 0.1: 0.1/(z - 1)
static void rest_has_its_order_and_constant(void **state) {
  (void)state;
  Arena *arena = arena_new();
  RestGain rest;
  LinearSystem s = lag_loop(arena, 1, -1, 1);
  assert_int_equal(rest_find(arena, module_load(), &s, INFINITY, &rest), dense_done);
  assert_true(rest.known);
  assert_int_equal(rest.order, 1);
  assert_near(rest.constant, 0.5, 1e-11);
  s = system_of(arena, 3, (double[]){0, 0, 3, 3}, (double[]){1, 2, 0, 0});
  assert_int_equal(rest_find(arena, module_load(), &s, 1, &rest), dense_done);
  assert_int_equal(rest.order, 2);
  assert_near(rest.constant, 1.5, 1e-11);
  s = system_of(arena, 1, (double[]){1, 0}, (double[]){1, 1});
  assert_int_equal(rest_find(arena, module_load(), &s, 1, &rest), dense_done);
  assert_int_equal(rest.order, -1);
  assert_near(rest.constant, 1, 1e-11);
  s = system_of(arena, 1, (double[]){0, 0.1}, (double[]){1, -1});
  s.period = 0.1;
  assert_int_equal(rest_find(arena, module_load(), &s, INFINITY, &rest), dense_done);
  assert_int_equal(rest.order, 1);
  assert_near(rest.constant, 1, 1e-11);
  arena_free(arena);
}

// x' = -x - c x'(t - 1): x' delayed is z = -x - c w, w = z(t - 1), and x' = z. |c| < 1: poles of s + 1 + c s e^(-s);
// |c| > 1: a chain of them comes near Re s = ln |c|.
static LinearSystem neutral(Arena *arena, double c) {
  LinearSystem s;
  assert_true(system_room(&s, arena, 1, 1, 1, 1));
  s.A[0] = -1;
  s.B[0] = s.C[0] = 1;
  s.E[0] = -c;
  s.G[0] = -1;
  s.H[0] = 1;
  s.J[0] = -c;
  s.time[0] = 1;
  return s;
}

static void neutral_equations_are_decided_where_they_can_be(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const double c[] = {0.5, -0.7, 1, 1.5};
  const Stability wanted[] = {stability_stable, stability_stable, stability_unknown, stability_unstable};
  for (int i = 0; i < 4; i++) {
    LinearSystem s = neutral(arena, c[i]);
    PoleList list;
    assert_int_equal(analysis_poles(arena, module_load(), &s, NULL, &list), dense_done);
    assert_int_equal(list.stability, wanted[i]);
    for (uint32_t k = 0; k < list.count; k++) {
      Complex v = list.values[k];
      assert_true(cabs(v + 1 + c[i] * v * cexp(-v)) < 1e-9 * (1 + cabs(v)));
    }
  }
  arena_free(arena);
}

// A dead time that is in no loop brings no pole.
static void dead_time_in_series_brings_no_pole(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = delayed_system(arena, 2, (double[]){0, 0, 2}, (double[]){1, 3, 2}, 0.7);
  PoleList list;
  assert_int_equal(analysis_poles(arena, module_load(), &s, NULL, &list), dense_done);
  assert_null(list.delayed);
  assert_int_equal(list.count, 2);
  assert_complex(list.values[0], -1, 1e-12);
  assert_complex(list.values[1], -2, 1e-12);
  arena_free(arena);
}

// A chain of equal rows has its diagonal as eigenvalues, to the last digit.
static void parts_have_their_own_eigenvalues(void **state) {
  (void)state;
  enum { n = 40 };
  Arena *arena = arena_new();
  double a[n * n] = {0}, bound[n];
  Complex values[n];
  for (int i = 0; i < n; i++) {
    a[i * n + i] = i < n / 2 ? 0 : 0.5;
    if (i) a[i * n + i - 1] = 1;
  }
  assert_int_equal(dense_eigenvalues(arena, module_load(), n, a, values, bound), dense_done);
  for (int i = 0; i < n; i++) {
    assert_complex(values[i], i < n / 2 ? 0.5 : 0, 0);
    assert_true(bound[i] < 1e-15);
  }
  arena_free(arena);
}

// ---- responses

static TimeResponse respond(Arena *arena, const LinearSystem *s, Stimulus kind, Complex pole, double end) {
  TimeResponse r;
  assert_int_equal(time_response(arena, module_load(), s, kind, &pole, 1, end, &r), dense_done);
  assert_false(r.cut);
  return r;
}

// x' = -x + u(t - 1) + 0.5 u(t - sqrt 2), and the same again behind it, x2' = -x2 + x(t - 0.3): jumps, kinks and bends
// at times without a common divisor.
static void kinks_without_a_common_divisor_are_met(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s;
  assert_true(system_room(&s, arena, 2, 1, 1, 3));
  s.A[0] = s.A[3] = -1;
  s.E[0] = 1;
  s.E[1] = 0.5;
  s.E[3 + 2] = 1;
  s.H[0] = s.H[1] = 1;
  s.G[2 * 2] = 1;
  s.C[1] = 1;
  s.F[0] = 0.25; // and a jump of y itself
  s.time[0] = 1;
  s.time[1] = sqrt(2);
  s.time[2] = 0.3;
  TimeResponse step = respond(arena, &s, stimulus_step, -1, 12), impulse = respond(arena, &s, stimulus_impulse, -1, 12);
  for (double t = 0.013; t < 11; t += 0.0371) {
    double y = t > 1 ? 0.25 : 0, g = 0;
    for (int k = 0; k < 2; k++) {
      double late = t - s.time[k] - 0.3, size = k ? 0.5 : 1;
      if (late > 0) y += size * (1 - (1 + late) * exp(-late)), g += size * late * exp(-late);
    }
    assert_near(time_response_at(&step, t), y, 1e-12);
    assert_near(time_response_at(&impulse, t), g, 1e-12);
  }
  StepFigures f;
  assert_true(step_figures(arena, &step, 1.75, &f));
  assert_near(f.undershoot, 0, 0);
  assert_near(f.overshoot, 0, 0);
  arena_free(arena);
}

// With T = 1e-5 of the lag all that is left after a few T is the rightmost pole s0: the rise is ln 9/|s0|. Steps are
// much longer than the dead time then.
static void a_short_dead_time_does_not_hold_up_the_response(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = lag_loop(arena, 1, 1, 1e-5);
  double pole = -2;
  for (int i = 0; i < 50; i++) pole = -1 - exp(-pole * 1e-5);
  TimeResponse r = respond(arena, &s, stimulus_step, pole, 0);
  StepFigures f;
  assert_true(r.pieces.count < 400);
  assert_true(step_figures(arena, &r, 0.5, &f));
  assert_near(f.rise, log(9) / -pole, 1e-11);
  arena_free(arena);
}

// ---- margins

// z^-k K/(z - 1) closed is stable while K < 2 sin(pi/(2 (2 k + 1))): of K = 0.2 eight periods are too many.
static void sampled_loops_bear_whole_periods(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = system_of(arena, 1, (double[]){0, 0.2}, (double[]){1, -1});
  Margins m;
  s.period = 0.5;
  uint32_t k = 1;
  while (0.2 < 2 * sin(pi / (2 * (2 * k + 1)))) k++;
  assert_int_equal(margins_find(arena, module_load(), &s, NULL, &m), dense_done);
  assert_near(m.delay, k * 0.5, 1e-12);
  arena_free(arena);
}

// (s + 3)/(s (s^2 + 4) (s + 1)): real at w = 2 through infinity, which is no crossing
static void a_pole_on_the_axis_is_no_crossing(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = system_of(arena, 4, (double[]){0, 0, 0, 1, 3}, (double[]){1, 1, 4, 4, 0});
  RestGain rest = {true, 1, 0.75};
  Margins m;
  assert_int_equal(margins_find(arena, module_load(), &s, &rest, &m), dense_done);
  for (uint32_t i = 0; i < m.gain.count; i++) {
    assert_true(m.gain.items[i].value > 1e-3);
    // s = i w: -w^2 (4 - w^2) + i w (4 - w^2) over 3 + i w is real where 4 - w^2 = 0 or w^2 = -3
    fail_msg("a crossing at %g", m.gain.items[i].frequency);
  }
  arena_free(arena);
}

// 5/(s + 1)^3: below 0.1 where (1 + w^2)^1.5 > 50
static void far_frequencies_are_not_far_off(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s = system_of(arena, 3, (double[]){0, 0, 0, 5}, (double[]){1, 3, 3, 1});
  double w, true_one = sqrt(pow(50, 2.0 / 3) - 1);
  assert_int_equal(far_frequency(arena, module_load(), &s, 0.1, &w), dense_done);
  assert_true(w >= true_one && w < 2.5 * true_one);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_and_long_dead_times_are_decided),
      cmocka_unit_test(many_growing_poles_are_counted),
      cmocka_unit_test(a_double_pole_counts_twice),
      cmocka_unit_test(a_predictor_takes_the_dead_time_out_of_the_poles),
      cmocka_unit_test(rest_has_its_order_and_constant),
      cmocka_unit_test(neutral_equations_are_decided_where_they_can_be),
      cmocka_unit_test(dead_time_in_series_brings_no_pole),
      cmocka_unit_test(parts_have_their_own_eigenvalues),
      cmocka_unit_test(kinks_without_a_common_divisor_are_met),
      cmocka_unit_test(a_short_dead_time_does_not_hold_up_the_response),
      cmocka_unit_test(sampled_loops_bear_whole_periods),
      cmocka_unit_test(a_pole_on_the_axis_is_no_crossing),
      cmocka_unit_test(far_frequencies_are_not_far_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
