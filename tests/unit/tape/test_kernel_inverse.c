#include "tests/unit/tape/kernel_frame.h"

static void inverses_agree_with_closed_forms(void **state) {
  (void)state;
  double v[4];
  outputs_at("fun f(s) = 0.8*tanh(s/2)\nfun g(s) = s^3 + s\nfun h(s) = exp(-s)\n"
             "output a = inverse(f)(t), b = inverse(g)(1000*t), c = inverse(h)(t), d = inverse(f)(t)'\n",
             0.5, v, 4);
  assert_true(fabs(v[0] - 2 * atanh(0.5 / 0.8)) < 1e-14);
  assert_true(fabs(v[1] * v[1] * v[1] + v[1] - 500) < 1e-11);
  assert_true(fabs(v[2] + log(0.5)) < 1e-14);
  // d/dt 2 atanh(t/0.8) = 2/0.8 / (1 - (t/0.8)^2)
  assert_true(fabs(v[3] - 2.5 / (1 - 0.390625)) < 1e-12);
}

// The tape of an output of a model over time.
static const Tape *output_tape(Loaded *l) {
  return tape_build(l->arena, &(TapeRequest){.system = &l->system,
                                             .vars = &l->model.time,
                                             .var_count = 1,
                                             .results = &l->model.outputs.items[0].value,
                                             .result_count = 1,
                                             .params_by_value = true});
}

static void every_way_to_run_it_gives_the_same_bits(void **state) {
  (void)state;
  Loaded *l = load_text("fun g(s) = s^3 + s*(1 + t)\noutput a = inverse(g)(3*t)\n");
  const Tape *t = output_tape(l);
  assert_non_null(t);
  frame_lanes(l->arena, t, (double[]){0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, NAN});
  frame_native(l->arena, t, (double[]){0.45});
  frame_export(l->arena, t, (double[]){0.45});
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverses_agree_with_closed_forms),
      cmocka_unit_test(every_way_to_run_it_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
