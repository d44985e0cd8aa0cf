// Which elements rest and which leave: small problems that are worked by hand.
#include "tests/support.h"

#include "sim/box.h"
#include "sim/least_norm.h"

enum { most = 4 };

// All elements of friction 1 at rest and in motion, and nothing known beforehand: all of them are tried at rest.
static Box box_of(uint32_t n, double *a, double *b) {
  static double high[most], low[most], z[most], r[most], sub[most * most], rhs[most], x[most];
  static double room[most * most + 2 * most];
  static uint32_t list[2 * most];
  static HoldStatus status[most];
  static bool loose[most];
  Box g = {.n = n, .a = a, .b = b, .high = high, .low = low, .up = high, .down = low, .give = 1e-12};
  g.status = status, g.loose = loose, g.z = z, g.r = r;
  g.sub = sub, g.rhs = rhs, g.x = x, g.room = room, g.free = list, g.column = list + most;
  for (uint32_t i = 0; i < n; i++) {
    high[i] = 1;
    low[i] = -1;
    status[i] = status_free;
    loose[i] = false;
  }
  return g;
}

static void assert_near(double a, double b) { assert_true(fabs(a - b) < 1e-12); }

static void a_singular_system_has_its_shortest_solution(void **state) {
  (void)state;
  // x + y = 3 twice, and z = 2
  double a[] = {1, 1, 0, 1, 1, 0, 0, 0, 4}, b[] = {3, 3, 8}, x[3], room[15];
  uint32_t column[3];
  assert_int_equal(least_norm(3, a, b, x, column, room), 2);
  assert_near(x[0], 1.5);
  assert_near(x[1], 1.5);
  assert_near(x[2], 2);
}

static void one_contact_holds_up_to_its_limit(void **state) {
  (void)state;
  double a[] = {-2}, b[] = {1.5};
  Box g = box_of(1, a, b);
  assert_true(box_symmetric(&g) && box_settle(&g));
  assert_int_equal(g.status[0], status_free);
  assert_near(g.z[0], 0.75);
  b[0] = 2; // the range is closed
  g = box_of(1, a, b);
  assert_true(box_settle(&g) && g.status[0] == status_free);
  b[0] = 3;
  g = box_of(1, a, b);
  assert_true(box_settle(&g) && g.status[0] == status_up && g.loose[0]);
  assert_near(g.r[0], 1);
}

// Two blocks of mass 1, each on the ground, rubbing on each other: J = (1 0; 0 1; 1 -1), W = J J'.
static void more_contacts_than_bodies_share_a_load(void **state) {
  (void)state;
  double a[] = {-1, 0, -1, 0, -1, 1, -1, 1, -2}, b[] = {1.6, 0, 1.6};
  Box g = box_of(3, a, b);
  assert_true(box_symmetric(&g) && box_settle(&g));
  for (int i = 0; i < 3; i++) assert_near(g.r[i], 0); // the first holds 1 at most, the second takes 0.6 by the third
  assert_true(fabs(g.z[0]) <= 1 + 1e-12 && fabs(g.z[1]) <= 1 + 1e-12 && fabs(g.z[2]) <= 1 + 1e-12);
  b[0] = b[2] = 2.5; // too much: the first body goes with 2.5 - 1 - 1, the other is pulled with 1 and just held
  double again[] = {-1, 0, -1, 0, -1, 1, -1, 1, -2};
  g = box_of(3, again, b);
  assert_true(box_settle(&g));
  assert_near(g.r[0], 0.5);
  assert_near(g.r[1], 0);
  assert_near(g.r[2], 0.5);
}

static void what_does_not_act_like_friction_is_not_taken_for_it(void **state) {
  (void)state;
  double turned[] = {-1, 2, -2, -1}, saddle[] = {-1, -2, -2, -1}, one_way[] = {-1, 1, 0, -1}, b[] = {0, 0};
  Box g = box_of(2, turned, b);
  assert_false(box_symmetric(&g));
  g = box_of(2, saddle, b);
  assert_false(box_symmetric(&g));
  g = box_of(2, one_way, b);
  assert_false(box_symmetric(&g));
  // W = (1 1 0; 1 1 1; 0 1 1) has a pivot of zero and is not positive
  double hidden[] = {-1, -1, 0, -1, -1, -1, 0, -1, -1}, zero[] = {0, 0, 0};
  g = box_of(3, hidden, zero);
  assert_false(box_symmetric(&g));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_singular_system_has_its_shortest_solution),
      cmocka_unit_test(one_contact_holds_up_to_its_limit),
      cmocka_unit_test(more_contacts_than_bodies_share_a_load),
      cmocka_unit_test(what_does_not_act_like_friction_is_not_taken_for_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
