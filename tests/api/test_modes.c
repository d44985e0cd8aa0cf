// Assembly modes against counts that are known, and load paths against closed forms.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct Found {
  viva_model *model;
  viva_positions *p;
  viva_status status;
  const char *json;
} Found;

static Found look(const char *text, const char *problem, uint64_t seed) {
  Found f = {0};
  viva_load_options load = viva_load_defaults();
  assert_int_equal(viva_model_parse("test.viva", text, strlen(text), &load, &f.model), VIVA_OK);
  viva_positions_options o = viva_positions_defaults();
  o.problem = problem;
  o.seed = seed;
  f.status = viva_positions_find(f.model, &o, NULL, &f.p);
  f.json = viva_positions_text(f.p, VIVA_FORMAT_JSON);
  return f;
}

static Found look_file(const char *name, const char *problem, uint64_t seed) {
  char path[600], text[5000] = "";
  snprintf(path, sizeof path, "%s/examples/positions/%s", VIVA_ROOT, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  return look(text, problem, seed);
}

static void leave(Found *f) {
  viva_positions_free(f->p);
  viva_model_free(f->model);
}

// A number of the JSON text.
static double fact(const Found *f, const char *key) {
  const char *at = strstr(f->json, key);
  assert_non_null(at);
  return strtod(at + strlen(key), NULL);
}

static bool is_all(const Found *f) { return strstr(f->json, "\"all\": true") != NULL; }
static double modes(const Found *f) { return fact(f, "\"modes\": {\"all\": true, \"count\": "); }
static double solutions(const Found *f) { return fact(f, "\"solutions\": "); }

static double value(const Found *f, size_t row, const char *name) {
  for (size_t i = 0; i < viva_positions_column_count(f->p); i++) {
    if (strcmp(viva_positions_column_name(f->p, i), name) == 0) return viva_positions_value(f->p, row, i);
  }
  fail_msg("no column %s", name);
  return NAN;
}

// ---- modes

static double chance(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

// Two circles meet in 0 or 2 points; where they touch nothing says "all".
static void random_four_bars_have_none_or_two(void **state) {
  (void)state;
  uint64_t seed = 7;
  int none = 0, two = 0;
  for (int k = 0; k < 1000; k++) {
    double a = 0.3 + 2 * chance(&seed), b = 0.3 + 3 * chance(&seed), c = 0.3 + 3 * chance(&seed),
           t = 6.28 * chance(&seed);
    double e = hypot(3 - a * cos(t), a * sin(t));
    char text[500];
    snprintf(text, sizeof text,
             "node A = [0, 0] fixed\nnode D = [3, 0] fixed\nnode B = [1, 0.1]\nnode C = [2, 1]\n"
             "bar AB: A B length %.17g\nbar BC: B C length %.17g\nbar CD: C D length %.17g\n"
             "drive AB.angle from %.17g to 7 steps 1\n",
             a, b, c, t);
    Found f = look(text, "modes", 1);
    int expected = e < b + c && e > fabs(b - c) ? 2 : 0;
    assert_int_equal(f.status, VIVA_OK);
    assert_true(is_all(&f));
    assert_int_equal((int)modes(&f), expected);
    assert_int_equal((int)solutions(&f), 4); // with the crank the other way round
    none += expected == 0;
    two += expected == 2;
    leave(&f);
  }
  assert_true(none > 50 && two > 50);
}

static void circles_that_touch_are_not_called_all(void **state) {
  (void)state;
  Found f =
      look("node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode B = [1, 0.1]\nnode C = [2, 1]\nbar AB: A B length 1\n"
           "bar BC: B C length 1\nbar CD: C D length 2\ndrive AB.angle from 0 to 1 steps 1\n",
           "modes", 1);
  assert_int_equal(f.status, VIVA_OK);
  assert_false(is_all(&f));
  leave(&f);
}

// The curve of a coupler point is of sixth order, and a circle meets it in 6 points beside those at infinity; the
// triangle of the coupler may be turned over, and the driven bar may stand the other way round: 6 * 2 * 2.
static void coupler_curve_meets_a_circle_in_six_points(void **state) {
  (void)state;
  const char *text = "node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode G = [6, -1] fixed\nnode B = [1, 0]\n"
                     "node C = [3.2, 2.9]\nnode E = [2, 3.5]\nnode F = [5, 3]\nbar AB: A B length 1\n"
                     "bar BC: B C length 3.5\nbar CD: C D length 3\nbar BE: B E length 3.4\nbar CE: C E length 1.6\n"
                     "bar EF: E F length 3.1\nbar FG: F G length 4.2\ndrive FG.angle from %g to 3 steps 1\n";
  char line[800];
  snprintf(line, sizeof line, text, -1.3);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    Found f = look(line, "modes", seed);
    assert_int_equal(f.status, VIVA_OK);
    assert_true(is_all(&f));
    assert_int_equal((int)solutions(&f), 24);
    leave(&f);
  }
}

static void watt_and_stephenson_driven_by_the_crank_are_dyads(void **state) {
  (void)state;
  Found f = look_file("stephenson.viva", "modes", 1);
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 16); // three dyads, two ways each, and the crank turned
  assert_int_equal((int)modes(&f), 8);
  leave(&f);
  f = look_file("six_bar.viva", "modes", 1);
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 16);
  leave(&f);
}

static void stewart_platform_has_forty(void **state) {
  (void)state;
  Found f = look_file("stewart.viva", "modes", 5);
  assert_int_equal(f.status, VIVA_OK);
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 40);
  // the drawing is the first of them
  assert_true(fabs(value(&f, 0, "P[1].z") - 1.2) < 1e-12);
  leave(&f);
}

// ---- load paths

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
  Found f = look_file("von_mises.viva", "path", 1);
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
                     "torsion P[i - 1] P[i] P[i + 1] stiffness c angle pi for i in 1 .. n - 1\n"
                     "load P[n] = [0, -F]\ndrive F from 0 to 12 steps 4\noutput P[n].y\n";
  const int counts[] = {2, 3, 4};
  double before = 0;
  for (size_t k = 0; k < 3; k++) {
    char line[700];
    int n = counts[k];
    snprintf(line, sizeof line, text, n);
    Found f = look(line, "path", 1);
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
           "path", 1);
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double y = value(&f, i, "B.y");
    assert_true(fabs(value(&f, i, "AB.force") - 1000 * (hypot(1, y) - hypot(1, 0.3))) < 1e-10);
    assert_int_equal((int)value(&f, i, "unstable"), 0);
  }
  leave(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_four_bars_have_none_or_two),
      cmocka_unit_test(circles_that_touch_are_not_called_all),
      cmocka_unit_test(coupler_curve_meets_a_circle_in_six_points),
      cmocka_unit_test(watt_and_stephenson_driven_by_the_crank_are_dyads),
      cmocka_unit_test(stewart_platform_has_forty),
      cmocka_unit_test(von_mises_truss_goes_by_its_closed_form),
      cmocka_unit_test(column_buckles_at_the_load_of_its_links),
      cmocka_unit_test(place_that_is_driven_has_its_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
