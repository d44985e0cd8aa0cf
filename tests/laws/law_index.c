// Equations of higher index against closed forms and against the same motion without them.
//
// A trial is a random model: pendulums in first-order form, pencils E x' = A x + f of index 1 to 4 whose solution is
// known, loops of capacitors, masses whose accelerations are solved for together. VIVA_COUNT says how many of each
// (20). Broken twins: a rod that is a little longer, a signal that is a little larger.
#include "tests/laws/chance.h"
#include "tests/laws/script.h"

static double between(double a, double b) { return a + (b - a) * uniform(); }

static unsigned count(void) {
  const char *given = getenv("VIVA_COUNT");
  return given ? (unsigned)atoi(given) : 20;
}

typedef struct Told {
  RunManifold manifold;
  unsigned free; // what is integrated and not bound
} Told;

// The final values of the outputs of a text; false: the run did not come to its end.
static bool ends(const char *text, const char *method, double rtol, double *values, unsigned n, Told *told) {
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunSettings s = run_defaults();
  s.method = method;
  s.rtol = rtol;
  RunResult r = run_model(arena, &l->system, &s, NULL, &diags);
  if (r.status != run_done) print_error("%s\n", r.message ? r.message : "no message");
  for (unsigned i = 0; r.status == run_done && i < n; i++) values[i] = r.final.values[i];
  if (told) *told = (Told){r.manifold, system_dim(&l->system) - r.manifold.count};
  bool done = r.status == run_done;
  arena_free(arena);
  unload(l);
  return done;
}

// ---- pendulums

typedef enum PendulumForm { form_explicit, form_implicit, form_coordinates, pendulum_forms } PendulumForm;

static void pendulum(Script *s, PendulumForm form, double l, double th, double w, double to) {
  double x = l * sin(th), y = -l * cos(th), u = l * w * cos(th), v = l * w * sin(th);
  const char *word = form == form_implicit ? "equation " : "";
  if (form == form_coordinates)
    put(s, "coord x = %.17g, y = %.17g\ninit x' = %.17g, y' = %.17g\nlet u = x', v = y'\n", x, y, u, v);
  else put(s, "state x = %.17g, y = %.17g, u = %.17g, v = %.17g\n", x, y, u, v);
  put(s, "unknown L\n");
  if (form == form_coordinates) put(s, "x'' = L*x\ny'' = L*y - 9.81\n");
  else put(s, "%sx' = u\n%sy' = v\n%su' = L*x\n%sv' = L*y - 9.81\n", word, word, word, word);
  put(s, "equation x^2 + y^2 = %.17g\noutput xx = x, yy = y, uu = u, vv = v, LL = L\nsimulate to %.17g\n", l * l, to);
}

static double distance(const double *a, const double *b, unsigned n) {
  double most = 0;
  for (unsigned i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]) / (1 + fabs(a[i])));
  return most;
}

static void pendulums_move_as_their_angle(void **state) {
  (void)state;
  static const char *const methods[] = {"dop853", "dopri5", "rodas", "bdf"};
  for (unsigned k = 0; k < count(); k++) {
    double l = between(0.3, 2), th = between(-2, 2), w = between(-2, 2), to = between(0.5, 3), exact[5], end[5];
    Script angle = {0};
    put(&angle,
        "coord th = %.17g\ninit th' = %.17g\nkinetic 1/2*%.17g*th'^2\npotential -9.81*%.17g*cos(th)\n"
        "output x = %.17g*sin(th), y = -%.17g*cos(th), u = x', v = y', L = -th'^2 - 9.81*cos(th)/%.17g\n"
        "simulate to %.17g\n",
        th, w, l * l, l, l, l, l, to);
    assert_true(ends(angle.text, "dop853", 1e-13, exact, 5, NULL));
    for (PendulumForm form = 0; form < pendulum_forms; form++) {
      const char *method = methods[choose(4)];
      Told told;
      Script s = {0}, twin = {0};
      pendulum(&s, form, l, th, w, to);
      assert_true(ends(s.text, method, 1e-10, end, 5, &told));
      double off = distance(exact, end, 5);
      if (!(off < 1e-6) || !(told.manifold.residue < 1e-14 * 4) || told.free != 2)
        fail_msg("%s: off by %g, residue %g, %u free\n%s", method, off, told.manifold.residue, told.free, s.text);
      pendulum(&twin, form, l * 1.001, th, w, to);
      assert_true(ends(twin.text, method, 1e-10, end, 5, NULL));
      assert_true(distance(exact, end, 5) > 1e-5);
    }
  }
}

static void starts_are_found(void **state) {
  (void)state;
  for (unsigned k = 0; k < count(); k++) {
    double th = between(-1.2, 1.2), x = sin(th), v = between(-1, 1) * x, end[4];
    Script s = {0};
    put(&s,
        "state x = %.17g, y, u, v = %.17g\nguess y = %.17g, u = %.17g\nunknown L\nx' = u\ny' = v\nu' = L*x\n"
        "v' = L*y - 9.81\nequation x^2 + y^2 = 1\noutput a = x, b = v, c = x^2 + y^2 - 1, d = x*u + y*v\n"
        "simulate to 1e-12\n",
        x, v, -cos(th) + between(-0.2, 0.2), between(-1, 1));
    assert_true(ends(s.text, "dop853", 1e-10, end, 4, NULL));
    // what was said is kept, but for the step
    if (!(fabs(end[0] - x) < 1e-10 && fabs(end[1] - v) < 1e-10 && fabs(end[2]) < 1e-14 && fabs(end[3]) < 1e-14))
      fail_msg("%g %g %g %g\n%s", end[0] - x, end[1] - v, end[2], end[3], s.text);
  }
}

// ---- pencils

enum { most_size = 6 };

// x = S (w, y): w_i' = -rate_i w_i; y_i = f_i + y_(i+1)', the last y = f, f_i = sin(omega_i t). The rows are mixed by
// R.
typedef struct Pencil {
  unsigned slow, index, n;
  int S[most_size][most_size], T[most_size][most_size], R[most_size][most_size]; // T: the inverse of S
  int rate[most_size], omega[most_size];
  double w0[most_size];
} Pencil;

// Products of a few elementary matrices, so that the inverse is whole, too.
static void mix(unsigned n, int a[][most_size], int inverse[][most_size]) {
  for (unsigned i = 0; i < n; i++) {
    for (unsigned j = 0; j < n; j++) a[i][j] = inverse[i][j] = i == j;
  }
  for (unsigned step = 0; step < 3 * n; step++) {
    unsigned i = choose(n), j = choose(n);
    int f = choose(2) ? 1 : -1;
    if (i == j) continue;
    for (unsigned k = 0; k < n; k++) a[i][k] += f * a[j][k];             // (1 + f e_ij) a
    for (unsigned k = 0; k < n; k++) inverse[k][j] -= f * inverse[k][i]; // inverse (1 - f e_ij)
  }
}

static bool every_rate_stands(const Pencil *p) {
  for (unsigned c = 0; c < p->n; c++) {
    bool stands = false;
    // E = R diag(1, N) T: w rows, and y_(i+1)' in the row of y_i
    for (unsigned i = 0; i < p->n; i++) {
      int e = 0;
      for (unsigned k = 0; k < p->n; k++) {
        unsigned row = k < p->slow ? k : k + 1;
        if (row < p->n) e += p->R[i][k] * p->T[row][c];
      }
      stands = stands || e;
    }
    if (!stands) return false;
  }
  return true;
}

static Pencil any_pencil(void) {
  Pencil p;
  int unused[most_size][most_size];
  do {
    p = (Pencil){.slow = 1 + choose(2), .index = 1 + choose(4)};
    p.n = p.slow + p.index;
    mix(p.n, p.S, p.T);
    mix(p.n, p.R, unused);
    for (unsigned i = 0; i < p.n; i++) {
      p.rate[i] = (int)choose(3);
      p.omega[i] = 1 + (int)choose(2);
      p.w0[i] = between(-1, 1);
    }
  } while (!every_rate_stands(&p));
  return p;
}

// d^k/dt^k sin(omega t)
static double wave(int omega, unsigned k, double t) { return pow(omega, k) * sin(omega * t + k * acos(-1) / 2); }

static void solution(const Pencil *p, double larger, double t, double *x) {
  double z[most_size] = {0};
  for (unsigned i = 0; i < p->slow; i++) z[i] = p->w0[i] * exp(-p->rate[i] * t);
  for (unsigned i = p->slow; i < p->n; i++) {
    for (unsigned k = i; k < p->n; k++) z[i] += wave(p->omega[k], k - i, t) * (k + 1 == p->n ? larger : 1);
  }
  for (unsigned i = 0; i < p->n; i++) {
    x[i] = 0;
    for (unsigned k = 0; k < p->n; k++) x[i] += p->S[i][k] * z[k];
  }
}

// A row of T x or T x'.
static void put_row(Script *s, const Pencil *p, int factor, unsigned row, const char *prime) {
  for (unsigned c = 0; c < p->n; c++) {
    if (p->T[row][c] != 0 && factor != 0) put(s, " + (%d)*x%u%s", factor * p->T[row][c], c, prime);
  }
}

static void pencil(Script *s, const Pencil *p, double to) {
  double x[most_size];
  solution(p, 1, 0, x);
  for (unsigned i = 0; i < p->n; i++) put(s, "state x%u = %.17g\n", i, x[i]);
  for (unsigned i = 0; i < p->n; i++) {
    put(s, "equation 0");
    for (unsigned k = 0; k < p->n; k++) {
      int r = p->R[i][k];
      if (!r) continue;
      if (k < p->slow) {
        put_row(s, p, r, k, "'"); // w' + rate w = 0
        put_row(s, p, r * p->rate[k], k, "");
        continue;
      }
      put_row(s, p, -r, k, ""); // y_(k+1)' - y_k + f = 0
      if (k + 1 < p->n) put_row(s, p, r, k + 1, "'");
      put(s, " + (%d)*sin(%d*t)", r, p->omega[k]);
    }
    put(s, " = 0\n");
  }
  put(s, "output");
  for (unsigned i = 0; i < p->n; i++) put(s, "%s o%u = x%u", i ? "," : "", i, i);
  put(s, "\nsimulate to %.17g\n", to);
}

static void pencils_have_their_closed_forms(void **state) {
  (void)state;
  unsigned of_index[5] = {0};
  for (unsigned k = 0; k < 2 * count(); k++) {
    Pencil p = any_pencil();
    double to = between(0.5, 2), exact[most_size], end[most_size];
    Told told;
    Script s = {0};
    pencil(&s, &p, to);
    if (!ends(s.text, "dop853", 1e-11, end, p.n, &told)) fail_msg("index %u\n%s", p.index, s.text);
    solution(&p, 1, to, exact);
    double off = distance(exact, end, p.n);
    if (!(off < 1e-8) || told.free != p.slow || !(told.manifold.residue < 1e-13))
      fail_msg("index %u: off by %g, residue %g, %u free\n%s", p.index, off, told.manifold.residue, told.free, s.text);
    solution(&p, 1.001, to, exact);
    assert_true(p.index > 0 && distance(exact, end, p.n) > 1e-7);
    of_index[p.index]++;
  }
  for (unsigned i = 1; i <= 4; i++) assert_true(count() < 20 || of_index[i] > 0);
}

// ---- circuits

// n capacitors in a loop with a source e = sin(w t), each with a resistor beside it:
//   sum v = e,   C_i v_i' = i - v_i/R_i. Equal R_i C_i = T: v_i = a_i + b_i, where the part along 1/C follows e.
static void loops_of_capacitors_have_their_closed_form(void **state) {
  (void)state;
  for (unsigned k = 0; k < count(); k++) {
    unsigned n = 2 + choose(4);
    double T = between(0.2, 3), w = between(0.5, 4), to = between(0.5, 2), C[5], v[5], all = 0, sum = 0, end[5],
           exact[5];
    Script s = {0};
    put(&s, "input e = sin(%.17g*t)\nunknown i\n", w);
    for (unsigned j = 0; j < n; j++) {
      C[j] = between(0.1, 3);
      all += 1 / C[j];
      v[j] = between(-1, 1);
      sum += v[j];
    }
    v[n - 1] -= sum; // they add to e(0) = 0
    for (unsigned j = 0; j < n; j++)
      put(&s, "state v%u = %.17g\nv%u' = (i - v%u*%.17g)/%.17g\n", j, v[j], j, j, C[j] / T, C[j]);
    put(&s, "equation v0");
    for (unsigned j = 1; j < n; j++) put(&s, " + v%u", j);
    put(&s, " = e\noutput");
    for (unsigned j = 0; j < n; j++) put(&s, "%s o%u = v%u", j ? "," : "", j, j);
    put(&s, "\nsimulate to %.17g\n", to);
    assert_true(ends(s.text, "dop853", 1e-11, end, n, NULL));
    // v_i' = -v_i/T + i/C_i and sum v = e: v_i = v_i(0) exp(-t/T) + e/(C_i sum 1/C), because e(0) = 0
    for (unsigned j = 0; j < n; j++) exact[j] = v[j] * exp(-to / T) + sin(w * to) / (C[j] * all);
    if (!(distance(exact, end, n) < 1e-9)) fail_msg("off by %g\n%s", distance(exact, end, n), s.text);
    assert_true(distance(v, end, n) > 1e-6);
  }
}

// ---- accelerations that are solved for together

// M = diag(d) + c 1 1', of n masses. A force on the last one, whose rate is the unknown, moves the first one by sin(w
// t): with N the inverse of M, the last one moves by r (sin(w t) - w t), r = N_nn / N_1n, and F = -w^2 sin(w t) / N_1n.
static void coupled_masses_move_as_their_closed_form(void **state) {
  (void)state;
  static const char *const methods[] = {"dop853", "dopri5", "rodas", "bdf"};
  for (unsigned k = 0; k < count(); k++) {
    unsigned n = 3 + choose(10);
    double d[13], c = between(0.1, 2), w = between(0.5, 2), to = between(0.5, 2), sum = 0, end[2];
    Script s = {0};
    put(&s, "coord x[i] for i in 1 .. %u\nstate F\nunknown u\n", n);
    for (unsigned i = 0; i < n; i++) {
      d[i] = between(0.5, 2);
      sum += 1 / d[i];
      put(&s, "kinetic 1/2*%.17g*x[%u]'^2\n", d[i], i + 1);
    }
    put(&s, "kinetic 1/2*%.17g*sum(x[i]', i, 1, %u)^2\nforce x[%u] = F\nF' = u\nequation x[1] = sin(%.17g*t)\n", c, n,
        n, w);
    put(&s, "output last = x[%u], force = F\nsimulate to %.17g\n", n, to);
    double part = c / (1 + c * sum), first = -part / (d[0] * d[n - 1]),
           own = 1 / d[n - 1] - part / (d[n - 1] * d[n - 1]);
    double exact[] = {own / first * (sin(w * to) - w * to), -w * w * sin(w * to) / first};
    const char *method = methods[choose(4)];
    assert_true(ends(s.text, method, 1e-10, end, 2, NULL));
    if (!(distance(exact, end, 2) < 1e-6))
      fail_msg("%s: %.12g %.12g, %.12g %.12g\n%s", method, exact[0], end[0], exact[1], end[1], s.text);
    exact[0] *= 1.001; // the broken twin
    assert_true(distance(exact, end, 2) > 1e-6 || fabs(exact[0]) < 1e-3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulums_move_as_their_angle),
      cmocka_unit_test(starts_are_found),
      cmocka_unit_test(pencils_have_their_closed_forms),
      cmocka_unit_test(loops_of_capacitors_have_their_closed_form),
      cmocka_unit_test(coupled_masses_move_as_their_closed_form),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
