// How fits search: outliers, long records, rows in any order, searches that are ended early.
#include "tests/support.h"

#include "base/random.h"
#include "viva/viva.h"

#include <unistd.h>

typedef struct Fitted {
  viva_model *model;
  viva_fit *fit;
  viva_status status;
} Fitted;

static char path[] = "/tmp/viva_search_XXXXXX";

static FILE *open_data(const char *header) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fprintf(f, "%s\n", header);
  return f;
}

static Fitted fitted(const char *model, const char *line, viva_fit_options o) {
  Fitted out = {0};
  char text[1024];
  viva_load_options load = viva_load_defaults();
  snprintf(text, sizeof text, line, path);
  load.fit = text;
  assert_int_equal(viva_model_parse("m.viva", model, strlen(model), &load, &out.model), VIVA_OK);
  out.status = viva_fit_model(out.model, &o, &out.fit);
  return out;
}

static void done(Fitted *f) {
  viva_fit_free(f->fit);
  viva_model_free(f->model);
}

static double estimated(const Fitted *f, size_t i) { return viva_fit_estimate(f->fit, i).value; }

// ---- outliers

// Brownlee's stack loss: Huber's estimate as R's MASS::rlm has it (Venables, Ripley 2002, 6.5), c = 1.345.
static void stack_loss_is_that_of_the_textbook(void **state) {
  (void)state;
  static const double air[] = {80, 80, 75, 62, 62, 62, 62, 62, 58, 58, 58, 58, 58, 58, 50, 50, 50, 50, 50, 56, 70},
                      water[] = {27, 27, 25, 24, 22, 23, 24, 24, 23, 18, 18, 17, 18, 19, 18, 18, 19, 19, 20, 20, 20},
                      acid[] = {89, 88, 90, 87, 87, 87, 93, 93, 87, 80, 89, 88, 82, 93, 89, 86, 72, 79, 80, 82, 91},
                      loss[] = {42, 37, 37, 28, 18, 18, 19, 20, 15, 14, 14, 13, 11, 12, 8, 7, 8, 8, 9, 15, 15};
  static const double square[] = {-39.9197, 0.7156, 1.2953, -0.1521}, huber[] = {-41.0265, 0.8294, 0.9261, -0.1278},
                      errors[] = {9.8073, 0.1112, 0.3034, 0.1289};
  char model[1024];
  FILE *f = open_data("i,loss,air,water,acid");
  for (int i = 0; i < 21; i++) fprintf(f, "%d,%g,%g,%g,%g\n", i + 1, loss[i], air[i], water[i], acid[i]);
  fclose(f);
  snprintf(model, sizeof model,
           "param b0 = 0, b1 = 1, b2 = 1, b3 = 1\n"
           "output y = b0 + b1*table(\"%s\", \"air\", t) + b2*table(\"%s\", \"water\", t) + b3*table(\"%s\", \"acid\", "
           "t)\n",
           path, path, path);
  viva_fit_options o = viva_fit_defaults();
  const char line[] = "fit b0, b1, b2, b3 to \"%s\" by y = \"loss\"";
  Fitted plain = fitted(model, line, o);
  o.loss = "huber";
  Fitted robust = fitted(model, line, o);
  assert_int_equal(plain.status, VIVA_OK);
  assert_int_equal(robust.status, VIVA_OK);
  for (size_t j = 0; j < 4; j++) {
    assert_true(fabs(estimated(&plain, j) - square[j]) < 6e-5);
    assert_true(fabs(estimated(&robust, j) - huber[j]) < 1.1e-4);
    assert_true(fabs(viva_fit_estimate(robust.fit, j).stderr_ / errors[j] - 1) < 5e-3);
  }
  done(&plain);
  done(&robust);
}

// A tenth of the points is wrong by far: the estimate of least squares is off by many standard errors, Huber's is not,
// and its intervals cover the truth as often as they say.
static void outliers_do_not_lead_astray(void **state) {
  (void)state;
  enum { runs = 120 };
  int covered = 0, plain_covered = 0;
  viva_fit_options o = viva_fit_defaults();
  for (uint64_t r = 0; r < runs; r++) {
    FILE *f = open_data("t,y");
    for (uint64_t i = 0; i < 80; i++) {
      double t = 0.05 * (double)i, noise = 0.02 * random_normal(1000 + r, i);
      if (random_uniform(5000 + r, i) < 0.1) noise += 1 + random_uniform(7000 + r, i);
      fprintf(f, "%.3f,%.9f\n", t, 2 * exp(-0.7 * t) + noise);
    }
    fclose(f);
    for (int robust = 0; robust < 2; robust++) {
      o.loss = robust ? "huber" : NULL;
      o.method = "lm";
      Fitted fit = fitted("param A = 1.5, k = 1\noutput y = A*exp(-k*t)\n", "fit A, k to \"%s\" by y", o);
      assert_int_equal(fit.status, VIVA_OK);
      viva_estimate e = viva_fit_estimate(fit.fit, 1);
      *(robust ? &covered : &plain_covered) += e.low < 0.7 && e.high > 0.7;
      if (robust) assert_true(fabs(e.value - 0.7) < 0.1);
      done(&fit);
    }
  }
  // one-sided outliers leave a bias, which is small: 95 % less three standard deviations
  if (!(covered >= 0.87 * runs)) print_error("covered %d of %d, by squares %d\n", covered, runs, plain_covered);
  assert_true(covered >= 0.87 * runs);
}

// ---- long records

// 60 periods, and a frequency that is a third off where it begins.
static void a_long_record_does_not_mislead(void **state) {
  (void)state;
  FILE *f = open_data("t,x");
  double d = 0.01, w0 = 2 * 3.14159265358979323846, w = sqrt(w0 * w0 - d * d);
  for (uint64_t i = 0; i < 1200; i++) {
    double t = 0.05 * (double)i, x = exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    fprintf(f, "%.3f,%.9f\n", t, x + 0.02 * random_normal(3, i));
  }
  fclose(f);
  static const char model[] = "param k = 22, c = 0.05\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\n"
                              "dissipation 1/2*c*x'^2\n";
  static const char *const lines[] = {"fit k, c to \"%s\" by x", "fit k in 5 .. 100, c in 0 .. 1 to \"%s\" by x"};
  for (int i = 0; i < 2; i++) {
    viva_fit_options o = viva_fit_defaults();
    o.no_profiles = true;
    Fitted fit = fitted(model, lines[i], o);
    assert_int_equal(fit.status, VIVA_OK);
    viva_estimate k = viva_fit_estimate(fit.fit, 0), c = viva_fit_estimate(fit.fit, 1);
    if (!(fabs(k.value - w0 * w0) < 4 * k.stderr_))
      print_error("line %d: k = %g instead of %g, R^2 = %g\n", i, k.value, w0 * w0, viva_fit_r_squared(fit.fit));
    assert_true(fabs(k.value - w0 * w0) < 4 * k.stderr_ && k.stderr_ < 1e-2);
    assert_true(fabs(c.value - 2 * d) < 4 * c.stderr_);
    done(&fit);
  }
}

// A chaotic record of Lorenz's equations, about a dozen times the time in which errors grow by e.
static void a_chaotic_record_is_followed_from_its_beginning(void **state) {
  (void)state;
  double y[3] = {-8, 8, 27};
  FILE *f = open_data("t,x,z");
  for (uint64_t i = 0; i <= 600; i++) {
    if (i % 2 == 0)
      fprintf(f, "%.3f,%.9f,%.9f\n", 0.02 * (double)i, y[0] + 0.1 * random_normal(21, i),
              y[2] + 0.1 * random_normal(22, i));
    for (int s = 0; s < 40; s++) { // RK4, steps of 0.0005
      double k[4][3], z[3], h = 0.02 / 40;
      for (int j = 0; j < 4; j++) {
        for (int c = 0; c < 3; c++) z[c] = y[c] + (j == 0 ? 0 : j == 3 ? h : h / 2) * (j ? k[j - 1][c] : 0);
        k[j][0] = 10 * (z[1] - z[0]);
        k[j][1] = z[0] * (28 - z[2]) - z[1];
        k[j][2] = z[0] * z[1] - 8.0 / 3 * z[2];
      }
      for (int c = 0; c < 3; c++) y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
  }
  fclose(f);
  viva_fit_options o = viva_fit_defaults();
  o.no_profiles = true;
  Fitted fit = fitted("param s = 11, r = 26, b = 2.4\nstate x = -8, y = 8, z = 27\nx' = s*(y - x)\n"
                      "y' = x*(r - z) - y\nz' = x*y - b*z\n",
                      "fit s in 5 .. 15, r in 20 .. 35, b in 1 .. 4 to \"%s\" by x sd 0.1, z sd 0.1", o);
  if (fit.status != VIVA_OK)
    print_error("%s%s\n", viva_fit_message(fit.fit), viva_fit_summary(fit.fit, VIVA_FORMAT_TEXT));
  assert_int_equal(fit.status, VIVA_OK);
  const double truth[] = {10, 28, 8.0 / 3};
  for (size_t j = 0; j < 3; j++) {
    viva_estimate e = viva_fit_estimate(fit.fit, j);
    if (!(fabs(e.value - truth[j]) < 4 * e.stderr_))
      print_error("%g instead of %g, error %g\n", e.value, truth[j], e.stderr_);
    assert_true(fabs(e.value - truth[j]) < 4 * e.stderr_ && e.stderr_ < 1e-3 * truth[j]);
  }
  done(&fit);
}

// ---- rows in any order

static void rows_of_a_curve_may_stand_in_any_order(void **state) {
  (void)state;
  const char *const texts[] = {"x,y\n-2,4.9\n-1,2.1\n-1,1.9\n0,1.05\n1,1.9\n2,5.2\n2,4.8\n",
                               "x,y\n2,5.2\n-1,1.9\n0,1.05\n2,4.8\n-2,4.9\n1,1.9\n-1,2.1\n"};
  double values[2][2];
  for (int i = 0; i < 2; i++) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(texts[i], f);
    fclose(f);
    Fitted fit = fitted("param a = 1, b = 1\noutput y = a + b*t^2\n", "fit a, b to \"%s\" by y", viva_fit_defaults());
    assert_int_equal(fit.status, VIVA_OK);
    for (size_t j = 0; j < 2; j++) values[i][j] = estimated(&fit, j);
    done(&fit);
  }
  // by hand: over q = x^2 with n = 7, sum q = 15, sum q^2 = 51, sum y = 21.85, sum q y = 65.5
  double b = (7 * 65.5 - 15 * 21.85) / (7 * 51 - 15 * 15), a = (21.85 - 15 * b) / 7;
  for (int i = 0; i < 2; i++) assert_true(fabs(values[i][0] - a) < 1e-9 && fabs(values[i][1] - b) < 1e-9);
}

// ---- ended early

typedef struct Watcher {
  uint64_t told, enough;
  double best;
} Watcher;

static void told(void *self, uint64_t simulations, double best) {
  Watcher *w = self;
  w->told = simulations;
  if (!isnan(best)) {
    assert_true(isnan(w->best) || best >= w->best); // the best so far never gets worse
    w->best = best;
  }
}

static bool enough(void *self) {
  const Watcher *w = self;
  return w->told > w->enough;
}

static void a_search_that_is_ended_early_keeps_its_best(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "lm", "ga", "ga-binary", "de", "cmaes"};
  FILE *f = open_data("t,x");
  for (uint64_t i = 0; i < 100; i++)
    fprintf(f, "%.2f,%.9f\n", 0.1 * (double)i,
            exp(-0.1 * 0.1 * (double)i) * cos(0.3 * (double)i) + 0.1 * random_normal(9, i));
  fclose(f);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    Watcher w = {.enough = 25, .best = NAN};
    viva_fit_options o = viva_fit_defaults();
    o.method = methods[i];
    o.population = strcmp(methods[i], "lm") == 0 ? 0 : 10;
    o.run.self = &w;
    o.run.interrupted = enough;
    o.best = told;
    Fitted fit = fitted("param k = 5, c = 0.5\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\n"
                        "dissipation 1/2*c*x'^2\n",
                        "fit k in 1 .. 50, c in 0 .. 2 to \"%s\" by x", o);
    assert_int_equal(fit.status, VIVA_EINTERRUPTED);
    assert_non_null(strstr(viva_fit_summary(fit.fit, VIVA_FORMAT_TEXT), "best so far"));
    assert_true(estimated(&fit, 0) >= 1 && estimated(&fit, 0) <= 50);
    assert_true(isnan(viva_fit_estimate(fit.fit, 0).stderr_));
    assert_true(viva_fit_r_squared(fit.fit) == w.best);
    done(&fit);
  }
}

// ---- many periods

// 116 periods: all but a strip of 0.03 of the range 0.1 .. 50 is a period off somewhere. The error of a frequency is
// known: sqrt(24/N) sd/(A T) (Rife, Boorstyn 1974, with a known phase half of it).
static void a_frequency_is_found_from_many_periods(void **state) {
  (void)state;
  static const char model[] = "param w = 2\nstate x = 0, v = 0.7\nx' = v\nv' = -w^2*x\n";
  FILE *f = open_data("t,x");
  for (int i = 0; i < 1000; i++)
    fprintf(f, "%.17g,%.17g\n", 0.1 * i, 0.7 / 7.3 * sin(0.73 * i) + 0.005 * random_normal(5, (uint64_t)i));
  fclose(f);
  viva_fit_options o = viva_fit_defaults();
  o.no_profiles = true;
  for (o.seed = 1; o.seed <= 5; o.seed++) {
    Fitted fit = fitted(model, "fit w in 0.1 .. 50 to \"%s\" by x", o);
    assert_int_equal(fit.status, VIVA_OK);
    assert_true(fabs(estimated(&fit, 0) - 7.3) < 2e-4);
    done(&fit);
  }
}

// ---- what is no fit

// Data of another kind: no frequency between 1 and 2 explains it as well as its mean does, whatever is searched with.
static void what_a_constant_explains_better_is_no_success(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "lm", "ga", "ga-binary", "de", "cmaes"};
  static const char model[] = "param w = 1.5\nstate x = 0, v = 1\nx' = v\nv' = -w^2*x\n";
  FILE *f = open_data("t,x");
  for (int i = 0; i < 400; i++) fprintf(f, "%.17g,%.17g\n", 0.1 * i, 0.14 * sin(0.5 * i) + 0.3);
  fclose(f);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    viva_fit_options o = viva_fit_defaults();
    o.method = methods[i];
    Fitted fit = fitted(model, "fit w in 1 .. 2 to \"%s\" by x", o);
    assert_int_equal(fit.status, VIVA_EFAIL);
    assert_true(viva_fit_r_squared(fit.fit) < 0);
    assert_non_null(strstr(viva_fit_message(fit.fit), "this is no fit"));
    assert_non_null(strstr(viva_fit_summary(fit.fit, VIVA_FORMAT_TEXT), "best so far"));
    done(&fit);
  }
}

// Two oscillations under noise that is as large: R^2 at the optimum is 0.6. What a search finds is a success exactly
// where it is the optimum, however often it met it: the residuals are white there, and nowhere else.
static void an_optimum_under_much_noise_is_a_success(void **state) {
  (void)state;
  enum { first = 4, last = 7 };
  int found = 0;
  FILE *f = open_data("t,s");
  for (int i = 0; i < 400; i++) {
    double t = 0.02 * i, s = exp(-0.05 * t) * cos(37.3 * t) + 0.8 * cos(11.7 * t);
    fprintf(f, "%.17g,%.17g\n", t, s + 0.7 * random_normal(21, (uint64_t)i));
  }
  fclose(f);
  const char *model = "param w = 20, d = 0.1, w2 = 10\nstate x = 1, v = 0, y = 1, z = 0\n"
                      "x' = v\nv' = -w^2*x - d*v\ny' = z\nz' = -w2^2*y\n";
  viva_fit_options o = viva_fit_defaults();
  o.no_profiles = true;
  for (o.seed = first; o.seed <= last; o.seed++) {
    Fitted r = fitted(
        model, "fit w in 20 .. 80, d in 0 .. 1, w2 in 5 .. 50, x in 0 .. 3, y in 0 .. 3 to \"%s\" by x + y = \"s\"", o);
    bool optimum = fabs(estimated(&r, 0) - 37.3) < 0.1 && fabs(estimated(&r, 2) - 11.7) < 0.1;
    print_message("seed %d: R^2 = %.3f, status %d\n", (int)o.seed, viva_fit_r_squared(r.fit), (int)r.status);
    assert_int_equal(r.status, optimum ? VIVA_OK : VIVA_EFAIL);
    found += optimum;
    done(&r);
  }
  assert_true(found >= 2);
}

int main(void) {
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  const struct CMUnitTest tests[] = {cmocka_unit_test(stack_loss_is_that_of_the_textbook),
                                     cmocka_unit_test(outliers_do_not_lead_astray),
                                     cmocka_unit_test(a_long_record_does_not_mislead),
                                     cmocka_unit_test(a_chaotic_record_is_followed_from_its_beginning),
                                     cmocka_unit_test(a_frequency_is_found_from_many_periods),
                                     cmocka_unit_test(what_a_constant_explains_better_is_no_success),
                                     cmocka_unit_test(rows_of_a_curve_may_stand_in_any_order),
                                     cmocka_unit_test(a_search_that_is_ended_early_keeps_its_best),
                                     cmocka_unit_test(an_optimum_under_much_noise_is_a_success)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
