// Fixed steps: closed forms of single steps, parts of steps at rows, events and breaks, what ends a run.
#include "tests/support.h"

#include "solve/ode.h"

typedef struct Log {
  double rows[64], y[64], steps[256];
  int row_count, step_count;
  double jump_left, jump_right;
  int stop_after; // steps; 0: never
} Log;

static bool put_row(void *self, double t, const double *y) {
  Log *l = self;
  l->rows[l->row_count] = t;
  l->y[l->row_count++] = y[0];
  return true;
}
static bool put_step(void *self, double t, const double *y, uint64_t steps) {
  (void)y, (void)steps;
  Log *l = self;
  l->steps[l->step_count++] = t;
  return !l->stop_after || l->step_count < l->stop_after;
}
static void put_jump(void *self, double left, double right, double *y) {
  (void)y;
  Log *l = self;
  l->jump_left = left;
  l->jump_right = right;
}

static bool decay(void *self, double t, const double *y, double *d) {
  (void)self, (void)t;
  d[0] = -y[0];
  return y[0] > 0.2;
}

static OdeResult run(OdeProblem p, OdeSettings s, double *y, Log *log) {
  Arena *arena = arena_new();
  *log = (Log){.stop_after = log->stop_after};
  if (!s.most_steps) s.most_steps = 1000;
  OdeResult r = ode_solve(arena, &p, &s, y, &(OdeObserver){log, put_row, put_step, put_jump, NULL, NULL});
  arena_free(arena);
  return r;
}

// Of y' = -y a step multiplies by the Taylor polynomial of exp(-h) of the method's order.
static void a_step_is_the_polynomial_of_its_order(void **state) {
  (void)state;
  const double h = 0.25;
  double factor = 1, term = 1;
  for (int m = ode_euler; m <= ode_rk4; m++) {
    term *= -h / (m - ode_euler + 1);
    factor += term;
    double y[1] = {1};
    Log log = {0};
    OdeResult r = run((OdeProblem){.n = 1, .checked = 1, .f = decay},
                      (OdeSettings){.method = (OdeMethod)m, .t1 = 1, .step = h, .every = 0.5}, y, &log);
    assert_int_equal(r.status, ode_done);
    assert_true(fabs(y[0] - pow(factor, 4)) < 1e-15);
    assert_int_equal(r.steps, 4);
    assert_int_equal(r.evaluations, 4 * (m - ode_euler + 1));
    assert_int_equal(log.row_count, 3);
    assert_true(log.rows[1] == 0.5 && fabs(log.y[1] - factor * factor) < 1e-15);
  }
}

// 0.25 is no multiple of 0.1: two whole steps and half of one
static void the_last_step_before_a_row_is_shorter(void **state) {
  (void)state;
  double y[1] = {1};
  Log log = {0};
  OdeResult r = run((OdeProblem){.n = 1, .checked = 1, .f = decay},
                    (OdeSettings){.method = ode_euler, .t1 = 0.5, .step = 0.1, .every = 0.25}, y, &log);
  assert_int_equal(log.step_count, 6);
  assert_true(log.steps[2] == 0.25 && log.steps[5] == 0.5);
  assert_true(fabs(r.smallest - 0.05) < 1e-15 && r.largest == 0.1);
  assert_true(fabs(y[0] - pow(0.9 * 0.9 * 0.95, 2)) < 1e-15);
}

static void a_run_goes_on_where_it_was_held(void **state) {
  (void)state;
  double whole[1] = {1}, held[1] = {1};
  Log log = {0};
  OdeSettings s = {.method = ode_rk4, .t1 = 1, .step = 0.125, .every = 0.25};
  OdeProblem p = {.n = 1, .checked = 1, .f = decay};
  run(p, s, whole, &log);
  log.stop_after = 3;
  assert_int_equal(run(p, s, held, &log).status, ode_stopped);
  s.start = 0.375;
  log.stop_after = 0;
  assert_int_equal(run(p, s, held, &log).status, ode_done);
  assert_true(whole[0] == held[0]);
}

static void what_ends_a_run(void **state) {
  (void)state;
  OdeProblem p = {.n = 1, .checked = 1, .f = decay};
  Log log = {0};
  double y[1] = {1};
  // f has no value below 0.2: the state is that before the step
  OdeResult r = run(p, (OdeSettings){.method = ode_euler, .t1 = 10, .step = 0.5, .every = 10}, y, &log);
  assert_int_equal(r.status, ode_not_finite);
  assert_true(r.t == 1.5 && y[0] == 0.125);
  y[0] = 1;
  r = run(p, (OdeSettings){.method = ode_heun, .t1 = 1, .step = 0.1, .every = 1, .most_steps = 3}, y, &log);
  assert_int_equal(r.status, ode_many_steps);
  assert_int_equal(r.steps, 3);
}

// ---- events inside of steps: x' = 1, an end where x = 0.7, a time, a break

typedef struct Happened {
  double at[8], y[8];
  uint32_t ended[8];
  int count;
} Happened;

static bool straight(void *self, double t, const double *y, double *d) {
  (void)self, (void)t, (void)y;
  d[0] = 1;
  return true;
}
static void below(void *self, double t, const double *y, double *c) {
  (void)self, (void)t;
  c[0] = 0.7 - y[0];
}
static OdeAction happen(void *self, double t, double *y, const uint32_t *ended, uint32_t count, uint64_t steps) {
  (void)steps;
  Happened *h = self;
  (void)ended;
  h->at[h->count] = t;
  h->y[h->count] = y[0];
  h->ended[h->count++] = count;
  if (count) y[0] = -1; // a jump back
  return action_go;
}
static double next_time(void *self, double t) {
  (void)self;
  return t < 0.33 ? 0.33 : INFINITY;
}

static void events_cut_steps(void **state) {
  (void)state;
  for (int m = ode_euler; m <= ode_rk4; m++) {
    Happened h = {0};
    double noise[1] = {1e-15}, rearm[1] = {0}, y[1] = {0}, broken[1] = {0.55};
    bool fresh[1] = {false};
    OdeEvents events = {.self = &h,
                        .count = 1,
                        .conditions = below,
                        .noise = noise,
                        .fresh = fresh,
                        .rearm = rearm,
                        .happen = happen,
                        .next = next_time,
                        .longest = INFINITY};
    Log log = {0};
    OdeResult r =
        run((OdeProblem){.n = 1, .checked = 1, .f = straight, .events = &events},
            (OdeSettings){
                .method = (OdeMethod)m, .t1 = 1, .step = 0.25, .every = 0.5, .breaks = {.times = broken, .count = 1}},
            y, &log);
    assert_int_equal(r.status, ode_done);
    assert_int_equal(h.count, 3);
    assert_true(h.at[0] == 0.33 && h.ended[0] == 0);
    assert_true(h.at[1] == 0.55 && log.jump_right == 0.55 && log.jump_left == nextafter(0.55, 0));
    assert_true(fabs(h.at[2] - 0.7) < 1e-14 && h.ended[2] == 1 && fabs(h.y[2] - 0.7) < 1e-14);
    assert_true(fabs(y[0] + 0.7) < 1e-12); // -1 and the rest of the way
    assert_int_equal(r.events, 3);
  }
}

// A limit eight last digits behind the row at 0.5 is the same instant, one a thousand behind is not.
static double limit;
static void below_limit(void *self, double t, const double *y, double *c) {
  (void)self, (void)t;
  c[0] = limit - y[0];
}

static void a_row_comes_after_the_event_of_its_instant(void **state) {
  (void)state;
  static const double times[] = {0.5, 0.75};
  for (int k = 0; k < 4; k++) {
    bool same = k % 2 == 0, listed = k > 1;
    Happened h = {0};
    double noise[1] = {0}, rearm[1] = {0}, y[1] = {0};
    bool fresh[1] = {false};
    limit = 0.5 * (1 + (same ? 8 : 1000) * 0x1p-52);
    OdeEvents events = {.self = &h,
                        .count = 1,
                        .conditions = below_limit,
                        .noise = noise,
                        .fresh = fresh,
                        .rearm = rearm,
                        .happen = happen,
                        .longest = INFINITY};
    OdeSettings s = {.method = ode_rk4, .t1 = 1, .step = 0.25, .every = 0.5};
    if (listed) s.times = times, s.time_count = 2;
    Log log = {0};
    OdeResult r = run((OdeProblem){.n = 1, .checked = 1, .f = straight, .events = &events}, s, y, &log);
    assert_int_equal(r.status, ode_done);
    assert_int_equal(h.count, 1);
    assert_true(same ? h.at[0] == 0.5 : fabs(h.at[0] - limit) <= 0x1p-52);
    assert_int_equal(log.row_count, listed ? 4 : 3);
    assert_true(log.rows[1] == 0.5 && fabs(log.y[1] - (same ? -1 : 0.5)) < 1e-15);
    assert_true(fabs(log.y[log.row_count - 1] + 0.5) < 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_is_the_polynomial_of_its_order),
      cmocka_unit_test(the_last_step_before_a_row_is_shorter),
      cmocka_unit_test(a_run_goes_on_where_it_was_held),
      cmocka_unit_test(what_ends_a_run),
      cmocka_unit_test(events_cut_steps),
      cmocka_unit_test(a_row_comes_after_the_event_of_its_instant),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
