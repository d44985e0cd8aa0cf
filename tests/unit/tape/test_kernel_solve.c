#include "tests/unit/tape/kernel_frame.h"

static void solve(uint32_t n, bool symmetric, const double *m, const double *h, double *x) {
  double in[100];
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < (symmetric ? i + 1 : n); j++) in[count++] = m[i * n + j];
  }
  for (uint32_t i = 0; i < n; i++) in[count++] = h[i];
  Arena *arena = arena_new();
  KernelSolve data = {.size = n, .symmetric = symmetric};
  frame_eval(frame_tape(arena, &kernel_solve, &data, count), in, x);
  arena_free(arena);
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

// Rates of the solution: of M x + h = 0 they solve M x' = -(h' + M' x), the further right-hand side of the same call.
static void a_further_right_hand_side_gives_the_exact_rate(void **state) {
  (void)state;
  Arena *arena = arena_new();
  KernelSolve data = {.size = 2, .more = 1, .symmetric = true};
  const Tape *t = frame_tape(arena, &kernel_solve, &data, 7);
  // M = [2+s 1; 1 3], h = (-1, s) at s = 1: x = (1, -2/3)... by Cramer's rule x = ((3+s)/(5+3s), -(1+2s+s^2)/(5+3s))
  double s = 1, x0 = (3 + s) / (5 + 3 * s), x1 = -(1 + 2 * s + s * s) / (5 + 3 * s), out[4];
  double in[7] = {2 + s, 1, 3, -1, s, x0 /* M' x */, 1 /* h' */};
  frame_eval(t, in, out);
  assert_true(fabs(out[0] - x0) < 1e-15 && fabs(out[1] - x1) < 1e-15);
  double d = 5 + 3 * s, dx0 = (d - 3 * (3 + s)) / (d * d), dx1 = -((2 + 2 * s) * d - 3 * (1 + 2 * s + s * s)) / (d * d);
  assert_true(fabs(out[2] - dx0) < 1e-15 && fabs(out[3] - dx1) < 1e-15);
  arena_free(arena);
}

static void every_way_to_run_it_gives_the_same_bits(void **state) {
  (void)state;
  for (uint32_t n = 2; n <= 9; n += 7) {
    for (int symmetric = 0; symmetric < 2; symmetric++) {
      Arena *arena = arena_new();
      KernelSolve data = {.size = n, .more = 1, .symmetric = symmetric};
      uint32_t m = symmetric ? n * (n + 1) / 2 : n * n, count = m + 2 * n;
      const Tape *t = frame_tape(arena, &kernel_solve, &data, count);
      double *in = arena_array(arena, lane_count * count, sizeof *in);
      for (uint32_t l = 0; l < lane_count; l++) {
        for (uint32_t i = 0; i < count; i++) in[l * count + i] = cos(1 + i * i + 3.0 * l);
        // one lane in two is definite
        for (uint32_t i = 0; symmetric && l % 2 && i < n; i++) in[l * count + i * (i + 1) / 2 + i] += n;
      }
      frame_lanes(arena, t, in);
      for (uint32_t l = 0; l < 2; l++) {
        frame_native(arena, t, in + l * count);
        frame_export(arena, t, in + l * count);
      }
      arena_free(arena);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_solved_whatever_their_signs),
      cmocka_unit_test(a_further_right_hand_side_gives_the_exact_rate),
      cmocka_unit_test(every_way_to_run_it_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
