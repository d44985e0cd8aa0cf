// Zeros and gains of known transfer functions; poles with dead time against Lambert's W; samples against z-transforms.
#include "systems.h"

#include "analyze/analysis.h"

static const double pi = 3.14159265358979323846;

static Zeros zeros_of(Arena *arena, const LinearSystem *s) {
  Zeros z;
  assert_int_equal(zeros_find(arena, module_load(), s, &z), dense_done);
  return z;
}

static void zeros_and_gain_of_a_polynomial(void **state) {
  (void)state;
  Arena *arena = arena_new();
  // 3 (s + 1)(s + 4)/((s + 2)(s + 3)(s^2 + 1)) = (3 s^2 + 15 s + 12)/(s^4 + 5 s^3 + 7 s^2 + 5 s + 6)
  LinearSystem s = system_of(arena, 4, (double[]){0, 0, 3, 15, 12}, (double[]){1, 5, 7, 5, 6});
  Zeros z = zeros_of(arena, &s);
  assert_int_equal(z.count, 2);
  assert_int_equal(z.excess, 2);
  assert_near(z.gain, 3, 1e-12);
  assert_complex(z.values[0], -1, 1e-12);
  assert_complex(z.values[1], -4, 1e-12);
  // as many zeros as poles: (2 s^2 + 2)/(s^2 + 3 s + 2)
  s = system_of(arena, 2, (double[]){2, 0, 2}, (double[]){1, 3, 2});
  z = zeros_of(arena, &s);
  assert_int_equal(z.count, 2);
  assert_near(z.gain, 2, 1e-12);
  assert_complex(z.values[0], I, 1e-12);
  // five integrators have none
  s = system_of(arena, 5, (double[]){0, 0, 0, 0, 0, 7}, (double[]){1, 0, 0, 0, 0, 0});
  z = zeros_of(arena, &s);
  assert_int_equal(z.count, 0);
  assert_near(z.gain, 7, 1e-12);
  arena_free(arena);
}

static void a_path_that_sees_nothing_is_zero(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s;
  assert_true(system_room(&s, arena, 3, 1, 1, 0));
  const double A[] = {-1, 0, 0, 1, -2, 0, 0, 0, -3};
  memcpy(s.A, A, sizeof A);
  s.B[0] = 1;
  s.C[2] = 1;
  assert_near(zeros_of(arena, &s).gain, 0, 0);
  arena_free(arena);
}

static void a_mode_out_of_reach_is_a_pole_and_a_zero(void **state) {
  (void)state;
  Arena *arena = arena_new();
  // (s - 1)/((s - 1)(s + 2))
  LinearSystem s = system_of(arena, 2, (double[]){0, 1, -1}, (double[]){1, 1, -2}), small;
  Zeros z = zeros_of(arena, &s);
  assert_int_equal(z.count, 1);
  assert_complex(z.values[0], 1, 1e-12);
  assert_true(zeros_minimal(arena, &s, &small));
  assert_int_equal(small.n, 1);
  assert_near(small.A[0], -2, 1e-12);
  assert_near(small.B[0] * small.C[0], 1, 1e-12);
  arena_free(arena);
}

// x' = -K x(t - T): poles W(-K T)/T (Corless 1996), here -0.5 on branches 0, 1: of the equation w e^w = -0.5
static void poles_with_dead_time_are_those_of_lambert(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s;
  assert_true(system_room(&s, arena, 1, 1, 1, 1));
  s.E[0] = -1;
  s.G[0] = 1;
  s.time[0] = 0.5;
  DelayPoles p;
  assert_int_equal(delay_poles_find(arena, module_load(), &s, 8, &p), dense_done);
  assert_true(p.certain);
  assert_true(p.count >= 4);
  assert_complex(p.values[0], 2 * (-0.7940236323446894 + 0.7701117505103791 * I), 1e-12);
  for (uint32_t i = 0; i < p.count; i++) assert_complex(p.values[i] + cexp(-0.5 * p.values[i]), 0, 1e-10);
  // how many lie right of a line: the twin asks left and right of the first pair
  uint32_t count;
  const char *why;
  assert_true(delay_poles_count(arena, &s, -1.58, &count, &why));
  assert_int_equal(count, 0);
  assert_true(delay_poles_count(arena, &s, -1.60, &count, &why));
  assert_int_equal(count, 2);
  arena_free(arena);
}

// At K T = pi/2 the first pair is on the axis; beyond it grows.
static void the_critical_dead_time_is_seen(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (int side = -1; side <= 1; side += 2) {
    LinearSystem s;
    PoleList list;
    assert_true(system_room(&s, arena, 1, 1, 1, 1));
    s.E[0] = -1;
    s.G[0] = 1;
    s.time[0] = pi / 2 * (1 + 1e-9 * side);
    assert_int_equal(analysis_poles(arena, module_load(), &s, NULL, &list), dense_done);
    assert_int_equal(list.stability, side < 0 ? stability_stable : stability_unstable);
  }
  arena_free(arena);
}

// x' = -x + v, v := K e + s, s := s + Ts e with e = r - x, every Ts: by hand, a = e^-Ts
static void a_sampled_controller_is_its_z_transform(void **state) {
  (void)state;
  Arena *arena = arena_new();
  double K = 0.5, Ts = 0.1, a = exp(-Ts);
  LinearSystem s, d;
  const char *why;
  assert_true(system_room(&s, arena, 1, 1, 1, 0));
  s.A[0] = -1;
  s.C[0] = 1;
  // columns x, v, s, r
  SampleRule rules[] = {{0, Ts, true, 1}, {0, Ts, true, 0}};
  double rows[] = {-Ts, 0, 1, Ts, -K, 0, 1, K}, Bs[] = {1, 0}, Cs[] = {0, 0};
  const char *names[] = {"v", "s"};
  SampledPart part = {.q = 2, .count = 2, .rules = rules, .rows = rows, .Bs = Bs, .Cs = Cs, .names = names};
  assert_true(sampled_lift(arena, &s, &part, &d, &why));
  assert_null(why);
  assert_int_equal(d.n, 2); // the old v is nobody's
  assert_near(d.period, Ts, 1e-15);
  // x+ = a x + (1 - a)(K (r - x) + s), s+ = s + Ts (r - x)
  const double A[] = {a - (1 - a) * K, 1 - a, -Ts, 1};
  for (int i = 0; i < 4; i++) assert_near(d.A[i], A[i], 1e-14);
  assert_near(d.B[0], (1 - a) * K, 1e-14);
  assert_near(d.B[1], Ts, 1e-14);
  arena_free(arena);
}

static void periods_without_a_common_multiple_are_refused(void **state) {
  (void)state;
  Arena *arena = arena_new();
  LinearSystem s, d;
  const char *why;
  assert_true(system_room(&s, arena, 1, 1, 1, 0));
  SampleRule rules[] = {{0, 0.1, true, 0}, {1, 0.1 * sqrt(2), true, 1}};
  double rows[8] = {0}, Bs[2] = {0}, Cs[2] = {0};
  const char *names[] = {"a", "b"};
  SampledPart part = {.q = 2, .count = 2, .rules = rules, .rows = rows, .Bs = Bs, .Cs = Cs, .names = names};
  assert_true(sampled_lift(arena, &s, &part, &d, &why));
  assert_non_null(why);
  rules[1].period = 0.25; // 0.5 is common
  assert_true(sampled_lift(arena, &s, &part, &d, &why));
  assert_null(why);
  assert_near(d.period, 0.5, 1e-15);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zeros_and_gain_of_a_polynomial),
      cmocka_unit_test(a_path_that_sees_nothing_is_zero),
      cmocka_unit_test(a_mode_out_of_reach_is_a_pole_and_a_zero),
      cmocka_unit_test(poles_with_dead_time_are_those_of_lambert),
      cmocka_unit_test(the_critical_dead_time_is_seen),
      cmocka_unit_test(a_sampled_controller_is_its_z_transform),
      cmocka_unit_test(periods_without_a_common_multiple_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
