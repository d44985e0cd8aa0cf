// Sensitivities: against closed forms, and against differences of motions of the same program.
//
// The law: dy/du by variation is what (y(u + h) - y(u - h))/2h tends to, for every kind of model, also through events.
// Its broken twin has slopes that are off by a hundred thousandth, and is seen.
#include "tests/support.h"

#include "fit/sensitivity.h"
#include "fit/sensitivity_table.h"

enum { most_rows = 40, most_unknowns = 8, most_outputs = 8 };

typedef struct Setting {
  Loaded *loaded;
  Arena *arena;
  SimProgram *p;
  Variation vary;
  Sensitivity *s;
  double values[most_unknowns], sizes[most_unknowns];
  double times[most_rows];
  uint32_t rows;
  double out[most_rows * most_outputs], slopes[most_rows * most_outputs * most_unknowns];
  double other[most_rows * most_outputs], differences[most_rows * most_outputs * most_unknowns];
} Setting;

static Setting *set_up(const char *text, const char *method, const char *const *names, uint32_t count) {
  Setting *x = calloc(1, sizeof *x);
  x->loaded = load_text(text);
  x->arena = arena_new();
  RunSettings s = run_defaults();
  s.method = method;
  s.backend = "interp";
  ProgramReport report;
  Diags diags = {.arena = x->arena, .sources = &x->loaded->model.sources};
  x->p = program_new(x->arena, &x->loaded->system, &(ProgramRequest){.settings = &s}, &diags, &report);
  assert_non_null(x->p);
  uint32_t all = count;
  if (!names) names = sensitivity_parameters(x->arena, &x->p->s, &all);
  assert_true(all <= most_unknowns && x->p->columns.shown <= most_outputs);
  assert_true(vary_names(x->p, names, all, &diags, &x->vary) && !diags.errors);
  for (uint32_t i = 0; i < all; i++) {
    x->values[i] = sensitivity_own_value(x->p, &x->vary.targets[i], names[i]);
    x->sizes[i] = sensitivity_size(x->values[i]);
  }
  x->s = sensitivity_new(x->arena, x->p, &x->vary, x->sizes);
  assert_non_null(x->s);
  x->rows = 20;
  for (uint32_t i = 0; i < x->rows; i++) x->times[i] = x->p->settled.to * (i + 0.37) / (x->rows - 0.63);
  return x;
}

static void tear_down(Setting *x) {
  program_free(x->p);
  arena_free(x->arena);
  unload(x->loaded);
  free(x);
}

static void follow(Setting *x) {
  RunFailure f = sensitivity_run(x->s, x->values, x->times, x->rows, x->out, x->slopes);
  if (f.status != run_done) print_error("%s\n%s\n", x->loaded->model.sources.list.items[0].text, f.message);
  assert_int_equal(f.status, run_done);
}

// The largest difference of the two ways, relative to the largest slope by that unknown.
static double compare(Setting *x) {
  const char *why = x->s->why;
  uint32_t width = x->p->columns.shown, k = x->vary.count;
  double worst = 0;
  x->s->why = "a test asks for it";
  RunFailure f = sensitivity_run(x->s, x->values, x->times, x->rows, x->other, x->differences);
  x->s->why = why;
  assert_int_equal(f.status, run_done);
  for (uint32_t c = 0; c < width; c++) {
    for (uint32_t j = 0; j < k; j++) {
      double size = 0, apart = 0;
      for (uint32_t i = 0; i < x->rows; i++) {
        size_t at = ((size_t)i * width + c) * k + j;
        size = fmax(size, fabs(x->differences[at]));
        apart = fmax(apart, fabs(x->slopes[at] - x->differences[at]));
      }
      double own = 0;
      for (uint32_t i = 0; i < x->rows; i++) own = fmax(own, fabs(x->out[i * width + c]));
      worst = fmax(worst, apart / fmax(size, 1e-3 * own / x->sizes[j]));
    }
  }
  return worst;
}

// ---- closed forms

static void a_discharge_has_the_slopes_of_its_formula(void **state) {
  (void)state;
  const char *names[] = {"R", "C", "v"};
  Setting *x =
      set_up("param R = 2, C = 0.5, U = 3\nstate v = 1\nv' = (U - v)/(R*C)\nsimulate to 2\n", "auto", names, 3);
  follow(x);
  assert_null(x->s->why);
  for (uint32_t i = 0; i < x->rows; i++) {
    double t = x->times[i], e = exp(-t), *s = &x->slopes[i * 3];
    assert_true(fabs(s[0] - (1 - 3) * e * t / 2) < 1e-10); // d/dR of U + (v0 - U) exp(-t/RC), RC = 1
    assert_true(fabs(s[1] - (1 - 3) * e * t / 0.5) < 1e-10);
    assert_true(fabs(s[2] - e) < 1e-10);
  }
  tear_down(x);
}

// h0, g and e of a bouncing ball: h between the bounces n and n + 1, by hand.
static double ball(double t, const double p[3]) {
  double e = p[0], g = p[1], fall = sqrt(2 * p[2] / g), v = e * g * fall;
  if (t < fall) return p[2] - g * t * t / 2;
  for (t -= fall; t > 2 * v / g; v *= e) t -= 2 * v / g;
  return v * t - g * t * t / 2;
}

static void a_bouncing_ball_has_the_slopes_of_its_formula(void **state) {
  (void)state;
  const char *names[] = {"e", "g", "h0"};
  Setting *x = set_up("param e = 0.8, g = 9.81, h0 = 2\ncoord h = h0\nkinetic 1/2*h'^2\npotential g*h\n"
                      "when h < 0 do h' := -e*h'\noutput h\nsimulate to 3.1\n",
                      "auto", names, 3);
  follow(x);
  assert_null(x->s->why);
  for (uint32_t i = 0; i < x->rows; i++) {
    for (uint32_t j = 0; j < 3; j++) {
      double p[3], sides[4], h = 1e-4 * x->values[j];
      for (int k = 0; k < 4; k++) {
        memcpy(p, x->values, sizeof p);
        p[j] += (k < 2 ? 1 : 2) * (k % 2 ? -h : h);
        sides[k] = ball(x->times[i], p);
      }
      double slope = (8 * (sides[0] - sides[1]) - (sides[2] - sides[3])) / (12 * h);
      assert_true(fabs(x->slopes[i * 3 + j] - slope) < 1e-7 * (1 + fabs(slope)));
    }
  }
  tear_down(x);
}

// ---- all kinds of models; no row lies so near to a jump that a difference reaches across it

typedef struct Kind {
  const char *text;
  bool exact;
} Kind;

static const Kind kinds[] = {
    {"param l = 1, g = 9.81, d = 0.1\ncoord th = 1\nkinetic 1/2*l^2*th'^2\npotential -g*l*cos(th)\n"
     "dissipation d*th'^2\noutput th\noutput y = l*sin(th)\nsimulate to 2\n",
     true},
    // a parameter that follows from others, a start of parameters
    {"param m = 1, l = 0.5, k = 3, J = m*l^2\ncoord q = l/3\nkinetic 1/2*J*q'^2\npotential 1/2*k*q^2 + m*q^4\n"
     "simulate to 3\n",
     true},
    // a jump of the rates where a state passes a limit that is unknown
    {"param lim = 0.4, a = 2, b = 0.5\nstate x\nx' = if(x > lim, b, a) - 0.3*x\nsimulate to 2\n", true},
    {"param up = 0.5, k = 4\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*max(x - up, 0)^2 + x^2/2\nsimulate to 5\n",
     true},
    // samples, with values that are set from the state
    {"param k = 0.3, c = 1\nstate x = 1\nstate u\nx' = u - c*x\nevery 0.25 do u := -k*x\nsimulate to 3\n", true},
    // a reset that depends on the moment, and on a parameter
    {"param T = 0.7, r = 0.05\nstate x\nx' = 1 + 0.1*x\nwhen x > T do x := r*t\nsimulate to 3.7\n", true},
    {"param w = 3, A = 2\nstate x\nx' = A*step(t - 0.7) + abs(sin(w*t + 0.5)) - x\nsimulate to 3\n", false},
    {"param A = 2, c = 1\nstate x\nx' = A*step(t - 0.7) - c*x\nsimulate to 3\n", true},
    {"param k = 2\nstate x = 1\nx' = -k*delay(x, 0.3)\nsimulate to 3\n", false},
    {"param k = 2\nstate x = 1\nunknown z = 0.5/k\nequation z^3 + z = k*x\nx' = -z\nsimulate to 2\n", true},
    {"param l = 1, m = 2\ncoord x = 0.6, y = -0.8\nkinetic 1/2*m*(x'^2 + y'^2)\npotential 9.81*m*y + x^2\n"
     "constraint x^2 + y^2 = l^2\nsimulate to 1\n",
     false},
    {"param hi = 0.6, lo = 0.2\nstate x\nx' = hysteresis(x, lo, hi, 0, 1)*1.5 - 0.5 - 0.1*x\nsimulate to 3\n", true},
    {"param kp = 2, ki = 1, T = 0.4\nstate y\nlet e = 1 - y\nlet u = limit(kp*e + ki*integral(e, 0), -0.7, 0.7)\n"
     "y' = (u - y)/T\nsimulate to 4\n",
     true},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

static void slopes_are_those_of_differences(void **state) {
  (void)state;
  for (uint32_t i = 0; i < kind_count; i++) {
    Setting *x = set_up(kinds[i].text, "auto", NULL, 0);
    follow(x);
    if (kinds[i].exact != !x->s->why) print_error("kind %u: %s\n", i, x->s->why ? x->s->why : "exact");
    assert_true(kinds[i].exact == !x->s->why);
    double apart = compare(x);
    if (!(apart < 1e-6)) print_error("kind %u is off by %g\n", i, apart);
    assert_true(apart < 1e-6);
    tear_down(x);
  }
}

static void every_method_has_the_same_slopes(void **state) {
  (void)state;
  static const char *const methods[] = {"dopri5", "dop853", "rodas", "bdf"};
  static const uint32_t some[] = {0, 5, 9}; // smooth; a reset; an unknown, whose kernel has no derivatives in numbers
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
      uint32_t i = some[k];
      Setting *x = set_up(kinds[i].text, methods[m], NULL, 0);
      follow(x);
      assert_true(kinds[i].exact == !x->s->why);
      double apart = compare(x);
      if (!(apart < 1e-5)) print_error("kind %u by %s is off by %g\n", i, methods[m], apart);
      assert_true(apart < 1e-5);
      tear_down(x);
    }
  }
}

// A stiff motion goes by rodas, with a Jacobian of y and S.
static void a_stiff_motion_has_slopes(void **state) {
  (void)state;
  Setting *x = set_up("param mu = 300, k = 1\nstate x = 2, v = 0\nx' = v\nv' = mu*(1 - x^2)*v - k*x\nsimulate to 1\n",
                      "rodas", NULL, 0);
  follow(x);
  assert_null(x->s->why);
  assert_true(compare(x) < 1e-5);
  tear_down(x);
}

// More unknowns than one pass takes.
static void many_unknowns_take_several_passes(void **state) {
  (void)state;
  enum { count = 20 };
  Loaded *l = load_text("param n = 20\nparam a[i] = 1/i for i in 1 .. n\nstate x\nx' = sum(a[i]*cos(i*t), i, 1, n)\n"
                        "simulate to 2\n");
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  SensitivitySettings settings = {.run = run_defaults()};
  SensitivityResult r = sensitivity_table_run(arena, &l->system, &settings, NULL, &diags);
  assert_int_equal(r.status, run_done);
  assert_int_equal(r.unknown_count, count);
  for (uint32_t j = 0; j < count; j++) assert_true(fabs(r.slopes[j].last - sin(2.0 * (j + 1)) / (j + 1)) < 1e-9);
  arena_free(arena);
  unload(l);
}

// The broken twin.
static void slopes_that_are_a_little_off_are_seen(void **state) {
  (void)state;
  Setting *x = set_up("param e = 0.8, g = 9.81\ncoord h = 2\nkinetic 1/2*h'^2\npotential g*h\n"
                      "when h < 0 do h' := -e*h'\noutput h\nsimulate to 3\n",
                      "auto", NULL, 0);
  follow(x);
  assert_true(compare(x) < 1e-6);
  for (uint32_t i = 0; i < x->rows; i++) x->slopes[2 * i] *= 1 + 1e-5; // even a little is seen
  assert_true(compare(x) > 1e-6);
  tear_down(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_discharge_has_the_slopes_of_its_formula),
                                     cmocka_unit_test(a_bouncing_ball_has_the_slopes_of_its_formula),
                                     cmocka_unit_test(slopes_are_those_of_differences),
                                     cmocka_unit_test(every_method_has_the_same_slopes),
                                     cmocka_unit_test(a_stiff_motion_has_slopes),
                                     cmocka_unit_test(many_unknowns_take_several_passes),
                                     cmocka_unit_test(slopes_that_are_a_little_off_are_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
