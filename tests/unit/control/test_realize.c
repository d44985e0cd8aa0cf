// Realizations and sampled systems, against the fractions they are of and closed forms.
#include "tests/support.h"

#include "control/discretize.h"

static void same_everywhere(Arena *arena, const Fraction *g, const StateSpace *s) {
  for (int k = 0; k < 20; k++) {
    Complex at = CMPLX(0.1 + 0.1 * k, 0.02 * k * k), out; // where elimination loses few digits
    Complex want = polynomial_at(g->num_degree, g->num, at) / polynomial_at(g->den_degree, g->den, at);
    assert_true(space_response(arena, s, at, &out));
    if (!(cabs(out - want) < 1e-9 * cabs(want)))
      fail_msg("order %u at %d: off by %g", g->den_degree, k, cabs(out - want) / cabs(want));
  }
}

static void every_form_has_the_transfer_function(void **state) {
  (void)state;
  static const struct {
    uint32_t m, n;
    double num[8], den[8];
  } all[] = {
      {0, 1, {3}, {2, 1}},
      {1, 1, {3, 5}, {2, 1}},
      {0, 2, {1}, {1, 2, 1}},             // a double pole
      {1, 3, {2, 1}, {6, 11, 6, 1}},      // -1, -2, -3
      {2, 3, {2, 3, 1}, {10, 12, 5, 2}},  // not monic, a pair
      {3, 3, {1, 2, 3, 4}, {1, 3, 3, 1}}, // a triple pole, straight through
      {2, 4, {5, 0, 1}, {1, 0, 2, 0, 1}}, // a double pair on the axis
      {0, 5, {7}, {1, 5, 10, 10, 5, 1}},  // (s + 1)^5
      {3, 6, {6, 11, 6, 1}, {0, 0, 4, 4, 5, 2, 1}},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    Fraction g = {all[i].m, all[i].n, all[i].num, all[i].den};
    for (int form = 0; form < 4; form++) {
      Arena *arena = arena_new();
      StateSpace s;
      const char *why;
      if (!realize(arena, &g, (RealizationForm)form, &s, &why)) fail_msg("%zu in form %d: %s", i, form, why);
      assert_int_equal(s.n, g.den_degree);
      same_everywhere(arena, &g, &s);
      arena_free(arena);
    }
  }
}

static void what_is_not_proper_is_refused(void **state) {
  (void)state;
  Arena *arena = arena_new();
  StateSpace s;
  const char *why;
  assert_false(realize(arena, &(Fraction){2, 1, (double[]){1, 1, 1}, (double[]){1, 1}}, form_cascade, &s, &why));
  assert_non_null(why);
  arena_free(arena);
}

// 1/(s + a): the hold gives (1 - e^-aT)/a / (z - e^-aT), Tustin T/(2 + aT) (z + 1)/(z - (2 - aT)/(2 + aT)), matched the
// pole e^-aT and the gain 1/a.
static void a_lag_is_sampled_in_three_ways(void **state) {
  (void)state;
  Arena *arena = arena_new();
  double a = 3, T = 0.25;
  StateSpace s = {1, 1, 1, (double[]){-a}, (double[]){1}, (double[]){1}, (double[]){0}, 0}, d;
  const char *why;
  assert_true(discretize(arena, &s, T, discrete_hold, &d, &why));
  assert_true(fabs(d.A[0] - exp(-a * T)) < 1e-15 && fabs(d.B[0] - (1 - exp(-a * T)) / a) < 1e-15 && d.period == T);
  assert_true(discretize(arena, &s, T, discrete_tustin, &d, &why));
  for (int k = 0; k < 8; k++) {
    Complex z = cexp(CMPLX(0.1 * k, 0.4 * k)) * 1.5, out, at = 2 / T * (z - 1) / (z + 1);
    assert_true(space_response(arena, &d, z, &out));
    assert_true(cabs(out - 1 / (at + a)) < 1e-14);
  }
  Fraction g = {0, 1, (double[]){1}, (double[]){a, 1}};
  assert_true(discretize_matched(arena, &g, T, form_controllable, &d, &why));
  Complex at_rest;
  assert_true(space_response(arena, &d, 1, &at_rest));
  assert_true(cabs(at_rest - 1 / a) < 1e-14 && fabs(d.A[0] - exp(-a * T)) < 1e-15);
  // a double integrator: [1, T; 0, 1], [T^2/2; T]
  StateSpace two = {2, 1, 1, (double[]){0, 1, 0, 0}, (double[]){0, 1}, (double[]){1, 0}, (double[]){0}, 0};
  assert_true(discretize(arena, &two, T, discrete_hold, &d, &why));
  assert_true(d.A[0] == 1 && fabs(d.A[1] - T) < 1e-16 && fabs(d.B[0] - T * T / 2) < 1e-16 && fabs(d.B[1] - T) < 1e-16);
  arena_free(arena);
}

// A sampled sequence of an oscillator under a step, against its closed form.
static void a_sampled_oscillator_is_exact_at_its_samples(void **state) {
  (void)state;
  Arena *arena = arena_new();
  StateSpace s = {2, 1, 1, (double[]){0, 1, -4, 0}, (double[]){0, 4}, (double[]){1, 0}, (double[]){0}, 0}, d;
  const char *why;
  assert_true(discretize(arena, &s, 0.7, discrete_hold, &d, &why));
  double x[2] = {0, 0};
  for (int k = 0; k < 50; k++) {
    assert_true(fabs(x[0] - (1 - cos(2 * 0.7 * k))) < 1e-12);
    double a = d.A[0] * x[0] + d.A[1] * x[1] + d.B[0], b = d.A[2] * x[0] + d.A[3] * x[1] + d.B[1];
    x[0] = a;
    x[1] = b;
  }
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_has_the_transfer_function),
      cmocka_unit_test(what_is_not_proper_is_refused),
      cmocka_unit_test(a_lag_is_sampled_in_three_ways),
      cmocka_unit_test(a_sampled_oscillator_is_exact_at_its_samples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
