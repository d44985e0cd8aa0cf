// Sums of a tape do not depend on the moment their terms were made: the same text with its terms written in another
// order has the same bits.
#include "tests/support.h"

#include "tape/tape.h"

#include <math.h>

enum { terms = 9 };

// Sums whose bits depend on their order: terms of one size, none of them a symbol, which is made before all sums.
static const char *const parts[terms] = {"sin(x1)", "cos(x2)",    "exp(x3)", "k*x1*x2",     "sin(x2)*x3",
                                         "x1/x3",   "sqrt(x2)*k", "x3^2*x1", "cos(x1 + x2)"};

static double sum_in_order(const uint32_t *order, const double *x) {
  Arena *arena = arena_new();
  Text text = text_in(arena);
  text_put(&text, "param k = 0.3\nstate x1 = 1, x2 = 1, x3 = 1\nx2' = 0\nx3' = 0\nx1' = ");
  for (uint32_t i = 0; i < terms; i++) text_printf(&text, "%s%s", i ? " + " : "", parts[order[i]]);
  Loaded *l = load_text(text_str(&text));
  arena_free(arena);
  SymbolId vars[3];
  for (uint32_t i = 0; i < 3; i++) vars[i] = l->model.states.items[i].x;
  const Tape *tape = tape_build(
      l->arena,
      &(TapeRequest){.system = &l->system, .vars = vars, .var_count = 3, .results = l->system.f, .result_count = 1});
  double *w = arena_array(l->arena, tape->slot_count, sizeof *w);
  w[0] = 0.3;
  tape_prepare(tape, w);
  for (uint32_t i = 0; i < 3; i++) tape_vars(tape, w)[i] = x[i];
  tape_eval(tape, w);
  double out = tape_result(tape, w, 0);
  unload(l);
  return out;
}

static void test_order(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int round = 0; round < 40; round++) {
    uint32_t order[terms], plain[terms];
    double x[3];
    for (uint32_t i = 0; i < terms; i++) order[i] = plain[i] = i;
    for (uint32_t i = terms; i-- > 1;) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      uint32_t k = (uint32_t)(seed >> 33) % (i + 1), swap = order[i];
      order[i] = order[k];
      order[k] = swap;
    }
    for (int i = 0; i < 3; i++) x[i] = 0.1 + 0.7 * i + 0.013 * round;
    double a = sum_in_order(plain, x), b = sum_in_order(order, x);
    assert_true(isfinite(a));
    assert_memory_equal(&a, &b, sizeof a);
  }
}

// The twin: added up as written, orders differ.
static void test_order_matters(void **state) {
  (void)state;
  double x[terms] = {1e8 * 0.137, 0.29 / 3, 0.0411, 0.0713, 0.177, 0.00123, 0.31, 0.77, 0.2}, forward = 0, backward = 0;
  for (int i = 0; i < terms; i++) forward += x[i];
  for (int i = terms; i-- > 0;) backward += x[i];
  assert_true(forward != backward);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_order_matters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
