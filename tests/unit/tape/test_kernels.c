#include "tests/support.h"

#include "base/random.h"
#include "tape/kernels.h"

// Evaluates the outputs of a model at t, without any motion.
static void outputs_at(const char *text, double t, double *out, uint32_t count) {
  Loaded *l = load_text(text);
  ExprId *results = arena_array(l->arena, count, sizeof *results);
  for (uint32_t i = 0; i < count; i++) results[i] = l->model.outputs.items[i].value;
  const Tape *tape = tape_build(l->arena, &(TapeWish){.system = &l->system,
                                                      .vars = &l->model.time,
                                                      .var_count = 1,
                                                      .results = results,
                                                      .result_count = count,
                                                      .params_by_value = true});
  assert_non_null(tape);
  double *w = arena_array(l->arena, tape->slot_count, sizeof *w);
  tape_prepare(tape, w);
  tape_vars(tape, w)[0] = t;
  tape_eval(tape, w);
  for (uint32_t i = 0; i < count; i++) out[i] = tape_result(tape, w, i);
  unload(l);
}

static void integrals_agree_with_closed_forms(void **state) {
  (void)state;
  // int_0^x tanh = ln cosh x, also deep in saturation; int_0^x 1/(1+s^2) = atan x; a kink at 1
  double v[4];
  outputs_at("output a = integral_of(tanh(s), s, 0, t)\noutput b = integral_of(1/(1 + s^2), s, 0, t)\n"
             "output c = integral_of(|s - 1|, s, 0, t)\noutput d = integral_of(sin(s), s, t, 0)\n",
             30, v, 4);
  assert_true(fabs(v[0] - (30 + log1p(exp(-60)) - log(2))) < 1e-12 * 30);
  assert_true(fabs(v[1] - atan(30)) < 1e-13);
  assert_true(fabs(v[2] - (0.5 + 29 * 29 / 2.0)) < 1e-9 * v[2]);
  assert_true(fabs(v[3] - (cos(30) - 1)) < 1e-12);
}

static void inverses_agree_with_closed_forms(void **state) {
  (void)state;
  double v[4];
  outputs_at("fun f(s) = 0.8*tanh(s/2)\nfun g(s) = s^3 + s\nfun h(s) = exp(-s)\n"
             "output a = inverse(f)(t), b = inverse(g)(1000*t), c = inverse(h)(t), d = inverse(f)(t)'\n",
             0.5, v, 4);
  assert_true(fabs(v[0] - 2 * atanh(0.5 / 0.8)) < 1e-14);
  assert_true(fabs(v[1] * v[1] * v[1] + v[1] - 500) < 1e-11);
  assert_true(fabs(v[2] + log(0.5)) < 1e-14);
  // d/dt 2 atanh(t/0.8) = 2/0.8 / (1 - (t/0.8)^2)
  assert_true(fabs(v[3] - 2.5 / (1 - 0.390625)) < 1e-12);
}

static void integrals_differentiate_exactly(void **state) {
  (void)state;
  double v[3];
  // d/dt int_0^t sin(t s) ds = sin(t^2) + int_0^t s cos(t s) ds; and the inner variable hides an outer one
  outputs_at("output a = integral_of(sin(t*s), s, 0, t)', b = (1 - cos(t^2))/t, c = integral_of(integral_of(s*r, r, 0, "
             "s), s, 0, t)'\n",
             1.3, v, 3);
  double t = 1.3, u = t * t;
  assert_true(fabs(v[0] - (2 * sin(u) - (1 - cos(u)) / u)) < 1e-12);
  assert_true(fabs(v[2] - t * t * t / 2) < 1e-13);
}

static void solve(uint32_t n, bool symmetric, const double *m, const double *h, double *x) {
  double w[200] = {0};
  uint32_t args[100], count = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < (symmetric ? i + 1 : n); j++) {
      w[count] = m[i * n + j];
      args[count] = count;
      count++;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    w[count] = h[i];
    args[count] = count;
    count++;
  }
  TapeCall call = {.size = n, .symmetric = symmetric, .scratch = 110, .count = count};
  kernel_solve(&call, args, w);
  memcpy(x, w + 110, n * sizeof *x);
}

static void blocks_are_solved_whatever_their_signs(void **state) {
  (void)state;
  // positive definite, indefinite with a zero diagonal, unsymmetric, singular
  double x[3];
  solve(2, true, (double[]){4, 1, 1, 3}, (double[]){-1, -2}, x);
  assert_true(fabs(x[0] - 1.0 / 11) < 1e-15 && fabs(x[1] - 7.0 / 11) < 1e-15);
  solve(2, true, (double[]){0, 1, 1, 0}, (double[]){-2, -5}, x);
  assert_true(x[0] == 5 && x[1] == 2);
  solve(2, false, (double[]){0, 2, 1, 0}, (double[]){-2, -5}, x);
  assert_true(x[0] == 5 && x[1] == 1);
  solve(2, true, (double[]){1, 1, 1, 1}, (double[]){-1, -2}, x);
  assert_true(isnan(x[0]));
  solve(3, true, (double[]){1, 2, 3, 2, 1, 4, 3, 4, 1}, (double[]){-14, -16, -14}, x);
  assert_true(fabs(x[0] - 1) < 1e-14 && fabs(x[1] - 2) < 1e-14 && fabs(x[2] - 3) < 1e-14);
}

static void tables_are_linear_and_held_at_the_ends(void **state) {
  (void)state;
  ModelTable t = {.x = (double[]){0, 1, 3}, .y = (double[]){5, 7, -1}, .count = 3};
  assert_true(kernel_table(&t, -1, false) == 5 && kernel_table(&t, 9, false) == -1);
  assert_true(kernel_table(&t, 0.5, false) == 6 && kernel_table(&t, 2, false) == 3);
  assert_true(kernel_table(&t, 0.5, true) == 2 && kernel_table(&t, 2, true) == -4 && kernel_table(&t, 9, true) == 0);
}

static void noise_is_normal_and_repeats(void **state) {
  (void)state;
  double sum = 0, squares = 0, fourth = 0;
  int n = 200000;
  for (int i = 0; i < n; i++) {
    double x = kernel_noise(1, i);
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  // five standard deviations of each moment
  assert_true(fabs(sum / n) < 5 / sqrt(n));
  assert_true(fabs(squares / n - 1) < 5 * sqrt(2.0 / n));
  assert_true(fabs(fourth / n - 3) < 5 * sqrt(96.0 / n));
  assert_true(kernel_noise(1, 5) == kernel_noise(1, 5));
  assert_true(kernel_noise(1, 5) != kernel_noise(2, 5));
  // quantiles from tables of the normal distribution
  assert_true(fabs(normal_quantile(0.975) - 1.959963984540054) < 1e-14);
  assert_true(fabs(normal_quantile(1e-10) + 6.361340902404056) < 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrals_agree_with_closed_forms),
      cmocka_unit_test(inverses_agree_with_closed_forms),
      cmocka_unit_test(integrals_differentiate_exactly),
      cmocka_unit_test(blocks_are_solved_whatever_their_signs),
      cmocka_unit_test(tables_are_linear_and_held_at_the_ends),
      cmocka_unit_test(noise_is_normal_and_repeats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
