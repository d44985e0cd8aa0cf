// A batch gives each sample the bits of a run of its own: with every method, with neighbours that fail, on any number
// of threads, interpreted or compiled.
#define _XOPEN_SOURCE 700
#include "tests/support.h"

#include "viva/viva.h"

enum { samples = 37 };

static const char *const text = "param m = 1, k = 2*m [N/m], l = 3*k*m/7\n"
                                "coord x = 1, th = 0.1*l\n"
                                "state z = 1\n"
                                "kinetic 1/2*m*x'^2 + 1/2*l*th'^2 + 1/4*cos(th)*x'*th'\n"
                                "potential 1/2*k*x^2 - m*cos(th) + 0.1*sin(3*t)*x\n"
                                "dissipation 0.05*x'^2\n"
                                "z' = -0.3*ln(z) - x*0.2\n" // samples that drive z below zero fail half way
                                "output a = x + th, e = energy.stored, lost = energy.dissipated\n"
                                "simulate to 3 step 0.01 every 0.1\n";

// A coordinate without inertia, jumps (one inside a spring), noise, stiff motion, and a sample that fails.
static const char *const jumping = "param m = 1, c = 50\n"
                                   "coord x = 1, th = 0.1\n"
                                   "state z = 1\n"
                                   "input u = if(t < 0.7*m, 0, 1) + 0.1*noise(7, 0.25)\n"
                                   "kinetic 1/2*m*x'^2\n"
                                   "potential 1/2*(x - u)^2 + 1/2*c*(th - x)^2\n"
                                   "dissipation 1/2*th'^2 + 0.05*x'^2\n"
                                   "z' = -0.3*ln(z) - x*0.2\n"
                                   "output a = x + th, v = th', given = energy.supplied, lost = energy.dissipated\n"
                                   "simulate to 3 step 0.01 every 0.1\n";

// A block of 52 coordinates, which LAPACK solves.
static const char *const large = "param m = 1\n"
                                 "coord x = 1, th = 0.1\n"
                                 "coord g[i] = 0.01*i for i in 1 .. 50\n"
                                 "state z = 1\n"
                                 "kinetic 1/2*m*x'^2 + 1/2*th'^2 + 1/4*cos(th)*x'*th' + 1/2*sum((1 + m)*g[i]'^2, i, 1, "
                                 "50) + 0.02*sum(cos(g[i])*g[i]'*x', i, 1, 50)\n"
                                 "potential 1/2*x^2 - m*cos(th) + 1/2*sum(g[i]^2, i, 1, 50)\n"
                                 "z' = -0.3*ln(z) - x*0.2\n"
                                 "simulate to 1 step 0.02 every 0.1\n";

// Events: a stop that the motion runs into, a relay, a jump of a velocity, a delay.
static const char *const eventful = "param m = 1\n"
                                    "coord x = 1, th = 0.1\n"
                                    "state z = 1\n"
                                    "kinetic 1/2*m*x'^2 + 1/2*th'^2\n"
                                    "potential 1/2*x^2 + 1/2*th^2 + 20*max(th - 0.3, 0)^2\n"
                                    "force th = hysteresis(x, -0.2, 0.2, -1, 1) - delay(th, 0.4)\n"
                                    "when x < -0.5 do x' := -0.8*x'\n"
                                    "z' = -0.3*ln(z) - x*0.2\n"
                                    "output a = x + th, v = th', given = energy.supplied, lost = energy.dissipated\n"
                                    "simulate to 3 step 0.01 every 0.1\n";

// A pendulum whose bob has coordinates of its own, bound to it: starts are found for each sample, and no lane drifts.
static const char *const bound = "param m = 1\n"
                                 "coord x = 1, th = 0.1\n"
                                 "init x' = 0\n"
                                 "coord px, py\n"
                                 "state z = 1\n"
                                 "kinetic 1/2*x'^2 + 1/2*m*(px'^2 + py'^2) + 0.1*th'^2\n"
                                 "potential 1/2*x^2 + 9.81*m*py\n"
                                 "constraint bob: [px, py] = [x + sin(th), -cos(th)]\n"
                                 "z' = -0.3*ln(z) - x*0.2\n"
                                 "output a = px, v = py', pull = lambda.bob.y, e = energy.stored\n"
                                 "simulate to 3 step 0.01 every 0.1\n";

// Bodies: a slider, a pendulum with a stop, and a ball at its end.
static const char *const bodies =
    "param m = 1\n"
    "gravity [0, 0, -9.81]\n"
    "body slide on ground by prismatic(x) x with mass = m\n"
    "body bob on slide by revolute(y) th with mass = 0.5, com = [0, 0, -1]\n"
    "body top on bob by ball r at [0, 0, -1] with mass = 0.3, com = [0.1, 0, -0.2], inertia = [0.02, 0.03, 0.01, 0, 0, "
    "0]\n"
    "potential 1/2*x^2\n"
    "stop th in -0.4 .. 0.5 stiffness 50\n"
    "init x = 1, th = 0.1, r.wx = 2\n"
    "state z = 1\n"
    "z' = -0.3*ln(z) - x*0.05\n"
    "output a = x + th, v = th', e = energy.stored, P = bodies.momentum.x\n"
    "simulate to 3 step 0.01 every 0.1\n";
// For verlet: coordinates alone, and accelerations of places; samples that drive z below zero fail. With a bob that is
// bound, and without.
#define SEPARABLE(more)                                                                                                \
  "param m = 1\ncoord x = 1, th = 0.1, z = 1\ninit x' = 0\nkinetic 1/2*x'^2 + 0.1*m*th'^2 + 1/2*z'^2\n"                \
  "potential 1/2*x^2 - m*cos(th) + x*sin(th) + 0.3*(z*ln(z) - z)\noutput a = x + th, e = energy.stored\n" more         \
  "simulate to 3 step 0.01 every 0.1\n"
static const char *const separable = SEPARABLE("");
static const char *const separable_bound =
    SEPARABLE("coord px, py\nkinetic 1/2*m*(px'^2 + py'^2)\npotential 9.81*m*py\n"
              "constraint bob: [px, py] = [x + sin(th), -cos(th)]\n");

// Energy with structure that depends on the state, a port, a part by its equation.
static const char *const ports =
    "param m = 1\nstate x = 1, x2 = 0.3, th = 0.1, z = 1\ninput u = sin(3*t)\n"
    "hamiltonian m*x^2/2 + x2^2/3 + th^2*m + x^4/10\n"
    "interconnection [0, -th, x2; th, 0, -x; -x2, x, 0]\ndamping diag(0.1*m*x^2, 0, 0.2)\nport u by [0, 1 + x^2, 0]\n"
    "z' = -0.3*ln(z) - x*0.2\noutput a = x + th, y = u.y, lost = energy.dissipated, given = energy.supplied\n"
    "simulate to 3 step 0.01 every 0.1\n";

// What each sample comes to is measured as well: corners, a condition, a formula.
static const char *const measures[] = {"max(x)",           "min(th) - 2*final(z)",    "mean(x*th)",      "sd(x)",
                                       "integral(abs(x))", "time(x > 0.3 or th < 0)", "max(abs(th)) < 1"};
enum { measure_count = sizeof measures / sizeof *measures };

static const char *source;

static uint64_t seed = 11;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

static viva_model *parse(const char *from, const char *const *set, size_t count) {
  viva_model *model;
  viva_load_options o = {.set = set, .set_count = count};
  if (viva_model_parse("test.viva", from, strlen(from), &o, &model) != VIVA_OK) {
    for (size_t i = 0; i < viva_model_diagnostic_count(model); i++)
      print_error("%s", viva_model_diagnostic(model, i).text);
    fail();
  }
  return model;
}

static bool same(double x, double y) { return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)); }

static void a_sample_is_a_run_of_its_own(const char *method, const char *backend, unsigned threads, double rtol,
                                         size_t least_failed) {
  const char *const names[] = {"m", source == ports ? "x2" : "x'", "z", "th"};
  double values[samples][4];
  for (int i = 0; i < samples; i++) {
    values[i][0] = 0.5 + uniform();
    values[i][1] = 10 * uniform() - 5;
    values[i][2] = 0.2 + uniform();
    values[i][3] = uniform();
  }
  values[5][0] = NAN; // has no start
  values[6][2] = -1;  // has no derivative
  viva_model *model = parse(source, NULL, 0);
  viva_batch_options o = viva_batch_defaults();
  o.run.method = method;
  o.run.backend = backend;
  if (rtol > 0) o.run.rtol = rtol;
  o.run.measures = measures;
  o.run.measure_count = measure_count;
  o.names = names;
  o.name_count = 4;
  o.values = values[0];
  o.count = samples;
  o.threads = threads;
  viva_batch *batch;
  viva_status status = viva_batch_model(model, &o, &batch);
  if (viva_batch_message(batch)) print_error("%s", viva_batch_message(batch));
  assert_int_equal(status, VIVA_OK);
  size_t failed = 0;
  for (int i = 0; i < samples; i++) {
    char set[4][64];
    const char *list[4];
    for (int k = 0; k < 4; k++) {
      snprintf(set[k], sizeof set[k], "%s=%.17g", names[k], values[i][k]);
      list[k] = set[k];
    }
    if (i == 5) {
      assert_int_equal(viva_batch_status(batch, 5), VIVA_EINPUT);
      assert_true(isnan(viva_batch_value(batch, 5, 0)));
      failed++;
      continue;
    }
    viva_model *own = parse(source, list, 4);
    viva_run_options r = o.run;
    r.backend = "interp";
    viva_run *run;
    viva_status alone = viva_run_model(own, &r, NULL, &run);
    assert_int_equal(alone, viva_batch_status(batch, (size_t)i));
    failed += alone != VIVA_OK;
    assert_int_equal(viva_run_value_count(run), viva_batch_value_count(batch));
    for (size_t k = 0; alone == VIVA_OK && k < viva_run_value_count(run); k++) {
      assert_string_equal(viva_run_value_name(run, k), viva_batch_value_name(batch, k));
      double x = viva_run_value(run, k), y = viva_batch_value(batch, (size_t)i, k);
      if (!same(x, y)) fail_msg("%s, sample %d, %s: %a and %a", method, i, viva_run_value_name(run, k), x, y);
    }
    assert_int_equal(viva_run_measure_count(run), measure_count);
    for (size_t k = 0; alone == VIVA_OK && k < measure_count; k++) {
      double x = viva_run_measure(run, k), y = viva_batch_measure(batch, (size_t)i, k);
      if (!same(x, y)) fail_msg("%s, sample %d, %s: %a and %a", method, i, measures[k], x, y);
    }
    viva_run_free(run);
    viva_model_free(own);
  }
  assert_int_equal(failed, viva_batch_failed(batch));
  assert_true(failed >= least_failed && failed < samples / 2);
  viva_batch_free(batch);
  viva_model_free(model);
}

// On both models.
static void holds(const char *method, const char *backend, unsigned threads, double rtol) {
  static const char *const sources[] = {text, jumping};
  for (int i = 0; i < 2; i++) {
    source = sources[i];
    a_sample_is_a_run_of_its_own(method, backend, threads, rtol, 2);
  }
}

static void fixed_steps_in_lanes_are_those_of_one(void **state) {
  (void)state;
  static const char *const methods[] = {"euler", "heun", "bs3", "rk4"};
  for (int i = 0; i < 4; i++) holds(methods[i], "interp", 1, 0);
}

static void other_methods_take_the_steps_of_one(void **state) {
  (void)state;
  static const char *const methods[] = {"dopri5", "dop853", "rodas", "bdf", "auto"};
  for (int i = 0; i < 5; i++) {
    holds(methods[i], "interp", 1, 1e-5);
    holds(methods[i], "interp", 1, 1e-8);
  }
}

static void threads_change_no_bit(void **state) {
  (void)state;
  holds("dop853", "interp", 3, 0);
  holds("auto", "interp", 3, 0);
  holds("bdf", "interp", 3, 1e-6);
  holds("rk4", "interp", 4, 0);
}

static void compiled_code_changes_no_bit(void **state) {
  (void)state;
  holds("dop853", "cc", 2, 0);
  holds("auto", "tcc", 2, 0);
  holds("rodas", "auto", 1, 1e-6);
  holds("rodas", "cc", 2, 1e-6);
  holds("auto", "cc", 2, 1e-4);
  holds("dopri5", "cc", 1, 1e-5);
  holds("rk4", "cc", 1, 0);
}

static void events_are_located_as_in_one(void **state) {
  (void)state;
  source = eventful;
  a_sample_is_a_run_of_its_own("auto", "interp", 2, 1e-6, 2);
  a_sample_is_a_run_of_its_own("rk4", "interp", 2, 0, 2);
}

static void energies_with_structure_run_in_lanes(void **state) {
  (void)state;
  static const char *const methods[] = {"rk4", "auto", "dopri5", "rodas", "bdf", "gauss4", "conserve"};
  source = ports;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    a_sample_is_a_run_of_its_own(methods[i], i % 2 ? "interp" : "cc", 2, i == 1 || i == 4 ? 1e-6 : 0, 2);
}

// What the proof of a damping took for granted holds for every sample, or it is refused: by itself, by what follows.
static void a_sample_with_another_sign_is_refused(void **state) {
  (void)state;
  static const char *const circuit = "param R = 2, a = 3, b = 1, C = 0.1, D = a - b\nstate q = 0.1, psi = 1\n"
                                     "hamiltonian q^2/(2*C) + psi^2\ndamping [a - b, 0; 0, R*C^2]\nsimulate to 1\n";
  const char *names[] = {"R", "b", "C"};
  double values[] = {1, 1, 0.1, -1, 1, 0.1, 1, 4, 0.1, 1, 2, -0.1, 0, 1, 0.1};
  static const viva_status expected[] = {VIVA_OK, VIVA_EINPUT, VIVA_EINPUT, VIVA_OK, VIVA_OK};
  viva_model *model = parse(circuit, NULL, 0);
  viva_batch_options o = viva_batch_defaults();
  viva_batch *batch;
  o.names = names;
  o.name_count = 3;
  o.values = values;
  o.count = 5;
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_OK);
  for (size_t i = 0; i < 5; i++) assert_int_equal(viva_batch_status(batch, i), expected[i]);
  assert_int_equal(viva_batch_failed(batch), 2);
  viva_batch_free(batch);
  viva_model_free(model);
}

static void constraints_are_kept_as_in_one(void **state) {
  (void)state;
  source = bound;
  a_sample_is_a_run_of_its_own("rk4", "interp", 2, 0, 2);
  a_sample_is_a_run_of_its_own("auto", "interp", 2, 1e-9, 2);
  a_sample_is_a_run_of_its_own("dopri5", "cc", 2, 1e-6, 2);
  a_sample_is_a_run_of_its_own("rodas", "interp", 1, 1e-6, 2);
}

static void bodies_move_as_in_one(void **state) {
  (void)state;
  source = bodies;
  a_sample_is_a_run_of_its_own("rk4", "interp", 2, 0, 2);
  a_sample_is_a_run_of_its_own("auto", "interp", 2, 1e-6, 2);
  a_sample_is_a_run_of_its_own("dopri5", "cc", 2, 1e-6, 2);
  a_sample_is_a_run_of_its_own("rodas", "interp", 1, 1e-5, 2);
}

static void methods_that_keep_structure_go_one_by_one(void **state) {
  (void)state;
  static const char *const methods[] = {"gauss4", "gauss8", "conserve"};
  const char *const sources[] = {text, jumping, eventful, bound, separable_bound};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    source = sources[i];
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
      a_sample_is_a_run_of_its_own(methods[k], k == 1 ? "cc" : "interp", 2, 0, 2);
  }
  source = separable;
  a_sample_is_a_run_of_its_own("verlet", "interp", 2, 0, 2);
  source = separable_bound;
  a_sample_is_a_run_of_its_own("verlet", "cc", 2, 0, 2);
}

static void large_blocks_are_solved_alike(void **state) {
  (void)state;
  source = large;
  a_sample_is_a_run_of_its_own("rk4", "cc", 2, 0, 2);
  a_sample_is_a_run_of_its_own("auto", "auto", 2, 1e-5, 2);
  a_sample_is_a_run_of_its_own("rodas", "interp", 2, 1e-4, 2);
}

// The broken twin: the bits of another sample are not the same.
static void neighbours_differ(void **state) {
  (void)state;
  static const char *const names[] = {"x"};
  double values[16];
  for (int i = 0; i < 16; i++) values[i] = 1 + 1e-9 * i;
  viva_model *model = parse(text, NULL, 0);
  viva_batch_options o = viva_batch_defaults();
  o.names = names;
  o.name_count = 1;
  o.values = values;
  o.count = 16;
  viva_batch *batch;
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_OK);
  for (size_t i = 0; i + 1 < 16; i++)
    assert_false(same(viva_batch_value(batch, i, 0), viva_batch_value(batch, i + 1, 0)));
  assert_true(viva_batch_time(batch, 3) == 3);
  viva_batch_free(batch);
  viva_model_free(model);
}

static bool at_once(void *self) {
  (void)self;
  return true;
}

static void wrong_options_are_told(void **state) {
  (void)state;
  viva_model *model = parse("param n = 2, c = 1\ncoord x[i] = 1 for i in 1 .. n\nkinetic 1/2*c*x[i]'^2 for i in 1 .. "
                            "n\npotential 1/2*x[i]^2 for i in 1 .. n\n",
                            NULL, 0);
  viva_batch_options o = viva_batch_defaults();
  viva_batch *batch;
  double values[2] = {1, 2};
  o.values = values;
  o.count = 2;
  o.name_count = 1;
  const char *name = "nothing";
  o.names = &name;
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_EINPUT);
  assert_non_null(strstr(viva_batch_message(batch), "there is no parameter or starting value `nothing`"));
  viva_batch_free(batch);
  name = "n";
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_EINPUT);
  assert_non_null(strstr(viva_batch_message(batch), "cannot differ"));
  viva_batch_free(batch);
  // a velocity that is computed
  static const char *const without = "coord q = 1\npotential 1/2*q^2\ndissipation 1/2*q'^2\n";
  viva_model *coil = parse(without, NULL, 0);
  name = "q'";
  assert_int_equal(viva_batch_model(coil, &o, &batch), VIVA_EINPUT);
  assert_non_null(strstr(viva_batch_message(batch), "is not free"));
  viva_batch_free(batch);
  viva_model_free(coil);
  // a starting value of a family; no samples; an interrupt
  name = "x[2]";
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_OK);
  viva_batch_free(batch);
  o.count = 0;
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_OK);
  assert_int_equal(viva_batch_status(batch, 0), VIVA_EUSAGE);
  viva_batch_free(batch);
  o.count = 2;
  o.run.interrupted = at_once;
  o.run.method = "rk4";
  o.run.step = 1e-3;
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_EINTERRUPTED);
  assert_int_equal(viva_batch_status(batch, 0), VIVA_EINTERRUPTED);
  viva_batch_free(batch);
  assert_int_equal(viva_batch_model(NULL, &o, &batch), VIVA_EUSAGE);
  o.names = NULL;
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_EUSAGE);
  viva_model_free(model);
}

// A sample whose output has no value at the end has failed, as a run would have.
static void outputs_without_a_value_are_failures(void **state) {
  (void)state;
  viva_model *model =
      parse("param a = 1\nstate z = 1\nz' = -z\noutput q = integral_of(1/s, s, a, 1), r = z\nsimulate to 1\n", NULL, 0);
  const char *names[] = {"a"};
  double values[] = {0.5, 0, 2, -1};
  viva_batch_options o = viva_batch_defaults();
  o.names = names;
  o.name_count = 1;
  o.values = values;
  o.count = 4;
  viva_batch *batch;
  assert_int_equal(viva_batch_model(model, &o, &batch), VIVA_OK);
  assert_int_equal(viva_batch_failed(batch), 2);
  for (size_t i = 0; i < 4; i++) assert_int_equal(viva_batch_status(batch, i), i % 2 ? VIVA_EFAIL : VIVA_OK);
  assert_true(fabs(viva_batch_value(batch, 2, 0) + log(2)) < 1e-14);
  viva_batch_free(batch);
  viva_model_free(model);
}

int main(void) {
  char cache[] = "/tmp/viva-batch-XXXXXX", command[64];
  if (!mkdtemp(cache)) return 1;
  setenv("XDG_CACHE_HOME", cache, 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_without_a_value_are_failures),
      cmocka_unit_test(fixed_steps_in_lanes_are_those_of_one),
      cmocka_unit_test(other_methods_take_the_steps_of_one),
      cmocka_unit_test(threads_change_no_bit),
      cmocka_unit_test(compiled_code_changes_no_bit),
      cmocka_unit_test(large_blocks_are_solved_alike),
      cmocka_unit_test(events_are_located_as_in_one),
      cmocka_unit_test(energies_with_structure_run_in_lanes),
      cmocka_unit_test(a_sample_with_another_sign_is_refused),
      cmocka_unit_test(constraints_are_kept_as_in_one),
      cmocka_unit_test(bodies_move_as_in_one),
      cmocka_unit_test(methods_that_keep_structure_go_one_by_one),
      cmocka_unit_test(neighbours_differ),
      cmocka_unit_test(wrong_options_are_told),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  snprintf(command, sizeof command, "rm -rf %s", cache);
  return system(command) != 0 || failed;
}
