// Least singular values of [A - lambda, B]: larger pairs against all singular values by LAPACK, and against closed
// forms.
#include "tests/support.h"

#include "linear/reach.h"
#include "solve/spectrum.h"

static uint64_t seed = 5;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return 2 * ((double)(seed >> 11) * 0x1p-53) - 1;
}

static double norm_of(const double *a, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += a[i] * a[i];
  return sqrt(sum);
}

// By the singular values of the real matrix twice as large.
static double by_lapack(Arena *arena, const ReachPair *p, double re, double im) {
  uint32_t n = p->n, m = p->m, rows = 2 * n, cols = 2 * (n + m);
  double *a = arena_array(arena, (size_t)rows * cols, sizeof *a), *s = arena_array(arena, rows, sizeof *s),
         *work = arena_array(arena, (size_t)spectrum_room((int)rows, (int)cols), sizeof *work);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) a[j * rows + i] = a[(n + j) * rows + n + i] = p->A[i * n + j] - (i == j ? re : 0);
    a[i * rows + n + i] = -im;
    a[(n + i) * rows + i] = im;
    for (uint32_t j = 0; j < m; j++) a[(2 * n + j) * rows + i] = a[(2 * n + m + j) * rows + n + i] = p->B[i * m + j];
  }
  assert_int_equal(module_load()->singular((int)rows, (int)cols, a, s, NULL, NULL, work), 0);
  return s[rows - 1] / p->norm;
}

static void compare(double part, uint32_t m) {
  enum { n = 60 };
  Arena *arena = arena_new();
  double *A = arena_array(arena, (size_t)n * n, sizeof *A), *B = arena_array(arena, (size_t)n * m, sizeof *B);
  for (uint32_t i = 0; i < n * n; i++) A[i] = uniform() * (fabs(uniform()) < part);
  for (uint32_t i = 0; i < n * m; i++) B[i] = uniform();
  const ReachPair pair = {n, m, A, B, norm_of(A, n * n)};
  Reach *x = reach_open(arena, module_load(), &pair);
  assert_non_null(x);
  const double at[][2] = {{0.3, 0}, {-0.2, 1.1}, {0, 0}, {5, -3}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    double seen = reach_distance(x, at[i][0], at[i][1]), expected = by_lapack(arena, &pair, at[i][0], at[i][1]);
    assert_true(fabs(seen - expected) <= 1e-9 * expected + 1e-15);
  }
  reach_close(x);
  arena_free(arena);
}

static void dense_pairs_agree_with_all_singular_values(void **state) {
  (void)state;
  compare(1, 1);
  compare(1, 7);
}

static void sparse_pairs_agree_with_all_singular_values(void **state) {
  (void)state;
  compare(0.05, 1);
  compare(0.05, 3);
}

// A = diag(1, 2, ..., n), B = e1: the mode of 1 is at the distance |B| = 1, or 1 (its neighbour) if that is less; all
// others are out of reach. Only one state is reached.
static void a_diagonal_pair_reaches_its_own_state(void **state) {
  (void)state;
  enum { n = 64 };
  Arena *arena = arena_new();
  double *A = arena_array(arena, (size_t)n * n, sizeof *A), *B = arena_array(arena, n, sizeof *B);
  for (uint32_t i = 0; i < n; i++) A[i * n + i] = i + 1;
  B[0] = 0.25;
  const ReachPair pair = {n, 1, A, B, norm_of(A, n * n)};
  Reach *x = reach_open(arena, module_load(), &pair);
  assert_non_null(x);
  assert_true(fabs(reach_distance(x, 1, 0) * pair.norm - 0.25) < 1e-12);
  for (uint32_t i = 2; i <= n; i++) assert_true(reach_distance(x, i, 0) < 1e-15);
  reach_close(x);
  assert_int_equal(reach_rank(arena, &pair), 1);
  arena_free(arena);
}

// A chain x_i' = x_(i-1), x_1' = u: everything is reached, also exactly; from the other end one state is.
static void a_chain_is_reached_from_its_beginning(void **state) {
  (void)state;
  enum { n = 70 };
  Arena *arena = arena_new();
  double *A = arena_array(arena, (size_t)n * n, sizeof *A), *B = arena_array(arena, n, sizeof *B);
  Rat *rA = arena_array(arena, (size_t)n * n, sizeof *rA), *rB = arena_array(arena, n, sizeof *rB);
  for (uint32_t i = 0; i < n * n; i++) rA[i] = RAT_ZERO;
  for (uint32_t i = 0; i < n; i++) rB[i] = RAT_ZERO;
  for (uint32_t i = 1; i < n; i++) A[i * n + i - 1] = 1, rA[i * n + i - 1] = RAT_ONE;
  B[0] = 1, rB[0] = RAT_ONE;
  ReachPair pair = {n, 1, A, B, norm_of(A, n * n)};
  assert_int_equal(reach_rank(arena, &pair), n);
  assert_int_equal(reach_exact_rank(arena, rA, rB, n, 1, false), n);
  assert_int_equal(reach_exact_rank(arena, rA, rB, n, 1, true), 1);
  B[0] = 0, B[n - 1] = 1;
  assert_int_equal(reach_rank(arena, &pair), 1);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_pairs_agree_with_all_singular_values),
      cmocka_unit_test(sparse_pairs_agree_with_all_singular_values),
      cmocka_unit_test(a_diagonal_pair_reaches_its_own_state),
      cmocka_unit_test(a_chain_is_reached_from_its_beginning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
