// Distances of words, by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/words.h"

static void changes_are_counted(void **state) {
  (void)state;
  assert_int_equal(word_distance("", ""), 0);
  assert_int_equal(word_distance("run", ""), 3);
  assert_int_equal(word_distance("", "run"), 3);
  assert_int_equal(word_distance("kitten", "sitting"), 3); // Levenshtein's example
  assert_int_equal(word_distance("saturday", "sunday"), 3);
}

// Damerau: two neighbours that changed places are one slip, not two.
static void a_swap_is_one_change(void **state) {
  (void)state;
  assert_int_equal(word_distance("dervie", "derive"), 1);
  assert_int_equal(word_distance("rnu", "run"), 1);
  assert_int_equal(word_distance("ca", "abc"), 3); // a swapped pair is not torn apart again
}

static void long_words_are_no_slips(void **state) {
  (void)state;
  assert_int_equal(word_distance("a_word_that_is_longer_than_forty_letters_", "a"), 1000);
  assert_int_equal(word_distance("a", "a_word_that_is_longer_than_forty_letters_"), 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_counted), cmocka_unit_test(a_swap_is_one_change),
                                     cmocka_unit_test(long_words_are_no_slips)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
