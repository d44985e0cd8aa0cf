#include "tests/unit/tape/kernel_frame.h"

#include "tape/forward.h"
#include "tape/jacobian.h"

// y^3 + y = x and w = y^2 + t, solved together: y by Cardano's formula.
static const char *const text = "state x = 3\nunknown y = 1, w = 1\nequation y^3 + y = x\nequation w = y^2 + x\n"
                                "x' = -w\noutput w\n";

static double cardano(double x) {
  double r = sqrt(x * x / 4 + 1.0 / 27);
  return cbrt(x / 2 + r) + cbrt(x / 2 - r);
}

static const Tape *rate_tape(Loaded *l) {
  System *s = &l->system;
  SymbolId *vars = arena_array(l->arena, 2 + s->held.count, sizeof *vars);
  vars[0] = s->time;
  vars[1] = s->states.items[0].x;
  for (uint32_t i = 0; i < s->held.count; i++) vars[2 + i] = s->held.items[i].symbol;
  ExprId rate = expr_sym(s->pool, s->states.items[0].rate);
  return tape_build(l->arena, &(TapeRequest){.system = s,
                                             .vars = vars,
                                             .var_count = 2 + s->held.count,
                                             .held_count = s->held.count,
                                             .results = &rate,
                                             .result_count = 1});
}

static void solutions_agree_with_the_closed_form(void **state) {
  (void)state;
  Loaded *l = load_text(text);
  const Tape *t = rate_tape(l);
  assert_non_null(t);
  for (double x = -4; x <= 4; x += 0.5) {
    double in[4] = {0, x, 1, 1}, out, y = cardano(x);
    assert_int_equal(t->var_count, 4);
    frame_eval(t, in, &out);
    assert_true(fabs(out + y * y + x) < 1e-13);
  }
  unload(l);
}

// dw/dx = 2 y y' + 1 with y' = 1/(3 y^2 + 1)
static void the_jacobian_is_exact(void **state) {
  (void)state;
  Loaded *l = load_text(text);
  const TapeJacobian *j = tape_jacobian(l->arena, &l->system, NULL, 0, NULL);
  assert_non_null(j);
  assert_int_equal(j->start[1], 1);
  double x = 2.5, y = cardano(x), out[2];
  frame_eval(j->tape, (double[]){0, x, 1, 1}, out);
  assert_true(fabs(out[0] + 2 * y / (3 * y * y + 1) + 1) < 1e-13);
  unload(l);
}

// w' = (2 y y' + 1) x', in two directions at once, of which one stands still
static void rates_along_a_direction_are_exact(void **state) {
  (void)state;
  Loaded *l = load_text(text);
  const Tape *t = rate_tape(l);
  TapeAlong a;
  double *w = arena_array(l->arena, t->slot_count, sizeof *w);
  double still[2] = {0, 0}, rates[4][2] = {{1, 1}, {0.5, 0}, {0, 0}, {0, 0}}, slopes[2], x = 2.5, y = cardano(x);
  assert_true(w && tape_along_init(&a, l->arena, t, 2));
  assert_int_equal(t->param_count, 0);
  tape_along_params(&a, w, still, NULL);
  memcpy(tape_vars(t, w), (double[]){0, x, 1, 1}, 4 * sizeof *w);
  tape_along(&a, w, rates[0], 4, slopes);
  assert_true(fabs(slopes[0] + 0.5 * (2 * y / (3 * y * y + 1) + 1)) < 1e-13);
  assert_true(slopes[1] == 0);
  unload(l);
}

static void every_way_to_run_it_gives_the_same_bits(void **state) {
  (void)state;
  Loaded *l = load_text(text);
  const Tape *t = rate_tape(l);
  double in[lane_count * 4];
  for (int i = 0; i < lane_count; i++) memcpy(in + 4 * i, (double[]){0, i - 3.5, 1, 1}, 4 * sizeof *in);
  frame_lanes(l->arena, t, in);
  frame_native(l->arena, t, in);
  // it has no C text: exported C is refused for models that need it
  EmitNeeds needs = {0};
  assert_true(emit_needs(l->arena, t, &needs));
  assert_ptr_equal(emit_missing(&needs), &kernel_newton);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_agree_with_the_closed_form),
      cmocka_unit_test(the_jacobian_is_exact),
      cmocka_unit_test(rates_along_a_direction_are_exact),
      cmocka_unit_test(every_way_to_run_it_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
