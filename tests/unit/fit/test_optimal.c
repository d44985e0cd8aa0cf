// The best times: against all choices there are.
#include "tests/support.h"

#include "fit/optimal.h"
#include "tests/laws/chance.h"

enum { times = 9, most_k = 3, most_width = 2 };

static double log_det(const double *M, uint32_t k) {
  double a[most_k * most_k], sum = 0;
  memcpy(a, M, k * k * sizeof *a);
  for (uint32_t j = 0; j < k; j++) {
    if (!(a[j * k + j] > 1e-13 * M[j * k + j])) return -INFINITY;
    sum += log(a[j * k + j]);
    for (uint32_t i = j + 1; i < k; i++) {
      double by = a[i * k + j] / a[j * k + j];
      for (uint32_t c = j; c < k; c++) a[i * k + c] -= by * a[j * k + c];
    }
  }
  return sum;
}

static double of_choice(const double *rows, uint32_t width, uint32_t k, unsigned set) {
  double M[most_k * most_k] = {0};
  for (uint32_t i = 0; i < times; i++) {
    for (uint32_t c = 0; (set >> i & 1) && c < width; c++) {
      const double *at = rows + (i * width + c) * k;
      for (uint32_t a = 0; a < k; a++) {
        for (uint32_t b = 0; b < k; b++) M[a * k + b] += at[a] * at[b];
      }
    }
  }
  return log_det(M, k);
}

static unsigned as_set(const uint32_t *chosen, uint32_t n) {
  unsigned set = 0;
  for (uint32_t i = 0; i < n; i++) {
    assert_true(chosen[i] < times && !(set >> chosen[i] & 1) && (!i || chosen[i] > chosen[i - 1]));
    set |= 1u << chosen[i];
  }
  return set;
}

static unsigned bits(unsigned set) {
  unsigned n = 0;
  for (; set; set &= set - 1) n++;
  return n;
}

// Exchange ends where no single time is better; how much a choice of several at once would gain is bounded here. The
// broken twin, even times, is worse in most problems.
static void the_best_of_all_choices_is_found(void **state) {
  (void)state;
  unsigned exact = 0, even_worse = 0, all = 0;
  for (int trial = 0; trial < 200; trial++) {
    uint32_t k = 1 + (uint32_t)trial % most_k, width = 1 + (uint32_t)(trial / 3) % most_width,
             n = k + (uint32_t)(trial / 6) % 3;
    double rows[times * most_width * most_k], best = -INFINITY;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) rows[i] = 2 * uniform() - 1;
    for (unsigned set = 0; set < 1u << times; set++) {
      if (bits(set) == n) best = fmax(best, of_choice(rows, width, k, set));
    }
    Arena *arena = arena_new();
    uint32_t chosen[times];
    assert_true(optimal_times(arena, rows, times, width, k, n, chosen));
    double found = of_choice(rows, width, k, as_set(chosen, n));
    unsigned even = 0;
    for (uint32_t s = 0; s < n; s++) even |= 1u << (n == 1 ? times / 2 : s * (times - 1) / (n - 1));
    assert_true(found <= best + 1e-9 && exp((found - best) / k) > 0.8);
    exact += found > best - 1e-9;
    even_worse += of_choice(rows, width, k, even) < found - 1e-3;
    all++;
    arena_free(arena);
  }
  assert_true(exact > 0.9 * all);
  assert_true(even_worse > 0.9 * all);
}

static void what_no_time_tells_is_said(void **state) {
  (void)state;
  double rows[times * 2];
  for (uint32_t i = 0; i < times; i++) rows[2 * i] = i, rows[2 * i + 1] = -2.0 * i;
  Arena *arena = arena_new();
  uint32_t chosen[times];
  assert_false(optimal_times(arena, rows, times, 1, 2, 3, chosen));
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_best_of_all_choices_is_found),
                                     cmocka_unit_test(what_no_time_tells_is_said)};
  return cmocka_run_group_tests(tests, start, NULL);
}
