// Numbers of a linkage: parameters, time, what is as drawn, weights, a law of the stretch.
#include "tests/support.h"

#include "tests/unit/statics/structures.h"

static ExprId number(ExprPool *pool, int64_t value) { return expr_int(pool, value); }

static void a_linkage_becomes_numbers(void **state) {
  (void)state;
  Loaded *l = load_text("param k = 200, m = 3\ncoord e\nkinetic 1/2*m*e'^2\npotential k*e^4\n");
  ExprPool *pool = l->system.pool;
  Arena *arena = l->arena;
  ExprId k = expr_sym(pool, l->system.params.items[0].symbol), m = expr_sym(pool, l->system.params.items[1].symbol);
  SymbolId stretch = l->system.coords.items[0].q;
  ExprId e = expr_sym(pool, stretch), t = expr_sym(pool, l->system.time);
  Linkage *linkage = &l->system.linkage;
  linkage->dimensions = 2;
  linkage->gravity[1] = number(pool, -10);
  LinkageNode nodes[3] = {{.name = "A", .place = {t, number(pool, 1)}, .fixed = 3},
                          {.name = "B", .place = {number(pool, 5), number(pool, 4)}, .mass = m},
                          {.name = "C", .place = {number(pool, 8), number(pool, 8)}}};
  for (int i = 0; i < 3; i++) vec_push(arena, &linkage->nodes, nodes[i]);
  LinkageBar bar = {.name = "AB", .a = 0, .b = 1, .mass = number(pool, 4)};
  vec_push(arena, &linkage->bars, bar);
  LinkageSpring springs[2] = {{.a = 1, .b = 2, .stiffness = k, .length = number(pool, 2)},
                              {.a = 1, .b = 2, .force = expr_mul(pool, k, expr_mul(pool, e, e)), .stretch = stretch}};
  for (int i = 0; i < 2; i++) vec_push(arena, &linkage->springs, springs[i]);
  LinkageLoad load = {.node = 0, .bar = linkage_none, .force = {number(pool, 7), 0}};
  vec_push(arena, &linkage->loads, load);
  Structure s;
  StructureFault fault;
  assert_int_equal(structure_make(arena, &l->system, 1, &s, &fault), structure_made);
  assert_true(s.place[0] == 1 && s.place[1] == 1); // at time 1
  assert_true(s.bars.items[0].length == 5);        // as drawn
  assert_true(s.springs.items[0].stiffness == 200 && s.springs.items[0].length == 2);
  assert_true(s.springs.items[1].length == 5);
  assert_true(s.force[3] == -50 && s.force[1] == -20); // its own mass, and half of the bar's
  assert_int_equal(s.idle.count, 1);
  double force, slope;
  s.laws.items[0].value(s.laws.items[0].data, 0.5, &force, &slope);
  assert_true(fabs(force - 50) < 1e-12 && fabs(slope - 200) < 1e-12);
  // what has no value is named
  linkage->nodes.items[2].place[1] = expr_div(pool, number(pool, 1), expr_sub(pool, t, number(pool, 1)));
  assert_int_equal(structure_make(arena, &l->system, 1, &s, &fault), structure_not_finite);
  assert_int_equal(fault.part, structure_node);
  assert_int_equal(fault.index, 2);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_linkage_becomes_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
