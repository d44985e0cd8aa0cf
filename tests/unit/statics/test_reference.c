// The nine systems of the reference set: `auto` ends in the certified equilibrium, the six methods take as many
// iterations.
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
    arena_free(arena);
  }
}

// The softest direction is the first eigenvector of the Hessian on what the constraints leave: its stiffness by the
// square of its plain length is the least eigenvalue of the reference, by dense matrices over an orthonormal basis.
static void the_softest_direction_is_that_of_the_reduced_hessian(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double least;
  } known[] = {{"two", 112.27012082082807},    {"fig1", 62.53411400726334},  {"fig1b", 74.38805919512725},
               {"fig2", 96.796671365258},      {"fig3", 2.3795772464648914}, {"slider", 178.00698136114195},
               {"prism0", 274.36093426340915}, {"prism", 246.0889891096016}, {"torsion", 194.71361960393153}};
  for (uint32_t k = 0; k < ref_count; k++) {
    const RefSystem *ref = &ref_systems[k];
    Arena *arena = arena_new();
    Structure s = structure_of(arena, ref, NULL);
    BalanceOptions o = balance_defaults(balance_auto);
    BalanceResult r = balance_find(arena, &s, NULL, &o);
    uint32_t row = 0;
    while (strcmp(known[row].name, ref->name) != 0) row++;
    assert_int_equal(r.motion_count, 1);
    double square = 0;
    for (uint32_t i = 0; i < ref->nodes * ref->dim; i++) square += r.motions[0].motion[i] * r.motions[0].motion[i];
    double least = r.motions[0].stiffness / square;
    // two of the prism's are near to each other: there inverse iteration ends a little above
    if (!(fabs(least / known[row].least - 1) < 1e-3))
      fail_msg("%s: %.9g, not %.9g", ref->name, least, known[row].least);
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

typedef struct Reached {
  uint32_t iterations;
  bool there;
  double distance;
} Reached;

// From the start of the row, moved by so many units in the last place.
static Reached reach(const RefSystem *ref, const RefRow *row, uint32_t shaken) {
  Arena *arena = arena_new();
  double start[64];
  Structure s = structure_of(arena, ref, start);
  BalanceOptions o = options_of(row);
  if (!row->far) memcpy(start, s.place, s.nodes * s.dim * sizeof *start);
  for (uint32_t i = 0; i < s.nodes * s.dim; i++) start[i] *= 1 + 0x1p-52 * (double)((i * shaken) % 5);
  BalanceResult r = balance_find(arena, &s, start, &o);
  // strained bars leave 0.107 m on fig2; the matrix of penalties has lost its digits at the end
  double limit = o.method == balance_stiffness ? 0.25 : o.method == balance_penalty ? 1e-5 : 1e-6;
  double distance = distance_from(ref, &r);
  Reached out = {r.iterations, r.status == balance_found && distance < limit, distance};
  arena_free(arena);
  return out;
}

// Does the last place of the start decide how long it takes, or where it ends?
static bool is_chaotic(const RefSystem *ref, const RefRow *row) {
  uint32_t least = UINT32_MAX, most = 0, there = 0;
  for (uint32_t i = 1; i <= 12; i++) {
    Reached r = reach(ref, row, i);
    least = r.iterations < least ? r.iterations : least;
    most = r.iterations > most ? r.iterations : most;
    there += r.there;
  }
  return most - least > 2 || (there > 0 && there < 12);
}

static void methods_take_as_many_iterations_as_the_reference(void **state) {
  (void)state;
  uint32_t rows = 0, chaotic = 0;
  for (uint32_t k = 0; k < ref_count; k++) {
    for (uint32_t i = 0; i < ref_systems[k].rows; i++) {
      const RefRow *row = &ref_systems[k].row[i];
      if (row->iterations == 0) continue;
      rows++;
      Reached r = reach(&ref_systems[k], row, 0);
      if (r.there && abs((int)r.iterations - (int)row->iterations) <= 2) continue;
      // angles go on without jumps here; the reference takes each within half a turn of its rest, with which the row is
      // chaotic
      if (ref_systems[k].torsions && row->far) continue;
      chaotic++;
      bool excused = is_chaotic(&ref_systems[k], row);
      if (!excused)
        print_message("%s %s far %d %s: %u iterations instead of %u, %g off, chaotic: %d\n", ref_systems[k].name,
                      row->method, row->far, row->variant, r.iterations, row->iterations, r.distance, excused);
      assert_true(excused);
    }
  }
  assert_true(rows > 150);
  assert_true(chaotic <= 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_ends_in_the_reference_equilibrium),
      cmocka_unit_test(the_softest_direction_is_that_of_the_reduced_hessian),
      cmocka_unit_test(methods_take_as_many_iterations_as_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
