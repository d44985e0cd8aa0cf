// A projector keeps the motion on its manifold to rounding, at steps and at rows inside of them, costs no order, and is
// the same in lanes. The motion goes around the circle x^2 + y^2 = 1 with the rate 1 + sin(t)/2, so its angle is
// t + (1 - cos t)/2.
#include "tests/support.h"

#include "solve/lanes.h"

typedef struct Circle {
  double phase;          // angle at the start
  bool strict;           // the projector refuses what is too far off
  unsigned calls, moves; // of the projector
  double residue, error; // the largest of all rows
  uint64_t rows;
} Circle;

static double angle(const Circle *c, double t) { return c->phase + t + 0.5 * (1 - cos(t)); }
static double off(const double *y) { return y[0] * y[0] + y[1] * y[1] - 1; }

static bool around(void *self, double t, const double *y, double *d) {
  (void)self;
  double rate = 1 + 0.5 * sin(t);
  d[0] = -rate * y[1];
  d[1] = rate * y[0];
  d[2] = rate; // a quadrature
  return true;
}

static void slopes(void *self, double t, const double *y, double *e) {
  (void)self;
  double rate = 1 + 0.5 * sin(t), change = 0.5 * cos(t);
  const double entries[] = {rate, -rate, -change * y[1], change * y[0], change};
  memcpy(e, entries, sizeof entries);
}
static const uint32_t start[] = {0, 1, 2, 5}, row[] = {1, 0, 0, 1, 2};
static const OdeJacobian *jacobian(void *self) {
  (void)self;
  static const OdeJacobian j = {start, row, 5, slopes};
  return &j;
}

static OdeProjection to_circle(void *self, double t, double *y) {
  (void)t;
  Circle *c = self;
  c->calls++;
  if (c->strict && fabs(off(y)) > 1e-5) return projection_failed;
  if (fabs(off(y)) <= 4e-16) return projection_none;
  double r = sqrt(y[0] * y[0] + y[1] * y[1]);
  y[0] /= r;
  y[1] /= r;
  c->moves++;
  return projection_moved;
}

static bool look(void *self, double t, const double *y) {
  Circle *c = self;
  c->residue = fmax(c->residue, fabs(off(y)));
  c->error = fmax(c->error, hypot(y[0] - cos(angle(c, t)), y[1] - sin(angle(c, t))));
  c->rows++;
  return true;
}

static OdeResult go(Circle *c, bool projected, OdeSettings s, double *y) {
  Arena *arena = arena_new();
  OdeProblem p = {.n = 3, .checked = 2, .self = c, .f = around, .jacobian = jacobian};
  if (projected) p.project = to_circle;
  y[0] = cos(c->phase);
  y[1] = sin(c->phase);
  y[2] = 0;
  OdeResult r = ode_solve(arena, &p, &s, y, &(OdeObserver){c, look, NULL, NULL, NULL, NULL});
  arena_free(arena);
  return r;
}

static OdeSettings settings(OdeMethod method, double precision) {
  return (OdeSettings){.method = method,
                       .t1 = 20,
                       .step = precision,
                       .every = ode_is_fixed(method) ? 0.5 : 0.01,
                       .rtol = precision,
                       .atol = precision,
                       .most_steps = 1000000};
}

static void the_motion_stays_on_the_circle(void **state) {
  (void)state;
  const struct {
    OdeMethod method;
    double precision, error;
  } cases[] = {{ode_rk4, 0.02, 1e-6},
               {ode_dopri5, 1e-8, 1e-6},
               {ode_dop853, 1e-8, 1e-6},
               {ode_rodas, 1e-8, 1e-6},
               {ode_bdf, 1e-8, 2e-5}};
  for (int i = 0; i < 5; i++) {
    Circle free = {.phase = 0.3}, held = {.phase = 0.3};
    double y[3];
    OdeSettings s = settings(cases[i].method, cases[i].precision);
    assert_int_equal(go(&free, false, s, y).status, ode_done);
    assert_int_equal(go(&held, true, s, y).status, ode_done);
    print_message("%s: residue %.1e, with projection %.1e; error %.1e, with projection %.1e\n",
                  ode_method_name(cases[i].method), free.residue, held.residue, free.error, held.error);
    assert_true(free.residue > 1e-10 && held.residue < 2e-15);
    assert_true(held.error < cases[i].error && held.error < 3 * free.error);
    assert_int_equal(held.rows, free.rows);
    assert_true(held.moves > 10);
    assert_true(fabs(y[2] - angle(&held, 20) + 0.3) < 1e-6); // the quadrature is left alone
  }
}

static void fixed_steps_keep_their_order(void **state) {
  (void)state;
  for (int m = ode_euler; m <= ode_rk4; m++) {
    Circle coarse = {0}, fine = {0};
    double y[3];
    go(&coarse, true, settings((OdeMethod)m, 0.02), y);
    go(&fine, true, settings((OdeMethod)m, 0.01), y);
    double order = log2(coarse.error / fine.error);
    print_message("%s: order %.2f\n", ode_method_name((OdeMethod)m), order);
    assert_true(order > ode_order((OdeMethod)m) - 0.15);
  }
}

// The work grows as tolerance^(-1/q), and the error falls with the tolerance.
static void adaptive_methods_keep_their_order(void **state) {
  (void)state;
  const struct {
    OdeMethod method;
    double order, coarse, fine;
  } cases[] = {{ode_dopri5, 5, 1e-6, 1e-9}, {ode_dop853, 8, 1e-8, 1e-13}, {ode_rodas, 5, 1e-6, 1e-9}};
  for (int i = 0; i < 3; i++) {
    Circle coarse = {0}, fine = {0};
    double y[3];
    OdeResult a = go(&coarse, true, settings(cases[i].method, cases[i].coarse), y);
    OdeResult b = go(&fine, true, settings(cases[i].method, cases[i].fine), y);
    double order = log(cases[i].coarse / cases[i].fine) / log((double)b.steps / (double)a.steps);
    print_message("%s: order %.2f, error %.1e and %.1e\n", ode_method_name(cases[i].method), order, coarse.error,
                  fine.error);
    assert_true(fabs(order - cases[i].order) < 1.2);
    assert_true(fine.error < 3e-2 * coarse.error && fine.error < 200 * cases[i].fine);
  }
  Circle coarse = {0}, fine = {0}; // the order of bdf changes on its way
  double y[3];
  go(&coarse, true, settings(ode_bdf, 1e-6), y);
  go(&fine, true, settings(ode_bdf, 1e-9), y);
  assert_true(fine.error < 1e-2 * coarse.error);
}

static void what_cannot_be_projected_is_tried_again_smaller(void **state) {
  (void)state;
  const OdeMethod methods[] = {ode_dopri5, ode_dop853, ode_rodas, ode_bdf};
  for (int i = 0; i < 4; i++) {
    Circle easy = {0}, strict = {.strict = true};
    double y[3];
    OdeResult a = go(&easy, true, settings(methods[i], 1e-3), y), b = go(&strict, true, settings(methods[i], 1e-3), y);
    assert_int_equal(b.status, ode_done);
    assert_true(b.rejected > a.rejected && strict.residue < 2e-15);
  }
  Circle strict = {.strict = true};
  double y[3];
  OdeResult r = go(&strict, true, settings(ode_euler, 0.1), y);
  assert_int_equal(r.status, ode_not_finite);
  assert_true(r.t == 0);
}

// An event in the middle: the motion is stopped where x falls below 1/2, on the circle.
static void half(void *self, double t, const double *y, double *c) {
  (void)self, (void)t;
  c[0] = y[0] - 0.5;
}
static OdeAction stop(void *self, double t, double *y, const uint32_t *ended, uint32_t count, uint64_t steps) {
  (void)steps;
  (void)t, (void)ended, (void)count;
  *(double *)self = off(y);
  return action_stop;
}

static void events_lie_on_the_circle(void **state) {
  (void)state;
  const OdeMethod methods[] = {ode_rk4, ode_dopri5, ode_dop853, ode_rodas, ode_bdf};
  // t + (1 - cos t)/2 = pi/3
  double t = 1;
  for (int i = 0; i < 50; i++) t -= (t + 0.5 * (1 - cos(t)) - 1.0471975511965977462) / (1 + 0.5 * sin(t));
  for (int i = 0; i < 5; i++) {
    Arena *arena = arena_new();
    double y[3] = {1, 0, 0}, residue = 1, noise[1] = {1e-15}, rearm[1] = {0};
    bool fresh[1] = {false};
    Circle c = {0};
    OdeEvents events = {.self = &residue,
                        .count = 1,
                        .conditions = half,
                        .noise = noise,
                        .fresh = fresh,
                        .rearm = rearm,
                        .happen = stop,
                        .longest = INFINITY};
    OdeProblem p = {
        .n = 3, .checked = 2, .self = &c, .f = around, .jacobian = jacobian, .events = &events, .project = to_circle};
    OdeSettings s = settings(methods[i], ode_is_fixed(methods[i]) ? 0.01 : 1e-8);
    OdeResult r = ode_solve(arena, &p, &s, y, &(OdeObserver){&c, look, NULL, NULL, NULL, NULL});
    assert_int_equal(r.status, ode_ended);
    assert_true(fabs(r.t - t) < 1e-6 && fabs(residue) < 2e-15 && fabs(y[0] - 0.5) < 1e-6);
    arena_free(arena);
  }
}

// ---- in lanes

enum { problems = 20 };

typedef struct Batch {
  Circle *c;
  int next, of[ode_lanes];
  OdeResult r[problems];
  double end[problems][3];
} Batch;

static unsigned f_lanes(void *self, unsigned mask, const double *t, const double *y, double *d) {
  (void)mask;
  (void)self;
  for (int l = 0; l < ode_lanes; l++) {
    double own[3] = {y[l], y[8 + l], y[16 + l]}, out[3];
    around(NULL, t[l], own, out);
    for (int i = 0; i < 3; i++) d[8 * i + l] = out[i];
  }
  return 0xFF;
}
static void j_lanes(void *self, unsigned mask, const double *t, const double *y, double *e) {
  (void)mask;
  (void)self;
  for (int l = 0; l < ode_lanes; l++) {
    double own[3] = {y[l], y[8 + l], y[16 + l]}, out[5];
    slopes(NULL, t[l], own, out);
    for (int i = 0; i < 5; i++) e[8 * i + l] = out[i];
  }
}
static const LaneJacobian *jacobian_lanes(void *self) {
  (void)self;
  static const LaneJacobian j = {start, row, 5, j_lanes};
  return &j;
}
static unsigned project_lanes(void *self, unsigned mask, const double *t, double *y, unsigned *failed) {
  Batch *b = self;
  unsigned moved = 0;
  for (int l = 0; l < ode_lanes; l++) {
    double own[3] = {y[l], y[8 + l], y[16 + l]};
    if (!(mask >> l & 1)) continue;
    OdeProjection seen = to_circle(&b->c[b->of[l]], t[l], own);
    if (seen == projection_failed) *failed |= 1u << l;
    if (seen != projection_moved) continue;
    moved |= 1u << l;
    y[l] = own[0];
    y[8 + l] = own[1];
  }
  return moved;
}
static bool next_problem(void *self, int lane, double *y, OdeBreaks *breaks) {
  Batch *b = self;
  (void)breaks;
  if (b->next == problems) return false;
  const Circle *c = &b->c[b->of[lane] = b->next++];
  y[0] = cos(c->phase);
  y[1] = sin(c->phase);
  y[2] = 0;
  return true;
}
static void row_lanes(void *self, int lane, double t, const double *y) {
  Batch *b = self;
  look(&b->c[b->of[lane]], t, y);
}
static void done(void *self, int lane, const OdeResult *r, const double *y) {
  Batch *b = self;
  b->r[b->of[lane]] = *r;
  memcpy(b->end[b->of[lane]], y, sizeof b->end[0]);
}

static void lanes_do_what_one_does(void **state) {
  (void)state;
  const OdeMethod methods[] = {ode_heun, ode_rk4, ode_dopri5, ode_dop853, ode_rodas};
  for (int i = 0; i < 5; i++) {
    Circle c[problems] = {0};
    for (int k = 0; k < problems; k++) c[k] = (Circle){.phase = 0.37 * k, .strict = k % 3 == 0};
    OdeSettings s = settings(methods[i], ode_is_fixed(methods[i]) ? 0.1 : 1e-4);
    Batch b = {.c = c};
    LaneProblem p = {
        .n = 3, .checked = 2, .self = &b, .f = f_lanes, .jacobian = jacobian_lanes, .project = project_lanes};
    LaneObserver o = {.self = &b, .next = next_problem, .row = row_lanes, .done = done};
    Arena *arena = arena_new();
    assert_true(ode_solve_lanes(arena, &p, &s, &o));
    arena_free(arena);
    for (int k = 0; k < problems; k++) {
      Circle alone = {.phase = c[k].phase, .strict = c[k].strict};
      double y[3];
      OdeResult r = go(&alone, true, s, y);
      assert_int_equal(r.status, b.r[k].status);
      assert_memory_equal(y, b.end[k], sizeof y);
      assert_true(r.steps == b.r[k].steps && r.rejected == b.r[k].rejected && r.evaluations == b.r[k].evaluations);
      assert_true(alone.residue == c[k].residue && alone.error == c[k].error && alone.rows == c[k].rows);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_motion_stays_on_the_circle),
      cmocka_unit_test(fixed_steps_keep_their_order),
      cmocka_unit_test(adaptive_methods_keep_their_order),
      cmocka_unit_test(what_cannot_be_projected_is_tried_again_smaller),
      cmocka_unit_test(events_lie_on_the_circle),
      cmocka_unit_test(lanes_do_what_one_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
