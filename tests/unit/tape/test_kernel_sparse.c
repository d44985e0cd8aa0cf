#include "tests/unit/tape/kernel_frame.h"

#include "tape/elimination.h"

typedef struct Sparse {
  Arena *arena;
  uint32_t n, count;
  KernelCell *cells;
  double *values;
} Sparse;

static Sparse sparse_new(uint32_t n) {
  Sparse s = {.arena = arena_new(), .n = n};
  s.cells = arena_array(s.arena, (size_t)12 * n, sizeof *s.cells);
  s.values = arena_array(s.arena, (size_t)12 * n, sizeof *s.values);
  return s;
}

static void put(Sparse *s, uint32_t i, uint32_t j, double x) {
  s->cells[s->count] = (KernelCell){i, j};
  s->values[s->count++] = x;
}

// M X = -H with X_i = 1 + i/n + c: the largest error. work: of the kernel.
static double error_of(Sparse *s, uint32_t columns, uint64_t *work) {
  const void *data = kernel_sparse_plan(s->arena, s->n, s->cells, s->count, columns, work);
  assert_non_null(data);
  uint32_t total = s->count + s->n * columns;
  double *in = arena_array(s->arena, total, sizeof *in), *out = arena_array(s->arena, s->n * columns, sizeof *out);
  memcpy(in, s->values, s->count * sizeof *in);
  for (uint32_t c = 0; c < columns; c++) {
    for (uint32_t k = 0; k < s->count; k++)
      in[s->count + c * s->n + s->cells[k].row] -= s->values[k] * (1 + (double)s->cells[k].column / s->n + c);
  }
  frame_eval(frame_tape(s->arena, &kernel_sparse, data, total), in, out);
  double worst = 0;
  for (uint32_t i = 0; i < s->n * columns; i++) {
    double e = fabs(out[i] - (1 + (double)(i % s->n) / s->n + i / s->n));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

static void chains_and_rings_cost_what_their_entries_cost(void **state) {
  (void)state;
  uint64_t before = 0, work;
  for (uint32_t n = 100; n <= 10000; n *= 10) {
    Sparse s = sparse_new(n);
    for (uint32_t i = 0; i < n; i++) {
      put(&s, i, i, 4);
      put(&s, i, (i + 1) % n, -1);
      put(&s, i, (i + n - 1) % n, -1);
    }
    assert_true(error_of(&s, 1, &work) < 1e-13);
    assert_true(work < 100 * n);
    assert_true(!before || work < 11 * before);
    before = work;
    arena_free(s.arena);
  }
}

// A square of 30 by 30 cells with unsymmetric weights, its equations in disorder: few stand where their unknown stands.
static void grids_in_disorder_are_solved(void **state) {
  (void)state;
  enum { side = 30, n = side * side };
  for (uint32_t columns = 1; columns <= 3; columns += 2) {
    Sparse s = sparse_new(n);
    uint64_t work;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t x = i % side, y = i / side, row = (7 * i + 3) % n;
      put(&s, row, i, 5);
      if (x) put(&s, row, i - 1, cos(3.0 * i));
      if (x + 1 < side) put(&s, row, i + 1, sin(i));
      if (y) put(&s, row, i - side, sin(5.0 * i));
      if (y + 1 < side) put(&s, row, i + side, cos(2.0 * i));
    }
    assert_true(error_of(&s, columns, &work) < 1e-13);
    assert_true(work < 4 * (uint64_t)n * n); // a dense one would have n^3/3
    arena_free(s.arena);
  }
}

// Zeros on the diagonal: the middle of [0 1; 1 0] and its sisters along a chain.
static void pivots_are_looked_for_below_zeros(void **state) {
  (void)state;
  Sparse s = sparse_new(200);
  uint64_t work;
  for (uint32_t i = 0; i < s.n; i++) {
    put(&s, i, i, i % 2 ? 0 : 1e-12);
    put(&s, i, i % 2 ? i - 1 : i + 1, 2);
    if (i > 1) put(&s, i, i - 2, 0.5);
  }
  assert_true(error_of(&s, 1, &work) < 1e-13);
  arena_free(s.arena);
}

static void what_is_singular_has_no_solution_or_no_plan(void **state) {
  (void)state;
  Sparse s = sparse_new(3);
  uint64_t work;
  put(&s, 0, 0, 1), put(&s, 0, 1, 2), put(&s, 1, 0, 2), put(&s, 1, 1, 4), put(&s, 2, 2, 1);
  assert_true(isnan(error_of(&s, 1, &work))); // two rows are the same but for a factor
  s.count = 0;
  put(&s, 0, 0, 1), put(&s, 1, 0, 2), put(&s, 2, 2, 1);
  assert_null(kernel_sparse_plan(s.arena, 3, s.cells, s.count, 1, &work)); // nothing holds the second unknown
  arena_free(s.arena);
}

// The unknown with fewest neighbours first: a star's middle comes last but one, and nothing is filled in.
static void elimination_of_a_star_fills_nothing_in(void **state) {
  (void)state;
  enum { n = 50 };
  Arena *arena = arena_new();
  uint32_t start[n], member[2 * n];
  for (uint32_t i = 1; i < n; i++) {
    start[i - 1] = 2 * (i - 1);
    member[2 * (i - 1)] = 0;
    member[2 * (i - 1) + 1] = i;
  }
  start[n - 1] = 2 * (n - 1);
  const Elimination *e = elimination_order(arena, n, &(EliminationSets){n - 1, start, member});
  assert_non_null(e);
  assert_int_equal(e->start[n], n - 1);
  assert_true(e->order[n - 1] == 0 || e->order[n - 2] == 0);
  arena_free(arena);
}

static void every_way_to_run_it_gives_the_same_bits(void **state) {
  (void)state;
  enum { n = 20 };
  Sparse s = sparse_new(n);
  uint64_t work;
  for (uint32_t i = 0; i < n; i++) {
    if (i % 4) put(&s, i, i, 1 + i);
    put(&s, i, (i + 1) % n, cos(i));
    put(&s, i, (i + 7) % n, sin(i));
  }
  const void *data = kernel_sparse_plan(s.arena, n, s.cells, s.count, 2, &work);
  uint32_t total = s.count + 2 * n;
  double *in = arena_array(s.arena, (size_t)lane_count * total, sizeof *in);
  for (uint32_t i = 0; i < lane_count * total; i++)
    in[i] = i % total < s.count ? s.values[i % total] + 0.1 * (i / total) : cos(i);
  const Tape *t = frame_tape(s.arena, &kernel_sparse, data, total);
  frame_lanes(s.arena, t, in);
  frame_native(s.arena, t, in);
  frame_export(s.arena, t, in);
  arena_free(s.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_and_rings_cost_what_their_entries_cost),
      cmocka_unit_test(grids_in_disorder_are_solved),
      cmocka_unit_test(pivots_are_looked_for_below_zeros),
      cmocka_unit_test(what_is_singular_has_no_solution_or_no_plan),
      cmocka_unit_test(elimination_of_a_star_fills_nothing_in),
      cmocka_unit_test(every_way_to_run_it_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
