// Are matrices positive semidefinite? Of A = L D L' with L lower triangular, ones on its diagonal, and D diagonal: yes
// where no number of D is negative (Sylvester's law), else no, and then the direction that is shown must make e'Ae < 0.
#include "tests/support.h"

#include "algebra/definite.h"

enum { most = 5, matrices = 300 };

static uint32_t seed = 12345;

static int64_t draw(int64_t from, int64_t to) {
  seed = seed * 1664525u + 1013904223u;
  return from + (int64_t)((seed >> 8) % (uint32_t)(to - from + 1));
}

typedef struct Drawn {
  uint32_t n;
  int64_t a[most][most];
  bool semidefinite;
} Drawn;

static Drawn draw_matrix(void) {
  Drawn d = {.n = (uint32_t)draw(1, most), .semidefinite = true};
  int64_t l[most][most] = {{0}}, diagonal[most];
  for (uint32_t i = 0; i < d.n; i++) {
    diagonal[i] = draw(0, 3) ? draw(0, 4) : -draw(0, 2);
    d.semidefinite = d.semidefinite && diagonal[i] >= 0;
    for (uint32_t j = 0; j < i; j++) l[i][j] = draw(-3, 3);
    l[i][i] = 1;
  }
  for (uint32_t i = 0; i < d.n; i++)
    for (uint32_t j = 0; j < d.n; j++)
      for (uint32_t k = 0; k < d.n; k++) d.a[i][j] += l[i][k] * diagonal[k] * l[j][k];
  return d;
}

// e'Ae by fractions.
static double along(const ExprPool *pool, const Drawn *d, const ExprId *direction) {
  double e[most], sum = 0;
  for (uint32_t i = 0; i < d->n; i++) {
    Rat r = RAT_ZERO;
    assert_true(expr_number(pool, direction[i], &r));
    e[i] = rat_to_double(r);
  }
  for (uint32_t i = 0; i < d->n; i++)
    for (uint32_t j = 0; j < d->n; j++) sum += e[i] * (double)d->a[i][j] * e[j];
  return sum;
}

static void numbers_are_decided(void **state) {
  (void)state;
  int yes = 0, no = 0;
  Loaded *l = load_text("state x\nx' = -x\n");
  for (int round = 0; round < matrices; round++) {
    Drawn d = draw_matrix();
    ExprId matrix[most * most];
    for (uint32_t i = 0; i < d.n * d.n; i++) matrix[i] = expr_int(l->system.pool, d.a[i / d.n][i % d.n]);
    Signs signs;
    Semidefinite found;
    assert_true(signs_open(&signs, &l->system));
    assert_true(semidefinite_find(&signs, matrix, d.n, &found));
    if (found.verdict != (d.semidefinite ? definite_yes : definite_no)) fail_msg("matrix %d: %d", round, found.verdict);
    if (found.verdict == definite_no && !(along(l->system.pool, &d, found.direction) < 0))
      fail_msg("matrix %d: the direction shows nothing", round);
    if (d.semidefinite) yes++;
    else no++;
  }
  unload(l);
  assert_true(yes > 80 && no > 80);
}

// R > 0 is assumed where a parameter has no value, and then told; a given value is taken as it is.
static void signs_of_parameters(void **state) {
  (void)state;
  Loaded *l = load_text("param R, S = -2\nstate x\nx' = -R*x + S\n");
  ExprPool *pool = l->system.pool;
  ExprId r = expr_sym(pool, l->system.params.items[0].symbol), s = expr_sym(pool, l->system.params.items[1].symbol);
  Signs signs;
  Semidefinite found;
  assert_true(signs_open(&signs, &l->system));
  assert_true(semidefinite_find(&signs, &r, 1, &found));
  assert_int_equal(found.verdict, definite_yes);
  assert_int_equal(signs.assumed.count, 1);
  assert_string_equal(signs_assumed(&signs, 0), "R > 0");
  assert_true(signs_open(&signs, &l->system));
  assert_true(semidefinite_find(&signs, &s, 1, &found));
  assert_int_equal(found.verdict, definite_no);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_decided), cmocka_unit_test(signs_of_parameters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
