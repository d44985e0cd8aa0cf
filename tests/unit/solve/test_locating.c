// Where conditions end, by every method: flat arguments, limits that are never passed, narrow pulses, functions of
// functions of time, samples of a run that goes on. Expected numbers are closed forms.
#include "tests/support.h"

static const char *const methods[] = {"auto", "dopri5", "dop853", "rodas", "bdf", "rk4"};
enum { method_count = 6 };

typedef struct Ran {
  double value[4]; // of x, y, n, m
  uint64_t rejected, steps;
  uint32_t grazes, unsure;
  char *state;
} Ran;

static Ran run_settings(const char *text, RunSettings s) {
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunResult r = run_model(arena, &l->system, &s, NULL, &diags);
  if (r.status != run_done) print_error("%s\n%s\n", text, r.message ? r.message : "wrong settings");
  assert_int_equal(r.status, run_done);
  static const char *const names[] = {"x", "y", "n", "m"};
  Ran ran = {.rejected = r.ode.rejected,
             .steps = r.ode.steps,
             .grazes = r.events.graze_count,
             .unsure = r.events.unsure_count,
             .state = r.state ? strdup(r.state) : NULL};
  for (uint32_t i = 0; i < r.final.count; i++) {
    for (int k = 0; k < 4; k++) {
      if (strcmp(r.final.names[i], names[k]) == 0) ran.value[k] = r.final.values[i];
    }
  }
  arena_free(arena);
  unload(l);
  return ran;
}

static Ran run(const char *text, const char *method, double to) {
  RunSettings s = run_defaults();
  s.method = method;
  s.to = to;
  s.every = to;
  if (method && strcmp(method, "rk4") == 0) s.step = 0.01;
  return run_settings(text, s);
}

static void expect(const char *what, const char *method, double got, double wanted, double tolerance) {
  if (!(fabs(got - wanted) <= tolerance)) print_error("%s, %s: %.17g instead of %.17g\n", what, method, got, wanted);
  assert_true(fabs(got - wanted) <= tolerance);
}

static void state_and_time_stay_together_at_flat_zeros(void **state) {
  (void)state;
  static const struct {
    const char *rate;
    double y;
  } flat[] = {
      {"abs((x - 3.3)^3)", (3.3 * 3.3 * 3.3 * 3.3 + 6.7 * 6.7 * 6.7 * 6.7) / 4},
      {"max((x - 3.3)^3, 0)", 6.7 * 6.7 * 6.7 * 6.7 / 4},
      {"sign((x - 1)^5)", 8},
      {"abs((x - 4)^2*(x - 6)^3)",
       (46656.0 / 6 + 2 * 7776.0 / 5 * 2 + 4 * 1296.0 / 4) + (4096.0 / 6 + 4 * 1024.0 / 5 + 4 * 256.0 / 4)},
      {"floor(exp(-x^2))", 0},
      {"floor(cos(x))", -M_PI - (10 - 2.5 * M_PI)},
      {"step((x - 2)^7)", 8},
      {"abs(abs(x - 5)^3)", 2 * 625.0 / 4},
  };
  for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
    for (int m = 0; m < method_count; m++) {
      char text[200];
      snprintf(text, sizeof text, "state x = 0, y = 0\nx' = 1\ny' = %s\n", flat[i].rate);
      Ran r = run(text, methods[m], 10);
      expect(flat[i].rate, methods[m], r.value[0], 10, 1e-11);
      if (i == 3) continue; // only for x: see below
      expect(flat[i].rate, methods[m], r.value[1], flat[i].y,
             strcmp(methods[m], "bdf") == 0 ? 1e-6 : 1e-9 * (1 + fabs(flat[i].y)));
    }
  }
  // the same force, written in two ways
  Ran a = run("coord x = 1\nkinetic 1/2*x'^2\npotential abs(x^3)\n", "auto", 10),
      b = run("coord x = 1\nkinetic 1/2*x'^2\npotential abs(x)^3\n", "auto", 10);
  expect("abs(x^3)", "auto", a.value[0], b.value[0], 1e-9);
}

static void what_never_holds_does_not_happen(void **state) {
  (void)state;
  static const char *const never[] = {
      "sin(x)^2 < 0",
      "sin(x)^20 < 0",
      "abs(x - 25) < 0",
      "abs(sin(x)) < 0",
      "(x - 7)^2*(x - 3)^4 < 0",
      "exp(abs(x - 25)^3) - 1 < 0",
      "exp(abs(x - 5)) < 1",
      "max(abs(x - 3), -1) < 0",
      "sqrt(abs(x - 3)) < 0",
      "cos(x) > 1",
      "abs(abs(x - 9) - 4) < 0",
      "3*abs(x - 5) + abs(x - 5)^2 < 0",
      "min(abs(x - 5), 1) < 0",
      "ramp(x - 5) < 0",
      "mod(x, 3) < 0",
      "x - floor(x) < 0",
      "abs(x - 5)*abs(x - 6) < 0",
      "sin(x)^1000 > 1.0000001",
      "floor(abs(x - 5)) < 0",
  };
  for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
    for (int m = 0; m < method_count; m++) {
      char text[200];
      snprintf(text, sizeof text, "state x = 0, n = 0\nx' = 1\nwhen %s do n := n + 1\n", never[i]);
      Ran r = run(text, methods[m], 30);
      expect(never[i], methods[m], r.value[2], 0, 0);
      expect(never[i], methods[m], r.value[0], 30, 1e-10);
    }
  }
}

static void narrow_pulses_are_seen(void **state) {
  (void)state;
  static const struct {
    const char *condition;
    double count;
  } narrow[] = {
      {"sin(x)^101 > 0.9", 16},
      {"sin(x)^1000 > 0.5", 32},
      {"(1 - ((x - 50)/50)^2)^3000 > 0.5", 1},
      {"(1 - ((x - 37.3)/41.7)^2)^3001 > 0.5", 1},
      {"exp(-((x - 37.77)/1e-4)^2) > 0.5", 1},
      {"1/(1 + (1e6*(x - 61.3))^2) > 0.5", 1},
      {"1 < 1/(1e3*(x - 43.21)^2 + 0.5)", 1},
      {"tanh(1e4*(x - 12.3)) - tanh(1e4*(x - 12.3001)) > 0.5", 1},
      {"sin(x) > 1 - 1e-9", 16},
      {"sin(3*x)*sin(5*x) > 0.99", 0},
      {"(x - 10)*(x - 10.001)*(x - 20)*(x - 20.00001) < 0", 2},
      {"abs(sin(x)) < 1e-6", 31},
      {"floor(1.0000001*sin(x)) == 1", 16},
      {"atan2(sin(x), cos(x)) > 3.14159", 16},
      {"exp(200*(sin(x) - 1)) > 0.5", 16},
  };
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
    for (int m = 0; m < method_count; m++) {
      char text[200];
      snprintf(text, sizeof text, "state x = 0, n = 0\nx' = 1\nwhen %s do n := n + 1\n", narrow[i].condition);
      Ran r = run(text, methods[m], 100);
      expect(narrow[i].condition, methods[m], r.value[2], narrow[i].count, 0);
      expect(narrow[i].condition, methods[m], r.unsure, 0, 0);
      snprintf(text, sizeof text, "state n = 0\nwhen %s do n := n + 1\n", narrow[i].condition);
      for (char *c = text; *c; c++) { // the same of time
        if (*c == 'x' && c[1] != 'p') *c = 't';
      }
      expect(text, methods[m], run(text, methods[m], 100).value[2], narrow[i].count, 0);
    }
  }
}

// Several delays of one signal, and of others beside it.
static void delayed_pulses_are_seen(void **state) {
  (void)state;
  const char *text =
      "state x = 0, n = 0, m = 0, y = 0\nx' = 1\nlet s = sin(x)^101\nlet a = delay(s, 1), b = delay(s, 2.5), c = "
      "delay(cos(x), 0.3), d = delay(s, 7)\n"
      "when a > 0.9 do n := n + 1\nwhen b + 0*c > 0.9 do m := m + 1\nwhen c*d > -1 and d^3 > 0.5 do y := y + 1\n";
  for (int k = 0; k < method_count; k++) {
    Ran r = run(text, methods[k], 100);
    expect("delay by 1", methods[k], r.value[2], 16, 0);
    expect("delay by 2.5", methods[k], r.value[3], 16, 0);
    expect("delay by 7", methods[k], r.value[1], 15, 0);
    expect("delays", methods[k], r.unsure, 0, 0);
  }
}

static void functions_of_functions_of_time_jump_where_they_do(void **state) {
  (void)state;
  static const struct {
    const char *signal; // on to 1000, then its integral
    double integral;
  } jumps[] = {
      {"step(mod(t, 1) - 0.5)", 500},
      {"if(mod(t, 3) > 2.5, 1, 0)", 333 * 0.5},
      {"floor(mod(t, 1)*4)", 1500},
      {"abs(mod(t, 2) - 1)", 500},
      {"step(abs(mod(t, 2) - 1) - 0.25)", 750},
      {"mod(mod(t, 5), 2)", 200 * 4.5},
      {"min(mod(t, 2), 1)", 750},
      {"sign(mod(t, 4) - 1)", 500},
      {"step(floor(t/10) - 49.5)", 500},
      {"mod(floor(t), 2)", 500},
      {"step(sin(2*pi*mod(t, 1)) - 0.5)", 1000.0 / 3},
      {"step(mod(t, 1) - step(mod(t, 2) - 1))", 500},
      {"step(ramp(mod(t, 10) - 4) - 3)", 300},
      {"(mod(t, 10) < 1) + 2*(mod(t, 10) >= 9)", 300},
      {"step(cos(pi*t)^101 - 0.5)", 500 * 2 * 0.0372887013127149},
  };
  double width = acos(pow(0.5, 1.0 / 101)) / M_PI;
  for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
    for (int m = 0; m + 1 < method_count; m++) {
      char text[200];
      snprintf(text, sizeof text, "state x = 0\nx' = %s\n", jumps[i].signal);
      Ran r = run(text, methods[m], 1000);
      double wanted = i == 14 ? 1000 * width : jumps[i].integral;
      expect(jumps[i].signal, methods[m], r.value[0], wanted, strcmp(methods[m], "bdf") == 0 ? 1e-5 : 1e-7);
      if (strcmp(methods[m], "bdf") != 0) assert_true(r.rejected < 40);
    }
  }
  static const struct {
    const char *condition;
    double count;
  } when[] = {{"mod(t, 3) > 2.5", 4},
              {"mod(t, 2) > 1", 6},
              {"mod(mod(t, 5), 2) > 1.5", 5},
              {"floor(t/2) == 3", 1},
              {"abs(mod(t, 2) - 1) < 0.5", 6},
              {"mod(0.76*t + 0.46, 1.22) < 0.1", 7},
              {"step(mod(t, 3) - 1) > step(mod(t, 4) - 2)", 3}};
  for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
    for (int m = 0; m < method_count; m++) {
      char text[300];
      snprintf(text, sizeof text, "state n = 0\nwhen %s do n := n + 1\n", when[i].condition);
      Ran r = run(text, methods[m], 12);
      expect(when[i].condition, methods[m], r.value[2], when[i].count, 0);
    }
  }
  for (int m = 0; m < method_count; m++) {
    Ran r = run("state x = 0, y = 0\nx' = pulse(mod(t, 3) > 2.5, 0.7)\ny' = latch(mod(t, 3) > 2.5, mod(t, 3) < 1)\n",
                methods[m], 12);
    expect("pulse", methods[m], r.value[0], 3 * 0.7 + 0.5, 1e-9);
    expect("latch", methods[m], r.value[1], 4 * 0.5, 1e-9);
  }
}

static void a_run_that_goes_on_counts_its_samples_anew(void **state) {
  (void)state;
  const char *text = "param T = 0.3\nstate n = 0, x = -1\nevery T do n := n + 1, x := t\n";
  static const struct {
    const char *T;
    double count, last;
  } others[] = {{"0.3", 11, 3}, {"0.25", 12, 3}, {"0.1", 24, 3}, {"0.7", 7, 2.8}, {"5", 4, 0.9}};
  for (size_t i = 0; i < 5; i++) {
    for (int old = 0; old < 2; old++) {
      RunSettings s = run_defaults();
      s.to = 1;
      s.save = true;
      s.method = old ? "rk4" : NULL;
      if (old) s.step = 0.05, s.no_events = true;
      Ran first = run_settings(text, s);
      char other[200];
      snprintf(other, sizeof other, "param T = %s\nstate n = 0, x = -1\nevery T do n := n + 1, x := t\n", others[i].T);
      s.to = 3;
      s.resume = first.state;
      Ran second = run_settings(other, s);
      expect(others[i].T, old ? "no events" : "events", second.value[2], others[i].count, 0);
      expect(others[i].T, old ? "no events" : "events", second.value[0], others[i].last, 1e-12);
      free(first.state);
      free(second.state);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(state_and_time_stay_together_at_flat_zeros),
      cmocka_unit_test(what_never_holds_does_not_happen),
      cmocka_unit_test(narrow_pulses_are_seen),
      cmocka_unit_test(delayed_pulses_are_seen),
      cmocka_unit_test(functions_of_functions_of_time_jump_where_they_do),
      cmocka_unit_test(a_run_that_goes_on_counts_its_samples_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
