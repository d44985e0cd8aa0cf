// Bodies with dry friction and loads that jump, against a reference of its own.
//
// 1 to 4 bodies: M a = F - K x - C v - sum of J' s sgn over elements that slide - J' p over those that rest. Coupled by
// springs, by friction between them, by a common mass matrix, or not at all. Loads jump in time, by `when`, by `every`.
// The reference takes small Runge-Kutta steps, cut at its events by bisection; what rests and what slides at an event
// comes from sweeps over single contacts (projected Gauss-Seidel), which find the motion also where more contacts rest
// than bodies.
#include "tests/laws/chance.h"

#include "base/sink.h"

enum { most_bodies = 4, most_contacts = 9, most_jumps = 4, rows = 16 };

typedef enum Form { form_sign, form_friction, form_stick, form_compare, form_if, form_count } Form;

typedef struct Plant {
  int n, m, jumps;
  double M[most_bodies][most_bodies], K[most_bodies][most_bodies], C[most_bodies][most_bodies];
  double W[most_bodies][most_bodies]; // inverse of M
  double J[most_contacts][most_bodies], slip[most_contacts], stick[most_contacts];
  Form form[most_contacts];
  double at[most_jumps], by[most_jumps];
  int on[most_jumps];
  double swing[most_bodies], omega; // F = swing sin(omega t) + ...
  bool sampled, watched;
  double period, gain, offset; // every period: u := offset - gain*x
  int seen, driven;
  double limit, push; // when x > limit: w := -w, from push on
  double x[most_bodies], v[most_bodies];
  double end;
} Plant;

typedef struct Motion {
  double t, x[most_bodies], v[most_bodies], u, w;
  int side[most_contacts]; // 0: rests
  double p[most_contacts]; // forces of those at rest, from the last sweep
} Motion;

static bool deaf; // the broken reference: what rests does not hear of jumps

// ---- the reference

static double along(const Plant *s, int e, const double *v) {
  double g = 0;
  for (int i = 0; i < s->n; i++) g += s->J[e][i] * v[i];
  return g;
}

static void forces(const Plant *s, const Motion *y, bool after, double *f) {
  for (int i = 0; i < s->n; i++) {
    f[i] = s->swing[i] * sin(s->omega * y->t);
    for (int j = 0; j < s->n; j++) f[i] -= s->K[i][j] * y->x[j] + s->C[i][j] * y->v[j];
  }
  for (int k = 0; k < s->jumps; k++)
    f[s->on[k]] += (after ? y->t >= s->at[k] - 1e-12 : y->t > s->at[k] + 1e-12) ? s->by[k] : 0;
  if (s->sampled) f[s->driven] += y->u;
  if (s->watched) f[s->seen] += y->w;
  for (int e = 0; e < s->m; e++) {
    for (int i = 0; i < s->n; i++) f[i] -= y->side[e] * s->slip[e] * s->J[e][i];
  }
}

static void accelerate(const Plant *s, const double *f, double *a) {
  for (int i = 0; i < s->n; i++) {
    a[i] = 0;
    for (int j = 0; j < s->n; j++) a[i] += s->W[i][j] * f[j];
  }
}

// Takes away from a what moves the contacts at rest: they span what is forbidden.
static void keep_rest(const Plant *s, const Motion *y, double *a) {
  double q[most_bodies][most_bodies], wq[most_bodies][most_bodies];
  int count = 0;
  for (int e = 0; e < s->m && count < s->n; e++) {
    if (y->side[e]) continue;
    memcpy(q[count], s->J[e], sizeof q[count]);
    double size = 0, left = 0;
    for (int k = 0; k <= count; k++) {
      accelerate(s, q[count], wq[count]);
      double both = 0;
      for (int i = 0; i < s->n; i++) both += k < count ? q[count][i] * wq[k][i] : q[count][i] * wq[count][i];
      if (k == 0)
        for (int i = 0; i < s->n; i++) size += s->J[e][i] * s->J[e][i];
      if (k == count) left = both;
      for (int i = 0; k < count && i < s->n; i++) q[count][i] -= both * q[k][i];
    }
    if (left < 1e-18 * size) continue;
    for (int i = 0; i < s->n; i++) q[count][i] /= sqrt(left);
    accelerate(s, q[count], wq[count]);
    count++;
  }
  for (int k = 0; k < count; k++) {
    double part = 0;
    for (int i = 0; i < s->n; i++) part += q[k][i] * a[i];
    for (int i = 0; i < s->n; i++) a[i] -= part * wq[k][i];
  }
}

static void rate(const Plant *s, const Motion *y, bool after, double *a) {
  double f[most_bodies];
  forces(s, y, after, f);
  accelerate(s, f, a);
  keep_rest(s, y, a);
}

// Sweeps over the contacts that are marked: forces within their stick that leave the least motion. r: what is left of
// it.
static double sweep(const Plant *s, Motion *y, const bool *marked, bool after, double *r) {
  double f[most_bodies], a[most_bodies], dw[most_contacts][most_bodies], own[most_contacts], largest = 0;
  Motion z = *y;
  for (int e = 0; e < s->m; e++) z.side[e] = marked[e] ? 0 : y->side[e];
  forces(s, &z, after, f);
  for (int e = 0; e < s->m; e++) {
    if (!marked[e]) continue;
    own[e] = 0;
    accelerate(s, s->J[e], dw[e]);
    for (int i = 0; i < s->n; i++) own[e] += s->J[e][i] * dw[e][i];
    for (int i = 0; i < s->n; i++) f[i] -= s->J[e][i] * y->p[e];
  }
  accelerate(s, f, a);
  for (int round = 0; round < 200000; round++) {
    double change = 0;
    for (int e = 0; e < s->m; e++) {
      if (!marked[e]) continue;
      double p = y->p[e] + along(s, e, a) / own[e];
      p = p > s->stick[e] ? s->stick[e] : p < -s->stick[e] ? -s->stick[e] : p;
      for (int i = 0; i < s->n; i++) a[i] -= dw[e][i] * (p - y->p[e]);
      change = fmax(change, fabs(p - y->p[e]));
      y->p[e] = p;
    }
    if (change < 1e-14) break;
  }
  for (int e = 0; e < s->m; e++) {
    r[e] = marked[e] ? along(s, e, a) : 0;
    largest = fmax(largest, fabs(r[e]));
  }
  return largest;
}

static Motion stepped(const Plant *s, const Motion *y, double h) {
  double a[4][most_bodies], v[4][most_bodies];
  Motion z = *y;
  static const double part[] = {0, 0.5, 0.5, 1};
  for (int k = 0; k < 4; k++) {
    z = *y;
    z.t = y->t + part[k] * h;
    for (int i = 0; i < s->n && k; i++) {
      z.x[i] += part[k] * h * v[k - 1][i];
      z.v[i] += part[k] * h * a[k - 1][i];
    }
    memcpy(v[k], z.v, sizeof v[k]);
    rate(s, &z, k == 0, a[k]); // before a jump at its end
  }
  z = *y;
  z.t = y->t + h;
  for (int i = 0; i < s->n; i++) {
    z.x[i] += h / 6 * (v[0][i] + 2 * v[1][i] + 2 * v[2][i] + v[3][i]);
    z.v[i] += h / 6 * (a[0][i] + 2 * a[1][i] + 2 * a[2][i] + a[3][i]);
  }
  return z;
}

// Did something happen on the way from y to z?
static bool passed(const Plant *s, const Motion *y, Motion *z) {
  bool rests[most_contacts] = {0};
  double r[most_contacts];
  for (int e = 0; e < s->m; e++) {
    rests[e] = !z->side[e];
    if (z->side[e] * along(s, e, z->v) < -1e-13) return true;
  }
  if (s->watched && y->x[s->seen] <= s->limit && z->x[s->seen] > s->limit) return true;
  return !deaf && sweep(s, z, rests, false, r) > 1e-9;
}

// What rests and what slides from here on.
static void decide(const Plant *s, Motion *y, bool jumped) {
  bool rests[most_contacts] = {0};
  double r[most_contacts];
  if (deaf && jumped) return;
  for (int e = 0; e < s->m; e++) rests[e] = fabs(along(s, e, y->v)) <= 1e-9;
  sweep(s, y, rests, true, r);
  for (int e = 0; e < s->m; e++) {
    if (rests[e]) y->side[e] = fabs(r[e]) <= 1e-10 ? 0 : r[e] > 0 ? 1 : -1;
    else y->side[e] = along(s, e, y->v) > 0 ? 1 : -1;
  }
  keep_rest(s, y, y->v); // to the last digit
}

static void reference(const Plant *s, double (*out)[2 * most_bodies]) {
  Motion y = {.w = s->push};
  memcpy(y.x, s->x, sizeof y.x);
  memcpy(y.v, s->v, sizeof y.v);
  long tick = 0;
  if (s->sampled) y.u = s->offset - s->gain * y.x[s->driven], tick = 1;
  decide(s, &y, false);
  for (int row = 1; row <= rows; row++) {
    double until = s->end * row / rows;
    while (y.t < until - 1e-13) {
      // the next time at which something is known to happen
      double next = until, sample = s->sampled ? (double)tick * s->period : INFINITY;
      if (sample < next) next = sample;
      for (int k = 0; k < s->jumps; k++)
        if (s->at[k] > y.t + 1e-12 && s->at[k] < next) next = s->at[k];
      double h = fmin(1e-3, next - y.t);
      bool ends = h > next - y.t - 1e-13;
      Motion z = stepped(s, &y, h);
      bool above = s->watched && y.x[s->seen] <= s->limit;
      if (passed(s, &y, &z)) {
        double lo = 0, hi = h;
        for (int i = 0; i < 60; i++) {
          double mid = 0.5 * (lo + hi);
          Motion half = stepped(s, &y, mid);
          if (passed(s, &y, &half)) hi = mid;
          else lo = mid;
        }
        z = stepped(s, &y, hi);
        ends = false;
      }
      if (ends) z.t = next;
      above = above && z.x[s->seen] > s->limit;
      bool happened = y.t + h > z.t + 1e-15 || above;
      y = z;
      if (above) y.w = -y.w;
      bool sampled = s->sampled && y.t >= sample - 1e-12;
      if (sampled) y.u = s->offset - s->gain * y.x[s->driven], tick++;
      bool jumped = sampled || above;
      for (int k = 0; k < s->jumps; k++) jumped = jumped || fabs(y.t - s->at[k]) <= 1e-12;
      if (happened || jumped) decide(s, &y, jumped);
    }
    for (int i = 0; i < s->n; i++) out[row][2 * i] = y.x[i], out[row][2 * i + 1] = y.v[i];
  }
}

// ---- the plants

static double between(double a, double b) { return a + (b - a) * uniform(); }

static void invert(Plant *s) {
  double a[most_bodies][2 * most_bodies] = {0};
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) a[i][j] = s->M[i][j];
    a[i][s->n + i] = 1;
  }
  for (int k = 0; k < s->n; k++) { // positive definite
    double p = a[k][k];
    for (int j = 0; j < 2 * s->n; j++) a[k][j] /= p;
    for (int i = 0; i < s->n; i++) {
      double l = a[i][k];
      for (int j = 0; i != k && j < 2 * s->n; j++) a[i][j] -= l * a[k][j];
    }
  }
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) s->W[i][j] = a[i][s->n + j];
  }
}

static void put_pair(double (*a)[most_bodies], int i, int j, double k) { // k (x_i - x_j)^2 / 2
  a[i][i] += k;
  if (j < 0) return;
  a[j][j] += k;
  a[i][j] -= k;
  a[j][i] -= k;
}

static void put_contact(Plant *s, int i, int j, bool grips) {
  int e = s->m++;
  s->J[e][i] = 1;
  if (j >= 0) s->J[e][j] = -1;
  s->form[e] = (Form)choose(form_count);
  s->slip[e] = s->stick[e] = between(0.2, 1);
  if (s->form[e] == form_stick && !grips) s->form[e] = form_friction;
  if (s->form[e] == form_stick) s->stick[e] *= between(1, 1.8);
}

static Plant new_plant(void) {
  Plant s = {.n = 1 + (int)choose(4), .end = 4, .omega = between(0.5, 3)};
  bool common = uniform() < 0.3, rubs = uniform() < 0.45, grips = !common && !rubs;
  for (int i = 0; i < s.n; i++) {
    put_pair(s.M, i, -1, between(0.5, 2));
    if (common && i) s.M[i][i - 1] = s.M[i - 1][i] = between(-0.2, 0.2);
    if (uniform() < 0.5) put_pair(s.K, i, -1, between(0.5, 6));
    if (i && uniform() < 0.5) put_pair(s.K, i - 1, i, between(0.5, 6));
    if (uniform() < 0.3) put_pair(s.C, i, -1, between(0, 0.3));
    if (uniform() < 0.85) put_contact(&s, i, -1, grips);
    if (rubs && i && uniform() < 0.8) put_contact(&s, i - 1, i, false);
    if (uniform() < 0.5) s.v[i] = between(-1, 1);
    if (uniform() < 0.4) s.swing[i] = between(-2, 2);
    if (uniform() < 0.3) s.x[i] = between(-0.5, 0.5);
  }
  if (!s.m) put_contact(&s, 0, -1, grips);
  s.jumps = (int)choose(most_jumps + 1);
  for (int k = 0; k < s.jumps; k++) {
    s.at[k] = (1 + choose(30)) / 8.0; // some at once
    s.by[k] = between(-3, 3);
    s.on[k] = (int)choose((unsigned)s.n);
  }
  s.sampled = uniform() < 0.4;
  s.period = (1 + choose(6)) / 16.0 + (uniform() < 0.5 ? 0.01 : 0);
  s.gain = between(0, 4);
  s.offset = between(-2, 2);
  s.driven = (int)choose((unsigned)s.n);
  s.watched = uniform() < 0.4;
  s.seen = (int)choose((unsigned)s.n);
  s.limit = between(0.02, 0.3);
  s.push = between(-2.5, 2.5);
  if (s.watched && s.x[s.seen] >= s.limit) s.x[s.seen] = 0;
  invert(&s);
  return s;
}

static void write_plant(const Plant *s, char *text, size_t room) {
  size_t k = 0;
#define PUT(...) k += (size_t)snprintf(text + k, k < room ? room - k : 0, __VA_ARGS__)
  for (int i = 0; i < s->n; i++) PUT("coord x%d = %.17g\n", i, s->x[i]);
  for (int i = 0; i < s->n; i++) PUT("init x%d' = %.17g\n", i, s->v[i]);
  for (int i = 0; i < s->n; i++) {
    PUT("kinetic 1/2*%.17g*x%d'^2\n", s->M[i][i], i);
    for (int j = 0; j < i; j++)
      if (s->M[i][j] != 0) PUT("kinetic %.17g*x%d'*x%d'\n", s->M[i][j], i, j);
    for (int j = 0; j <= i; j++)
      if (s->K[i][j] != 0) PUT("potential %.17g*x%d*x%d\n", i == j ? s->K[i][j] / 2 : s->K[i][j], i, j);
    if (s->C[i][i] != 0) PUT("dissipation 1/2*%.17g*x%d'^2\n", s->C[i][i], i);
  }
  for (int e = 0; e < s->m; e++) {
    char g[64] = "";
    int at = 0;
    for (int i = 0; i < s->n; i++)
      if (s->J[e][i] != 0)
        at += snprintf(g + at, sizeof g - (size_t)at, "%sx%d'", s->J[e][i] < 0 ? " - " : at ? " + " : "", i);
    double f = s->slip[e];
    if (s->form[e] == form_sign) PUT("let f%d = -%.17g*sign(%s)\n", e, f, g);
    if (s->form[e] == form_friction) PUT("let f%d = friction(%s, %.17g)\n", e, g, f);
    if (s->form[e] == form_stick) PUT("let f%d = friction(%s, %.17g, %.17g)\n", e, g, f, s->stick[e]);
    if (s->form[e] == form_compare) PUT("let f%d = compare(%s, 0, %.17g, -%.17g)\n", e, g, f, f);
    if (s->form[e] == form_if) PUT("let f%d = if(%s > 0, -%.17g, %.17g)\n", e, g, f, f);
  }
  if (s->sampled) PUT("state u\nevery %.17g do u := %.17g - %.17g*x%d\n", s->period, s->offset, s->gain, s->driven);
  if (s->watched) PUT("state w = %.17g\nwhen x%d > %.17g do w := -w\n", s->push, s->seen, s->limit);
  for (int i = 0; i < s->n; i++) {
    PUT("force x%d = %.17g*sin(%.17g*t)", i, s->swing[i], s->omega);
    for (int j = 0; j < s->jumps; j++)
      if (s->on[j] == i) PUT(" + %.17g*step(t - %.17g)", s->by[j], s->at[j]);
    if (s->sampled && s->driven == i) PUT(" + u");
    if (s->watched && s->seen == i) PUT(" + w");
    for (int e = 0; e < s->m; e++)
      if (s->J[e][i] != 0) PUT(" %s f%d", s->J[e][i] > 0 ? "+" : "-", e);
    PUT("\n");
  }
  for (int i = 0; i < s->n; i++) PUT("%s x%d, x%d'", i ? "," : "output", i, i);
  PUT("\n");
#undef PUT
}

// ---- the runs

typedef struct Rows {
  double v[rows + 2][2 * most_bodies];
  size_t count, columns;
} Rows;

static bool take_header(void *self, const char *const *names, size_t count) {
  (void)names;
  ((Rows *)self)->columns = count;
  return count <= 2 * most_bodies + 1;
}

static bool take_row(void *self, const double *values, size_t count) {
  Rows *r = self;
  if (r->count > rows) return false;
  memcpy(r->v[r->count++], values + 1, (count - 1) * sizeof *values);
  return true;
}

typedef struct Method {
  const char *name;
  double rtol, step, tolerance;
} Method;

// How far the program is from the reference, over all rows; INFINITY: it stopped.
static double distance(const Plant *s, const Method *method, const double (*right)[2 * most_bodies], double *account,
                       bool loud) {
  static char text[1 << 16];
  write_plant(s, text, sizeof text);
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunSettings settings = run_defaults();
  Rows got = {0};
  Sink sink = {.self = &got, .header = take_header, .row = take_row};
  settings.to = s->end;
  settings.every = s->end / rows;
  settings.method = method->name;
  if (method->rtol > 0) settings.rtol = method->rtol;
  if (method->step > 0) settings.step = method->step;
  RunResult r = run_model(arena, &l->system, &settings, &sink, &diags);
  double worst = r.status == run_done ? 0 : INFINITY;
  for (int row = 1; row <= rows && worst < INFINITY; row++) {
    for (int i = 0; i < 2 * s->n; i++) worst = fmax(worst, fabs(got.v[row][i] - right[row][i]));
  }
  *account = fabs(r.account.residue);
  // what rests does no work
  bool damped = false;
  for (int i = 0; i < s->n; i++) damped = damped || s->C[i][i] != 0;
  if (!damped) *account = fmax(*account, 1e6 * fabs(r.account.dissipated));
  if (loud && !(worst <= method->tolerance)) {
    fprintf(stderr, "%s: off by %g\n%s%s\n", method->name, worst, text, r.message ? r.message : "");
    for (int row = 1; row <= rows && r.status == run_done; row++) {
      fprintf(stderr, "%g:", s->end * row / rows);
      for (int i = 0; i < 2 * s->n; i++) fprintf(stderr, " %.9g/%.9g", got.v[row][i], right[row][i]);
      fprintf(stderr, "\n");
    }
  }
  arena_free(arena);
  unload(l);
  return worst;
}

static const Method methods[] = {{"auto", 0, 0, 1e-7},     {"dopri5", 1e-10, 0, 1e-6}, {"dop853", 0, 0, 1e-7},
                                 {"rodas", 1e-8, 0, 1e-5}, {"bdf", 1e-9, 0, 1e-4},     {"rk4", 0, 1e-3, 1e-6}};

enum { plants = 40 };

static void bodies_with_friction_move_as_the_reference_says(void **state) {
  (void)state;
  int wrong = 0;
  for (int k = 0; k < plants; k++) {
    Plant s = new_plant();
    static double right[rows + 1][2 * most_bodies];
    deaf = false;
    reference(&s, right);
    // all of them by the default, each by one more
    for (int i = 0; i < 2; i++) {
      const Method *m = &methods[i == 0 ? 0 : 1 + k % 5];
      double account;
      if (!(distance(&s, m, (const double(*)[2 * most_bodies]) right, &account, true) <= m->tolerance)) wrong++;
      if (account > 1e-4) print_error("%s: account %g\n", m->name, account), wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

// A reference in which what rests does not hear of jumps must be found out.
static void a_reference_that_does_not_hear_of_jumps_is_noticed(void **state) {
  (void)state;
  int noticed = 0;
  for (int k = 0; k < 10; k++) {
    Plant s = new_plant();
    static double right[rows + 1][2 * most_bodies];
    double account;
    deaf = true;
    reference(&s, right);
    noticed += distance(&s, &methods[0], (const double(*)[2 * most_bodies]) right, &account, false) > 1e-3;
  }
  assert_true(noticed >= 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_with_friction_move_as_the_reference_says),
      cmocka_unit_test(a_reference_that_does_not_hear_of_jumps_is_noticed),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
