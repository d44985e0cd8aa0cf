// A mass on a spring and a belt with Stribeck friction: it sticks to the belt and slides, over and over.
//
// x'' + c x' + k x = F(x' - belt), F(u) = -sign(u) (kinetic + (static - kinetic) exp(-|u|/scale or -(u/scale)^2))
// sticking   x' = belt, until k x + c belt is what static friction can hold
// sliding    smooth, until x' = belt
// The reference follows these phases in small Runge-Kutta steps, cut at their ends by bisection.
#include "tests/laws/one_run.h"

#include "tests/laws/chance.h"

enum { rows = 12 };

typedef struct Belt {
  double speed, k, c, kinetic, hold, scale, x, v;
  int form;
} Belt;

static double curve(const Belt *b, double u) {
  double part = b->form == 1 ? exp(-u * u / (b->scale * b->scale)) : exp(-fabs(u) / b->scale);
  return b->kinetic + (b->hold - b->kinetic) * part;
}

typedef struct Mass {
  double t, x, v;
  int side; // of x' - speed; 0: it sticks
} Mass;

static double acceleration(const Belt *b, const Mass *m) {
  return m->side ? -b->k * m->x - b->c * m->v - m->side * curve(b, m->v - b->speed) : 0;
}

static Mass stepped(const Belt *b, const Mass *m, double h) {
  double v[4], a[4];
  for (int i = 0; i < 4; i++) {
    double by = i == 0 ? 0 : i == 3 ? h : h / 2;
    Mass q = *m;
    if (i) q.x += by * v[i - 1], q.v += by * a[i - 1];
    v[i] = q.v;
    a[i] = acceleration(b, &q);
  }
  Mass q = *m;
  q.t += h;
  q.x += h / 6 * (v[0] + 2 * v[1] + 2 * v[2] + v[3]);
  q.v += h / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]);
  return q;
}

static double load(const Belt *b, const Mass *m) { return -b->k * m->x - b->c * b->speed; }

static bool over(const Belt *b, const Mass *m) {
  return m->side ? (m->v - b->speed) * m->side < 0 : fabs(load(b, m)) > b->hold;
}

// What it does with the speed of the belt.
static int side_of(const Belt *b, const Mass *m) {
  double f = load(b, m);
  return fabs(f) <= b->hold ? 0 : f > 0 ? 1 : -1;
}

static void reference(const Belt *b, double end, double (*out)[2]) {
  Mass m = {.x = b->x, .v = b->v};
  m.side = m.v > b->speed ? 1 : m.v < b->speed ? -1 : side_of(b, &m);
  for (int row = 1; row <= rows; row++) {
    double until = end * row / rows;
    while (m.t < until - 1e-13) {
      double h = fmin(2e-4, until - m.t);
      Mass q = stepped(b, &m, h);
      if (over(b, &q)) {
        double lo = 0, hi = h;
        for (int i = 0; i < 60; i++) {
          double mid = (lo + hi) / 2;
          q = stepped(b, &m, mid);
          if (over(b, &q)) hi = mid;
          else lo = mid;
        }
        q = stepped(b, &m, hi);
        q.v = b->speed;
        q.side = side_of(b, &q);
      }
      m = q;
    }
    out[row][0] = m.x;
    out[row][1] = m.v;
  }
}

static double between(double a, double b) { return a + (b - a) * uniform(); }

static Belt new_belt(void) {
  static const double speeds[] = {0.05, 0.1, 0.2, 0.5, 1};
  Belt b = {.speed = speeds[choose(5)], .k = between(5, 60), .kinetic = between(0.5, 2), .form = (int)choose(3)};
  b.hold = b.kinetic * between(1.05, 2.5);
  b.scale = pow(10, between(-2, -0.3));
  b.c = choose(3) ? 0 : between(0, 0.5);
  b.x = between(-0.1, 0.1);
  b.v = choose(3) == 0 ? 0 : choose(2) ? b.speed : between(-1, 1);
  return b;
}

static void write_belt(const Belt *b, char *text, size_t room) {
  static const char *const forms[] = {
      "friction(x' - v0, fc + (fs - fc)*exp(-abs(x' - v0)/vs), fs)",
      "friction(x' - v0, fc + (fs - fc)*exp(-((x' - v0)/vs)^2), fs)",
      "-sign(x' - v0)*(fc + (fs - fc)*exp(-abs(x' - v0)/vs))",
  };
  snprintf(text, room,
           "param v0 = %.17g, k = %.17g, c = %.17g, fc = %.17g, fs = %.17g, vs = %.17g\ncoord x = %.17g\n"
           "init x' = %.17g\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\ndissipation 1/2*c*x'^2\nforce x = %s\n",
           b->speed, b->k, b->c, b->kinetic, b->hold, b->scale, b->x, b->v, forms[b->form]);
}

// How far the program is from the reference; INFINITY: it stopped.
static double distance(const Belt *b, const char *method, double end, const double (*right)[2], bool loud) {
  char text[1024];
  double worst = 0, final[1];
  Table table = {0};
  RunSettings s = run_defaults();
  s.method = method;
  s.rtol = 1e-9;
  s.to = end;
  s.every = end / rows;
  write_belt(b, text, sizeof text);
  RunResult r = one_run(text, s, &table, final, 1);
  if (r.status != run_done) worst = INFINITY;
  for (size_t row = 1; row <= rows && row < table.count && worst < INFINITY; row++) {
    const double *v = table.rows + row * table.width;
    worst = fmax(worst, fabs(v[1] - right[row][0]));
  }
  free(table.rows);
  if (loud && !(worst < 1e-5)) print_error("%s: off by %g\n%s", method, worst, text);
  return worst;
}

static void masses_stick_and_slide_as_their_phases_say(void **state) {
  (void)state;
  static const char *const methods[] = {"rodas", "bdf", "auto", "dopri5"};
  double right[rows + 1][2];
  int wrong = 0;
  for (int i = 0; i < 80; i++) {
    Belt b = new_belt();
    reference(&b, 3, right);
    for (int k = 0; k < 4; k++) wrong += !(distance(&b, methods[k], 3, (const double(*)[2])right, true) < 1e-5);
  }
  assert_int_equal(wrong, 0);
}

// A reference that lets go a little earlier is found out.
static void a_reference_that_holds_less_is_noticed(void **state) {
  (void)state;
  double right[rows + 1][2];
  int noticed = 0;
  for (int i = 0; i < 10; i++) {
    Belt b = new_belt(), less = b;
    less.hold = b.kinetic + 0.95 * (b.hold - b.kinetic);
    reference(&less, 3, right);
    noticed += distance(&b, "auto", 3, (const double(*)[2])right, false) > 1e-4;
  }
  assert_true(noticed >= 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_stick_and_slide_as_their_phases_say),
      cmocka_unit_test(a_reference_that_holds_less_is_noticed),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
