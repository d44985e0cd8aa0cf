// Modes of small matrices whose eigenvalues and vectors are known by hand.
#include "tests/support.h"

#include "linear/eigenmodes.h"

static Modes modes_of(Arena *arena, uint32_t n, const double *A, uint32_t m, const double *B, const bool *position) {
  Rat *rA = arena_array(arena, (size_t)n * n, sizeof *rA), *rB = arena_array(arena, (size_t)n * m, sizeof *rB);
  for (uint32_t i = 0; i < n * n; i++) rA[i] = rat_int((int64_t)A[i]);
  for (uint32_t i = 0; i < n * m; i++) rB[i] = rat_int((int64_t)B[i]);
  ModesIn in = {.n = n, .m = m, .A = A, .B = B, .rA = rA, .rB = rB, .position = position};
  Modes out;
  assert_true(modes_find(arena, &in, &out));
  assert_null(out.why);
  return out;
}

// x'' = -4 x - 2 x': lambda = -1 +- i sqrt 3, damping ratio 1/2, frequency 2; the velocity is lambda times the place.
static void an_oscillator_has_its_frequency_and_damping(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Modes x = modes_of(arena, 2, (double[]){0, 1, -4, -2}, 1, (double[]){0, 1}, (bool[]){true, false});
  assert_int_equal(x.count, 1);
  const EigenMode *m = &x.modes[0];
  assert_true(m->pair && m->side == side_left && x.exact && x.stability == stability_stable);
  assert_true(fabs(m->re + 1) < 1e-14 && fabs(m->im - sqrt(3)) < 1e-14);
  assert_true(fabs(m->damping - 0.5) < 1e-14 && fabs(m->frequency - 2) < 1e-14);
  assert_true(m->shape[0][0] == 1 && m->shape[1][0] == 0);
  assert_true(fabs(m->shape[0][1] + 1) < 1e-14 && fabs(fabs(m->shape[1][1]) - sqrt(3)) < 1e-14);
  assert_true(x.control.known && x.control.exact && x.control.rank == 2);
  arena_free(arena);
}

// The same with the velocity before the position: what is a position says the caller, not the order.
static void positions_may_stand_anywhere(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Modes x = modes_of(arena, 2, (double[]){-2, -4, 1, 0}, 1, (double[]){1, 0}, (bool[]){false, true});
  assert_true(x.modes[0].shape[0][1] == 1 && x.modes[0].shape[1][1] == 0);
  arena_free(arena);
}

// x'' = 0: zero twice, with one vector; x'' = u reaches both.
static void a_free_mass_has_a_chain_of_zeros(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Modes x = modes_of(arena, 2, (double[]){0, 1, 0, 0}, 1, (double[]){0, 1}, (bool[]){true, false});
  assert_int_equal(x.count, 2);
  assert_int_equal(x.planes.zero, 2);
  assert_true(x.stability == stability_marginal && x.modes[0].chain != x.modes[1].chain);
  assert_int_equal(x.control.rank, 2);
  arena_free(arena);
}

// diag(-1, 2) with b = (1, 0): the second is out of reach, and unstable.
static void what_no_input_moves_is_marked(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Modes x = modes_of(arena, 2, (double[]){-1, 0, 0, 2}, 1, (double[]){1, 0}, (bool[]){true, true});
  assert_true(x.modes[0].re == 2 && x.modes[0].side == side_right && x.modes[0].uncontrollable);
  assert_true(x.modes[1].re == -1 && !x.modes[1].uncontrollable && x.stability == stability_unstable);
  assert_int_equal(x.control.rank, 1);
  assert_true(x.modes[0].control < 1e-15);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_oscillator_has_its_frequency_and_damping),
      cmocka_unit_test(positions_may_stand_anywhere),
      cmocka_unit_test(a_free_mass_has_a_chain_of_zeros),
      cmocka_unit_test(what_no_input_moves_is_marked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
