// Values in the place of parameters: exact, through parameters that are made of others.
#include "tests/support.h"

#include "algebra/style.h"

static void values_of_values(void **state) {
  (void)state;
  // p[i] = p[i-1] + 1/3: the last one is 1 + 39/3
  Loaded *l = load_text("param n = 40\nparam p[1] = 1\nparam p[i] = p[i-1] + 1/3 for i in 2 .. n\nparam free\n"
                        "state x\nx' = -x*p[n]*free\n");
  System *s = &l->system;
  ExprId roots[2] = {0};
  for (uint32_t i = 0; i < s->params.count; i++) {
    const char *name = pool_symbol_get(s->pool, s->params.items[i].symbol)->name;
    if (strcmp(name, "p[40]") == 0) roots[0] = expr_sym(s->pool, s->params.items[i].symbol);
    if (strcmp(name, "free") == 0) roots[1] = expr_sym(s->pool, s->params.items[i].symbol);
  }
  assert_true(roots[0] && roots[1]);
  ExprId free_one = roots[1];
  assert_true(style_with_values(s, roots, 2));
  assert_int_equal(roots[0], expr_int(s->pool, 14));
  assert_int_equal(roots[1], free_one); // no value: it stays
  unload(l);
}

static void a_name_that_is_taken(void **state) {
  (void)state;
  Loaded *l = load_text("param M = 1\nstate x\nx' = -M*x\n");
  assert_string_equal(style_free_name(&l->system, "K"), "K");
  assert_string_not_equal(style_free_name(&l->system, "M"), "M");
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_of_values), cmocka_unit_test(a_name_that_is_taken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
