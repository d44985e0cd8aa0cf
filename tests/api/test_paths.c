// Load paths against closed forms and references: limit points, bifurcations and their branches, large structures.
#include "tests/api/positions_frame.h"

// ---- limit points

// The value of the load at the first point of a kind.
static double load_of(const Found *f, const char *kind) {
  const char *drives = "\"drives\": {\"F\": ", *at = strstr(f->json, "\"singular\"");
  at = at ? strstr(at, kind) : NULL;
  at = at ? strstr(at, drives) : NULL;
  assert_non_null(at);
  return strtod(at + strlen(drives), NULL);
}

static void von_mises_truss_goes_by_its_closed_form(void **state) {
  (void)state;
  Found f = look_file("von_mises.viva", "path");
  const double a = 1, h = 0.3, k = 1000, length = sqrt(a * a + h * h);
  double lowest = 1, top = 0;
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double y = value(&f, i, "B.y"), r = hypot(a, y), F = 2 * k * y * (length / r - 1);
    double slope = 2 * k * (length * a * a / (r * r * r) - 1);
    assert_true(fabs(value(&f, i, "F") - F) < 1e-9);
    if (fabs(slope) > 1) assert_int_equal((int)value(&f, i, "unstable"), slope > 0);
    lowest = fmin(lowest, y);
    top = fmax(top, F);
  }
  // dF/dy = 0
  double y = sqrt(pow(length * a * a, 2.0 / 3) - a * a), F = 2 * k * y * (length / hypot(a, y) - 1);
  assert_true(fabs(load_of(&f, "limit point") - F) < 1e-11 * F);
  assert_true(lowest < -0.4 && top > 29.9); // through the snap and up again
  leave(&f);
}

static void column_buckles_at_the_load_of_its_links(void **state) {
  (void)state;
  const char *text = "param n = %d, L = 1, c = n, F = 0\nnode P[i] = [0, L*i/n] for i in 1 .. n - 1\n"
                     "node P[0] = [0, 0] fixed\nnode P[n] = [0, L] fixed x\nbar b[i]: P[i - 1] P[i] for i in 1 .. n\n"
                     "torsion P[i - 1] P[i] P[i + 1] stiffness c%s for i in 1 .. n - 1\n"
                     "load P[n] = [0, -F]\ndrive F from 0 to 12 steps 4\noutput P[n].y\n";
  const int counts[] = {2, 3, 4, 6, 2, 5};
  double before = 0;
  for (size_t k = 0; k < 6; k++) {
    char line[700];
    int n = counts[k];
    if (n < 3) before = 0;
    snprintf(line, sizeof line, text, n, k < 4 ? " angle pi" : ""); // as drawn it is straight, too
    Found f = look(line, "path");
    assert_int_equal(f.status, VIVA_OK);
    double load = load_of(&f, "bifurcation");
    double exact = 4.0 * n * n * pow(sin(pi / (2 * n)), 2); // pi^2 as n grows
    assert_true(fabs(load - exact) < 1e-7 * exact);
    assert_true(load > before && load < pi * pi);
    before = load;
    leave(&f);
  }
}

static void place_that_is_driven_has_its_force(void **state) {
  (void)state;
  // the same truss, pushed down: no limit point, and the force of the drive is that of the closed form
  Found f =
      look("param a = 1, h = 0.3, k = 1000\nnode A = [-a, 0] fixed\nnode C = [a, 0] fixed\nnode B = [0, h] fixed x\n"
           "spring AB: A B stiffness k\nspring BC: B C stiffness k\ndrive B.y from 0.3 to -0.4 steps 14\n"
           "output AB.force\n",
           "path");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double y = value(&f, i, "B.y");
    assert_true(fabs(value(&f, i, "AB.force") - 1000 * (hypot(1, y) - hypot(1, 0.3))) < 1e-10);
    double l = hypot(1, y), holding = 2000 * (l - hypot(1, 0.3)) * y / l; // dV/dy
    assert_true(fabs(value(&f, i, "B.y.force") - holding) < 1e-9);
    assert_int_equal((int)value(&f, i, "unstable"), 0);
  }
  leave(&f);
}

// ---- bifurcations

static Found follow_branches(const char *text, const int32_t *list, size_t count) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = "path";
  o.branches = list;
  o.branch_count = count;
  return look_by(text, &o);
}

static Found follow_branch(const char *text, int32_t branch) { return follow_branches(text, &branch, branch != 0); }

// Two links with a spring between them, each at the angle th: F = 2 c th/(l sin(th)), which rises: a stable branch.
static void buckled_column_of_two_links_goes_by_its_closed_form(void **state) {
  (void)state;
  const char *text = "param c = 1, F = 0\nnode A = [0, 0] fixed\nnode B = [0, 0.5]\nnode C = [0, 1] fixed x\n"
                     "bar AB: A B\nbar BC: B C\ntorsion A B C stiffness c angle pi\nload C = [0, -F]\n"
                     "drive F from 0 to 6 steps 24\noutput B.x, C.y\n";
  Found f = follow_branch(text, 1);
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(load_of(&f, "bifurcation") - 4) < 1e-9);
  assert_true(says(&f, "\"type\": \"symmetric\""));
  assert_true(fact(&f, "\"bend\": ") > 0);
  int buckled = 0;
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double th = asin(fabs(value(&f, i, "B.x")) / 0.5);
    if (th < 1e-3) continue;
    buckled++;
    assert_true(fabs(value(&f, i, "F") - 2 * th / (0.5 * sin(th))) < 1e-9);
    assert_int_equal((int)value(&f, i, "unstable"), 0);
  }
  assert_true(buckled >= 7);
  leave(&f);
  // straight on it is unstable
  f = follow_branch(text, 0);
  assert_int_equal((int)value(&f, viva_positions_count(f.p) - 1, "unstable"), 1);
  leave(&f);
  f = follow_branch(text, 2);
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_positions_message(f.p), "there is no bifurcation 2"));
  leave(&f);
}

// A rigid bar of length 1 that stands on a hinge, held by a horizontal spring at its top: F = k cos(th), which falls.
static void bar_on_a_spring_has_an_unstable_branch(void **state) {
  (void)state;
  Found f = follow_branch("param k = 10, F = 0\ncoord th = 0\npotential 1/2*k*sin(th)^2 + F*cos(th)\n"
                          "drive F from 0 to 12 steps 12\n",
                          0);
  assert_int_equal(f.status, VIVA_OK);
  assert_true(fabs(load_of(&f, "bifurcation") - 10) < 1e-9);
  assert_true(says(&f, "\"type\": \"symmetric\"") && fact(&f, "\"bend\": ") < 0);
  assert_true(says(&f, "\"unstable\": [0, 1, 1]")); // before, behind, on the other way
  leave(&f);
}

// V = x^3/3 - F x^2/2 has x = 0 and x = F: they exchange their stability at F = 0.
static void transcritical_bifurcation_is_told(void **state) {
  (void)state;
  const char *text = "param F = -1\ncoord x = 0\npotential x^3/3 - F*x^2/2\ndrive F from -1 to 1 steps 10\n";
  Found f = follow_branch(text, 0);
  assert_int_equal(f.status, VIVA_OK);
  assert_true(says(&f, "\"type\": \"transcritical\""));
  assert_true(fabs(load_of(&f, "bifurcation")) < 1e-9);
  assert_int_equal((int)value(&f, viva_positions_count(f.p) - 1, "unstable"), 1);
  leave(&f);
  f = follow_branch(text, 1);
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double x = value(&f, i, "x");
    assert_true(fabs(x) < 1e-9 || fabs(x - value(&f, i, "F")) < 1e-9);
  }
  leave(&f);
}

// A high truss of two springs whose top may move aside. On the straight way F = 2 k (L0/L - 1) y, and it bifurcates
// where L^3 - L0 L^2 + L0 = 0; the branch joins the straight way again upside down.
static const char high_truss[] = "param k = 1000, F = 0, h = 3\nnode A = [-1, 0] fixed\nnode C = [1, 0] fixed\n"
                                 "node B = [0, h]\nspring AB: A B stiffness k\nspring BC: B C stiffness k\n"
                                 "load B = [0, -F]\ndrive F from 0 to 4000 steps 20\noutput B.x, B.y\n";

// The forces at the top: both must vanish, the load counted.
static double high_truss_off(const Found *f, size_t row) {
  double x = value(f, row, "B.x"), y = value(f, row, "B.y"), l = sqrt(10), sum[2] = {0, -value(f, row, "F")};
  for (int side = -1; side <= 1; side += 2) {
    double r = hypot(x - side, y), pull = 1000 * (r - l);
    sum[0] -= pull * (x - side) / r;
    sum[1] -= pull * y / r;
  }
  return hypot(sum[0], sum[1]);
}

static void branch_that_joins_the_main_path_is_told(void **state) {
  (void)state;
  double low = 2, high = 3.1; // L of the first bifurcation, by bisection
  for (int k = 0; k < 100; k++) {
    double m = 0.5 * (low + high);
    if (m * m * m - sqrt(10) * m * m + sqrt(10) > 0) high = m;
    else low = m;
  }
  double y = sqrt(low * low - 1), exact = 2000 * (sqrt(10) / low - 1) * y;
  // it goes straight on where it joins, and comes back to where it began
  Found f = follow_branch(high_truss, 1);
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_positions_message(f.p), "the path is closed: it comes back to bifurcation 1"));
  assert_true(fabs(load_of(&f, "bifurcation") - exact) < 1e-7 * exact);
  for (size_t i = 0; i < viva_positions_count(f.p); i++) assert_true(high_truss_off(&f, i) < 1e-6);
  leave(&f);
  // onto the main path: in the direction of the load to its end, in the other one back to bifurcation 1
  const int32_t on[] = {1, 2}, back[] = {1, -2}, left[] = {-1, 2};
  f = follow_branches(high_truss, on, 2);
  assert_int_equal(f.status, VIVA_OK);
  size_t last = viva_positions_count(f.p) - 1;
  assert_true(fabs(value(&f, last, "B.x")) < 1e-9 && value(&f, last, "B.y") < -5);
  double most = 0;
  for (size_t i = 0; i <= last; i++) {
    assert_true(high_truss_off(&f, i) < 1e-6);
    most = fmax(most, value(&f, i, "B.x"));
  }
  assert_true(most > 3);
  leave(&f);
  f = follow_branches(high_truss, back, 2);
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_positions_message(f.p), "the path is closed: it comes back to bifurcation 1"));
  leave(&f);
  f = follow_branches(high_truss, left, 2);
  assert_int_equal(f.status, VIVA_OK);
  double least = 0;
  for (size_t i = 0; i < viva_positions_count(f.p); i++) least = fmin(least, value(&f, i, "B.x"));
  assert_true(fabs(least + most) < 1e-9); // its mirror image
  leave(&f);
}

// ---- many unknowns

// The same column with more links than are proved: found by the number of unstable directions; its branch is stable.
static void bifurcations_of_large_structures_are_found(void **state) {
  (void)state;
  char text[5000];
  read_example("column.viva", text, sizeof text);
  const char *old = "n = 4";
  char *at = strstr(text, old);
  assert_non_null(at);
  for (int n = 20; n <= 60; n += 40) {
    char changed[5100];
    snprintf(changed, sizeof changed, "%.*sn = %d%s", (int)(at - text), text, n, at + strlen(old));
    for (int32_t branch = 0; branch <= 1; branch++) {
      Found f = follow_branch(changed, branch);
      assert_int_equal(f.status, VIVA_OK);
      assert_true(says(&f, "\"branch\": \"estimated\""));
      double exact = 4.0 * n * n * pow(sin(pi / (2 * n)), 2);
      assert_true(fabs(load_of(&f, "bifurcation") - exact) < 1e-8 * exact);
      assert_true(says(&f, "\"type\": \"symmetric\"") && fact(&f, "\"bend\": ") > 0);
      assert_true(says(&f, "\"unstable\": [0, 1, 0]"));
      assert_int_equal(viva_positions_count(f.p), 8); // seven of the drive, and the bifurcation
      assert_int_equal((int)value(&f, 7, "unstable"), branch ? 0 : 1);
      leave(&f);
    }
  }
}

// tests/unit/statics has the same references; here they are the ends of paths by sparse matrices.
static void hanging_chain_ends_at_its_reference(void **state) {
  (void)state;
  const char *text = "param n = %d, h = 0\nnode P[0] = [0, 0] fixed\n"
                     "node P[i] = [i/n, 0.1*i/n - 1.25*i/n*(1 - i/n)] for i in 1 .. n - 1\nnode P[n] = [1, 0.1] fixed\n"
                     "bar b[i]: P[i-1] P[i] length 1.25/n for i in 1 .. n\n"
                     "load P[i] = [h/(n - 1), -1/(n - 1)] for i in 1 .. n - 1\ndrive h from 0.3 to 0 steps 6\n"
                     "output x = P[n/2].x, y = P[n/2].y, first = b[1].force, last = b[n].force\n";
  const struct {
    int n;
    double x, y, first, last;
  } reference[] = {{10, 0.5264869091085446, -0.27860580323576195, 0.5845808139380562, 0.6702271408062134},
                   {100, 0.5262204884430243, -0.2768962198028811, 0.5673838718253389, 0.6479298573276949}};
  for (size_t k = 0; k < 2; k++) {
    char line[700];
    snprintf(line, sizeof line, text, reference[k].n);
    Found f = look(line, "path");
    assert_int_equal(f.status, VIVA_OK);
    assert_true(says(&f, k ? "\"branch\": \"estimated\"" : "\"branch\": \"proved\""));
    size_t last = viva_positions_count(f.p) - 1;
    assert_true(fabs(value(&f, last, "x") - reference[k].x) < 1e-11);
    assert_true(fabs(value(&f, last, "y") - reference[k].y) < 1e-11);
    assert_true(fabs(value(&f, last, "first") - reference[k].first) < 1e-9);
    assert_true(fabs(value(&f, last, "last") - reference[k].last) < 1e-9);
    leave(&f);
  }
}

static double rounded(double x) { return round(x * 1e9) / 1e9; }

// A cantilever of 90 bays with soft diagonals, loaded from nothing to its load.
static void ladder_of_ninety_bays_ends_at_its_reference(void **state) {
  (void)state;
  enum { n = 90, room = 200000 };
  static char text[room];
  double x[2 * n + 3], y[2 * n + 3];
  size_t used = 0;
  for (int i = 0; i <= n; i++) {
    double part = (double)i / n;
    x[2 * i] = i, y[2 * i] = rounded(0.36 * part * part);
    x[2 * i + 1] = rounded(i - 0.63 * part), y[2 * i + 1] = rounded(1.3 - 0.45 * part);
  }
  x[2 * n + 2] = n + 0.9, y[2 * n + 2] = rounded(0.5 * (0.36 + 0.85));
  used += (size_t)snprintf(text + used, room - used, "param s = 0\n");
  for (int i = 0; i < 2 * n + 3; i++)
    used += (size_t)snprintf(text + used, room - used, "node N%d = [%.17g, %.17g]%s\n", i, x[i], y[i],
                             i < 2 ? " fixed" : "");
#define LENGTH(a, b) rounded(hypot(x[a] - x[b], y[a] - y[b]))
#define BAR(a, b)                                                                                                      \
  used += (size_t)snprintf(text + used, room - used, "bar b%d_%d: N%d N%d length %.17g\n", a, b, a, b, LENGTH(a, b))
  for (int i = 1; i <= n; i++) {
    int a = 2 * i - 2, b = 2 * i - 1, c = 2 * i, d = 2 * i + 1;
    BAR(a, c);
    BAR(b, d);
    BAR(c, d);
    used += (size_t)snprintf(text + used, room - used, "spring s%d: N%d N%d stiffness %d length %.17g\n", i, a, d,
                             4000 - 200 * (i % 3), rounded(hypot(x[a] - x[d], y[a] - y[d]) * (1 + 0.01 * (i % 4))));
  }
  BAR(2 * n, 2 * n + 2);
  BAR(2 * n + 1, 2 * n + 2);
  snprintf(text + used, room - used,
           "load N%d = [60*s, -500*s]\nload N%d = [0, -300*s]\nload N%d = [-80*s, -120*s]\n"
           "drive s from 0 to 1 steps 10\noutput x = N%d.x, y = N%d.y\n",
           2 * n + 2, 2 * (n / 2), 2 * n - 1, 2 * n + 2, 2 * n + 2);
  Found f = look(text, "path");
  assert_int_equal(f.status, VIVA_OK);
  size_t last = viva_positions_count(f.p) - 1;
  assert_true(fabs(value(&f, last, "x") - 90.32177179485392) < 1e-9);
  assert_true(fabs(value(&f, last, "y") + 7.497902964735939) < 1e-9);
  leave(&f);
}

// From lists of bars, without equations: every length holds, and a drive asks for equations.
static void chain_of_many_bars_is_assembled_from_lists(void **state) {
  (void)state;
  enum { n = 5000 };
  char text[500];
  snprintf(text, sizeof text,
           "param n = %d\nnode P[0] = [0, 0] fixed\n"
           "node P[i] = [i/n + 0.2*sin(i)/n, -1.25*i/n*(1 - i/n)] for i in 1 .. n - 1\nnode P[n] = [1, 0] fixed\n"
           "bar b[i]: P[i-1] P[i] length 1.25/n for i in 1 .. n\n",
           n);
  viva_load_options load = viva_load_defaults();
  viva_positions_options o = viva_positions_defaults();
  load.at_rest = true;
  o.problem = "initial";
  Found f = {0};
  assert_int_equal(viva_model_parse("test.viva", text, strlen(text), &load, &f.model), VIVA_OK);
  assert_true(viva_positions_listed(f.model, &o));
  assert_int_equal(viva_positions_find(f.model, &o, NULL, &f.p), VIVA_OK);
  assert_int_equal(viva_positions_column_count(f.p), 2 * (n - 1));
  assert_string_equal(viva_positions_column_name(f.p, 1), "P[1].y");
  double x = 0, y = 0;
  for (size_t i = 1; i <= n; i++) {
    double to_x = i < n ? viva_positions_value(f.p, 0, 2 * i - 2) : 1,
           to_y = i < n ? viva_positions_value(f.p, 0, 2 * i - 1) : 0;
    assert_true(fabs(hypot(to_x - x, to_y - y) - 1.25 / n) < 1e-13);
    x = to_x, y = to_y;
  }
  o.problem = "successive";
  viva_positions *none = NULL;
  assert_int_equal(viva_positions_find(f.model, &o, NULL, &none), VIVA_EUSAGE);
  leave(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(von_mises_truss_goes_by_its_closed_form),
      cmocka_unit_test(column_buckles_at_the_load_of_its_links),
      cmocka_unit_test(place_that_is_driven_has_its_force),
      cmocka_unit_test(buckled_column_of_two_links_goes_by_its_closed_form),
      cmocka_unit_test(bar_on_a_spring_has_an_unstable_branch),
      cmocka_unit_test(transcritical_bifurcation_is_told),
      cmocka_unit_test(branch_that_joins_the_main_path_is_told),
      cmocka_unit_test(bifurcations_of_large_structures_are_found),
      cmocka_unit_test(hanging_chain_ends_at_its_reference),
      cmocka_unit_test(ladder_of_ninety_bays_ends_at_its_reference),
      cmocka_unit_test(chain_of_many_bars_is_assembled_from_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
