// Assembly modes against counts that are known, by homotopy and by elimination.
#include "tests/api/positions_frame.h"

static Found look_seeded(const char *text, uint64_t seed) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = "modes";
  o.seed = seed;
  return look_by(text, &o);
}

static bool is_all(const Found *f) { return strstr(f->json, "\"all\": true") != NULL; }
static double modes(const Found *f) { return fact(f, "\"modes\": {\"all\": true, \"count\": "); }
static double solutions(const Found *f) { return fact(f, "\"solutions\": "); }

// ---- four-bars

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
    write_four_bar(text, sizeof text, a, b, c, t);
    Found f = look(text, "modes");
    int expected = e < b + c && e > fabs(b - c) ? 2 : 0;
    assert_int_equal(f.status, VIVA_OK);
    assert_true(is_all(&f));
    assert_int_equal((int)modes(&f), expected);
    assert_int_equal((int)solutions(&f), 4); // with the crank the other way round
    assert_int_equal((int)fact(&f, "\"transitions\": "), 0);
    none += expected == 0;
    two += expected == 2;
    leave(&f);
  }
  assert_true(none > 50 && two > 50);
}

// Circles that touch, from outside or from inside, at any angle: one position, where two modes meet.
static void circles_that_touch_are_a_transition(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < 40; k++) {
    double a = 0.3 + 2 * chance(&seed), b = 0.3 + 1.5 * chance(&seed), t = 6.28 * chance(&seed);
    double e = hypot(3 - a * cos(t), a * sin(t)), c = k % 2 ? e - b : e + b;
    if (!(c > 0.2)) continue;
    char text[500];
    write_four_bar(text, sizeof text, a, b, c, t);
    Found f = look(text, "modes");
    assert_int_equal(f.status, VIVA_OK);
    // rounding may part them, or take them away: then they are two or none, and never one that is proved
    int count = (int)fact(&f, "\"count\": "), meet = (int)fact(&f, "\"transitions\": ");
    assert_true((meet == 1 && count == 0 && !is_all(&f)) || (meet == 0 && (count == 2 || count == 0)));
    if (meet != 1) assert_true(count == 2 || says(&f, "\"doubtful\": 2") || is_all(&f));
    leave(&f);
  }
  // exact numbers: A, B, C and D lie in one line
  Found f =
      look("node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode B = [1, 0.1]\nnode C = [2, 1]\nbar AB: A B length 1\n"
           "bar BC: B C length 1\nbar CD: C D length 2\ndrive AB.angle from 0 to 1 steps 1\n",
           "modes");
  assert_int_equal((int)fact(&f, "\"transitions\": "), 1);
  assert_true(says(&f, "\"kind\": \"transition\"") && !is_all(&f));
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
    Found f = look_seeded(line, seed);
    assert_int_equal(f.status, VIVA_OK);
    assert_true(is_all(&f));
    assert_int_equal((int)solutions(&f), 24);
    leave(&f);
  }
}

static void watt_and_stephenson_driven_by_the_crank_are_dyads(void **state) {
  (void)state;
  Found f = look_file("stephenson.viva", "modes");
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 16); // three dyads, two ways each, and the crank turned
  assert_int_equal((int)modes(&f), 8);
  leave(&f);
  f = look_file("six_bar.viva", "modes");
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 16);
  leave(&f);
}

static void stewart_platform_has_forty(void **state) {
  (void)state;
  Found f = look_file("stewart.viva", "modes");
  assert_int_equal(f.status, VIVA_OK);
  assert_true(is_all(&f));
  assert_int_equal((int)solutions(&f), 40);
  // the drawing is the first of them
  assert_true(fabs(value(&f, 0, "P[1].z") - 1.2) < 1e-12);
  leave(&f);
}

// ---- a second way

static Found look_twice(const char *text) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = "modes";
  o.compare = true;
  return look_by(text, &o);
}

// Random six-bars of four kinds, drawn in a position that they have: homotopy and elimination list the same modes.
static void elimination_lists_the_same_modes(void **state) {
  (void)state;
  static const struct {
    const char *bars, *fixed, *driven;
    bool slider;
    int degree;
  } kinds[] = {{"AB BC CD BE CE EF FG ", "ADG", "FG", false, 12},
               {"AB BC CD CE DE EF FG ", "ADG", "FG", false, 0},
               {"AB BC CE EB ED CF FG ", "ADG", "AB", false, 0},
               {"AB BC BE CE EF FG ", "AG", "FG", true, 0}};
  uint64_t seed = 11;
  int compared = 0, real = 0;
  for (int k = 0; k < 24; k++) {
    double x[7], y[7];
    char text[1500] = "";
    size_t used = 0;
    for (int i = 0; i < 7; i++) {
      x[i] = 6 * chance(&seed) - 3, y[i] = 6 * chance(&seed) - 3;
      char name = (char)('A' + i);
      if (kinds[k % 4].slider && name == 'D') continue;
      used += (size_t)snprintf(text + used, sizeof text - used, "node %c = [%.17g, %.17g]%s\n", name, x[i], y[i],
                               strchr(kinds[k % 4].fixed, name) ? " fixed" : "");
    }
    for (const char *b = kinds[k % 4].bars; *b; b += 3)
      used += (size_t)snprintf(text + used, sizeof text - used, "bar %c%c: %c %c\n", b[0], b[1], b[0], b[1]);
    if (kinds[k % 4].slider) used += (size_t)snprintf(text + used, sizeof text - used, "slider C along [1, 0.3]\n");
    const char *d = kinds[k % 4].driven;
    double angle = atan2(y[d[1] - 'A'] - y[d[0] - 'A'], x[d[1] - 'A'] - x[d[0] - 'A']);
    snprintf(text + used, sizeof text - used, "drive %s.angle from %.17g to 9 steps 1\n", d, angle);
    Found f = look_twice(text);
    assert_int_equal(f.status, VIVA_OK);
    if (says(&f, "\"apart\": null")) print_message("%s", text);
    assert_true(!says(&f, "\"apart\": null"));
    assert_true(fact(&f, "\"apart\": ") < 1e-9);
    assert_true(fact(&f, "\"count\": ") >= 1); // the drawing
    if (kinds[k % 4].degree) assert_int_equal((int)fact(&f, "\"degree\": "), kinds[k % 4].degree);
    compared++;
    real += (int)fact(&f, "\"count\": ");
    leave(&f);
  }
  assert_true(real > compared); // more than the drawings
}

static void elimination_says_what_it_cannot(void **state) {
  (void)state;
  viva_positions_options o = viva_positions_defaults();
  char text[5000];
  o.problem = "modes";
  o.resultants = true;
  read_example("stewart.viva", text, sizeof text);
  Found f = look_by(text, &o);
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_positions_message(f.p), "resultants are taken of planar linkages"));
  leave(&f);
}

// Settings that start a motion from a mode: all of its constraints hold there.
static void motion_starts_from_a_mode(void **state) {
  (void)state;
  const char *text =
      "node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode B = [0.7, 0.7] mass 1\nnode C = [3, 2.5] mass 1\n"
      "bar AB: A B length 1\nbar BC: B C length 3.5\nbar CD: C D length 3\n"
      "drive AB.angle from 0.5 to 3 steps 10\nsimulate to 0.1\n";
  Found f = look(text, "modes");
  assert_int_equal((int)modes(&f), 2);
  for (size_t k = 0; k < 2; k++) {
    const char *set[4];
    assert_int_equal(viva_positions_start_count(f.p, k), 4);
    for (size_t i = 0; i < 4; i++) set[i] = viva_positions_start(f.p, k, i);
    viva_load_options load = viva_load_defaults();
    load.set = set;
    load.set_count = 4;
    viva_model *model = NULL;
    viva_run *run = NULL;
    assert_int_equal(viva_model_parse("test.viva", text, strlen(text), &load, &model), VIVA_OK);
    assert_int_equal(viva_run_model(model, NULL, NULL, &run), VIVA_OK);
    // nothing pulls: it stays in its mode
    for (size_t i = 0; i < viva_run_value_count(run); i++) {
      if (strcmp(viva_run_value_name(run, i), "C.y") == 0)
        assert_true(fabs(viva_run_value(run, i) - value(&f, k, "C.y")) < 1e-12);
    }
    viva_run_free(run);
    viva_model_free(model);
  }
  assert_null(viva_positions_start(f.p, 2, 0));
  leave(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_four_bars_have_none_or_two),
      cmocka_unit_test(circles_that_touch_are_a_transition),
      cmocka_unit_test(coupler_curve_meets_a_circle_in_six_points),
      cmocka_unit_test(watt_and_stephenson_driven_by_the_crank_are_dyads),
      cmocka_unit_test(stewart_platform_has_forty),
      cmocka_unit_test(elimination_lists_the_same_modes),
      cmocka_unit_test(elimination_says_what_it_cannot),
      cmocka_unit_test(motion_starts_from_a_mode),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
