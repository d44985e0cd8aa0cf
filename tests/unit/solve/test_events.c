// The search for ends of conditions on a given curve: crossings, pairs of them, dips, touches, starts at zero, bounds.
#include "tests/support.h"

#include "solve/events.h"

// y(t) = t; conditions are functions of it, so their ends are known
typedef double Function(double t);
typedef struct Curve {
  Function *g;
  double t, h, graze;
  bool bounded, unsure;
  double noise[1], rearm[1];
  bool fresh[1], wild[1];
  uint32_t used[1];
  OdeEvents events;
} Curve;

static void conditions(void *self, double t, const double *y, double *c) {
  (void)t;
  c[0] = ((Curve *)self)->g(y[0]);
}
static void dense(void *self, double part, double *y) {
  Curve *c = self;
  y[0] = c->t + part * c->h;
}
static bool reach(void *self, double t, double *y) {
  (void)self;
  y[0] = t;
  return true;
}
static void graze(void *self, uint32_t condition, double t) {
  (void)condition;
  ((Curve *)self)->graze = t;
}
static bool unsure(void *self, uint32_t condition, double t, bool undefined) {
  (void)condition, (void)t, (void)undefined;
  ((Curve *)self)->unsure = true;
  return true;
}

// Bounds of the narrow pulse 1 - 2/(1 + (1000 (y - 0.4321))^2), exact: it is even around its place, and rises from
// there.
static const double place = 0.4321;
static double pulse(double y) { return 1 - 2 / (1 + 1e6 * (y - place) * (y - place)); }
static double pulse_rate(double y) {
  double d = 1 + 1e6 * (y - place) * (y - place);
  return 4e6 * (y - place) / (d * d);
}
static void pulse_ranges(void *self, double t0, double t1, const OdeBox *box, double *least, double *slow,
                         double *fast) {
  (void)self;
  double lo = box->lo[0], hi = box->hi[0], near = fmin(fmax(place, lo), hi);
  least[0] = pulse(near);
  if (!box->rate_lo) return;
  // the steepest places are 1/1000/sqrt(3) beside it; the rate of y is 1
  double steep = 1e-3 / sqrt(3), a = pulse_rate(lo), b = pulse_rate(hi), most = pulse_rate(place + steep);
  bool left = lo <= place - steep && place - steep <= hi, right = lo <= place + steep && place + steep <= hi;
  slow[0] = (left ? -most : fmin(a, b)) * (t1 - t0);
  fast[0] = (right ? most : fmax(a, b)) * (t1 - t0);
}

static EventSearch *set_up(Arena *arena, Curve *c, Function *g, bool bounded) {
  *c = (Curve){.g = g, .t = 0, .h = 1, .graze = NAN, .noise = {1e-14}, .wild = {bounded}, .used = {0}};
  c->events = (OdeEvents){.self = c,
                          .count = 1,
                          .conditions = conditions,
                          .noise = c->noise,
                          .fresh = c->fresh,
                          .rearm = c->rearm,
                          .longest = INFINITY,
                          .graze = graze,
                          .unsure = unsure};
  if (bounded) {
    c->events.wild = c->wild;
    c->events.ranges = pulse_ranges;
    c->events.used = c->used;
    c->events.used_count = 1;
  }
  return event_search_new(arena, &c->events, 1);
}

// The end that is found in 0 .. 1; NAN: none.
static double find(Curve *c, Function *g, bool bounded, bool fresh) {
  Arena *arena = arena_new();
  EventSearch *x = set_up(arena, c, g, bounded);
  c->fresh[0] = fresh;
  double at = NAN, y[1];
  if (event_search(x, c->t, c->h, dense, c, &at)) assert_true(event_polish(x, reach, c, y, &at));
  else at = NAN;
  arena_free(arena);
  return at;
}

static double line(double y) { return 0.6 - y; }
static double twice(double y) { return (y - 0.5) * (y - 0.501); }      // below zero for a thousandth
static double cosine(double y) { return cos(20 * y) + 0.5; }           // first at 2 pi/60
static double touching(double y) { return (y - 0.5) * (y - 0.5); }     // to zero and back
static double above(double y) { return (y - 0.5) * (y - 0.5) + 1e-3; } // not even that
static double root(double y) { return sqrt(0.9 - y) - 0.3; }           // at 0.81; no value from 0.9 on
static double from_zero(double y) { return y * (0.7 - y); }            // starts at zero and becomes positive
static double hump(double y) { return y * (0.25 - y); }                // between two zeros
static double fall_from_zero(double y) { return -y; }                  // starts at zero and does not

static void ends_are_where_they_are(void **state) {
  (void)state;
  Curve c;
  assert_true(fabs(find(&c, line, false, false) - 0.6) < 1e-15);
  assert_true(fabs(find(&c, twice, false, false) - 0.5) < 1e-13);
  assert_true(fabs(find(&c, cosine, false, false) - 2 * 3.14159265358979323846 / 60) < 1e-14);
  assert_true(fabs(find(&c, root, false, false) - 0.81) < 1e-14);
}

static void what_does_not_end_is_not_found(void **state) {
  (void)state;
  Curve c;
  assert_true(isnan(find(&c, above, false, false)) && isnan(c.graze));
  assert_true(isnan(find(&c, touching, false, false)));
  assert_true(fabs(c.graze - 0.5) < 1e-6); // told as a touch
}

static void starts_at_zero_wait_until_it_is_positive(void **state) {
  (void)state;
  Curve c;
  assert_true(fabs(find(&c, from_zero, false, true) - 0.7) < 1e-14);
  assert_true(find(&c, fall_from_zero, false, true) < 1e-12); // never was: at once
}

// Its dip is three thousandths wide: between all nine points, and any grid.
static void a_short_dip_is_found_by_bounds(void **state) {
  (void)state;
  Curve c;
  double at = find(&c, pulse, true, false);
  assert_true(fabs(at - (place - 1e-3)) < 1e-12); // 1 = 2/(1 + 1)
  assert_false(c.unsure);
}

static void what_ended_is_told_once(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Curve c;
  EventSearch *x = set_up(arena, &c, line, false);
  double at, y[1] = {0.6};
  uint32_t count = 0;
  assert_true(event_search(x, 0, 1, dense, &c, &at));
  const uint32_t *ended = event_ended(x, at, y, &count);
  assert_int_equal(count, 1);
  assert_int_equal(ended[0], 0);
  // fresh conditions are armed by a step on which they became positive
  c.fresh[0] = true;
  c.h = 0.25;
  assert_false(event_search(x, 0, 0.25, dense, &c, &at));
  event_none(x);
  assert_false(c.fresh[0]);
  // also where it is back at zero at the end of the step
  c.g = hump;
  c.fresh[0] = true;
  assert_false(event_search(x, 0, 0.25, dense, &c, &at));
  event_none(x);
  assert_false(c.fresh[0]);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_are_where_they_are),
      cmocka_unit_test(what_does_not_end_is_not_found),
      cmocka_unit_test(starts_at_zero_wait_until_it_is_positive),
      cmocka_unit_test(a_short_dip_is_found_by_bounds),
      cmocka_unit_test(what_ended_is_told_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
