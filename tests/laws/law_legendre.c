// Laws of momenta that are not linear in velocities, and of the balance of energy with constraints and across events:
// closed forms, orders, one step as a symplectic map, time reversal. Each has a broken twin, or its value from
// elsewhere.
#include "tests/laws/mover.h"

static RunResult run_text(const char *text, RunSettings settings, double *final, uint32_t count) {
  RunResult r = one_run(text, settings, NULL, final, count);
  assert_int_equal(r.status, run_done);
  return r;
}

static RunSettings with(const char *method, double step, double to) {
  RunSettings s = run_defaults();
  s.method = method;
  s.step = step;
  s.to = s.every = to;
  return s;
}

static RunSettings tight(double to) {
  RunSettings s = run_defaults();
  s.method = "dop853";
  s.rtol = 1e-13;
  s.to = s.every = to;
  return s;
}

// ---- closed forms

// Hyperbolic motion: x = m c^2/F (sqrt(1 + (F t/(m c))^2) - 1), v = F t/m / sqrt(1 + (F t/(m c))^2)
static void a_relativistic_particle_falls_as_a_hyperbola(void **state) {
  (void)state;
  const char *text = "param m = 2, c = 3, F = 4\ncoord x\nlagrangian -m*c^2*sqrt(1 - x'^2/c^2)\npotential -F*x\n"
                     "output x, x'\n";
  const double m = 2, c = 3, F = 4, t = 5, w = F * t / (m * c);
  const double x = m * c * c / F * (sqrt(1 + w * w) - 1), v = F * t / m / sqrt(1 + w * w);
  static const struct {
    const char *name;
    int order;
    double step;
  } all[] = {{"gauss4", 4, 0.25}, {"gauss6", 6, 0.5}, {"gauss8", 8, 0.3125}};
  double end[2];
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    double coarse[2], fine[2];
    run_text(text, with(all[i].name, all[i].step, t), coarse, 2);
    run_text(text, with(all[i].name, all[i].step / 2, t), fine, 2);
    run_text(text, with(all[i].name, 0.01, t), end, 2);
    double order = log2(fabs(coarse[0] - x) / fabs(fine[0] - x));
    print_message("%s: off %.1e, order %.2f\n", all[i].name, fabs(end[0] - x), order);
    assert_true(fabs(order - all[i].order) < 0.4);
    assert_true(fabs(end[0] - x) < 1e-11 && fabs(end[1] - v) < 1e-12);
  }
  // p grows by F t, so a method that keeps the energy is exact with any step
  const char *kept[] = {"conserve2", "conserve", "conserve6"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    assert_true(run_text(text, with(kept[i], 0.1, t), end, 2).account.relative < 2e-14);
    assert_true(fabs(end[0] - x) < 1e-13 && fabs(end[1] - v) < 1e-13);
  }
  assert_true(run_text(text, with("rk4", 0.05, t), end, 2).account.relative > 1e-9);
}

#define OSCILLATOR                                                                                                     \
  "param m = 1, c = 1, k = 1\ncoord x = 1\nlagrangian -m*c^2*sqrt(1 - x'^2/c^2)\n"                                     \
  "potential 1/2*k*x^2\noutput x, x'\n"

// T = 4 integral of dx/v over a quarter; with x = A sin(s) and gamma = 1 + k A^2 cos(s)^2/(2 m c^2) the integrand is
// smooth and periodic, so that the trapezoidal rule has all digits.
static void a_relativistic_oscillator_has_its_period(void **state) {
  (void)state;
  const int n = 64;
  double T = 0, pi = acos(-1), end[2];
  for (int i = 0; i <= n; i++) {
    double s = pi / 2 * i / n, gamma = 1 + 0.5 * cos(s) * cos(s), f = gamma / (sqrt(0.5) * sqrt(gamma + 1));
    T += 4 * pi / 2 / n * f * (i == 0 || i == n ? 0.5 : 1);
  }
  run_text(OSCILLATOR, with("gauss8", T / 200, 10 * T), end, 2);
  print_message("period %.12g: off %.1e, %.1e\n", T, end[0] - 1, end[1]);
  assert_true(fabs(end[0] - 1) < 1e-12 && fabs(end[1]) < 1e-11 && fabs(T - 2 * pi) > 0.5);
}

static void line_integrals_have_their_order_in_curved_momenta(void **state) {
  (void)state;
  double best[2];
  run_text(OSCILLATOR, tight(3), best, 2);
  for (int order = 2; order <= 6; order += 2) {
    double coarse[2], fine[2], h = 0.025 * order;
    const char *method = order == 2 ? "conserve2" : order == 4 ? "conserve" : "conserve6";
    RunResult r = run_text(OSCILLATOR, with(method, h, 3), coarse, 2);
    run_text(OSCILLATOR, with(method, h / 2, 3), fine, 2);
    double found = log2(fabs(coarse[0] - best[0]) / fabs(fine[0] - best[0]));
    print_message("%s: off %.1e, order %.2f, energy %.1e\n", method, coarse[0] - best[0], found, r.account.relative);
    assert_true(fabs(found - order) < 0.4 && r.account.relative < 5e-14);
  }
}

// T = v^4/4: p = v^3, and M vanishes at rest, from where it starts and where it turns round. H = 3/4 p^(4/3) + x^2/2
// has no second derivative there, so that no method keeps its order; yet the motion is this one: period 4 sqrt(A)
// (3/2)^(1/4) integral of sqrt(cos(s)) from 0 to pi/2, which is sqrt(pi)/2 gamma(3/4)/gamma(5/4)
static void a_quartic_kinetic_energy_turns_round(void **state) {
  (void)state;
  const char *text = "coord x = 1\nkinetic 1/4*x'^4\npotential 1/2*x^2\noutput x, x'\n";
  double T = 4 * pow(1.5, 0.25) * sqrt(acos(-1)) / 2 * tgamma(0.75) / tgamma(1.25), end[2], before = 1;
  for (int i = 1; i <= 3; i++) {
    RunResult r = run_text(text, with("gauss4", T / 2 / pow(10, i + 1), T / 2), end, 2);
    print_message("half a period: off %.1e, energy %.1e\n", end[0] + 1, r.account.relative);
    assert_true(fabs(end[0] + 1) < 0.2 * before);
    before = fabs(end[0] + 1);
  }
  assert_true(before < 1e-5);
}

// Which units velocities have changes nothing: steps so large that the guess is far off.
static void small_units_have_the_same_motion(void **state) {
  (void)state;
  double end[2][2];
  for (int i = 0; i < 2; i++) {
    const char *text =
        i ? "param s = 1e-12\ncoord x = s\nkinetic 1/2*x'^2 + 5*x'^4/s^2\npotential 1/2*x^2\noutput x, x'\n"
          : "param s = 1\ncoord x = s\nkinetic 1/2*x'^2 + 5*x'^4/s^2\npotential 1/2*x^2\noutput x, x'\n";
    run_text(text, with("gauss8", 0.5, 20), end[i], 2);
  }
  assert_true(fabs(end[1][0] * 1e12 - end[0][0]) < 1e-9 && fabs(end[1][1] * 1e12 - end[0][1]) < 1e-9);
}

// verlet in (q, p): order 2, and no energy is lost with time
static void verlet_takes_momenta_where_they_are_separable(void **state) {
  (void)state;
  const char *models[] = {OSCILLATOR, "coord x = 1\nkinetic 1/2*(2 + cos(t))*x'^2\npotential 1/4*x^4\noutput x, x'\n"};
  for (size_t i = 0; i < 2; i++) {
    double best[2], coarse[2], fine[2];
    run_text(models[i], tight(5), best, 2);
    run_text(models[i], with("verlet", 0.02, 5), coarse, 2);
    run_text(models[i], with("verlet", 0.01, 5), fine, 2);
    assert_true(fabs(log2(fabs(coarse[0] - best[0]) / fabs(fine[0] - best[0])) - 2) < 0.1);
  }
  double end[2], first = run_text(OSCILLATOR, with("verlet", 0.02, 20), end, 2).account.relative,
                 last = run_text(OSCILLATOR, with("verlet", 0.02, 2000), end, 2).account.relative;
  print_message("verlet: energy %.2e after 20 s, %.2e after 2000 s\n", first, last);
  assert_true(last < 1.05 * first && last < 1e-3);
}

// ---- several momenta together

// A charge in a plane, in a magnetic field: p = gamma v + A
#define CHARGE                                                                                                         \
  "param c = 2, B = 0.7\ncoord x = 1, y = 0\ninit y' = 1.2\nlagrangian -c^2*sqrt(1 - (x'^2 + y'^2)/c^2)\n"             \
  "lagrangian B/2*(x*y' - y*x')\npotential 1/4*(x^4 + y^4) + x*y/5\noutput x, y, x', y'\n"
// Two coils with one core: fluxes i1 + (i1 + i2)^3 and 2 i2 + (i1 + i2)^3
#define COILS                                                                                                          \
  "coord q = 1, r = 0\nkinetic 1/2*q'^2 + r'^2 + 1/4*(q' + r')^4\npotential 1/2*q^2 + 1/3*r^2 + q^4/4\n"               \
  "output q, r, q', r'\n"

static void coupled_momenta_move_as_velocities_do(void **state) {
  (void)state;
  const char *all[] = {CHARGE, COILS, CHARGE "dissipation 0.1*x'^2 + 0.05*y'^4\nforce y = sin(2*t)\n"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    double best[4], got[4];
    run_text(all[i], tight(6), best, 4);
    RunResult r = run_text(all[i], with("gauss8", 0.02, 6), got, 4);
    for (int k = 0; k < 4; k++) assert_true(fabs(got[k] - best[k]) < 2e-12);
    r = run_text(all[i], with("conserve", 0.02, 6), got, 4);
    print_message("conserve: off %.1e, balance %.1e\n", fabs(got[0] - best[0]), r.account.relative);
    assert_true(fabs(got[0] - best[0]) < 1e-5 && r.account.relative < 5e-14);
  }
}

static void charge_momenta(double *y) {
  double gamma = 1 / sqrt(1 - (y[2] * y[2] + y[3] * y[3]) / 4);
  y[2] = gamma * y[2] - 0.35 * y[1];
  y[3] = gamma * y[3] + 0.35 * y[0];
}
static void charge_velocities(double *y) {
  double a = y[2] + 0.35 * y[1], b = y[3] - 0.35 * y[0], gamma = sqrt(1 + (a * a + b * b) / 4);
  y[2] = a / gamma;
  y[3] = b / gamma;
}

static double off_charge(const char *method) {
  return off_omega(CHARGE, method, (double[]){1, 0.5, 0.6, -0.4}, charge_velocities, charge_momenta);
}

static void a_step_is_symplectic_in_curved_momenta(void **state) {
  (void)state;
  print_message("gauss4 %.1e, gauss8 %.1e, rk4 %.1e\n", off_charge("gauss4"), off_charge("gauss8"), off_charge("rk4"));
  assert_true(off_charge("gauss4") < 1e-9 && off_charge("gauss8") < 1e-9 && off_charge("rk4") > 1e-7);
}

// There, and back with velocities turned round: how far from the start. n: coordinates
static double way_back(const char *text, const char *method, double step, double to, const double *start, uint32_t n) {
  double z[8], worst = 0;
  Mover m = mover_new(text, method, step, to);
  mover_go(&m, start, to, z, 2 * n);
  for (uint32_t i = n; i < 2 * n; i++) z[i] = -z[i];
  mover_go(&m, z, to, z, 2 * n);
  for (uint32_t i = 0; i < 2 * n; i++) worst = fmax(worst, fabs(z[i] - (i < n ? start[i] : -start[i])));
  mover_free(&m);
  return worst;
}

#define POINTS                                                                                                         \
  "param g = 9.81\ncoord x = 0.6, y = -0.8, u = 1.4, w = -1.4\nkinetic 1/2*(x'^2 + y'^2 + u'^2 + w'^2)\n"              \
  "potential g*(y + w)\nconstraint a: x^2 + y^2 = 1\nconstraint b: (u - x)^2 + (w - y)^2 = 1\n"                        \
  "output x, y, u, w, x', y', u', w'\n"
#define FREE_CHARGE                                                                                                    \
  "param c = 2\ncoord x = 1, y = 0\ninit y' = 1.2\nlagrangian -c^2*sqrt(1 - (x'^2 + y'^2)/c^2)\n"                      \
  "potential 1/4*(x^4 + y^4) + x*y/5\noutput x, y, x', y'\n"

static void time_can_be_turned_round(void **state) {
  (void)state;
  static const double charge[4] = {1, 0, 0, 1.2}, points[8] = {0.6, -0.8, 1.4, -1.4};
  const char *all[] = {"gauss4", "gauss8", "conserve"};
  for (size_t i = 0; i < 3; i++) {
    double one = way_back(FREE_CHARGE, all[i], 0.05, 5, charge, 2), two = way_back(POINTS, all[i], 0.02, 1, points, 4);
    print_message("%s: %.1e, with constraints %.1e\n", all[i], one, two);
    assert_true(one < 1e-12 && two < 1e-12);
  }
  assert_true(way_back(FREE_CHARGE, "verlet", 0.05, 5, charge, 2) < 1e-12);
  assert_true(way_back(FREE_CHARGE, "rk4", 0.05, 5, charge, 2) > 1e-7);
  assert_true(way_back(POINTS, "rk4", 0.02, 1, points, 4) > 1e-8);
}

// ---- the balance with constraints

// A moving wire works on its bead; a skate is bound in its velocity alone; a relativistic bead
#define WIRE                                                                                                           \
  "param w = 3\ncoord x = 1, y = 1\ninit x' = 0.3\nkinetic 1/2*(x'^2 + y'^2)\npotential 9.81*y\n"                      \
  "constraint wire: y = x^2*(1 + 0.2*sin(w*t))\ndissipation 0.02*x'^2\noutput x, y\n"
#define SKATE                                                                                                          \
  "coord x, y, a\ninit x' = 1, a' = 1.3\nkinetic 1/2*(x'^2 + y'^2) + 0.15*a'^2\npotential -4*x\n"                      \
  "constraint skate: x'*sin(a) - y'*cos(a) = 0\noutput x, y\n"
#define BEAD                                                                                                           \
  "param c = 4\ncoord x = 1, y = 0\nlagrangian -c^2*sqrt(1 - (x'^2 + y'^2)/c^2)\npotential 3*y\n"                      \
  "constraint ring: x^2 + y^2 = 1\noutput x, y\n"
#define DAMPED_POINTS POINTS "dissipation 0.05*(u'^2 + w'^2)\nforce u = sin(2*t)\n"

static double off(const char *text, const char *method, double step, const double *best, double *balance) {
  double got[2];
  RunResult r = run_text(text, with(method, step, 2), got, 2);
  assert_true(r.constraints.position < 1e-13 && r.constraints.velocity < 1e-13);
  *balance = fmax(*balance, r.account.relative);
  return hypot(got[0] - best[0], got[1] - best[1]);
}

// The energy is exact, and places are as exact as the order says: nothing is merely scaled back.
static void the_balance_is_exact_with_constraints(void **state) {
  (void)state;
  const char *models[] = {POINTS, DAMPED_POINTS, WIRE, SKATE, BEAD};
  static const struct {
    const char *name;
    int order;
    double step;
  } methods[] = {{"conserve2", 2, 0.01}, {"conserve", 4, 0.02}, {"conserve6", 6, 0.025}};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    double best[2];
    run_text(models[i], tight(2), best, 2);
    for (size_t k = 0; k < 3; k++) {
      double balance = 0, h = methods[k].step, coarse = off(models[i], methods[k].name, h, best, &balance),
             fine = off(models[i], methods[k].name, h / 2, best, &balance), order = log2(coarse / fine);
      print_message("model %d, %s: off %.1e, order %.2f, balance %.1e\n", (int)i, methods[k].name, coarse, order,
                    balance);
      assert_true(balance < 5e-14);
      assert_true(fabs(order - methods[k].order) < 0.5 || fine < 1e-12);
    }
    double gauss = 0, beside = 0;
    assert_true(off(models[i], "conserve", 0.02, best, &beside) < 20 * off(models[i], "gauss4", 0.02, best, &gauss));
    assert_true(gauss > 1e-11); // the twin
  }
}

// Twenty times as long: no more energy is lost, and places are off by as much as time went on, not by its square.
static void nothing_is_lost_with_time(void **state) {
  (void)state;
  const char *pendulum = "coord x = 0.8, y = -0.6\nkinetic 1/2*(x'^2 + y'^2)\npotential 9.81*y\n"
                         "constraint rod: x^2 + y^2 = 1\noutput x, y\n";
  double best[2], got[2], error[2];
  for (int i = 0; i < 2; i++) {
    double to = i ? 200 : 10;
    run_text(pendulum, tight(to), best, 2);
    RunResult r = run_text(pendulum, with("conserve", 0.02, to), got, 2);
    error[i] = hypot(got[0] - best[0], got[1] - best[1]);
    print_message("after %g s: off %.1e, energy %.1e\n", to, error[i], r.account.relative);
    assert_true(r.account.relative < 2e-14);
  }
  assert_true(error[1] < 60 * error[0]);
}

// ---- the balance across events

static void the_balance_is_exact_across_events(void **state) {
  (void)state;
  // a buffer, a damper that acts on one side, a blow, dry friction that holds, a past
  const char *all[] = {
      "coord a = 2, b = 0.5\nlet P = [sin(a), -cos(a)], Q = P + [sin(b), -cos(b)]\n"
      "kinetic 1/2*|P'|^2 + 1/2*|Q'|^2\npotential 9.81*(P.y + Q.y) + 25*max(a - 0.3, 0)^2\n"
      "dissipation 0.1*a'^2*(1 + sign(b))\nforce b = -0.3*b'*abs(b')\noutput a, b\n",
      POINTS "dissipation 0.05*(u'^2 + w'^2)\nwhen u < 0 do u' := -0.8*u'\nforce x = -2*max(x, 0)*x'\n",
      "coord x, th = 2\nlet P = [x + sin(th), -cos(th)]\nkinetic 1/2*x'^2 + 1/2*|P'|^2\npotential 9.81*P.y + 20*x^2\n"
      "force x = -friction(x', 6)\ndissipation 0.3*th'^2\noutput x, th\n",
      "coord a = 1, b = 0.3\nkinetic 1/2*a'^2*(1 + b^2) + 1/2*b'^2\npotential 1/2*(a^2 + b^2) + a*b^3\n"
      "force a = -0.3*delay(b, 0.2)\ndissipation 0.1*a'^2\noutput a, b\n",
      FREE_CHARGE "potential 5*max(x - 0.2, 0)^2\ndissipation 0.1*max(x, 0)*x'^2\n"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    double best[2], got[2];
    run_text(all[i], tight(3), best, 2);
    RunResult r = run_text(all[i], with("conserve", 0.01, 3), got, 2);
    print_message("events %d: %d, off %.1e, balance %.1e\n", (int)i, (int)r.events.count,
                  hypot(got[0] - best[0], got[1] - best[1]), r.account.relative);
    assert_true(r.events.count > 0 && fabs(r.account.dissipated) > 1e-3);
    assert_true(r.account.relative < 3e-14 && hypot(got[0] - best[0], got[1] - best[1]) < 1e-5);
    assert_true(run_text(all[i], with("gauss4", 0.01, 3), got, 2).account.relative > 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_relativistic_particle_falls_as_a_hyperbola),
      cmocka_unit_test(a_relativistic_oscillator_has_its_period),
      cmocka_unit_test(line_integrals_have_their_order_in_curved_momenta),
      cmocka_unit_test(a_quartic_kinetic_energy_turns_round),
      cmocka_unit_test(small_units_have_the_same_motion),
      cmocka_unit_test(verlet_takes_momenta_where_they_are_separable),
      cmocka_unit_test(coupled_momenta_move_as_velocities_do),
      cmocka_unit_test(a_step_is_symplectic_in_curved_momenta),
      cmocka_unit_test(time_can_be_turned_round),
      cmocka_unit_test(the_balance_is_exact_with_constraints),
      cmocka_unit_test(nothing_is_lost_with_time),
      cmocka_unit_test(the_balance_is_exact_across_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
