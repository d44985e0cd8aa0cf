// The best feedback, against closed forms and published gains; what is in its way.
#include "tests/support.h"

#include "control/norms.h"
#include "control/riccati.h"

static StateSpace space(uint32_t n, uint32_t m, double *A, double *B) {
  return (StateSpace){.n = n, .m = m, .A = A, .B = B};
}

// x'' = u with q1 x^2 + u^2: K = [sqrt(q), sqrt(2 sqrt(q))]
static void a_double_integrator_has_its_gains(void **state) {
  (void)state;
  Arena *arena = arena_new();
  StateSpace s = space(2, 1, (double[]){0, 1, 0, 0}, (double[]){0, 1});
  for (double q = 1e-4; q < 1e5; q *= 10) {
    Riccati r;
    riccati_solve(arena, &s, (double[]){q, 0, 0, 0}, (double[]){1}, &r);
    assert_int_equal(r.status, riccati_done);
    assert_true(fabs(r.K[0] / sqrt(q) - 1) < 1e-12);
    assert_true(fabs(r.K[1] / sqrt(2 * sqrt(q)) - 1) < 1e-12);
    assert_true(r.residue < 1e-12);
  }
  arena_free(arena);
}

// a' x = a x + u, q x^2 + r u^2: k = a + sqrt(a^2 + q/r); sampled: the root of the quadratic equation
static void a_single_state_has_its_closed_form(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (double a = -3; a <= 3; a += 0.75) {
    double q = 2, w = 0.5;
    StateSpace s = space(1, 1, &a, (double[]){1});
    Riccati r;
    riccati_solve(arena, &s, &q, &w, &r);
    assert_int_equal(r.status, riccati_done);
    assert_true(fabs(r.K[0] - (a + sqrt(a * a + q / w))) < 1e-13);
    s.period = 1;
    riccati_solve(arena, &s, &q, &w, &r);
    assert_int_equal(r.status, riccati_done);
    // x^2 + (w - a^2 w - q) x - q w = 0
    double b = w - a * a * w - q, x = (-b + sqrt(b * b + 4 * q * w)) / 2;
    assert_true(fabs(r.X[0] / x - 1) < 1e-12);
    assert_true(fabs(r.K[0] - a * x / (w + x)) < 1e-12);
  }
  arena_free(arena);
}

static void a_mode_that_no_input_moves_is_named(void **state) {
  (void)state;
  Arena *arena = arena_new();
  StateSpace s = space(3, 1, (double[]){2, 0, 0, 0, 0, 3, 0, -3, 0}, (double[]){1, 0, 0});
  double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Riccati r;
  riccati_solve(arena, &s, one, one, &r);
  assert_int_equal(r.status, riccati_unreachable);
  assert_true(fabs(r.re) < 1e-12 && fabs(r.im - 3) < 1e-12);
  // the same mode within reach, but not in the weight
  s = space(2, 1, (double[]){0, 3, -3, 0}, (double[]){0, 1});
  riccati_solve(arena, &s, (double[]){0, 0, 0, 0}, one, &r);
  assert_int_equal(r.status, riccati_unseen);
  riccati_solve(arena, &s, one, (double[]){0}, &r);
  assert_int_equal(r.status, riccati_weight);
  riccati_solve(arena, &s, (double[]){1, 2, 0, 1}, one, &r);
  assert_int_equal(r.status, riccati_weight);
  riccati_solve(arena, &s, (double[]){1, 0, 0, -1}, one, &r);
  assert_int_equal(r.status, riccati_weight);
  arena_free(arena);
}

// Lyapunov's equation of random systems, continuous and sampled, put back.
static void lyapunovs_equation_holds(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (uint32_t n = 1; n <= 9; n++) {
    for (int sampled = 0; sampled < 2; sampled++) {
      double *A = matrix_new(arena, n, n), *C = matrix_new(arena, n, n), *X = matrix_new(arena, n, n);
      for (uint32_t i = 0; i < n * n; i++) A[i] = sin(1 + 3.7 * i + n) / (sampled ? n : 1);
      for (uint32_t i = 0; i < n; i++) {
        if (!sampled) A[i * n + i] -= n;
        for (uint32_t j = 0; j <= i; j++) C[i * n + j] = C[j * n + i] = cos(i + 2.0 * j);
      }
      assert_true(lyapunov_solve(arena, n, sampled, A, C, X));
      for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
          double sum = C[i * n + j] - (sampled ? X[i * n + j] : 0);
          for (uint32_t k = 0; k < n; k++) {
            if (!sampled) sum += A[i * n + k] * X[k * n + j] + X[i * n + k] * A[j * n + k];
            for (uint32_t l = 0; sampled && l < n; l++) sum += A[i * n + k] * X[k * n + l] * A[j * n + l];
          }
          assert_true(fabs(sum) < 1e-12);
        }
      }
    }
  }
  arena_free(arena);
}

// 1/(s^2 + 2 d s + 1): peak 1/(2 d sqrt(1 - d^2)) at sqrt(1 - 2 d^2), H2 norm 1/(2 sqrt d)
static void an_oscillator_has_its_norms(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (double d = 1e-4; d < 0.7; d *= 2.5) {
    StateSpace s = {2, 1, 1, (double[]){0, 1, -1, -2 * d}, (double[]){0, 1}, (double[]){1, 0}, (double[]){0}, 0};
    Norms x;
    assert_true(norms_find(arena, &s, &x));
    assert_true(fabs(x.hinf * 2 * d * sqrt(1 - d * d) - 1) < 1e-9);
    assert_true(x.above >= 1 / (2 * d * sqrt(1 - d * d)) * (1 - 1e-15) && x.above < x.hinf * (1 + 1e-6));
    assert_true(fabs(x.frequency - sqrt(1 - 2 * d * d)) < 1e-4);
    assert_true(fabs(x.h2 * 2 * sqrt(d) - 1) < 1e-11);
  }
  arena_free(arena);
}

// A lag has its peak at rest, a lead at the end; 1/(s - 1) has none. Two by two: diag(1/(s+1), 3/(s+2)).
static void norms_of_simple_systems(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Norms x;
  StateSpace lag = {1, 1, 1, (double[]){-2}, (double[]){1}, (double[]){6}, (double[]){0}, 0};
  assert_true(norms_find(arena, &lag, &x));
  assert_true(fabs(x.hinf - 3) < 1e-10 && x.frequency == 0 && fabs(x.h2 - 3) < 1e-13);
  StateSpace lead = {1, 1, 1, (double[]){-2}, (double[]){1}, (double[]){-1}, (double[]){1}, 0}; // (s + 1)/(s + 2)
  assert_true(norms_find(arena, &lead, &x));
  assert_true(fabs(x.hinf - 1) < 1e-10 && isinf(x.frequency) && isinf(x.h2));
  StateSpace away = {1, 1, 1, (double[]){1}, (double[]){1}, (double[]){1}, (double[]){0}, 0};
  assert_true(norms_find(arena, &away, &x));
  assert_true(!x.stable && isinf(x.hinf) && isinf(x.h2));
  StateSpace two = {
      2, 2, 2, (double[]){-1, 0, 0, -2}, (double[]){1, 0, 0, 3}, (double[]){1, 0, 0, 1}, (double[]){0, 0, 0, 0}, 0};
  assert_true(norms_find(arena, &two, &x));
  assert_true(fabs(x.hinf - 1.5) < 1e-10 && fabs(x.h2 - sqrt(0.5 + 9.0 / 4)) < 1e-13);
  // sampled 1/(z - a): peak 1/(1 - |a|), H2 1/sqrt(1 - a^2)
  StateSpace z = {1, 1, 1, (double[]){-0.8}, (double[]){1}, (double[]){1}, (double[]){0}, 0.5};
  assert_true(norms_find(arena, &z, &x));
  assert_true(fabs(x.hinf - 5) < 1e-8 && fabs(x.h2 - 1 / 0.6) < 1e-12);
  assert_true(fabs(x.frequency - 3.14159265358979 / 0.5) < 1e-6);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_double_integrator_has_its_gains),   cmocka_unit_test(a_single_state_has_its_closed_form),
      cmocka_unit_test(a_mode_that_no_input_moves_is_named), cmocka_unit_test(lyapunovs_equation_holds),
      cmocka_unit_test(an_oscillator_has_its_norms),         cmocka_unit_test(norms_of_simple_systems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
