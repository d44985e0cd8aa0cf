// The choice of linear systems: dense and sparse ones of every size have the solution that they were made for.
#include "tests/support.h"

#include "solve/linear.h"

// A band: 4 on the diagonal, -1 beside it, and a corner, so that there is something to fill in. x_j = 1 + j.
static void band(uint32_t n, uint32_t **start, uint32_t **row, double **value) {
  uint32_t at = 0;
  *start = calloc((size_t)n + 1, sizeof **start);
  *row = calloc(4 * (size_t)n, sizeof **row);
  *value = calloc(4 * (size_t)n, sizeof **value);
  for (uint32_t c = 0; c < n; c++) {
    (*start)[c] = at;
    for (uint32_t i = c ? c - 1 : 0; i <= c + 1 && i < n; i++) {
      (*row)[at] = i;
      (*value)[at++] = i == c ? 4 : -1;
    }
    if (c == 0 && n > 2) {
      (*row)[at] = n - 1;
      (*value)[at++] = -1;
    }
  }
  (*start)[n] = at;
}

static void bands_of_every_size_are_solved(void **state) {
  (void)state;
  const uint32_t sizes[] = {1, 2, 5, 40, 63, 64, 65, 300, 5000};
  for (int k = 0; k < 9; k++) {
    Arena *arena = arena_new();
    uint32_t n = sizes[k], *start, *row;
    double *value;
    band(n, &start, &row, &value);
    size_t *place = calloc(4 * (size_t)n, sizeof *place), *diagonal = calloc(n, sizeof *diagonal);
    double *b = calloc(n, sizeof *b);
    Linear l;
    assert_true(linear_init_sparse(&l, arena, n, start, row, place, diagonal));
    assert_int_equal(l.sparse != NULL, n >= linear_lapack_size);
    assert_true(n < 300 || l.count < 4 * (size_t)n);
    memset(l.a, 0, l.count * sizeof *l.a);
    for (uint32_t c = 0; c < n; c++) {
      for (uint32_t i = start[c]; i < start[c + 1]; i++) {
        l.a[place[i]] = value[i];
        b[row[i]] += value[i] * (1 + c);
        if (row[i] == c) assert_true(place[i] == diagonal[c]);
      }
    }
    assert_true(linear_factor(&l));
    linear_solve(&l, b);
    for (uint32_t c = 0; c < n; c++) assert_true(fabs(b[c] - (1 + c)) < 1e-11 * (1 + c));
    linear_clear(&l);
    arena_free(arena);
    free(start), free(row), free(value), free(place), free(diagonal), free(b);
  }
}

// A diagonal that is not in the pattern, and entries beyond n. Whoever takes the ones as pivots, not the threes, has
// errors of 3^100.
static void the_diagonal_is_always_there(void **state) {
  (void)state;
  enum { n = 100 };
  uint32_t start[n + 1], row[2 * n];
  size_t place[2 * n], diagonal[n];
  for (uint32_t c = 0; c < n; c++) {
    start[c] = 2 * c;
    row[2 * c] = (c + 1) % n;
    row[2 * c + 1] = n + c;
  }
  start[n] = 2 * n;
  Arena *arena = arena_new();
  Linear l;
  assert_true(linear_init_sparse(&l, arena, n, start, row, place, diagonal));
  assert_true(l.sparse && l.count == 2 * n);
  double b[n];
  for (uint32_t c = 0; c < n; c++) {
    l.a[place[2 * c]] = 1;
    l.a[diagonal[c]] = 3;
    b[(c + 1) % n] = 3 * ((c + 1) % n) + c; // x_c = c
  }
  assert_true(linear_factor(&l));
  linear_solve(&l, b);
  for (uint32_t c = 0; c < n; c++) assert_true(fabs(b[c] - c) < 1e-12 * n);
  memset(l.a, 0, l.count * sizeof *l.a);
  assert_false(linear_factor(&l));
  assert_false(l.no_memory);
  linear_clear(&l);
  arena_free(arena);
}

// [1e-20 1; 1 1] needs its rows exchanged: x = (1, 1) of b = (1, 2), but for rounding
static void small_pivots_are_not_taken(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Linear l;
  assert_true(linear_init(&l, arena, 2));
  const double a[] = {1e-20, 1, 1, 1};
  double b[] = {1, 2};
  memcpy(l.a, a, sizeof a);
  assert_true(linear_factor(&l));
  linear_solve(&l, b);
  assert_true(fabs(b[0] - 1) < 1e-15 && fabs(b[1] - 1) < 1e-15);
  l.a[0] = l.a[2] = NAN;
  assert_false(linear_factor(&l));
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_of_every_size_are_solved),
      cmocka_unit_test(the_diagonal_is_always_there),
      cmocka_unit_test(small_pivots_are_not_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
