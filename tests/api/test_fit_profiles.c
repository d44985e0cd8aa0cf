// Intervals on valleys: y = V x/(K + x) with x far below K tells V/K and hardly more.
//
// The true profile is found here without the library: with K given the best V is a ratio of sums, so that P(K) has a
// closed form; with V given P(V) is the least over a fine grid of K, then by golden section. Ends are those where
// P = least + s^2 t^2.
#include "tests/support.h"

#include "base/random.h"
#include "viva/viva.h"

#include <unistd.h>

enum { rows = 20 };

typedef struct Data {
  double x[rows], y[rows];
} Data;

static double cost(const Data *d, double V, double K) {
  double sum = 0;
  for (int i = 0; i < rows; i++) {
    double r = V * d->x[i] / (K + d->x[i]) - d->y[i];
    sum += r * r;
  }
  return sum;
}

static double best_V(const Data *d, double K) {
  double gy = 0, gg = 0;
  for (int i = 0; i < rows; i++) {
    double g = d->x[i] / (K + d->x[i]);
    gy += g * d->y[i];
    gg += g * g;
  }
  return gy / gg;
}

static double least_with_K(const Data *d, double K) { return cost(d, best_V(d, K), K); }

static double least_with_V(const Data *d, double V) {
  double at = 0, least = INFINITY;
  for (double z = log(1e-3); z < log(1e7); z += 0.01) {
    double c = cost(d, V, exp(z));
    if (c < least) least = c, at = z;
  }
  double a = at - 0.01, b = at + 0.01, part = (sqrt(5) - 1) / 2;
  for (int i = 0; i < 100; i++) {
    double x = b - part * (b - a), y = a + part * (b - a);
    if (cost(d, V, exp(x)) < cost(d, V, exp(y))) b = y;
    else a = x;
  }
  return fmin(least, cost(d, V, exp((a + b) / 2)));
}

typedef double Least(const Data *d, double value);

// From inside outwards by 1 %, then halving.
static double end_of(const Data *d, Least *P, double value, double bound, bool up) {
  double in = value, out = value;
  while (P(d, out) <= bound) {
    in = out;
    out *= up ? 1.01 : 1 / 1.01;
    assert_true(out > 1e-6 && out < 1e6);
  }
  for (int i = 0; i < 60; i++) {
    double middle = (in + out) / 2;
    if (P(d, middle) <= bound) in = middle;
    else out = middle;
  }
  return in;
}

static void make_data(Data *d, double noise, uint64_t seed) {
  for (int i = 0; i < rows; i++) {
    d->x[i] = 0.5 + 0.5 * i;
    d->y[i] = 40 * d->x[i] / (60 + d->x[i]) + noise * random_normal(seed, (uint64_t)i);
  }
}

static viva_fit *fit_data(const Data *d, const char *line_end, viva_model **m) {
  static const char model[] = "param V = 30, K = 50\noutput y = V*t/(K + t)\n";
  char path[] = "/tmp/viva_fit_XXXXXX", line[256];
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  FILE *f = fdopen(fd, "w");
  assert_non_null(f);
  fputs("t,y\n", f);
  for (int i = 0; i < rows; i++) fprintf(f, "%.17g,%.17g\n", d->x[i], d->y[i]);
  fclose(f);
  snprintf(line, sizeof line, "fit %s to \"%s\" by y", line_end, path);
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  assert_int_equal(viva_model_parse("m.viva", model, strlen(model), &load, m), VIVA_OK);
  viva_fit *fit = NULL;
  assert_int_equal(viva_fit_model(*m, NULL, &fit), VIVA_OK);
  unlink(path);
  return fit;
}

static double off(double found, double true_end, double width) { return fabs(found - true_end) / width; }

static void check(const Data *d, const char *unknowns, double *worst) {
  viva_model *m;
  viva_fit *fit = fit_data(d, unknowns, &m);
  viva_estimate V = viva_fit_estimate(fit, 0), K = viva_fit_estimate(fit, 1);
  double least = least_with_K(d, K.value), t = 2.1009220402410378; // Student's at 97.5 %, 18 degrees of freedom
  double bound = least * (1 + t * t / (rows - 2));
  const struct {
    viva_estimate e;
    Least *P;
  } both[] = {{V, least_with_V}, {K, least_with_K}};
  for (int i = 0; i < 2; i++) {
    const viva_estimate *e = &both[i].e;
    double low = end_of(d, both[i].P, e->value, bound, false), high = end_of(d, both[i].P, e->value, bound, true);
    print_message("%g: %g .. %g, found %g .. %g\n", e->value, low, high, e->low, e->high);
    *worst = fmax(*worst, fmax(off(e->low, low, e->value - low), off(e->high, high, high - e->value)));
  }
  viva_fit_free(fit);
  viva_model_free(m);
}

static void intervals_on_a_valley_are_those_of_the_true_profile(void **state) {
  (void)state;
  Data d;
  double worst = 0;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    make_data(&d, seed < 3 ? 0.01 : seed < 6 ? 0.05 : 0.1, seed);
    check(&d, "V in 0 .. 5000, K in 0 .. 10000", &worst);
    check(&d, "V, K", &worst);
  }
  print_message("an end is off by %.2g of its distance from the estimate, at most\n", worst);
  assert_true(worst < 0.01);
}

// Noise that hides the bend altogether: V and K have no upper end, which is said, not hidden behind a number.
static void a_valley_without_end_is_open(void **state) {
  (void)state;
  Data d;
  viva_model *m;
  make_data(&d, 0.6, 4);
  viva_fit *fit = fit_data(&d, "V, K", &m);
  viva_estimate V = viva_fit_estimate(fit, 0), K = viva_fit_estimate(fit, 1);
  double bound = least_with_K(&d, K.value) * (1 + 2.1009220402410378 * 2.1009220402410378 / (rows - 2));
  assert_true(least_with_K(&d, 1e7) < bound);
  assert_true(isinf(V.high) && isinf(K.high));
  double low = end_of(&d, least_with_K, K.value, bound, false);
  assert_true(off(K.low, low, K.value - low) < 0.01);
  viva_fit_free(fit);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_on_a_valley_are_those_of_the_true_profile),
                                     cmocka_unit_test(a_valley_without_end_is_open)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
