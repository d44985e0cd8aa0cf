// A ring of masses whose springs are one kernel, no expressions: the kernel gives all forces, its slopes are sparse.
//
//   z_i = k (a_(i-1) - 2 a_i + a_(i+1)) - c a_i^3,   dz_i/da_i = -2 k - 3 c a_i^2,   dz_i/da_(i+-1) = k
#include "tests/unit/tape/kernel_frame.h"

#include "tape/jacobian.h"

typedef struct Ring {
  uint32_t n;
  double k, c;
  uint32_t *start, *argument;
} Ring;

static uint32_t ring_results(const void *data) { return ((const Ring *)data)->n; }
static uint32_t slope_results(const void *data) { return 3 * ((const Ring *)data)->n; }

static void ring_eval(const TapeCall *call, const uint32_t *args, double *w, double *z) {
  const Ring *r = call->data;
  for (uint32_t i = 0; i < r->n; i++) {
    double a = w[args[i]];
    z[i] = r->k * (w[args[(i + r->n - 1) % r->n]] - 2 * a + w[args[(i + 1) % r->n]]) - r->c * a * a * a;
  }
}

static void slopes_eval(const TapeCall *call, const uint32_t *args, double *w, double *d) {
  const Ring *r = call->data;
  for (uint32_t i = 0; i < r->n; i++) {
    for (uint32_t k = r->start[i]; k < r->start[i + 1]; k++) {
      double a = w[args[i]];
      d[k] = r->argument[k] == i ? -2 * r->k - 3 * r->c * a * a : r->k;
    }
  }
}

static TapePattern ring_pattern(const void *data) {
  const Ring *r = data;
  return (TapePattern){r->start, r->argument};
}

static const TapeKernel ring_slopes = {
    .name = "ring slopes", .fault = "overflow", .results = slope_results, .room = slope_results, .eval = slopes_eval};
static const TapeKernel ring = {.name = "ring",
                                .fault = "overflow",
                                .results = ring_results,
                                .room = ring_results,
                                .eval = ring_eval,
                                .tangent = tangent_by_slopes,
                                .slopes = &ring_slopes,
                                .pattern = ring_pattern};

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static Ring *ring_new(Arena *arena, uint32_t n) {
  Ring *r = arena_new_of(arena, Ring);
  *r = (Ring){.n = n, .k = 3, .c = 0.5};
  r->start = arena_array(arena, n + 1, sizeof *r->start);
  r->argument = arena_array(arena, 3 * (size_t)n, sizeof *r->argument);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t *at = r->argument + 3 * (size_t)i;
    r->start[i + 1] = 3 * (i + 1);
    at[0] = (i + n - 1) % n;
    at[1] = i;
    at[2] = (i + 1) % n;
    qsort(at, 3, sizeof *at, by_number);
  }
  return r;
}

// States x_i' = z_i + x_i, where the argument of the kernel is 2 x_i: the chain rule has something to do.
static System *ring_system(Arena *arena, uint32_t n) {
  System *s = arena_new_of(arena, System);
  ExprPool *pool = arena_new_of(arena, ExprPool);
  assert_true(pool_init(pool, arena));
  s->arena = arena;
  s->pool = pool;
  s->time = pool_symbol(pool, "t", sym_time, 0, 0);
  s->state_count = n;
  ExprId *args = arena_array(arena, n, sizeof *args);
  SymbolId *results = arena_array(arena, n, sizeof *results);
  for (uint32_t i = 0; i < n; i++) {
    SystemState x = {.x = pool_symbol(pool, "x", sym_state, i, 0),
                     .rate = pool_symbol(pool, "x'", sym_state_rate, i, 1)};
    Component y = {.kind = component_state, .symbol = x.x, .rate = expr_sym(pool, x.rate), .name = "x", .of = i};
    assert_true(vec_push(arena, &s->states, x) && vec_push(arena, &s->y, y));
    results[i] = pool_symbol(pool, "z", sym_signal, i, 0);
    args[i] = expr_scale(pool, rat_int(2), expr_sym(pool, x.x));
  }
  SystemCall call = {&ring, ring_new(arena, n), n, n, args, results, 0};
  assert_true(vec_push(arena, &s->calls, call) && vec_push(arena, &s->steps, ((SystemStep){step_call, 0})));
  for (uint32_t i = 0; i < n; i++) {
    const SystemState *x = &s->states.items[i];
    Definition d = {x->rate, expr_add(pool, expr_sym(pool, results[i]), expr_sym(pool, x->x)), 0};
    assert_true(vec_push(arena, &s->definitions, d) && vec_push(arena, &s->steps, ((SystemStep){step_define, i})));
  }
  return s;
}

static void rates_come_from_the_kernel(void **state) {
  (void)state;
  enum { n = 10 };
  Arena *arena = arena_new();
  System *s = ring_system(arena, n);
  SymbolId vars[n + 1] = {s->time};
  ExprId rates[n];
  for (uint32_t i = 0; i < n; i++) {
    vars[i + 1] = s->states.items[i].x;
    rates[i] = expr_sym(s->pool, s->states.items[i].rate);
  }
  const Tape *t = tape_build(
      arena, &(TapeRequest){.system = s, .vars = vars, .var_count = n + 1, .results = rates, .result_count = n});
  assert_non_null(t);
  double in[lane_count * (n + 1)], out[n];
  for (uint32_t i = 0; i < lane_count * (n + 1); i++) in[i] = sin(i);
  frame_eval(t, in, out);
  for (uint32_t i = 0; i < n; i++) {
    double a = 2 * in[1 + i], left = 2 * in[1 + (i + n - 1) % n], right = 2 * in[1 + (i + 1) % n];
    assert_true(fabs(out[i] - (3 * (left - 2 * a + right) - 0.5 * a * a * a + in[1 + i])) < 1e-14);
  }
  frame_lanes(arena, t, in);
  frame_native(arena, t, in);
  arena_free(arena);
}

// Four entries a column at most, whatever n is; values by hand.
static void the_jacobian_is_sparse_and_exact(void **state) {
  (void)state;
  for (uint32_t n = 10; n <= 100000; n *= 100) {
    Arena *arena = arena_new();
    const TapeJacobian *j = tape_jacobian(arena, ring_system(arena, n), NULL, 0, NULL);
    assert_non_null(j);
    assert_int_equal(j->columns, n + 1);
    assert_int_equal(j->count, 3 * n);
    double *in = arena_array(arena, (size_t)n + 1, sizeof *in), *out = arena_array(arena, j->count, sizeof *out);
    for (uint32_t i = 0; i <= n; i++) in[i] = cos(i);
    frame_eval(j->tape, in, out);
    for (uint32_t c = 0; c < n; c++) {
      for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
        double a = 2 * in[1 + c], expected = j->row[k] == c ? 2 * (-6 - 1.5 * a * a) + 1 : 6;
        if (!(fabs(out[k] - expected) < 1e-13)) fail_msg("n %u, entry %u, %u: %.17g", n, j->row[k], c, out[k]);
      }
    }
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_come_from_the_kernel),
      cmocka_unit_test(the_jacobian_is_sparse_and_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
