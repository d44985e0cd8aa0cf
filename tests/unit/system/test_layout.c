// The table of components: the order of y, by hand.
#include "tests/support.h"

// x and y have inertia, z has none (its velocity is computed), then a state; flows of the account come last.
static const char text[] = "coord x = 1\ncoord z = 3\nstate s = 5\nkinetic 1/2*x'^2\npotential 1/2*(x - z)^2\n"
                           "dissipation 1/2*z'^2\ns' = x\n";

static void positions_velocities_states_quadratures(void **state) {
  (void)state;
  Loaded *l = load_text(text);
  const System *s = &l->system;
  static const struct {
    ComponentKind kind;
    ComponentOrigin from;
    const char *name;
    uint32_t derivative;
  } rows[] = {{component_position, of_coord, "x", 0},
              {component_position, of_coord, "z", 0},
              {component_velocity, of_coord, "x'", 1},
              {component_velocity, of_coord, "", 0}, // z' follows from an equation of first order
              {component_state, of_state, "s", 0},
              {component_quadrature, of_flow, "dissipated", 0},
              {component_quadrature, of_flow, "supplied", 0}};
  assert_int_equal(s->y.count, 7);
  assert_int_equal(system_dim(s), 5);
  for (uint32_t i = 0; i < s->y.count; i++) {
    const Component *y = &s->y.items[i];
    assert_int_equal(y->kind, rows[i].kind);
    assert_int_equal(y->from, rows[i].from);
    assert_string_equal(y->name, rows[i].name);
    if (*rows[i].name) assert_int_equal(y->derivative, rows[i].derivative);
    if (y->symbol) assert_int_equal(system_place(s, y->symbol), i);
    if (y->symbol) assert_true(y->rate != 0);
  }
  assert_int_equal(s->y.items[3].symbol, 0);
  assert_int_equal(system_place(s, s->coords.items[1].v), no_place);
  assert_int_equal(system_place(s, 0), no_place);
  unload(l);
}

// A state with the role of a position stands among the positions, behind those of coordinates.
static void roles_of_states_choose_their_place(void **state) {
  (void)state;
  Loaded *l = load_text("coord x = 1\nstate p\nstate q\nstate w\nkinetic 1/2*x'^2\np' = 1\nq' = w\nw' = -q\n");
  System *s = &l->system;
  s->states.items[1].role = state_position;
  s->states.items[2].role = state_velocity;
  assert_true(system_layout(s));
  static const char *const names[] = {"x", "q", "x'", "w", "p"};
  for (uint32_t i = 0; i < 5; i++) assert_string_equal(s->y.items[i].name, names[i]);
  assert_int_equal(s->y.items[1].kind, component_position);
  assert_int_equal(s->y.items[3].kind, component_velocity);
  assert_int_equal(system_dim(s), 5);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_velocities_states_quadratures),
      cmocka_unit_test(roles_of_states_choose_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
