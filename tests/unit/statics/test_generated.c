// Generated structures: `auto` from starts near a known equilibrium finds that one, from far ones a stable one; what it
// calls found is checked by sums and differences of its own. With a number as argument: so many systems, and a table
// beside the six methods.
#include "tests/support.h"

#include "tests/unit/statics/generated.h"

#include <stdlib.h>

static uint32_t systems = 40;
static bool table = false;

typedef struct Tally {
  uint32_t found, known, stable, claimed_false;
  double iterations;
} Tally;

static double distance(const Structure *s, const double *a, const double *b) {
  double most = 0;
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void attempt(const Generated *g, const double *start, BalanceMethod method, Tally *tally) {
  Arena *arena = arena_new();
  BalanceOptions o = balance_defaults(method);
  BalanceResult r = balance_find(arena, &g->s, start, &o);
  if (r.status == balance_found) {
    double within = method == balance_stiffness ? 0.05 * g->typical : 1e-6 * g->typical;
    Checked c = check_equilibrium(&g->s, r.x, r.bar_force);
    tally->found++;
    tally->known += distance(&g->s, r.x, g->s.place) < within;
    tally->stable += c.stable;
    tally->iterations += r.iterations;
    // forces here are of the order of a hundred newton, lengths of a metre
    bool wrong = c.force > 1e-6 || c.length > 1e-9 || c.stable != (r.verdict == balance_stable);
    if (method == balance_auto && wrong) {
      print_message("seed %llu: force %g length %g stable %d, verdict %d\n", (unsigned long long)g->seed, c.force,
                    c.length, c.stable, r.verdict);
      tally->claimed_false++;
    }
  } else if (method == balance_auto) print_message("seed %llu: status %d\n", (unsigned long long)g->seed, r.status);
  arena_free(arena);
}

static const char *const names[] = {"auto",       "lagrange",   "penalty",      "stiffness",
                                    "alm-direct", "alm-linear", "alm-quadratic"};

static Tally run_all(double by, BalanceMethod method) {
  Tally tally = {0};
  for (uint32_t k = 0; k < systems; k++) {
    Arena *arena = arena_new();
    Generated g = generate(arena, k);
    double start[generated_most];
    start_from(&g, by, k, start);
    attempt(&g, start, method, &tally);
    arena_free(arena);
  }
  return tally;
}

static void show(const char *start, double by, BalanceMethod method, const Tally *t) {
  if (!table) return;
  printf("  %-4s %.2f  %-14s found %4u of %u, stable %4u, the known one %4u, %5.1f iterations\n", start, by,
         names[method], t->found, systems, t->stable, t->known, t->found ? t->iterations / t->found : 0);
}

static void near_starts_end_in_the_known_equilibrium(void **state) {
  (void)state;
  Tally t = run_all(0.01, balance_auto);
  show("near", 0.01, balance_auto, &t);
  assert_int_equal(t.claimed_false, 0);
  assert_int_equal(t.stable, systems);
  assert_int_equal(t.known, systems);
}

static void far_starts_end_in_a_stable_equilibrium(void **state) {
  (void)state;
  for (double by = 0.3; by < 2; by *= 2) {
    Tally t = run_all(by, balance_auto);
    show("far", by, balance_auto, &t);
    assert_int_equal(t.claimed_false, 0);
    assert_true(t.stable >= 0.99 * systems);
  }
}

static void the_six_methods_beside(void **state) {
  (void)state;
  for (int m = 1; table && m < balance_method_count; m++) {
    Tally near = run_all(0.01, (BalanceMethod)m), far = run_all(0.6, (BalanceMethod)m);
    show("near", 0.01, (BalanceMethod)m, &near);
    show("far", 0.6, (BalanceMethod)m, &far);
  }
}

int main(int count, char **args) {
  if (count > 1) {
    systems = (uint32_t)atoi(args[1]);
    table = true;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(near_starts_end_in_the_known_equilibrium),
      cmocka_unit_test(far_starts_end_in_a_stable_equilibrium),
      cmocka_unit_test(the_six_methods_beside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
