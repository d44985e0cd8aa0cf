// The order of interpreters: the same bits, longer runs of equal operations, results and given slots where they were.
#include "tests/support.h"

#include "tape/batch.h"
#include "tape/frame.h"
#include "tape/lanes.h"

// A tree of bodies, some of whose results are variables, parameters and each other.
static const char *const bodies =
    "param m = 2, l = 0.3, J = sqrt(m)*l^2\n"
    "gravity [0, 0, -9.81]\n"
    "body a on ground by revolute(y) p with mass = m, com = [0.1, 0, -l], box = [1, 2, 3]\n"
    "body b on a by revolute(x) q at [0, 0, -l] with mass = 1, com = [0, 0.1, -l], box = [1, 1, 2]\n"
    "body c on a by prismatic([0.6, 0, 0.8]) s at [0, l, 0] with mass = 1, com = [0.2, 0, 0]\n"
    "body d on b by ball r at [0.1, 0, 0] with mass = m, com = [0, 0, -0.2], box = [1, 1, 3]\n"
    "force p = -abs(p)*p' + if(q > 0, J, 0.2) - tanh(s)/(1 + s^2)\n";

static uint32_t runs_of(const TapeOp *ops, uint32_t count) {
  uint32_t runs = 1;
  for (uint32_t i = 1; i < count; i++) runs += ops[i].code != ops[i - 1].code;
  return runs;
}

static const Tape *tape_of(Loaded *l) {
  System *s = &l->system;
  VEC(ExprId) results = {0};
  for (uint32_t i = 0; i < system_dim(s); i++) vec_push(l->arena, &results, s->y.items[i].rate);
  vec_push(l->arena, &results, expr_sym(s->pool, s->y.items[0].symbol));
  vec_push(l->arena, &results, expr_sym(s->pool, s->params.items[2].symbol));
  vec_push(l->arena, &results, results.items[3]);
  return frame_tape(l->arena, &(TapeFrame){.system = s}, results.items, results.count);
}

static double variable(uint32_t i, uint32_t lane) { return sin(1.3 * i + 0.7) + 0.01 * lane; }

static double *workspace(Loaded *l, const Tape *t) {
  double *w = arena_array(l->arena, t->slot_count, sizeof *w);
  for (uint32_t i = 0; i < t->param_count; i++) w[i] = 1.25 + 0.5 * i;
  tape_prepare(t, w);
  return w;
}

static void results_have_the_same_bits(void **state) {
  (void)state;
  Loaded *l = load_text(bodies);
  const Tape *t = tape_of(l);
  assert_non_null(t->batched);
  Tape plain = *t;
  plain.batched = NULL;
  double *a = workspace(l, t), *b = workspace(l, t);
  double *lanes = lanes_workspace(l->arena, t);
  LaneKit kit = lanes_kit(t);
  for (uint32_t i = 0; i < t->param_count; i++) {
    for (uint32_t k = 0; k < lane_count; k++) lanes[i * lane_count + k] = 1.25 + 0.5 * i;
  }
  lanes_prepare(&kit, lanes);
  for (uint32_t i = 0; i < t->var_count; i++) {
    for (uint32_t k = 0; k < lane_count; k++) lanes[(t->param_count + i) * lane_count + k] = variable(i, k);
  }
  // twice: nothing that is given was written over
  for (int round = 0; round < 2; round++) {
    lanes_eval(&kit, lanes);
    for (uint32_t k = 0; k < lane_count; k++) {
      for (uint32_t i = 0; i < t->var_count; i++) tape_vars(t, a)[i] = tape_vars(t, b)[i] = variable(i, k);
      tape_eval(t, a);
      tape_eval(&plain, b);
      for (uint32_t i = 0; i < t->output_count; i++) {
        assert_true(tape_result(t, a, i) == tape_result(t, b, i));
        assert_true(lanes[t->outputs[i] * lane_count + k] == tape_result(t, b, i));
        assert_true(tape_result(t, a, i) - tape_result(t, a, i) == 0);
      }
    }
  }
  unload(l);
}

static void equal_operations_stand_in_rows(void **state) {
  (void)state;
  Loaded *l = load_text(bodies);
  const Tape *t = tape_of(l);
  uint32_t before = runs_of(t->ops, t->op_count), behind = runs_of(t->batched, t->op_count);
  if (!(3 * behind < before)) fail_msg("%u and %u", before, behind);
  // each operation stands there once
  uint32_t counts[tape_code_count] = {0};
  for (uint32_t i = 0; i < t->op_count; i++) {
    counts[t->ops[i].code]++;
    counts[t->batched[i].code]--;
  }
  for (uint32_t c = 0; c < tape_code_count; c++) assert_int_equal(counts[c], 0);
  unload(l);
}

static void short_tapes_stay_as_they_are(void **state) {
  (void)state;
  Loaded *l = load_text("coord x = 1\nkinetic 1/2*x'^2\npotential x^4\n");
  ExprId rate = l->system.y.items[1].rate;
  assert_null(frame_tape(l->arena, &(TapeFrame){.system = &l->system}, &rate, 1)->batched);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_have_the_same_bits),
      cmocka_unit_test(equal_operations_stand_in_rows),
      cmocka_unit_test(short_tapes_stay_as_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
