// How often is a fit right? Many repetitions with fresh noise: spread, intervals; many seeds of a hard search.
#include "tests/support.h"

#include "base/random.h"
#include "viva/viva.h"

#include <pthread.h>
#include <unistd.h>

static viva_fit *fit_text(const char *text, const char *line, const viva_fit_options *o, viva_model **model) {
  viva_load_options load = viva_load_defaults();
  load.fit = line;
  assert_int_equal(viva_model_parse("m.viva", text, strlen(text), &load, model), VIVA_OK);
  viva_fit *fit = NULL;
  assert_int_equal(viva_fit_model(*model, o, &fit), VIVA_OK);
  return fit;
}

// ---- repetitions with fresh noise, on two threads

enum { most_samples = 501, most_unknowns = 3, most_columns = 2, threads = 2 };

typedef struct Repeated {
  const char *model;
  const char *by;       // of the `fit` line: the columns are a, b
  const char *unknowns; // likewise
  const char *method;
  int repetitions, columns;
  double rtol, noise[most_columns], every;
  int samples;
  size_t count; // of the unknowns
  double truth[most_unknowns];
  const char *begin; // model with the values that a search begins with
} Repeated;

typedef struct Clean {
  double t[most_samples], y[most_samples][most_columns];
  int count, most;
} Clean;

static bool take_row(void *self, const double *row, size_t count) {
  Clean *c = self;
  if (c->count == c->most) return false;
  c->t[c->count] = row[0];
  for (size_t i = 0; i < most_columns && i + 1 < count; i++) c->y[c->count][i] = row[i + 1];
  c->count++;
  return true;
}

static void follow(const Repeated *s, Clean *c) {
  viva_model *m = NULL;
  viva_run *run = NULL;
  c->most = s->samples;
  assert_int_equal(viva_model_parse("p.viva", s->model, strlen(s->model), NULL, &m), VIVA_OK);
  viva_run_options o = viva_run_defaults();
  o.to = s->every * (s->samples - 1);
  o.every = s->every;
  viva_sink sink = {.self = c, .row = take_row};
  assert_int_equal(viva_run_model(m, &o, &sink, &run), VIVA_OK);
  assert_int_equal(c->count, s->samples);
  viva_run_free(run);
  viva_model_free(m);
}

typedef struct Share {
  const Repeated *study;
  const Clean *clean;
  int first;
  double sum[most_unknowns], squares[most_unknowns], errors[most_unknowns];
  int held[most_unknowns];
  uint64_t most;
  pthread_t thread;
} Share;

static void write_noisy(const char *path, const Repeated *s, const Clean *c, uint64_t seed) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  fputs(s->columns > 1 ? "t,a,b\n" : "t,a\n", f);
  for (int i = 0; i < c->count; i++) {
    fprintf(f, "%.17g", c->t[i]);
    for (int j = 0; j < s->columns; j++)
      fprintf(f, ",%.17g", c->y[i][j] + s->noise[j] * random_normal(seed, (uint64_t)(i + j * c->count)));
    fputs("\n", f);
  }
  fclose(f);
}

static void add_fit(Share *x, const viva_fit *fit) {
  const Repeated *s = x->study;
  for (size_t j = 0; j < s->count; j++) {
    viva_estimate e = viva_fit_estimate(fit, j);
    double off = e.value - s->truth[j];
    x->held[j] += e.low <= s->truth[j] && s->truth[j] <= e.high;
    x->sum[j] += off;
    x->squares[j] += off * off;
    x->errors[j] += e.stderr_ * e.stderr_;
  }
  if (viva_fit_simulations(fit) > x->most) x->most = viva_fit_simulations(fit);
}

static void *repeat(void *self) {
  Share *x = self;
  const Repeated *s = x->study;
  char path[] = "/tmp/viva_fit_XXXXXX", line[256];
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  snprintf(line, sizeof line, "fit %s to \"%s\" by %s", s->unknowns, path, s->by);
  viva_fit_options o = viva_fit_defaults();
  o.method = s->method;
  o.run.rtol = s->rtol;
  for (int r = x->first; r < s->repetitions; r += threads) {
    viva_model *m;
    write_noisy(path, s, x->clean, 1000 + (uint64_t)r);
    viva_fit *fit = fit_text(s->begin, line, &o, &m);
    add_fit(x, fit);
    viva_fit_free(fit);
    viva_model_free(m);
  }
  unlink(path);
  return NULL;
}

static uint64_t intervals_hold(const Repeated *s) {
  static Clean clean;
  static Share shares[threads];
  uint64_t most = 0;
  clean.count = 0;
  follow(s, &clean);
  for (int i = 0; i < threads; i++) {
    shares[i] = (Share){.study = s, .clean = &clean, .first = i};
    assert_int_equal(pthread_create(&shares[i].thread, NULL, repeat, &shares[i]), 0);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(shares[i].thread, NULL);
    if (shares[i].most > most) most = shares[i].most;
  }
  for (size_t j = 0; j < s->count; j++) {
    double sum = 0, squares = 0, errors = 0;
    int held = 0;
    for (int i = 0; i < threads; i++) {
      sum += shares[i].sum[j];
      squares += shares[i].squares[j];
      errors += shares[i].errors[j];
      held += shares[i].held[j];
    }
    double repetitions = s->repetitions, spread = sqrt(squares / repetitions), bound = sqrt(errors / repetitions);
    print_message("unknown %zu: held in %.1f %%, spread %.4g of the bound, bias %.2g of it, at most %u simulations\n",
                  j, 100.0 * held / repetitions, spread / bound, sum / repetitions / bound, (unsigned)most);
    assert_true(held >= 0.93 * repetitions && held <= 0.97 * repetitions);
    assert_true(fabs(spread / bound - 1) < 0.1);
  }
  return most;
}

static void intervals_of_a_pendulum_hold_the_truth_in_95_of_100_repetitions(void **state) {
  (void)state;
  static const char pendulum[] =
      "param w2 = 9, d = 0.4\nstate th = 1, v = 0\nth' = v\nv' = -w2*sin(th) - d*v\noutput th\n";
  Repeated s = {.model = pendulum,
                .begin = pendulum,
                .by = "th = \"a\"",
                .repetitions = 1000,
                .columns = 1,
                .unknowns = "w2 in 1 .. 20, d in 0 .. 3",
                .method = "lm",
                .rtol = 1e-9,
                .noise = {0.05},
                .every = 0.05,
                .samples = 100,
                .count = 2,
                .truth = {9, 0.4}};
  assert_true(intervals_hold(&s) <= 150);
}

// ---- the document's experiment

#define CART(values)                                                                                                   \
  "param m1 = 1, m2 = 0.5, m3 = 0.3, l1 = 0.2, l2 = 0.2, g = 9.81, " values "\n"                                       \
  "coord x, th1, th2 = pi/8\nlet P1 = [x + l1*sin(th1), l1*cos(th1)]\nlet P2 = P1 + [l2*sin(th2), l2*cos(th2)]\n"      \
  "kinetic 1/2*m1*x'^2 + 1/2*m2*|P1'|^2 + 1/2*m3*|P2'|^2\npotential m2*g*P1.y + m3*g*P2.y\n"                           \
  "dissipation 1/2*d1*x'^2 + 1/2*d2*th1'^2 + 1/2*d3*th2'^2\noutput x\n"

static void intervals_of_the_document_hold_the_truth_in_95_of_100_repetitions(void **state) {
  (void)state;
  Repeated s = {.model = CART("d1 = 0.1, d2 = 0.2, d3 = 0.3"),
                .begin = CART("d1 = 0.15, d2 = 0.25, d3 = 0.35"),
                .by = "x = \"a\"",
                .repetitions = 1000,
                .columns = 1,
                .unknowns = "d1 in 0 .. 10, d2 in 0 .. 10, d3 in 0 .. 10",
                .method = "auto",
                .rtol = 1e-7,
                .noise = {0.0014},
                .every = 0.02,
                .samples = 501,
                .count = 3,
                .truth = {0.1, 0.2, 0.3}};
  intervals_hold(&s);
}

// ---- the cart and its pendulum, both measured: one with much noise, one with little

static void intervals_of_two_columns_hold_the_truth_in_95_of_100_repetitions(void **state) {
  (void)state;
  static const char cart[] = "param m1 = 1, m2 = 0.5, l = 0.4, g = 9.81, d1 = 0.3, d2 = 0.02\ncoord x, th = 0.6\n"
                             "let P = [x + l*sin(th), -l*cos(th)]\nkinetic 1/2*m1*x'^2 + 1/2*m2*|P'|^2\n"
                             "potential m2*g*P.y\ndissipation 1/2*d1*x'^2 + 1/2*d2*th'^2\noutput x, th\n";
  static const char *const by[] = {"x = \"a\", th = \"b\"", "x = \"a\" sd 0.01, th = \"b\"",
                                   "x = \"a\", th = \"b\" sd 0.005", "x = \"a\" sd 0.01, th = \"b\" sd 0.005"};
  for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
    Repeated s = {.model = cart,
                  .begin = cart,
                  .by = by[i],
                  .repetitions = 2000,
                  .columns = 2,
                  .unknowns = "d1 in 0 .. 5, d2 in 0 .. 1, m2 in 0.1 .. 2",
                  .method = "lm",
                  .rtol = 1e-8,
                  .noise = {0.01, 0.005},
                  .every = 0.1,
                  .samples = 41,
                  .count = 3,
                  .truth = {0.3, 0.02, 0.5}};
    print_message("by %s\n", by[i]);
    intervals_hold(&s);
  }
}

// ---- the document's search, on a range most of which is stiff, overdamped and flat

static const double cart_values[] = {0.10022451995720313, 0.19982090764420668, 0.3008714866131181};

static void auto_finds_the_optimum_of_the_document_from_every_seed(void **state) {
  (void)state;
  const char *line = "fit d1 in 0 .. 10, d2 in 0 .. 10, d3 in 0 .. 10 to \"" VIVA_ROOT
                     "/tests/reference/cart_double_pendulum_data.csv\" by x";
  viva_fit_options o = viva_fit_defaults();
  o.no_profiles = true;
  for (o.seed = 1; o.seed <= 10; o.seed++) {
    viva_model *m;
    viva_fit *fit = fit_text(CART("d1, d2, d3"), line, &o, &m);
    for (size_t j = 0; j < 3; j++) assert_true(fabs(viva_fit_estimate(fit, j).value / cart_values[j] - 1) < 1e-6);
    assert_true(viva_fit_simulations(fit) <= 2170);
    viva_fit_free(fit);
    viva_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_of_a_pendulum_hold_the_truth_in_95_of_100_repetitions),
      cmocka_unit_test(intervals_of_two_columns_hold_the_truth_in_95_of_100_repetitions),
      cmocka_unit_test(intervals_of_the_document_hold_the_truth_in_95_of_100_repetitions),
      cmocka_unit_test(auto_finds_the_optimum_of_the_document_from_every_seed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
