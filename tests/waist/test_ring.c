// A ring of masses whose forces are one kernel, against its waves: x_i = sin(2 pi i j/n - w t), w = 2 sqrt(k/m) sin(pi
// j/n).
#include "tests/waist/waist.h"

static const double pi = 3.14159265358979323846;

typedef struct Wave {
  const char *n_text, *j_text, *turn;
  uint32_t n, j;
  double k, m;
} Wave;

static const Wave large = {"100000", "24999", NULL, 100000, 24999, 3, 2},
                  turning = {"100000", "24999", "0.5", 100000, 24999, 3, 2};
static const Wave small = {"100", "17", NULL, 100, 17, 3, 2};

static double frequency(const Wave *r, double k) { return 2 * sqrt(k / r->m) * sin(pi * r->j / r->n); }

static Waist *ring_new(const Wave *r) {
  return waist_new((WaistParam[]){{"ring.n", r->n_text},
                                  {"ring.wave", r->j_text},
                                  {"ring.k", "3"},
                                  {"ring.m", "2"},
                                  {r->turn ? "ring.turn" : NULL, r->turn},
                                  {0}});
}

// How far positions and velocities are from the wave at phase w t; sign: of the velocities.
static double error_at(const Wave *r, const double *x, const double *v, double w, double t, double sign) {
  double error = 0;
  for (uint32_t i = 0; i < r->n; i++) {
    double angle = 2 * pi * (double)((uint64_t)i * r->j % r->n) / r->n - w * t;
    error = fmax(error, fabs(x[i] - sin(angle)));
    error = fmax(error, fabs(v[i] + sign * w * cos(angle)));
  }
  return error;
}

static double error_of(const Wave *r, const RunResult *result, double t, double sign) {
  assert_int_equal(result->final.count, 2 * r->n);
  assert_string_equal(result->final.names[1], "x1");
  assert_string_equal(result->final.names[r->n], "x0'");
  return error_at(r, result->final.values, result->final.values + r->n, frequency(r, r->k), t, sign);
}

// What the condition does, once: it turns the wave, so that its branch is the one from before again.
static void check_event(const Wave *r, const RunResult *result, double allowed) {
  assert_int_equal(result->events.count, 1);
  assert_int_equal(result->events.items[0].kind, event_of_when);
  assert_true(fabs(result->events.items[0].t - pi / 6 / frequency(r, r->k)) < allowed);
}

typedef struct Way {
  const char *method;
  double step, allowed;
} Way;

static void run_ways(const Wave *r, const Way *ways, size_t count, double t, double phase, double sign) {
  for (size_t i = 0; i < count; i++) {
    Waist *w = ring_new(r);
    RunSettings settings = waist_settings(ways[i].method, t);
    settings.every = t;
    if (ways[i].step > 0) settings.step = ways[i].step;
    RunResult result = waist_run(w, &settings, NULL);
    double error = error_of(r, &result, phase, sign);
    if (!(error < ways[i].allowed)) fail_msg("%s: %.3g", ways[i].method, error);
    if (r->turn) check_event(r, &result, 10 * ways[i].allowed);
    waist_free(w);
  }
}

static void a_large_ring_has_its_wave(void **state) {
  (void)state;
  static const Way ways[] = {{"rk4", 0.01, 1e-8}, {"dopri5", 0, 1e-9}, {"dop853", 0, 1e-9}, {"bdf", 0, 1e-8}};
  run_ways(&large, ways, sizeof ways / sizeof *ways, 1, 1, 1);
}

// The first mass is at -sin(w t): it falls below -1/2 at w t = pi/6. Then everything goes back the way it came, and is
// at the start after the same time again.
static void a_large_ring_turns_round(void **state) {
  (void)state;
  static const Way ways[] = {{"rk4", 0.01, 1e-8}, {"dopri5", 0, 1e-9}, {"bdf", 0, 1e-7}};
  run_ways(&turning, ways, sizeof ways / sizeof *ways, pi / 3 / frequency(&turning, 3), 0, -1);
}

// Saved before the event, resumed in a system of its own: the bits of the motion that was not interrupted.
static void a_large_ring_goes_on(void **state) {
  (void)state;
  Waist *first = ring_new(&turning), *second = ring_new(&turning), *whole = ring_new(&turning);
  double to = pi / 3 / frequency(&turning, 3);
  RunSettings settings = waist_settings("rk4", 0.1);
  settings.step = settings.every = 0.01;
  settings.save = true;
  RunResult saved = waist_run(first, &settings, NULL);
  assert_non_null(saved.state);
  assert_int_equal(saved.events.count, 0);
  settings.to = to;
  settings.save = false;
  RunResult all = waist_run(whole, &settings, NULL);
  settings.resume = saved.state;
  RunResult rest = waist_run(second, &settings, NULL);
  assert_true(error_of(&turning, &rest, 0, -1) < 1e-8);
  assert_memory_equal(all.final.values, rest.final.values, all.final.count * sizeof *all.final.values);
  waist_free(first);
  waist_free(second);
  waist_free(whole);
}

// Exported: the rates at the start are v and -w^2 x.
static const char main_text[] =
    "#include \"waist.h\"\n#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n"
    "int main(void) {\n"
    "  double *p = calloc(WAIST_PARAMS, sizeof *p), *y = calloc(WAIST_STATES, sizeof *y);\n"
    "  double *d = calloc(WAIST_STATES, sizeof *d), *w = calloc(WAIST_WORK, sizeof *w), error = 0;\n"
    "  waist_defaults(p);\n  waist_prepare(p, w);\n  waist_start(p, y);\n  waist_f(0, y, d, w);\n"
    "  const unsigned n = WAIST_STATES/2, j = (unsigned)p[1];\n"
    "  const double o = 2*sqrt(p[2]/p[3])*sin(3.14159265358979323846*j/n);\n"
    "  for (unsigned i = 0; i < n; i++) {\n"
    "    error = fmax(error, fabs(d[i] - y[n + i]));\n"
    "    error = fmax(error, fabs(d[n + i] + o*o*y[i]));\n  }\n"
    "  printf(\"%u %u %d\\n\", n, j, error < 1e-10);\n  return 0;\n}\n";

static void rings_are_exported(void **state) {
  (void)state;
  char out[200];
  Waist *w = ring_new(&small);
  waist_export(w, "cc -O1 -std=c99 -ffp-contract=off", main_text, out, sizeof out);
  assert_string_equal(out, "100 17 1\n");
  waist_free(w);
  w = ring_new(&large);
  waist_export(w, "tcc", main_text, out, sizeof out); // cc takes minutes for so long a text
  assert_string_equal(out, "100000 24999 1\n");
  waist_free(w);
}

static void a_small_ring_is_stiffly_solved(void **state) {
  (void)state;
  static const Way ways[] = {{"rodas", 0, 1e-8}, {"bdf", 0, 1e-7}, {"dop853", 0, 1e-9}};
  run_ways(&small, ways, sizeof ways / sizeof *ways, 5, 5, 1);
}

// Samples with springs of their own; with a fixed step eight in lanes, and one by one, the same bits.
static void a_small_ring_runs_in_lanes(void **state) {
  (void)state;
  enum { count = 11 };
  static const char *const methods[] = {"rk4", "dopri5", "rodas"};
  static const char *const names[] = {"ring.k"};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    Waist *w = ring_new(&small);
    double k[count];
    for (int i = 0; i < count; i++) k[i] = 1 + 0.25 * i;
    BatchSettings batch = {.run = waist_settings(methods[m], 2),
                           .names = names,
                           .name_count = 1,
                           .values = k,
                           .count = count,
                           .threads = 1};
    batch.run.step = 0.005;
    batch.run.backend = "interp";
    BatchResult all = batch_run(w->arena, &w->s, &batch, &w->diags);
    assert_int_equal(all.status, run_done);
    assert_int_equal(all.failed, 0);
    assert_int_equal(all.value_count, 2 * small.n);
    for (int i = 0; i < count; i++) {
      const double *x = all.values + (size_t)i * all.value_count;
      double error = error_at(&small, x, x + small.n, frequency(&small, k[i]), 2, 1);
      if (!(error < 1e-8)) fail_msg("%s, sample %d: %.3g", methods[m], i, error);
    }
    batch.values = k + 9;
    batch.count = 1;
    BatchResult one = batch_run(w->arena, &w->s, &batch, &w->diags);
    assert_memory_equal(one.values, all.values + (size_t)9 * all.value_count, all.value_count * sizeof *all.values);
    waist_free(w);
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// 200 eigenvalues: +-i w_j, w_j = 2 sqrt(k/m) sin(pi j/n).
static void a_small_ring_has_its_frequencies(void **state) {
  (void)state;
  enum { n = 100 };
  Waist *w = ring_new(&small);
  for (uint32_t i = 0; i < w->s.y.count; i++) w->s.y.items[i].start = w->pool.zero; // at rest
  for (uint32_t i = 0; i < n; i++) w->s.coords.items[i].q0 = w->pool.zero;
  const Linearization *l = waist_linearize(w);
  double expected[2 * n], found[2 * n];
  uint32_t count = 0;
  assert_int_equal(l->n, 2 * n);
  for (uint32_t j = 0; j < n; j++) {
    double f = 2 * sqrt(1.5) * sin(pi * j / n);
    expected[2 * j] = f;
    expected[2 * j + 1] = -f;
  }
  for (uint32_t i = 0; i < l->modes.n; i++) {
    assert_true(fabs(l->modes.re[i]) < 1e-6);
    found[count++] = l->modes.im[i];
  }
  assert_int_equal(count, 2 * n);
  qsort(expected, count, sizeof *expected, by_size);
  qsort(found, count, sizeof *found, by_size);
  for (uint32_t i = 0; i < count; i++) {
    // a double zero, the ring as a whole, is known to the root of the rounding
    double room = fabs(expected[i]) < 1e-9 ? 1e-6 : 1e-11;
    if (!(fabs(found[i] - expected[i]) < room)) fail_msg("%u: %.17g, not %.17g", i, found[i], expected[i]);
  }
  waist_free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_ring_is_stiffly_solved),
      cmocka_unit_test(a_small_ring_runs_in_lanes),
      cmocka_unit_test(a_small_ring_has_its_frequencies),
      cmocka_unit_test(a_large_ring_has_its_wave),
      cmocka_unit_test(a_large_ring_turns_round),
      cmocka_unit_test(a_large_ring_goes_on),
      cmocka_unit_test(rings_are_exported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
