// Rests that are known by hand, steady motions, and what is said where there is none.
#include "tests/unit/rest/opened.h"

// m g = k x: x = 2 * 10/5 = 4
static void a_hanging_mass_rests_where_the_spring_carries_it(void **state) {
  (void)state;
  Opened *x = open_text("coord x = 1\nkinetic x'^2\npotential 5*x^2/2 - 2*10*x\n");
  bool changed;
  assert_true(events_settle(&x->o, x->o.y, events_of_search, &changed));
  Equilibrium e = equilibrium_find(&x->o);
  assert_int_equal(e.status, equilibrium_rest);
  assert_true(fabs(at_name(x, e.y, "x") - 4) < 1e-12 && at_name(x, e.y, "x'") == 0);
  assert_int_equal(e.free, 0);
  close_text(x);
}

// Seventy masses in a row, each on its spring to the ground: x_i = i/2. Larger than what singular values are used for.
static void a_large_system_rests_by_reflections(void **state) {
  (void)state;
  Opened *x = open_text("param n = 70\ncoord x[i] for i in 1 .. n\nkinetic x[i]'^2/2 for i in 1 .. n\n"
                        "potential x[i]^2 - i*x[i] for i in 1 .. n\n");
  Equilibrium e = equilibrium_find(&x->o);
  assert_int_equal(e.status, equilibrium_rest);
  assert_true(fabs(at_name(x, e.y, "x[70]") - 35) < 1e-10 && fabs(at_name(x, e.y, "x[1]") - 0.5) < 1e-12);
  close_text(x);
}

// The same with a direction that nothing depends on: it stays where it began.
static void a_large_system_keeps_what_nothing_depends_on(void **state) {
  (void)state;
  Opened *x = open_text("param n = 70\ncoord x[i] for i in 1 .. n\ncoord z = 3\nkinetic x[i]'^2/2 for i in 1 .. n\n"
                        "kinetic z'^2/2\npotential x[i]^2 - i*x[i] for i in 1 .. n\n");
  Equilibrium e = equilibrium_find(&x->o);
  assert_int_equal(e.status, equilibrium_rest);
  assert_true(at_name(x, e.y, "z") == 3 && fabs(at_name(x, e.y, "x[2]") - 1) < 1e-12);
  assert_int_equal(e.free, 1);
  close_text(x);
}

// x'' = 1 - x'/4: no rest, x' = 4 for ever
static void a_driven_mass_comes_to_a_steady_motion(void **state) {
  (void)state;
  Opened *x = open_text("coord x\nkinetic x'^2/2\nforce x = 1 - x'/4\n");
  Equilibrium e = equilibrium_find(&x->o);
  assert_int_equal(e.status, equilibrium_steady);
  assert_true(fabs(at_name(x, e.y, "x'") - 4) < 1e-12);
  bool any = false;
  for (uint32_t at = 0; at < x->o.dim; at++) {
    assert_true(!e.moving[at] || operating_is_position(&x->o, at));
    any = any || e.moving[at];
  }
  assert_true(any);
  close_text(x);
}

static void what_never_rests_is_named(void **state) {
  (void)state;
  Opened *x = open_text("state s = 0\ns' = 1 + s^2\n");
  Equilibrium e = equilibrium_find(&x->o);
  assert_int_equal(e.status, equilibrium_none);
  assert_non_null(strstr(e.message, "s' is still 1"));
  close_text(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hanging_mass_rests_where_the_spring_carries_it),
      cmocka_unit_test(a_large_system_rests_by_reflections),
      cmocka_unit_test(a_large_system_keeps_what_nothing_depends_on),
      cmocka_unit_test(a_driven_mass_comes_to_a_steady_motion),
      cmocka_unit_test(what_never_rests_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
