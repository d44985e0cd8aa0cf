// Systems rewritten for events: what is a delay, what is friction, what gets a mode.
#include "tests/support.h"

#include "sim/event_plan.h"

// The last value of the first output.
static double end_of(const char *text) {
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunSettings s = run_defaults();
  RunResult r = run_model(arena, &l->system, &s, NULL, &diags);
  if (r.message) print_error("%s\n", r.message);
  assert_int_equal(r.status, run_done);
  double value = r.final.values[0];
  arena_free(arena);
  unload(l);
  return value;
}

// Delays and frictions are told apart by what they are, whatever their number.
static void more_delays_than_16_bits_count_are_delays(void **state) {
  (void)state;
  double one = end_of("state x = 1\nstate v = 1\nlet d = delay(x, 0.1)\nx' = -d\nv' = friction(v, 0.5, 1)\n"
                      "output x + v\nsimulate to 0.3\n");
  double many =
      end_of("param n = 66000\nstate x = 1\nstate v = 1\nlet d[i] = delay(x, 0.1) for i in 1 .. n\nx' = -d[n]\n"
             "v' = friction(v, 0.5, 1)\noutput x + v\nsimulate to 0.3\n");
  assert_true(one == many);
}

static Rewriting rewrite(Loaded *l, System *s, ExprPool *pool, bool stepwise) {
  Rewriting w;
  assert_true(system_clone(s, &l->system, pool, l->arena));
  double params[8] = {0};
  assert_true(rewrite_system(&w, s, params, stepwise));
  return w;
}

static void functions_of_the_motion_get_modes_and_those_of_time_do_not(void **state) {
  (void)state;
  Loaded *l = load_text("state x = 1\nx' = abs(x) + sign(x) + step(t - 1) + max(x, 2)\nsimulate to 1\n");
  System s;
  ExprPool pool;
  assert_true(rewrite_needed(&l->system));
  Rewriting w = rewrite(l, &s, &pool, false);
  assert_int_equal(w.modes.count, 3); // abs, sign, max
  Rewriting plain = rewrite(l, &s, &pool, true);
  assert_int_equal(plain.modes.count, 0);
  unload(l);
}

static void one_guard_is_one_mode(void **state) {
  (void)state;
  Loaded *l = load_text("state x = 1\nstate n\nx' = -x\nn' = if(x > 0.5, 1, 2) + if(x > 0.5, 3, 4)\nsimulate to 1\n");
  System s;
  ExprPool pool;
  assert_int_equal(rewrite(l, &s, &pool, false).modes.count, 1);
  unload(l);
}

// A run of a system that was rewritten leaves the loaded one as it was.
static void the_loaded_system_stays_as_it_was(void **state) {
  (void)state;
  Loaded *l = load_text("state x = 1\nx' = -abs(x)\nsimulate to 1\n");
  System s;
  ExprPool pool;
  uint32_t nodes = l->system.pool->nodes.count, symbols = l->system.pool->symbols.count;
  ExprId value = l->system.definitions.items[0].value;
  Rewriting w = rewrite(l, &s, &pool, false);
  assert_int_equal(w.modes.count, 1);
  assert_int_equal(l->system.pool->nodes.count, nodes);
  assert_int_equal(l->system.pool->symbols.count, symbols);
  assert_int_equal(l->system.definitions.items[0].value, value);
  assert_true(s.definitions.items[0].value != value);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(more_delays_than_16_bits_count_are_delays),
      cmocka_unit_test(functions_of_the_motion_get_modes_and_those_of_time_do_not),
      cmocka_unit_test(one_guard_is_one_mode),
      cmocka_unit_test(the_loaded_system_stays_as_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
