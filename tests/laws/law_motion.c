// Laws of motion: energy, momentum, time reversal, and the energy account, each with a broken twin.
#include "tests/laws/one_run.h"

static RunResult run_text(const char *text, const RunSettings *settings, Table *table) {
  RunResult r = one_run(text, *settings, table, NULL, 0);
  assert_int_equal(r.status, run_done);
  return r;
}

#define DOUBLE_PENDULUM                                                                                                \
  "param m = 1, l = 1, g = 9.81\ncoord a = 1.5, b = -0.7\nlet P = [l*sin(a), -l*cos(a)]\n"                             \
  "let Q = P + [l*sin(b), -l*cos(b)]\nkinetic 1/2*m*|P'|^2 + 1/2*m*|Q'|^2\npotential m*g*P.y + m*g*Q.y\n"

static void double_pendulum_keeps_its_energy(void **state) {
  (void)state;
  RunSettings s = run_defaults();
  s.to = 10;
  RunResult good = run_text(DOUBLE_PENDULUM, &s, NULL);
  assert_true(good.account.relative < 1e-8);
  // broken twin: a coarse method does not
  s.method = "euler";
  s.step = 0.01;
  RunResult bad = run_text(DOUBLE_PENDULUM, &s, NULL);
  assert_true(bad.account.relative > 1e-3);
}

static void the_account_closes_with_damping_inputs_and_time(void **state) {
  (void)state;
  // inputs in V and D, an explicit time, a force, a gyroscopic term, a state inside the potential
  const char *text = "coord x = 1, y = 0.2\ninit x' = 0.3\ninput u = sin(3*t)\nstate k = 2\nk' = -0.1*k\n"
                     "kinetic 1/2*(2 + cos(t))*x'^2 + 1/2*y'^2 + 0.3*x*y'\npotential 1/2*k*(x - u)^2 + 1/2*y^2*x^2\n"
                     "lagrangian 0.1*x'*y - t*y\ndissipation 1/2*0.2*(x' - u')^2 + 0.1*|y'|^3/3\nforce y = u - "
                     "0.5*y'\npower 0.3*x'*t\n";
  RunSettings s = run_defaults();
  s.to = 6;
  RunResult r = run_text(text, &s, NULL);
  assert_true(r.account.kept && r.account.relative < 1e-8);
  assert_true(fabs(r.account.dissipated) > 0.01 && fabs(r.account.supplied) > 0.01);
}

static void momentum_of_a_cyclic_coordinate_is_constant(void **state) {
  (void)state;
  const char *text =
      "param M = 2, m = 1, l = 0.5, g = 9.81\ncoord x, th = 1\ninit x' = 0.4\nlet P = [x + l*sin(th), l*cos(th)]\n"
      "kinetic 1/2*M*x'^2 + 1/2*m*|P'|^2\npotential m*g*P.y\n"
      "output p = (M + m)*x' + m*l*cos(th)*th', wrong = (M + m)*x'\n";
  RunSettings s = run_defaults();
  s.to = 5;
  s.every = 0.1;
  Table t = {0};
  run_text(text, &s, &t);
  double spread = 0, twin = 0;
  for (size_t i = 0; i < t.count; i++) {
    spread = fmax(spread, fabs(t.rows[i * t.width + 1] - t.rows[1]));
    twin = fmax(twin, fabs(t.rows[i * t.width + 2] - t.rows[2]));
  }
  assert_true(spread < 1e-8);
  assert_true(twin > 0.1);
  free(t.rows);
}

static void motion_can_be_reversed(void **state) {
  (void)state;
  RunSettings s = run_defaults();
  s.to = 2;
  s.every = 2;
  Table out = {0}, back = {0};
  run_text(DOUBLE_PENDULUM, &s, &out);
  const double *end = out.rows + out.width; // t, a, b, a', b'
  char text[2048];
  snprintf(text, sizeof text,
           "%s"
           "init a' = %.17g, b' = %.17g\n",
           DOUBLE_PENDULUM, -end[3], -end[4]);
  char *at = strstr(text, "a = 1.5, b = -0.7");
  char full[4096];
  snprintf(full, sizeof full, "%.*sa = %.17g, b = %.17g%s", (int)(at - text), text, end[1], end[2],
           at + strlen("a = 1.5, b = -0.7"));
  run_text(full, &s, &back);
  const double *home = back.rows + back.width;
  assert_true(fabs(home[1] - 1.5) < 1e-7 && fabs(home[2] + 0.7) < 1e-7);
  assert_true(fabs(end[1] - 1.5) > 1e-2); // it had moved
  free(out.rows);
  free(back.rows);
}

static void keeping_the_account_changes_no_bit(void **state) {
  (void)state;
  RunSettings s = run_defaults();
  s.to = 5;
  s.every = 0.5;
  Table plain = {0}, with = {0};
  run_text(DOUBLE_PENDULUM, &s, &plain);
  s.energy = true;
  run_text(DOUBLE_PENDULUM, &s, &with);
  for (size_t i = 0; i < plain.count; i++) {
    assert_memory_equal(plain.rows + i * plain.width, with.rows + i * with.width, plain.width * sizeof(double));
  }
  assert_int_equal(with.width, plain.width + 6);
  free(plain.rows);
  free(with.rows);
}

static void the_same_run_gives_the_same_bits(void **state) {
  (void)state;
  RunSettings s = run_defaults();
  s.to = 3;
  Table a = {0}, b = {0};
  run_text(DOUBLE_PENDULUM, &s, &a);
  run_text(DOUBLE_PENDULUM, &s, &b);
  assert_int_equal(a.count, b.count);
  assert_memory_equal(a.rows, b.rows, a.count * a.width * sizeof(double));
  free(a.rows);
  free(b.rows);
}

static void an_indefinite_mass_matrix_moves(void **state) {
  (void)state;
  // L = x' y' - x y: x'' = -x, y'' = -y
  RunSettings s = run_defaults();
  s.to = 4;
  s.every = 4;
  Table t = {0};
  run_text("coord x = 1, y = 2\nlagrangian x'*y' - x*y\n", &s, &t);
  assert_true(fabs(t.rows[t.width + 1] - cos(4)) < 1e-9);
  assert_true(fabs(t.rows[t.width + 2] - 2 * cos(4)) < 1e-9);
  free(t.rows);
}

static void a_singular_mass_matrix_moves_as_in_coordinates_where_it_shows(void **state) {
  (void)state;
  // s = x + y: only s has inertia, and x = s - y
  const char *hidden = "param m = 2\ncoord x = 1, y = -0.5\ninit x' = 0.3, y' = 0.4\nkinetic 1/2*m*(x' + y')^2\n"
                       "potential 3/2*x^2 + 1/4*y^4\ndissipation 1/4*x'^2 + 3/4*y'^2\ninput u = sin(t)\nforce y = "
                       "u\noutput x, y, x', y'\n";
  const char *shown =
      "param m = 2\ncoord s = 0.5, y = -0.5\ninit s' = 0.7\nkinetic 1/2*m*s'^2\n"
      "potential 3/2*(s - y)^2 + 1/4*y^4\ndissipation 1/4*(s' - y')^2 + 3/4*y'^2\ninput u = sin(t)\npower u*y'\n"
      "output x = s - y, y, x1 = s' - y', y'\n";
  // broken twin: another mass
  const char *twin =
      "param m = 2.1\ncoord s = 0.5, y = -0.5\ninit s' = 0.7\nkinetic 1/2*m*s'^2\n"
      "potential 3/2*(s - y)^2 + 1/4*y^4\ndissipation 1/4*(s' - y')^2 + 3/4*y'^2\ninput u = sin(t)\npower u*y'\n"
      "output x = s - y, y, x1 = s' - y', y'\n";
  const char *methods[] = {"dop853", "rodas"};
  for (int k = 0; k < 2; k++) {
    RunSettings s = run_defaults();
    s.to = 4;
    s.every = 0.5;
    s.method = methods[k];
    Table a = {0}, b = {0}, c = {0};
    RunResult r = run_text(hidden, &s, &a);
    run_text(shown, &s, &b);
    run_text(twin, &s, &c);
    double worst = 0, other = 0;
    for (size_t i = 0; i < a.count * a.width; i++) worst = fmax(worst, fabs(a.rows[i] - b.rows[i]));
    for (size_t i = 0; i < a.count * a.width; i++) other = fmax(other, fabs(a.rows[i] - c.rows[i]));
    assert_true(worst < 1e-9);
    assert_true(other > 1e-3);
    assert_true(r.account.relative < 1e-9);
    free(a.rows);
    free(b.rows);
    free(c.rows);
  }
}

static void the_combination_without_inertia_may_turn(void **state) {
  (void)state;
  const char *text = "coord x = 0.4, y = -0.5, z = 0.2\nkinetic (x' + sin(z)*y')^2 + 1/2*(z' + x')^2\n"
                     "potential 3/2*x^2 + 1/2*y^2 + z^2\ndissipation 1/2*x'^2 + 1/2*y'^2\n";
  RunSettings s = run_defaults();
  s.to = 5;
  RunResult r = run_text(text, &s, NULL);
  assert_true(r.account.relative < 1e-9 && r.account.dissipated > 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(double_pendulum_keeps_its_energy),
      cmocka_unit_test(the_account_closes_with_damping_inputs_and_time),
      cmocka_unit_test(momentum_of_a_cyclic_coordinate_is_constant),
      cmocka_unit_test(motion_can_be_reversed),
      cmocka_unit_test(keeping_the_account_changes_no_bit),
      cmocka_unit_test(the_same_run_gives_the_same_bits),
      cmocka_unit_test(an_indefinite_mass_matrix_moves),
      cmocka_unit_test(a_singular_mass_matrix_moves_as_in_coordinates_where_it_shows),
      cmocka_unit_test(the_combination_without_inertia_may_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
