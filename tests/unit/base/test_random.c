// Random numbers against what is known of them: the normal distribution of the C library, moments, independence of the
// order in which they are asked for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"

#include <math.h>

static void the_quantile_undoes_the_distribution(void **state) {
  (void)state;
  // Abramowitz and Stegun, table 26.1, and the usual bounds of confidence
  assert_true(fabs(normal_quantile(0.975) - 1.959963984540054) < 4e-15);
  assert_true(fabs(normal_quantile(0.99) - 2.326347874040841) < 4e-15);
  assert_true(normal_quantile(0.5) == 0);
  // Phi(x) = erfc(-x/sqrt 2)/2; near p an error dx of x is dp = phi(x) dx
  for (double p = 0.5; p > 1e-300; p *= 0.37) {
    double x = normal_quantile(p), back = 0.5 * erfc(-x / sqrt(2));
    double slope = exp(-0.5 * x * x) / sqrt(2 * 3.14159265358979323846);
    assert_true(fabs(back - p) <= 4e-15 * slope * (1 + fabs(x)) + 4e-14 * p);
    if (p > 1e-10) assert_true(fabs(normal_quantile(1 - p) + normal_quantile(1 - (1 - p))) < 1e-13 * (1 + fabs(x)));
  }
}

// n numbers of a uniform distribution: mean 1/2 +- 1/sqrt(12 n), and so on for the normal one; five deviations
static void moments_are_those_of_the_distributions(void **state) {
  (void)state;
  enum { n = 200000 };
  double sum = 0, squares = 0, neighbours = 0, before = 0, normal[4] = {0};
  for (uint64_t i = 0; i < n; i++) {
    double u = random_uniform(7, i) - 0.5, z = random_normal(11, i), power = z;
    assert_true(u > -0.5 && u < 0.5);
    sum += u;
    squares += u * u;
    neighbours += u * before;
    before = u;
    for (int k = 0; k < 4; k++, power *= z) normal[k] += power;
  }
  assert_true(fabs(sum / n) < 5 * sqrt(1 / 12.0 / n));
  assert_true(fabs(squares / n - 1 / 12.0) < 5 * sqrt(1 / 180.0 / n));
  assert_true(fabs(neighbours / n) < 5 / 12.0 / sqrt(n));
  const double expected[4] = {0, 1, 0, 3}, variance[4] = {1, 2, 15, 96};
  for (int k = 0; k < 4; k++) assert_true(fabs(normal[k] / n - expected[k]) < 5 * sqrt(variance[k] / n));
}

// Every bit is one in half of the cases, and changes with every bit of the seed and of the counter in half of them.
static void every_bit_depends_on_every_bit(void **state) {
  (void)state;
  enum { n = 4096 };
  for (int input = 0; input < 128; input += 9) {
    uint32_t ones[64] = {0}, changes[64] = {0};
    for (uint64_t i = 0; i < n; i++) {
      uint64_t flip = UINT64_C(1) << (input % 64), bits = random_bits(i, 3 * i);
      uint64_t other = input < 64 ? random_bits(i ^ flip, 3 * i) : random_bits(i, (3 * i) ^ flip);
      for (int k = 0; k < 64; k++) {
        ones[k] += bits >> k & 1;
        changes[k] += (bits ^ other) >> k & 1;
      }
    }
    for (int k = 0; k < 64; k++) {
      assert_true(fabs(ones[k] - n / 2.0) < 6 * sqrt(n / 4.0));
      assert_true(fabs(changes[k] - n / 2.0) < 6 * sqrt(n / 4.0));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_quantile_undoes_the_distribution),
      cmocka_unit_test(moments_are_those_of_the_distributions),
      cmocka_unit_test(every_bit_depends_on_every_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
