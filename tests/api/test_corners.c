// Load paths over corners of laws, and structures drawn on a line.
#include "positions_frame.h"

static Found over(const char *text, const char *range) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = "path";
  o.over = range;
  return look_by(text, &o);
}

// The number of singular points of a kind.
static int count_of(const Found *f, const char *kind) {
  char words[80];
  int count = 0;
  snprintf(words, sizeof words, "\"kind\": \"%s\"", kind);
  for (const char *at = f->json; (at = strstr(at, words)) != NULL; at++) count++;
  return count;
}

// x = F/2 to the stop at 10, then 2 x + k (x - 10) = F.
static void stop_that_is_met_stiffens_the_path(void **state) {
  (void)state;
  const double stiff[] = {10, 1e2, 1e4, 1e6};
  for (size_t k = 0; k < 4; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "param F = 0\ncoord x = 0\nkinetic 1/2*x'^2\npotential x^2 - F*x\n"
             "stop x in -inf .. 10 stiffness %.17g\n",
             stiff[k]);
    const char *ranges[] = {"F=0:5:30", "F=0:3:31", "F=0:30"};
    for (size_t r = 0; r < 3; r++) {
      Found f = over(text, ranges[r]);
      assert_int_equal(f.status, VIVA_OK);
      size_t rows = viva_positions_count(f.p);
      for (size_t i = 0; i < rows; i++) {
        double F = value(&f, i, "F"), x = F < 20 ? F / 2 : (F + 10 * stiff[k]) / (2 + stiff[k]);
        assert_true(fabs(value(&f, i, "x") - x) < 1e-8);
      }
      assert_true(count_of(&f, "corner") <= 1 && count_of(&f, "limit point") == 0);
      leave(&f);
    }
  }
}

// A mast of length 1 between two cables: the one in its lee is slack from |T - R| = 1.4 on, at x = 0.02. Behind that
// F y = a.force * (its lever): a.force y/|T - L| about the foot, with |T - L| = sqrt(2 + 2 x).
static void cable_that_slackens_is_passed(void **state) {
  (void)state;
  Found f = over("param F = 0 [N]\nnode O = [0, 0] fixed\nnode L = [-1, 0] fixed\nnode R = [1, 0] fixed\n"
                 "node T = [0, 1]\nbar m: O T\ncable a: L T stiffness 100 length 1.4\n"
                 "cable b: R T stiffness 100 length 1.4\nload T = [F, 0]\noutput T.x, T.y, a.force, b.force\n",
                 "F=0:1:20");
  assert_int_equal(f.status, VIVA_OK);
  assert_int_equal(count_of(&f, "corner"), 1);
  double last = 0;
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double x = value(&f, i, "T.x"), y = value(&f, i, "T.y"), l = sqrt(2 + 2 * x), r = sqrt(2 - 2 * x);
    double a = 100 * fmax(l - 1.4, 0), b = 100 * fmax(r - 1.4, 0);
    assert_true(fabs(value(&f, i, "a.force") - a) < 1e-7 && fabs(value(&f, i, "b.force") - b) < 1e-7);
    // moments about the foot: of F, and of both cables, whose directions are (L - T)/l and (R - T)/r
    assert_true(fabs(value(&f, i, "F") * y - (a / l - b / r) * y) < 1e-7);
    assert_true(x >= last - 1e-12);
    last = x;
  }
  const char *corner = strstr(f.json, "\"kind\": \"corner\"");
  assert_non_null(corner);
  const char *at = strstr(corner, "\"T.x\": ");
  assert_non_null(at);
  assert_true(fabs(strtod(at + 7, NULL) - 0.02) < 1e-9);
  leave(&f);
}

// A law that rises to 2 at x = 1, falls to 0 at x = 2, and rises again: the path turns back at both corners.
static void law_that_falls_is_followed_round_its_corners(void **state) {
  (void)state;
  const char *text = "param F = 0\ncoord x = 0\nkinetic 1/2*x'^2\n"
                     "power (F - if(x < 1, 2*x, if(x < 2, 4 - 2*x, 4*(x - 2))))*x'\n";
  const char *ranges[] = {"F=0:0.5:3", "F=0:0.7:2.8", "F=0:3"};
  for (size_t r = 0; r < 3; r++) {
    Found f = over(text, ranges[r]);
    assert_int_equal(f.status, VIVA_OK);
    double last = -1;
    for (size_t i = 0; i < viva_positions_count(f.p); i++) {
      double x = value(&f, i, "x"), law = x < 1 ? 2 * x : x < 2 ? 4 - 2 * x : 4 * (x - 2);
      double unstable = value(&f, i, "unstable");
      assert_true(fabs(value(&f, i, "F") - law) < 1e-8);
      assert_true(x > last - 1e-9); // never back on the way that it came
      if (!isnan(unstable) && fabs(x - 1) > 1e-6 && fabs(x - 2) > 1e-6) assert_int_equal((int)unstable, x > 1 && x < 2);
      last = x;
    }
    assert_int_equal(count_of(&f, "corner"), 2);
    assert_true(last > 2.69);
    leave(&f);
  }
}

// Two stops one behind the other.
static void corners_that_follow_each_other_are_all_passed(void **state) {
  (void)state;
  Found f = over("param F = 0\ncoord x = 0, y = 0\nkinetic 1/2*x'^2 + 1/2*y'^2\n"
                 "potential x^2 - F*x + 3*max(x - 1, 0)^2 + 1/2*(y - x)^2 + 5*max(y - 2, 0)^2\n",
                 "F=0:0.75:12");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double F = value(&f, i, "F"), x = value(&f, i, "x"), y = value(&f, i, "y");
    assert_true(fabs(2 * x - F + 6 * fmax(x - 1, 0) + x - y) < 1e-8);
    assert_true(fabs(y - x + 10 * fmax(y - 2, 0)) < 1e-8);
  }
  leave(&f);
}

// A lever of three nodes on one line: the foot of a spring at its end goes by the angle of the lever.
static void body_on_a_line_is_rigid_in_a_plane(void **state) {
  (void)state;
  Found f = look("node A = [0, 0] fixed\nnode B = [1, 0.5]\nnode C = [3, 1.5]\nnode D = [-1, -0.5]\nrigid L: A B C D\n"
                 "drive B.y from 0.5 to 0.9 steps 8\noutput C, D\n",
                 "successive");
  assert_int_equal(f.status, VIVA_OK);
  for (size_t i = 0; i < viva_positions_count(f.p); i++) {
    double y = value(&f, i, "B.y"), x = sqrt(1.25 - y * y);
    assert_true(fabs(value(&f, i, "C.x") - 3 * x) < 1e-12 && fabs(value(&f, i, "C.y") - 3 * y) < 1e-12);
    assert_true(fabs(value(&f, i, "D.x") + x) < 1e-12 && fabs(value(&f, i, "D.y") + y) < 1e-12);
  }
  leave(&f);
}

// The same lever at rest, from lists of nodes: a weight of 10 N at C, a spring from B straight down. Moments about A:
// 10*3 = k e with the lever level, e = 0.3.
static void body_on_a_line_rests(void **state) {
  (void)state;
  const char *text =
      "node A = [0, 0] fixed\nnode B = [1, 0]\nnode C = [3, 0]\nrigid L: A B C\nnode S = [1, 0.7] fixed\n"
      "spring s: B S stiffness 100 length 0.4\nload C = [0, -10]\n";
  viva_load_options load = viva_load_defaults();
  viva_equilibrium_options o = viva_equilibrium_defaults();
  for (int lists = 0; lists < 2; lists++) {
    viva_model *model = NULL;
    viva_equilibrium *e = NULL;
    load.at_rest = lists;
    assert_int_equal(viva_model_parse("test.viva", text, strlen(text), &load, &model), VIVA_OK);
    assert_int_equal(viva_equilibrium_find(model, &o, &e), VIVA_OK);
    const char *json = viva_equilibrium_text(e, VIVA_FORMAT_JSON);
    assert_non_null(json);
    const char *spring = lists ? strstr(json, "\"s\": {\"force\": ") : NULL;
    assert_non_null(strstr(json, "\"verdict\": \"stable\""));
    if (lists) assert_non_null(spring);
    if (lists) assert_true(fabs(strtod(spring + strlen("\"s\": {\"force\": "), NULL) - 30) < 1e-9);
    viva_equilibrium_free(e);
    viva_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stop_that_is_met_stiffens_the_path),
      cmocka_unit_test(cable_that_slackens_is_passed),
      cmocka_unit_test(law_that_falls_is_followed_round_its_corners),
      cmocka_unit_test(corners_that_follow_each_other_are_all_passed),
      cmocka_unit_test(body_on_a_line_is_rigid_in_a_plane),
      cmocka_unit_test(body_on_a_line_rests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
