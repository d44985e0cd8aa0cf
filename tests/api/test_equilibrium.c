// Equilibria against closed forms, and searches against systems whose zeros are known because they were made from them.
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

typedef struct Found {
  viva_model *model;
  viva_equilibrium *e;
  viva_status status;
} Found;

static Found look(const char *text, const char *at, const char *search) {
  Found f = {0};
  viva_load_options load = viva_load_defaults();
  assert_int_equal(viva_model_parse("test.viva", text, strlen(text), &load, &f.model), VIVA_OK);
  viva_equilibrium_options o = viva_equilibrium_defaults();
  const char *list[] = {at};
  o.at = list;
  o.at_count = at ? 1 : 0;
  o.search = search;
  f.status = viva_equilibrium_find(f.model, &o, &f.e);
  return f;
}

static void end(Found *f) {
  viva_equilibrium_free(f->e);
  viva_model_free(f->model);
}

static double value(const Found *f, size_t index, const char *name) {
  for (size_t i = 0; i < viva_equilibrium_value_count(f->e); i++) {
    if (strcmp(viva_equilibrium_value_name(f->e, i), name) == 0) return viva_equilibrium_value(f->e, index, i);
  }
  fail_msg("there is no value %s", name);
  return NAN;
}

static void near_by(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.17g is not %.17g", x, expected);
}

// ---- downhill

static void pendulum_hangs_wherever_it_starts(void **state) {
  (void)state;
  const char *text = "coord th = 3.14\nkinetic 1/2*th'^2\npotential -9.81*cos(th)\n";
  static const char *const starts[] = {"th=pi", "th=3", "th=-2", "th=0.001", "th=1.5707963267948966"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    Found f = look(text, starts[i], NULL);
    assert_int_equal(f.status, VIVA_OK);
    near_by(cos(value(&f, 0, "th")), 1, 1e-14);
    assert_int_equal(viva_equilibrium_verdict(f.e, 0), VIVA_STABLE);
    near_by(viva_equilibrium_potential(f.e, 0), -9.81, 1e-13);
    end(&f);
  }
}

// A bead on a rod under gravity: the multiplier of x^2 + y^2 = 1 at the bottom is m g / (2 y) = -m g / 2.
static void rod_carries_the_weight(void **state) {
  (void)state;
  Found f = look("coord x = 0.6, y = 0.8\nkinetic x'^2 + y'^2\npotential 2*9.81*y\nconstraint rod: x^2 + y^2 = 1\n",
                 NULL, NULL);
  assert_int_equal(f.status, VIVA_OK);
  near_by(value(&f, 0, "x"), 0, 1e-12);
  near_by(value(&f, 0, "y"), -1, 1e-13);
  near_by(value(&f, 0, "lambda.rod"), -9.81, 1e-12);
  assert_int_equal(viva_equilibrium_verdict(f.e, 0), VIVA_STABLE);
  end(&f);
}

// Two rods of one chain under gravity hang straight: tensions are those of the weights below.
static void chain_hangs_straight(void **state) {
  (void)state;
  Found f = look("coord x1 = 0.8, y1 = 0.6, x2 = 1.6, y2 = 0\n"
                 "kinetic 1/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)\npotential 10*(y1 + y2)\n"
                 "constraint a: x1^2 + y1^2 = 1\nconstraint b: (x2 - x1)^2 + (y2 - y1)^2 = 1\n",
                 NULL, NULL);
  assert_int_equal(f.status, VIVA_OK);
  near_by(value(&f, 0, "y1"), -1, 1e-12);
  near_by(value(&f, 0, "y2"), -2, 1e-12);
  near_by(value(&f, 0, "lambda.a"), -10, 1e-10); // 2 y1 lambda = 20
  near_by(value(&f, 0, "lambda.b"), -5, 1e-10);
  end(&f);
}

static void forces_that_have_a_potential_count(void **state) {
  (void)state;
  // a spring as a force, a weight as a force: x = -g/k; no formula for the potential, and still a verdict by it
  Found f = look("coord x = 3\nkinetic 1/2*x'^2\nforce x = -4*x - 2*x^3 + 12\n", NULL, NULL);
  assert_int_equal(f.status, VIVA_OK);
  double x = value(&f, 0, "x");
  near_by(4 * x + 2 * x * x * x, 12, 1e-11);
  assert_int_equal(viva_equilibrium_verdict(f.e, 0), VIVA_STABLE);
  end(&f);
}

static void what_falls_forever_is_told(void **state) {
  (void)state;
  Found f = look("coord x = 0, y = 1\nkinetic 1/2*(x'^2 + y'^2)\npotential 9.81*y + 1/2*x^2\n", NULL, NULL);
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_equilibrium_message(f.e), "falls without bound"));
  assert_non_null(strstr(viva_equilibrium_message(f.e), "y by -1"));
  end(&f);
  f = look("coord th = 0\nkinetic 1/2*th'^2\npotential -cos(th)\nforce th = 1.5\n", NULL, NULL);
  assert_int_equal(f.status, VIVA_EFAIL);
  end(&f);
}

static void verdicts_of_higher_order_and_mechanisms(void **state) {
  (void)state;
  Found f = look("coord x = 0.3\nkinetic 1/2*x'^2\npotential x^4\n", NULL, NULL);
  assert_int_equal(viva_equilibrium_verdict(f.e, 0), VIVA_SINGULAR);
  end(&f);
  f = look("coord x = 0.3, y = 1\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*(x - y)^2\n", NULL, NULL);
  assert_int_equal(viva_equilibrium_verdict(f.e, 0), VIVA_MECHANISM);
  near_by(value(&f, 0, "x"), value(&f, 0, "y"), 1e-12);
  end(&f);
}

static void constraints_that_contradict_are_named(void **state) {
  (void)state;
  Found f = look("coord x = 1, y = 0\nkinetic 1/2*(x'^2 + y'^2)\npotential y\nconstraint a: x^2 + y^2 = 1\n"
                 "constraint b: (x - 5)^2 + y^2 = 1\n",
                 NULL, NULL);
  assert_int_equal(f.status, VIVA_EFAIL);
  assert_non_null(strstr(viva_equilibrium_message(f.e), "no place obeys the constraints"));
  end(&f);
}

// Friction sticks where it starts; a hysteresis keeps its branch.
static void friction_sticks(void **state) {
  (void)state;
  Found f = look("coord x = 0.1\nkinetic 1/2*x'^2\npotential 5*x^2\nforce x = friction(x', 2)\n", NULL, NULL);
  assert_int_equal(f.status, VIVA_OK);
  near_by(value(&f, 0, "x"), 0.1, 0);
  assert_non_null(strstr(viva_equilibrium_text(f.e, VIVA_FORMAT_TEXT), "one of a range of equilibria"));
  end(&f);
}

// ---- searches

static void counts_are_those_of_closed_forms(void **state) {
  (void)state;
  static const struct {
    const char *text, *box;
    size_t all, stable;
  } cases[] = {
      {"coord a\nkinetic 1/2*a'^2\npotential -cos(a)\n", "", 2, 1},
      {"coord a, b\nkinetic 1/2*a'^2 + 1/2*b'^2\npotential -2*cos(a) - cos(b)\n", "", 4, 1},
      {"coord x, a\nkinetic 1/2*x'^2 + 1/2*a'^2 + 1/10*x'*a'*cos(a)\npotential -cos(a)\n", "", 2,
       0}, // cart: moves along
      {"state x = 1, v\nx' = v\nv' = x - x^3 - v/5\n", "x=-2:2,v=-1:1", 3, 2},
      {"param k = 1000, a = 1, h = 3/10\ncoord w\nkinetic 1/2*w'^2\n"
       "potential k*(sqrt(a^2 + (h - w)^2) - sqrt(a^2 + h^2))^2\n",
       "w=-1:2", 3, 2},
      {"param A = 1, B = 3/2\nstate x = 1, y = 1\nx' = A + x^2*y - B*x - x\ny' = B*x - x^2*y\n", "x=-5:5,y=-5:5", 1, 1},
      {"param A = 1, B = 5/2\nstate x = 1, y = 1\nx' = A + x^2*y - B*x - x\ny' = B*x - x^2*y\n", "x=-5:5,y=-5:5", 1, 0},
      {"coord a\nkinetic 1/2*a'^2 + 25/2*sin(a)^2\npotential -9.81*cos(a)\n", "", 4, 2}, // a bead on a hoop that turns
      {"coord x\nkinetic 1/2*x'^2\npotential exp(x)\n", "x=-20:20", 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Found f = look(cases[i].text, NULL, cases[i].box);
    if (f.status != VIVA_OK) fail_msg("%zu: %s", i, viva_equilibrium_message(f.e));
    size_t stable = 0, count = viva_equilibrium_count(f.e);
    for (size_t k = 0; k < count; k++) stable += viva_equilibrium_verdict(f.e, k) == VIVA_STABLE;
    if (!viva_equilibrium_complete(f.e) || count != cases[i].all || stable != cases[i].stable)
      fail_msg("%zu: %zu found, %zu stable\n%s", i, count, stable, viva_equilibrium_text(f.e, VIVA_FORMAT_TEXT));
    end(&f);
  }
}

static void what_is_not_decided_is_not_all(void **state) {
  (void)state;
  static const char *const texts[][2] = {
      {"coord x = 0.3\nkinetic 1/2*x'^2\npotential x^4\n", "x=-1:1"},                                // a triple zero
      {"coord x = 0.3\nkinetic 1/2*x'^2\npotential x^3\n", "x=-1:1"},                                // a double one
      {"coord x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 1/2*(x^2 + y^2 - 1)^2\n", "x=-2:2,y=-2:2"}, // a circle of them
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Found f = look(texts[i][0], NULL, texts[i][1]);
    assert_int_equal(f.status, VIVA_OK);
    assert_false(viva_equilibrium_complete(f.e));
    end(&f);
  }
}

// ---- generated systems

static uint64_t seed = 20261116;
static double uniform(double lo, double hi) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(seed >> 11) / 9007199254740992.0;
}

enum { most_zeros = 8 };

// Zeros of x are r_1 .. r_k (apart from each other), y = a x + b x^2 + c on them; both equations are mixed by a regular
// matrix, so that nothing is left of the triangle. Some zeros lie outside of the box.
static size_t make_system(char *text, size_t room, double zeros[most_zeros][2], size_t *count) {
  size_t k = 1 + (size_t)uniform(0, 4.999), inside = 0;
  double r[most_zeros], a = uniform(-1, 1), b = uniform(-0.3, 0.3), c = uniform(-1, 1), m[4];
  for (size_t i = 0; i < k; i++) {
    bool apart;
    do {
      r[i] = uniform(-3, 3);
      apart = fabs(fabs(r[i]) - 2) > 1e-3;
      for (size_t j = 0; j < i; j++) apart = apart && fabs(r[i] - r[j]) > 0.02;
    } while (!apart);
  }
  do
    for (int i = 0; i < 4; i++) m[i] = uniform(-2, 2);
  while (fabs(m[0] * m[3] - m[1] * m[2]) < 0.3);
  char p[512] = "", q[128];
  for (size_t i = 0; i < k; i++) snprintf(p + strlen(p), sizeof p - strlen(p), "%s(x - (%.17g))", i ? "*" : "", r[i]);
  snprintf(q, sizeof q, "(y - (%.17g)*x - (%.17g)*x^2 - (%.17g))", a, b, c);
  *count = 0;
  for (size_t i = 0; i < k; i++) {
    if (fabs(r[i]) >= 2) continue;
    zeros[inside][0] = r[i];
    zeros[inside++][1] = a * r[i] + b * r[i] * r[i] + c;
  }
  *count = inside;
  return (size_t)snprintf(text, room, "state x, y\nx' = (%.17g)*%s + (%.17g)*%s\ny' = (%.17g)*%s + (%.17g)*%s\n", m[0],
                          p, m[1], q, m[2], p, m[3], q);
}

static bool is_there(const Found *f, const double zero[2]) {
  for (size_t k = 0; k < viva_equilibrium_count(f->e); k++) {
    if (fabs(value(f, k, "x") - zero[0]) < 1e-9 && fabs(value(f, k, "y") - zero[1]) < 1e-9) return true;
  }
  return false;
}

static void all_zeros_of_500_systems_are_found(void **state) {
  (void)state;
  size_t complete = 0;
  for (int i = 0; i < 500; i++) {
    char text[4096];
    double zeros[most_zeros][2];
    size_t count;
    make_system(text, sizeof text, zeros, &count);
    Found f = look(text, NULL, "x=-2:2,y=-8:8");
    assert_int_equal(f.status, VIVA_OK);
    if (viva_equilibrium_complete(f.e)) {
      complete++;
      if (viva_equilibrium_count(f.e) != count)
        fail_msg("system %d has %zu zeros:\n%s%s", i, count, text, viva_equilibrium_text(f.e, VIVA_FORMAT_TEXT));
      for (size_t k = 0; k < count; k++) {
        if (!is_there(&f, zeros[k]))
          fail_msg("system %d: [%.17g, %.17g] is missing:\n%s%s", i, zeros[k][0], zeros[k][1], text,
                   viva_equilibrium_text(f.e, VIVA_FORMAT_JSON));
      }
    }
    end(&f);
  }
  // zeros that are 0.02 apart are simple: every one of them can be told
  assert_int_equal(complete, 500);
}

// ---- many unknowns

// A chain of n springs hangs from its first: x_n = m g/k n (n + 1)/2. Above 600 unknowns the verdict is by the signs of
// pivots.
static void long_chains_hang_by_closed_forms(void **state) {
  (void)state;
  for (int n = 500; n <= 2000; n += 500) {
    char text[400];
    snprintf(text, sizeof text,
             "param n = %d, k = 100, w = 0.01\ncoord x[i] = 0 for i in 1 .. n\nkinetic 1/2*x[i]'^2 for i in 1 .. n\n"
             "potential 1/2*k*x[1]^2 - w*x[1]\npotential 1/2*k*(x[i] - x[i-1])^2 - w*x[i] for i in 2 .. n\n",
             n);
    Found f = look(text, NULL, NULL);
    assert_int_equal(f.status, VIVA_OK);
    char last[20];
    snprintf(last, sizeof last, "x[%d]", n);
    double expected = 0.01 / 100 * n * (n + 1) / 2;
    near_by(value(&f, 0, last), expected, 1e-10 * expected);
    assert_int_equal(viva_equilibrium_verdict(f.e, 0), VIVA_STABLE);
    end(&f);
  }
}

// The end of a chain of n springs in series, of stiffness k/n, is pushed away from 0 by c x - x^3: 0 is a rest and no
// minimum, and x_n = sqrt(c - k/n) is one. With c < k/n 0 is the only rest.
static void long_chains_leave_a_ridge(void **state) {
  (void)state;
  static const double pushes[] = {0.5, 0.1};
  for (int i = 0; i < 2; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "param n = 700, k = 140, c = %g\ncoord x[i] = 0 for i in 1 .. n\nkinetic 1/2*x[i]'^2 for i in 1 .. n\n"
             "potential 1/2*k*x[1]^2 + 1/4*x[n]^4 - 1/2*c*x[n]^2\npotential 1/2*k*(x[i] - x[i-1])^2 for i in 2 .. n\n",
             pushes[i]);
    Found f = look(text, NULL, NULL);
    assert_int_equal(f.status, VIVA_OK);
    near_by(fabs(value(&f, 0, "x[700]")), i ? 0 : sqrt(0.3), 1e-9);
    assert_int_equal(viva_equilibrium_verdict(f.e, 0), VIVA_STABLE);
    end(&f);
  }
}

// Seven unknowns are too many for intervals: three rests, found and not all; the same with the same seed.
static void seeded_searches_find_and_do_not_claim(void **state) {
  (void)state;
  const char *text =
      "state x[i] = 0.1*i for i in 1 .. 7\nx[1]' = x[1] - x[1]^3\nx[i]' = x[i-1] - x[i] for i in 2 .. 7\n";
  for (int i = 0; i < 2; i++) {
    Found f = look(text, NULL, i ? "x[1]=-2:2" : "x[1]=-2:2,x[2]=-2:2,x[7]=-2:2");
    assert_int_equal(f.status, VIVA_OK);
    assert_int_equal(viva_equilibrium_count(f.e), 3);
    assert_false(viva_equilibrium_complete(f.e));
    for (int k = 0; k < 3; k++) {
      near_by(value(&f, (size_t)k, "x[1]"), k - 1, 1e-9);
      near_by(value(&f, (size_t)k, "x[7]"), k - 1, 1e-9);
      assert_int_equal(viva_equilibrium_verdict(f.e, (size_t)k), k == 1 ? VIVA_UNSTABLE : VIVA_STABLE);
    }
    assert_non_null(strstr(viva_equilibrium_text(f.e, VIVA_FORMAT_TEXT), "3 equilibria, found"));
    end(&f);
  }
  // what lies outside of the box is not told
  Found f = look(text, NULL, "x[1]=0.5:2");
  assert_int_equal(viva_equilibrium_count(f.e), 1);
  near_by(value(&f, 0, "x[4]"), 1, 1e-9);
  end(&f);
}

static void iterations_are_as_many_as_asked_for(void **state) {
  (void)state;
  static const char *const texts[] = {"coord x = 3\nkinetic 1/2*x'^2\nforce x = -4*x - 2*x^3 + 12\n",
                                      "state x = 5\nx' = 1 - x^3\n"};
  for (int i = 0; i < 2; i++) {
    Found f = {0};
    viva_equilibrium_options o = viva_equilibrium_defaults();
    assert_int_equal(viva_model_parse("test.viva", texts[i], strlen(texts[i]), NULL, &f.model), VIVA_OK);
    o.most_iterations = 1;
    assert_int_equal(viva_equilibrium_find(f.model, &o, &f.e), VIVA_EFAIL);
    assert_non_null(strstr(viva_equilibrium_message(f.e), "after 1 steps"));
    viva_equilibrium_free(f.e);
    o.most_iterations = 100;
    assert_int_equal(viva_equilibrium_find(f.model, &o, &f.e), VIVA_OK);
    end(&f);
  }
}

// ---- on a ball

// The centre of mass hangs below the joint, as far as it is from it: the search does not leave the turns.
static void a_body_on_a_ball_hangs_below_it(void **state) {
  (void)state;
  const char *text =
      "gravity [0, 0, -9.81]\n"
      "body bob on ground by ball r with mass = 2, com = [0.3, 0.1, -0.5], inertia = [0.02, 0.03, 0.01]\n"
      "output bob.com\n";
  static const char *const starts[] = {NULL, "r.w=0.8, r.x=0.6", "r.w=0.5, r.x=0.5, r.y=-0.5, r.z=0.5",
                                       "r.w=0, r.y=0.6, r.z=-0.8"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    Found f = look(text, starts[i], NULL);
    assert_int_equal(f.status, VIVA_OK);
    double r[4], far = sqrt(0.3 * 0.3 + 0.1 * 0.1 + 0.5 * 0.5), length = 0;
    static const char *const names[] = {"r.w", "r.x", "r.y", "r.z"};
    for (int k = 0; k < 4; k++) {
      r[k] = value(&f, 0, names[k]);
      length += r[k] * r[k];
    }
    near_by(length, 1, 1e-13);
    // the third row of the rotation, times the centre of mass: below the joint, or above it
    double z = 2 * (r[1] * r[3] - r[0] * r[2]) * 0.3 + 2 * (r[2] * r[3] + r[0] * r[1]) * 0.1 -
               (1 - 2 * r[1] * r[1] - 2 * r[2] * r[2]) * 0.5;
    near_by(fabs(z), far, 1e-12);
    end(&f);
  }
}

// Turned about the vertical it hangs as before: every such rest has the same verdict, none is unstable by rounding.
static void turned_about_the_vertical_it_hangs_as_before(void **state) {
  (void)state;
  const char *text =
      "gravity [0, 0, -9.81]\n"
      "body bob on ground by ball r with mass = 2, com = [0.3, 0.1, -0.5], inertia = [0.02, 0.03, 0.01]\n";
  Found f = look(text, NULL, "angles");
  assert_int_equal(f.status, VIVA_OK);
  double lowest = -2 * 9.81 * sqrt(0.35);
  size_t low = 0;
  for (size_t i = 0; i < viva_equilibrium_count(f.e); i++) {
    double potential = viva_equilibrium_potential(f.e, i);
    near_by(fabs(potential), -lowest, 1e-9);
    low += potential < 0;
    assert_int_equal(viva_equilibrium_verdict(f.e, i) == VIVA_UNSTABLE, potential > 0);
  }
  assert_true(low > 10);
  end(&f);
}

// Names of a structure are made once, so they can be kept and are shared by threads. A weight of 10 N on a bar that
// hangs: the bar carries it.
static void names_of_a_structure_stay(void **state) {
  (void)state;
  Found f = look("node A = [0, 2] fixed\nnode B = [0.1, 0.9]\nbar AB: A B length 1\nload B = [0, -10]\n", NULL, NULL);
  assert_int_equal(f.status, VIVA_OK);
  assert_int_equal(viva_equilibrium_value_count(f.e), 3);
  for (size_t i = 0; i < 3; i++)
    assert_ptr_equal(viva_equilibrium_value_name(f.e, i), viva_equilibrium_value_name(f.e, i));
  near_by(value(&f, 0, "B.x"), 0, 1e-9);
  near_by(value(&f, 0, "B.y"), 1, 1e-9);
  near_by(value(&f, 0, "AB.force"), 10, 1e-8);
  assert_null(viva_equilibrium_value_name(f.e, 3));
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_hangs_wherever_it_starts),
      cmocka_unit_test(rod_carries_the_weight),
      cmocka_unit_test(chain_hangs_straight),
      cmocka_unit_test(forces_that_have_a_potential_count),
      cmocka_unit_test(what_falls_forever_is_told),
      cmocka_unit_test(verdicts_of_higher_order_and_mechanisms),
      cmocka_unit_test(constraints_that_contradict_are_named),
      cmocka_unit_test(friction_sticks),
      cmocka_unit_test(counts_are_those_of_closed_forms),
      cmocka_unit_test(what_is_not_decided_is_not_all),
      cmocka_unit_test(all_zeros_of_500_systems_are_found),
      cmocka_unit_test(long_chains_hang_by_closed_forms),
      cmocka_unit_test(long_chains_leave_a_ridge),
      cmocka_unit_test(seeded_searches_find_and_do_not_claim),
      cmocka_unit_test(iterations_are_as_many_as_asked_for),
      cmocka_unit_test(a_body_on_a_ball_hangs_below_it),
      cmocka_unit_test(turned_about_the_vertical_it_hangs_as_before),
      cmocka_unit_test(names_of_a_structure_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
