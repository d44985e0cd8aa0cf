// How often is a fit right? Many repetitions with fresh noise: spread, intervals; many seeds of a hard search.
#include "tests/support.h"

#include "base/random.h"
#include "viva/viva.h"

#include <unistd.h>

static char path[] = "/tmp/viva_fit_XXXXXX";

static viva_fit *fit_text(const char *text, const char *line, const char *method, uint64_t seed, bool no_profiles,
                          viva_model **model) {
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  assert_int_equal(viva_model_parse("m.viva", text, strlen(text), &load, model), VIVA_OK);
  viva_fit_options o = viva_fit_defaults();
  viva_fit *fit = NULL;
  o.method = method;
  o.seed = seed;
  o.no_profiles = no_profiles;
  assert_int_equal(viva_fit_model(*model, &o, &fit), VIVA_OK);
  return fit;
}

// ---- a damped pendulum, measured a hundred times a second

enum { samples = 100, repetitions = 1000, unknowns = 2 };
static const char pendulum[] =
    "param w2 = 9, d = 0.4\nstate th = 1, v = 0\nth' = v\nv' = -w2*sin(th) - d*v\noutput th\n";
static const double truth[unknowns] = {9, 0.4};

typedef struct Clean {
  double t[samples], th[samples];
  int count;
} Clean;

static bool take_row(void *self, const double *row, size_t count) {
  Clean *c = self;
  (void)count;
  if (c->count == samples) return false;
  c->t[c->count] = row[0];
  c->th[c->count++] = row[1];
  return true;
}

static void follow(Clean *c) {
  viva_model *m = NULL;
  viva_run *run = NULL;
  assert_int_equal(viva_model_parse("p.viva", pendulum, strlen(pendulum), NULL, &m), VIVA_OK);
  viva_run_options o = viva_run_defaults();
  o.to = 0.05 * (samples - 1);
  o.every = 0.05;
  viva_sink sink = {.self = c, .row = take_row};
  assert_int_equal(viva_run_model(m, &o, &sink, &run), VIVA_OK);
  assert_int_equal(c->count, samples);
  viva_run_free(run);
  viva_model_free(m);
}

static void write_noisy(const Clean *c, uint64_t seed) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fputs("t,th\n", f);
  for (int i = 0; i < samples; i++)
    fprintf(f, "%.17g,%.17g\n", c->t[i], c->th[i] + 0.05 * random_normal(seed, (uint64_t)i));
  fclose(f);
}

static void intervals_hold_the_truth_in_95_of_100_repetitions(void **state) {
  (void)state;
  Clean clean = {0};
  char line[256];
  double sum[unknowns] = {0}, squares[unknowns] = {0}, errors[unknowns] = {0};
  int held[unknowns] = {0};
  uint64_t most = 0;
  snprintf(line, sizeof line, "fit w2 in 1 .. 20, d in 0 .. 3 to \"%s\" by th", path);
  follow(&clean);
  for (int r = 0; r < repetitions; r++) {
    viva_model *m;
    write_noisy(&clean, 1000 + (uint64_t)r);
    viva_fit *fit = fit_text(pendulum, line, "lm", 1, false, &m);
    for (size_t j = 0; j < unknowns; j++) {
      viva_estimate e = viva_fit_estimate(fit, j);
      double off = e.value - truth[j];
      held[j] += e.low <= truth[j] && truth[j] <= e.high;
      sum[j] += off;
      squares[j] += off * off;
      errors[j] += e.stderr_ * e.stderr_;
    }
    if (viva_fit_simulations(fit) > most) most = viva_fit_simulations(fit);
    viva_fit_free(fit);
    viva_model_free(m);
  }
  for (size_t j = 0; j < unknowns; j++) {
    double spread = sqrt(squares[j] / repetitions), bound = sqrt(errors[j] / repetitions);
    print_message("unknown %zu: held in %.1f %%, spread %.4g of the bound, bias %.2g of it, at most %u simulations\n",
                  j, 100.0 * held[j] / repetitions, spread / bound, sum[j] / repetitions / bound, (unsigned)most);
    assert_true(held[j] >= 0.93 * repetitions && held[j] <= 0.97 * repetitions);
    assert_true(fabs(spread / bound - 1) < 0.1);
  }
  assert_true(most <= 150);
}

// ---- the document's search, on a range most of which is stiff, overdamped and flat

static const char cart[] =
    "param m1 = 1, m2 = 0.5, m3 = 0.3, l1 = 0.2, l2 = 0.2, g = 9.81, d1, d2, d3\n"
    "coord x, th1, th2 = pi/8\nlet P1 = [x + l1*sin(th1), l1*cos(th1)]\nlet P2 = P1 + [l2*sin(th2), l2*cos(th2)]\n"
    "kinetic 1/2*m1*x'^2 + 1/2*m2*|P1'|^2 + 1/2*m3*|P2'|^2\npotential m2*g*P1.y + m3*g*P2.y\n"
    "dissipation 1/2*d1*x'^2 + 1/2*d2*th1'^2 + 1/2*d3*th2'^2\n";
static const double cart_values[] = {0.10022451995720313, 0.19982090764420668, 0.3008714866131181};

static void auto_finds_the_optimum_of_the_document_from_every_seed(void **state) {
  (void)state;
  const char *line = "fit d1 in 0 .. 10, d2 in 0 .. 10, d3 in 0 .. 10 to \"" VIVA_ROOT
                     "/tests/reference/cart_double_pendulum_data.csv\" by x";
  for (uint64_t seed = 1; seed <= 10; seed++) {
    viva_model *m;
    viva_fit *fit = fit_text(cart, line, "auto", seed, true, &m);
    for (size_t j = 0; j < 3; j++) assert_true(fabs(viva_fit_estimate(fit, j).value / cart_values[j] - 1) < 1e-6);
    assert_true(viva_fit_simulations(fit) <= 2170);
    viva_fit_free(fit);
    viva_model_free(m);
  }
}

int main(void) {
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_hold_the_truth_in_95_of_100_repetitions),
                                     cmocka_unit_test(auto_finds_the_optimum_of_the_document_from_every_seed)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
