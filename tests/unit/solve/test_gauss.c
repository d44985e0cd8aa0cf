// Methods that keep structure: coefficients by their conditions, orders against Kepler's ellipse, what each of them
// keeps and, as the broken twin of every such law, a method that does not.
#include "tests/support.h"

#include "solve/gauss_table.h"
#include "solve/ode.h"
#include "solve/stepper.h"

// ---- coefficients

static long double value(Coefficient c) { return (long double)c.large + (long double)c.small; }

// sum b c^(m-1) = 1/m up to 2k, sum_j a_ij c_j^(m-1) = c_i^m/m up to s: nodes are doubles, so up to their rounding.
static void coefficients_fulfil_the_conditions(void **state) {
  (void)state;
  const CollocationTable *all[] = {&gauss4_table,    &gauss6_table,    &gauss8_table,   &gauss12_table,
                                   &conserve2_table, &conserve4_table, &conserve6_table};
  for (size_t t = 0; t < sizeof all / sizeof *all; t++) {
    const CollocationTable *m = all[t];
    for (int p = 1; p <= 2 * m->stages; p++) {
      long double sum = 0;
      for (int i = 0; i < m->stages; i++) sum += value(m->b[i]) * powl(m->c[i], p - 1);
      assert_true(fabsl(sum - 1.0L / p) < 4e-16L);
    }
    for (int i = 0; i < m->stages; i++) {
      for (int p = 1; p <= m->order / 2; p++) {
        long double sum = 0;
        for (int j = 0; j < m->stages; j++) sum += value(m->a[i][j]) * powl(m->c[j], p - 1);
        assert_true(fabsl(sum - powl(m->c[i], p) / p) < 4e-16L);
      }
    }
  }
}

static long double off_symplectic(const CollocationTable *m) {
  long double most = 0;
  for (int i = 0; i < m->stages; i++) {
    for (int j = 0; j < m->stages; j++)
      most = fmaxl(most, fabsl(value(m->b[i]) * value(m->a[i][j]) + value(m->b[j]) * value(m->a[j][i]) -
                               value(m->b[i]) * value(m->b[j])));
  }
  return most;
}

// To more than the digits of a double: the sum of two does it.
static void gauss_is_symplectic_and_line_integrals_are_not(void **state) {
  (void)state;
  assert_true(off_symplectic(&gauss4_table) < 1e-18L && off_symplectic(&gauss6_table) < 1e-18L);
  assert_true(off_symplectic(&gauss8_table) < 1e-18L && off_symplectic(&gauss12_table) < 1e-18L);
  assert_true(off_symplectic(&conserve4_table) > 1e-3L);
}

// ---- problems

// Kepler: x, y, x', y', and the area swept over as a quadrature; period 2 pi
static bool kepler(void *self, double t, const double *y, double *d) {
  (void)self, (void)t;
  double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);
  d[0] = y[2];
  d[1] = y[3];
  d[2] = -y[0] / r3;
  d[3] = -y[1] / r3;
  d[4] = 0.5 * (y[0] * y[3] - y[1] * y[2]);
  return isfinite(d[2]);
}
static const OdePair kepler_pairs[] = {{0, 2}, {1, 3}};
static const double excentricity = 0.3;

static void kepler_start(double *y) {
  y[0] = 1 - excentricity;
  y[1] = y[2] = y[4] = 0;
  y[3] = sqrt((1 + excentricity) / (1 - excentricity));
}
static double kepler_energy(const double *y) {
  return 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1 / sqrt(y[0] * y[0] + y[1] * y[1]);
}
static double kepler_spin(const double *y) { return y[0] * y[3] - y[1] * y[2]; }

// H = (p1^2 (1 + q2^2) + p2^2 (1 + q1^2))/2 + q1^4/4 + (q1^2 + 1) q2^2/2: y = q1, q2, p1, p2
static bool mixed(void *self, double t, const double *y, double *d) {
  (void)self, (void)t;
  d[0] = y[2] * (1 + y[1] * y[1]);
  d[1] = y[3] * (1 + y[0] * y[0]);
  d[2] = -y[3] * y[3] * y[0] - y[0] * y[0] * y[0] - y[0] * y[1] * y[1];
  d[3] = -y[2] * y[2] * y[1] - (y[0] * y[0] + 1) * y[1];
  return true;
}
static double mixed_energy(const double *y) {
  return 0.5 * (y[2] * y[2] * (1 + y[1] * y[1]) + y[3] * y[3] * (1 + y[0] * y[0])) + 0.25 * pow(y[0], 4) +
         0.5 * (y[0] * y[0] + 1) * y[1] * y[1];
}

static const uint8_t kinds[] = {ode_coordinate, ode_coordinate, ode_velocity, ode_velocity};
static const OdeProblem kepler_problem = {
    .n = 5, .checked = 4, .f = kepler, .kinds = kinds, .pairs = kepler_pairs, .pair_count = 2};
static const OdeProblem mixed_problem = {.n = 4, .checked = 4, .f = mixed, .kinds = kinds};

static bool no_row(void *self, double t, const double *y) {
  (void)self, (void)t, (void)y;
  return true;
}

static OdeResult go(const OdeProblem *p, OdeMethod method, double to, double step, double *y) {
  Arena *arena = arena_new();
  OdeSettings s = {.method = method, .t1 = to, .step = step, .every = to, .most_steps = 100000000};
  OdeResult r = ode_solve(arena, p, &s, y, &(OdeObserver){.row = no_row});
  arena_free(arena);
  assert_int_equal(r.status, ode_done);
  return r;
}

// ---- orders

// After one period the planet is back where it started.
static double kepler_error(OdeMethod method, int steps) {
  double y[5], y0[5], worst = 0;
  kepler_start(y);
  kepler_start(y0);
  go(&kepler_problem, method, 2 * acos(-1), 2 * acos(-1) / steps, y);
  for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(y[i] - y0[i]));
  // Kepler's second law: the ellipse's area, by the quadrature
  double area = acos(-1) * sqrt(1 - excentricity * excentricity);
  return fmax(worst, fabs(y[4] - area));
}

static void methods_have_their_order(void **state) {
  (void)state;
  const struct {
    OdeMethod method;
    int steps;
  } all[] = {{ode_verlet, 2000}, {ode_gauss4, 200},    {ode_gauss6, 60},    {ode_gauss8, 40},
             {ode_gauss12, 16},  {ode_conserve2, 400}, {ode_conserve, 200}, {ode_conserve6, 60}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    double coarse = kepler_error(all[i].method, all[i].steps), fine = kepler_error(all[i].method, 2 * all[i].steps);
    double order = log2(coarse / fine);
    print_message("%s: %.2e, %.2e, order %.2f\n", ode_method_name(all[i].method), coarse, fine, order);
    assert_true(fabs(order - ode_order(all[i].method)) < 0.1 * ode_order(all[i].method));
  }
}

// ---- time reversal: forward, velocities turned round, forward again, turned round again

static double reversal_error(OdeMethod method) {
  double y[5], y0[5], worst = 0;
  kepler_start(y);
  kepler_start(y0);
  for (int way = 0; way < 2; way++) {
    go(&kepler_problem, method, 20, 0.1, y);
    y[2] = -y[2];
    y[3] = -y[3];
  }
  for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(y[i] - y0[i]));
  return worst;
}

static void time_can_be_turned_round(void **state) {
  (void)state;
  const OdeMethod all[] = {ode_verlet, ode_gauss4, ode_gauss6, ode_gauss8, ode_gauss12, ode_conserve};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_true(reversal_error(all[i]) < 2e-13);
  assert_true(reversal_error(ode_rk4) > 1e-5);
}

// ---- symplecticity: J' Omega J = Omega of one large step, J by central differences

static double off_omega(OdeMethod method) {
  const double h = 0.5, d = 1e-5, y0[4] = {0.4, 0.7, 0.9, -0.6};
  double J[4][4], worst = 0;
  for (int c = 0; c < 4; c++) {
    double up[4], down[4];
    for (int i = 0; i < 4; i++) {
      up[i] = y0[i] + (i == c) * d;
      down[i] = y0[i] - (i == c) * d;
    }
    go(&mixed_problem, method, h, h, up);
    go(&mixed_problem, method, h, h, down);
    for (int i = 0; i < 4; i++) J[i][c] = (up[i] - down[i]) / (2 * d);
  }
  for (int a = 0; a < 4; a++) {
    for (int b = 0; b < 4; b++) {
      double sum = 0;
      for (int i = 0; i < 2; i++) sum += J[i][a] * J[i + 2][b] - J[i + 2][a] * J[i][b];
      worst = fmax(worst, fabs(sum - (b == a + 2) + (a == b + 2)));
    }
  }
  return worst;
}

static void a_step_of_gauss_is_symplectic(void **state) {
  (void)state;
  const OdeMethod all[] = {ode_gauss4, ode_gauss6, ode_gauss8, ode_gauss12};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_true(off_omega(all[i]) < 1e-8);
  assert_true(off_omega(ode_rk4) > 1e-5 && off_omega(ode_conserve) > 1e-5);
}

// ---- what is kept

// The angular momentum is quadratic: Gauss and Verlet keep it, line integrals and rk4 do not.
static double spin_error(OdeMethod method) {
  double y[5];
  kepler_start(y);
  double before = kepler_spin(y);
  go(&kepler_problem, method, 100, 0.1, y);
  return fabs(kepler_spin(y) - before);
}

static void angular_momentum_is_kept(void **state) {
  (void)state;
  const OdeMethod all[] = {ode_verlet, ode_gauss4, ode_gauss6, ode_gauss8, ode_gauss12};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_true(spin_error(all[i]) < 1e-14);
  assert_true(spin_error(ode_rk4) > 1e-6 && spin_error(ode_conserve) > 1e-9);
}

static double energy_error(OdeMethod method) {
  double y[4] = {0.4, 0.7, 0.9, -0.6}, before = mixed_energy(y);
  go(&mixed_problem, method, 100, 0.1, y);
  return fabs(mixed_energy(y) - before);
}

static void line_integrals_keep_the_energy(void **state) {
  (void)state;
  const OdeMethod all[] = {ode_conserve2, ode_conserve, ode_conserve6};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_true(energy_error(all[i]) < 2e-14);
  assert_true(energy_error(ode_gauss4) > 1e-8 && energy_error(ode_rk4) > 1e-8);
}

// ---- long

// The largest energy error of pieces of a long run of the planet, and the exponent of its growth with time.
static double growth(OdeMethod method, double step, int pieces, double *worst) {
  double y[5], error[64], xy = 0, xx = 0, x0 = 0, z0 = 0;
  kepler_start(y);
  double before = kepler_energy(y);
  *worst = 0;
  for (int i = 0; i < pieces; i++) { // each piece starts anew: what rounding lost is lost
    go(&kepler_problem, method, 1000 * step, step, y);
    error[i] = fabs(kepler_energy(y) - before);
    *worst = fmax(*worst, error[i]);
  }
  for (int i = 0; i < pieces; i++) {
    x0 += log(i + 1.0) / pieces;
    z0 += log(error[i] + 1e-17) / pieces;
  }
  for (int i = 0; i < pieces; i++) {
    xy += (log(i + 1.0) - x0) * (log(error[i] + 1e-17) - z0);
    xx += (log(i + 1.0) - x0) * (log(i + 1.0) - x0);
  }
  return xy / xx;
}

static void energy_does_not_drift(void **state) {
  (void)state;
  double gauss, classic, exponent = growth(ode_gauss12, 0.1, 60, &gauss), twin = growth(ode_rk4, 0.1, 60, &classic);
  print_message("gauss12: %.1e, exponent %.2f; rk4: %.1e, exponent %.2f\n", gauss, exponent, classic, twin);
  assert_true(gauss < 2e-14 && exponent < 0.75);
  assert_true(classic > 1e-4 && twin > 0.8);
}

// ---- stages by Newton's method

// y' = -1000 (y - cos t) - sin t: y = cos t, and fixed points diverge at h = 0.1
static bool stiff(void *self, double t, const double *y, double *d) {
  (void)self;
  d[0] = -1000 * (y[0] - cos(t)) - sin(t);
  return true;
}

static void stiff_stages_are_found_by_newton(void **state) {
  (void)state;
  const OdeProblem p = {.n = 1, .checked = 1, .f = stiff};
  double y[1] = {1};
  OdeResult r = go(&p, ode_gauss8, 5, 0.1, y);
  print_message("stiff: off by %.1e, %d factorizations\n", fabs(y[0] - cos(5)), (int)r.factorizations);
  assert_true(fabs(y[0] - cos(5)) < 1e-7);
  assert_true(r.factorizations > 0 && r.factorizations < 5);
}

// No stages: a rate that has no value where they lie.
static bool wall(void *self, double t, const double *y, double *d) {
  (void)self, (void)t;
  d[0] = sqrt(1 - y[0]) + 1;
  return isfinite(d[0]);
}

static void stages_that_are_not_found_end_the_run(void **state) {
  (void)state;
  Arena *arena = arena_new();
  double y[1] = {0};
  OdeSettings s = {.method = ode_gauss8, .t1 = 5, .step = 0.1, .every = 5, .most_steps = 1000};
  OdeResult r = ode_solve(arena, &(OdeProblem){.n = 1, .checked = 1, .f = wall}, &s, y, &(OdeObserver){.row = no_row});
  assert_int_equal(r.status, ode_no_stages);
  assert_true(r.t > 0.3 && r.t < 1 && y[0] < 1);
  arena_free(arena);
}

// ---- breaks: a step ends just before

static bool switched(void *self, double t, const double *y, double *d) {
  (void)self, (void)y;
  d[0] = t < 0.55 ? 1 : 3;
  return true;
}

static void a_step_ends_at_a_break(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const double at[] = {0.55};
  for (int broken = 0; broken < 2; broken++) {
    double y[1] = {0};
    OdeSettings s = {.method = ode_gauss8, .t1 = 1, .step = 0.1, .every = 1, .most_steps = 1000};
    if (!broken) s.breaks = (OdeBreaks){.times = at, .count = 1};
    ode_solve(arena, &(OdeProblem){.n = 1, .checked = 1, .f = switched}, &s, y, &(OdeObserver){.row = no_row});
    assert_true(broken ? fabs(y[0] - 1.9) < 0.2 : fabs(y[0] - 1.9) < 1e-14);
  }
  arena_free(arena);
}

// ---- verlet with a constraint: a pendulum of length 1 in x, y, x', y', and once more without what makes it RATTLE

static const double pull = 9.81;

static bool bob(void *self, double t, const double *y, double *d) {
  (void)self, (void)t;
  double lambda = (pull * y[1] - y[2] * y[2] - y[3] * y[3]) / (y[0] * y[0] + y[1] * y[1]);
  d[0] = y[2];
  d[1] = y[3];
  d[2] = lambda * y[0];
  d[3] = lambda * y[1] - pull;
  return true;
}
static double bob_energy(const double *y) { return 0.5 * (y[2] * y[2] + y[3] * y[3]) + pull * y[1]; }

static bool bob_residues(void *self, double t, const double *y, double *residues) {
  (void)self, (void)t;
  residues[0] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1);
  residues[1] = y[0] * y[2] + y[1] * y[3];
  return true;
}
static bool bob_push(void *self, double t, const double *y, const double *by, double *to) {
  (void)self, (void)t;
  double x0 = y[0], y0 = y[1], l2 = x0 * x0 + y0 * y0;
  for (int i = 0; i < 2; i++) {
    to[2 * i] += x0 / l2 * by[i];
    to[2 * i + 1] += y0 / l2 * by[i];
  }
  return true;
}
static OdeProjection bob_project(void *self, double t, double *y) {
  double residues[2];
  for (int i = 0; i < 6; i++) {
    bob_residues(self, t, y, residues);
    residues[0] *= -1;
    residues[1] *= -1;
    bob_push(self, t, y, residues, y);
  }
  return projection_moved;
}
static const bool bob_velocities[] = {false};
static const OdeManifold bob_manifold = {2, bob_velocities, bob_residues, bob_push};
static const OdeProblem bob_problem = {.n = 4,
                                       .checked = 4,
                                       .f = bob,
                                       .kinds = kinds,
                                       .pairs = kepler_pairs,
                                       .pair_count = 2,
                                       .still = true,
                                       .manifold = &bob_manifold};

// Kicks by accelerations with their multipliers, and a projection at the end.
static OdeProblem broken_bob(void) {
  OdeProblem p = bob_problem;
  p.manifold = NULL;
  p.project = bob_project;
  return p;
}

// The same in its angle: y = th, th'
static bool swing(void *self, double t, const double *y, double *d) {
  (void)self, (void)t;
  d[0] = y[1];
  d[1] = -pull * sin(y[0]);
  return true;
}

static void bob_start(double *y) {
  y[0] = sin(1);
  y[1] = -cos(1);
  y[2] = y[3] = 0;
}

static double bob_error(double step) {
  double y[4], th[2] = {1, 0};
  bob_start(y);
  go(&bob_problem, ode_verlet, 3, step, y);
  go(&(OdeProblem){.n = 2, .checked = 2, .f = swing}, ode_gauss12, 3, 0.01, th);
  return hypot(y[0] - sin(th[0]), y[1] + cos(th[0])) + hypot(y[2] - cos(th[0]) * th[1], y[3] - sin(th[0]) * th[1]);
}

static double bob_reversal(const OdeProblem *p) {
  double y[4], y0[4], worst = 0;
  bob_start(y);
  bob_start(y0);
  for (int way = 0; way < 2; way++) {
    go(p, ode_verlet, 20, 0.02, y);
    y[2] = -y[2];
    y[3] = -y[3];
  }
  for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(y[i] - y0[i]));
  return worst;
}

// The largest energy errors of the first and of the last of many pieces, and the largest residue at their ends.
static void bob_pieces(const OdeProblem *p, int pieces, double *first, double *last, double *off) {
  double y[4], residues[2];
  bob_start(y);
  double before = bob_energy(y);
  *first = *last = *off = 0;
  for (int i = 0; i < pieces; i++) {
    go(p, ode_verlet, 2, 0.02, y);
    double error = fabs(bob_energy(y) - before);
    if (i < pieces / 10) *first = fmax(*first, error);
    if (i >= pieces - pieces / 10) *last = fmax(*last, error);
    bob_residues(NULL, 0, y, residues);
    *off = fmax(*off, fmax(fabs(residues[0]), fabs(residues[1])));
  }
}

static void verlet_keeps_constraints(void **state) {
  (void)state;
  const OdeProblem broken = broken_bob();
  double coarse = bob_error(0.01), fine = bob_error(0.005), order = log2(coarse / fine), first, last, off;
  print_message("verlet with a constraint: %.2e, %.2e, order %.2f\n", coarse, fine, order);
  assert_true(fabs(order - 2) < 0.1);
  double kept = bob_reversal(&bob_problem), lost = bob_reversal(&broken);
  print_message("there and back: %.1e, broken %.1e\n", kept, lost);
  assert_true(kept < 1e-11 && lost > 1e-4);
  bob_pieces(&bob_problem, 1000, &first, &last, &off);
  print_message("100000 steps: energy %.2e first, %.2e last; residues %.1e\n", first, last, off);
  assert_true(last < 1.05 * first && off < 1e-13);
  bob_pieces(&broken, 1000, &first, &last, &off);
  print_message("broken: energy %.2e first, %.2e last\n", first, last);
  assert_true(last > 3 * first);
}

// A skate: rolls along its blade, which turns. x, y, a: x' sin a = y' cos a. Closed form: a circle.
static bool skate(void *self, double t, const double *y, double *d) {
  (void)self, (void)t;
  double s = sin(y[2]), c = cos(y[2]), lambda = -y[5] * (y[3] * c + y[4] * s);
  d[0] = y[3];
  d[1] = y[4];
  d[2] = y[5];
  d[3] = lambda * s;
  d[4] = -lambda * c;
  d[5] = 0;
  return true;
}
static bool skate_residues(void *self, double t, const double *y, double *residues) {
  (void)self, (void)t;
  residues[0] = 0;
  residues[1] = y[3] * sin(y[2]) - y[4] * cos(y[2]);
  return true;
}
static bool skate_push(void *self, double t, const double *y, const double *by, double *to) {
  (void)self, (void)t;
  double s = sin(y[2]), c = cos(y[2]);
  to[3] += s * by[1];
  to[4] -= c * by[1];
  return true;
}

static double skate_error(double step, double *back) {
  static const bool velocities[] = {true};
  static const OdeManifold manifold = {2, velocities, skate_residues, skate_push};
  static const OdePair pairs[] = {{0, 3}, {1, 4}, {2, 5}};
  const OdeProblem p = {
      .n = 6, .checked = 6, .f = skate, .pairs = pairs, .pair_count = 3, .still = true, .manifold = &manifold};
  double y[6] = {0, 0, 0, 1, 0, 0.7}, end;
  go(&p, ode_verlet, 5, step, y);
  end = hypot(y[0] - sin(3.5) / 0.7, y[1] - (1 - cos(3.5)) / 0.7);
  for (int i = 3; i < 6; i++) y[i] = -y[i];
  go(&p, ode_verlet, 5, step, y);
  *back = fabs(y[0]) + fabs(y[1]) + fabs(y[2]);
  return end;
}

static void verlet_keeps_constraints_on_velocities(void **state) {
  (void)state;
  double back, coarse = skate_error(0.02, &back), fine = skate_error(0.01, &back), order = log2(coarse / fine);
  print_message("skate: %.2e, %.2e, order %.2f; there and back %.1e\n", coarse, fine, order, back);
  assert_true(fabs(order - 2) < 0.1 && back < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coefficients_fulfil_the_conditions),
      cmocka_unit_test(gauss_is_symplectic_and_line_integrals_are_not),
      cmocka_unit_test(methods_have_their_order),
      cmocka_unit_test(time_can_be_turned_round),
      cmocka_unit_test(a_step_of_gauss_is_symplectic),
      cmocka_unit_test(angular_momentum_is_kept),
      cmocka_unit_test(line_integrals_keep_the_energy),
      cmocka_unit_test(energy_does_not_drift),
      cmocka_unit_test(stiff_stages_are_found_by_newton),
      cmocka_unit_test(stages_that_are_not_found_end_the_run),
      cmocka_unit_test(a_step_ends_at_a_break),
      cmocka_unit_test(verlet_keeps_constraints),
      cmocka_unit_test(verlet_keeps_constraints_on_velocities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
