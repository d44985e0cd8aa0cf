// When rows are due, and which break is next.
#include "tests/support.h"

#include "solve/ode.h"

static void rows_fall_on_whole_multiples_and_the_end(void **state) {
  (void)state;
  const struct {
    double t0, t1, every;
    uint64_t count;
  } cases[] = {{0, 1, 0.1, 11},
               {0, 1, 0.3, 5},
               {0, 0.3, 0.1, 4},
               {2, 5, 1, 4},
               {0, 1, 1, 2},
               {0, 1, 5, 2},
               {0, 1e6, 0.001, 1000000001},
               {-1, 1, 0.25, 9}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    OdeSettings s = {.t0 = cases[i].t0, .t1 = cases[i].t1, .every = cases[i].every};
    assert_int_equal(ode_row_count(&s), cases[i].count);
    assert_true(ode_row_time(&s, 0) == cases[i].t0);
    assert_true(ode_row_time(&s, cases[i].count - 1) == cases[i].t1);
  }
}

static void rows_of_a_list_are_the_start_the_times_inside_and_the_end(void **state) {
  (void)state;
  static const double list[] = {0, 0.1, 0.25, 1, 1.5, 4};
  const struct {
    double t0, t1;
    uint32_t first, last; // of the list: those inside
  } cases[] = {{0, 4, 1, 4}, {0, 5, 1, 5}, {0, 1, 1, 2}, {-1, 0.2, 0, 1}, {0, 0.05, 1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    OdeSettings s = {.t0 = cases[i].t0, .t1 = cases[i].t1, .every = 0.01, .times = list, .time_count = 6};
    uint64_t inside = cases[i].last + 1 - cases[i].first;
    assert_int_equal(ode_row_count(&s), inside + 2);
    assert_true(ode_row_time(&s, 0) == s.t0);
    for (uint64_t k = 0; k < inside; k++) assert_true(ode_row_time(&s, k + 1) == list[cases[i].first + k]);
    assert_true(ode_row_time(&s, inside + 1) == s.t1);
  }
  OdeSettings s = {.t1 = 4, .every = 1, .times = list, .time_count = 6};
  for (int i = 0; i < 6; i++) assert_true(ode_is_asked(&s, list[i]));
  for (int i = 0; i < 6; i++) assert_false(ode_is_asked(&s, nextafter(list[i], 9)));
  assert_false(ode_is_asked(&s, -1));
  s.time_count = 0; // nothing is asked for: the start and the end are given nonetheless
  assert_int_equal(ode_row_count(&s), 2);
  assert_false(ode_is_asked(&s, 0));
  s.times = NULL;
  assert_true(ode_is_asked(&s, 0.3));
}

// A decimal spacing gives the doubles that one would write: 0.6, not 0.6000000000000001.
static void decimal_spacings_give_decimal_times(void **state) {
  (void)state;
  OdeSettings s = {.t1 = 100, .every = 0.1};
  for (uint64_t k = 0; k <= 1000; k++) {
    char text[32];
    snprintf(text, sizeof text, "%llu.%llu", (unsigned long long)(k / 10), (unsigned long long)(k % 10));
    assert_true(ode_row_time(&s, k) == strtod(text, NULL));
  }
  s.every = 1.0 / 3; // no decimal: the plain product
  for (uint64_t k = 0; k < 300; k++) assert_true(ode_row_time(&s, k) == (double)k * s.every);
}

static void breaks_a_few_doubles_apart_are_passed_at_once(void **state) {
  (void)state;
  double after = nextafter(1, 2), times[] = {0.5, 1, after, nextafter(after, 2), 2};
  OdeBreaks b = {.times = times, .count = 5};
  uint32_t next = 0;
  assert_false(ode_at_break(&b, &next, 0.25));
  assert_int_equal(next, 0);
  assert_false(ode_at_break(&b, &next, 0.75)); // the one at 0.5 is over
  assert_int_equal(next, 1);
  assert_true(ode_at_break(&b, &next, nextafter(1, 0)));
  assert_true(ode_pass_break(&b, &next) == times[3]);
  assert_int_equal(next, 4);
  assert_false(ode_at_break(&b, &next, 1.5));
  assert_true(ode_pass_break(&b, &next) == 2);
  assert_false(ode_at_break(&b, &next, 3));
}

static void methods_are_found_by_their_names(void **state) {
  (void)state;
  for (int m = 0; m < ode_method_count; m++) {
    OdeMethod found;
    assert_true(ode_method_find(ode_method_name((OdeMethod)m), &found));
    assert_int_equal(found, m);
  }
  OdeMethod found;
  assert_false(ode_method_find("rk5", &found));
  assert_true(ode_is_fixed(ode_bs3) && !ode_is_fixed(ode_bdf));
  assert_int_equal(ode_order(ode_dop853), 8);
}

// ---- no row is lost where a try fails

// x' = -k (x - cos 5 t), y' = x. Where k is large the continuous extension is worse than the steps, and rows are made
// by steps of their own. The evaluation `fails` gives no number.
typedef struct Faulty {
  double k;
  uint64_t evaluations, fails;
  uint32_t rows;
} Faulty;

static bool faulty_rates(void *self, double t, const double *y, double *dydt) {
  Faulty *x = self;
  dydt[0] = -x->k * (y[0] - cos(5 * t));
  dydt[1] = y[0];
  return ++x->evaluations != x->fails;
}

static bool count_row(void *self, double t, const double *y) {
  Faulty *x = self;
  (void)y;
  assert_true(t == x->rows++ * 0.125);
  return true;
}

static uint64_t run_with_fault(OdeMethod method, double k, double rtol, uint64_t fails) {
  Faulty x = {.k = k, .fails = fails};
  OdeProblem p = {.n = 2, .checked = 2, .self = &x, .f = faulty_rates};
  OdeSettings s = {.method = method, .t1 = 1, .every = 0.125, .rtol = rtol, .atol = 0.01 * rtol, .most_steps = 10000};
  double y[2] = {0, 0};
  Arena *arena = arena_new();
  OdeResult r = ode_solve(arena, &p, &s, y, &(OdeObserver){.self = &x, .row = count_row});
  arena_free(arena);
  assert_int_equal(r.status, ode_done);
  if (x.rows != 9)
    fail_msg("%s: %u rows of 9 after a fault at %llu", ode_method_name(method), x.rows, (unsigned long long)fails);
  return x.evaluations;
}

// One fault, at each evaluation in turn; the very first one ends the run.
static void a_failed_try_loses_no_row(void **state) {
  (void)state;
  static const OdeMethod methods[] = {ode_dopri5, ode_dop853};
  for (int m = 0; m < 2; m++) {
    for (double k = 30; k < 1000; k *= 3) {
      for (double rtol = 1e-3; rtol > 1e-9; rtol /= 100) {
        uint64_t last = run_with_fault(methods[m], k, rtol, 0);
        for (uint64_t fails = 2; fails <= last; fails++) run_with_fault(methods[m], k, rtol, fails);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_fall_on_whole_multiples_and_the_end),
      cmocka_unit_test(rows_of_a_list_are_the_start_the_times_inside_and_the_end),
      cmocka_unit_test(decimal_spacings_give_decimal_times),
      cmocka_unit_test(breaks_a_few_doubles_apart_are_passed_at_once),
      cmocka_unit_test(methods_are_found_by_their_names),
      cmocka_unit_test(a_failed_try_loses_no_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
