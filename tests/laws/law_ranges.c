// What a tape computes inside a box lies within the ranges that interval arithmetic gives for the box: on random expressions
// with all operations. The broken twin: ranges of a box elsewhere.
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

static unsigned outside(const Tape *t, double *w, const double *at_lo, const double *at_hi, const double *lo, const double *hi, unsigned *seen) {
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

static void values_stay_within_their_ranges(void **state) {
  (void)state;
  (void)same;
  (void)kernels_tape;
  (void)number;
  World w = world_new();
  unsigned seen = 0, twins = 0, none = 0;
  for (int round = 0; round < rounds; round++) {
    ExprId results[wanted];
    for (int i = 0; i < wanted; i++) results[i] = grow(&w, 2 + (int)choose(3));
    Arena *arena = arena_new();
    const Tape *t = tape_build(arena, &(TapeWish){.system = &w.l->system, .vars = w.symbols, .var_count = variables, .results = results, .result_count = wanted});
    assert_non_null(t);
    double *room = arena_array(arena, t->slot_count, sizeof *room), *lo = arena_array(arena, t->slot_count, sizeof *lo);
    double *hi = arena_array(arena, t->slot_count, sizeof *hi), *other = arena_array(arena, 2 * (size_t)t->slot_count, sizeof *other);
    assert_true(room && lo && hi && other);
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
    arena_free(arena);
  }
  assert_true(seen > 5000); // the ranges say something
  assert_true(twins > 500);
  unload(w.l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(values_stay_within_their_ranges, start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
