// Constraints against the same motion without them: angles, reduced equations, closed forms.
//
// A trial is a random mechanism written twice: with as many coordinates as it has freedoms, and with Cartesian ones and
// constraints. VIVA_COUNT says how many of each (20). Broken twins: a rod that is a little longer, an impulse that does
// not go through the masses.
#include "tests/laws/chance.h"
#include "tests/laws/one_run.h"
#include "tests/laws/script.h"

static double between(double a, double b) { return a + (b - a) * uniform(); }

static unsigned count(void) {
  const char *given = getenv("VIVA_COUNT");
  return given ? (unsigned)atoi(given) : 20;
}

// The final values of the outputs of a text; false: the run did not come to its end.
static bool ends(const char *text, const char *method, double rtol, double *values, unsigned n, RunConstraints *told) {
  RunSettings s = run_defaults();
  s.method = method;
  if (rtol > 0) s.rtol = rtol;
  RunResult r = one_run(text, s, NULL, values, n);
  if (told) *told = r.constraints;
  return r.status == run_done;
}

// ---- chains of pendulums: angles, and points with rods

typedef struct Chain {
  unsigned n;
  double l[4], m[4], th[4], w[4], to;
} Chain;

static Chain any_chain(void) {
  Chain c = {.n = 1 + choose(4), .to = between(0.3, 1.5)};
  for (unsigned i = 0; i < c.n; i++) {
    c.l[i] = between(0.2, 2);
    c.m[i] = between(0.1, 3);
    c.th[i] = between(-2, 2);
    c.w[i] = between(-1, 1);
  }
  return c;
}

static void chain_by_angles(const Chain *c, Script *s) {
  put(s, "param g = 9.81\n");
  for (unsigned i = 0; i < c->n; i++) put(s, "coord th%u = %.17g\ninit th%u' = %.17g\n", i, c->th[i], i, c->w[i]);
  for (unsigned i = 0; i < c->n; i++) {
    put(s, "let P%u = [%.17g*sin(th%u), -%.17g*cos(th%u)]", i, c->l[i], i, c->l[i], i);
    if (i) put(s, " + P%u", i - 1);
    put(s, "\nkinetic 1/2*%.17g*|P%u'|^2\npotential %.17g*g*P%u.y\n", c->m[i], i, c->m[i], i);
  }
  for (unsigned i = 0; i < c->n; i++) put(s, "output P%u, P%u'\n", i, i);
  put(s, "simulate to %.17g\n", c->to);
}

// longer: by how much the first rod is
static void chain_by_points(const Chain *c, double longer, bool twice, Script *s) {
  double x = 0, y = 0, vx = 0, vy = 0;
  put(s, "param g = 9.81\n");
  for (unsigned i = 0; i < c->n; i++) {
    x += c->l[i] * sin(c->th[i]);
    y -= c->l[i] * cos(c->th[i]);
    vx += c->l[i] * cos(c->th[i]) * c->w[i];
    vy += c->l[i] * sin(c->th[i]) * c->w[i];
    put(s, "coord x%u, y%u\nguess x%u = %.17g, y%u = %.17g, x%u' = %.17g, y%u' = %.17g\n", i, i, i, x, i, y, i, vx, i,
        vy);
    put(s, "kinetic 1/2*%.17g*(x%u'^2 + y%u'^2)\npotential %.17g*g*y%u\n", c->m[i], i, i, c->m[i], i);
    double l = c->l[i] + (i ? 0 : longer);
    if (i) put(s, "constraint rod%u: (x%u - x%u)^2 + (y%u - y%u)^2 = %.17g\n", i, i, i - 1, i, i - 1, l * l);
    else put(s, "constraint rod0: x0^2 + y0^2 = %.17g\n", l * l);
    if (twice && !i) put(s, "constraint more: 3*x0^2 + 3*y0^2 = 3*%.17g\n", l * l);
  }
  for (unsigned i = 0; i < c->n; i++) put(s, "output x%u, y%u, x%u', y%u'\n", i, i, i, i);
  put(s, "simulate to %.17g\n", c->to);
}

static double difference(const double *a, const double *b, unsigned n) {
  double most = 0, size = 0;
  for (unsigned i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(a[i]));
  }
  return most / fmax(size, 1);
}

// How much the end of a trajectory moves when one of its initial values does: 500 for some chains, so the error of each
// step counts as often. right: the end.
static double sensitivity(const Chain *c, const double *right) {
  const double nudge = 1e-7;
  double most = 1, end[16];
  for (unsigned i = 0; i < 2 * c->n; i++) {
    Chain moved = *c;
    Script s = {0};
    *(i % 2 ? &moved.w[i / 2] : &moved.th[i / 2]) += nudge;
    chain_by_angles(&moved, &s);
    assert_true(ends(s.text, "dop853", 1e-12, end, 4 * c->n, NULL));
    most = fmax(most, difference(right, end, 4 * c->n) / nudge);
  }
  return most;
}

static void points_on_rods_move_as_angles_do(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double rtol, times; // times: of 376 chains the largest error was 0.4, 7, 1 and 56 times rtol and the sensitivity
  } ways[] = {{"dop853", 1e-11, 10}, {"dopri5", 1e-10, 40}, {"rodas", 1e-9, 10}, {"bdf", 1e-9, 250}};
  for (unsigned k = 0; k < count(); k++) {
    Chain c = any_chain();
    Script angles = {0}, points = {0}, longer = {0};
    double a[16], b[16];
    RunConstraints told;
    unsigned w = k % 4;
    bool twice = uniform() < 0.3;
    chain_by_angles(&c, &angles);
    chain_by_points(&c, 0, twice, &points);
    assert_true(ends(angles.text, "dop853", 1e-12, a, 4 * c.n, NULL));
    if (!ends(points.text, ways[w].method, ways[w].rtol, b, 4 * c.n, &told)) fail_msg("no end:\n%s", points.text);
    double off = difference(a, b, 4 * c.n);
    if (!(off < ways[w].times * ways[w].rtol * sensitivity(&c, a)))
      fail_msg("%s is off by %g:\n%s%s", ways[w].method, off, angles.text, points.text);
    assert_true(told.position < 1e-12 && told.velocity < 1e-11);
    assert_int_equal(told.count - told.rank, twice);
    // the broken twin
    chain_by_points(&c, 1e-3, false, &longer);
    assert_true(ends(longer.text, "dop853", 0, b, 4 * c.n, NULL));
    assert_true(difference(a, b, 4 * c.n) > 1e-5);
  }
}

// Chains of so many links that their blocks are solved by the sparse kernel, straight, turning about their end. copies:
// of the first constraint.
static void long_chain_by_points(unsigned n, double th, unsigned copies, double to, Script *s) {
  put(s, "param n = %u, l = 0.3, g = 9.81, s = %.17g, c = %.17g\n", n, sin(th), cos(th));
  put(s, "coord x[i] = l*i*s for i in 1 .. n\ncoord y[i] = -l*i*c for i in 1 .. n\n"
         "init x[i]' = 2*l*i*c for i in 1 .. n\ninit y[i]' = 2*l*i*s for i in 1 .. n\n");
  put(s, "kinetic 1/2*(x[i]'^2 + y[i]'^2) for i in 1 .. n\npotential g*y[i] for i in 1 .. n\n"
         "constraint link[1]: x[1]^2 + y[1]^2 = l^2\n"
         "constraint link[i]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = l^2 for i in 2 .. n\n");
  for (unsigned k = 1; k < copies; k++) put(s, "constraint again%u: x[1]^2 + y[1]^2 = l^2\n", k);
  put(s, "output x[n], y[n], x[n]', y[n]', x[n-5], lambda.link[1]");
  for (unsigned k = 1; k < copies; k++) put(s, ", lambda.again%u", k);
  put(s, "\nsimulate to %.17g\n", to);
}

static void long_chains_move_as_angles_do(void **state) {
  (void)state;
  for (unsigned k = 0; k < count() / 10 + 1; k++) {
    unsigned n = 17 + choose(20), copies = 2 + choose(2);
    double th = between(0.5, 2), to = between(0.05, 0.2), a[5], one[6], more[8];
    Script angles = {0}, once = {0}, again = {0};
    RunConstraints told;
    put(&angles,
        "param n = %u, l = 0.3, g = 9.81\ncoord th[i] = %.17g for i in 1 .. n\ninit th[i]' = 2 for i in 1 .. n\nlet "
        "P[0] = [0, 0]\n"
        "let P[i] = P[i-1] + [l*sin(th[i]), -l*cos(th[i])] for i in 1 .. n\n"
        "kinetic 1/2*|P[i]'|^2 for i in 1 .. n\npotential g*P[i].y for i in 1 .. n\n"
        "output P[n], P[n]', P[n-5].x\nsimulate to %.17g\n",
        n, th, to);
    long_chain_by_points(n, th, 1, to, &once);
    long_chain_by_points(n, th, copies, to, &again);
    if (!ends(angles.text, "dop853", 1e-11, a, 5, NULL)) fail_msg("no end:\n%s", angles.text);
    assert_true(ends(once.text, "dop853", 1e-11, one, 6, NULL));
    assert_true(ends(again.text, "dop853", 1e-11, more, 5 + copies, &told));
    assert_true(difference(a, one, 5) < 1e-8 && difference(a, more, 5) < 1e-8);
    assert_int_equal(told.count - told.rank, copies - 1);
    // copies share what the one alone does
    for (unsigned i = 0; i < copies; i++) assert_true(fabs(copies * more[5 + i] - one[5]) < 1e-6 * (1 + fabs(one[5])));
  }
}

// ---- closed forms

static void a_rolling_disk_goes_in_a_circle(void **state) {
  (void)state;
  for (unsigned k = 0; k < count(); k++) {
    double R = between(0.1, 1), w = between(1, 6), p = between(-2, 2), to = between(0.5, 4), end[4];
    Script s = {0};
    put(&s,
        "param R = %.17g\ncoord x, y, ph, ps\ninit ph' = %.17g, ps' = %.17g\n"
        "kinetic %.17g*(x'^2 + y'^2) + %.17g*ph'^2 + %.17g*ps'^2\n"
        "constraint a: x' = R*cos(ps)*ph'\nconstraint b: y' = R*sin(ps)*ph'\n"
        "output x, y, side = lambda.b*cos(ps) - lambda.a*sin(ps), f = lambda.a*cos(ps) + lambda.b*sin(ps)\nsimulate to "
        "%.17g\n",
        R, w, p, 0.5, between(0.1, 1), between(0.1, 1), to);
    assert_true(ends(s.text, "dop853", 1e-11, end, 4, NULL));
    // R w t along a direction that turns by p t
    double x = R * w * sin(p * to) / p, y = R * w * (1 - cos(p * to)) / p;
    assert_true(fabs(end[0] - x) < 1e-9 && fabs(end[1] - y) < 1e-9);
    assert_true(fabs(end[2] - R * w * p) < 1e-8); // the mass is 1: its centripetal force
    assert_true(fabs(end[3]) < 1e-8);
  }
}

static void the_pull_of_a_pendulum_is_its_closed_form(void **state) {
  (void)state;
  for (unsigned k = 0; k < count(); k++) {
    double l = between(0.3, 2), m = between(0.2, 3), th = between(-2.5, 2.5), w = between(-3, 3), end[5];
    Script s = {0};
    put(&s,
        "param m = %.17g, l = %.17g\ncoord x = %.17g, y = %.17g\ninit x' = %.17g\nkinetic 1/2*m*(x'^2 + "
        "y'^2)\npotential 9.81*m*y\nconstraint rod: x^2 + y^2 = l^2\noutput x, y, x', y', lambda.rod\nsimulate to "
        "%.17g\n",
        m, l, l * sin(th), -l * cos(th), l * cos(th) * w, between(0.1, 3));
    assert_true(ends(s.text, "dop853", 1e-11, end, 5, NULL));
    // m a = 2 lambda r - m g e_y, and r.a = -v^2: 2 lambda l^2 = m (g y - v^2)
    double v2 = end[2] * end[2] + end[3] * end[3], lambda = m * (9.81 * end[1] - v2) / (2 * l * l);
    assert_true(fabs(end[4] - lambda) < 1e-9 * (1 + fabs(lambda)));
  }
}

static void a_wire_that_moves_does_work(void **state) {
  (void)state;
  for (unsigned k = 0; k < count(); k++) {
    double A = between(0.02, 0.3), w = between(1, 12), c = between(0.2, 3), x0 = between(-1, 1), to = between(0.3, 2);
    double a[4], b[4];
    Script free = {0}, bound = {0};
    put(&free,
        "coord x = %.17g\nlet y = %.17g*x^2 + %.17g*sin(%.17g*t)\nkinetic 1/2*(x'^2 + y'^2)\npotential 9.81*y\n"
        "output x, x', 1/2*(x'^2 + y'^2) + 9.81*y\nsimulate to %.17g\n",
        x0, c, A, w, to);
    put(&bound,
        "coord x = %.17g, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 9.81*y\nconstraint y = %.17g*x^2 + "
        "%.17g*sin(%.17g*t)\ninit x' = 0\noutput x, x', energy.stored, energy.supplied\nsimulate to %.17g\n",
        x0, c, A, w, to);
    assert_true(ends(free.text, "dop853", 1e-12, a, 3, NULL));
    assert_true(ends(bound.text, "dop853", 1e-11, b, 4, NULL));
    assert_true(difference(a, b, 3) < 1e-8);
    // what was supplied is what is stored more: it began on the wire, at rest along it
    double y0 = c * x0 * x0, v0 = A * w, first = 0.5 * v0 * v0 + 9.81 * y0;
    assert_true(fabs(b[3] - (b[2] - first)) < 1e-8 * (1 + fabs(b[2])));
  }
}

// A blow on a body that is bound: momentum along what is free is kept, energy falls by what the impulse takes.
static void an_impulse_goes_through_the_masses(void **state) {
  (void)state;
  for (unsigned k = 0; k < count(); k++) {
    double m = between(0.5, 4), n = between(0.5, 4), a = between(-1, 1), v = between(0.5, 3), end[3];
    Script s = {0};
    // two masses on a line and on a rigid bar along it: x - y is bound, one is set to the velocity v
    put(&s,
        "coord x, y = 1\ninit x' = %.17g\nkinetic 1/2*%.17g*x'^2 + 1/2*%.17g*y'^2\nconstraint bar: y - x = 1\n"
        "every 0.5 do x' := %.17g\noutput x', y', energy.dissipated\nsimulate to 0.75\n",
        a, m, n, v);
    assert_true(ends(s.text, "dop853", 1e-11, end, 3, NULL));
    // at 0 and at 0.5 x' is set to v, while y has its own velocity u: (m v + n u)/(m + n)
    double u = a, lost = 0;
    for (int i = 0; i < 2; i++) { // the account begins after what happens at 0
      double w = (m * v + n * u) / (m + n);
      lost = fmax(0.5 * m * (u * u - v * v), 0); // what the setting itself takes
      lost += 0.5 * m * v * v + 0.5 * n * u * u - 0.5 * (m + n) * w * w;
      u = w;
    }
    // `every` fires at 0, too
    assert_true(fabs(end[0] - u) < 1e-10 && fabs(end[1] - u) < 1e-10);
    assert_true(fabs(end[2] - lost) < 1e-9 * (1 + lost));
  }
}

// ---- velocities that jump: a hand that begins to move, and corners

static const struct {
  const char *method;
  double rtol, step, slack;
} all_methods[] = {{"dop853", 1e-11, 0, 1e-8}, {"dopri5", 1e-10, 0, 1e-7}, {"rodas", 1e-9, 0, 1e-6},
                   {"bdf", 1e-10, 0, 1e-6},    {"rk4", 0, 1e-3, 1e-8},     {"heun", 0, 1e-4, 1e-5},
                   {"verlet", 0, 1e-4, 1e-5},  {"gauss4", 0, 1e-3, 1e-8},  {"conserve", 0, 1e-3, 1e-8}};
enum { method_count = sizeof all_methods / sizeof *all_methods };

// Some final values by a method of the list. False: the run did not come to its end.
static bool ends_by(const char *text, unsigned way, double *values, unsigned n) {
  RunSettings s = run_defaults();
  s.method = all_methods[way].method;
  if (all_methods[way].rtol > 0) s.rtol = all_methods[way].rtol;
  else s.step = all_methods[way].step;
  return one_run(text, s, NULL, values, n).status == run_done;
}

// A mass on a spring, whose other end and its mass are at rest until a hand takes them along with the velocity v: then
// y = v (s - sin(w s)/w). The hand supplies the blow m v^2/2, and what the spring pulls.
static void a_hand_that_begins_to_move_supplies_its_blow(void **state) {
  (void)state;
  for (unsigned k = 0; k < count() / 2 + method_count; k++) {
    unsigned way = k % method_count;
    double m = between(0.3, 3), n = between(0.3, 3), c = between(2, 20), v = between(-2, 2), at = between(0.1, 0.9);
    double w = sqrt(c / n), s = 1.5 - at, y = v * (s - sin(w * s) / w), u = v * (1 - cos(w * s)), end[3];
    double stored = 0.5 * m * v * v + 0.5 * n * u * u + 0.5 * c * (v * s - y) * (v * s - y);
    Script text = {0};
    put(&text,
        "coord x, y\nkinetic 1/2*%.17g*x'^2 + 1/2*%.17g*y'^2\npotential 1/2*%.17g*(x - y)^2\n"
        "constraint hand: x = %.17g*ramp(t - %.17g)\noutput y, energy.supplied, energy.stored\nsimulate to 1.5\n",
        m, n, c, v, at);
    if (!ends_by(text.text, way, end, 3)) fail_msg("%s has no end:\n%s", all_methods[way].method, text.text);
    double slack = all_methods[way].slack * (1 + stored);
    if (!(fabs(end[0] - y) < slack && fabs(end[1] - stored) < slack && fabs(end[2] - stored) < slack))
      fail_msg("%s: %g, %g, %g:\n%s", all_methods[way].method, end[0] - y, end[1] - stored, end[2] - stored, text.text);
    // the broken twin: without the blow
    assert_true(fabs(end[1] - (stored - 0.5 * m * v * v)) > 0.4 * m * v * v);
  }
}

// A bead on a wire with a corner, from the slope a to the slope b: of its velocity the part along the new side is left.
static void in_a_corner_the_velocity_across_is_lost(void **state) {
  (void)state;
  for (unsigned k = 0; k < count() / 2 + method_count; k++) {
    unsigned way = k % method_count;
    if (strcmp(all_methods[way].method, "verlet") == 0) continue; // it refuses what may hold a motion
    double m = between(0.3, 3), a = between(-0.5, 0.5), b = a + (choose(2) ? 1 : -1) * between(0.2, 0.8);
    double v = between(1.5, 3), at = 0.5 / v, u = v * (1 + a * b) / (1 + b * b), end[5];
    double before = 0.5 * m * v * v * (1 + a * a), after = 0.5 * m * u * u * (1 + b * b);
    Script text = {0};
    put(&text, "coord x = -0.5, y\ninit x' = %.17g\nkinetic 1/2*%.17g*(x'^2 + y'^2)\n", v, m);
    switch (choose(3)) { // the same corner by three functions
    case 0: put(&text, "constraint wire: y = %.17g*x + %.17g*ramp(x)\n", a, b - a); break;
    case 1: put(&text, "constraint wire: y = %.17g*x + %.17g*abs(x)\n", (a + b) / 2, (b - a) / 2); break;
    default: put(&text, "constraint wire: y = %s(%.17g*x, %.17g*x)\n", b > a ? "max" : "min", a, b);
    }
    put(&text, "output x, y, x', energy.stored, energy.dissipated\nsimulate to 1\n");
    if (!ends_by(text.text, way, end, 5)) fail_msg("%s has no end:\n%s", all_methods[way].method, text.text);
    double x = u * (1 - at), slack = all_methods[way].slack * (1 + before);
    double off = fmax(fmax(fabs(end[0] - x), fabs(end[1] - b * x)), fabs(end[2] - u));
    off = fmax(off, fmax(fabs(end[3] - after), fabs(end[4] - (before - after))));
    if (!(off < slack)) fail_msg("%s is off by %g:\n%s", all_methods[way].method, off, text.text);
    assert_true(fabs(end[3] - before) > 0.01 * before); // the broken twin: nothing is lost
  }
}

// ---- starts

static void four_bars_are_assembled_from_guesses(void **state) {
  (void)state;
  unsigned found = 0, trials = 5 * count();
  for (unsigned k = 0; k < trials; k++) {
    double a, b, c, d, th, px, py, L;
    do {
      a = between(0.2, 1.5), b = between(0.2, 1.5), c = between(0.2, 1.5), d = between(0.2, 1.5), th = between(-3, 3);
      px = a * cos(th), py = a * sin(th), L = hypot(d - px, py);
    } while (!(L < b + c - 0.02 && L > fabs(b - c) + 0.02));
    double along = atan2(-py, d - px), th2 = along + acos((b * b + L * L - c * c) / (2 * b * L)),
           th3 = atan2(py + b * sin(th2), px + b * cos(th2) - d), end[2];
    Script s = {0};
    put(&s,
        "coord th1 = %.17g, th2, th3\nguess th2 = %.17g, th3 = %.17g\nlet B = [%.17g*cos(th1) + %.17g*cos(th2), "
        "%.17g*sin(th1) + %.17g*sin(th2)]\nconstraint loop: B = [%.17g + %.17g*cos(th3), %.17g*sin(th3)]\nkinetic "
        "th1'^2 + |B'|^2 + th3'^2\noutput e = |B - [%.17g + %.17g*cos(th3), %.17g*sin(th3)]|, th1\nsimulate to 1e-9\n",
        th, th2 + (choose(2) ? 0.3 : -0.3), th3 + (choose(2) ? 0.3 : -0.3), a, b, a, b, d, c, c, d, c, c);
    assert_true(ends(s.text, "dop853", 1e-10, end, 2, NULL));
    // what was said is kept, but for the rounding of a step
    if (!(end[0] < 1e-13 && fabs(end[1] - th) < 1e-14)) fail_msg("%g, %g:\n%s", end[0], end[1] - th, s.text);
    found++;
  }
  assert_int_equal(found, trials);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_on_rods_move_as_angles_do),
      cmocka_unit_test(long_chains_move_as_angles_do),
      cmocka_unit_test(a_rolling_disk_goes_in_a_circle),
      cmocka_unit_test(the_pull_of_a_pendulum_is_its_closed_form),
      cmocka_unit_test(a_wire_that_moves_does_work),
      cmocka_unit_test(an_impulse_goes_through_the_masses),
      cmocka_unit_test(a_hand_that_begins_to_move_supplies_its_blow),
      cmocka_unit_test(in_a_corner_the_velocity_across_is_lost),
      cmocka_unit_test(four_bars_are_assembled_from_guesses),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
