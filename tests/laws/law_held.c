// The law of held branches: near a rest with friction, hysteresis, play, limits and dead zones the motion is that of
// the linear model. The reference is the run itself (events, holding and sliding), which shares nothing with
// `linearize` but the text: deviations after a short time against e^(A t) times the deviations at the start. All
// springs and dampers are linear, so on one branch both agree to the error of the run.
#define _GNU_SOURCE
#include "tests/laws/chance.h"

#include "viva/viva.h"

#include <stdio.h>

enum { most = 4, most_states = 2 * most };
static const double horizon = 0.3, deviation = 1e-3;

typedef struct Chain {
  int count;
  bool held[most];   // friction holds it
  double load[most]; // what pushes it, within what its friction holds; 0 where nothing holds
  char body[4096];   // of the text, without starts
} Chain;

static void put(Chain *c, const char *format, ...) {
  size_t at = strlen(c->body);
  va_list list;
  va_start(list, format);
  vsnprintf(c->body + at, sizeof c->body - at, format, list);
  va_end(list);
}

static double between(double lo, double hi) { return lo + (hi - lo) * uniform(); }

// Masses in a row, each on a spring to the ground and one to its neighbour.
static Chain random_chain(void) {
  Chain c = {.count = 1 + (int)choose(most)};
  for (int i = 1; i <= c.count; i++) {
    put(&c, "kinetic 1/2*%.3f*x%d'^2\npotential 1/2*%.3f*x%d^2\ndissipation 1/2*%.3f*x%d'^2\n", between(0.5, 2), i,
        between(1, 20), i, between(0.01, 2), i);
    if (i > 1) put(&c, "potential 1/2*%.3f*(x%d - x%d)^2\n", between(1, 10), i, i - 1);
    unsigned kind = choose(4);
    c.held[i - 1] = kind < 2;
    double slip = between(1, 2),
           load = kind < 2 ? between(-0.4, 0.4) * slip : 0; // springs and play add to it, below the limit
    c.load[i - 1] = load;
    if (kind == 0) put(&c, "force x%d = friction(x%d', %.3f, %.3f) + %.4f\n", i, i, slip, 1.2 * slip, load);
    if (kind == 1) put(&c, "force x%d = -%.3f*sign(x%d') + %.4f\n", i, slip, i, load);
    // what remembers or has corners, away from where it switches
    switch (choose(6)) {
    case 0: put(&c, "force x%d = hysteresis(x%d, -9, 9, 0, 1)*x%d\n", i, i, i); break;
    case 1: put(&c, "force x%d = -hysteresis(x%d, -9, 9, 0, 1, 1)*x%d\n", i, i, i); break;
    case 2: put(&c, "force x%d = limit(-2*x%d, -5, 5)\n", i, i); break;
    case 3: put(&c, "force x%d = -3*deadzone(x%d, 2) - backlash(x%d, 1, 0.2)\n", i, i, i); break;
    case 4: put(&c, "force x%d = -latch(x%d > 7, x%d < -7, 1)*2*x%d\n", i, i, i, i); break;
    default: break;
    }
  }
  return c;
}

static viva_model *load(const Chain *c, const double *y) {
  char text[8192] = "coord ";
  for (int i = 0; i < c->count; i++) sprintf(text + strlen(text), "%sx%d = %.17g", i ? ", " : "", i + 1, y ? y[i] : 0);
  strcat(text, "\n");
  for (int i = 0; y && i < c->count; i++) sprintf(text + strlen(text), "init x%d' = %.17g\n", i + 1, y[c->count + i]);
  strcat(text, c->body);
  strcat(text, "simulate to 0.3 every 0.3\n");
  viva_model *model;
  viva_status status = viva_model_parse("chain", text, strlen(text), NULL, &model);
  if (status != VIVA_OK) print_error("%s\n%s", text, viva_model_diagnostic(model, 0).text);
  assert_int_equal(status, VIVA_OK);
  return model;
}

// By its power series, with the time halved until it is short.
static void exponential(size_t n, const double *A, double t, double *E) {
  double B[most_states * most_states], term[most_states * most_states], next[most_states * most_states] = {0};
  int halvings = 20;
  for (size_t i = 0; i < n * n; i++) B[i] = A[i] * ldexp(t, -halvings);
  for (size_t i = 0; i < n * n; i++) E[i] = term[i] = i % (n + 1) == 0;
  for (int k = 1; k < 6; k++) {
    for (size_t i = 0; i < n * n; i++) {
      next[i] = 0;
      for (size_t l = 0; l < n; l++) next[i] += term[i / n * n + l] * B[l * n + i % n] / k;
    }
    memcpy(term, next, sizeof next);
    for (size_t i = 0; i < n * n; i++) E[i] += term[i];
  }
  for (int h = 0; h < halvings; h++) {
    for (size_t i = 0; i < n * n; i++) {
      next[i] = 0;
      for (size_t l = 0; l < n; l++) next[i] += E[i / n * n + l] * E[l * n + i % n];
    }
    memcpy(E, next, sizeof next);
  }
}

static double last_value(const viva_run *run, const char *name) {
  for (size_t i = 0; i < viva_run_value_count(run); i++) {
    if (strcmp(viva_run_value_name(run, i), name) == 0) return viva_run_value(run, i);
  }
  fail_msg("no %s", name);
  return NAN;
}

// Where a state of the linear model stands among x1 .. xn, x1' .. xn'.
static int place_of(const Chain *c, const char *name) {
  int i = atoi(name + 1) - 1;
  return strchr(name, '\'') ? c->count + i : i;
}

static void run_from(const Chain *c, const double *y, double *end) {
  viva_model *model = load(c, y);
  viva_run_options o = viva_run_defaults();
  o.rtol = 1e-12;
  viva_run *run;
  viva_status status = viva_run_model(model, &o, NULL, &run);
  if (status != VIVA_OK) print_error("%s\n%s", c->body, viva_run_message(run));
  assert_int_equal(status, VIVA_OK);
  for (int i = 0; i < c->count; i++) {
    char name[16];
    sprintf(name, "x%d", i + 1);
    end[i] = last_value(run, name);
    strcat(name, "'");
    end[c->count + i] = last_value(run, name);
  }
  viva_run_free(run);
  viva_model_free(model);
}

// The largest difference between the run and the linear model, over the deviation. twin: A is a little wrong.
static double distance(const Chain *c, bool twin) {
  viva_model *model = load(c, NULL);
  viva_linearize_options o = viva_linearize_defaults();
  o.symbolic = false;
  viva_linearization *l;
  viva_status status = viva_linearize(model, &o, &l);
  if (status != VIVA_OK) print_error("%s\n%s", c->body, viva_linearization_message(l));
  assert_int_equal(status, VIVA_OK);
  size_t n = viva_linearization_states(l);
  size_t held = 0;
  for (int i = 0; i < c->count; i++) held += c->held[i];
  assert_int_equal(n, 2 * (size_t)c->count - held); // a held velocity is no state
  double A[most_states * most_states], E[most_states * most_states], dx[most_states], y[most_states] = {0},
                                                                                      end[most_states], worst = 0;
  for (size_t i = 0; i < n * n; i++) A[i] = viva_linearization_entry(l, 'A', i / n, i % n);
  if (twin) A[n * n - 1] += 0.01;
  exponential(n, A, horizon, E);
  for (size_t i = 0; i < n; i++) {
    dx[i] = deviation * between(-1, 1);
    y[place_of(c, viva_linearization_state_name(l, i))] = viva_linearization_state(l, i) + dx[i];
  }
  run_from(c, y, end);
  for (size_t i = 0; i < n; i++) {
    double expected = viva_linearization_state(l, i);
    for (size_t j = 0; j < n; j++) expected += E[i * n + j] * dx[j];
    worst = fmax(worst, fabs(expected - end[place_of(c, viva_linearization_state_name(l, i))]) / deviation);
  }
  viva_linearization_free(l);
  viva_model_free(model);
  return worst;
}

static void motion_near_a_held_rest_is_that_of_the_linear_model(void **state) {
  (void)state;
  const char *count = getenv("VIVA_COUNT");
  int rounds = count ? atoi(count) : 60, held = 0;
  double worst = 0;
  for (int k = 0; k < rounds; k++) {
    Chain c = random_chain();
    double d = distance(&c, false);
    for (int i = 0; i < c.count; i++) held += c.held[i];
    if (!(d < 1e-6)) fail_msg("%g\n%s", d, c.body);
    worst = fmax(worst, d);
  }
  assert_true(held > rounds / 3);
  print_message("%d chains, %d masses held, worst %g\n", rounds, held, worst);
}

static void a_wrong_entry_is_noticed(void **state) {
  (void)state;
  int noticed = 0;
  for (int k = 0; k < 20; k++) {
    Chain c = random_chain();
    noticed += distance(&c, true) > 1e-6;
  }
  assert_true(noticed > 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(motion_near_a_held_rest_is_that_of_the_linear_model),
                                     cmocka_unit_test(a_wrong_entry_is_noticed)};
  return cmocka_run_group_tests(tests, start, NULL);
}
