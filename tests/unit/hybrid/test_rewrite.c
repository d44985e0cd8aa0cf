// Systems rewritten for events: what is a delay, what is friction, what gets a mode.
#include "tests/support.h"

#include "hybrid/event_plan.h"

// The last value of the first output. Without events by small steps of rk4.
static double end_by(const char *text, bool no_events) {
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunSettings s = run_defaults();
  s.no_events = no_events;
  if (no_events) {
    s.method = "rk4";
    s.step = 0.001;
  }
  RunResult r = run_model(arena, &l->system, &s, NULL, &diags);
  if (r.message) print_error("%s\n", r.message);
  assert_int_equal(r.status, run_done);
  double value = r.final.values[0];
  arena_free(arena);
  unload(l);
  return value;
}

static double end_of(const char *text) { return end_by(text, false); }

static void expect_end(const char *text, double expected) {
  for (int no_events = 0; no_events < 2; no_events++) {
    double found = end_by(text, no_events);
    if (!(fabs(found - expected) < 1e-10)) fail_msg("%.17g, not %.17g\n%s", found, expected, text);
  }
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

static void functions_of_the_motion_get_modes_and_so_do_those_of_time_beside_them(void **state) {
  (void)state;
  Loaded *l = load_text("state x = 1\nx' = abs(x) + sign(x) + step(t - 1) + max(x, 2)\nsimulate to 1\n");
  System s;
  ExprPool pool;
  assert_true(rewrite_needed(&l->system));
  Rewriting w = rewrite(l, &s, &pool, false);
  assert_int_equal(w.modes.count, 4); // abs, sign, step, max
  for (uint32_t i = 0; i < w.modes.count; i++)
    assert_true(w.modes.items[i].timed == (strcmp(w.modes.items[i].word, "step") == 0));
  Rewriting plain = rewrite(l, &s, &pool, true);
  assert_int_equal(plain.modes.count, 0);
  unload(l);
}

static void functions_of_time_alone_get_no_modes(void **state) {
  (void)state;
  Loaded *l = load_text("state x = 1\nx' = step(t - 1) - x\nsimulate to 2\n");
  assert_false(rewrite_needed(&l->system));
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

// The order of computation is that of what runs: a delay without length is its input, which may be computed later than
// what reads it, or from it.
static void a_delay_without_length_is_ordered_like_its_input(void **state) {
  (void)state;
  // y' = x/2 - y, x' = -x + y'/2
  double w = sqrt(15) / 8;
  expect_end("param T = 0\nstate x = 1\nstate y = 1\nx' = -x + 0.5*delay(y', T)\ny' = -y + 0.5*x\noutput x\n"
             "simulate to 1\n",
             exp(-7.0 / 8) * (cos(w) - 3 / sqrt(15) * sin(w)));
  // a circle: x' = -x + x'/2
  expect_end("param T = 0\nstate x = 1\nx' = -x + 0.5*delay(x', T)\noutput x\nsimulate to 1\n", exp(-2));
}

// a = -(1 + a)/10 while it slides
static void friction_may_depend_on_accelerations(void **state) {
  (void)state;
  expect_end("coord x = 0\ninit x' = 1\nkinetic 1/2*x'^2\nforce x = friction(x', 0.1*(1 + x''), 0.2)\noutput x\n"
             "simulate to 1\n",
             1 - 0.1 / 1.1 / 2);
}

// x' = -x + x'
static void what_such_a_circle_does_not_determine_is_refused(void **state) {
  (void)state;
  Loaded *l = load_text("param T = 0\nstate x = 1\nx' = -x + delay(x', T)\nsimulate to 1\n");
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunSettings s = run_defaults();
  uint32_t before = l->model.diags.list.count;
  RunResult r = run_model(arena, &l->system, &s, NULL, &diags);
  assert_int_equal(r.status, run_failed);
  assert_string_equal(r.message, "these equations do not determine `x'`: they fix 0 of 1");
  assert_int_equal(l->model.diags.list.count, before);
  arena_free(arena);
  unload(l);
}

// In an equation of first order a corner belongs to the function of the velocity that is inverted: v + 2 |v| v rises
// throughout, and its branch v + 2 v^2 does not. So what is solved for what is found before functions get their modes.
// With p = -v: p + 2 p^2 = x, and ln p + 4 p falls by t.
static void corners_of_an_equation_of_first_order_stay_in_it(void **state) {
  (void)state;
  double p = end_of("coord x = 1\nstate y = 1\npotential 1/2*x^2\nforce x = -x' - 2*abs(x')*x'\n"
                    "y' = -sign(y - 0.5)\noutput -x'\nsimulate to 3\n");
  assert_true(fabs(log(p) + 4 * p - (log(0.5) + 2 - 3)) < 1e-10);
}

// x' + 0.3 sign(x') + x = 0: it creeps towards 0.3 and stays there. The slope of the sign is zero, which does not make
// the equation a linear one.
static void what_jumps_in_a_velocity_is_not_linear_in_it(void **state) {
  (void)state;
  double x = end_of("coord x = 1\npotential 1/2*x^2\nforce x = -x' - 0.3*sign(x')\noutput x\nsimulate to 5\n");
  assert_true(fabs(x - (0.3 + 0.7 * exp(-5))) < 1e-9);
  x = end_of("coord x = 0.2\npotential 1/2*x^2\nforce x = -x' - 0.3*sign(x')\noutput x\nsimulate to 5\n");
  assert_true(fabs(x - 0.2) < 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(more_delays_than_16_bits_count_are_delays),
      cmocka_unit_test(functions_of_the_motion_get_modes_and_so_do_those_of_time_beside_them),
      cmocka_unit_test(functions_of_time_alone_get_no_modes),
      cmocka_unit_test(one_guard_is_one_mode),
      cmocka_unit_test(the_loaded_system_stays_as_it_was),
      cmocka_unit_test(a_delay_without_length_is_ordered_like_its_input),
      cmocka_unit_test(friction_may_depend_on_accelerations),
      cmocka_unit_test(what_such_a_circle_does_not_determine_is_refused),
      cmocka_unit_test(corners_of_an_equation_of_first_order_stay_in_it),
      cmocka_unit_test(what_jumps_in_a_velocity_is_not_linear_in_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
