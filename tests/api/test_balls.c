// Balls beside constraints and beside inertias that are written: the same mechanisms by other joints.
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

enum { most_columns = 40, most_rows = 100 };

typedef struct Table {
  size_t columns, rows;
  double values[most_rows][most_columns];
} Table;

static bool take_header(void *self, const char *const *names, size_t count) {
  Table *t = self;
  (void)names;
  t->columns = count;
  return count <= most_columns;
}

static bool take_row(void *self, const double *values, size_t count) {
  Table *t = self;
  if (t->rows >= most_rows) return false;
  memcpy(t->values[t->rows++], values, count * sizeof *values);
  return true;
}

static void run(const char *text, Table *t) {
  viva_model *model;
  viva_run *done;
  viva_run_options o = viva_run_defaults();
  viva_sink sink = {t, take_header, take_row};
  o.to = 2;
  o.step = 0.1;
  o.rtol = 1e-11;
  o.atol = 1e-12;
  *t = (Table){0};
  if (viva_model_parse("model.viva", text, strlen(text), NULL, &model) != VIVA_OK)
    fail_msg("%s", viva_model_diagnostic(model, 0).text);
  if (viva_run_model(model, &o, &sink, &done) != VIVA_OK) fail_msg("%s", viva_run_message(done));
  viva_run_free(done);
  viva_model_free(model);
}

static double largest_difference(const char *one, const char *other) {
  static Table a, b;
  double worst = 0;
  run(one, &a);
  run(other, &b);
  assert_int_equal(a.rows, 21);
  assert_int_equal(a.rows, b.rows);
  assert_int_equal(a.columns, b.columns);
  for (size_t i = 0; i < a.rows; i++) {
    for (size_t k = 0; k < a.columns; k++) {
      double far = fabs(a.values[i][k] - b.values[i][k]);
      worst = far <= worst ? worst : far;
    }
  }
  return worst;
}

static const char *const bound_ball =
    "gravity [0, 0, -9.81]\n"
    "body b on ground by ball r with mass = 2, com = [0.1, 0, -0.5], inertia = [0.2, 0.3, 0.15, 0.01, 0.02, 0.015]\n"
    "init r.w = cos(0.4), r.y = sin(0.4), r.wy = 1.5\n"
    "constraint c1: r.x = 0\n"
    "constraint c2: r.z = 0\n"
    "output th = 2*atan2(r.y, r.w), w = r.wy\n";
static const char *const hinge = "gravity [0, 0, -9.81]\n"
                                 "body b on ground by revolute(y) th with mass = 2, com = [0.1, 0, -0.5], inertia = "
                                 "[0.2, 0.3, 0.15, 0.01, 0.02, 0.015]\n"
                                 "init th = 0.8, th' = 1.5\n"
                                 "output th, w = th'\n";

static void a_ball_that_is_bound_to_an_axis_is_a_hinge(void **state) {
  (void)state;
  double far = largest_difference(bound_ball, hinge);
  if (!(far < 1e-9)) fail_msg("%.3g", far);
}

// The force of the constraint is m (a - g).
static const char *const held_body =
    "gravity [0, 0, -9.81]\n"
    "body b on ground by free x, y, z, r with mass = 2, com = [0, 0, 0.3], inertia = [0.2, 0.2, 0.1]\n"
    "init r.w = cos(0.2), r.x = sin(0.2), r.wz = 40, r.wx = 0.3\n"
    "constraint hold: b.point([0, 0, 0]) = [0, 0, 0]\n"
    "output r.w, r.x, r.y, r.z, r.wx, r.wy, r.wz, lambda.hold\n";
static const char *const ball =
    "gravity [0, 0, -9.81]\n"
    "body b on ground by ball r with mass = 2, com = [0, 0, 0.3], inertia = [0.2, 0.2, 0.1]\n"
    "init r.w = cos(0.2), r.x = sin(0.2), r.wz = 40, r.wx = 0.3\n"
    "output r.w, r.x, r.y, r.z, r.wx, r.wy, r.wz, F = 2*(b.com'' + [0, 0, 9.81])\n";

static void a_free_body_that_is_held_at_a_point_is_a_ball(void **state) {
  (void)state;
  double far = largest_difference(held_body, ball);
  if (!(far < 1e-8)) fail_msg("%.3g", far);
}

// A loop of two balls and a hinge; the other one has three hinges in the place of each ball.
static const char *const loop_of_balls =
    "gravity [0, 0, -9.81]\n"
    "body a on ground by ball ra with mass = 1, com = [0, 0, -0.4], inertia = [0.06, 0.05, 0.02]\n"
    "body k on a by ball rk at [0, 0, -0.8] with mass = 0.7, com = [0.3, 0, 0], inertia = [0.01, 0.04, 0.05]\n"
    "body c on ground by revolute(y) q at [0.6, 0.1, 0] with mass = 1.1, com = [0, 0, -0.35], inertia = [0.05, 0.06, "
    "0.01]\n"
    "constraint loop: k.point([0.6, 0, 0]) = c.point([0, 0.05, -0.7])\n"
    "init q = 0.1\n"
    "guess ra.w = 1, rk.w = 1\n"
    "output q, P = k.com, energy.stored, lambda.loop\n";
static const char *const loop_of_hinges =
    "gravity [0, 0, -9.81]\n"
    "body a1 on ground by revolute(x) ax with mass = 0\n"
    "body a2 on a1 by revolute(y) ay with mass = 0\n"
    "body a on a2 by revolute(z) az with mass = 1, com = [0, 0, -0.4], inertia = [0.06, 0.05, 0.02]\n"
    "body k1 on a by revolute(x) kx at [0, 0, -0.8] with mass = 0\n"
    "body k2 on k1 by revolute(y) ky with mass = 0\n"
    "body k on k2 by revolute(z) kz with mass = 0.7, com = [0.3, 0, 0], inertia = [0.01, 0.04, 0.05]\n"
    "body c on ground by revolute(y) q at [0.6, 0.1, 0] with mass = 1.1, com = [0, 0, -0.35], inertia = [0.05, 0.06, "
    "0.01]\n"
    "constraint loop: k.point([0.6, 0, 0]) = c.point([0, 0.05, -0.7])\n"
    "init q = 0.1\n"
    "init ax = 0.09506807708538534, ay = 0.0715303961703634, az = 0.06976857788947957, kx = -0.0024245351803837563, ky "
    "= -0.2227247350710087, kz = 0.07055504120201524\n"
    "output q, P = k.com, energy.stored, lambda.loop\n";

static void a_loop_of_balls_moves_as_one_of_hinges(void **state) {
  (void)state;
  double far = largest_difference(loop_of_balls, loop_of_hinges);
  if (!(far < 1e-8)) fail_msg("%.3g", far);
}

// It can fail: another mass of the link between.
static void another_mass_is_seen(void **state) {
  (void)state;
  char text[2000];
  snprintf(text, sizeof text, "%s", loop_of_balls);
  char *mass = strstr(text, "mass = 0.7");
  assert_non_null(mass);
  mass[9] = '8';
  assert_true(largest_difference(text, loop_of_hinges) > 1e-3);
}

static const char *const written_inertia =
    "gravity [0, 0, -9.81]\n"
    "param J = 0.07\n"
    "body a on ground by ball r with mass = 1, com = [0.1, 0, -0.4], inertia = [0.06, 0.05, 0.02]\n"
    "body k on a by revolute([0.6, 0, 0.8]) q at [0, 0, -0.8] with mass = 0.7, com = [0.3, 0, 0], inertia = [0.01, "
    "0.04, 0.05]\n"
    "kinetic 1/2*J*r.wz^2\n"
    "init r.wx = 1, r.wy = 2, r.wz = 0.5, q' = -1\n"
    "output q, r.wx, r.wy, r.wz, energy.stored\n";
static const char *const larger_inertia =
    "gravity [0, 0, -9.81]\n"
    "param J = 0.07\n"
    "body a on ground by ball r with mass = 1, com = [0.1, 0, -0.4], inertia = [0.06, 0.05, 0.02 + J]\n"
    "body k on a by revolute([0.6, 0, 0.8]) q at [0, 0, -0.8] with mass = 0.7, com = [0.3, 0, 0], inertia = [0.01, "
    "0.04, 0.05]\n"
    "init r.wx = 1, r.wy = 2, r.wz = 0.5, q' = -1\n"
    "output q, r.wx, r.wy, r.wz, energy.stored\n";

static void an_inertia_that_is_written_is_one_of_the_body(void **state) {
  (void)state;
  double far = largest_difference(written_inertia, larger_inertia);
  if (!(far < 1e-9)) fail_msg("%.3g", far);
}

// Terms that join the turns of a ball and a coordinate.
static const char *const joined_inertias =
    "gravity [0, 0, -9.81]\n"
    "param J = 0.07\n"
    "body a on ground by ball r with mass = 1, com = [0.1, 0, -0.4], inertia = [0.06, 0.05, 0.02]\n"
    "body k on a by revolute([0.6, 0, 0.8]) q at [0, 0, -0.8] with mass = 0.7, com = [0.3, 0, 0], inertia = [0.01, "
    "0.04, 0.05]\n"
    "kinetic 1/2*J*r.wz^2 + 1/2*0.03*q'^2 + 0.01*q'*r.wx + 0.02*r.wx*r.wy\n"
    "init r.wx = 1, r.wy = 2, r.wz = 0.5, q' = -1\n"
    "output q, r.wx, r.wy, r.wz, energy.stored\n";

static void written_inertias_of_turns_keep_the_energy(void **state) {
  static Table t;
  (void)state;
  run(joined_inertias, &t);
  for (size_t i = 0; i < t.rows; i++) {
    double lost = t.values[i][5] - t.values[0][5], moved = t.values[i][2] - t.values[0][2];
    if (!(fabs(lost) < 1e-9)) fail_msg("%.3g", lost);
    if (i == 10) assert_true(fabs(moved) > 1e-3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_that_is_bound_to_an_axis_is_a_hinge),
      cmocka_unit_test(a_free_body_that_is_held_at_a_point_is_a_ball),
      cmocka_unit_test(a_loop_of_balls_moves_as_one_of_hinges),
      cmocka_unit_test(another_mass_is_seen),
      cmocka_unit_test(an_inertia_that_is_written_is_one_of_the_body),
      cmocka_unit_test(written_inertias_of_turns_keep_the_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
