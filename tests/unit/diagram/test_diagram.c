// A text as blocks and wires: a loop that is closed, signs and gains where the text has them.
#include "tests/support.h"

#include "diagram/diagram.h"

static const DiagramNode *named(const Diagram *d, const char *name) {
  for (uint32_t i = 0; i < d->nodes.count; i++)
    if (d->nodes.items[i].name && strcmp(d->nodes.items[i].name, name) == 0) return &d->nodes.items[i];
  return NULL;
}

static uint32_t number_of(const Diagram *d, const DiagramNode *node) { return (uint32_t)(node - d->nodes.items); }

static uint32_t count_of(const Diagram *d, BlockKind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < d->nodes.count; i++) count += d->nodes.items[i].kind == kind;
  return count;
}

static void a_loop_is_closed(void **state) {
  (void)state;
  Loaded *l = load_text("input r = 1\nparam K = 3\nstate y = 0\nlet e = r - y\nlet u = limit(e, -1, 1)\ny' = K*u\n"
                        "output y\nsimulate to 1\n");
  Diagram d = {0};
  assert_true(diagram_build(l->arena, &l->model.sources, l->model.program, &d));
  const DiagramNode *e = named(&d, "e"), *u = named(&d, "u"), *y = named(&d, "y");
  assert_non_null(e);
  assert_non_null(u);
  assert_non_null(y);
  assert_int_equal(e->kind, block_sum);
  assert_int_equal(e->pins.count, 2);
  // y comes in with -, what is asked for with +
  assert_true((e->pins.items[0].node == number_of(&d, y)) != (e->pins.items[1].node == number_of(&d, y)));
  for (uint32_t i = 0; i < 2; i++)
    assert_int_equal(e->pins.items[i].sign, e->pins.items[i].node == number_of(&d, y) ? '-' : '+');
  assert_int_equal(u->kind, block_limit);
  assert_int_equal(u->pins.items[0].node, number_of(&d, e));
  assert_int_equal(y->kind, block_integral);
  assert_true(y->shown);
  assert_int_equal(count_of(&d, block_integral), 1);
  assert_int_equal(count_of(&d, block_limit), 1);
  // from y back through what feeds it, to u
  uint32_t at = y->pins.items[0].node;
  if (at != number_of(&d, u)) {
    assert_int_equal(d.nodes.items[at].kind, block_gain);
    at = d.nodes.items[at].pins.items[0].node;
  }
  assert_int_equal(at, number_of(&d, u));
  unload(l);
}

// Every wire begins at a block that is there.
static void wires_begin_somewhere(void **state) {
  (void)state;
  Loaded *l = load_text("param m = 1, k = 2\ninput F = sin(t)\ncoord x = 0\nstate a[i] = 0 for i in 1 .. 3\n"
                        "kinetic 1/2*m*x'^2\npotential 1/2*k*x^2\nforce x = F - a[1]\na[1]' = x - a[1]\n"
                        "a[i]' = a[i-1] - a[i] for i in 2 .. 3\noutput a[3]\nsimulate to 1\n");
  Diagram d = {0};
  assert_true(diagram_build(l->arena, &l->model.sources, l->model.program, &d));
  assert_int_equal(count_of(&d, block_plant), 2); // the energies, the family
  for (uint32_t i = 0; i < d.nodes.count; i++) {
    const DiagramNode *n = &d.nodes.items[i];
    for (uint32_t k = 0; k < n->pins.count; k++) {
      assert_false(n->pins.items[k].symbolic);
      assert_true(n->pins.items[k].node < d.nodes.count);
    }
  }
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_loop_is_closed), cmocka_unit_test(wires_begin_somewhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
