// Coulomb friction of a constraint force: a rod of mass 1 and length 1 slides and sticks with one end on a rough floor.
//
// The floor carries the end with N, friction holds it back with mu |N|, and changes N. Angle th over the floor, c and
// s its cosine and sine, w = th', P a load along the floor at the middle, X the place of the end:
//   X'' = P + f + s/2 th'' + c/2 w^2        N = g + c/2 th'' - s/2 w^2        th'' = 12 (f s/2 - N c/2)
// sticking   X'' = 0 gives th'' = -3/2 (g c + P s), so f and N; it lasts while |f| <= stick |N|
// sliding    f = -mu |N| sign(X'), so N (1 + 3 c^2 - 3 k c s) = g - s/2 w^2 with k = f/N, for both signs of N
// Every choice is enumerated; where mu < 4/3 one alone fits. The reference takes small Runge-Kutta steps, cut at its
// events by bisection. A rod that is let go from rest has a closed form: w^2 = 3 g (sin th0 - sin th).
#include "tests/laws/one_run.h"

#include "tests/laws/chance.h"

enum { rows = 16 };
static const double gravity = 9.81;

typedef struct Rod {
  double mu, stick, P, th, w, v; // stick: the limit at rest over that in motion
  int form;
} Rod;

typedef struct RodState {
  double t, x, th, v, w; // x, v: of the end
  int side;              // 0: it sticks
} RodState;

// Rates while the end sticks. Returns how much of what it can hold with is needed.
static double hold(const Rod *r, const RodState *p, double *a) {
  double c = cos(p->th), s = sin(p->th);
  *a = -1.5 * (gravity * c + r->P * s);
  double f = -r->P - s / 2 * *a - c / 2 * p->w * p->w, N = gravity + c / 2 * *a - s / 2 * p->w * p->w;
  return fabs(f) / (r->mu * r->stick * fabs(N));
}

// Rates while it slides with friction mu. Returns X''.
static double slide(const Rod *r, const RodState *p, int side, double mu, double *a) {
  double c = cos(p->th), s = sin(p->th);
  for (int sign = -1; sign <= 1; sign += 2) { // of N
    double k = -mu * side * sign, N = (gravity - s / 2 * p->w * p->w) / (1 + 3 * c * c - 3 * k * c * s);
    if (N * sign < 0) continue;
    *a = 12 * N * (k * s / 2 - c / 2);
    return r->P + k * N + s / 2 * *a + c / 2 * p->w * p->w;
  }
  return NAN;
}

static void rates(const Rod *r, const RodState *p, double *d) {
  double a = 0;
  d[0] = p->v;
  d[1] = p->w;
  d[2] = p->side ? slide(r, p, p->side, r->mu, &a) : (hold(r, p, &a), 0);
  d[3] = a;
}

static RodState moved(const RodState *p, const double *d, double h) {
  RodState q = *p;
  q.t += h;
  q.x += h * d[0];
  q.th += h * d[1];
  q.v += h * d[2];
  q.w += h * d[3];
  return q;
}

static RodState stepped(const Rod *r, const RodState *p, double h) {
  double k[4][4], sum[4];
  rates(r, p, k[0]);
  for (int i = 1; i < 4; i++) {
    RodState q = moved(p, k[i - 1], i == 3 ? h : h / 2);
    rates(r, &q, k[i]);
  }
  for (int i = 0; i < 4; i++) sum[i] = (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / 6;
  return moved(p, sum, h);
}

// From rest: does it stick, and if not, where does it go? All choices are looked at.
static int choose_side(const Rod *r, const RodState *p) {
  double a;
  int side = 0, found = hold(r, p, &a) <= 1;
  for (int to = -1; to <= 1; to += 2) {
    if (!(slide(r, p, to, r->mu * r->stick, &a) * to > 0)) continue;
    side = to;
    found++;
  }
  assert_int_equal(found, 1);
  return side;
}

// The force that it is held with has reached its limit: it slides to the side on which that limit makes X'' vanish.
static int let_go(const Rod *r, const RodState *p) {
  double a, limit = r->mu * r->stick;
  return fabs(slide(r, p, 1, limit, &a)) < fabs(slide(r, p, -1, limit, &a)) ? 1 : -1;
}

// A corner of |N| is no event here: it lies between two steps.
static bool over(const Rod *r, const RodState *from, const RodState *p) {
  double a;
  bool pushed = gravity - sin(p->th) / 2 * p->w * p->w > 0,
       before = gravity - sin(from->th) / 2 * from->w * from->w > 0;
  return (p->side ? p->v * p->side < 0 : hold(r, p, &a) > 1) || pushed != before;
}

static void reference(const Rod *r, double end, double (*out)[2]) {
  RodState p = {.th = r->th, .w = r->w, .v = r->v};
  p.side = r->v > 0 ? 1 : r->v < 0 ? -1 : choose_side(r, &p);
  for (int row = 1; row <= rows; row++) {
    double until = end * row / rows;
    while (p.t < until - 1e-13) {
      double h = fmin(2e-4, until - p.t);
      RodState q = stepped(r, &p, h);
      if (over(r, &p, &q)) {
        double lo = 0, hi = h;
        for (int i = 0; i < 60; i++) {
          double mid = (lo + hi) / 2;
          q = stepped(r, &p, mid);
          if (over(r, &p, &q)) hi = mid;
          else lo = mid;
        }
        q = stepped(r, &p, hi);
        bool slid = q.side != 0;
        if (!slid || fabs(q.v) < 1e-12) {
          q.v = 0;
          q.side = slid ? choose_side(r, &q) : let_go(r, &q);
        }
      }
      p = q;
    }
    out[row][0] = p.x + cos(p.th) / 2 - cos(r->th) / 2;
    out[row][1] = p.th;
  }
}

static void write_rod(const Rod *r, char *text, size_t room) {
  static const char *const forms[] = {"-mu*abs(lambda.tip)*sign(v)", "friction(v, mu*abs(lambda.tip))",
                                      "friction(v, mu*abs(lambda.tip), k*mu*abs(lambda.tip))"};
  snprintf(text, room,
           "param mu = %.17g, k = %.17g\ncoord x = 0, y = %.17g, th = %.17g\n"
           "init x' = %.17g, y' = %.17g, th' = %.17g\n"
           "kinetic 1/2*(x'^2 + y'^2) + 1/24*th'^2\npotential 9.81*y\nconstraint tip: y - sin(th)/2 = 0\n"
           "let v = x' + sin(th)/2*th'\nlet f = %s\nforce x = %.17g + f\nforce th = f*sin(th)/2\n",
           r->mu, r->stick, sin(r->th) / 2, r->th, r->v - sin(r->th) / 2 * r->w, cos(r->th) / 2 * r->w, r->w,
           forms[r->form], r->P);
}

static double between(double a, double b) { return a + (b - a) * uniform(); }

static Rod new_rod(void) {
  Rod r = {.mu = between(0.1, 1), .stick = 1, .P = between(-3, 3), .th = between(0.2, 2.9), .form = (int)choose(3)};
  if (choose(2)) r.w = between(-2, 2);
  if (choose(2)) r.v = between(-0.5, 0.5);
  if (r.form == 2) r.stick = between(1, 1.3);
  return r;
}

static RunSettings settings_of(const char *method, double end) {
  RunSettings s = run_defaults();
  s.method = method;
  s.to = end;
  s.every = end / rows;
  return s;
}

// How far the program is from the reference; INFINITY: it stopped.
static double distance(const Rod *r, const char *method, double end, const double (*right)[2], bool loud) {
  char text[2048];
  double final[3], worst = 0;
  Table table = {0};
  write_rod(r, text, sizeof text);
  RunResult result = one_run(text, settings_of(method, end), &table, final, 3);
  if (result.status != run_done) worst = INFINITY;
  for (size_t row = 1; row <= rows && row < table.count && worst < INFINITY; row++) {
    const double *v = table.rows + row * table.width;
    worst = fmax(worst, fmax(fabs(v[1] - right[row][0]), fabs(v[3] - right[row][1])));
  }
  free(table.rows);
  if (loud && !(worst < 1e-6)) print_error("%s: off by %g\n%s", method, worst, text);
  return worst;
}

static void rods_slide_and_stick_as_enumeration_says(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "rodas", "bdf", "dopri5"};
  double right[rows + 1][2];
  int wrong = 0;
  for (int i = 0; i < 12; i++) {
    Rod r = new_rod();
    reference(&r, 0.5, right);
    if (!(distance(&r, methods[i % 4], 0.5, (const double(*)[2])right, true) < 1e-6)) wrong++;
  }
  assert_int_equal(wrong, 0);
}

static void a_reference_with_half_the_friction_is_noticed(void **state) {
  (void)state;
  double right[rows + 1][2];
  int noticed = 0;
  for (int i = 0; i < 8; i++) {
    Rod r = new_rod(), less = r;
    less.mu *= 0.5;
    reference(&less, 0.3, right);
    noticed += distance(&r, "auto", 0.3, (const double(*)[2])right, false) > 1e-4;
  }
  assert_true(noticed >= 4);
}

// The statements of one of several rods: the names of what is its own end in its number.
static void put_rod(const Rod *r, int k, char *text, size_t room) {
  snprintf(text, room,
           "coord x%d = 0, y%d = %.17g, th%d = %.17g\ninit x%d' = %.17g, y%d' = %.17g, th%d' = %.17g\n"
           "kinetic 1/2*(x%d'^2 + y%d'^2) + 1/24*th%d'^2\npotential 9.81*y%d\nconstraint tip%d: y%d - sin(th%d)/2 = 0\n"
           "let f%d = -%.17g*abs(lambda.tip%d)*sign(x%d' + sin(th%d)/2*th%d')\n"
           "force x%d = %.17g + f%d\nforce th%d = f%d*sin(th%d)/2\n",
           k, k, sin(r->th) / 2, k, r->th, k, r->v - sin(r->th) / 2 * r->w, k, cos(r->th) / 2 * r->w, k, r->w, k, k, k,
           k, k, k, k, k, r->mu, k, k, k, k, k, r->P, k, k, k, k);
}

// More signs of constraint forces than are enumerated.
static void eight_rods_do_not_disturb_each_other(void **state) {
  (void)state;
  enum { count = 8 };
  char text[16384] = "", *end = text;
  double right[count][rows + 1][2], final[2 * count];
  for (int k = 0; k < count; k++) {
    Rod r = new_rod();
    r.stick = 1;
    reference(&r, 0.04, right[k]);
    put_rod(&r, k, end, sizeof text - (size_t)(end - text));
    end += strlen(end);
  }
  for (int k = 0; k < count; k++) end += sprintf(end, "%s x%d, th%d", k ? "," : "output", k, k);
  strcat(text, "\n");
  one_run(text, settings_of("auto", 0.04), NULL, final, 2 * count);
  for (int k = 0; k < count; k++) {
    bool ok = fabs(final[2 * k] - right[k][rows][0]) < 1e-6 && fabs(final[2 * k + 1] - right[k][rows][1]) < 1e-6;
    if (!ok)
      print_error("rod %d: %.9g, %.9g for %.9g, %.9g\n%s", k, final[2 * k], final[2 * k + 1], right[k][rows][0],
                  right[k][rows][1], text);
    assert_true(ok);
  }
}

// Let go from rest at th0 the end sticks until |f| = mu |N|. The time is the integral of dth/w, with th = th0 - u^2.
static void a_rod_from_rest_sticks_until_the_closed_form_says(void **state) {
  (void)state;
  enum { parts = 2000 };
  const Rod r = {.mu = 0.5, .stick = 1, .th = 1.1};
  double lo = 0, hi = sqrt(0.8), a, sum = 0;
  for (int i = 0; i < 100; i++) {
    double u = (lo + hi) / 2, th = r.th - u * u;
    RodState p = {.th = th, .w = -sqrt(3 * gravity * (sin(r.th) - sin(th)))};
    if (hold(&r, &p, &a) > 1) hi = u;
    else lo = u;
  }
  for (int i = 0; i <= parts; i++) {
    double u = lo * i / parts, weight = i == 0 || i == parts ? 1 : i % 2 ? 4 : 2;
    sum +=
        weight * (i ? 2 * u / sqrt(3 * gravity * (sin(r.th) - sin(r.th - u * u))) : 2 / sqrt(3 * gravity * cos(r.th)));
  }
  double slips = sum * lo / (3 * parts);
  for (int form = 0; form < 2; form++) {
    Rod rod = r;
    char text[2048];
    rod.form = form;
    write_rod(&rod, text, sizeof text);
    strcat(text, "state from = 0\nwhen abs(v) > 1e-12 do from := t\noutput x, th, from\n");
    double final[3];
    RunSettings s = settings_of("auto", 0.4);
    one_run(text, s, NULL, final, 3);
    // v grows with the square of the time from there on
    if (!(fabs(final[2] - slips) < 1e-5 && final[2] > slips)) print_error("%.12g for %.12g\n", final[2], slips);
    assert_true(fabs(final[2] - slips) < 1e-5 && final[2] > slips);
    // until then the end stands still, and the angle is that of a pendulum
    Table table = {0};
    s.to = slips * (1 - 1e-9);
    s.every = s.to / rows;
    one_run(text, s, &table, final, 3);
    for (size_t row = 0; row < table.count; row++) {
      const double *y = table.rows + row * table.width;
      assert_true(fabs(y[1] - (cos(y[2]) - cos(r.th)) / 2) < 1e-10);
    }
    assert_true(fabs(final[1] - (r.th - lo * lo)) < 1e-7);
    free(table.rows);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rods_slide_and_stick_as_enumeration_says),
      cmocka_unit_test(a_reference_with_half_the_friction_is_noticed),
      cmocka_unit_test(eight_rods_do_not_disturb_each_other),
      cmocka_unit_test(a_rod_from_rest_sticks_until_the_closed_form_says),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
