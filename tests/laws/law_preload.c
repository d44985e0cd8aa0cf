// Motion about a preload: random networks of masses and springs, in which weights and tensions balance where the
// coordinates are zero, under a small force f sin(w t). The motion in closed form, by the modes of M^-1/2 K M^-1/2
// (Jacobi's rotations): q'' + s^2 q = c sin(w t) from rest has q = c (sin(w t) - w/s sin(s t))/(s^2 - w^2).
//
// At the start accelerations are differences of equal forces, nothing but rounding, and so is all that follows from
// them in the first steps. Every adaptive method comes to the end, with the digits that rounding leaves, and takes at
// most twice the steps of the same motion without weights and tensions, and of one whose absolute tolerance is given
// by somebody who knows the motion. Lengths are measured in units from 1e-12 to 1e12.
//
// Where values are numbers of the text their sums are exact (expr/build.c): numbers with few digits balance without a
// rest. Those with seventeen leave a rest of 1e-16 of the loads, which no rounding hides: it is a constant force of the
// model, and each mass that it moves is followed with all its digits.
//
// The broken twin: the force is forgotten.
#define _XOPEN_SOURCE 700
#include "tests/laws/chance.h"
#include "tests/laws/one_run.h"

#include "sim/batch.h"

#include <float.h>

enum { most = 5, most_springs = 2 * most };
static int networks = 24;

typedef struct Spring {
  int from, to; // masses; from -1: the ground
  double k, tension;
} Spring;

typedef struct Network {
  int n, spring_count, pushed; // masses; springs; the mass with the force
  double mass[most];
  Spring spring[most_springs];
  double f, w, end, unit;
  double s[most], mode[most][most]; // frequencies, columns: eigenvectors
} Network;

static double spread(double lo, double hi) { return pow(10, lo + (hi - lo) * uniform()); }
static const double g = 9.81;

// ---- modes

static void stiffness(const Network *m, double a[most][most]) {
  memset(a, 0, most * sizeof *a);
  for (int i = 0; i < m->spring_count; i++) {
    const Spring *p = &m->spring[i];
    double t = sqrt(m->mass[p->to]), f = p->from >= 0 ? sqrt(m->mass[p->from]) : 1;
    a[p->to][p->to] += p->k / (t * t);
    if (p->from < 0) continue;
    a[p->from][p->from] += p->k / (f * f);
    a[p->from][p->to] -= p->k / (f * t);
    a[p->to][p->from] -= p->k / (f * t);
  }
}

// a := R' a R, v := v R, R the rotation in the plane of p and q that makes a_pq zero.
static void rotate(int n, double a[most][most], double v[most][most], int p, int q) {
  double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
  for (int i = 0; i < n; i++) {
    double x = a[i][p], y = a[i][q];
    a[i][p] = c * x - s * y, a[i][q] = s * x + c * y;
  }
  for (int i = 0; i < n; i++) {
    double x = a[p][i], y = a[q][i], b = v[i][p], d = v[i][q];
    a[p][i] = c * x - s * y, a[q][i] = s * x + c * y;
    v[i][p] = c * b - s * d, v[i][q] = s * b + c * d;
  }
}

static void find_modes(Network *m) {
  double a[most][most];
  stiffness(m, a);
  memset(m->mode, 0, sizeof m->mode);
  for (int i = 0; i < m->n; i++) m->mode[i][i] = 1;
  for (int sweep = 0; sweep < 30; sweep++) {
    for (int p = 0; p < m->n; p++) {
      for (int q = p + 1; q < m->n; q++) {
        if (a[p][q] != 0) rotate(m->n, a, m->mode, p, q);
      }
    }
  }
  for (int i = 0; i < m->n; i++) m->s[i] = sqrt(a[i][i]);
}

// Where mass i is at t.
static double place(const Network *m, int i, double t) {
  double x = 0;
  for (int j = 0; j < m->n; j++) {
    double s = m->s[j], c = m->f * m->mode[m->pushed][j] / sqrt(m->mass[m->pushed]);
    x += m->mode[i][j] * c * (sin(m->w * t) - m->w / s * sin(s * t)) / (s * s - m->w * m->w);
  }
  return x / sqrt(m->mass[i]);
}

// How far mass i may be off where the forces on each mass are added with an error of eight last digits in each sum, all
// the time: a mode follows accelerations a by no more than a t/s.
static double blur(const Network *m, int i) {
  double force[most], sums[most], x = 0;
  for (int e = 0; e < m->n; e++) force[e] = m->mass[e] * g, sums[e] = 1;
  for (int e = 0; e < m->spring_count; e++) {
    const Spring *p = &m->spring[e];
    force[p->to] += fabs(p->tension), sums[p->to]++;
    if (p->from >= 0) force[p->from] += fabs(p->tension), sums[p->from]++;
  }
  for (int j = 0; j < m->n; j++) {
    double c = 0;
    for (int e = 0; e < m->n; e++) c += fabs(m->mode[e][j]) / sqrt(m->mass[e]) * force[e] * sums[e];
    x += fabs(m->mode[i][j]) * c * m->end / m->s[j];
  }
  return 8 * DBL_EPSILON * x / sqrt(m->mass[i]);
}

// ---- networks

static double two_decimals(bool few, double x) { return few ? round(100 * x) / 100 : x; }

// Each mass hangs on the ground or on one before it, and other springs, with any tension, pull between them.
static Network grow_rounded(bool few) {
  Network m = {.n = 1 + (int)choose(most), .unit = uniform() < 0.5 ? 1 : pow(10, floor(25 * uniform()) - 12)};
  double load[most];
  for (int i = 0; i < m.n; i++) {
    m.mass[i] = two_decimals(few, spread(-1, 1));
    load[i] = m.mass[i] * g;
    m.spring[i] = (Spring){.from = (int)choose((unsigned)i + 1) - 1, .to = i, .k = two_decimals(few, spread(2, 4))};
  }
  m.spring_count = m.n;
  for (int e = 0; m.n > 1 && e < (int)choose((unsigned)m.n); e++) {
    int to = 1 + (int)choose((unsigned)m.n - 1);
    Spring p = {.from = (int)choose((unsigned)to),
                .to = to,
                .k = two_decimals(few, spread(2, 4)),
                .tension = two_decimals(few, 40 * uniform() - 20)};
    m.spring[m.spring_count++] = p;
    load[p.to] -= p.tension;
    load[p.from] += p.tension;
  }
  for (int i = m.n - 1; i >= 0; i--) {
    m.spring[i].tension = load[i];
    if (m.spring[i].from >= 0) load[m.spring[i].from] += load[i];
  }
  find_modes(&m);
  double least = INFINITY, fastest = 0;
  for (int j = 0; j < m.n; j++) {
    least = fmin(least, m.s[j]);
    fastest = fmax(fastest, m.s[j]);
  }
  m.pushed = (int)choose((unsigned)m.n);
  m.f = spread(-6, 0);
  m.w = least * (0.2 + 0.5 * uniform());
  m.end = fmin(5 / m.w, 100 / fastest);
  return m;
}

static Network grow(void) { return grow_rounded(false); }

// How a network is written; f is a parameter in any case.
typedef struct Writing {
  bool preloaded; // with weights and tensions
  bool numbers;   // values are numbers in the energies, else parameters
  bool few;       // with two digits behind the point
  double left;    // constant forces, of this part of the loads, up and down in turns
} Writing;

// A value in u^power: its name, or its number. The loads of few digits have four behind the point.
static const char *value(const Network *m, Writing w, char name, int index, double number, int power) {
  static char all[8][80];
  static int next;
  char *out = all[next++ % 8];
  if (!w.numbers && index < 0) snprintf(out, sizeof all[0], "%c", name);
  else if (!w.numbers) snprintf(out, sizeof all[0], "%c%d", name, index);
  else snprintf(out, sizeof all[0], "(%.*g*%.17g^%d)", w.few ? 10 : 17, number, m->unit, power);
  return out;
}

static void write_model(const Network *m, Writing w, char *out, size_t size) {
  size_t at = 0;
  double u = m->unit, loaded = w.preloaded ? 1 : 0;
#define PUT(...) at += (size_t)snprintf(out + at, size - at, __VA_ARGS__)
  PUT("param f = %.17g", m->f * u);
  if (!w.numbers) PUT(", g = %.17g", loaded * g * u);
  for (int i = 0; !w.numbers && i < m->n; i++) PUT(", m%d = %.17g", i, m->mass[i]);
  for (int i = 0; !w.numbers && i < m->spring_count; i++)
    PUT(", k%d = %.17g, T%d = %.17g", i, m->spring[i].k * u * u, i, loaded * m->spring[i].tension * u);
  PUT("\ncoord");
  for (int i = 0; i < m->n; i++) PUT("%s x%d", i ? "," : "", i);
  PUT("\nkinetic 0");
  for (int i = 0; i < m->n; i++) PUT(" + 1/2*%s*%.17g*x%d'^2", value(m, w, 'm', i, m->mass[i], 0), u * u, i);
  PUT("\npotential 0");
  for (int i = 0; i < m->n; i++)
    PUT(" + %s*%s*x%d", value(m, w, 'm', i, m->mass[i], 0), value(m, w, 'g', -1, loaded * g, 1), i);
  for (int i = 0; i < m->spring_count; i++) {
    const Spring *p = &m->spring[i];
    const char *k = value(m, w, 'k', i, p->k, 2);
    PUT(" + 1/2*%s*(x%d", k, p->to);
    if (p->from >= 0) PUT(" - x%d", p->from);
    PUT(" - %s/%s)^2", value(m, w, 'T', i, loaded * p->tension, 1), k);
  }
  PUT("\nforce x%d = f*sin(%.17g*t)", m->pushed, m->w);
  for (int i = 0; w.left > 0 && i < m->n; i++)
    PUT("\nforce x%d = %.17g", i, (i % 2 ? -1 : 1) * w.left * u * m->spring[i].tension);
  PUT("\noutput");
  for (int i = 0; i < m->n; i++) PUT("%s y%d = x%d", i ? "," : "", i, i);
  PUT("\nsimulate to %.17g every %.17g\n", m->end, m->end / 7);
#undef PUT
  assert_true(at < size);
}

// ---- runs

typedef struct Way {
  const char *method;
  double rtol, allowed; // allowed: beside what rounding leaves, in the size of the motion
} Way;
static const Way ways[] = {{"auto", NAN, 1e-8},   {"dopri5", 1e-9, 1e-6}, {"dop853", 1e-9, 1e-6}, {"dopri5", NAN, 1e-8},
                           {"rodas", 1e-9, 1e-6}, {"rodas", NAN, 1e-8},   {"bdf", 1e-9, 1e-4},    {"bdf", NAN, 1e-6}};
enum { way_count = sizeof ways / sizeof *ways };

// The largest distance of mass i.
static double size_of_mass(const Network *m, int i) {
  double size = 0;
  for (int j = 1; j <= 50; j++) size = fmax(size, fabs(place(m, i, m->end * j / 50)));
  return size;
}

// Errors of all rows over what is allowed, the worst.
static double worst_error(const Network *m, const Way *way, const Table *t) {
  double worst = 0;
  for (size_t k = 1; k < t->count; k++) {
    const double *row = t->rows + k * t->width;
    for (int i = 0; i < m->n; i++) {
      double allowed = way->allowed * size_of_mass(m, i) + blur(m, i);
      worst = fmax(worst, fabs(row[1 + i] * m->unit - place(m, i, row[0])) / allowed);
    }
  }
  return t->count >= 8 ? worst : INFINITY;
}

static char text[20000];

// The steps that were tried; 0: it stopped. *error: as above.
static uint64_t go(const Network *m, Writing w, const Way *way, double atol, double *error) {
  Table table = {0};
  RunSettings s = run_defaults();
  s.method = way->method;
  s.rtol = way->rtol;
  s.atol = atol;
  write_model(m, w, text, sizeof text);
  RunResult r = one_run(text, s, &table, NULL, 0);
  *error = worst_error(m, way, &table);
  free(table.rows);
  return r.status == run_done ? r.ode.steps + r.ode.rejected : 0;
}

typedef struct Tally {
  int stops, slow, wrong;
  double part, error; // the largest
} Tally;

static void count_in(Tally *t, uint64_t steps, double usual, double error) {
  double part = (double)steps / (usual + 50); // some to begin with
  if (!steps) {
    t->stops++;
    return;
  }
  t->slow += part > 2;
  t->wrong += !(error <= 1);
  t->part = fmax(t->part, part);
  t->error = fmax(t->error, error);
}

// As w, beside the same motion as `usual`.
static void check_methods(Writing w, Writing usual) {
  Tally tally[way_count] = {0};
  for (int k = 0; k < networks; k++) {
    Network m = grow_rounded(w.few);
    double size = 0, none;
    for (int i = 0; i < m.n; i++) size = fmax(size, size_of_mass(&m, i));
    for (int i = 0; i < way_count; i++) {
      const Way *way = &ways[i];
      double error, atol = 0.01 * (isnan(way->rtol) ? 1e-11 : way->rtol) * size / m.unit;
      uint64_t steps = go(&m, w, way, NAN, &error), known = go(&m, w, way, atol, &none);
      uint64_t without = go(&m, usual, way, NAN, &none);
      assert_true(known && without);
      count_in(&tally[i], steps, (double)(known < without && !w.numbers ? known : without), error);
    }
  }
  for (int i = 0; i < way_count; i++) {
    const Tally *t = &tally[i];
    print_message("%s, rtol %g: of %d networks %d stop, %d take many steps (at most %.2f times as many), %d are wrong "
                  "(at most %.2g of what is allowed)\n",
                  ways[i].method, ways[i].rtol, networks, t->stops, t->slow, t->part, t->wrong, t->error);
  }
  for (int i = 0; i < way_count; i++) assert_int_equal(tally[i].stops + tally[i].slow + tally[i].wrong, 0);
}

static void every_method_moves_about_a_preload(void **state) {
  (void)state;
  check_methods((Writing){.preloaded = true}, (Writing){0});
}

// Numbers of the text are added exactly: where they balance nothing is left, and the steps are those of no load.
static void numbers_of_few_digits_balance(void **state) {
  (void)state;
  check_methods((Writing){.preloaded = true, .numbers = true, .few = true}, (Writing){.numbers = true, .few = true});
}

// Where they do not, to the last digit, what is left is a force of the model, and what it moves has its digits like the
// rest: it costs the steps of constant forces of that size.
static void numbers_that_do_not_balance_leave_a_force(void **state) {
  (void)state;
  check_methods((Writing){.preloaded = true, .numbers = true}, (Writing){.numbers = true, .left = DBL_EPSILON});
}

// Eight at once have the bits of each by itself.
static void so_do_eight_at_once(void **state) {
  (void)state;
  enum { samples = 8 };
  for (int k = 0; k < networks; k++) {
    Network m = grow();
    double values[samples], end[most];
    m.unit = ldexp(1, (int)choose(80) - 40); // so that the text has the very numbers
    for (int i = 0; i < samples; i++) values[i] = m.f * m.unit * pow(0.3, i);
    BatchSettings s = {.run = run_defaults(),
                       .names = (const char *const[]){"f"},
                       .name_count = 1,
                       .values = values,
                       .count = samples};
    s.run.method = (const char *const[]){"auto", "dopri5", "dop853", "rodas"}[k % 4];
    write_model(&m, (Writing){.preloaded = true}, text, sizeof text);
    Loaded *l = load_text(text);
    Arena *arena = arena_new();
    Diags diags = {.arena = arena, .sources = &l->model.sources};
    BatchResult r = batch_run(arena, &l->system, &s, &diags);
    assert_int_equal(r.status, run_done);
    assert_int_equal(r.failed, 0);
    for (int i = 0; i < samples; i++) {
      m.f = values[i] / m.unit;
      write_model(&m, (Writing){.preloaded = true}, text, sizeof text);
      assert_int_equal(one_run(text, s.run, NULL, end, (uint32_t)m.n).status, run_done);
      for (int e = 0; e < m.n; e++) {
        double x = r.values[(uint64_t)i * r.value_count + (uint64_t)e];
        if (!same(x, end[e])) fail_msg("by %s: y%d is %a in a lane, %a alone:\n%s", s.run.method, e, x, end[e], text);
      }
    }
    arena_free(arena);
    unload(l);
  }
}

// Gauss' stages, with fixed steps, stand still above the rounding of balanced forces.
static void stages_stand_still_about_a_preload(void **state) {
  (void)state;
  const Way gauss = {"gauss8", NAN, 1e-6};
  for (int k = 0; k < networks; k++) {
    Network m = grow();
    Table table = {0};
    RunSettings s = run_defaults();
    s.method = gauss.method;
    s.step = m.end / 700;
    write_model(&m, (Writing){.preloaded = true}, text, sizeof text);
    assert_int_equal(one_run(text, s, &table, NULL, 0).status, run_done);
    assert_true(worst_error(&m, &gauss, &table) <= 1);
    free(table.rows);
  }
}

// A motion without its force would be seen.
static void a_forgotten_force_is_seen(void **state) {
  (void)state;
  int wrong = 0;
  for (int k = 0; k < networks; k++) {
    Network m = grow(), still = m;
    Table table = {0};
    still.f = 0;
    write_model(&still, (Writing){.preloaded = true}, text, sizeof text);
    assert_int_equal(one_run(text, run_defaults(), &table, NULL, 0).status, run_done);
    wrong += worst_error(&m, &ways[0], &table) > 1;
    free(table.rows);
  }
  assert_int_equal(wrong, networks);
}

int main(int count, char **args) {
  if (count > 1) networks = atoi(args[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(every_method_moves_about_a_preload, start),
      cmocka_unit_test_setup(numbers_of_few_digits_balance, start),
      cmocka_unit_test_setup(numbers_that_do_not_balance_leave_a_force, start),
      cmocka_unit_test_setup(so_do_eight_at_once, start),
      cmocka_unit_test_setup(stages_stand_still_about_a_preload, start),
      cmocka_unit_test_setup(a_forgotten_force_is_seen, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
