// Which sums of states are constant, exactly, and what they have drifted by.
#include "tests/support.h"

#include "sim/conserved.h"

enum { most = 400 };

typedef struct Found {
  Loaded *l;
  Components y;
  const Conserved *c;
} Found;

static Found find(const char *text, const char *moved) {
  Found x = {.l = load_text(text)};
  bool kept[most] = {0};
  assert_true(components_list(&x.l->system, &x.y));
  for (uint32_t e = 0; moved && e < x.y.count; e++) kept[e] = strcmp(x.y.items[e].name, moved) == 0;
  x.c = conserved_find(&x.l->system, kept);
  assert_non_null(x.c);
  return x;
}

static const char *sum(const Found *x, uint32_t k) { return conserved_text(x->l->arena, &x->y, x->c, k); }

static void sums_are_found_exactly(void **state) {
  (void)state;
  static const struct {
    const char *text, *moved;
    uint32_t count;
    const char *first;
  } cases[] = {
      // problem E5 of the test set for stiff problems
      {"param A = 7.89e-10, B = 1.1e7, C = 1.13e3, M = 1e6\nstate y1 = 1.76e-3, y2 = 0, y3 = 0, y4 = 0\n"
       "y1' = -A*y1 - B*y1*y3\ny2' = A*y1 - M*C*y2*y3\ny3' = A*y1 - B*y1*y3 - M*C*y2*y3 + C*y4\n"
       "y4' = B*y1*y3 - C*y4\n",
       NULL, 1, "y2 - y3 - y4"},
      // what a statement sets is not constant
      {"state a = 1, b = 0, c = 0\na' = -a\nb' = a - b\nc' = b\n", "b", 0, NULL},
      {"state a = 1, b = 0, c = 0\na' = -a\nb' = a - b\nc' = b\n", NULL, 1, "a + b + c"},
      // factors, products of sums, functions that are the same
      {"param k = 2\nstate a = 1, b = 0\na' = -2*k*(a - b/3)\nb' = 3*k*a - k*b\n", NULL, 1, "3*a + 2*b"},
      {"state a = 1, b = 2, c = 0\na' = exp(-a*b)/7\nb' = -0.5*exp(-a*b)\nc' = sin(a)\n", NULL, 1, "7*a + 2*b"},
      // nothing of this kind: other factors, parameters as factors, time, a state at rest
      {"state a = 1, b = 0\na' = -a\nb' = 2*a - b\n", NULL, 0, NULL},
      {"param m = 2\nstate a = 1, b = 0\na' = -a\nb' = m*a\n", NULL, 0, NULL},
      {"state a = 1, b = 0, c = 3\na' = -a + t\nb' = a\nc' = 0\n", NULL, 0, NULL},
      // two of them
      {"state a = 1, b = 0, c = 1, d = 0\na' = -a*c\nb' = a*c\nc' = -c*d\nd' = c*d\n", NULL, 2, "a + b"},
      // the position beside the integral of its velocity
      {"coord x = 1\nstate z = 0\nx'' = -x\nz' = x'\n", NULL, 1, "x - z"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Found x = find(cases[i].text, cases[i].moved);
    if (x.c->count != cases[i].count) fail_msg("%u sums of\n%s", x.c->count, cases[i].text);
    if (cases[i].first) assert_string_equal(sum(&x, 0), cases[i].first);
    unload(x.l);
  }
}

// A rod whose ends let no heat through: a sum of all cells. Where one end does, nothing is constant.
static void a_long_sum_takes_little_work(void **state) {
  (void)state;
  for (int open = 0; open < 2; open++) {
    char text[400];
    snprintf(text, sizeof text,
             "param k = 0.3\nstate u[i] = 0 for i in 1 .. 200\nu[1]' = k*(u[2] - u[1])%s\n"
             "u[i]' = k*(u[i-1] - 2*u[i] + u[i+1]) for i in 2 .. 199\nu[200]' = k*(u[199] - u[200])\n",
             open ? " - u[1]" : "");
    Found x = find(text, NULL);
    assert_int_equal(x.c->count, open ? 0 : 1);
    if (!open) assert_string_equal(sum(&x, 0), "u[1] + u[2] + u[3] + u[4] + u[5] + u[6] + ... (200 terms)");
    unload(x.l);
  }
}

// Rates of too many terms are not looked at, and nothing is claimed of them.
static void a_long_search_is_given_up(void **state) {
  (void)state;
  Found x = find("state a[i] = 1/i for i in 1 .. 110\na[i]' = sum(a[j]*sin(i*j), j, 1, 110) for i in 1 .. 110\n", NULL);
  assert_int_equal(x.c->count, 0);
  unload(x.l);
}

// The last digits of large numbers that cancel are seen exactly.
static void a_drift_is_measured_exactly(void **state) {
  (void)state;
  Found x = find("state a = 1, b = 0, c = 0\na' = -a*c\nb' = a*c - 3*b\nc' = 6*b\n", NULL);
  assert_string_equal(sum(&x, 0), "2*a + 2*b + c");
  const double y0[] = {0.1, -0.3, 0.4}, y[] = {1e-20, 3e-20, -8e-20}; // 0.1 - 0.3 + 0.2 is not zero as doubles
  double start = fma(2, y0[0], fma(2, y0[1], y0[2])), end = 2 * y[0] + 2 * y[1] + y[2];
  assert_true(start != 0 && fabs(start) < 1e-16);
  ConservedDrift d = conserved_drift(x.c, y0, y, (double[]){1e-20, 3e-20, 8e-20});
  assert_true(fabs(d.drift - fabs(end - start)) <= 1e-15 * d.drift);
  assert_int_equal(d.largest, 2);
  assert_true(fabs(d.part - d.drift / 16e-20) <= 1e-15 * d.part);
  assert_true(conserved_drift(x.c, y, y, y0).part == 0);
  unload(x.l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_found_exactly),
      cmocka_unit_test(a_long_sum_takes_little_work),
      cmocka_unit_test(a_long_search_is_given_up),
      cmocka_unit_test(a_drift_is_measured_exactly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
