// Linear least squares: rows in blocks are the same as all at once.
#include "tests/support.h"

#include "fit/least.h"
#include "tests/laws/chance.h"

enum { k = 3, most = 3 * least_block };

// R'R = J'J and R'q = J'r, whatever the signs of R are.
static void blocks_come_to_the_sums_of_all_rows(void **state) {
  (void)state;
  const uint32_t counts[] = {1, 2, 3, 10, least_block - 1, least_block, least_block + 1, 2 * least_block + 5, most};
  double *room = calloc(least_sums_room(k, least_block), sizeof *room);
  LeastSums s;
  least_sums_init(&s, k, least_block, room);
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    double JJ[k * k] = {0}, Jr[k] = {0}, cost = 0;
    least_sums_clear(&s);
    for (uint32_t i = 0; i < counts[c]; i++) {
      double row[k], r = uniform() - 0.5;
      for (int j = 0; j < k; j++) row[j] = (j + 1) * (uniform() - 0.3);
      least_sums_add(&s, r, row);
      cost += r * r;
      for (int a = 0; a < k; a++) {
        Jr[a] += row[a] * r;
        for (int b = 0; b < k; b++) JJ[a * k + b] += row[a] * row[b];
      }
    }
    least_sums_finish(&s);
    assert_true(s.cost == cost);
    for (int a = 0; a < k; a++) {
      double q = 0;
      for (int i = 0; i < k; i++) q += s.R[i * k + a] * s.q[i];
      assert_true(fabs(q - Jr[a]) < 1e-12 * counts[c]);
      for (int b = 0; b < k; b++) {
        double sum = 0;
        for (int i = 0; i < k; i++) sum += s.R[i * k + a] * s.R[i * k + b];
        assert_true(fabs(sum - JJ[a * k + b]) < 1e-11 * counts[c]);
        if (b < a) assert_true(s.R[a * k + b] == 0);
      }
    }
  }
  free(room);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_come_to_the_sums_of_all_rows)};
  return cmocka_run_group_tests(tests, start, NULL);
}
