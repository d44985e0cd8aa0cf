#include "tests/unit/tape/kernel_frame.h"

#include "tape/elimination.h"

typedef struct Matrix {
  Arena *arena;
  uint32_t n, count;
  KernelCell *cells;
  double *values;
} Matrix;

static Matrix matrix_new(uint32_t n) {
  Matrix s = {.arena = arena_new(), .n = n};
  s.cells = arena_array(s.arena, (size_t)12 * n, sizeof *s.cells);
  s.values = arena_array(s.arena, (size_t)12 * n, sizeof *s.values);
  return s;
}

static void put(Matrix *s, uint32_t i, uint32_t j, double x) {
  s->cells[s->count] = (KernelCell){i, j};
  s->values[s->count++] = x;
}

static const void *plan_of(const Matrix *s, uint32_t columns, uint32_t multipliers, uint64_t *work) {
  KernelSparse of = {
      .size = s->n, .columns = columns, .multipliers = multipliers, .cells = s->cells, .count = s->count};
  return kernel_sparse_plan(s->arena, s->arena, &of, work);
}

// M X = -H with X_i = 1 + i/n + c: the largest error. work: of the kernel.
static double error_of(Matrix *s, uint32_t columns, uint64_t *work) {
  const void *data = plan_of(s, columns, 0, work);
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
    Matrix s = matrix_new(n);
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
    Matrix s = matrix_new(n);
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
  Matrix s = matrix_new(200);
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
  Matrix s = matrix_new(3);
  uint64_t work;
  put(&s, 0, 0, 1), put(&s, 0, 1, 2), put(&s, 1, 0, 2), put(&s, 1, 1, 4), put(&s, 2, 2, 1);
  assert_true(isnan(error_of(&s, 1, &work))); // two rows are the same but for a factor
  s.count = 0;
  put(&s, 0, 0, 1), put(&s, 1, 0, 2), put(&s, 2, 2, 1);
  assert_null(plan_of(&s, 1, 0, &work)); // nothing holds the second unknown
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

// Constraint `row` with the entries a, b, c, d from column `first` on, and its forces.
static void bind_to(Matrix *s, uint32_t row, uint32_t first, uint32_t count, const double *g) {
  for (uint32_t i = 0; i < count; i++) {
    put(s, row, first + i, g[i]);
    put(s, first + i, row, g[i]);
  }
}

// M a + G' lambda + h = 0, G a + k = 0.
static void solve_bound(Matrix *s, uint32_t multipliers, const double *h, double *x) {
  uint64_t work;
  const void *data = plan_of(s, 1, multipliers, &work);
  assert_non_null(data);
  double *in = arena_array(s->arena, s->count + s->n, sizeof *in);
  memcpy(in, s->values, s->count * sizeof *in);
  memcpy(in + s->count, h, s->n * sizeof *in);
  frame_eval(frame_tape(s->arena, &kernel_sparse, data, s->count + s->n), in, x);
}

// A mass of 2 on a rod along (3, 4)/5 under a force (0, -10): lambda = -8 (see test_kernel_kkt.c). Of two constraints
// with G_2 = f G_1 any lambda_1 + f lambda_2 = -8 will do; the shortest is -8 (1, f)/(1 + f^2).
static void dependent_constraints_share_the_force(void **state) {
  (void)state;
  for (double f = 1; f <= 3; f++) {
    Matrix s = matrix_new(4);
    double x[4];
    put(&s, 0, 0, 2), put(&s, 1, 1, 2);
    bind_to(&s, 2, 0, 2, (double[]){0.6, 0.8});
    bind_to(&s, 3, 0, 2, (double[]){0.6 * f, 0.8 * f});
    solve_bound(&s, 2, (double[]){0, 10, 0, 0}, x);
    assert_true(fabs(x[0] - 2.4) < 1e-13 && fabs(x[1] + 1.8) < 1e-13);
    assert_true(fabs(x[2] + 8 / (1 + f * f)) < 1e-9 && fabs(x[3] + 8 * f / (1 + f * f)) < 1e-9);
    arena_free(s.arena);
  }
}

// A chain of links of any directions and masses; the first constraint is written `copies` times.
static Matrix chain_of(uint32_t links, uint32_t copies) {
  Matrix s = matrix_new(3 * links + copies - 1);
  for (uint32_t i = 0; i < links; i++) {
    double c = cos(2.0 * i), d = sin(2.0 * i);
    put(&s, 2 * i, 2 * i, 1 + 0.5 * cos(i));
    put(&s, 2 * i + 1, 2 * i + 1, 1 + 0.5 * cos(i));
    if (i) bind_to(&s, 2 * links + i, 2 * i - 2, 4, (double[]){-c, -d, c, d});
    else bind_to(&s, 2 * links, 0, 2, (double[]){c, d});
  }
  for (uint32_t k = 1; k < copies; k++) bind_to(&s, 3 * links + k - 1, 0, 2, (double[]){1, 0});
  return s;
}

// 8 times the links, 8 times the work.
static void chains_of_constraints_cost_what_their_links_cost(void **state) {
  (void)state;
  uint64_t before = 0, work;
  for (uint32_t links = 64; links <= 4096; links *= 8) {
    Matrix s = chain_of(links, 1);
    assert_non_null(plan_of(&s, 1, links, &work));
    assert_true(work < 500 * links);
    assert_true(!before || work < 9 * before);
    before = work;
    arena_free(s.arena);
  }
}

static double *solved_chain(Matrix *s, uint32_t links) {
  double *h = arena_array(s->arena, s->n, sizeof *h), *x = arena_array(s->arena, s->n, sizeof *x);
  for (uint32_t i = 0; i < links; i++) h[2 * i + 1] = 9.81;
  for (uint32_t i = 1; i < links; i++) h[2 * links + i] = 0.1 * sin(i);
  solve_bound(s, s->n - 2 * links, h, x);
  return x;
}

// The same motion as without the copies, at any length; the copies share what the one alone would do.
static void copies_of_a_constraint_change_no_motion(void **state) {
  (void)state;
  for (uint32_t links = 4; links <= 4096; links *= 8) {
    Matrix one = chain_of(links, 1), three = chain_of(links, 3);
    const double *x = solved_chain(&one, links), *y = solved_chain(&three, links);
    double worst = 0, size = 0;
    for (uint32_t i = 0; i < 3 * links; i++) {
      double e = fabs(x[i] - (i == 2 * links ? 3 * y[i] : y[i]));
      if (!(e <= worst)) worst = e;
      if (fabs(x[i]) > size) size = fabs(x[i]);
    }
    assert_true(worst < 1e-8 * size);
    assert_true(fabs(y[3 * links] - y[2 * links]) < 1e-8 * size);
    assert_true(fabs(y[3 * links + 1] - y[2 * links]) < 1e-8 * size);
    arena_free(one.arena);
    arena_free(three.arena);
  }
}

static void it_agrees_with_the_dense_kernel(void **state) {
  (void)state;
  enum { links = 12 };
  for (uint32_t copies = 1; copies <= 3; copies++) {
    Matrix s = chain_of(links, copies);
    const double *x = solved_chain(&s, links);
    KernelKkt kkt = {.size = s.n, .columns = 1, .multipliers = s.n - 2 * links};
    uint32_t cells = s.n * (s.n + 1) / 2;
    double *in = arena_array(s.arena, cells + s.n, sizeof *in), *y = arena_array(s.arena, s.n, sizeof *y);
    for (uint32_t k = 0; k < s.count; k++) {
      uint32_t i = s.cells[k].row, j = s.cells[k].column;
      if (j <= i) in[i * (i + 1) / 2 + j] = s.values[k];
    }
    for (uint32_t i = 0; i < links; i++) in[cells + 2 * i + 1] = 9.81;
    for (uint32_t i = 1; i < links; i++) in[cells + 2 * links + i] = 0.1 * sin(i);
    frame_eval(frame_tape(s.arena, &kernel_kkt, &kkt, cells + s.n), in, y);
    for (uint32_t i = 0; i < s.n; i++) assert_true(fabs(x[i] - y[i]) < 1e-9);
    arena_free(s.arena);
  }
}

// What multipliers cannot mend stays singular: a mass that is missing.
static void a_missing_mass_stays_singular(void **state) {
  (void)state;
  Matrix s = matrix_new(4);
  double x[4];
  put(&s, 0, 0, 2), put(&s, 1, 1, 0);
  bind_to(&s, 2, 0, 1, (double[]){1});
  bind_to(&s, 3, 0, 1, (double[]){1});
  solve_bound(&s, 2, (double[]){0, 10, 0, 0}, x);
  assert_true(isnan(x[0]) && isnan(x[1]) && isnan(x[2]));
  arena_free(s.arena);
}

static void what_is_not_finite_has_no_solution(void **state) {
  (void)state;
  const double sizes[] = {INFINITY, NAN, 1e308, 5e-324};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    Matrix s = chain_of(8, 2);
    double h[25] = {[1] = 9.81}, x[25];
    s.values[0] = sizes[k];
    solve_bound(&s, s.n - 16, h, x);
    assert_true(k < 2 ? !isfinite(x[0]) : isfinite(x[5]));
    arena_free(s.arena);
  }
}

static void every_way_gives_the_same_bits_of_multipliers(void **state) {
  (void)state;
  Matrix s = chain_of(8, 2);
  uint64_t work;
  const void *data = plan_of(&s, 2, s.n - 16, &work);
  uint32_t total = s.count + 2 * s.n;
  double *in = arena_array(s.arena, (size_t)lane_count * total, sizeof *in);
  for (uint32_t i = 0; i < lane_count * total; i++)
    in[i] = i % total < s.count ? s.values[i % total] * (1 + 0.1 * (i / total)) : cos(i);
  const Tape *t = frame_tape(s.arena, &kernel_sparse, data, total);
  frame_lanes(s.arena, t, in);
  frame_native(s.arena, t, in);
  frame_export(s.arena, t, in);
  arena_free(s.arena);
}

static void every_way_to_run_it_gives_the_same_bits(void **state) {
  (void)state;
  enum { n = 20 };
  Matrix s = matrix_new(n);
  uint64_t work;
  for (uint32_t i = 0; i < n; i++) {
    if (i % 4) put(&s, i, i, 1 + i);
    put(&s, i, (i + 1) % n, cos(i));
    put(&s, i, (i + 7) % n, sin(i));
  }
  const void *data = plan_of(&s, 2, 0, &work);
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
      cmocka_unit_test(dependent_constraints_share_the_force),
      cmocka_unit_test(chains_of_constraints_cost_what_their_links_cost),
      cmocka_unit_test(copies_of_a_constraint_change_no_motion),
      cmocka_unit_test(it_agrees_with_the_dense_kernel),
      cmocka_unit_test(a_missing_mass_stays_singular),
      cmocka_unit_test(what_is_not_finite_has_no_solution),
      cmocka_unit_test(every_way_gives_the_same_bits_of_multipliers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
