// Singular positions of constraints: every method passes them at the same time on the same branch, or ends there.
//
//   - linkages and pairs of lines that move evenly, with random sizes: time and branch are closed forms
//   - a crank with a rod of the same length against the integral of its speed
//   - ways that touch, a cusp, a motion that comes to rest at a crossing: no method goes on
//   - linkages that almost lie flat: all methods turn as the exact one does
//   - a batch has the bits of runs of their own
//
// VIVA_COUNT says how many random ones (3). The broken twin: the branch that is not taken.
#include "sim/batch.h"
#include "tests/laws/chance.h"
#include "tests/laws/script.h"

typedef struct Method {
  const char *name;
  double step; // NAN: its own
} Method;

static const Method methods[] = {{"euler", 0.01},  {"heun", 0.01},   {"bs3", 0.01},     {"rk4", 0.01},
                                 {"rk4", 0.07},    {"dopri5", NAN},  {"dop853", NAN},   {"rodas", NAN},
                                 {"bdf", NAN},     {"verlet", 0.01}, {"gauss4", 0.01},  {"gauss6", 0.02},
                                 {"gauss8", 0.05}, {"gauss12", 0.1}, {"conserve", 0.02}};
enum { method_count = sizeof methods / sizeof *methods };

typedef struct Outcome {
  RunStatus status;
  double values[8], residue;
  uint32_t passed;
  SingularPlace places[singular_places];
  char message[400];
} Outcome;

static Outcome run_by_part(const char *text, const Method *m, double part) {
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunSettings s = run_defaults();
  s.method = m->name;
  s.step = part * m->step;
  RunResult r = run_model(arena, &l->system, &s, NULL, &diags);
  Outcome o = {.status = r.status, .passed = r.constraints.singular, .residue = r.account.relative};
  memcpy(o.places, r.constraints.places, sizeof o.places);
  for (uint32_t i = 0; i < 8 && i < r.final.count; i++) o.values[i] = r.final.values[i];
  if (r.message) snprintf(o.message, sizeof o.message, "%s", r.message);
  arena_free(arena);
  unload(l);
  return o;
}

static Outcome run_by(const char *text, const Method *m) { return run_by_part(text, m, 1); }

static unsigned trials(void) {
  const char *given = getenv("VIVA_COUNT");
  return given && *given ? (unsigned)atoi(given) : 3;
}

static double between(double least, double most) { return least + (most - least) * uniform(); }

static void expect_places(const Outcome *o, const Method *m, const char *text, const double *times, uint32_t count,
                          double slack) {
  if (o->status != run_done) fail_msg("%s does not come to its end: %s\n%s", m->name, o->message, text);
  if (o->passed != count) fail_msg("%s passes %u places, not %u\n%s", m->name, o->passed, count, text);
  for (uint32_t i = 0; i < count; i++) {
    if (!(fabs(o->places[i].t - times[i]) < slack))
      fail_msg("%s passes at %.17g, not %.17g\n%s", m->name, o->places[i].t, times[i], text);
  }
}

// ---- what moves evenly

// A parallelogram, turned by an angle: the cranks turn at a constant rate, the coupler keeps its direction. In the
// other branch, the antiparallelogram, it does not.
static void parallelograms_stay_parallelograms(void **state) {
  (void)state;
  for (unsigned trial = 0; trial < trials(); trial++) {
    double r = between(0.2, 0.6), l = between(0.8, 1.5), turned = between(-1, 1), a = between(0.3, 1.2),
           w = -between(0.7, 1.5);
    Script s = {0};
    put(&s, "param r = %.17g, l = %.17g, u = %.17g, a0 = %.17g, w = %.17g\n", r, l, turned, a, w);
    put(&s, "coord a = a0 + u, b, c\nguess b = u, c = a0 + u\ninit a' = w\n");
    put(&s, "let O = [l*cos(u), l*sin(u)], A = [r*cos(a), r*sin(a)], C = O + [r*cos(c), r*sin(c)]\n");
    put(&s, "constraint loop: A + [l*cos(b), l*sin(b)] = C\n");
    put(&s, "kinetic 1/2*(a'^2 + 0.7*b'^2 + 0.3*c'^2)\noutput a, b, c\nsimulate to 5 every 5\n");
    double times[3];
    uint32_t count = 0;
    for (double at = a / -w; at < 5; at += 3.14159265358979323846 / -w) times[count++] = at;
    for (unsigned k = 0; k < method_count; k++) {
      Outcome o = run_by(s.text, &methods[k]);
      expect_places(&o, &methods[k], s.text, times, count, 1e-9);
      double off = fmax(fabs(o.values[0] - o.values[2]), fabs(o.values[1] - turned));
      off = fmax(off, fabs(o.values[0] - (a + turned + 5 * w)));
      if (!(off < 1e-8)) fail_msg("%s leaves its branch by %g\n%s", methods[k].name, off, s.text);
      for (uint32_t i = 0; i < count; i++) assert_int_equal(o.places[i].rank, 1);
    }
  }
}

// Two lines as one constraint, in a plane of space that is a second one.
static void beads_on_crossing_lines_go_straight_on(void **state) {
  (void)state;
  for (unsigned trial = 0; trial < trials(); trial++) {
    double x = between(-1, 1), y = between(-1, 1), a = between(0, 3), b = a + between(0.3, 2.5),
           way = between(0.4, 1.5), speed = between(0.6, 1.4), p = between(-0.5, 0.5), q = between(-0.5, 0.5);
    Script s = {0};
    put(&s, "param X = %.17g, Y = %.17g, a = %.17g, b = %.17g, w = %.17g, v = %.17g\n", x, y, a, b, way, speed);
    put(&s, "param p = %.17g, q = %.17g\ncoord x = X - w*cos(a), y = Y - w*sin(a), z\nguess z = 0\n", p, q);
    put(&s, "init x' = v*cos(a), y' = v*sin(a)\nkinetic 1/2*(x'^2 + y'^2) + 1/2*z'^2\n");
    put(&s, "constraint ((x - X)*sin(a) - (y - Y)*cos(a))*((x - X)*sin(b) - (y - Y)*cos(b)) = 0\n");
    put(&s, "constraint z = p*x + q*y\noutput x, y\nsimulate to 3 every 3\n");
    double at = way / speed;
    for (unsigned k = 0; k < method_count; k++) {
      Outcome o = run_by(s.text, &methods[k]);
      expect_places(&o, &methods[k], s.text, &at, 1, 1e-9);
      double ahead = 3 * speed - way, off = hypot(o.values[0] - x - ahead * cos(a), o.values[1] - y - ahead * sin(a));
      if (!(off < 1e-8)) fail_msg("%s is off by %g\n%s", methods[k].name, off, s.text);
    }
  }
}

// ---- what does not

// b = -a, x = 2 cos(a): 1/2 J(a) a'^2 is kept, and the rod turns over the crank where a = pi/2 + k pi.
static double crank_speed(double a) { return sqrt((1.4 + 8 * sin(a) * sin(a)) / (1.4 + 8 * sin(1) * sin(1))); }

static double crank_time(double to) { // Simpson
  enum { pieces = 2000 };
  double h = (to - 1) / pieces, sum = 0;
  for (int i = 0; i <= pieces; i++) sum += (i == 0 || i == pieces ? 1 : i % 2 ? 4 : 2) * crank_speed(1 + i * h);
  return sum * h / 3;
}

static void a_crank_passes_its_rod(void **state) {
  (void)state;
  static const char text[] = "coord a = 1, b, x\nguess b = -1, x = 1\ninit a' = 1\n"
                             "constraint loop: [cos(a) + cos(b), sin(a) + sin(b)] = [x, 0]\n"
                             "kinetic 1/2*(a'^2 + 0.4*b'^2 + 2*x'^2)\noutput a, b, x\nsimulate to 10 every 10\n";
  double times[4];
  for (int i = 0; i < 4; i++) times[i] = crank_time((0.5 + i) * 3.14159265358979323846);
  for (unsigned k = 1; k < method_count; k++) { // Euler's steps are no match for it
    bool coarse = k == 1 || k == 2 || k == 4 || k == 9;
    Outcome o = run_by(text, &methods[k]);
    expect_places(&o, &methods[k], text, times, 4, coarse ? 2e-3 : 1e-6);
    assert_true(fabs(o.values[0] + o.values[1]) < 1e-9 && fabs(o.values[2] - 2 * cos(o.values[0])) < 1e-9);
  }
}

static void linkages_flatten_at_the_same_time(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double slack;
  } linkages[] = {
      {"coord ax = 0.6, ay = 0.8, bx, by = 0.8\nguess bx = 1.6\ninit ax' = 0.8, ay' = -0.6\n"
       "let A = [ax, ay], B = [bx, by]\nconstraint |A|^2 = 1\nconstraint |B - A|^2 = 1\nconstraint |B - [1, 0]|^2 = 1\n"
       "kinetic 1/2*(|A'|^2 + |B'|^2)\noutput ax, ay, bx, by\nsimulate to 10 every 10\n",
       1e-5},
      {"coord ax, ay, bx, by, cx, cy = 0.1, dx, dy\n"
       "guess ax = 0.9, ay = 0.5, bx = 0.9, by = -0.3, cx = 0.58, dx = 1.2, dy = 0.2\n"
       "let A = [ax, ay], B = [bx, by], C = [cx, cy], D = [dx, dy]\nkinetic 1/2*(|A'|^2 + |B'|^2 + |C'|^2 + |D'|^2)\n"
       "potential 9.81*(ay + by + cy + dy)\nconstraint |A|^2 = 1\nconstraint |B|^2 = 1\nconstraint |A - C|^2 = 1/4\n"
       "constraint |B - C|^2 = 1/4\nconstraint |A - D|^2 = 1/4\nconstraint |B - D|^2 = 1/4\n"
       "constraint |C - [0.3, 0]|^2 = 0.09\noutput cx, cy, dx, dy\nsimulate to 1.5 every 1.5\n",
       1e-4},
      {"coord x = 1, y\nguess y = 0\ninit y' = 1\nkinetic 1/2*(x'^2 + y'^2)\n"
       "constraint (x^2 + y^2)^2 = x^2 - y^2\noutput x, y\nsimulate to 6 every 6\n",
       1e-5}};
  for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++) {
    Outcome best = run_by(linkages[i].text, &(Method){"dop853", NAN});
    double times[singular_places];
    for (uint32_t j = 0; j < best.passed; j++) times[j] = best.places[j].t;
    assert_true(best.status == run_done && best.passed >= 2 && best.residue < 1e-9);
    for (unsigned k = 1; k < method_count; k++) {
      bool coarse = k == 1 || k == 2 || k == 4 || k == 9;
      Outcome o = run_by_part(linkages[i].text, &methods[k], i == 1 ? 0.25 : 1); // the second one moves fast
      double slack = linkages[i].slack * (coarse ? 1000 : 1);
      expect_places(&o, &methods[k], linkages[i].text, times, best.passed, slack);
      for (uint32_t j = 0; j < 2; j++) {
        if (!(fabs(o.values[j] - best.values[j]) < 30 * slack))
          fail_msg("%s is off by %g\n%s", methods[k].name, o.values[j] - best.values[j], linkages[i].text);
      }
    }
  }
}

// ---- where nothing leads on, or more than one way

static void no_method_chooses_a_way(void **state) {
  (void)state;
  static const char bead[] =
      "coord x = 1, y = %d\ninit x' = -1\nkinetic 1/2*(x'^2 + y'^2)\n%s\nsimulate to 3 every 0.5\n";
  const struct {
    const char *law;
    int y;
    double time;
  } ends[] = {{"constraint y^2 = x^4", 1, (2 * sqrt(5) + asinh(2)) / 4 / sqrt(5)},
              {"constraint y^2 = x^3", 1, 8.0 / 27 * (pow(3.25, 1.5) - 1) / sqrt(3.25)},
              {"constraint y^2 = x^2\npotential y", -1, 2}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char text[400];
    snprintf(text, sizeof text, bead, ends[i].y, ends[i].law);
    for (unsigned k = 1; k < method_count; k++) {
      Outcome o = run_by(text, &methods[k]);
      double at = NAN;
      if (o.status != run_failed || !strstr(o.message, "lose rank") || !strstr(o.message, "(x "))
        fail_msg("%s says: %s\n%s", methods[k].name, o.message, text);
      assert_int_equal(sscanf(o.message, "stopped at t = %lf", &at), 1);
      if (!(fabs(at - ends[i].time) < 2e-4))
        fail_msg("%s ends at %g, not %g\n%s", methods[k].name, at, ends[i].time, text);
    }
  }
}

// Almost a parallelogram: it turns over near the flat position, the faster the nearer. What d is too small for is told.
static void almost_flat_linkages_turn(void **state) {
  (void)state;
  static const double gaps[] = {1e-3, -1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13};
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    Script s = {0};
    put(&s, "param d = %g\ncoord a = 0.5, b, c\nguess b = 0, c = 0.5\ninit a' = -1\n", gaps[i]);
    put(&s, "constraint [0.3*cos(a) + (0.8 + d)*cos(b), 0.3*sin(a) + (0.8 + d)*sin(b)] = [0.8 + 0.3*cos(c), "
            "0.3*sin(c)]\nkinetic 1/2*(a'^2 + b'^2 + 0.3*c'^2)\noutput a, b, c\nsimulate to 2 every 2\n");
    Outcome best = run_by(s.text, &(Method){"dop853", NAN});
    assert_true(best.status == run_failed || (best.passed == 0 && best.residue < 1e-9));
    if (fabs(gaps[i]) > 1e-8) assert_int_equal(best.status, run_done);
    for (unsigned k = 1; k < method_count; k++) {
      Outcome o = run_by(s.text, &methods[k]);
      // bdf ends earlier, and says so
      if (o.status == run_failed && fabs(gaps[i]) < (k == 8 ? 1e-6 : 1e-8)) continue;
      bool coarse = k == 1 || k == 2 || k == 4;
      double off = fmax(fabs(o.values[0] - best.values[0]), fabs(o.values[2] - best.values[2]));
      if (o.status != run_done) fail_msg("%s: %s\n%s", methods[k].name, o.message, s.text);
      if (best.status == run_done && !(off < (coarse ? 0.1 : 1e-2)))
        fail_msg("%s is off by %g\n%s", methods[k].name, off, s.text);
    }
  }
}

// ---- many at once

static void batches_have_the_bits_of_single_runs(void **state) {
  (void)state;
  static const char text[] =
      "param a0 = 0.5\ncoord a = a0, b, c\nguess b = 0, c = a0\ninit a' = -1\n"
      "constraint [0.3*cos(a) + 0.8*cos(b), 0.3*sin(a) + 0.8*sin(b)] = [0.8 + 0.3*cos(c), "
      "0.3*sin(c)]\nkinetic 1/2*(a'^2 + b'^2 + 0.3*c'^2)\noutput a, b, c\nsimulate to 2 every 2\n";
  enum { count = 9 };
  static const char *const names[] = {"a0"};
  double starts[count];
  for (unsigned i = 0; i < count; i++) starts[i] = 0.45 + 0.3 * i;
  for (unsigned k = 0; k < method_count; k++) {
    if (strcmp(methods[k].name, "rk4") && strcmp(methods[k].name, "dop853")) continue;
    Loaded *l = load_text(text);
    Arena *arena = arena_new();
    Diags diags = {.arena = arena, .sources = &l->model.sources};
    BatchSettings b = {.run = run_defaults(), .names = names, .name_count = 1, .values = starts, .count = count};
    b.run.method = methods[k].name;
    b.run.step = methods[k].step;
    BatchResult r = batch_run(arena, &l->system, &b, &diags);
    assert_int_equal(r.failed, 0);
    for (unsigned i = 0; i < count; i++) {
      Script s = {0};
      put(&s, "param a0 = %.17g\n%s", starts[i], text + sizeof "param a0 = 0.5");
      Outcome o = run_by(s.text, &methods[k]);
      assert_true(o.status == run_done && o.passed == (starts[i] < 2));
      for (unsigned j = 0; j < 3; j++) assert_true(same(o.values[j], r.values[i * r.value_count + j]));
    }
    arena_free(arena);
    unload(l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parallelograms_stay_parallelograms),
                                     cmocka_unit_test(beads_on_crossing_lines_go_straight_on),
                                     cmocka_unit_test(a_crank_passes_its_rod),
                                     cmocka_unit_test(linkages_flatten_at_the_same_time),
                                     cmocka_unit_test(no_method_chooses_a_way),
                                     cmocka_unit_test(almost_flat_linkages_turn),
                                     cmocka_unit_test(batches_have_the_bits_of_single_runs)};
  return cmocka_run_group_tests(tests, start, NULL);
}
