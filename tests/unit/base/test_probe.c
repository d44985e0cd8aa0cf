// Places of an open table: everything is found again, and a crowd beside one place costs no more than a hash does.
#include "tests/support.h"

#include "base/probe.h"

enum { many = 100000, size = 1 << 18 };

static uint32_t table[size], keys[many + 1], nears[many + 1];

static uint32_t hash_of(uint32_t key) {
  key = (key ^ key >> 16) * 0x45d9f3bu;
  key = (key ^ key >> 16) * 0x45d9f3bu;
  return key ^ key >> 16;
}

// The place of item i, or the empty one for it; counts the places that were looked at.
static uint32_t *find(uint32_t i, uint64_t *looks) {
  TableProbe p = probe_at(nears[i], hash_of(keys[i]), size);
  for (; table[p.at] && keys[table[p.at] - 1] != keys[i]; probe_next(&p)) ++*looks;
  ++*looks;
  return &table[p.at];
}

// Puts all in, in order, and finds them again. Looks for one, on average.
static double cost(void) {
  uint64_t looks = 0;
  memset(table, 0, sizeof table);
  for (uint32_t i = 0; i < many; i++) {
    uint32_t *place = find(i, &looks);
    assert_int_equal(*place, 0);
    *place = i + 1;
  }
  for (uint32_t i = 0; i < many; i++) assert_int_equal(*find(i, &looks), i + 1);
  return (double)looks / (2 * many);
}

static void neighbours_stand_beside_each_other(void **state) {
  (void)state;
  for (uint32_t i = 0; i < many; i++) keys[i] = 7 * i + 1, nears[i] = i;
  assert_true(cost() < 3);
}

static void a_crowd_is_spread(void **state) {
  (void)state;
  for (uint32_t i = 0; i < many; i++) keys[i] = 7 * i + 1, nears[i] = 12345;
  // all look beside first; linear probing alone would take 50,000 looks
  assert_true(cost() < probe_beside + 3);
}

static void what_is_not_there_is_not_found(void **state) {
  (void)state;
  for (uint32_t i = 0; i < many; i++) keys[i] = 7 * i + 1, nears[i] = i % 97;
  cost();
  for (uint32_t i = 0; i < 1000; i++) {
    uint64_t looks = 0;
    keys[many] = 7 * i + 2;
    nears[many] = i % 97;
    assert_int_equal(*find(many, &looks), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_stand_beside_each_other),
      cmocka_unit_test(a_crowd_is_spread),
      cmocka_unit_test(what_is_not_there_is_not_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
