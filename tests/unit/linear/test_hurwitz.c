// Half planes, roots and kernels of rational matrices, against polynomials whose roots are known.
#include "tests/support.h"

#include "linear/hurwitz.h"

// The companion matrix of s^n + c[n-1] s^(n-1) + ... + c[0]: its eigenvalues are the roots.
static Rat *companion(Arena *arena, uint32_t n, const int64_t *c) {
  Rat *a = arena_array(arena, (size_t)n * n, sizeof *a);
  for (uint32_t i = 0; i < n * n; i++) a[i] = RAT_ZERO;
  for (uint32_t i = 0; i + 1 < n; i++) a[i * n + i + 1] = RAT_ONE;
  for (uint32_t i = 0; i < n; i++) a[(n - 1) * n + i] = rat_int(-c[i]);
  return a;
}

static HalfPlanes planes_of(Arena *arena, uint32_t n, const int64_t *c) {
  HalfPlanes h;
  assert_true(hurwitz_count(arena, companion(arena, n, c), n, &h));
  return h;
}

static void assert_planes(const HalfPlanes *h, uint32_t left, uint32_t right, uint32_t axis, uint32_t zero) {
  assert_int_equal(h->left, left);
  assert_int_equal(h->right, right);
  assert_int_equal(h->axis, axis);
  assert_int_equal(h->zero, zero);
}

static void roots_are_counted_where_they_lie(void **state) {
  (void)state;
  Arena *arena = arena_new();
  // (s + 1)(s + 2)(s - 3) = s^3 - 7 s - 6
  HalfPlanes h = planes_of(arena, 3, (int64_t[]){-6, -7, 0});
  assert_planes(&h, 2, 1, 0, 0);
  // s^2 (s^2 + 4)(s + 5) = s^5 + 5 s^4 + 4 s^3 + 20 s^2
  h = planes_of(arena, 5, (int64_t[]){0, 0, 20, 4, 5});
  assert_planes(&h, 1, 0, 2, 2);
  // (s^2 + 1)^2 (s - 1)(s + 1) = s^6 + s^4 - s^2 - 1: a double pair on the axis, a pair that is symmetric to it
  h = planes_of(arena, 6, (int64_t[]){-1, 0, -1, 0, 1, 0});
  assert_planes(&h, 1, 1, 4, 0);
  // Routh's example of a stable one: s^3 + 2 s^2 + 3 s + 4, 2*3 > 4; and 2*3 < 7 is not
  h = planes_of(arena, 3, (int64_t[]){4, 3, 2});
  assert_planes(&h, 3, 0, 0, 0);
  h = planes_of(arena, 3, (int64_t[]){7, 3, 2});
  assert_planes(&h, 1, 2, 0, 0);
  arena_free(arena);
}

static void the_characteristic_polynomial_is_that_of_the_companion(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const int64_t c[] = {-6, -7, 0};
  HalfPlanes h = planes_of(arena, 3, c);
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(rat_compare(h.characteristic[i], rat_int(c[i])), 0);
  assert_int_equal(rat_compare(h.characteristic[3], RAT_ONE), 0);
  arena_free(arena);
}

static void roots_get_all_their_digits(void **state) {
  (void)state;
  Arena *arena = arena_new();
  // (s^2 - 2)(s^2 - 2): distinct roots +-sqrt 2, each double; rounding alone leaves eight digits
  HalfPlanes h = planes_of(arena, 4, (int64_t[]){4, 0, -4, 0});
  RootFinder f;
  assert_true(roots_open(&f, arena, &h, 4));
  assert_int_equal(f.distinct, 2);
  double re = 1.41421357, im = 0, bound = 1e-6;
  assert_true(roots_refine(&f, arena, &re, &im, &bound));
  assert_true(fabs(re - 1.4142135623730951) <= 3e-16 && im == 0 && bound < 1e-14);
  // from near another root nothing is changed
  re = -1.2, bound = 1e-3;
  assert_false(roots_refine(&f, arena, &re, &im, &bound));
  assert_true(re == -1.2);
  arena_free(arena);
}

static void a_kernel_is_what_the_matrix_takes_to_zero(void **state) {
  (void)state;
  Arena *arena = arena_new();
  // rows (1, 2, 3), (2, 4, 6), (0, 0, 0): the kernel has two vectors, (-2, 1, 0) and (-3, 0, 1)
  const int64_t a[9] = {1, 2, 3, 2, 4, 6, 0, 0, 0}, expected[6] = {-2, 1, 0, -3, 0, 1};
  Rat m[9];
  for (int i = 0; i < 9; i++) m[i] = rat_int(a[i]);
  uint32_t count;
  const Rat *k = hurwitz_kernel(arena, m, 3, &count);
  assert_non_null(k);
  assert_int_equal(count, 2);
  for (int i = 0; i < 6; i++) assert_int_equal(rat_compare(k[i], rat_int(expected[i])), 0);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roots_are_counted_where_they_lie),
      cmocka_unit_test(the_characteristic_polynomial_is_that_of_the_companion),
      cmocka_unit_test(roots_get_all_their_digits),
      cmocka_unit_test(a_kernel_is_what_the_matrix_takes_to_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
