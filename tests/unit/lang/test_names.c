// Names: found with their parts and indices, in any order of lines; values that are known while the file is read.
#include "tests/support.h"

#include "lang/elab.h"

static Loaded *l;

static const Decl *found(const char *name) { return names_find(l->model.scope, name); }

static void every_declared_name_is_found(void **state) {
  (void)state;
  l = load_text(
      "output y = x\nlet b = 2*a\nparam a = 3, n = 3\ncoord x = 1\ninput u = b\nfun f(s) = s\nstate z[i] for i "
      "in 1 .. n\nz[i]' = 0 for i in 1 .. n\nkinetic 1/2*x'^2");
  static const struct {
    const char *name;
    DeclKind kind;
  } known[] = {{"a", decl_param}, {"n", decl_param},  {"x", decl_coord}, {"u", decl_input},
               {"f", decl_fun},   {"y", decl_output}, {"b", decl_let},   {"z[2]", decl_state}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    assert_non_null(found(known[i].name));
    assert_int_equal(found(known[i].name)->kind, known[i].kind);
  }
  assert_null(found("z"));
  assert_null(found("z[4]"));
  assert_null(found("s"));
  const Family *z = names_family(l->model.scope->names.scope, "z");
  assert_non_null(z);
  assert_true(z->least == 1 && z->most == 3);
  unload(l);
}

static void a_thousand_names_are_all_found(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Text text = text_in(arena);
  text_put(&text, "coord x\nkinetic 1/2*x'^2\n");
  for (int i = 0; i < 1000; i++) text_printf(&text, "param p%d = %d\n", i, i * i);
  l = load_text(text_str(&text));
  for (int i = 0; i < 1000; i++) {
    char name[20];
    snprintf(name, sizeof name, "p%d", i);
    const Decl *d = found(name);
    assert_non_null(d);
    Rat r = {0};
    assert_true(expr_number(&l->model.pool, l->model.params.items[d->index].value, &r));
    assert_true(rat_is_int_value(r, (int64_t)i * i));
  }
  assert_null(found("p1000"));
  unload(l);
  arena_free(arena);
}

static void the_nearest_name_is_a_slip_away(void **state) {
  (void)state;
  l = load_text("param length = 1, mass = 2\ncoord x\nkinetic 1/2*mass*length^2*x'^2");
  Elab *e = (Elab *)(uintptr_t)l->model.scope;
  assert_string_equal(names_nearest(e, "lenght"), "length");
  assert_string_equal(names_nearest(e, "Mass"), "mass");
  assert_null(names_nearest(e, "q")); // a single letter resembles everything
  assert_string_equal(names_nearest(e, "X"), "x");
  unload(l);
}

// Complaints, by code.
static void refused(const char *text, DiagCode code) {
  Arena *arena = arena_new();
  Model model;
  ModelOptions options = {0};
  assert_true(model_read(&model, arena, "test.viva", text, strlen(text), &options));
  assert_true(model.diags.errors > 0);
  bool there = false;
  for (uint32_t i = 0; i < model.diags.list.count; i++) there = there || model.diags.list.items[i].code == code;
  assert_true(there);
  arena_free(arena);
}

static void names_are_declared_once_and_reserved_ones_never(void **state) {
  (void)state;
  refused("param a = 1, a = 2", diag_twice);
  refused("param a = 1\nlet a = 2", diag_twice);
  refused("param t = 1", diag_reserved_name);
  refused("let pi = 3", diag_reserved_name);
  refused("fun sin(x) = x", diag_reserved_name);
  refused("fun limit(x) = x", diag_reserved_name);
  refused("let y = q", diag_unknown_name);
  refused("let y = q(1)", diag_unknown_function);
}

// 3 and 4 parameters deep: order does not matter, and what is known is exact.
static void a_range_may_depend_on_what_follows(void **state) {
  (void)state;
  l = load_text(
      "coord th[i] = 1/i for i in 1 .. n\nkinetic 1/2*th[i]'^2 for i in 1 .. n\nparam n = k + 1\nparam k = 4");
  assert_int_equal(l->model.coords.count, 5);
  Rat r = {0};
  assert_true(expr_number(&l->model.pool, l->model.coords.items[3].q0, &r));
  assert_true(!r.big && r.num == 1 && r.den == 4);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_declared_name_is_found),
                                     cmocka_unit_test(a_thousand_names_are_all_found),
                                     cmocka_unit_test(the_nearest_name_is_a_slip_away),
                                     cmocka_unit_test(names_are_declared_once_and_reserved_ones_never),
                                     cmocka_unit_test(a_range_may_depend_on_what_follows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
