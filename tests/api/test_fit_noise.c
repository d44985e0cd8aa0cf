// The noise of several measured columns: one variance each, against closed forms of linear regression, and how often
// intervals hold the truth.
#include "tests/support.h"

#include "base/random.h"
#include "viva/viva.h"

#include <unistd.h>

enum { rows = 20 };
static char path[] = "/tmp/viva_fit_XXXXXX";

typedef struct Lines {
  double t[rows], y[rows], z[rows];
} Lines;

// y = t with much noise, z = t with little.
static Lines draw(double loud, double quiet, uint64_t seed) {
  Lines d;
  for (int i = 0; i < rows; i++) {
    d.t[i] = 0.5 * (i + 1);
    d.y[i] = d.t[i] + loud * random_normal(seed, (uint64_t)i);
    d.z[i] = d.t[i] + quiet * random_normal(seed, (uint64_t)(rows + i));
  }
  return d;
}

static void write_lines(const Lines *d) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fputs("t,y,z\n", f);
  for (int i = 0; i < rows; i++) fprintf(f, "%.17g,%.17g,%.17g\n", d->t[i], d->y[i], d->z[i]);
  assert_int_equal(fclose(f), 0);
}

typedef struct Fitted {
  viva_model *model;
  viva_fit *fit;
} Fitted;

// line: what stands behind the path of the data
static Fitted fit_lines(const char *text, const char *unknowns, const char *line, const char *method, bool profiles) {
  Fitted out = {0};
  char whole[512];
  viva_load_options load = viva_load_defaults();
  snprintf(whole, sizeof whole, "fit %s to \"%s\" %s", unknowns, path, line);
  load.fit = whole;
  assert_int_equal(viva_model_parse("m.viva", text, strlen(text), &load, &out.model), VIVA_OK);
  viva_fit_options o = viva_fit_defaults();
  o.method = method;
  o.no_profiles = !profiles;
  viva_status status = viva_fit_model(out.model, &o, &out.fit);
  if (status != VIVA_OK) print_error("%s\n", viva_fit_message(out.fit));
  assert_int_equal(status, VIVA_OK);
  return out;
}

static void done(Fitted *f) {
  viva_fit_free(f->fit);
  viva_model_free(f->model);
}

// Regression through the origin: slope, sum of squares about it, sum of t^2.
static double slope_of(const double *t, const double *y, double *left, double *tt) {
  double ty = 0, sum = 0;
  *tt = 0;
  for (int i = 0; i < rows; i++) ty += t[i] * y[i], *tt += t[i] * t[i];
  for (int i = 0; i < rows; i++) sum += pow(y[i] - ty / *tt * t[i], 2);
  *left = sum;
  return ty / *tt;
}

static void near_to(double got, double want, double tolerance) {
  if (!(fabs(got - want) <= tolerance * fabs(want))) print_error("%.12g, not %.12g\n", got, want);
  assert_true(fabs(got - want) <= tolerance * fabs(want));
}

static const double t19 = 2.0930240544082634, normal = 1.9599639845400545; // two-sided 95 %

// ---- unknowns that each have a column of their own: two regressions

static void columns_apart_are_two_regressions(void **state) {
  (void)state;
  const char *text = "param a = 0.5, b = 0.5\noutput y = a*t, z = b*t\n";
  const char *lines[] = {"by y, z", "by y sd 0.25, z", "by y sd 0.25, z sd 0.005"};
  Lines d = draw(0.3, 0.006, 7);
  double left[2], tt, a = slope_of(d.t, d.y, &left[0], &tt), b = slope_of(d.t, d.z, &left[1], &tt);
  write_lines(&d);
  for (int given = 0; given < 3; given++) {
    Fitted f = fit_lines(text, "a in 0 .. 5, b in 0 .. 5", lines[given], "auto", true);
    viva_estimate ea = viva_fit_estimate(f.fit, 0), eb = viva_fit_estimate(f.fit, 1);
    double sa = (given > 0 ? 0.25 : sqrt(left[0] / (rows - 1))) / sqrt(tt), ta = given > 0 ? normal : t19;
    double sb = (given > 1 ? 0.005 : sqrt(left[1] / (rows - 1))) / sqrt(tt), tb = given > 1 ? normal : t19;
    near_to(ea.value, a, 1e-9);
    near_to(eb.value, b, 1e-9);
    near_to(ea.stderr_, sa, 1e-6);
    near_to(eb.stderr_, sb, 1e-6);
    near_to(ea.high - a, ta * sa, 2e-3);
    near_to(eb.high - b, tb * sb, 2e-3);
    done(&f);
  }
}

// ---- one unknown behind both columns: restricted likelihood, solved once more for this problem by its two equations
//
//   s_g^2 (n - h_g) = S_g(a),   h_g = w_g/(w_1 + w_2),   w = 1/s^2,   a = (w_1 a_1 + w_2 a_2)/(w_1 + w_2)

typedef struct Common {
  double a, error, freedom;
} Common;

static Common solve_common(const Lines *d, double given) {
  double left[2], tt, own[2] = {slope_of(d->t, d->y, &left[0], &tt), slope_of(d->t, d->z, &left[1], &tt)};
  double s2[2] = {given > 0 ? given * given : left[0] / rows, left[1] / rows}, a = 0, h[2] = {0};
  for (int i = 0; i < 1000; i++) {
    double w = 1 / s2[0] + 1 / s2[1];
    a = (own[0] / s2[0] + own[1] / s2[1]) / w;
    for (int g = 0; g < 2; g++) {
      h[g] = 1 / s2[g] / w;
      if (g == 0 && given > 0) continue;
      s2[g] = (left[g] + tt * pow(a - own[g], 2)) / (rows - h[g]);
    }
  }
  double first = given > 0 ? 0 : h[0] * h[0] / (rows - h[0]);
  return (Common){a, sqrt(1 / ((1 / s2[0] + 1 / s2[1]) * tt)), 1 / (first + h[1] * h[1] / (rows - h[1]))};
}

static void an_unknown_behind_two_columns_weighs_them_by_their_noise(void **state) {
  (void)state;
  const char *text = "param a = 0.5\noutput y = a*t, z = a*t\n";
  for (int given = 0; given < 2; given++) {
    Lines d = draw(0.05, 0.02, 11);
    Common want = solve_common(&d, given ? 0.05 : 0);
    write_lines(&d);
    Fitted f = fit_lines(text, "a in 0 .. 5", given ? "by y sd 0.05, z" : "by y, z", "lm", true);
    viva_estimate e = viva_fit_estimate(f.fit, 0);
    near_to(e.value, want.a, 1e-8);
    near_to(e.stderr_, want.error, 1e-5);
    // t of 20 degrees of freedom and more lies between the normal one and that of 20
    double t = (e.high - e.value) / e.stderr_;
    assert_true(want.freedom > 20 && want.freedom < 50 && t > normal && t < 2.0860);
    done(&f);
  }
}

// ---- how often intervals hold the truth, with a fixed seed

static void intervals_hold_with_no_one_and_two_standard_deviations(void **state) {
  (void)state;
  enum { repetitions = 300 };
  const char *text = "param a = 0.9, b = 0.1\noutput y = a*t + b, z = a*t - b\n";
  const char *lines[] = {"by y, z", "by y sd 0.2, z", "by y, z sd 0.01", "by y sd 0.2, z sd 0.01"};
  for (int given = 0; given < 4; given++) {
    int held[2] = {0, 0};
    for (uint64_t r = 0; r < repetitions; r++) {
      Lines d = draw(0.2, 0.01, 100 + r);
      write_lines(&d);
      Fitted f = fit_lines(text, "a in 0 .. 5, b in -1 .. 1", lines[given], "lm", false);
      for (size_t j = 0; j < 2; j++) {
        viva_estimate e = viva_fit_estimate(f.fit, j);
        double truth = j ? 0 : 1;
        held[j] += e.low <= truth && truth <= e.high;
      }
      done(&f);
    }
    print_message("%s: held in %.1f and %.1f %%\n", lines[given], 100.0 * held[0] / repetitions,
                  100.0 * held[1] / repetitions);
    for (int j = 0; j < 2; j++) assert_true(held[j] >= 0.92 * repetitions && held[j] <= 0.98 * repetitions);
  }
}

// ---- what the residuals say of a standard deviation, and of a point that is no minimum

static void a_standard_deviation_that_is_too_small_is_reported(void **state) {
  (void)state;
  const char *text = "param a = 0.5\noutput y = a*t, z = a*t\n";
  Lines d = draw(0.3, 0.006, 7);
  write_lines(&d);
  Fitted wrong = fit_lines(text, "a in 0 .. 5", "by y sd 0.1", "auto", true);
  assert_non_null(strstr(viva_fit_summary(wrong.fit, VIVA_FORMAT_TEXT), "the residuals are"));
  assert_non_null(strstr(viva_fit_summary(wrong.fit, VIVA_FORMAT_JSON), "\"chi2_p\""));
  done(&wrong);
  Fitted right = fit_lines(text, "a in 0 .. 5", "by y sd 0.3", "auto", true);
  assert_null(strstr(viva_fit_summary(right.fit, VIVA_FORMAT_TEXT), "the residuals are"));
  done(&right);
}

static void a_search_that_ends_on_a_slope_has_no_intervals(void **state) {
  (void)state;
  const char *text = "param a = 0.5, b = 0.5\noutput y = a*t + b, z = b*t + a\n";
  Lines d = draw(0.03, 0.0006, 7);
  write_lines(&d);
  Fitted f = fit_lines(text, "a in 0 .. 50, b in 0 .. 50", "by y, z", "ga", true);
  viva_estimate e = viva_fit_estimate(f.fit, 0);
  assert_true(isfinite(e.value) && isnan(e.stderr_) && isnan(e.low) && isnan(e.high));
  assert_non_null(strstr(viva_fit_summary(f.fit, VIVA_FORMAT_TEXT), "no estimate"));
  done(&f);
}

int main(void) {
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_apart_are_two_regressions),
                                     cmocka_unit_test(an_unknown_behind_two_columns_weighs_them_by_their_noise),
                                     cmocka_unit_test(intervals_hold_with_no_one_and_two_standard_deviations),
                                     cmocka_unit_test(a_standard_deviation_that_is_too_small_is_reported),
                                     cmocka_unit_test(a_search_that_ends_on_a_slope_has_no_intervals)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
