// Successive positions against closed forms: places, derivatives, dead points, crossings, and branches that coarse
// steps must not leave.
#include "tests/api/positions_frame.h"

#include <complex.h>

static Found look_through(const char *text) {
  viva_positions_options o = viva_positions_defaults();
  o.through = true;
  return look_by(text, &o);
}

// ---- a slider-crank, whose places are square roots

static const char slider[] = "node O = [0, 0] fixed\n"
                             "node A = [1, 0]\n"
                             "node B = [3.9, 0.3]\n"
                             "node C = [2.5, 1]\n"
                             "bar OA: O A length 1\n"
                             "bar AB: A B length 3\n"
                             "bar AC: A C length 1.8\n"
                             "bar BC: B C length 1.6\n"
                             "slider B along [1, 0]\n"
                             "drive OA.angle from 0 to 2*pi steps %d\n"
                             "output B.x, C\n";

// Bx = cos t + sqrt(9 - (sin t - e)^2); C on AB, to its left. Complex, for derivatives by a complex step.
static double complex slider_x(double complex t) { return ccos(t) + csqrt(9 - (csin(t) - 0.3) * (csin(t) - 0.3)); }

static double complex coupler(double complex t, int axis) {
  double complex ax = ccos(t), ay = csin(t), bx = slider_x(t), ux = (bx - ax) / 3, uy = (0.3 - ay) / 3;
  double a = (1.8 * 1.8 + 9 - 1.6 * 1.6) / 6, h = sqrt(1.8 * 1.8 - a * a);
  return axis ? ay + a * uy + h * ux : ax + a * ux - h * uy;
}

static void slider_crank_goes_by_its_closed_form_at_any_step(void **state) {
  (void)state;
  const int steps[] = {4, 6, 12, 36, 360};
  char text[600];
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    snprintf(text, sizeof text, slider, steps[k]);
    Found f = look(text, "successive");
    assert_int_equal(f.status, VIVA_OK);
    assert_true(viva_positions_proved(f.p));
    assert_int_equal(viva_positions_count(f.p), steps[k] + 1);
    for (int i = 0; i <= steps[k]; i++) {
      double t = 2 * pi * i / steps[k];
      assert_true(fabs(value(&f, (size_t)i, "B.x") - creal(slider_x(t))) < 1e-13);
      assert_true(fabs(value(&f, (size_t)i, "C.x") - creal(coupler(t, 0))) < 1e-13);
      assert_true(fabs(value(&f, (size_t)i, "C.y") - creal(coupler(t, 1))) < 1e-13);
    }
    leave(&f);
  }
}

// Coefficients of the Taylor series of a function, by Cauchy's integral on a circle: exact to rounding.
static double taylor(double complex (*g)(double complex), double t, int order) {
  enum { points = 64 };
  double complex sum = 0;
  double r = 0.4, factorial = 1;
  for (int i = 0; i < points; i++)
    sum += g(t + r * cexp(2 * pi * I * i / points)) * cexp(-2 * pi * I * i * order / points);
  for (int i = 2; i <= order; i++) factorial *= i;
  return factorial * creal(sum) / points / pow(r, order);
}

static double complex coupler_y(double complex t) { return coupler(t, 1); }

static void derivatives_are_exact_up_to_the_third(void **state) {
  (void)state;
  char text[600];
  snprintf(text, sizeof text, slider, 24);
  Found f = look(text, "successive");
  const char *const bx[] = {"B.x", "B.x'", "B.x''", "B.x'''"}, *const cy[] = {"C.y", "C.y'", "C.y''", "C.y'''"};
  for (int i = 0; i <= 24; i++) {
    for (int o = 0; o < 4; o++) {
      double t = 2 * pi * i / 24;
      assert_true(fabs(value(&f, (size_t)i, bx[o]) - taylor(slider_x, t, o)) < 1e-10);
      assert_true(fabs(value(&f, (size_t)i, cy[o]) - taylor(coupler_y, t, o)) < 1e-10);
    }
  }
  leave(&f);
}

static void derivatives_by_the_time_follow_how_long_it_takes(void **state) {
  (void)state;
  Found f = look("coord x = 1, y\nconstraint x^2 + y^2 = 4\nguess y = 1.7\n"
                 "drive x from 1 to 1.5 steps 2 in 0.25 [s]\noutput y, vx = x'\n",
                 "successive");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < 3; i++) {
    double x = 1 + 0.25 * (double)i, y = sqrt(4 - x * x), v = 2; // x' = 0.5/0.25
    assert_true(fabs(value(&f, i, "y") - y) < 1e-14);
    assert_true(fabs(value(&f, i, "vx") - v) < 1e-14);
    assert_true(fabs(value(&f, i, "y'") + x * v / y) < 1e-13);
    assert_true(fabs(value(&f, i, "y''") + (v * v + x * x * v * v / (y * y)) / y) < 1e-12);
  }
  leave(&f);
}

// Newton's method from one position to the next, as everybody writes it: it loses the branch of this crank at 30
// degrees. The test shows that the steps above are coarse enough to matter.
static int plain_newton_leaves(int steps) {
  double bx = creal(slider_x(0)), cx = creal(coupler(0, 0)), cy = creal(coupler(0, 1));
  int left = 0;
  for (int i = 1; i <= steps; i++) {
    double t = 2 * pi * i / steps, ax = cos(t), ay = sin(t);
    for (int k = 0; k < 100; k++) {
      // gradient and Hessian of 1/2 sum (d - D)^2 over bx, cx, cy
      double g[3] = {0}, H[9] = {0};
      const double p[3][4] = {{bx - ax, 0.3 - ay, 3, 0}, {cx - ax, cy - ay, 1.8, 1}, {cx - bx, cy - 0.3, 1.6, 2}};
      for (int j = 0; j < 3; j++) {
        double d = hypot(p[j][0], p[j][1]), cs = p[j][0] / d, sn = p[j][1] / d, e = d - p[j][2];
        double rows[3][3] = {{cs, 0, 0}, {0, cs, sn}, {-cs, cs, sn}},
               across[3][3] = {{-sn, 0, 0}, {0, -sn, cs}, {sn, -sn, cs}};
        for (int a = 0; a < 3; a++) {
          g[a] += e * rows[j][a];
          for (int b = 0; b < 3; b++) H[3 * a + b] += rows[j][a] * rows[j][b] + e / d * across[j][a] * across[j][b];
        }
      }
      double det =
          H[0] * (H[4] * H[8] - H[5] * H[7]) - H[1] * (H[3] * H[8] - H[5] * H[6]) + H[2] * (H[3] * H[7] - H[4] * H[6]);
      double sx = -(g[0] * (H[4] * H[8] - H[5] * H[7]) - H[1] * (g[1] * H[8] - H[5] * g[2]) +
                    H[2] * (g[1] * H[7] - H[4] * g[2])) /
                  det;
      double sy = -(H[0] * (g[1] * H[8] - H[5] * g[2]) - g[0] * (H[3] * H[8] - H[5] * H[6]) +
                    H[2] * (H[3] * g[2] - g[1] * H[6])) /
                  det;
      double sz = -(H[0] * (H[4] * g[2] - g[1] * H[7]) - H[1] * (H[3] * g[2] - g[1] * H[6]) +
                    g[0] * (H[3] * H[7] - H[4] * H[6])) /
                  det;
      bx += sx, cx += sy, cy += sz;
      if (fabs(sx) + fabs(sy) + fabs(sz) < 1e-13) break;
    }
    left += fabs(bx - creal(slider_x(t))) > 1e-8 || fabs(cy - creal(coupler(t, 1))) > 1e-8;
  }
  return left;
}

static void plain_newton_changes_branch_where_this_does_not(void **state) {
  (void)state;
  assert_true(plain_newton_leaves(12) > 0);
  assert_int_equal(plain_newton_leaves(36), 0);
}

// ---- four-bars

static const char rocker[] = "node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode B = [2, 1.5]\nnode C = [4, 2]\n"
                             "bar AB: A B length 2.5\nbar CD: C D length 2\nbar BC: B C length 2\n"
                             "drive AB.angle from 0.6 to 2.5 steps 20\n";

static void dead_point_is_where_the_triangle_closes(void **state) {
  (void)state;
  Found f = look(rocker, "successive");
  assert_int_equal(f.status, VIVA_EFAIL);
  size_t last = viva_positions_count(f.p) - 1;
  // coupler and rocker in one line: 4^2 = 2.5^2 + 4^2 - 2*2.5*4*cos
  assert_true(fabs(value(&f, last, "AB.angle") - acos(2.5 * 2.5 / (2 * 2.5 * 4))) < 1e-14);
  assert_true(isnan(value(&f, last, "C.x'")));
  leave(&f);
  f = look_through(rocker);
  assert_int_equal(f.status, VIVA_OK);
  last = viva_positions_count(f.p) - 1;
  assert_true(fabs(value(&f, last, "AB.angle") - 0.6) < 1e-12);
  // the other side of the line from B to D
  double bx = 2.5 * cos(0.6), by = 2.5 * sin(0.6);
  double first = (4 - bx) * (value(&f, 0, "C.y") - by) + by * (value(&f, 0, "C.x") - bx);
  double second = (4 - bx) * (value(&f, last, "C.y") - by) + by * (value(&f, last, "C.x") - bx);
  assert_true(first > 0 && fabs(first + second) < 1e-9);
  leave(&f);
}

static void parallelogram_crosses_its_other_way_when_flat(void **state) {
  (void)state;
  const char *text = "node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode B = [0, 1]\nnode C = [4, 1]\n"
                     "bar AB: A B length 1\nbar CD: C D length 1\nbar BC: B C length 4\n"
                     "drive AB.angle from pi/2 to 5*pi/2 steps 23\n";
  Found f = look(text, "successive");
  assert_int_equal(f.status, VIVA_EFAIL);
  size_t last = viva_positions_count(f.p) - 1;
  assert_true(fabs(value(&f, last, "AB.angle") - pi) < 1e-9);
  leave(&f);
  f = look_through(text);
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double t = value(&f, i, "AB.angle");
    assert_true(fabs(value(&f, i, "C.x") - 4 - cos(t)) < 1e-9 && fabs(value(&f, i, "C.y") - sin(t)) < 1e-9);
  }
  leave(&f);
}

// Random four-bars, coarse steps: every position lies on the side of BD where the drawing is, or the way ended where
// the triangle BCD is flat. With `broken` the sides are exchanged: the law must fail.
static int four_bars_that_leave(uint64_t seed, int count, bool broken, int *ended) {
  int left = 0;
  *ended = 0;
  for (int k = 0; k < count; k++) {
    double a = 0.5 + 2 * chance(&seed), b = 0.5 + 3 * chance(&seed), c = 0.5 + 3 * chance(&seed), d = 3;
    double t0 = 2 * pi * chance(&seed), bx = a * cos(t0), by = a * sin(t0), e = hypot(d - bx, by);
    if (e >= b + c - 0.05 || e <= fabs(b - c) + 0.05) continue;
    int side = chance(&seed) < 0.5 ? 1 : -1, shown = broken ? -side : side;
    double ux = (d - bx) / e, uy = -by / e, along = (e * e + b * b - c * c) / (2 * e), h = sqrt(b * b - along * along);
    char text[900];
    snprintf(text, sizeof text,
             "node A = [0, 0] fixed\nnode D = [%.17g, 0] fixed\nnode B = [%.17g, %.17g]\nnode C = [%.17g, %.17g]\n"
             "bar AB: A B length %.17g\nbar BC: B C length %.17g\nbar CD: C D length %.17g\n"
             "drive AB.angle from %.17g to %.17g steps 12\n",
             d, bx, by, bx + along * ux - side * h * uy, by + along * uy + side * h * ux, a, b, c, t0, t0 + 2 * pi);
    Found f = look(text, "successive");
    assert_true(f.status == VIVA_OK || f.status == VIVA_EFAIL);
    size_t rows = viva_positions_count(f.p);
    for (size_t i = 0; i < rows; i++) {
      double t = value(&f, i, "AB.angle"), x = a * cos(t), y = a * sin(t), g = hypot(d - x, y);
      double vx = (d - x) / g, vy = -y / g, m = (g * g + b * b - c * c) / (2 * g), w = b * b - m * m;
      if (i + 1 == rows && f.status == VIVA_EFAIL) {
        left += fabs(w) > 1e-9; // flat
        ++*ended;
        continue;
      }
      double cx = x + m * vx - shown * sqrt(w) * vy, cy = y + m * vy + shown * sqrt(w) * vx;
      left += !(fabs(value(&f, i, "C.x") - cx) < 1e-8 && fabs(value(&f, i, "C.y") - cy) < 1e-8);
    }
    leave(&f);
  }
  return left;
}

static void random_four_bars_stay_on_their_side(void **state) {
  (void)state;
  int ended;
  assert_int_equal(four_bars_that_leave(20, 120, false, &ended), 0);
  assert_true(ended > 10);
  assert_true(four_bars_that_leave(20, 10, true, &ended) > 0);
}

// ---- parameters, time, turns

static void parameters_and_the_time_are_driven(void **state) {
  (void)state;
  Found f = look("param l = 5, two = 2*l\ncoord x = 3, y = 4\nconstraint x^2 + y^2 = two^2/4\nconstraint x = 3\n"
                 "drive l from 5 to 13 steps 8\n",
                 "successive");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < 9; i++) assert_true(fabs(value(&f, i, "y") - sqrt(pow(5 + (double)i, 2) - 9)) < 1e-13);
  leave(&f);
  f = look("node A = [0.5*sin(t), 0] fixed\nnode B = [3, 0] \nbar AB: A B length 3\nslider B along [1, 0]\n"
           "drive t from 0 to 2 steps 4\n",
           "successive");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < 5; i++) {
    double t = 0.5 * (double)i;
    assert_true(fabs(value(&f, i, "B.x") - 3 - 0.5 * sin(t)) < 1e-13);
    assert_true(fabs(value(&f, i, "B.x''") + 0.5 * sin(t)) < 1e-13);
  }
  leave(&f);
}

static void angles_count_whole_turns(void **state) {
  (void)state;
  Found f = look("node A = [0, 0] fixed\nnode B = [1, 0]\nbar AB: A B\ndrive AB.angle from 0 to 6*pi steps 40\n"
                 "output w = AB.angle, twice = 2*AB.angle\n",
                 "successive");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i <= 40; i++) {
    double t = 6 * pi * (double)i / 40;
    assert_true(fabs(value(&f, i, "w") - t) < 1e-12 && fabs(value(&f, i, "twice") - 2 * t) < 1e-12);
    assert_true(fabs(value(&f, i, "w'") - 1) < 1e-12);
  }
  leave(&f);
}

// ---- coupler curves, open and mixed chains, redundant ones

// B = P + f e^(i alpha) on its circle, C = P + g e^(i (alpha + gamma)) on the other one: two equations that are linear
// in the cosine and sine of alpha. That both are of one angle is the sextic of the coupler curve.
static double sextic(double x, double y, double a, double c, double d, double f, double g, double gamma) {
  double m11 = 2 * f * x, m12 = 2 * f * y, r1 = -(x * x + y * y + f * f - a * a);
  double u = x - d, m21 = 2 * g * (u * cos(gamma) + y * sin(gamma)), m22 = 2 * g * (y * cos(gamma) - u * sin(gamma));
  double r2 = -(u * u + y * y + g * g - c * c), det = m11 * m22 - m12 * m21;
  double cosine = r1 * m22 - m12 * r2, sine = m11 * r2 - r1 * m21;
  return cosine * cosine + sine * sine - det * det;
}

static void coupler_curve_lies_on_its_sextic(void **state) {
  (void)state;
  Found f = look_file("coupler.viva", "successive");
  assert_int_equal(f.status, VIVA_OK);
  // the angle from PB to PC in the triangle BP = 2, CP = 2.2, BC = 3.5; P lies to the left of BC
  double gamma = acos((2.0 * 2.0 + 2.2 * 2.2 - 3.5 * 3.5) / (2 * 2.0 * 2.2));
  assert_int_equal(viva_positions_count(f.p), 73);
  for (size_t i = 0; i < 73; i++) {
    double x = value(&f, i, "P.x"), y = value(&f, i, "P.y");
    assert_true(fabs(sextic(x, y, 1, 3, 4, 2, 2.2, gamma)) < 1e-9);
    assert_true(fabs(sextic(x + 1e-3, y, 1, 3, 4, 2, 2.2, gamma)) > 1e-6); // it can fail
  }
  leave(&f);
}

// A crank and slider with a link on its slider, driven by itself; and two links alone.
static void open_and_mixed_chains_go_by_their_closed_forms(void **state) {
  (void)state;
  Found f = look("node O = [0, 0] fixed\nnode A = [1, 0]\nnode B = [4, 0]\nnode Q = [4, 2]\nbar OA: O A length 1\n"
                 "bar AB: A B length 3\nslider B along [1, 0]\nbar BQ: B Q length 2\n"
                 "drive OA.angle from 0 to 2*pi steps 12\ndrive BQ.angle from pi/2 to -pi steps 12\noutput Q\n",
                 "successive");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < 13; i++) {
    double t = 2 * pi * (double)i / 12, s = pi / 2 - 1.5 * pi * (double)i / 12;
    assert_true(fabs(value(&f, i, "Q.x") - (cos(t) + sqrt(9 - sin(t) * sin(t)) + 2 * cos(s))) < 1e-12);
    assert_true(fabs(value(&f, i, "Q.y") - 2 * sin(s)) < 1e-12);
  }
  leave(&f);
  f = look("node O = [0, 0] fixed\nnode A = [1, 0]\nnode B = [1, 2]\nbar OA: O A length 1\nbar AB: A B length 2\n"
           "drive OA.angle from 0 to 3 steps 7\ndrive AB.angle from pi/2 to 6 steps 7\noutput B\n",
           "successive");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < 8; i++) {
    double t = 3 * (double)i / 7, s = pi / 2 + (6 - pi / 2) * (double)i / 7;
    assert_true(fabs(value(&f, i, "B.x") - cos(t) - 2 * cos(s)) < 1e-12);
    assert_true(fabs(value(&f, i, "B.y") - sin(t) - 2 * sin(s)) < 1e-12);
  }
  leave(&f);
}

// Ten bays: two numbers are given, ten lengths are found. The least motion, by SciPy's SLSQP from the start:
// 36.305133213056 is the sum of squares of all that moved.
static void truss_of_variable_geometry_moves_least(void **state) {
  (void)state;
  char text[3000];
  viva_positions_options o = viva_positions_defaults();
  read_example("variable_truss.viva", text, sizeof text);
  o.problem = "inverse";
  o.reach = "A[10]=[8.5, 3]";
  Found f = look_by(text, &o);
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(value(&f, 0, "A[10].x") - 8.5) < 1e-12);
  assert_true(fabs(value(&f, 0, "l[1]") - 1.41975582) < 1e-6);
  assert_true(fabs(value(&f, 0, "l[5]") - 1.46949449) < 1e-6);
  assert_true(fabs(value(&f, 0, "l[10]") - 1.99112698) < 1e-6);
  double sum = 0;
  for (size_t i = 0; i < viva_positions_start_count(f.p, 0); i++) {
    const char *s = viva_positions_start(f.p, 0, i);
    int k = atoi(s + 2);
    double at = strtod(strchr(s, '=') + 1, NULL), from = *s == 'l' ? sqrt(2) : strstr(s, ".x") ? k : *s == 'B';
    sum += (at - from) * (at - from);
  }
  assert_true(fabs(sum - 36.305133213056) < 1e-8);
  leave(&f);
}

// An arm of links of length 1, from the angles q.
static Found reach_with_arm(const char *init, const char *stops, double x, double y) {
  char text[1200], place[80];
  viva_positions_options o = viva_positions_defaults();
  snprintf(text, sizeof text,
           "body a on ground by revolute(z) q1 with mass = 1, inertia = [1, 1, 1, 0, 0, 0]\n"
           "body b on a by revolute(z) q2 at [1, 0, 0] with mass = 1, inertia = [1, 1, 1, 0, 0, 0]\n"
           "body c on b by revolute(z) q3 at [1, 0, 0] with mass = 1, inertia = [1, 1, 1, 0, 0, 0]\n"
           "init %s\n%s\nlet tip = c.point([1, 0, 0])\nlet tool = [tip.x, tip.y]\n",
           init, stops);
  snprintf(place, sizeof place, "tool=[%.17g, %.17g]", x, y);
  o.problem = "inverse";
  o.reach = place;
  return look_by(text, &o);
}

static double arm_at(const Found *f, int axis) {
  double a = value(f, 0, "q1"), b = a + value(f, 0, "q2"), c = b + value(f, 0, "q3");
  return axis ? sin(a) + sin(b) + sin(c) : cos(a) + cos(b) + cos(c);
}

// Whole turns are no way: of a free arm every angle is within half a turn of its start.
static void angles_of_an_arm_are_those_nearest_to_its_start(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int k = 0; k < 40; k++) {
    char text[400], place[100];
    double l1 = 0.5 + 1.5 * chance(&seed), l2 = 0.5 + 1.5 * chance(&seed), a0 = 12 * chance(&seed) - 6,
           b0 = 12 * chance(&seed) - 6, r = fabs(l1 - l2) + (l1 + l2 - fabs(l1 - l2)) * (0.02 + 0.96 * chance(&seed)),
           t = 2 * pi * chance(&seed);
    snprintf(text, sizeof text,
             "param l1 = %.17g, l2 = %.17g\ncoord a = %.17g [rad], b = %.17g [rad]\n"
             "let tool = [l1*cos(a) + l2*cos(a + b), l1*sin(a) + l2*sin(a + b)]\nkinetic 1/2*a'^2 + 1/2*b'^2\n",
             l1, l2, a0, b0);
    snprintf(place, sizeof place, "tool=[%.17g, %.17g]", r * cos(t), r * sin(t));
    viva_positions_options o = viva_positions_defaults();
    o.problem = "inverse";
    o.reach = place;
    Found f = look_by(text, &o);
    assert_int_equal(f.status, VIVA_OK);
    double a = value(&f, 0, "a"), b = value(&f, 0, "b");
    assert_true(hypot(l1 * cos(a) + l2 * cos(a + b) - r * cos(t), l1 * sin(a) + l2 * sin(a + b) - r * sin(t)) < 1e-8);
    assert_true(fabs(a - a0) <= pi + 1e-9 && fabs(b - b0) <= pi + 1e-9);
    assert_true(fabs(fact(&f, "\"moved\": ") - hypot(a - a0, b - b0)) < 1e-9);
    leave(&f);
  }
}

// What can be reached is a disk of radius 3: from any start, a straight arm too, that and nothing else is told.
static void arm_reaches_its_disk_from_any_start(void **state) {
  (void)state;
  const char *const starts[] = {"q1 = 0, q2 = 0, q3 = 0", "q1 = 0.3, q2 = 0.4, q3 = 0.2",
                                "q1 = 1, q2 = 3.14159265358979, q3 = 0"};
  uint64_t seed = 5;
  for (int k = 0; k < 60; k++) {
    double r = 3.6 * chance(&seed), t = k % 3 ? 2 * pi * chance(&seed) : 0; // straight on along the arm, too
    if (fabs(r - 3) < 0.01 || fabs(r - 1) < 0.01) continue;
    Found f = reach_with_arm(starts[k / 3 % 3], "", r * cos(t), r * sin(t));
    assert_int_equal(f.status, r < 3 ? VIVA_OK : VIVA_EFAIL);
    double nearest = r < 3 ? 1 : 3 / r;
    assert_true(fabs(arm_at(&f, 0) - nearest * r * cos(t)) < 1e-6);
    assert_true(fabs(arm_at(&f, 1) - nearest * r * sin(t)) < 1e-6);
    if (r > 3) assert_non_null(strstr(viva_positions_message(f.p), "is out of reach: the nearest that was found is ["));
    leave(&f);
  }
}

// With q2 and q3 within +-0.5 and +-0.7 it comes no nearer to its foot than |1 + e^(i 0.5) + e^(i 1.2)|.
static void limits_of_joints_are_kept(void **state) {
  (void)state;
  const char *stops = "stop q2 in -0.5 .. 0.5 stiffness 1e4\nstop q3 in -0.7 .. 0.7 stiffness 1e4";
  double least = hypot(1 + cos(0.5) + cos(1.2), sin(0.5) + sin(1.2));
  uint64_t seed = 9;
  for (int k = 0; k < 40; k++) {
    double r = 2.3 + 0.9 * chance(&seed), t = 2 * pi * chance(&seed);
    if (fabs(r - least) < 0.005 || fabs(r - 3) < 0.01) continue;
    Found f = reach_with_arm("q1 = 0.3, q2 = 0.4, q3 = 0.2", stops, r * cos(t), r * sin(t));
    bool can = r > least && r < 3;
    assert_int_equal(f.status, can ? VIVA_OK : VIVA_EFAIL);
    assert_true(fabs(value(&f, 0, "q2")) <= 0.5 + 1e-12 && fabs(value(&f, 0, "q3")) <= 0.7 + 1e-12);
    double nearest = can ? 1 : (r < least ? least : 3) / r;
    assert_true(fabs(arm_at(&f, 0) - nearest * r * cos(t)) < 1e-6);
    assert_true(fabs(arm_at(&f, 1) - nearest * r * sin(t)) < 1e-6);
    if (r < least)
      assert_non_null(strstr(viva_positions_message(f.p), "is out of reach within the limits of `q2`, `q3`"));
    leave(&f);
  }
}

static void what_cannot_be_is_told(void **state) {
  (void)state;
  Found f = look("node A = [0, 0] fixed\nnode B = [1, 1]\nnode C = [2, 0]\nbar AB: A B\nbar BC: B C\n"
                 "drive AB.angle from 0 to 1 steps 4\n",
                 "successive");
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_positions_message(f.p), "1 drive, but the mechanism has 2 freedoms"));
  leave(&f);
  f = look("coord x = 1\nkinetic 1/2*x'^2\n", "successive");
  assert_int_equal(f.status, VIVA_EINPUT);
  leave(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slider_crank_goes_by_its_closed_form_at_any_step),
      cmocka_unit_test(derivatives_are_exact_up_to_the_third),
      cmocka_unit_test(derivatives_by_the_time_follow_how_long_it_takes),
      cmocka_unit_test(plain_newton_changes_branch_where_this_does_not),
      cmocka_unit_test(dead_point_is_where_the_triangle_closes),
      cmocka_unit_test(parallelogram_crosses_its_other_way_when_flat),
      cmocka_unit_test(random_four_bars_stay_on_their_side),
      cmocka_unit_test(parameters_and_the_time_are_driven),
      cmocka_unit_test(angles_count_whole_turns),
      cmocka_unit_test(coupler_curve_lies_on_its_sextic),
      cmocka_unit_test(open_and_mixed_chains_go_by_their_closed_forms),
      cmocka_unit_test(truss_of_variable_geometry_moves_least),
      cmocka_unit_test(angles_of_an_arm_are_those_nearest_to_its_start),
      cmocka_unit_test(arm_reaches_its_disk_from_any_start),
      cmocka_unit_test(limits_of_joints_are_kept),
      cmocka_unit_test(what_cannot_be_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
