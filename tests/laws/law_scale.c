// The same motion in other units has the same digits: random systems X' = F(X, T) whose components and whose time are
// measured in units from 1e-15 to 1e15, each its own, against a reference that is integrated here, in units of 1, with
// Runge and Kutta's steps. Some components start at exactly zero, one stays there, some switch. The broken twin: an
// absolute tolerance of 1e-13 for all, whatever their size.
//
// Chains that start at rest, deeper than the order of any method, beside a state that is many powers of ten larger or
// smaller: the same. Their broken twin: the large state's tolerance for all.
#define _XOPEN_SOURCE 700
#include "tests/laws/chance.h"
#include "tests/laws/one_run.h"

#include "sim/batch.h"

enum { most = 5, models = 15 };

// X_i' = -a_i X_i + sum_j b_ij sin(X_j) + c_i cos(w_i T), i < n; the last one has F = 0 and starts at zero
typedef struct Motion {
  int n;
  double a[most], b[most][most], c[most], w[most], start[most];
  double level;              // X_0 is counted when it rises above it; NAN: not
  double unit[most], second; // in which the text measures
  double end;
} Motion;

static Motion grow(bool events) {
  Motion m = {.n = 2 + (int)choose(3), .end = 5, .level = NAN};
  for (int i = 0; i < m.n; i++) {
    m.a[i] = uniform() < 0.3 ? 20 + 100 * uniform() : 0.2 + uniform();
    m.c[i] = uniform() < 0.7 ? 2 * uniform() : 0;
    m.w[i] = 0.5 + 3 * uniform();
    m.start[i] = uniform() < 0.4 ? 0 : 2 * uniform() - 1;
    for (int j = 0; j < m.n; j++) m.b[i][j] = uniform() < 0.6 ? 2 * uniform() - 1 : 0;
    m.unit[i] = pow(10, floor(31 * uniform()) - 15);
  }
  m.c[0] = m.a[0] * (0.5 + uniform()); // something happens
  m.unit[m.n] = pow(10, floor(31 * uniform()) - 15);
  m.second = pow(10, floor(31 * uniform()) - 15);
  if (events) m.level = 0.05 + 0.2 * uniform();
  return m;
}

// ---- the reference

static void rates(const Motion *m, double t, const double *x, double *d) {
  for (int i = 0; i < m->n; i++) {
    d[i] = -m->a[i] * x[i] + m->c[i] * cos(m->w[i] * t);
    for (int j = 0; j < m->n; j++) d[i] += m->b[i][j] * sin(x[j]);
  }
}

// Where it ends, and how often X_0 rises above the level; *near: how close it came to it without certainty.
static int reference(const Motion *m, double *x, double *near) {
  const int steps = 100000;
  double h = m->end / steps, k[4][most], z[most];
  int count = 0;
  *near = INFINITY;
  memcpy(x, m->start, sizeof m->start);
  for (int s = 0; s < steps; s++) {
    double t = s * h, before = x[0];
    rates(m, t, x, k[0]);
    for (int g = 1; g < 4; g++) {
      for (int i = 0; i < m->n; i++) z[i] = x[i] + (g < 3 ? 0.5 : 1) * h * k[g - 1][i];
      rates(m, t + (g < 3 ? 0.5 : 1) * h, z, k[g]);
    }
    for (int i = 0; i < m->n; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    if (before <= m->level && x[0] > m->level) count++;
    if (k[0][0] * k[3][0] <= 0) *near = fmin(*near, fabs(x[0] - m->level)); // an extremum
  }
  *near = fmin(*near, fabs(x[0] - m->level));
  *near = fmin(*near, fabs(m->start[0] - m->level));
  return count;
}

// ---- the text

static void write_model(const Motion *m, char *out, size_t size) {
  size_t at = 0;
  double second = m->second;
#define PUT(...) at += (size_t)snprintf(out + at, size - at, __VA_ARGS__)
  for (int i = 0; i <= m->n; i++) PUT("state x%d = %.17g\n", i, i < m->n ? m->start[i] * m->unit[i] : 0.0);
  for (int i = 0; i < m->n; i++) {
    double unit = m->unit[i];
    PUT("x%d' = %.17g*(-%.17g*(x%d/%.17g) + %.17g*cos(%.17g*(t/%.17g))", i, unit / second, m->a[i], i, unit, m->c[i],
        m->w[i], second);
    for (int j = 0; j < m->n; j++) {
      if (m->b[i][j] != 0) PUT(" + %.17g*sin(x%d/%.17g)", m->b[i][j], j, m->unit[j]);
    }
    PUT(")\n");
  }
  PUT("x%d' = -x%d/%.17g\n", m->n, m->n, second);
  PUT("state count = 0\n");
  if (!isnan(m->level)) PUT("when x0 > %.17g do count := count + 1\n", m->level * m->unit[0]);
  else PUT("count' = 0\n");
  PUT("simulate to %.17g every %.17g\n", m->end * second, m->end * second);
#undef PUT
  assert_true(at < size);
}

enum { most_values = 32 };

// The final values of a text; false: the run failed.
static bool final_by(const char *text, const char *method, double rtol, double atol, double *end, uint32_t count) {
  RunSettings s = run_defaults();
  s.method = method;
  s.rtol = rtol;
  s.atol = atol;
  assert_true(count <= most_values);
  return one_run(text, s, NULL, end, count).status == run_done;
}

// The largest difference to the reference, in sizes of 1; INFINITY: the run failed, or counted wrongly.
static double difference(const Motion *m, const char *text, const char *method, double rtol, double atol,
                         const double *x, int count) {
  double end[most_values];
  bool done = final_by(text, method, rtol, atol, end, (uint32_t)m->n + (isnan(m->level) ? 1 : 2));
  double worst = done ? 0 : INFINITY;
  for (int i = 0; done && i < m->n; i++) worst = fmax(worst, fabs(end[i] / m->unit[i] - x[i]));
  if (done && end[m->n] != 0) worst = INFINITY;
  if (done && !isnan(m->level) && end[m->n + 1] != count) worst = INFINITY;
  if (!isfinite(worst))
    fprintf(stderr, "by %s: %s\n%s", method, done ? "counted wrongly" : "no end", text); // too long for print_message
  return worst;
}

static Motion next_motion(bool events, double *x, int *count) {
  while (true) {
    Motion m = grow(events);
    double near;
    *count = reference(&m, x, &near);
    // a level that is only touched, or none that is passed, says nothing
    if (!events || (near > 1e-3 && *count > 0)) return m;
  }
}

static char text[20000];

static const struct {
  const char *method;
  double rtol, allowed;
} ways[] = {
    {"auto", NAN, 1e-8}, {"dop853", 1e-9, 1e-6}, {"dopri5", 1e-8, 1e-5}, {"rodas", 1e-9, 1e-6}, {"bdf", 1e-9, 1e-5}};

static void motions_have_the_same_digits_in_all_units(void **state) {
  (void)state;
  for (int k = 0; k < models; k++) {
    double x[most];
    int count;
    Motion m = next_motion(k % 3 == 2, x, &count);
    write_model(&m, text, sizeof text);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      double d = difference(&m, text, ways[i].method, ways[i].rtol, NAN, x, count);
      if (!(d <= ways[i].allowed)) fail_msg("by %s: wrong by %g of a size of 1:\n%s", ways[i].method, d, text);
    }
  }
}

// Eight samples at once.
static void motions_in_lanes_have_the_same_digits(void **state) {
  (void)state;
  for (int k = 0; k < models; k++) {
    double x[most], values[8];
    int count;
    Motion m = next_motion(false, x, &count);
    write_model(&m, text, sizeof text);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "param nothing = 0\noutput");
    for (int i = 0; i < m.n; i++)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s y%d = x%d + nothing", i ? "," : "", i, i);
    strcat(text, "\n");
    Loaded *l = load_text(text);
    Arena *arena = arena_new();
    Diags diags = {.arena = arena, .sources = &l->model.sources};
    for (int i = 0; i < 8; i++) values[i] = 0;
    BatchSettings s = {.run = run_defaults(),
                       .names = (const char *const[]){"nothing"},
                       .name_count = 1,
                       .values = values,
                       .count = 8};
    s.run.rtol = 1e-9;
    s.run.method = k % 2 ? "rodas" : "auto";
    BatchResult r = batch_run(arena, &l->system, &s, &diags);
    assert_int_equal(r.status, run_done);
    for (uint64_t i = 0; i < 8; i++) {
      for (int c = 0; c < m.n; c++) {
        double d = fabs(r.values[i * r.value_count + (uint64_t)c] / m.unit[c] - x[c]);
        if (!(d <= 1e-6)) fail_msg("in lanes: y%d is wrong by %g of a size of 1:\n%s", c, d, text);
      }
    }
    arena_free(arena);
    unload(l);
  }
}

// ---- chains from rest beside a giant

// X_0' = cos(w T) - a X_0,  X_k' = b X_{k-1} - a X_k, all from zero; the giant stands beside them and waits, or turns
enum { deepest = 16 };
typedef struct Chain {
  int n;
  double a, b, w, unit, second, giant, turn, end;
} Chain;

static Chain grow_chain(void) {
  return (Chain){.n = 1 + (int)choose(deepest),
                 .a = 0.5 + uniform(),
                 .b = 1 + uniform(),
                 .w = 1 + 2 * uniform(),
                 .unit = pow(10, floor(13 * uniform()) - 15),
                 .second = pow(10, floor(31 * uniform()) - 15),
                 .giant = pow(10, floor(16 * uniform())),
                 .turn = uniform() < 0.5 ? 0 : uniform(),
                 .end = 5};
}

static void chain_rates(const Chain *c, double t, const double *x, double *d) {
  d[0] = cos(c->w * t) - c->a * x[0];
  for (int k = 1; k < c->n; k++) d[k] = c->b * x[k - 1] - c->a * x[k];
}

static void chain_reference(const Chain *c, double *x) {
  const int steps = 20000;
  double h = c->end / steps, k[4][deepest], z[deepest];
  memset(x, 0, deepest * sizeof *x);
  for (int s = 0; s < steps; s++) {
    double t = s * h;
    chain_rates(c, t, x, k[0]);
    for (int g = 1; g < 4; g++) {
      for (int i = 0; i < c->n; i++) z[i] = x[i] + (g < 3 ? 0.5 : 1) * h * k[g - 1][i];
      chain_rates(c, t + (g < 3 ? 0.5 : 1) * h, z, k[g]);
    }
    for (int i = 0; i < c->n; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

static void write_chain(const Chain *c, char *out, size_t size) {
  size_t at = 0;
#define PUT(...) at += (size_t)snprintf(out + at, size - at, __VA_ARGS__)
  PUT("param s = %.17g\nstate giant = %.17g\ngiant' = %.17g*giant*cos(t/s)/s\n", c->second, c->giant, c->turn);
  for (int k = 0; k < c->n; k++) PUT("state x%d = 0\n", k);
  PUT("x0' = (%.17g*cos(%.17g*t/s) - %.17g*x0)/s\n", c->unit, c->w, c->a);
  for (int k = 1; k < c->n; k++) PUT("x%d' = (%.17g*x%d - %.17g*x%d)/s\n", k, c->b, k - 1, c->a, k);
  PUT("simulate to %.17g every %.17g\n", c->end * c->second, c->end * c->second);
#undef PUT
  assert_true(at < size);
}

// The largest difference to the reference, in sizes of the largest of the chain.
static double chain_difference(const Chain *c, const char *method, double rtol, double atol, const double *x) {
  double end[most_values];
  bool done = final_by(text, method, rtol, atol, end, (uint32_t)c->n + 1);
  double worst = done ? 0 : INFINITY, size = 0;
  for (int i = 0; i < c->n; i++) size = fmax(size, fabs(x[i]));
  for (int i = 0; done && i < c->n; i++) worst = fmax(worst, fabs(end[i + 1] / c->unit - x[i]) / size);
  return worst;
}

static void chains_from_rest_keep_their_digits_beside_giants(void **state) {
  (void)state;
  for (int k = 0; k < models; k++) {
    double x[deepest];
    Chain c = grow_chain();
    chain_reference(&c, x);
    write_chain(&c, text, sizeof text);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      double d = chain_difference(&c, ways[i].method, ways[i].rtol, NAN, x);
      if (!(d <= ways[i].allowed)) fail_msg("by %s: wrong by %g of its size:\n%s", ways[i].method, d, text);
    }
  }
}

static void the_tolerance_of_a_giant_is_seen(void **state) {
  (void)state;
  int wrong = 0;
  for (int k = 0; k < models; k++) {
    double x[deepest];
    Chain c = grow_chain();
    c.giant = 1e15;
    chain_reference(&c, x);
    write_chain(&c, text, sizeof text);
    wrong += !(chain_difference(&c, "bdf", 1e-9, 1e-14 * c.giant, x) <= 1e-5);
  }
  assert_true(wrong >= models / 4);
}

// One tolerance for all sizes loses the small ones.
static void one_absolute_tolerance_is_seen(void **state) {
  (void)state;
  int wrong = 0;
  for (int k = 0; k < models; k++) {
    double x[most];
    int count;
    Motion m = next_motion(false, x, &count);
    for (int i = 0; i < m.n; i++) m.unit[i] = 1e-12; // picounits, and nothing beside them
    write_model(&m, text, sizeof text);
    wrong += !(difference(&m, text, "dop853", 1e-9, 1e-13, x, count) <= 1e-6);
  }
  assert_true(wrong >= models / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(motions_have_the_same_digits_in_all_units, start),
      cmocka_unit_test_setup(motions_in_lanes_have_the_same_digits, start),
      cmocka_unit_test_setup(one_absolute_tolerance_is_seen, start),
      cmocka_unit_test_setup(chains_from_rest_keep_their_digits_beside_giants, start),
      cmocka_unit_test_setup(the_tolerance_of_a_giant_is_seen, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
