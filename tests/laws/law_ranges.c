// What a tape computes inside a box lies within the ranges that interval arithmetic gives for the box: on random
// expressions with all operations. The broken twin: ranges of a box elsewhere. And along a line through the box the
// difference of two values lies within the range of the rates times the way between them; the twin: rates of the line
// the other way round.
#define _XOPEN_SOURCE 700
#include "tests/laws/graphs.h"

#include "tape/interval.h"

enum { rounds = 3000, inside = 10, wanted = 1 };

// A box around a moderate point.
static void new_box(double *lo, double *hi, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    double mid = 6 * uniform() - 3, reach = uniform() < 0.3 ? 1e-3 : 2 * uniform();
    lo[i] = mid - reach;
    hi[i] = mid + reach;
  }
}

static unsigned outside(const Tape *t, double *w, const double *at_lo, const double *at_hi, const double *lo,
                        const double *hi, unsigned *seen) {
  unsigned bad = 0;
  for (int k = 0; k < inside; k++) {
    double *var = tape_vars(t, w);
    for (uint32_t i = 0; i < t->var_count; i++) {
      double a = at_lo[t->param_count + i], b = at_hi[t->param_count + i], u = choose(4) ? uniform() : choose(2);
      var[i] = fmin(b, fmax(a, a + u * (b - a)));
    }
    bool defined = true; // nothing left its domain on the way
    for (uint32_t i = 0; i < t->op_count; i++) {
      tape_eval_one(t, i, w);
      defined = defined && !isnan(w[t->ops[i].dst]);
    }
    for (uint32_t i = 0; defined && i < t->output_count; i++) {
      double x = tape_result(t, w, i), a = lo[t->outputs[i]], b = hi[t->outputs[i]];
      if (!isfinite(x)) continue;
      double room = 1e-9 * (1 + fabs(x));
      *seen += isfinite(a) || isfinite(b);
      bad += x < a - room || x > b + room;
    }
  }
  return bad;
}

// Two points of a line through the box: u and v of its way. Counts the results that differ by more than the rates
// allow.
static unsigned too_fast(const Tape *t, double *w, const double *at_lo, const double *at_hi, const double *rate_lo,
                         const double *rate_hi, double sign, unsigned *seen) {
  unsigned bad = 0;
  for (int k = 0; k < inside; k++) {
    double u[2] = {uniform(), uniform()}, x[2][wanted];
    bool defined = true;
    for (int side = 0; side < 2; side++) {
      double *var = tape_vars(t, w);
      for (uint32_t i = 0; i < t->var_count; i++)
        var[i] = at_lo[t->param_count + i] + u[side] * (at_hi[t->param_count + i] - at_lo[t->param_count + i]);
      for (uint32_t i = 0; i < t->op_count; i++) {
        tape_eval_one(t, i, w);
        defined = defined && isfinite(w[t->ops[i].dst]);
      }
      for (int i = 0; i < wanted; i++) x[side][i] = tape_result(t, w, (uint32_t)i);
    }
    for (uint32_t i = 0; defined && i < wanted; i++) {
      double way = u[1] - u[0], moved = sign * (x[1][i] - x[0][i]), a = rate_lo[t->outputs[i]],
             b = rate_hi[t->outputs[i]];
      if (!isfinite(a) || !isfinite(b)) continue;
      double least = fmin(a * way, b * way), most = fmax(a * way, b * way),
             room = 1e-9 * (1 + fabs(x[0][i]) + fabs(x[1][i]) + fmax(fabs(a), fabs(b)));
      *seen += 1;
      bad += moved < least - room || moved > most + room;
    }
  }
  return bad;
}

static void values_stay_within_their_ranges(void **state) {
  (void)state;
  (void)kernels_tape;
  (void)number;
  World w = world_new();
  unsigned seen = 0, twins = 0, none = 0, rates = 0, back = 0;
  for (int round = 0; round < rounds; round++) {
    ExprId results[wanted];
    for (int i = 0; i < wanted; i++) results[i] = grow(&w, 2 + (int)choose(3));
    Arena *arena = arena_new();
    const Tape *t = tape_build(arena, &(TapeRequest){.system = &w.l->system,
                                                     .vars = w.symbols,
                                                     .var_count = variables,
                                                     .results = results,
                                                     .result_count = wanted});
    assert_non_null(t);
    double *room = arena_array(arena, t->slot_count, sizeof *room), *lo = arena_array(arena, t->slot_count, sizeof *lo);
    double *hi = arena_array(arena, t->slot_count, sizeof *hi),
           *other = arena_array(arena, 2 * (size_t)t->slot_count, sizeof *other);
    double *rate_lo = arena_array(arena, t->slot_count, sizeof *lo),
           *rate_hi = arena_array(arena, t->slot_count, sizeof *lo);
    assert_true(room && lo && hi && other && rate_lo && rate_hi);
    for (uint32_t i = 0; i < t->param_count; i++) room[i] = 4 * uniform() - 2;
    tape_prepare(t, room);
    new_box(lo + t->param_count, hi + t->param_count, t->var_count);
    tape_ranges(t, room, lo, hi);
    assert_int_equal(outside(t, room, lo, hi, lo, hi, &seen), 0);
    memcpy(other, lo, t->slot_count * sizeof *lo);
    memcpy(other + t->slot_count, hi, t->slot_count * sizeof *hi);
    for (uint32_t i = 0; i < t->var_count; i++) {
      other[t->param_count + i] += 5;
      other[t->slot_count + t->param_count + i] += 5;
    }
    twins += outside(t, room, other, other + t->slot_count, lo, hi, &none);
    for (uint32_t i = 0; i < t->var_count; i++)
      rate_lo[t->param_count + i] = rate_hi[t->param_count + i] = hi[t->param_count + i] - lo[t->param_count + i];
    tape_prepare(t, room);
    memcpy(other, lo, t->slot_count * sizeof *lo);
    tape_range_rates(t, room, lo, hi, rate_lo, rate_hi);
    for (int i = 0; i < wanted; i++)
      assert_true(same(lo[t->outputs[i]], other[t->outputs[i]])); // of the values nothing else is said
    assert_int_equal(too_fast(t, room, lo, hi, rate_lo, rate_hi, 1, &rates), 0);
    back += too_fast(t, room, lo, hi, rate_lo, rate_hi, -1, &none);
    arena_free(arena);
  }
  assert_true(seen > 5000); // the ranges say something
  assert_true(rates > 5000);
  assert_true(back > 500);
  assert_true(twins > 500);
  unload(w.l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(values_stay_within_their_ranges, start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
