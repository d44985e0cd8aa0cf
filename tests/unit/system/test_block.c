// The sparse matrix of a block: entries, rows in order, rank.
#include "tests/unit/system/bare.h"

#include "expr/modular.h"

static void rows_are_sorted_and_hold_no_zeros(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  ExprId m = bare_param(b, "m"), k = bare_param(b, "k");
  // rows 2 and 0 of three become a block; their columns are 2 and 0 as well
  MassRow rows[3] = {{0}};
  assert_true(vec_push(b->arena, &rows[0], ((MassEntry){0, m})) && vec_push(b->arena, &rows[0], ((MassEntry){2, k})));
  assert_true(vec_push(b->arena, &rows[2], ((MassEntry){0, k})) &&
              vec_push(b->arena, &rows[2], ((MassEntry){2, p->zero})));
  Block block = {.count = 2};
  assert_true(block_from_rows(b->arena, p, &block, rows, (uint32_t[]){2, 0}, (uint32_t[]){1, 0, 0}));
  assert_int_equal(block_entries(&block), 3);
  const ExprId expected[] = {p->zero, k, k, m};
  const ExprId *dense = block_dense(b->arena, p, &block);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(block_entry(p, &block, i / 2, i % 2), expected[i]);
    assert_int_equal(dense[i], expected[i]);
  }
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(block.matrix.column[i], ((uint32_t[]){1, 0, 1})[i]);
  assert_true(block_is_symmetric(p, &block));
  // other values: one of them is zero
  const BlockMatrix before = block.matrix;
  assert_true(block_set_values(b->arena, p, &block, (ExprId[]){m, p->zero, k}));
  assert_int_equal(block_entries(&block), 2);
  assert_int_equal(block_entry(p, &block, 0, 1), m);
  assert_int_equal(block_entry(p, &block, 1, 0), p->zero);
  assert_false(block_is_symmetric(p, &block));
  assert_int_equal(before.value[0], k); // nobody else sees it
  Block again = {.count = 2};
  assert_true(block_from_dense(b->arena, p, &again, dense));
  assert_int_equal(block_entries(&again), 3);
  assert_int_equal(block_entry(p, &again, 1, 1), m);
  bare_free(b);
}

// Entries of a matrix by chance: about every third is there, and rows of the second half may be sums of two before.
static ExprId entry_of(Bare *b, const ExprId *symbols, uint32_t seed) {
  uint32_t x = (seed * 2654435761u) >> 7;
  return x % 3 ? b->pool.zero : expr_scale(&b->pool, rat_int((int64_t)(x % 5) + 1), symbols[x % 4]);
}

static void the_rank_is_that_of_the_dense_matrix(void **state) {
  (void)state;
  Bare *b = bare_new();
  ExprPool *p = &b->pool;
  const ExprId symbols[] = {bare_param(b, "a"), bare_param(b, "c"), bare_param(b, "d"), p->one};
  for (uint32_t n = 1; n <= 24; n++) {
    for (uint32_t dependent = 0; dependent <= n / 2; dependent += 3) {
      ExprId *m = arena_array(b->arena, (size_t)n * n, sizeof *m);
      for (uint32_t i = 0; i < n * n; i++) m[i] = entry_of(b, symbols, i + 1000 * n);
      for (uint32_t i = n - dependent; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) m[i * n + j] = expr_add(p, m[(i - n / 2) * n + j], m[j]);
      }
      Block block = {.count = n};
      assert_true(block_from_dense(b->arena, p, &block, m));
      assert_int_equal(block_rank(p, &block), expr_rank(p, m, n, n, NULL));
      assert_true(block_rank(p, &block) <= (int)(n - dependent));
    }
  }
  bare_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_sorted_and_hold_no_zeros),
      cmocka_unit_test(the_rank_is_that_of_the_dense_matrix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
