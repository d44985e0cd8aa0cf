// Chains that are released straight, by angles: at first the links behind the first one turn like ever higher powers of
// time, and what is computed of them is dust of rounding. No method may count such digits, and `auto` may not take the
// first short steps for those of the whole motion. The places after 0.1 s are SciPy's (DOP853, rtol 1e-13, atol 1e-16).
#include "tests/support.h"

#include "viva/viva.h"

enum { links = 13 };

static const double places[links] = {1.1336710382131354, 1.386900734654306,  1.541538288116656,  1.568681444187814,
                                     1.5707146287343199, 1.5707944650628747, 1.5707963002012402, 1.5707963265479983,
                                     1.5707963267933793, 1.5707963267948906, 1.5707963267948966, 1.5707963267948966,
                                     1.5707963267948966};

static viva_model *chain(double to) {
  char text[600];
  viva_model *model;
  snprintf(text, sizeof text,
           "param n = %d, g = 9.81, l = 1/n\ncoord th[i] = pi/2 for i in 1 .. n\n"
           "let x[i] = sum(l*sin(th[j]), j, 1, i), y[i] = sum(-l*cos(th[j]), j, 1, i) for i in 1 .. n\n"
           "kinetic 1/2*(1/n)*(x[i]'^2 + y[i]'^2) for i in 1 .. n\npotential (1/n)*g*y[i] for i in 1 .. n\n"
           "simulate to %g\n",
           links, to);
  assert_int_equal(viva_model_parse("chain.viva", text, strlen(text), NULL, &model), VIVA_OK);
  return model;
}

static viva_run *run_by(const char *method, double to, uint64_t most_steps) {
  viva_model *model = chain(to);
  viva_run_options o = viva_run_defaults();
  o.method = method;
  o.most_steps = most_steps;
  viva_run *run;
  viva_status status = viva_run_model(model, &o, NULL, &run);
  if (status != VIVA_OK) fail_msg("%s: %s", method, viva_run_message(run));
  viva_model_free(model);
  return run;
}

static void steps_are_those_of_the_motion(void **state) {
  (void)state;
  static const struct {
    const char *method;
    uint64_t most_steps; // SciPy takes 27 with tolerances that let the dust be
    double error;
  } methods[] = {{"dop853", 2000, 1e-10}, {"dopri5", 8000, 1e-9}, {"auto", 2000, 1e-10}};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    viva_run *run = run_by(methods[k].method, 0.1, methods[k].most_steps);
    for (size_t i = 0; i < links; i++) {
      double off = fabs(viva_run_value(run, i) - places[i]);
      if (!(off <= methods[k].error)) fail_msg("%s: th[%zu] is off by %g", methods[k].method, i + 1, off);
    }
    viva_run_free(run);
  }
}

static void lanes_are_no_slower(void **state) {
  (void)state;
  viva_model *model = chain(0.1);
  viva_batch_options o = viva_batch_defaults();
  static const char *const names[] = {"g"};
  static const double values[] = {9.81, 9.81, 9.9};
  o.names = names;
  o.name_count = 1;
  o.values = values;
  o.count = 3;
  o.run.method = "dop853";
  o.run.most_steps = 2000;
  viva_batch *batch;
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_OK);
  assert_int_equal(viva_batch_failed(batch), 0);
  viva_run *run = run_by("dop853", 0.1, 2000);
  for (size_t i = 0; i < viva_run_value_count(run); i++)
    if (viva_batch_value(batch, 0, i) != viva_run_value(run, i))
      fail_msg("%s: %.17g and %.17g", viva_run_value_name(run, i), viva_batch_value(batch, 0, i),
               viva_run_value(run, i));
  viva_run_free(run);
  viva_batch_free(batch);
  viva_model_free(model);
}

// Its energy is kept, and the whole of it takes some thousand steps; a step as short as the first ones takes millions.
static void auto_is_not_misled(void **state) {
  (void)state;
  viva_run *run = run_by("auto", 2, 10000);
  assert_non_null(strstr(viva_run_summary(run, VIVA_FORMAT_TEXT), "dop853"));
  assert_true(viva_run_energy_residue(run) <= 1e-10);
  viva_run_free(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_those_of_the_motion),
                                     cmocka_unit_test(lanes_are_no_slower), cmocka_unit_test(auto_is_not_misled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
