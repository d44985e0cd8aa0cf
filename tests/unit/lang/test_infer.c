// Dimensions that follow from units, energies and equations; checked against what a physicist writes down.
#include "tests/support.h"

static Loaded *l;

//                                  m  kg   s   A
static void dimension_is(const Dimension *d, int m, int kg, int s, int A) {
  assert_true(d->known);
  const int power[] = {m, kg, s, A};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(d->power[i].num, power[i]);
    assert_int_equal(d->power[i].den, 1);
  }
}

static const Dimension *param(const char *name) {
  for (uint32_t i = 0; i < l->model.params.count; i++) {
    if (strcmp(l->model.params.items[i].name, name) == 0) return &l->model.params.items[i].dim;
  }
  fail_msg("no parameter %s", name);
  return NULL;
}

static void a_stiffness_follows_from_its_energy(void **state) {
  (void)state;
  l = load_text("param m = 2 [kg], k, d\ncoord x [m]\nkinetic 1/2*m*x'^2\npotential 1/2*k*x^2\ndissipation 1/2*d*x'^2");
  dimension_is(param("k"), 0, 1, -2, 0); // N/m
  dimension_is(param("d"), 0, 1, -1, 0); // N s/m
  dimension_is(&l->model.energy_dim, 2, 1, -2, 0);
  unload(l);
}

static void an_angle_is_a_plain_number(void **state) {
  (void)state;
  l = load_text("param m = 1 [kg], g = 9.81 [m/s^2], l\ncoord th\nkinetic 1/2*m*l^2*th'^2\npotential -m*g*l*cos(th)");
  dimension_is(param("l"), 1, 0, 0, 0);
  dimension_is(&l->model.coords.items[0].dim, 0, 0, 0, 0);
  unload(l);
}

static void a_state_gives_a_resistance(void **state) {
  (void)state;
  l = load_text("param L = 1 [H], R\nstate i = 0 [A]\ninput u = 5 [V]\ni' = (u - R*i)/L");
  dimension_is(param("R"), 2, 1, -3, -2); // ohm
  unload(l);
}

static void blocks_keep_integrate_and_delay(void **state) {
  (void)state;
  l = load_text(
      "param lo, hi, T, a\ninput v = 1 [m/s]\nlet y = limit(integral(v), lo, hi)\nlet w = delay(y, T)\noutput "
      "z = w + a");
  dimension_is(param("lo"), 1, 0, 0, 0);
  dimension_is(param("T"), 0, 0, 1, 0);
  unload(l);
}

static uint32_t clashes(const char *text) {
  l = load_text(text);
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->model.diags.list.count; i++) count += l->model.diags.list.items[i].code == diag_units;
  unload(l);
  return count;
}

static void a_clash_is_seen_and_a_model_without_units_never_warned_of(void **state) {
  (void)state;
  assert_int_equal(clashes("param a = 1 [m], b = 2 [s]\nlet c = a + b\noutput c"), 1);
  assert_int_equal(clashes("param a = 1 [m], b = 2 [mm]\nlet c = a + b\noutput c"), 0);
  assert_int_equal(clashes("param a = 1 [m]\nlet c = sin(a)\noutput c"), 1);
  assert_int_equal(clashes("param a = 1 [m]\nlet c = max(a, 2 [s])\noutput c"), 1);
  assert_int_equal(clashes("param a = 1 [m]\nlet c = limit(a, 0, 1 [kg])\noutput c"), 1);
  assert_int_equal(clashes("coord x = 1\nkinetic 1/2*x'^2\npotential x + x^2 + sin(x)"), 0);
}

// y = integral(u - y): the integrand is m/s and y is m, so u = y T.
static void a_loop_through_an_integrator_is_inferred(void **state) {
  (void)state;
  l = load_text("param T\ninput u = 1 [m]\nlet e = u - y\nlet y = integral(e/T)\noutput y");
  dimension_is(param("T"), 0, 0, 1, 0);
  dimension_is(&l->model.states.items[0].dim, 1, 0, 0, 0);
  assert_false(l->model.units_cut);
  unload(l);
  // without units there is nothing to clash with, and nothing is too large
  l = load_text("let e = 1 - y\nlet y = integral(e)\noutput y");
  assert_int_equal(l->model.diags.list.count, 0);
  assert_false(l->model.units_cut);
  unload(l);
  // a vector that comes back to itself
  l = load_text("param u = [1 [m], 2 [m]]\nlet a = integral(e.x)\nlet b = integral(e.y)\n"
                "let e = u - [a, b]\noutput a");
  assert_false(l->model.units_cut);
  unload(l);
  assert_int_equal(clashes("input u = 1 [m]\nlet e = u - y\nlet y = integral(e)\noutput y"), 1);
  assert_int_equal(clashes("input u = 1 [m]\nlet e = u - y\nlet y = delay(e, 1)\noutput y"), 0);
}

// What is known of a name at the end counts, in whichever order the terms stand.
static void a_clash_of_time_is_seen_in_any_order(void **state) {
  (void)state;
  assert_int_equal(clashes("input u = 1 [m]\nstate y\ny' = u - y"), 1);
  assert_int_equal(clashes("input u = 1 [m]\nstate y\ny' = -y + u"), 1);
  assert_int_equal(clashes("input u = 1 [m]\nparam T\nstate y\ny' = (u - y)/T"), 0);
  assert_int_equal(clashes("input u = 1 [m]\nstate y\ny' = 3*(u - y)"), 0); // 3 may be 1/s
  assert_int_equal(clashes("input u = 1\nstate y\ny' = u - y"), 0);
}

static uint32_t clashes_of_force(const char *force) {
  char text[300];
  snprintf(text, sizeof text,
           "param m = 1 [kg], F = 2 [N], P = 3 [kW], S = 4 [N*s], w = 3 [rad/s], T = 2 [s]\ncoord x = 0 [m]\n"
           "let phase = w*t\nkinetic 1/2*m*x'^2\nforce x = %s",
           force);
  return clashes(text);
}

// Functions of time and logic are plain factors; alone they may have left out their amplitude.
static void a_factor_of_time_keeps_the_unit(void **state) {
  (void)state;
  const char *factors[] = {"sin(w*t)",   "sin(phase)", "exp(-t/T)",   "(1 - exp(-t/T))",     "step(t - 1)",
                           "sign(x')",   "(x > 1)",    "(not x > 1)", "latch(x > 1, x < 0)", "pulse(x > 1, 2)",
                           "sin(w*t)^2", "tanh(t/T)",  "cos(2*t)",    "(t > 1 and x > 2)"};
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
    char good[80], bad[80];
    snprintf(good, sizeof good, "F*%s", factors[i]);
    snprintf(bad, sizeof bad, "P*%s", factors[i]);
    assert_int_equal(clashes_of_force(good), 0);
    assert_int_equal(clashes_of_force(bad), 1);
    assert_int_equal(clashes_of_force(factors[i]), 0);
  }
  // an impulse has the area 1: per second
  assert_int_equal(clashes_of_force("S*impulse(t - 1)"), 0);
  assert_int_equal(clashes_of_force("F*impulse(t - 1)"), 1);
  assert_int_equal(clashes_of_force("impulse(t - 1)"), 0);
}

// A parameter that is a bare number fits any unit, wherever it is used first.
static void a_bare_number_fits(void **state) {
  (void)state;
  l = load_text("param k = 100, m = 2 [kg], spare = 7\ncoord x [m]\nkinetic 1/2*m*x'^2\npotential 1/2*k*x^2");
  dimension_is(param("k"), 0, 1, -2, 0);
  assert_false(param("spare")->known);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_stiffness_follows_from_its_energy),
                                     cmocka_unit_test(an_angle_is_a_plain_number),
                                     cmocka_unit_test(a_state_gives_a_resistance),
                                     cmocka_unit_test(blocks_keep_integrate_and_delay),
                                     cmocka_unit_test(a_clash_is_seen_and_a_model_without_units_never_warned_of),
                                     cmocka_unit_test(a_loop_through_an_integrator_is_inferred),
                                     cmocka_unit_test(a_clash_of_time_is_seen_in_any_order),
                                     cmocka_unit_test(a_factor_of_time_keeps_the_unit),
                                     cmocka_unit_test(a_bare_number_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
