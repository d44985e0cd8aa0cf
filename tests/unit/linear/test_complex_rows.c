// Multiples and products of complex rows against complex numbers of C, one after the other, at every length about a
// block.
#include "tests/support.h"

#include "linear/complex_rows.h"

#include <complex.h>

enum { most = 13 };

static double complex number(uint32_t i) { return CMPLX(sin(3.0 * i + 1), cos(5.0 * i)); }

static void fill(ComplexRow row, uint32_t from) {
  for (uint32_t i = 0; i < most; i++) row.re[i] = creal(number(from + i)), row.im[i] = cimag(number(from + i));
}

static void rows_are_added_and_multiplied(void **state) {
  (void)state;
  double parts[4][most];
  ComplexRow a = {parts[0], parts[1]}, b = {parts[2], parts[3]};
  ComplexKit kit = complex_kit();
  double complex factor = CMPLX(0.3, -1.7);
  for (uint32_t n = 0; n <= most; n++) {
    fill(a, 0);
    fill(b, 100);
    double complex sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += conj(number(100 + i)) * number(i);
    double out[2];
    kit.product(a, b, n, out);
    assert_true(cabs(CMPLX(out[0], out[1]) - sum) < 1e-13);
    kit.add(a, creal(factor), cimag(factor), b, n);
    for (uint32_t i = 0; i < most; i++) {
      double complex want = number(i) + (i < n ? factor * number(100 + i) : 0);
      assert_true(cabs(CMPLX(a.re[i], a.im[i]) - want) < 1e-14);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_added_and_multiplied)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
