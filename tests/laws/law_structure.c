// Laws of methods that keep structure, on models: energy, one step as a symplectic map in (q, p), momenta, the account,
// constraints, events. Each has a broken twin, or its value from elsewhere.
#include "tests/laws/mover.h"

// final: the values of the last row, as many as asked for
static RunResult run_text(const char *text, RunSettings settings, Table *table, double *final, uint32_t count) {
  RunResult r = one_run(text, settings, table, final, count);
  assert_int_equal(r.status, run_done);
  return r;
}

static RunSettings with(const char *method, double step, double to, double every) {
  RunSettings s = run_defaults();
  s.method = method;
  s.step = step;
  s.to = to;
  s.every = every;
  return s;
}

#define DOUBLE_PENDULUM                                                                                                \
  "param m = 1, l = 1, g = 9.81\ncoord a = 1, b = 0.5\nlet P = [l*sin(a), -l*cos(a)]\n"                                \
  "let Q = P + [l*sin(b), -l*cos(b)]\nkinetic 1/2*m*|P'|^2 + 1/2*m*|Q'|^2\npotential m*g*P.y + m*g*Q.y\n"

// ---- energy over long times

// Exponent of the growth of the largest error so far, over pieces of equal length.
static double exponent(const double *residue, size_t width, size_t count, size_t column) {
  double x0 = 0, z0 = 0, xz = 0, xx = 0, most = 1e-17;
  for (int pass = 0; pass < 2; pass++) {
    most = 1e-17;
    for (size_t i = 1; i < count; i++) {
      most = fmax(most, fabs(residue[i * width + column]));
      double x = log((double)i), z = log(most);
      if (pass == 0) {
        x0 += x / (double)(count - 1);
        z0 += z / (double)(count - 1);
      } else {
        xz += (x - x0) * (z - z0);
        xx += (x - x0) * (x - x0);
      }
    }
  }
  return xz / xx;
}

static double drift(const char *method, double *relative) {
  RunSettings s = with(method, 0.01, 2000, 20);
  Table table = {0};
  s.energy = true;
  RunResult r = run_text(DOUBLE_PENDULUM, s, &table, NULL, 0);
  *relative = r.account.relative;
  double e = exponent(table.rows, table.width, table.count, table.width - 1);
  free(table.rows);
  return e;
}

// 200000 steps; ten million are in tests/long
static void energy_does_not_drift(void **state) {
  (void)state;
  double gauss, classic, e = drift("gauss8", &gauss), twin = drift("rk4", &classic);
  print_message("gauss8: %.1e, exponent %.2f; rk4: %.1e, exponent %.2f\n", gauss, e, classic, twin);
  assert_true(gauss < 5e-14 && e < 0.75);
  assert_true(classic > 1e-6 && twin > 0.8);
}

// ---- one step in (q, p)

// M of the pendulum with m = l = 1
static void to_momenta(double *y) {
  double c = cos(y[0] - y[1]), p = 2 * y[2] + c * y[3], q = c * y[2] + y[3];
  y[2] = p;
  y[3] = q;
}
static void to_velocities(double *y) {
  double c = cos(y[0] - y[1]), det = 2 - c * c, v = (y[2] - c * y[3]) / det, w = (2 * y[3] - c * y[2]) / det;
  y[2] = v;
  y[3] = w;
}

static double off_pendulum(const char *method, bool momenta) {
  return off_omega(DOUBLE_PENDULUM, method, (double[]){1, 0.5, 2, -1}, momenta ? to_velocities : NULL,
                   momenta ? to_momenta : NULL);
}

// In velocities the same map is not symplectic: nor is rk4 in momenta.
static void a_step_is_symplectic_in_momenta(void **state) {
  (void)state;
  assert_true(off_pendulum("gauss4", true) < 1e-8 && off_pendulum("gauss8", true) < 1e-8);
  assert_true(off_pendulum("gauss4", false) > 1e-3 && off_pendulum("rk4", true) > 1e-7);
}

// ---- momenta

#define CART                                                                                                           \
  "param M = 2, m = 1, l = 0.5, g = 9.81\ncoord x, th = 1\ninit x' = 0.4\nlet P = [x + l*sin(th), -l*cos(th)]\n"       \
  "kinetic 1/2*M*x'^2 + 1/2*m*|P'|^2\npotential m*g*P.y\noutput p = (M + m)*x' + m*l*cos(th)*th'\n"

static void the_momentum_of_a_cyclic_coordinate_is_kept(void **state) {
  (void)state;
  double p;
  const double before = 3 * 0.4;
  const char *kept[] = {"gauss4", "gauss8", "gauss12", "conserve"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    run_text(CART, with(kept[i], 0.02, 100, 100), NULL, &p, 1);
    assert_true(fabs(p - before) < 2e-14);
  }
  run_text(CART, with("rk4", 0.02, 100, 100), NULL, &p, 1);
  assert_true(fabs(p - before) > 1e-7);
}

// ---- the account

// inputs in V and D, an explicit time, a force, a gyroscopic term, a state inside the potential
static const char driven[] =
    "coord x = 1, y = 0.2\ninit x' = 0.3\ninput u = sin(3*t)\nstate k = 2\nk' = -0.1*k\n"
    "kinetic 1/2*(2 + cos(t))*x'^2 + 1/2*y'^2 + 0.3*x*y'\npotential 1/2*k*(x - u)^2 + 1/2*y^2*x^2\n"
    "lagrangian 0.1*x'*y - t*y\ndissipation 1/2*0.2*(x' - u')^2 + 0.1*y'^4\nforce y = u - 0.5*y'\npower 0.3*x'*t\n"
    "output x, y\n";

static void driven_motion_is_that_of_others(void **state) {
  (void)state;
  double best[2], got[2];
  RunSettings s = run_defaults();
  s.to = s.every = 6;
  RunResult r = run_text(driven, s, NULL, best, 2);
  const char *all[] = {"gauss8", "gauss12"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    r = run_text(driven, with(all[i], 0.02, 6, 6), NULL, got, 2);
    assert_true(fabs(got[0] - best[0]) < 1e-9 && fabs(got[1] - best[1]) < 1e-9);
    assert_true(r.account.relative < 1e-11 && fabs(r.account.dissipated) > 0.01 && fabs(r.account.supplied) > 0.01);
  }
}

// With dampers and ports the balance is exact, though the motion is as inexact as that of others of its order.
static void line_integrals_keep_the_balance(void **state) {
  (void)state;
  const char *damped = DOUBLE_PENDULUM "dissipation 1/2*0.1*(a'^2 + (b' - a')^2)\nforce a = 3*sin(2*t)\noutput a\n";
  const char *all[] = {"conserve2", "conserve", "conserve6"};
  double a;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    RunResult r = run_text(damped, with(all[i], 0.02, 20, 20), NULL, &a, 1);
    assert_true(r.account.relative < 2e-14 && r.account.dissipated > 1 && r.account.supplied > 1);
    r = run_text(driven, with(all[i], 0.02, 6, 6), NULL, &a, 1);
    print_message("%s, driven: %.1e\n", all[i], r.account.relative);
    assert_true(r.account.relative < 1e-13);
  }
  assert_true(run_text(damped, with("gauss4", 0.02, 20, 20), NULL, &a, 1).account.relative > 1e-8);
}

// ---- constraints

static void constraints_are_kept_and_energy_is_not_lost(void **state) {
  (void)state;
  const char *text = "param m = 1, l = 1, g = 9.81\ncoord x = l, y = 0\nkinetic 1/2*m*(x'^2 + y'^2)\npotential m*g*y\n"
                     "constraint rod: x^2 + y^2 = l^2\noutput off = x^2 + y^2 - l^2\n";
  double off, first, last;
  first = run_text(text, with("gauss4", 0.02, 20, 20), NULL, &off, 1).account.relative;
  last = run_text(text, with("gauss4", 0.02, 400, 400), NULL, &off, 1).account.relative;
  print_message("gauss4 with a constraint: %.3e after 20 s, %.3e after 400 s\n", first, last);
  assert_true(fabs(off) < 1e-14 && last < 1.05 * first); // twenty times as long, no more than before
  first = run_text(text, with("rk4", 0.02, 20, 20), NULL, &off, 1).account.relative;
  last = run_text(text, with("rk4", 0.02, 400, 400), NULL, &off, 1).account.relative;
  assert_true(last > 10 * first); // projected at the end alone
}

// RATTLE, on a double pendulum in points: two rods, one multiplier in both equations of the first point.
#define POINTS                                                                                                         \
  "param g = 9.81\ncoord x = 0.6, y = -0.8, u = 1.4, w = -1.4\nkinetic 1/2*(x'^2 + y'^2 + u'^2 + w'^2)\n"              \
  "potential g*(y + w)\nconstraint a: x^2 + y^2 = 1\nconstraint b: (u - x)^2 + (w - y)^2 = 1\noutput u, w\n"

static double points_error(double step, const double *best) {
  double got[2];
  RunResult r = run_text(POINTS, with("verlet", step, 2, 2), NULL, got, 2);
  assert_true(r.constraints.position < 1e-13 && r.constraints.velocity < 1e-13);
  return hypot(got[0] - best[0], got[1] - best[1]);
}

static void verlet_keeps_constraints(void **state) {
  (void)state;
  double best[2], end[2];
  RunSettings s = run_defaults();
  s.to = s.every = 2;
  run_text(POINTS, s, NULL, best, 2);
  double coarse = points_error(0.004, best), fine = points_error(0.002, best), order = log2(coarse / fine);
  RunResult first = run_text(POINTS, with("verlet", 0.01, 100, 100), NULL, end, 2),
            last = run_text(POINTS, with("verlet", 0.01, 1000, 1000), NULL, end, 2);
  print_message("points: order %.2f; energy %.2e after 10^4 steps, %.2e after 10^5\n", order, first.account.relative,
                last.account.relative);
  assert_true(fabs(order - 2) < 0.1);
  assert_true(last.account.relative < 1.3 * first.account.relative && last.account.relative < 1e-3);
  assert_true(last.constraints.position < 1e-13 && last.constraints.velocity < 1e-13);
}

// A force on velocities is refused with constraints as without.
static void verlet_refuses_forces_on_velocities(void **state) {
  (void)state;
  Loaded *l = load_text(POINTS "force u = -0.1*u'\n");
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunSettings s = with("verlet", 0.01, 1, 1);
  assert_int_equal(run_model(arena, &l->system, &s, NULL, &diags).status, run_input);
  arena_free(arena);
  unload(l);
}

// One bar too many, and flat on its way: the projection from both ends finds multipliers of least norm.
static void redundant_constraints_are_kept(void **state) {
  (void)state;
  const char *text =
      "param l = 1, d = 2, g = 9.81\ncoord x[i] = d*(i - 1), y[i] for i in 1 .. 3\nguess y[i] = 1 for i in 1 .. 3\n"
      "init x[1]' = 1\nkinetic 1/2*(x[i]'^2 + y[i]'^2) for i in 1 .. 3\npotential g*y[i] for i in 1 .. 3\n"
      "constraint crank[i]: (x[i] - d*(i - 1))^2 + y[i]^2 = l^2 for i in 1 .. 3\n"
      "constraint bar[i]: (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 = d^2 for i in 1 .. 2\n"
      "constraint long: (x[3] - x[1])^2 + (y[3] - y[1])^2 = (2*d)^2\noutput x[1], y[1]\n";
  // the same motion is that of one pendulum
  const char *alone = "coord a = 0\ninit a' = 1\nkinetic 1/2*a'^2\npotential 9.81*cos(a)\noutput sin(a), cos(a)\n";
  const char *all[] = {"verlet", "gauss4", "gauss8", "conserve"};
  const double near[] = {2e-3, 1e-6, 1e-9, 1e-6};
  RunSettings s = run_defaults();
  double best[2], got[2];
  s.to = s.every = 0.7;
  run_text(alone, s, NULL, best, 2);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    RunResult r = run_text(text, with(all[i], 0.01, 0.7, 0.7), NULL, got, 2);
    print_message("%s: rank %d, off %.1e\n", all[i], (int)r.constraints.rank,
                  hypot(got[0] - best[0], got[1] - best[1]));
    assert_true(r.constraints.rank == 5 && r.constraints.count == 6);
    assert_true(r.constraints.position < 1e-13 && r.constraints.velocity < 1e-13);
    assert_true(hypot(got[0] - best[0], got[1] - best[1]) < near[i]);
    r = run_text(text, with(all[i], 0.01, 3, 3), NULL, got, 2); // flat at t = 0.7475, 1.08 ...
    assert_true(r.constraints.position < 1e-13 && r.constraints.velocity < 1e-13 && r.account.relative < 1e-3);
  }
}

// ---- events

// A ball that bounces: closed form of the second touch, by drops from 1 m with restitution 0.8
static void events_are_met(void **state) {
  (void)state;
  const char *text = "param g = 9.81\ncoord y = 1\nkinetic 1/2*y'^2\npotential g*y\nwhen y < 0 do y' := -0.8*y'\n"
                     "output y\n";
  const double first = sqrt(2 / 9.81), second = first * (1 + 2 * 0.8), t = 1.2, dt = t - second;
  const double speed = 0.64 * sqrt(2 * 9.81);
  double y;
  const char *all[] = {"verlet", "gauss4", "gauss8", "conserve"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    run_text(text, with(all[i], 0.01, t, t), NULL, &y, 1);
    assert_true(dt > 0 && fabs(y - (speed * dt - 0.5 * 9.81 * dt * dt)) < 1e-11);
  }
}

// A buffer that is met and left, in momenta: the energy is kept across the switches.
static void energy_is_kept_across_events(void **state) {
  (void)state;
  const char *text = DOUBLE_PENDULUM "potential 1/2*50*max(a - 0.3, 0)^2\noutput a\n";
  double a;
  RunResult r = run_text(text, with("conserve", 0.01, 3, 3), NULL, &a, 1);
  assert_true(r.events.looked_for && r.events.count > 2 && r.account.relative < 1e-14);
  assert_true(run_text(text, with("rk4", 0.01, 3, 3), NULL, &a, 1).account.relative > 1e-8);
}

// ---- what auto chooses

// A planet: 220000 steps of dop853, and a comet near whose sun no fixed step does.
#define PLANET "coord x = 1, y = 0\nkinetic 1/2*(x'^2 + y'^2)\npotential -1/sqrt(x^2 + y^2)\noutput x, y\n"

typedef struct Listener {
  Table table;
  int headers;
} Listener;

static bool take_header(void *self, const char *const *names, size_t count) {
  (void)names, (void)count;
  ((Listener *)self)->headers++;
  return true;
}
static bool take_row(void *self, const double *values, size_t count) {
  return table_take(&((Listener *)self)->table, values, count);
}

typedef struct Chosen {
  char method[16], reason[160];
  double relative;
  uint64_t rows, heard, watched;
  double x;
} Chosen;

// Each row once and in order, for the sink and for pictures.
static Chosen choose(const char *text, double to, double every, const char *method) {
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  Listener heard = {0}, watched = {0};
  Sink sink = {.self = &heard, .header = take_header, .row = take_row}, watcher = {.self = &watched, .row = take_row};
  RunSettings s = run_defaults();
  s.to = to;
  s.every = every;
  s.method = method;
  s.watcher = &watcher;
  RunResult r = run_model(arena, &l->system, &s, &sink, &diags);
  Chosen c = {
      .relative = r.account.relative, .rows = r.rows, .heard = heard.table.count, .watched = watched.table.count};
  assert_int_equal(r.status, run_done);
  assert_int_equal(heard.headers, 1);
  snprintf(c.method, sizeof c.method, "%s", r.settled.method);
  snprintf(c.reason, sizeof c.reason, "%s", r.settled.reason ? r.settled.reason : "");
  c.x = r.final.values[0];
  for (size_t i = 0; i < c.heard; i++) {
    assert_true(fabs(heard.table.rows[i * heard.table.width] - (double)i * every) < 1e-9);
    assert_true(watched.table.rows[i * watched.table.width] == heard.table.rows[i * heard.table.width]);
  }
  free(heard.table.rows);
  free(watched.table.rows);
  arena_free(arena);
  unload(l);
  return c;
}

static void auto_gives_long_conservative_runs_to_gauss(void **state) {
  (void)state;
  // rows closer together than 200 steps reach, so that some were sent before
  Chosen c = choose(PLANET "init y' = 0.9\n", 26000, 5, NULL);
  print_message("%s (%s): %.1e\n", c.method, c.reason, c.relative);
  assert_string_equal(c.method, "gauss8");
  assert_non_null(strstr(c.reason, "auto: conservative and about "));
  assert_true(c.relative < 1e-13 && c.rows == 5201 && c.heard == 5201 && c.watched == 5201);
  c = choose(PLANET "init y' = 0.9\n", 26000, 5, "dop853"); // what it would have lost
  assert_true(c.relative > 1e-10);
}

static void auto_keeps_its_method_otherwise(void **state) {
  (void)state;
  Chosen c = choose(PLANET "init y' = 0.9\n", 2600, 5, NULL); // a short run
  assert_string_equal(c.method, "dop853");
  c = choose(PLANET "init y' = 0.9\ndissipation 1e-9*x'^2\n", 26000, 50, NULL);
  assert_string_equal(c.method, "dop853");
  c = choose(PLANET "init y' = 0.9\nstate s = 1\ns' = -s\n", 26000, 50, NULL);
  assert_string_equal(c.method, "dop853");
  // tried in vain: no bit is another one
  c = choose(PLANET "init y' = 0.1\n", 3000, 5, NULL);
  assert_string_equal(c.method, "dop853");
  assert_true(c.heard == 601 && c.watched == 601);
  assert_true(c.x == choose(PLANET "init y' = 0.1\n", 3000, 5, "dop853").x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_does_not_drift),
      cmocka_unit_test(a_step_is_symplectic_in_momenta),
      cmocka_unit_test(the_momentum_of_a_cyclic_coordinate_is_kept),
      cmocka_unit_test(driven_motion_is_that_of_others),
      cmocka_unit_test(line_integrals_keep_the_balance),
      cmocka_unit_test(constraints_are_kept_and_energy_is_not_lost),
      cmocka_unit_test(verlet_keeps_constraints),
      cmocka_unit_test(verlet_refuses_forces_on_velocities),
      cmocka_unit_test(redundant_constraints_are_kept),
      cmocka_unit_test(events_are_met),
      cmocka_unit_test(energy_is_kept_across_events),
      cmocka_unit_test(auto_gives_long_conservative_runs_to_gauss),
      cmocka_unit_test(auto_keeps_its_method_otherwise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
