// The module: who may have it, and what it does with known answers.
#include "tests/support.h"

#include "solve/module.h"
#include "solve/spectrum.h"

#include <dlfcn.h>

static void it_is_given_to_its_own_build_alone(void **state) {
  (void)state;
  assert_non_null(module_load());
  assert_true(module_has_room());
  // it is loaded already: the loader knows its path
  void *handle = dlopen(VIVA_MODULE, RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(handle);
  void *symbol = dlsym(handle, SOLVE_MODULE_ENTRY);
  SolveModuleEntry *entry;
  memcpy(&entry, &symbol, sizeof entry);
  assert_null(entry("0.1.0", "another build"));
  assert_null(entry("0.0.0", ""));
}

// [4 2; 1 3] x = (2, 4): x = (-0.2, 1.4)
static void systems_are_solved(void **state) {
  (void)state;
  const SolveModule *m = module_load();
  double a[] = {4, 1, 2, 3}, b[] = {2, 4}, singular[] = {1, 2, 2, 4};
  int pivot[2];
  assert_int_equal(m->factor(2, a, pivot), 0);
  m->solve(2, a, pivot, b);
  assert_true(fabs(b[0] + 0.2) < 1e-15 && fabs(b[1] - 1.4) < 1e-15);
  assert_int_not_equal(m->factor(2, singular, pivot), 0);
}

static void blocks_are_solved_and_judged(void **state) {
  (void)state;
  const SolveModule *m = module_load();
  int pivot[2];
  double definite[] = {2, 1, 1, 2}, x[] = {3, 3, 0, 3}; // two columns: (1, 1) and (-1, 2)
  assert_true(m->dense(2, 2, true, definite, x, pivot));
  const double expected[] = {1, 1, -1, 2};
  for (int i = 0; i < 4; i++) assert_true(fabs(x[i] - expected[i]) < 1e-15);
  double indefinite[] = {1, 2, 2, 1}, again[] = {1, 2, 2, 1}, y[] = {3, 3};
  assert_false(m->dense(2, 1, true, indefinite, y, pivot));
  double z[] = {5, 4}; // row by row: x + 2 y = 5, 2 x + y = 4
  assert_true(m->dense(2, 1, false, again, z, pivot));
  assert_true(fabs(z[0] - 1) < 1e-15 && fabs(z[1] - 2) < 1e-15);
  double lost[] = {1, 1, 1, 1 + 1e-16};
  assert_false(m->dense(2, 1, false, lost, z, pivot));
}

// A turn by 90 degrees and twice: eigenvalues +-2i; singular values 2, 2. [3 0; 4 5]: those of 45 and 5.
static void spectra_are_known(void **state) {
  (void)state;
  const SolveModule *m = module_load();
  double turn[] = {0, 2, -2, 0}, re[2], im[2], v[4], bound[2], work[200], s[2];
  assert_true(spectrum_eigen_room(2) <= 200);
  assert_int_equal(m->eigen(2, turn, re, im, v, bound, work), 0);
  assert_true(fabs(re[0]) < 1e-15 && fabs(im[0] - 2) < 1e-15 && im[1] == -im[0] && bound[0] < 1e-13);
  double a[] = {3, 4, 0, 5};
  assert_int_equal(m->singular(2, 2, a, s, NULL, NULL, work), 0);
  assert_true(fabs(s[0] - sqrt(45)) < 1e-14 && fabs(s[1] - sqrt(5)) < 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_given_to_its_own_build_alone),
      cmocka_unit_test(systems_are_solved),
      cmocka_unit_test(blocks_are_solved_and_judged),
      cmocka_unit_test(spectra_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
