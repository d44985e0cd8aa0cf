// Which elements stick and which slide: small problems that are worked by hand, and networks of masses that rub on each
// other against Gauss's principle of least constraint.
#define _XOPEN_SOURCE 700
#include "tests/laws/network.h"

#include "hybrid/stick.h"
#include "numerics/least_norm.h"

enum { most = 12 };

// All elements of friction 1 at rest and in motion, and nothing known beforehand: all of them are tried at rest.
static Stick stick_of(uint32_t n, const double *a, const double *b) {
  static double numbers[3 * most * most + 17 * most + most * (most + 1) * (2 * most + 1) / 6];
  static uint32_t indices[3 * most];
  static StickState states[3 * most];
  static bool flags[most];
  Stick x;
  assert_true(stick_numbers(n) <= sizeof numbers / sizeof *numbers);
  stick_place(&x, n, numbers, indices, states, flags);
  memcpy(x.a, a, (size_t)n * n * sizeof *a);
  memcpy(x.b, b, n * sizeof *b);
  for (uint32_t i = 0; i < n; i++) {
    x.high[i] = x.up[i] = 1;
    x.low[i] = x.down[i] = -1;
    x.error[i] = 0;
    x.state[i] = stick_inside;
    x.slides[i] = false;
  }
  return x;
}

static StickVerdict decide(Stick *x) {
  StickVerdict verdict;
  do verdict = stick_solve(x);
  while (verdict == stick_solved && stick_leave(x));
  return verdict;
}

static void assert_near(double a, double b) { assert_true(fabs(a - b) < 1e-12); }

static void a_singular_system_has_its_shortest_solution(void **state) {
  (void)state;
  // x + y = 3 twice, and z = 2
  double a[] = {1, 1, 0, 1, 1, 0, 0, 0, 4}, b[] = {3, 3, 8}, x[3], room[15];
  uint32_t row[3], column[3];
  LeastNorm f = {.n = 3, .a = a, .room = room, .row = row, .column = column};
  least_norm_factor(&f);
  assert_int_equal(f.rank, 2);
  least_norm_solve(&f, b, x);
  assert_near(x[0], 1.5);
  assert_near(x[1], 1.5);
  assert_near(x[2], 2);
}

static void one_contact_holds_up_to_its_limit(void **state) {
  (void)state;
  double a[] = {-2}, b[] = {1.5};
  Stick x = stick_of(1, a, b);
  assert_true(stick_is_unique(&x) && decide(&x) == stick_solved);
  assert_int_equal(x.state[0], stick_inside);
  assert_near(x.z[0], 0.75);
  b[0] = 2; // the box is closed
  x = stick_of(1, a, b);
  assert_true(decide(&x) == stick_solved && !x.slides[0]);
  b[0] = 3;
  x = stick_of(1, a, b);
  assert_true(decide(&x) == stick_solved && x.state[0] == stick_up && x.slides[0]);
  assert_near(x.r[0], 1);
}

// Two blocks of mass 1, each on the ground, rubbing on each other: J = (1 0; 0 1; 1 -1), W = J J'.
static void more_contacts_than_bodies_share_a_load(void **state) {
  (void)state;
  double a[] = {-1, 0, -1, 0, -1, 1, -1, 1, -2}, b[] = {1.6, 0, 1.6};
  Stick x = stick_of(3, a, b);
  assert_true(stick_is_unique(&x) && decide(&x) == stick_solved);
  // the first holds 1 at most, the second takes 0.6 by the third
  for (int i = 0; i < 3; i++) assert_true(fabs(x.r[i]) < 1e-12 && fabs(x.z[i]) <= 1 + 1e-12);
  b[0] = b[2] = 2.5; // too much: the first body goes with 2.5 - 1 - 1, the other is pulled with 1 and just held
  x = stick_of(3, a, b);
  assert_true(decide(&x) == stick_solved);
  assert_near(x.r[0], 0.5);
  assert_near(x.r[1], 0);
  assert_near(x.r[2], 0.5);
}

static void what_may_have_several_motions_is_not_taken_for_friction(void **state) {
  (void)state;
  double turned[] = {-1, 2, -2, -1}, saddle[] = {-1, -2, -2, -1}, one_way[] = {-1, 1, 0, -1}, b[] = {0, 0};
  Stick x = stick_of(2, turned, b);
  assert_true(stick_is_unique(&x)); // not symmetric, but it takes energy out of each motion
  x = stick_of(2, one_way, b);
  assert_true(stick_is_unique(&x));
  x = stick_of(2, saddle, b);
  assert_false(stick_is_unique(&x));
  // W = (1 1 0; 1 1 1; 0 1 1) has a pivot of zero and is not positive
  double hidden[] = {-1, -1, 0, -1, -1, -1, 0, -1, -1}, zero[] = {0, 0, 0};
  x = stick_of(3, hidden, zero);
  assert_false(stick_is_unique(&x));
}

// Two relays that push each other away from their limits: both stick, or both slide, either way.
static void a_saddle_has_several_solutions(void **state) {
  (void)state;
  double saddle[] = {-1, -2, -2, -1}, b[] = {0, 0};
  Stick x = stick_of(2, saddle, b);
  assert_int_equal(decide(&x), stick_several);
}

// An element that reached its bound slides from there, also where the matrix is not symmetric: its rate is zero there
// still, and nothing else says that its load grows.
static void what_reached_its_bound_slides_in_any_matrix(void **state) {
  (void)state;
  double wide[] = {-1, 3, 0, -1}, b[] = {-2, 1}; // z = (1, 1)
  Stick x = stick_of(2, wide, b);
  assert_true(stick_is_unique(&x)); // all minors of -A are 1
  assert_true(decide(&x) == stick_solved && stick_holds(&x, 0) && stick_holds(&x, 1));
  x = stick_of(2, wide, b);
  x.state[1] = stick_up;
  stick_reach(&x, 1);
  assert_true(decide(&x) == stick_solved && stick_holds(&x, 0) && !stick_holds(&x, 1));
  assert_int_equal(x.state[1], stick_up);
}

// More than can be tried, each pushed by its neighbour alone: -A = I - S/2, S the shift.
static void a_long_chain_that_acts_one_way_is_solved(void **state) {
  (void)state;
  double a[most * most] = {0}, b[most];
  for (int i = 0; i < most; i++) {
    a[i * most + i] = -1;
    if (i) a[i * most + i - 1] = 0.5;
    b[i] = i == 0 ? 3 : 0.75; // the first slides with 2, all others are pulled with 0.75 + 0.5 z
  }
  Stick x = stick_of(most, a, b);
  assert_true(decide(&x) == stick_solved && !stick_holds(&x, 0));
  assert_near(x.r[0], 2);
  for (int i = 1; i < most; i++) assert_near(x.r[i], 0.25);
}

// ---- any matrix: all choices

enum { most_any = 7, most_found = 64 };

// The rates of a choice (0: g' = 0, 1: z = 1, 2: z = -1) where it fits. False: it does not. *regular: the values
// follow.
static bool choice_fits(uint32_t n, const double *a, const double *b, uint32_t choice, double *r, bool *regular) {
  double m[most_any][most_any] = {{0}}, z[most_any] = {0}, rhs[most_any];
  uint32_t at[most_any], count = 0;
  for (uint32_t i = 0; i < n; i++, choice /= 3) {
    if (choice % 3 == 0) at[count++] = i;
    z[i] = choice % 3 == 0 ? 0 : choice % 3 == 1 ? 1 : -1;
  }
  for (uint32_t k = 0; k < count; k++) {
    rhs[k] = -b[at[k]];
    for (uint32_t j = 0; j < n; j++) rhs[k] -= a[at[k] * n + j] * z[j];
    for (uint32_t l = 0; l < count; l++) m[k][l] = a[at[k] * n + at[l]];
  }
  for (uint32_t k = 0; k < count; k++) {
    uint32_t p = k;
    for (uint32_t i = k; i < count; i++) p = fabs(m[i][k]) > fabs(m[p][k]) ? i : p;
    if (!(fabs(m[p][k]) > 1e-9)) return *regular = false;
    for (uint32_t l = 0; l < count; l++) {
      double c = m[k][l];
      m[k][l] = m[p][l];
      m[p][l] = c;
    }
    double c = rhs[k];
    rhs[k] = rhs[p];
    rhs[p] = c;
    for (uint32_t i = 0; i < count; i++) {
      double l = m[i][k] / m[k][k];
      for (uint32_t j = 0; i != k && j < count; j++) m[i][j] -= l * m[k][j];
      rhs[i] -= i == k ? 0 : l * rhs[k];
    }
  }
  for (uint32_t k = 0; k < count; k++) z[at[k]] = rhs[k] / m[k][k];
  bool fits = true;
  for (uint32_t i = 0; i < n; i++) {
    r[i] = b[i];
    for (uint32_t j = 0; j < n; j++) r[i] += a[i * n + j] * z[j];
  }
  for (uint32_t k = 0; k < count; k++) fits = fits && fabs(z[at[k]]) <= 1 + 1e-9, r[at[k]] = 0;
  for (uint32_t i = 0; i < n; i++) fits = fits && r[i] * z[i] >= -1e-9;
  return fits;
}

// How many motions there are; the rates of one. 0 and *regular false: some choice does not determine its values.
static uint32_t motions(uint32_t n, const double *a, const double *b, double *r, bool *regular) {
  static double found[most_found][most_any];
  uint32_t count = 0, choices = 1;
  *regular = true;
  for (uint32_t i = 0; i < n; i++) choices *= 3;
  for (uint32_t c = 0; c < choices && *regular && count < most_found; c++) {
    if (!choice_fits(n, a, b, c, found[count], regular)) continue;
    bool known = false;
    for (uint32_t k = 0; k < count && !known; k++) {
      known = true;
      for (uint32_t i = 0; i < n; i++) known = known && fabs(found[k][i] - found[count][i]) < 1e-7;
    }
    count += !known;
  }
  if (count) memcpy(r, found[0], n * sizeof *r);
  return *regular ? count : 0;
}

// Whole numbers, so that loads at the very limit are common.
static void any_matrix_is_decided_as_all_choices_say(void **state) {
  (void)state;
  uint32_t seen[3] = {0};
  for (int round = 0; round < 2000; round++) {
    uint32_t n = 1 + choose(round % 20 == 0 ? most_any : 5);
    double a[most_any * most_any], b[most_any], r[most_any];
    bool regular;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) a[i * n + j] = i == j ? -1.0 - choose(4) : (double)choose(7) - 3;
      b[i] = (double)choose(13) - 6;
    }
    uint32_t count = motions(n, a, b, r, &regular);
    if (!regular) continue;
    Stick x = stick_of(n, a, b);
    StickVerdict verdict = decide(&x);
    assert_int_equal(verdict, count == 0 ? stick_none : count == 1 ? stick_solved : stick_several);
    if (count) seen[count > 1]++;
    for (uint32_t i = 0; i < n && count == 1; i++) assert_true(fabs(x.r[i] - r[i]) < 1e-9);
    x = stick_of(n, a, b);
    bool unique = stick_is_unique(&x);
    assert_false(unique && count != 1);
    seen[2] += unique;
  }
  assert_true(seen[0] > 300 && seen[1] > 20 && seen[2] > 100);
}

// Twelve in a circle, each pushed by the next with 1.5 of what it holds itself: -A = I + 1.5 S has no positive
// symmetric part, and all its principal minors are 1 but the last, 1 - 1.5^12.
static void what_is_not_shown_to_be_unique_is_searched(void **state) {
  (void)state;
  double a[12 * 12] = {0}, b[12], r[12];
  for (int i = 0; i < 12; i++) {
    a[i * 12 + i] = -1;
    a[i * 12 + (i + 1) % 12] = -1.5;
    b[i] = 2; // z = 0.8, or less than it can be
  }
  Stick x = stick_of(12, a, b);
  assert_false(stick_is_unique(&x));
  assert_int_equal(decide(&x), stick_several); // all stick; every other one slides
  a[11 * 12] = 0; // no circle: the last one holds alone what it can, the one before it has half of that to hold
  x = stick_of(12, a, b);
  assert_true(stick_is_unique(&x));
  assert_int_equal(decide(&x), stick_solved);
  double z = 1;
  for (int i = 11; i >= 0; i--) {
    double load = i == 11 ? 2 : 2 - 1.5 * z;
    z = load > 1 ? 1 : load;
    r[i] = load - z;
    assert_near(x.r[i], r[i]);
    assert_near(x.z[i], z);
  }
}

// ---- networks

static void networks_move_with_least_constraint(void **state) {
  (void)state;
  uint32_t sticking = 0, sliding = 0;
  for (int round = 0; round < 400; round++) {
    Network w = network_new();
    double a[most * most], b[most], r[most], moves[most_masses];
    uint32_t n = w.elements;
    for (uint32_t e = 0; e < n; e++) {
      b[e] = 0;
      for (uint32_t i = 0; i < w.masses; i++) b[e] += w.j[e][i] * w.force[i] / w.mass[i];
      for (uint32_t k = 0; k < n; k++) {
        a[e * n + k] = 0;
        for (uint32_t i = 0; i < w.masses; i++) a[e * n + k] -= w.j[e][i] * w.j[k][i] / w.mass[i] * w.slip[k];
      }
    }
    Stick x = stick_of(n, a, b);
    for (uint32_t e = 0; e < n; e++) {
      x.high[e] = w.stick[e] / w.slip[e];
      x.low[e] = -x.high[e];
    }
    assert_true(decide(&x) == stick_solved);
    network_expected(&w, moves, r);
    for (uint32_t e = 0; e < n; e++) {
      if (fabs(x.r[e] - r[e]) > 1e-9) print_error("round %d, element %u: %.17g for %.17g\n", round, e, x.r[e], r[e]);
      assert_true(fabs(x.r[e] - r[e]) <= 1e-9);
      sticking += fabs(r[e]) <= 1e-9;
      sliding += fabs(r[e]) > 1e-9;
    }
  }
  assert_true(sticking > 400 && sliding > 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_singular_system_has_its_shortest_solution),
      cmocka_unit_test(one_contact_holds_up_to_its_limit),
      cmocka_unit_test(more_contacts_than_bodies_share_a_load),
      cmocka_unit_test(what_may_have_several_motions_is_not_taken_for_friction),
      cmocka_unit_test(a_saddle_has_several_solutions),
      cmocka_unit_test(what_reached_its_bound_slides_in_any_matrix),
      cmocka_unit_test(a_long_chain_that_acts_one_way_is_solved),
      cmocka_unit_test(any_matrix_is_decided_as_all_choices_say),
      cmocka_unit_test(what_is_not_shown_to_be_unique_is_searched),
      cmocka_unit_test(networks_move_with_least_constraint),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
