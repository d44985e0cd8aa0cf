// The nine systems of the reference set: `auto` ends in the certified equilibrium, the six methods take as many iterations.
#include "tests/support.h"

#include "tests/unit/statics/structures.h"

#include <stdlib.h>

static const char *method_names[] = {"auto", "lm", "pen", "ws", "alm1", "alm2", "alm3"};

static double distance_from(const RefSystem *ref, const BalanceResult *r) {
  double most = 0;
  for (uint32_t i = 0; i < ref->nodes; i++) {
    for (uint32_t k = 0; k < ref->dim; k++) most = fmax(most, fabs(r->x[i * ref->dim + k] - ref->node[i].solution[k]));
  }
  return most;
}

static void auto_ends_in_the_reference_equilibrium(void **state) {
  (void)state;
  for (uint32_t k = 0; k < ref_count; k++) {
    const RefSystem *ref = &ref_systems[k];
    Arena *arena = arena_new();
    Structure s = structure_of(arena, ref, NULL);
    BalanceOptions o = balance_defaults(balance_auto);
    BalanceResult r = balance_find(arena, &s, NULL, &o);
    if (getenv("VIVA_SHOW"))
      print_message("%s: status %d verdict %d iterations %u factors %u dx %.2e potential %.12g force %.1e length %.1e "
                    "stiffness %g notes %u\n",
                    ref->name, r.status, r.verdict, r.iterations, r.factorizations, distance_from(ref, &r),
                    r.potential, r.force_residue, r.length_residue, r.motion_count ? r.motions[0].stiffness : 0,
                    r.note_count);
    else {
    assert_int_equal(r.status, balance_found);
    assert_int_equal(r.verdict, balance_stable);
    assert_true(distance_from(ref, &r) < 1e-9);
    assert_true(fabs(r.potential - ref->potential) < 1e-9 * fmax(1, fabs(ref->potential)));
    for (uint32_t i = 0; i < ref->bars; i++) assert_true(fabs(r.bar_force[i] - ref->bar[i].force) < 1e-7);
    for (uint32_t i = 0; i < ref->springs; i++) {
      assert_true(fabs(r.spring_force[i] - ref->spring[i].force) < 1e-7);
      assert_true(fabs(r.spring_length[i] - ref->spring[i].length) < 1e-9);
    }
    for (uint32_t i = 0; i < ref->nodes && !ref->torsions; i++) {
      for (uint32_t d = 0; d < ref->dim; d++) {
        assert_true(fabs(r.reaction[i * ref->dim + d] - ref->node[i].reaction[d]) < 1e-7);
      }
    }
    }
    arena_free(arena);
  }
}

static BalanceMethod method_of(const char *name) {
  for (int i = 1; i < balance_method_count; i++) {
    if (strcmp(name, method_names[i]) == 0) return (BalanceMethod)i;
  }
  return balance_auto;
}

static BalanceOptions options_of(const RefRow *row) {
  BalanceOptions o = balance_defaults(method_of(row->method));
  if (strcmp(row->variant, "lam0=ls") == 0) o.first_least_squares = true;
  if (strcmp(row->variant, "gamma=10") == 0) o.gamma = 10;
  if (strcmp(row->variant, "r0=1000 gamma=2") == 0) o.r0 = 1000;
  if (strcmp(row->variant, "r0=10 gamma=2 cap=1000") == 0) o.r0 = 10, o.gamma = 2;
  if (strcmp(row->variant, "inner minimisation") == 0) o.inner = 60;
  return o;
}

static void methods_take_as_many_iterations_as_the_reference(void **state) {
  (void)state;
  uint32_t rows = 0;
  for (uint32_t k = 0; k < ref_count; k++) {
    const RefSystem *ref = &ref_systems[k];
    for (uint32_t i = 0; i < ref->rows; i++) {
      const RefRow *row = &ref->row[i];
      if (row->iterations == 0) continue;
      Arena *arena = arena_new();
      double far[64];
      Structure s = structure_of(arena, ref, far);
      BalanceOptions o = options_of(row);
      BalanceResult r = balance_find(arena, &s, row->far ? far : NULL, &o);
      double dx = distance_from(ref, &r), limit = o.method == balance_stiffness ? 0.25 : 1e-6;
      bool same = r.status == balance_found && dx < limit && abs((int)r.iterations - (int)row->iterations) <= 2;
      if (!same)
        print_message("%s %s far %d %s: status %d, %u iterations instead of %u, dx %.1e\n", ref->name, row->method,
                      row->far, row->variant, r.status, r.iterations, row->iterations, dx);
      if (!getenv("VIVA_SHOW")) assert_true(same);
      rows++;
      arena_free(arena);
    }
  }
  assert_true(rows > 150);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_ends_in_the_reference_equilibrium),
      cmocka_unit_test(methods_take_as_many_iterations_as_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
