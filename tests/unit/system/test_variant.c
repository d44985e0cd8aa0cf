// A system with other numbers: which are free, and that the copy differs in them alone.
#include "tests/support.h"

#include "system/variant.h"

static uint32_t param(const System *s, const char *name) {
  uint32_t i = 0;
  while (strcmp(s->params.items[i].name, name) != 0) i++;
  return i;
}

static bool is_free(const System *s, VariantKind kind, uint32_t index) {
  return variant_is_free(s, &(Variant){kind, index, s->pool->one});
}

static void a_parameter_is_free_unless_it_counts_or_is_said_by_others(void **state) {
  (void)state;
  Loaded *l = load_text("param n = 2, k = 3, c = 2*k\nparam none\ncoord x[i] = i for i in 1 .. n\n"
                        "kinetic 1/2*x[i]'^2 for i in 1 .. n\npotential 1/2*(k + c + none)*x[1]^2\n");
  const System *s = &l->system;
  assert_false(is_free(s, variant_param, param(s, "n")));
  assert_true(is_free(s, variant_param, param(s, "k")));
  assert_false(is_free(s, variant_param, param(s, "c")));    // it comes behind k
  assert_false(is_free(s, variant_param, param(s, "none"))); // it has no value
  Variant by_k = {variant_param, param(s, "k"), expr_sym(s->pool, s->params.items[param(s, "c")].symbol)};
  assert_false(variant_is_free(s, &by_k));
  assert_false(is_free(s, variant_other, 0));
  unload(l);
}

static void a_start_is_free_where_it_stands_alone(void **state) {
  (void)state;
  Loaded *plain = load_text("state z\nz' = -z\ncoord x\nkinetic 1/2*x'^2\n");
  assert_true(is_free(&plain->system, variant_place, 0));
  assert_true(is_free(&plain->system, variant_velocity, 0));
  assert_true(is_free(&plain->system, variant_state, 0));
  unload(plain);
  // one mass for two coordinates: a combination of their velocities is integrated
  Loaded *combined =
      load_text("coord x, y\nkinetic 1/2*(x' + y')^2\npotential x^2 + y^2\ndissipation 1/2*(x' - y')^2\n");
  assert_false(is_free(&combined->system, variant_velocity, 0));
  unload(combined);
  // solved from a first guess
  Loaded *solved = load_text("state x = 1\nunknown z = 1\nequation z^3 + z = x\nx' = -z\n");
  assert_false(is_free(&solved->system, variant_state, 0));
  unload(solved);
}

static void the_copy_differs_in_its_numbers_alone(void **state) {
  (void)state;
  Loaded *l = load_text("param k = 3, m = 2\nstate z = 4\nz' = -z\ncoord x = 5\ninit x' = 6\nkinetic 1/2*m*x'^2\n"
                        "potential 1/2*k*x^2\n");
  const System *s = &l->system;
  const ExprId one = s->pool->one;
  const Variant numbers[] = {
      {variant_param, 0, one}, {variant_place, 0, one}, {variant_velocity, 0, one}, {variant_state, 0, one}};
  Arena *arena = arena_new();
  System copy;
  assert_true(variant_make(&copy, s, arena, numbers, 4));
  assert_true(copy.params.items[0].value == one && s->params.items[0].value != one);
  assert_true(copy.params.items[1].value == s->params.items[1].value);
  for (uint32_t i = 0; i < system_dim(s); i++) {
    assert_true(copy.y.items[i].start == one);
    assert_true(s->y.items[i].start != one);
    assert_true(copy.y.items[i].rate == s->y.items[i].rate);
  }
  assert_true(copy.pool == s->pool);
  arena_free(arena);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_parameter_is_free_unless_it_counts_or_is_said_by_others),
      cmocka_unit_test(a_start_is_free_where_it_stands_alone),
      cmocka_unit_test(the_copy_differs_in_its_numbers_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
