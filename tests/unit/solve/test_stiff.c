// Stiff problems with end values from outside; what `auto` notices; linear systems.
#include "tests/support.h"

#include "solve/linear.h"
#include "tape/jacobian.h"
#include "tape/kernels.h"

// ---- problems as models: the Jacobian is that of the tape

static RunResult run_text(const char *text, const char *method, double rtol, double atol, double to, Arena **arena) {
  Loaded *l = load_text(text);
  RunSettings s = run_defaults();
  s.method = method;
  s.rtol = rtol;
  s.atol = atol;
  s.to = to;
  s.every = to / 7;
  *arena = l->arena;
  Diags diags = {.arena = l->arena, .sources = &l->model.sources};
  RunResult r = run_model(l->arena, &l->system, &s, NULL, &diags);
  if (r.message) print_error("%s\n", r.message);
  assert_int_equal(r.status, run_done);
  free(l);
  return r;
}

static double largest_error(const RunResult *r, const double *exact, uint32_t count) {
  double worst = 0;
  for (uint32_t i = 0; i < count; i++) {
    double e = fabs(r->final.values[i] - exact[i]) / fabs(exact[i]);
    worst = e > worst ? e : worst;
  }
  return worst;
}

static void check_end(const char *name, const char *text, double to, const double *exact, uint32_t count, double atol,
                      double bound) {
  static const char *const methods[] = {"rodas", "bdf"};
  for (int i = 0; i < 2; i++) {
    Arena *arena;
    RunResult r = run_text(text, methods[i], 1e-11, atol, to, &arena);
    double e = largest_error(&r, exact, count);
    print_message("%s by %s: error %.1e, %llu steps (%llu rejected), %llu evaluations\n", name, methods[i], e,
                  (unsigned long long)r.ode.steps, (unsigned long long)r.ode.rejected,
                  (unsigned long long)r.ode.evaluations);
    assert_true(e < bound);
    assert_true(r.ode.steps < 10000);
    arena_free(arena);
  }
}

// Mazzia, Magherini, Test Set for Initial Value Problem Solvers (Bari): Van der Pol with eps = 1e-6 at t = 2, which is
// mu = 1000 at t = 2000; y2 there is mu x'.
static const char van_der_pol[] = "param mu = 1000\nstate x = 2, y = 0\nx' = y\ny' = mu*(1 - x^2)*y - x\n";

static void van_der_pol_ends_where_it_should(void **state) {
  (void)state;
  check_end("Van der Pol", van_der_pol, 2000, (double[]){1.706167732170483, -0.8928097010247975e-3}, 2, NAN, 2e-8);
}

// Robertson's kinetics. At t = 40: Hairer, Wanner, Solving Ordinary Differential Equations II; at 1e11: the test set of
// Bari.
static const char robertson[] =
    "state a = 1, b = 0, c = 0\na' = -0.04*a + 1e4*b*c\nb' = 0.04*a - 1e4*b*c - 3e7*b^2\nc' = 3e7*b^2\n";

static void robertson_ends_where_it_should(void **state) {
  (void)state;
  check_end("Robertson", robertson, 40, (double[]){0.7158270688, 0.9185534765e-5, 0.2841637457}, 3, 1e-16, 1e-9);
  check_end("Robertson, long", robertson, 1e11,
            (double[]){0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050}, 3, 1e-25, 1e-6);
}

// HIRES, eight reactions: the test set of Bari.
static void hires_ends_where_it_should(void **state) {
  (void)state;
  check_end(
      "HIRES",
      "state y1 = 1, y2, y3, y4, y5, y6, y7, y8 = 0.0057\n"
      "y1' = -1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007\ny2' = 1.71*y1 - 8.75*y2\ny3' = -10.03*y3 + 0.43*y4 + 0.035*y5\n"
      "y4' = 8.32*y2 + 1.71*y3 - 1.12*y4\ny5' = -1.745*y5 + 0.43*y6 + 0.43*y7\n"
      "y6' = -280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7\ny7' = 280*y6*y8 - 1.81*y7\ny8' = -y7'\n",
      321.8122,
      (double[]){0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
                 0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2},
      8, 1e-15, 1e-7);
}

// ---- what auto does

static void auto_changes_for_stiff_motion_alone(void **state) {
  (void)state;
  Arena *arena;
  RunResult r = run_text(van_der_pol, "auto", NAN, NAN, 2000, &arena);
  assert_string_equal(r.settled.method, "rodas");
  assert_true(r.ode.changes > 0 && r.ode.stiff_at < 1);
  assert_non_null(strstr(r.settled.reason, "stiff"));
  arena_free(arena);
  r = run_text(van_der_pol, "auto", 1e-4, NAN, 2000, &arena);
  assert_string_equal(r.settled.method, "rodas");
  arena_free(arena);
  r = run_text(robertson, "auto", NAN, NAN, 40, &arena);
  assert_string_equal(r.settled.method, "rodas");
  // b is small, and has as many digits as the others
  assert_true(fabs(r.final.values[0] - 0.7158270688) < 1e-9 && fabs(r.final.values[1] - 9.18553476455e-6) < 1e-16 &&
              r.ode.steps < 3000);
  arena_free(arena);
  // a pendulum, an oscillator, fast and slow together without damping: never, whatever the tolerance
  static const char *const calm[] = {
      "coord th = 2\nkinetic 1/2*th'^2\npotential -9.81*cos(th)\n",
      "coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\ndissipation 0.1*x'^2\n",
      "coord x = 1, y = 1\nkinetic 1/2*x'^2 + 1/2*y'^2\npotential 1/2*x^2 + 50*(x - y)^2\n",
  };
  for (int i = 0; i < 3; i++) {
    for (double rtol = 1e-5; rtol > 1e-12; rtol /= 10) {
      r = run_text(calm[i], "auto", rtol, NAN, 50, &arena);
      assert_int_equal(r.ode.changes, 0);
      arena_free(arena);
    }
  }
}

// Stability holds the explicit method, but only a little, and the tolerance is tight: rodas gains nothing and is left.
static void auto_goes_back_where_nothing_is_gained(void **state) {
  (void)state;
  Arena *arena;
  RunResult e = run_text("state x = 1\nx' = -30*(x - cos(t))\n", "dop853", NAN, NAN, 50, &arena);
  arena_free(arena);
  RunResult r = run_text("state x = 1\nx' = -30*(x - cos(t))\n", "auto", NAN, NAN, 50, &arena);
  assert_true(r.ode.evaluations < 2 * e.ode.evaluations);
  arena_free(arena);
}

// ---- the energy account

static void stiff_methods_keep_the_account(void **state) {
  (void)state;
  static const char *const methods[] = {"rodas", "bdf", "auto"};
  for (int i = 0; i < 3; i++) {
    Arena *arena;
    RunResult r = run_text("coord x = 1, y = 0\ninput F = sin(3*t)\nkinetic 1/2*x'^2 + 1/2*0.01*y'^2\npotential "
                           "1/2*x^2 + 1/2*1e4*(y - x)^2\n"
                           "dissipation 1/2*1000*(y' - x')^2 + 1/2*0.2*x'^2\nforce x = F\n",
                           methods[i], NAN, NAN, 20, &arena);
    print_message("%s: residue %.1e of the energy moved\n", methods[i], r.account.relative);
    assert_true(r.account.kept && r.account.relative < 1e-9);
    arena_free(arena);
  }
}

// A component of a thousandth beside one of a thousand, both through zero, with a loose tolerance.
static void tolerances_follow_the_scale(void **state) {
  (void)state;
  static const char *const methods[] = {"dop853", "rodas", "bdf"};
  for (int i = 0; i < 3; i++) {
    Arena *arena;
    double to = 9;
    RunResult r = run_text("coord x = 0.001, y = 1000\nx'' = -x\ny'' = -y\n", methods[i], 1e-6, NAN, to, &arena);
    assert_true(r.settled.by_scale);
    assert_true(fabs(r.final.values[0] / 1e-3 - cos(to)) < 1e-4);
    assert_true(fabs(r.final.values[0] / 1e-3 - r.final.values[1] / 1e3) < 2e-5);
    arena_free(arena);
  }
}

// ---- methods on their own

// Prothero and Robinson: y' = -k (y - g(t)) + g'(t), y = g = sin t + 2, and a quadrature of y
typedef struct StiffGrowth {
  double k;
  OdeJacobian j;
  bool account;
} StiffGrowth;

static bool prothero(void *self, double t, const double *y, double *dydt) {
  double k = ((StiffGrowth *)self)->k;
  dydt[0] = -k * (y[0] - sin(t) - 2) * (1 + 0.1 * y[0]) + cos(t);
  if (((StiffGrowth *)self)->account) dydt[1] = y[0] * y[0];
  return true;
}

static void prothero_slopes(void *self, double t, const double *y, double *entries) {
  double k = ((StiffGrowth *)self)->k;
  entries[0] = -k * (1 + 0.1 * y[0]) - 0.1 * k * (y[0] - sin(t) - 2);
  entries[1] = 2 * y[0];
  entries[2] = k * cos(t) * (1 + 0.1 * y[0]) - sin(t);
}

static const OdeJacobian *prothero_jacobian(void *self) { return &((StiffGrowth *)self)->j; }

typedef struct Rows {
  double worst, last;
  uint64_t count;
  bool account;
} Rows;

static bool compare(void *self, double t, const double *y) {
  Rows *r = self;
  r->worst = fmax(r->worst, fabs(y[0] - sin(t) - 2));
  r->last = r->account ? y[1] : 0;
  r->count++;
  return true;
}

static double run_prothero(OdeMethod method, double k, double tolerance, double every, uint32_t n, Rows *rows,
                           OdeResult *result, double *end) {
  static const uint32_t start[] = {0, 2, 3}, row[] = {0, 1, 0};
  StiffGrowth problem = {k, {start, row, 3, prothero_slopes}, n > 1};
  Arena *arena = arena_new();
  double y[2] = {2, 0};
  OdeProblem p = {.n = n, .checked = 1, .self = &problem, .f = prothero, .jacobian = prothero_jacobian};
  OdeSettings s = {
      .method = method, .t1 = 5, .every = every, .rtol = tolerance, .atol = tolerance, .most_steps = 10000000};
  *rows = (Rows){.account = n > 1};
  *result = ode_solve(arena, &p, &s, y, &(OdeObserver){rows, compare, NULL, NULL, NULL, NULL});
  assert_int_equal(result->status, ode_done);
  arena_free(arena);
  *end = y[1];
  return fabs(y[0] - sin(5) - 2);
}

static void rodas_has_its_order(void **state) {
  (void)state;
  // slopes of the logarithms of error and steps over many tolerances: a single error may cross zero
  enum { count = 9 };
  double exact = 4.5 * 5 - sin(10) / 4 + 4 * (1 - cos(5)), n = 0, x[count], fine = 0, fine_q = 0;
  double means[3] = {0}, slopes[3] = {0}, value[3][count];
  for (int i = 0; i < count; i++) {
    Rows rows;
    OdeResult r;
    double end, tolerance = pow(10, -7.5 - 0.5 * i);
    fine = run_prothero(ode_rodas, 1, tolerance, 5, 2, &rows, &r, &end);
    fine_q = fabs(end - exact);
    x[i] = log((double)r.steps);
    value[0][i] = -log(fine);
    value[1][i] = -log(fine_q);
    value[2][i] = -log(tolerance);
    n += x[i] / count;
  }
  for (int k = 0; k < 3; k++) {
    double below = 0;
    for (int i = 0; i < count; i++) means[k] += value[k][i] / count;
    for (int i = 0; i < count; i++) {
      slopes[k] += (x[i] - n) * (value[k][i] - means[k]);
      below += (x[i] - n) * (x[i] - n);
    }
    slopes[k] /= below;
  }
  print_message("rodas: order %.2f, of the quadrature %.2f, steered by %.2f, error %.1e\n", slopes[0], slopes[1],
                slopes[2], fine);
  assert_true(fabs(slopes[2] - 5) < 0.7);
  assert_true(slopes[0] > 4.4 && slopes[1] > 4.4);
  assert_true(fine < 1e-10 && fine_q < 1e-9);
}

static void stiff_rows_are_as_good_as_steps(void **state) {
  (void)state;
  const OdeMethod methods[] = {ode_rodas, ode_bdf};
  for (int i = 0; i < 2; i++) {
    for (double k = 1; k < 1e8; k *= 100) {
      Rows rows;
      OdeResult r;
      double end, exact = 4.5 * 5 - sin(10) / 4 + 4 * (1 - cos(5));
      run_prothero(methods[i], k, 1e-9, 0.001, 2, &rows, &r, &end);
      assert_int_equal(rows.count, 5001);
      assert_true(rows.worst < 1e-7);
      assert_true(fabs(rows.last - exact) < 1e-6 && rows.last == end);
      assert_true(r.steps < 3000 && r.jacobians > 0);
    }
  }
}

static void rows_and_accounts_change_no_bit(void **state) {
  (void)state;
  Rows rows;
  OdeResult few, many;
  double end, a = run_prothero(ode_rodas, 1e4, 1e-8, 5, 2, &rows, &few, &end);
  double b = run_prothero(ode_rodas, 1e4, 1e-8, 0.01, 2, &rows, &many, &end);
  assert_true(a == b && few.steps == many.steps);
  double c = run_prothero(ode_rodas, 1e4, 1e-8, 5, 1, &rows, &many, &end);
  assert_true(a == c && few.steps == many.steps);
}

// y' = -1/(2 y): y = sqrt(1 - t) ends at t = 1; the other one, y = 1 - t, leaves the domain there
static bool dies(void *self, double t, const double *y, double *dydt) {
  (void)t;
  dydt[0] = self ? -1 : -0.5 / y[0];
  return y[0] > 0;
}

static void dies_slope(void *self, double t, const double *y, double *entries) {
  (void)t;
  entries[0] = self ? 0 : 0.5 / (y[0] * y[0]);
}

static const OdeJacobian *dies_jacobian(void *self) {
  static const uint32_t start[] = {0, 1, 1}, row[] = {0};
  static const OdeJacobian j = {start, row, 1, dies_slope};
  (void)self;
  return &j;
}

static bool no_row(void *self, double t, const double *y) {
  (void)self, (void)t, (void)y;
  return true;
}

static void an_end_of_the_motion_is_found_not_crossed(void **state) {
  (void)state;
  static int line;
  const struct {
    OdeMethod method;
    void *self;
  } cases[] = {{ode_rodas, NULL}, {ode_rodas, &line}, {ode_bdf, &line}};
  for (int i = 0; i < 3; i++) {
    Arena *arena = arena_new();
    double y[1] = {1};
    OdeProblem p = {.n = 1, .checked = 1, .self = cases[i].self, .f = dies, .jacobian = dies_jacobian};
    OdeSettings s = {
        .method = cases[i].method, .t1 = 2, .every = 0.1, .rtol = 1e-8, .atol = 1e-8, .most_steps = 100000};
    OdeResult r = ode_solve(arena, &p, &s, y, &(OdeObserver){NULL, no_row, NULL, NULL, NULL, NULL});
    assert_true(r.status == ode_not_finite || r.status == ode_step_small);
    assert_true(fabs(r.t - 1) < 2e-3);
    s.most_steps = 2;
    y[0] = 1;
    assert_int_equal(ode_solve(arena, &p, &s, y, &(OdeObserver){NULL, no_row, NULL, NULL, NULL, NULL}).status,
                     ode_many_steps);
    arena_free(arena);
  }
}

// ---- large systems

// Heat in a rod of n cells: y_i = sin(i pi/(n + 1)) decays with lambda = -4 (n + 1)^2 sin^2(pi/(2 (n + 1))).
static void large_systems_go_to_the_libraries(void **state) {
  (void)state;
  static const char *const methods[] = {"rodas", "bdf"};
  for (int n = 20; n <= 120; n += 50) {
    char text[8000];
    int at =
        snprintf(text, sizeof text, "param n = %d, c = (n + 1)^2\nstate u[k] = sin(pi*k/(n + 1)) for k in 1 .. n\n", n);
    for (int k = 1; k <= n; k++) {
      at += snprintf(text + at, sizeof text - (size_t)at, "u[%d]' = c*(-2*u[%d]", k, k);
      if (k > 1) at += snprintf(text + at, sizeof text - (size_t)at, " + u[%d]", k - 1);
      at += k < n ? snprintf(text + at, sizeof text - (size_t)at, " + u[%d])\n", k + 1)
                  : snprintf(text + at, sizeof text - (size_t)at, ")\n");
    }
    double s = sin(acos(-1) / (2.0 * (n + 1))), lambda = -4.0 * (n + 1) * (n + 1) * s * s;
    for (int i = 0; i < 2; i++) {
      Arena *arena;
      RunResult r = run_text(text, methods[i], 1e-8, 1e-10, 0.1, &arena);
      double worst = 0;
      for (int k = 1; k <= n; k++)
        worst = fmax(worst, fabs(r.final.values[k - 1] - sin(acos(-1) * k / (n + 1.0)) * exp(0.1 * lambda)));
      assert_true(worst < 1e-6);
      assert_true(r.ode.steps < 1500);
      arena_free(arena);
    }
  }
}

// Solves M X = -H by a kernel; the solution was given as X_i = 1 + i + c.
static double kernel_error(Arena *arena, uint32_t n, uint32_t columns, bool symmetric, TapeSolve *large,
                           double (*entry)(uint32_t, uint32_t)) {
  uint32_t total = n * (symmetric ? n + 1 : 2 * n) / 2 + n * columns, k = 0;
  uint32_t *args = arena_array(arena, total, sizeof *args);
  double *w = arena_array(arena, (size_t)total + n * (n + 2 + columns), sizeof *w), worst = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < (symmetric ? i + 1 : n); j++) w[k++] = entry(i, j);
  }
  for (uint32_t c = 0; c < columns; c++) {
    for (uint32_t i = 0; i < n; i++, k++) {
      for (uint32_t j = 0; j < n; j++) w[k] -= (symmetric && j > i ? entry(j, i) : entry(i, j)) * (1 + j + c);
    }
  }
  for (uint32_t i = 0; i < total; i++) args[i] = i;
  KernelSolve solve = {.size = n, .more = columns - 1, .symmetric = symmetric, .large = large};
  TapeCall call = {.kernel = &kernel_solve, .data = &solve, .scratch = total, .count = total};
  kernel_solve.eval(&call, args, w, w + total);
  for (uint32_t c = 0; c < columns; c++) {
    for (uint32_t i = 0; i < n; i++) {
      double e = fabs(w[total + c * n + i] - (1 + i + c));
      if (!(e <= worst)) worst = e;
    }
  }
  return worst;
}

static double positive(uint32_t i, uint32_t j) { return i == j ? 5 : 0.5 * cos(i * j); }
static double indefinite(uint32_t i, uint32_t j) { return i == j ? 0 : cos(i * i + 3.0 * j); }
static double one_sided(uint32_t i, uint32_t j) { return i + 1 == j ? 4 : sin(i + 2.0 * j * j); }
static double singular(uint32_t i, uint32_t j) { return (1 + i) * (1 + j); }

static void large_blocks_are_solved_like_small_ones(void **state) {
  (void)state;
  const SolveModule *module = module_load();
  assert_non_null(module);
  TapeSolve *const by[] = {NULL, module->dense};
  static const uint32_t sizes[] = {2, 5, 60};
  for (int s = 0; s < 3; s++) {
    for (int k = 0; k < 2; k++) {
      Arena *arena = arena_new();
      uint32_t n = sizes[s];
      for (uint32_t columns = 1; columns <= 4; columns += 3) {
        assert_true(kernel_error(arena, n, columns, true, by[k], positive) < 1e-9);
        assert_true(kernel_error(arena, n, columns, true, by[k], indefinite) < 1e-8);
        assert_true(kernel_error(arena, n, columns, false, by[k], one_sided) < 1e-8);
        assert_true(isnan(kernel_error(arena, n, columns, true, by[k], singular)));
        assert_true(isnan(kernel_error(arena, n, columns, false, by[k], singular)));
      }
      arena_free(arena);
    }
  }
}

// A chain of masses whose inertia couples all of them, above the size from which LAPACK is called.
static void large_mechanisms_move(void **state) {
  (void)state;
  static const char text[] =
      "param n = 50\ncoord x[i] = 0.1*sin(i) for i in 1 .. n\nkinetic 1/2*x[i]'^2 for i in 1 .. n\n"
      "kinetic 1/2*sum(x[i]', i, 1, n)^2\npotential 1/2*x[i]^2 for i in 1 .. n\n";
  static const char *const methods[] = {"dop853", "rodas"};
  for (int k = 0; k < 2; k++) {
    Arena *arena;
    RunResult r = run_text(text, methods[k], 1e-10, 1e-12, 2, &arena);
    // the sum swings with 1/sqrt(1 + n), the differences from the mean with 1
    double mean = 0;
    for (int i = 1; i <= 50; i++) mean += 0.1 * sin(i) / 50;
    for (int i = 1; i <= 50; i++) {
      double exact = mean * cos(2 / sqrt(51)) + (0.1 * sin(i) - mean) * cos(2);
      assert_true(fabs(r.final.values[i - 1] - exact) < 1e-9);
    }
    assert_true(r.account.relative < 1e-8);
    arena_free(arena);
  }
}

// Springs that are stretched alike: the forces balance but at the ends, and what rounding leaves of them is no motion
// that bdf should follow. The ends by the series of exp(A t) in 120 digits; steps: 600 where dust had sizes of its own.
static void dust_of_balanced_forces_takes_no_steps(void **state) {
  (void)state;
  static const char text[] =
      "param n = 100, k = 100, d = 0.5\ncoord x[i] = 0.01*i for i in 1 .. n\nkinetic 1/2*x[i]'^2 for i in 1 .. n\n"
      "potential 1/2*k*(x[i] - x[i-1])^2 for i in 2 .. n\ndissipation 1/2*d*x[i]'^2 for i in 1 .. n\n"
      "output x[1], x[10]\n";
  Arena *arena;
  RunResult r = run_text(text, "bdf", 1e-7, NAN, 1, &arena);
  assert_true(fabs(r.final.values[0] - 0.09393320752338697) < 1e-8);
  assert_true(fabs(r.final.values[1] - 0.10404109984018875) < 1e-8);
  assert_true(r.ode.steps < 480);
  arena_free(arena);
}

static void linear_systems_are_solved_at_every_size(void **state) {
  (void)state;
  Arena *arena = arena_new();
  static const uint32_t sizes[] = {1, 2, 3, 7, 30, 100};
  for (int c = 0; c < 6; c++) {
    uint32_t n = sizes[c];
    Linear l;
    assert_true(linear_init(&l, arena, n));
    double *b = arena_array(arena, n, sizeof *b);
    for (uint32_t i = 0; i < n; i++) {
      // no pivot where it stands: a permuted matrix with a small disturbance
      for (uint32_t j = 0; j < n; j++)
        l.a[j * n + i] = ((i + 1) % n == j ? 2 + i : 0) + (n > 1 ? 0.1 * sin(3.0 * i + 7.0 * j * j) / n : 0);
    }
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) b[i] += l.a[j * n + i] * (1 + j);
    }
    assert_true(linear_factor(&l));
    linear_solve(&l, b);
    for (uint32_t j = 0; j < n; j++) assert_true(fabs(b[j] - (1 + j)) < 1e-10 * (1 + j));
    memset(l.a, 0, n * n * sizeof *l.a);
    assert_false(linear_factor(&l));
  }
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(van_der_pol_ends_where_it_should),
      cmocka_unit_test(robertson_ends_where_it_should),
      cmocka_unit_test(hires_ends_where_it_should),
      cmocka_unit_test(auto_changes_for_stiff_motion_alone),
      cmocka_unit_test(auto_goes_back_where_nothing_is_gained),
      cmocka_unit_test(stiff_methods_keep_the_account),
      cmocka_unit_test(tolerances_follow_the_scale),
      cmocka_unit_test(dust_of_balanced_forces_takes_no_steps),
      cmocka_unit_test(rodas_has_its_order),
      cmocka_unit_test(stiff_rows_are_as_good_as_steps),
      cmocka_unit_test(rows_and_accounts_change_no_bit),
      cmocka_unit_test(an_end_of_the_motion_is_found_not_crossed),
      cmocka_unit_test(large_systems_go_to_the_libraries),
      cmocka_unit_test(large_blocks_are_solved_like_small_ones),
      cmocka_unit_test(large_mechanisms_move),
      cmocka_unit_test(linear_systems_are_solved_at_every_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
