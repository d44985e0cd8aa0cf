#include "tests/unit/tape/kernel_frame.h"

static void integrals_agree_with_closed_forms(void **state) {
  (void)state;
  // int_0^x tanh = ln cosh x, also deep in saturation; int_0^x 1/(1+s^2) = atan x; a kink at 1
  double v[4];
  outputs_at("output a = integral_of(tanh(s), s, 0, t)\noutput b = integral_of(1/(1 + s^2), s, 0, t)\n"
             "output c = integral_of(|s - 1|, s, 0, t)\noutput d = integral_of(sin(s), s, t, 0)\n",
             30, v, 4);
  assert_true(fabs(v[0] - (30 + log1p(exp(-60)) - log(2))) < 1e-12 * 30);
  assert_true(fabs(v[1] - atan(30)) < 1e-13);
  assert_true(fabs(v[2] - (0.5 + 29 * 29 / 2.0)) < 1e-9 * v[2]);
  assert_true(fabs(v[3] - (cos(30) - 1)) < 1e-12);
}

static void integrals_differentiate_exactly(void **state) {
  (void)state;
  double v[3];
  // d/dt int_0^t sin(t s) ds = sin(t^2) + int_0^t s cos(t s) ds; and the inner variable hides an outer one
  outputs_at("output a = integral_of(sin(t*s), s, 0, t)', b = (1 - cos(t^2))/t, c = integral_of(integral_of(s*r, r, 0, "
             "s), s, 0, t)'\n",
             1.3, v, 3);
  double t = 1.3, u = t * t;
  assert_true(fabs(v[0] - (2 * sin(u) - (1 - cos(u)) / u)) < 1e-12);
  assert_true(fabs(v[2] - t * t * t / 2) < 1e-13);
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
  Loaded *l = load_text("output a = integral_of(abs(s - 1/3)*(1 + s^2*t), s, 0, t)\n");
  const Tape *t = output_tape(l);
  assert_non_null(t);
  frame_lanes(l->arena, t, (double[]){0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, NAN});
  frame_native(l->arena, t, (double[]){0.45});
  frame_export(l->arena, t, (double[]){0.45});
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrals_agree_with_closed_forms),
      cmocka_unit_test(integrals_differentiate_exactly),
      cmocka_unit_test(every_way_to_run_it_gives_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
