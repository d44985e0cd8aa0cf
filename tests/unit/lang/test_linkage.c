// Nodes, bars and springs of a text stand in the lists of the model, without an expression or a coordinate for each.
#include "tests/support.h"

#include "lang/elab.h"

static Loaded *l;

// The language alone: nobody asks for equations.
static Loaded *read_text(const char *text) {
  l = calloc(1, sizeof *l);
  l->arena = arena_new();
  assert_true(model_read(&l->model, l->arena, "test.viva", text, strlen(text), &(ModelOptions){0}));
  return l;
}

static const Linkage *linkage(void) { return &l->model.linkage; }

static double number(ExprId id) {
  Rat r;
  assert_true(expr_number(&l->model.pool, id, &r));
  return rat_to_double(r);
}

static void every_statement_fills_its_list(void **state) {
  (void)state;
  l = read_text("node A = [0, 0] fixed\nnode B = [1, 0.5] [mm] mass 2 fixed y\nnode C = [1, 1]\nnode D = [2, 1]\n"
                "bar AB: A B length 3 mass 4\nspring s: B C stiffness 100 length 1 damping 5\n"
                "cable c: A C force 2*e + e^3\ntorsion A B C stiffness 5 angle 1\nslider B along [1, 0]\n"
                "slider D on A C\nload B = [0, -10] with AB\nrigid R: B C D\ngravity [0, -9.81]");
  assert_int_equal(l->model.diags.errors, 0);
  assert_int_equal(linkage()->dimensions, 2);
  assert_int_equal(linkage()->nodes.count, 4);
  const LinkageNode *n = linkage()->nodes.items;
  assert_string_equal(n[1].name, "B");
  assert_int_equal(n[0].fixed, 3);
  assert_int_equal(n[1].fixed, 2);
  assert_true(number(n[1].place[0]) == 0.001 && number(n[1].place[1]) == 0.0005 && number(n[1].mass) == 2);
  const LinkageBar *bar = &linkage()->bars.items[0];
  assert_true(bar->a == 0 && bar->b == 1 && number(bar->length) == 3 && number(bar->mass) == 4);
  const LinkageSpring *s = linkage()->springs.items;
  assert_true(s[0].a == 1 && s[0].b == 2 && number(s[0].stiffness) == 100 && number(s[0].damping) == 5 && !s[0].cable);
  assert_true(s[1].cable && s[1].force && s[1].stretch && !s[1].stiffness);
  assert_true(expr_depends(&l->model.pool, s[1].force, s[1].stretch));
  const LinkageTorsion *t = &linkage()->torsions.items[0];
  assert_true(t->a == 0 && t->b == 1 && t->c == 2 && number(t->stiffness) == 5 && number(t->angle) == 1);
  const LinkageSlider *x = linkage()->sliders.items;
  assert_true(x[0].node == 1 && x[0].c == linkage_none && number(x[0].along[0]) == 1);
  assert_true(x[1].node == 3 && x[1].c == 0 && x[1].d == 2);
  assert_true(linkage()->loads.items[0].node == 1 && linkage()->loads.items[0].bar == 0);
  assert_true(number(linkage()->loads.items[0].force[1]) == -10);
  assert_int_equal(linkage()->rigids.items[0].count, 3);
  assert_int_equal(linkage()->members.items[2], 3);
  assert_true(number(linkage()->gravity[1]) == -9.81);
  unload(l);
}

static void a_chain_by_for_is_a_list_and_no_names(void **state) {
  (void)state;
  l = read_text("param n = 1000\nnode N[i] = [i, 0] for i in 0 .. n\nbar b[i]: N[i-1] N[i] for i in 1 .. n\n"
                "bar last: N[n] N[0]");
  assert_int_equal(l->model.diags.errors, 0);
  assert_int_equal(linkage()->nodes.count, 1001);
  assert_int_equal(linkage()->bars.count, 1001);
  for (uint32_t i = 0; i < 1000; i++) {
    const LinkageBar *b = &linkage()->bars.items[i + 1]; // names without an index come first
    assert_true(b->a == i && b->b == i + 1);
    assert_true(number(linkage()->nodes.items[b->b].place[0]) == i + 1);
  }
  assert_string_equal(linkage()->bars.items[8].name, "b[8]");
  assert_true(linkage()->bars.items[0].a == 1000 && linkage()->bars.items[0].b == 0);
  assert_true(l->model.scope->names.decls.count < 10);
  assert_int_equal(l->model.coords.count, 0);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_statement_fills_its_list),
                                     cmocka_unit_test(a_chain_by_for_is_a_list_and_no_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
