// Deformed positions against a reference, and synthesis against mechanisms that are known.
#include "tests/api/positions_frame.h"

// ---- deformed positions

static const char slider[] = "node O = [0, 0] fixed\nnode A = [1, 0]\nnode B = [3.9, 0.3]\nnode C = [2.5, 1]\n"
                             "bar OA: O A length 1\nbar AB: A B length 3\nbar AC: A C length 1.8\n"
                             "bar BC: B C length 1.6\nslider B along [1, 0]\n";

// The coupler point is held where the slider-crank cannot bring it. Reference: least squares from 60 starts by SciPy,
// then Newton's method; the least of all minima. All bars are springs of stiffness 1.
static void slider_crank_gives_way_as_the_reference(void **state) {
  (void)state;
  const struct {
    double x, y, error, ax, ay, bx;
  } reference[] = {
      {1.5, 2.6, 0.5028280441963309, -0.16705491338361778, 1.299955575084937, 2.330827503683215},
      {2.6, 2.2, 0.2477670337691875, 0.7032441450919048, 1.093423992707586, 3.40171683983147},
      {0.2, 1.2, 0.03091522626327995, -1.125337399191619, -0.043562762737439344, 1.7141617426225826},
      {1.2, 3.0, 1.009343713977907, -0.3097552913930026, 1.4258783454934503, 2.0329165126095683},
      {3.2, 1.8, 0.20445529911213717, 1.1840496622340804, 0.7670052476489707, 4.076437623252868},
      {2.0, 0.9, 0.011889757491668006, 0.7915497316608087, -0.5261856228827605, 3.5820746442152003},
      {0.6, 2.6, 0.6165233715218595, -0.8052005456345535, 1.1164550461065585, 1.6544010648496845},
      {2.2, 2.9, 0.8834627405311407, 0.41036280693939475, 1.417780988487494, 2.870659378241289},
  };
  for (size_t i = 0; i < sizeof reference / sizeof *reference; i++) {
    char place[60];
    snprintf(place, sizeof place, "C=[%.17g, %.17g]", reference[i].x, reference[i].y);
    viva_positions_options o = viva_positions_defaults();
    o.problem = "deformed";
    o.reach = place;
    Found f = look_by(slider, &o);
    assert_int_equal(f.status, VIVA_OK);
    assert_true(fabs(fact(&f, "\"error\": ") - reference[i].error) < 1e-12);
    assert_true(fabs(value(&f, 0, "A.x") - reference[i].ax) < 1e-11);
    assert_true(fabs(value(&f, 0, "A.y") - reference[i].ay) < 1e-11);
    assert_true(fabs(value(&f, 0, "B.x") - reference[i].bx) < 1e-11);
    assert_true(fabs(value(&f, 0, "B.y") - 0.3) < 1e-13); // a slider does not give way
    assert_int_equal((int)value(&f, 0, "unstable"), 0);
    leave(&f);
  }
}

// The error of a rocker whose crank is turned past its dead point: coupler and rocker lie in one line and share what is
// missing, so it is that of the crank's length alone; its least value by golden section.
static double rocker_error(double angle) {
  double a = 1, b = 3, ratio = 0.5 * (sqrt(5) - 1), cost[2], at[2];
  for (int k = 0; k < 200; k++) {
    at[0] = b - ratio * (b - a), at[1] = a + ratio * (b - a);
    for (int i = 0; i < 2; i++) {
      double far = hypot(at[i] * cos(angle) - 4, at[i] * sin(angle)) - 4;
      cost[i] = 0.5 * pow(at[i] - 2.5, 2) + (far > 0 ? 0.25 * far * far : 0);
    }
    if (cost[0] < cost[1]) b = at[1];
    else a = at[0];
  }
  return cost[0];
}

static void drive_past_a_dead_point_deforms(void **state) {
  (void)state;
  const char *text = "node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode B = [2, 1.5]\nnode C = [4, 2]\n"
                     "bar AB: A B length 2.5\nbar BC: B C length 2\nbar CD: C D length 2\n"
                     "drive AB.angle from 0.9 to 2.5 steps %d\n";
  const char *const bars[] = {"AB.stretch", "BC.stretch", "CD.stretch"};
  for (int steps = 2; steps <= 32; steps *= 4) {
    char line[400];
    snprintf(line, sizeof line, text, steps);
    Found f = look(line, "deformed");
    assert_int_equal(f.status, VIVA_OK);
    assert_int_equal(viva_positions_count(f.p), steps + 2); // and the turn
    assert_true(says(&f, "\"kind\": \"turn\""));
    double dead = acos(2.5 * 2.5 / (2 * 2.5 * 4));
    for (size_t i = 0; i < (size_t)steps + 2; i++) {
      double angle = value(&f, i, "AB.angle"), sum = 0;
      for (int k = 0; k < 3; k++) sum += 0.5 * pow(value(&f, i, bars[k]), 2);
      assert_true(fabs(sum - (angle > dead ? rocker_error(angle) : 0)) < 1e-9);
      if (isnan(value(&f, i, "unstable"))) assert_true(fabs(angle - dead) < 1e-9);
      else assert_int_equal((int)value(&f, i, "unstable"), 0);
    }
    leave(&f);
  }
}

// A roof of two bars that is pushed down by a third one: T = y + 1 + 2 (r - l) y/r where they balance. Where T turns
// back over y the roof snaps through.
static double pushed(double y) { return y + 1 + 2 * (hypot(1, y) - hypot(1, 1.5)) * y / hypot(1, y); }

static void roof_that_snaps_is_a_jump(void **state) {
  (void)state;
  Found f = look("node A = [-1, 0] fixed\nnode C = [1, 0] fixed\nnode B = [0, 1.5] fixed x\nnode T = [0, 2.5] fixed x\n"
                 "bar AB: A B\nbar BC: B C\nbar BT: B T\ndrive T.y from 2.5 to -1.5 steps 16\noutput B.y\n",
                 "deformed");
  assert_int_equal(f.status, VIVA_OK);
  assert_true(says(&f, "\"kind\": \"jump\""));
  size_t rows = viva_positions_count(f.p), jumps = 0;
  for (size_t i = 0; i < rows; i++) {
    double y = value(&f, i, "B.y"), slope = (pushed(y + 1e-6) - pushed(y - 1e-6)) / 2e-6;
    assert_true(fabs(pushed(y) - value(&f, i, "T.y")) < 1e-8);
    if (isnan(value(&f, i, "unstable"))) jumps++, assert_true(fabs(slope) < 1e-4);
    else assert_true(slope > 0);
  }
  assert_int_equal(jumps, 1);
  assert_true(value(&f, rows - 1, "B.y") < -1.5);
  leave(&f);
}

// Where the mechanism fits, nothing gives way; and it gives way steadily as the point is pulled off.
static void what_fits_is_not_deformed(void **state) {
  (void)state;
  char text[600];
  snprintf(text, sizeof text, "%s%s", slider,
           "drive C.x from 2.3605367641395016 to 2.3605367641395016 + 1 steps 5\n"
           "drive C.y from 1.303945774569397 to 1.303945774569397 + 1 steps 5\noutput A\n");
  Found f = look(text, "deformed");
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(value(&f, 0, "A.x") - 0.6427876096865394) < 1e-12);
  assert_true(fabs(value(&f, 0, "OA.stretch")) < 1e-13 && fabs(value(&f, 0, "AB.stretch")) < 1e-13);
  double before = 0;
  for (size_t i = 1; i < viva_positions_count(f.p); i++) {
    double sum = 0;
    const char *const bars[] = {"OA.stretch", "AB.stretch", "AC.stretch", "BC.stretch"};
    for (int k = 0; k < 4; k++) sum += pow(value(&f, i, bars[k]), 2);
    assert_true(sum > before);
    before = sum;
  }
  leave(&f);
}

// Two bars that are too short for their supports: half of what is missing each. And constraints without bars.
static void contradictions_are_shared(void **state) {
  (void)state;
  Found f = look("node A = [0, 0] fixed\nnode C = [3, 0] fixed\nnode B = [1.4, 0] fixed y\nbar AB: A B length 1\n"
                 "bar BC: B C length 1.5\n",
                 "deformed");
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(value(&f, 0, "AB.stretch") - 0.25) < 1e-13 && fabs(value(&f, 0, "BC.stretch") - 0.25) < 1e-13);
  leave(&f);
  f = look("coord x = 1\nconstraint x = 1\nconstraint x = 4\nconstraint 2*x = 5\n", "deformed");
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(value(&f, 0, "x") - 2.5) < 1e-13); // (1 + 4 + 2*5)/(1 + 1 + 4)
  leave(&f);
}

static void what_can_move_freely_is_told(void **state) {
  (void)state;
  Found f = look("node A = [0, 0] fixed\nnode B = [1, 0]\nbar AB: A B\n", "deformed");
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_positions_message(f.p), "the deformed position is not alone"));
  leave(&f);
}

// ---- synthesis

static const char four_bar[] =
    "param ax = %g, ay = %g, dx = %g, dy = %g, a = %g, b = %g, c = %g, f = %g, g = %g\nnode A = [ax, ay] fixed\n"
    "node D = [dx, dy] fixed\nnode B = [0.7, 0.7]\nnode C = [3, 2.5]\nnode P = [1.5, 2.5]\nbar AB: A B length a\n"
    "bar BC: B C length b\nbar CD: C D length c\nbar BP: B P length f\nbar CP: C P length g\n"
    "drive AB.angle from 0 to 2*pi steps 40\noutput P, A, B, C, D\n";

static const char *const all_free[] = {"a=0.3:2", "b=2:5",   "c=2:5", "ax=-1:1", "ay=-1:1",
                                       "dx=3:5",  "dy=-1:1", "f=1:3", "g=1:3"};

// Nine points of a curve that is known: the nine numbers of its linkage come back.
static void path_through_nine_points_is_found(void **state) {
  (void)state;
  char text[900], points[900] = "P=[";
  snprintf(text, sizeof text, four_bar, 0.0, 0.0, 4.0, 0.0, 1.0, 3.5, 3.0, 2.0, 2.2);
  Found f = look(text, "successive");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < 9; i++)
    snprintf(points + strlen(points), sizeof points - strlen(points), "%s%.17g, %.17g", i ? "; " : "",
             value(&f, 4 * i, "P.x"), value(&f, 4 * i, "P.y"));
  strcat(points, "]");
  leave(&f);
  snprintf(text, sizeof text, four_bar, 0.2, -0.1, 4.4, 0.0, 1.2, 3.2, 3.3, 2.3, 2.0);
  const char *const pass[] = {points};
  viva_positions_options o = viva_positions_defaults();
  o.problem = "synthesis";
  o.pass = pass;
  o.pass_count = 1;
  o.free = all_free;
  o.free_count = 9;
  o.starts = 5;
  f = look_by(text, &o);
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fact(&f, "\"error\": ") < 1e-24);
  assert_true(fabs(fact(&f, "\"a\": ") - 1) < 1e-9 && fabs(fact(&f, "\"b\": ") - 3.5) < 1e-9);
  assert_true(fabs(fact(&f, "\"c\": ") - 3) < 1e-9 && fabs(fact(&f, "\"dx\": ") - 4) < 1e-9);
  assert_true(fabs(fact(&f, "\"f\": ") - 2) < 1e-9 && fabs(fact(&f, "\"g\": ") - 2.2) < 1e-9);
  // the text of the model with these numbers is a model
  viva_model *model = NULL;
  const char *found = viva_positions_model(f.p);
  assert_non_null(found);
  assert_int_equal(viva_model_parse("found.viva", found, strlen(found), NULL, &model), VIVA_OK);
  viva_model_free(model);
  leave(&f);
}

// The height of the coupler point of a symmetrical linkage over its place x, on the branch of the drawing.
static double height(double a, double b, double c, double g, double f, double d, double t, double *x) {
  double bx = -d / 2 + a * cos(t), by = a * sin(t), e = hypot(d / 2 - bx, by);
  double ux = (d / 2 - bx) / e, uy = -by / e, m = (e * e + b * b - c * c) / (2 * e), w = b * b - m * m;
  if (w < 0) return NAN;
  double cx = bx + m * ux - sqrt(w) * uy, cy = by + m * uy + sqrt(w) * ux;
  double q = hypot(cx - bx, cy - by), k = (q * q + f * f - g * g) / (2 * q), h = f * f - k * k;
  if (h < 0) h = 0;
  *x = bx + k * (cx - bx) / q - sqrt(h) * (cy - by) / q;
  return by + k * (cy - by) / q + sqrt(h) * (cx - bx) / q;
}

// Points of a straight line: the linkage that is found guides its point along it. Its curve is computed here once more.
static void straight_line_is_guided_by_a_four_bar(void **state) {
  (void)state;
  const char *text =
      "param a = 2.2, b = 1.3, c = 2.2, f = 0.7, g = 0.7\nnode A = [-1, 0] fixed\nnode D = [1, 0] fixed\n"
      "node B = [0.6, 1.6]\nnode C = [-0.6, 1.6]\nnode P = [0, 1.7]\nbar AB: A B length a\n"
      "bar BC: B C length b\nbar CD: C D length c\nbar BP: B P length f\nbar CP: C P length g\noutput B, C\n";
  const char *const pass[] = {"P=[-0.7, 2; -0.5, 2; -0.3, 2; -0.1, 2; 0.1, 2; 0.3, 2; 0.5, 2; 0.7, 2]"};
  const char *const free[] = {"a=1.5:4", "b=0.5:3", "c=1.5:4", "f=0.2:2", "g=0.2:2"};
  viva_positions_options o = viva_positions_defaults();
  o.problem = "synthesis";
  o.pass = pass;
  o.pass_count = 1;
  o.free = free;
  o.free_count = 5;
  o.starts = 20;
  Found f = look_by(text, &o);
  assert_int_equal(f.status, VIVA_OK);
  double a = fact(&f, "\"a\": "), b = fact(&f, "\"b\": "), c = fact(&f, "\"c\": "), u = fact(&f, "\"f\": "),
         v = fact(&f, "\"g\": "), worst = 0;
  assert_true(fact(&f, "\"error\": ") < 1e-5);
  // every place of the line has a position of the linkage near by: over all angles, on all four sides
  for (double x = -0.7; x <= 0.701; x += 0.1) {
    double nearest = INFINITY;
    for (int i = 0; i < 20000; i++) {
      double at, t = 2 * pi * i / 20000, y = height(a, b, c, v, u, 2, t, &at);
      nearest = fmin(nearest, hypot(at - x, y - 2));
      y = -height(a, b, c, v, u, 2, t, &at); // the picture in a mirror
      nearest = fmin(nearest, hypot(at - x, y - 2));
    }
    worst = fmax(worst, nearest);
  }
  print_message("straight line: off by %g\n", worst);
  assert_true(worst < 5e-3);
  leave(&f);
}

// Three positions of a bar, place and direction: a four-bar through them exists for chosen pivots (Burmester).
static void bar_is_guided_through_three_positions(void **state) {
  (void)state;
  const char *text =
      "param a = 2, b = 2, c = 2, p = 1, q = 1.2\nnode A = [0, 0] fixed\nnode D = [3, 0] fixed\n"
      "node B = [0.5, 1.9]\nnode C = [2.4, 2]\nnode P = [1.2, 2.6]\nbar AB: A B length a\n"
      "bar BC: B C length b\nbar CD: C D length c\nbar BP: B P length p\nbar CP: C P length q\noutput B, C\n";
  const char *const pass[] = {"P=[1.2, 2.6; 1.5, 2.55; 1.8, 2.45]", "BC.angle=[2, 0, -3] [deg]"};
  const char *const free[] = {"a=1:4", "b=1:4", "c=1:4", "p=0.3:3", "q=0.3:3"};
  viva_positions_options o = viva_positions_defaults();
  o.problem = "synthesis";
  o.pass = pass;
  o.pass_count = 2;
  o.free = free;
  o.free_count = 5;
  o.starts = 10;
  Found f = look_by(text, &o);
  assert_int_equal(f.status, VIVA_OK);
  const double angle[] = {2, 0, -3};
  double a = fact(&f, "\"a\": "), b = fact(&f, "\"b\": "), sum = 0;
  for (size_t i = 0; i < 3; i++) {
    double bx = value(&f, i, "B.x"), by = value(&f, i, "B.y"), cx = value(&f, i, "C.x"), cy = value(&f, i, "C.y");
    assert_true(fabs(atan2(cy - by, cx - bx) - angle[i] * pi / 180) < 1e-6); // the direction is held
    assert_true(fabs(hypot(bx, by) - a - value(&f, i, "AB.stretch")) < 1e-9);
    assert_true(fabs(hypot(cx - bx, cy - by) - b - value(&f, i, "BC.stretch")) < 1e-9);
    const char *const bars[] = {"AB.stretch", "BC.stretch", "CD.stretch", "BP.stretch", "CP.stretch"};
    for (int k = 0; k < 5; k++) sum += pow(value(&f, i, bars[k]), 2);
  }
  assert_true(fabs(sum / 2 - fact(&f, "\"error\": ")) < 1e-9);
  assert_true(sum / 2 < 1e-4);
  leave(&f);
}

static void slips_of_a_synthesis_are_told(void **state) {
  (void)state;
  const char *const bad[] = {"P=[1, 2, 3; 4, 5, 6]"}, *const free[] = {"a=1:2"};
  char text[900];
  snprintf(text, sizeof text, four_bar, 0.0, 0.0, 4.0, 0.0, 1.0, 3.5, 3.0, 2.0, 2.2);
  viva_positions_options o = viva_positions_defaults();
  o.problem = "synthesis";
  o.pass = bad;
  o.pass_count = 1;
  o.free = free;
  o.free_count = 1;
  Found f = look_by(text, &o);
  assert_int_equal(f.status, VIVA_EINPUT);
  assert_non_null(strstr(viva_positions_message(f.p), "`P` has 2 numbers"));
  leave(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slider_crank_gives_way_as_the_reference),
      cmocka_unit_test(what_fits_is_not_deformed),
      cmocka_unit_test(drive_past_a_dead_point_deforms),
      cmocka_unit_test(roof_that_snaps_is_a_jump),
      cmocka_unit_test(contradictions_are_shared),
      cmocka_unit_test(what_can_move_freely_is_told),
      cmocka_unit_test(path_through_nine_points_is_found),
      cmocka_unit_test(straight_line_is_guided_by_a_four_bar),
      cmocka_unit_test(bar_is_guided_through_three_positions),
      cmocka_unit_test(slips_of_a_synthesis_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
