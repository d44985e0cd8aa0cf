// What a kernel that was added by one file and one line must do: be found, be called by every way to run a tape, and
// give its exact slopes to the Jacobian (toy_kernel.patch, toy_kernel.sh).
#include "tests/unit/tape/kernel_frame.h"

#include "tape/jacobian.h"

static void the_toy_is_found_and_runs_everywhere(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const TapeKernel *toy = tape_kernel_find("toy");
  assert_non_null(toy);
  const Tape *t = frame_tape(arena, toy, NULL, 2);
  double in[2 * lane_count], out[2];
  for (int i = 0; i < 2 * lane_count; i++) in[i] = 0.5 * i - 3;
  frame_eval(t, in, out);
  assert_true(out[0] == -3 * -2.5 && out[1] == 0.5);
  frame_lanes(arena, t, in);
  frame_native(arena, t, in);
  frame_export(arena, t, in);
  arena_free(arena);
}

// x' = z_0, y' = z_1 with a_0 = x, a_1 = 2 y: entries 2 y, 2 x and 2, by hand.
static void its_slopes_reach_the_jacobian(void **state) {
  (void)state;
  Arena *arena = arena_new();
  ExprPool pool;
  System s = {.arena = arena, .pool = &pool};
  assert_true(pool_init(&pool, arena));
  s.time = pool_symbol(&pool, "t", sym_time, 0, 0);
  SymbolId x[2], z[2];
  for (uint32_t i = 0; i < 2; i++) {
    x[i] = pool_symbol(&pool, "x", sym_state, i, 0);
    z[i] = pool_symbol(&pool, "x'", sym_state_rate, i, 1);
    Component c = {.kind = component_state, .symbol = x[i], .rate = expr_sym(&pool, z[i]), .name = "x", .of = i};
    assert_true(vec_push(arena, &s.y, c));
  }
  ExprId args[2] = {expr_sym(&pool, x[0]), expr_scale(&pool, rat_int(2), expr_sym(&pool, x[1]))};
  SystemCall call = {tape_kernel_find("toy"), NULL, 2, 2, args, z, 0};
  assert_true(vec_push(arena, &s.calls, call) && vec_push(arena, &s.steps, ((SystemStep){step_call, 0})));
  const TapeJacobian *j = tape_jacobian(arena, &s, NULL, 0, NULL);
  assert_non_null(j);
  assert_int_equal(j->count, 3);
  double out[3];
  frame_eval(j->tape, (double[]){0, 5, 7}, out);
  assert_true(j->row[0] == 0 && out[0] == 14);
  assert_true(j->row[1] == 0 && out[1] == 10);
  assert_true(j->row[2] == 1 && out[2] == 2);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_toy_is_found_and_runs_everywhere),
      cmocka_unit_test(its_slopes_reach_the_jacobian),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
