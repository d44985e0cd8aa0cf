#include "tests/unit/tape/kernel_frame.h"

// Lower triangle of m (n x n), then h.
static uint32_t operands(uint32_t n, const double *m, const double *h, uint32_t columns, double *in) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j <= i; j++) in[count++] = m[i * n + j];
  }
  for (uint32_t i = 0; i < n * columns; i++) in[count++] = h[i];
  return count;
}

static void solve(uint32_t n, const double *m, const double *h, double *x) {
  Arena *arena = arena_new();
  double in[400];
  KernelKkt data = {.size = n, .columns = 1};
  uint32_t count = operands(n, m, h, 1, in);
  frame_eval(frame_tape(arena, &kernel_kkt, &data, count), in, x);
  arena_free(arena);
}

static void a_mass_on_a_rod_has_its_closed_form(void **state) {
  (void)state;
  // m x'' = -c x lambda..., with G = (3, 4)/5: M = 2 I, force (0, -10), G a = 0. Then lambda = G f, a = (f - G'
  // lambda)/2
  double m[9] = {2, 0, 0.6, 0, 2, 0.8, 0.6, 0.8, 0}, h[3] = {0, 10, 0}, x[3];
  solve(3, m, h, x);
  assert_true(fabs(x[0] - 2.4) < 1e-14 && fabs(x[1] + 1.8) < 1e-14 && fabs(x[2] + 8) < 1e-13);
}

static void pivots_of_one_and_two_rows_solve_what_was_made(void **state) {
  (void)state;
  // saddle points with known solutions x_i = 1 + i, of many shapes
  for (uint32_t n = 2; n <= 17; n++) {
    for (uint32_t bound = 0; 2 * bound <= n; bound++) {
      double m[17 * 17], h[17] = {0}, x[17];
      uint32_t free = n - bound;
      for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
          double a = i >= free && j >= free ? 0 : cos(1 + 3.0 * i * j + i);
          if (i == j && i < free) a = bound % 2 ? 0.01 * a : 4 * a;
          m[i * n + j] = m[j * n + i] = a;
        }
      }
      for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) h[i] -= m[i * n + j] * (1 + j);
      }
      solve(n, m, h, x);
      for (uint32_t i = 0; i < n; i++) {
        if (!(fabs(x[i] - (1 + i)) < 1e-9)) fail_msg("n %u, bound %u: x[%u] = %.17g", n, bound, i, x[i]);
      }
    }
  }
}

static void singular_ones_have_no_solution(void **state) {
  (void)state;
  double x[3];
  solve(2, (double[]){0, 0, 0, 1}, (double[]){1, 1}, x);
  assert_true(isnan(x[0]) && isnan(x[1]));
  // the same constraint twice
  solve(3, (double[]){1, 2, 2, 2, 0, 0, 2, 0, 0}, (double[]){1, 1, 1}, x);
  assert_true(isnan(x[0]));
}

// M(s) x + h = 0 with M = [s 1; 1 0], h = (0, -s): x = (s, -s^2); the second right-hand side is M' x + h'.
static void a_further_right_hand_side_gives_the_exact_rate(void **state) {
  (void)state;
  Arena *arena = arena_new();
  KernelKkt data = {.size = 2, .columns = 2};
  double s = 1.75, in[7] = {s, 1, 0, 0, -s, s /* M' x */, -1 /* h' */}, out[4];
  frame_eval(frame_tape(arena, &kernel_kkt, &data, 7), in, out);
  assert_true(out[0] == s && out[1] == -s * s && out[2] == 1 && out[3] == -2 * s);
  arena_free(arena);
}

static void every_way_to_run_it_gives_the_same_bits(void **state) {
  (void)state;
  enum { n = 7 };
  Arena *arena = arena_new();
  KernelKkt data = {.size = n, .columns = 2};
  double m[n * n], h[2 * n], in[lane_count * 100];
  uint32_t count = 0;
  for (uint32_t l = 0; l < lane_count; l++) {
    for (uint32_t i = 0; i < n * n; i++) m[i] = i % n > 4 && i / n > 4 ? 0 : cos(2.0 * i + l);
    for (uint32_t i = 0; i < 2 * n; i++) h[i] = sin(i + l);
    count = operands(n, m, h, 2, in + l * count);
  }
  const Tape *t = frame_tape(arena, &kernel_kkt, &data, count);
  frame_lanes(arena, t, in);
  frame_native(arena, t, in);
  frame_export(arena, t, in);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_on_a_rod_has_its_closed_form),
      cmocka_unit_test(pivots_of_one_and_two_rows_solve_what_was_made),
      cmocka_unit_test(singular_ones_have_no_solution),
      cmocka_unit_test(a_further_right_hand_side_gives_the_exact_rate),
      cmocka_unit_test(every_way_to_run_it_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
