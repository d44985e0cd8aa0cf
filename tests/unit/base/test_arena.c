// Arenas: pieces are zeroed and apart, arrays grow and keep what they hold, scratch is given back, failure stays.
#include "tests/support.h"

#include "base/arena.h"

static bool all_zero(const unsigned char *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (p[i]) return false;
  }
  return true;
}

// Small pieces share blocks, a piece of 8 MB has its own.
static void pieces_are_zeroed_aligned_and_apart(void **state) {
  (void)state;
  Arena *arena = arena_new();
  static const size_t sizes[] = {1, 16, 17, 4000, 20000, 5000000, 8 << 20, 3};
  unsigned char *p[8];
  for (int i = 0; i < 8; i++) {
    p[i] = arena_alloc(arena, sizes[i]);
    assert_non_null(p[i]);
    assert_int_equal((uintptr_t)p[i] % 16, 0);
    assert_true(all_zero(p[i], sizes[i]));
    memset(p[i], 0xA0 + i, sizes[i]);
  }
  for (int i = 0; i < 8; i++) {
    for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(p[i][k], 0xA0 + i);
  }
  arena_free(arena);
}

// What was expected stands in one block, pieces of any size; what does not fit, beside it.
static void what_is_expected_is_zeroed_and_apart(void **state) {
  (void)state;
  Arena *arena = arena_new(), *scratch = arena_new_scratch(arena);
  arena_alloc(scratch, 100);
  ArenaMark mark = arena_mark(scratch);
  for (int round = 0; round < 3; round++) { // the second time its pages are not zero any more
    static const size_t sizes[] = {40, 3 << 20, 1 << 20, 300000, 6 << 20, 17};
    unsigned char *p[6];
    arena_expect(scratch, 5 << 20);
    ArenaMark inside = arena_mark(scratch);
    for (int again = 0; again < 2; again++) {
      for (int i = 0; i < 6; i++) {
        p[i] = arena_alloc(scratch, sizes[i]);
        assert_non_null(p[i]);
        assert_int_equal((uintptr_t)p[i] % 16, 0);
        assert_true(all_zero(p[i], sizes[i]));
        memset(p[i], 0xA0 + i, sizes[i]);
      }
      p[3] = arena_grow(scratch, p[3], sizes[3], 2 * sizes[3]);
      assert_true(all_zero(p[3] + sizes[3], sizes[3]));
      for (int i = 0; i < 6; i++) {
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(p[i][k], 0xA0 + i);
      }
      arena_drop(scratch, p[1], sizes[1]);
      arena_release(scratch, inside);
    }
    arena_release(scratch, mark);
  }
  assert_false(arena_failed(arena));
  arena_free(arena);
}

static void an_array_grows_and_keeps_what_it_holds(void **state) {
  (void)state;
  Arena *arena = arena_new();
  VEC(uint32_t) v = {0};
  for (uint32_t i = 0; i < 3000000; i++) { // well over the size of one block
    assert_true(vec_push(arena, &v, i * 7u));
    if (i % 100000 == 0) arena_alloc(arena, 40); // something stands behind it
  }
  assert_int_equal(v.count, 3000000);
  for (uint32_t i = 0; i < v.count; i++) assert_int_equal(v.items[i], i * 7u);
  arena_free(arena);
}

static void room_that_was_reserved_is_not_moved(void **state) {
  (void)state;
  Arena *arena = arena_new();
  VEC(double) v = {0};
  assert_true(vec_push(arena, &v, 0.5));
  assert_true(vec_reserve(arena, &v, 100000));
  const double *where = v.items;
  assert_true(v.items[0] == 0.5);
  for (int i = 1; i < 100000; i++) assert_true(vec_push(arena, &v, i));
  assert_ptr_equal(v.items, where);
  assert_true(vec_reserve(arena, &v, 5)); // there is more already
  assert_ptr_equal(v.items, where);
  arena_free(arena);
}

static void a_piece_that_grows_has_a_zeroed_tail(void **state) {
  (void)state;
  Arena *arena = arena_new();
  unsigned char *p = arena_alloc(arena, 100);
  memset(p, 1, 100);
  p = arena_grow(arena, p, 100, 6000000);
  for (int i = 0; i < 100; i++) assert_int_equal(p[i], 1);
  assert_true(all_zero(p + 100, 6000000 - 100));
  arena_free(arena);
}

static void scratch_is_given_back_to_its_mark(void **state) {
  (void)state;
  Arena *arena = arena_new(), *scratch = arena_new_scratch(arena);
  char *kept = arena_strndup(scratch, "kept", 4);
  ArenaMark mark = arena_mark(scratch);
  for (int round = 0; round < 3; round++) {
    unsigned char *p = arena_alloc(scratch, 100000);
    assert_true(all_zero(p, 100000));
    memset(p, 0xFF, 100000);
    arena_release(scratch, mark);
  }
  assert_string_equal(kept, "kept");
  Arena *other = arena_new_scratch(arena);
  arena_free_scratch(scratch); // not the newest one
  assert_non_null(arena_alloc(other, 10));
  arena_free_scratch(NULL);
  arena_free(arena); // frees the other one
}

static void what_is_too_large_fails_and_stays_failed(void **state) {
  (void)state;
  Arena *arena = arena_new(), *scratch = arena_new_scratch(arena);
  assert_false(arena_failed(arena));
  assert_null(arena_array(scratch, SIZE_MAX / 8, 16));
  assert_true(arena_failed(scratch) && arena_failed(arena));
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),     cmocka_unit_test(what_is_expected_is_zeroed_and_apart),
      cmocka_unit_test(an_array_grows_and_keeps_what_it_holds),  cmocka_unit_test(room_that_was_reserved_is_not_moved),
      cmocka_unit_test(a_piece_that_grows_has_a_zeroed_tail),    cmocka_unit_test(scratch_is_given_back_to_its_mark),
      cmocka_unit_test(what_is_too_large_fails_and_stays_failed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
