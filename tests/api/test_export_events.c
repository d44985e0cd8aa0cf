// Exported C of models that remember, delay, sample and switch: the table of its program has the bits of
// `viva run --no-events --method rk4`, in every row. So has that of models with constraints, with and without events.
#define _XOPEN_SOURCE 700
#include "tests/support.h"

#include "base/file.h"
#include "viva/viva.h"

#include <dirent.h>
#include <unistd.h>

static char folder[] = "/tmp/viva-export-XXXXXX";

enum { columns_most = 64, rows_most = 20000 };

// A table with its names; the cells of one row after another.
typedef struct Table {
  char names[columns_most][64];
  size_t columns, rows;
  double *cells;
} Table;

static bool take_header(void *self, const char *const *names, size_t count) {
  Table *t = self;
  assert_true(count <= columns_most);
  t->columns = count;
  for (size_t i = 0; i < count; i++) snprintf(t->names[i], sizeof t->names[i], "%s", names[i]);
  return true;
}

static bool take_row(void *self, const double *values, size_t count) {
  Table *t = self;
  assert_true(count == t->columns && t->rows < rows_most);
  t->cells = realloc(t->cells, (t->rows + 1) * count * sizeof *t->cells);
  memcpy(t->cells + t->rows++ * count, values, count * sizeof *values);
  return true;
}

static void read_table(const char *path, Table *t) {
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  char line[8192];
  for (bool first = true; fgets(line, sizeof line, f); first = false) {
    double row[columns_most];
    size_t count = 0;
    for (char *cell = strtok(line, ",\n"); cell; cell = strtok(NULL, ",\n"), count++) {
      assert_true(count < columns_most);
      if (first) snprintf(t->names[count], sizeof t->names[count], "%s", cell);
      else row[count] = strtod(cell, NULL);
    }
    if (first) t->columns = count;
    else take_row(t, row, count);
  }
  fclose(f);
}

// What to spoil in model.c, by sed; NULL: nothing.
typedef const char *Spoil;
static const char spoiled_step[] = "s/m->evaluations%4 == 0/m->evaluations%4 == 1/; s/<= t + 1e-9/< t - 1e-9/",
                  spoiled_projection[] = "s/if (model_project(end, y, w))/if (end < t)/",
                  spoiled_impulse[] = "s/^    impulse(t, y, w);/    if (t < 0) impulse(t, y, w);/";

// The table of the exported program.
static void run_export(viva_model *model, const char *name, Spoil spoil, Table *got) {
  char *path = NULL;
  int error = 0;
  viva_export_options eo = viva_export_defaults();
  eo.force = true; // a broken one may stand there
  viva_status done = viva_export_c(model, &eo, folder, &path, &error);
  if (done != VIVA_OK) fail_msg("%s is not exported: %s", name, path ? path : "");
  viva_text_free(path);
  // one step from row to row, also where the model leaves the step to the program
  assert_true(shell("sed -i 's/keeps_step = 0/keeps_step = 1/' %s/main.c", folder));
  if (spoil) {
    assert_true(shell("cp %s/model.c %s/whole.c && sed -i '%s' %s/model.c", folder, folder, spoil, folder));
    assert_false(shell("cmp -s %s/model.c %s/whole.c", folder, folder));
  }
  if (!shell("make -s -C %s clean && make -s -C %s SLEEF=1 CFLAGS='-O1 -Werror' && { %s/model > %s/table.csv 2> "
             "/dev/null || true; }",
             folder, folder, folder, folder)) {
    fail_msg("%s does not compile", name);
  }
  char file[200];
  snprintf(file, sizeof file, "%s/table.csv", folder);
  read_table(file, got);
}

// Runs both ways and compares what both tables have. Returns how many columns that were; spoiled: whether it was seen.
static size_t compare_tables(viva_model *model, const char *name, Spoil spoil, bool located) {
  Table got = {0}, want = {0};
  bool broken = spoil != NULL;
  run_export(model, name, spoil, &got);
  viva_run_options o = viva_run_defaults();
  o.method = "rk4";
  o.no_events = !located;
  if (got.rows > 1) o.step = o.every = got.cells[got.columns] - got.cells[0]; // the program shows every step
  viva_run *run = NULL;
  viva_sink sink = {&want, take_header, take_row};
  viva_run_model(model, &o, &sink, &run);
  viva_run_free(run);
  size_t common = 0, different = 0;
  if (got.rows != want.rows && !broken) fail_msg("%s: %zu rows and %zu", name, got.rows, want.rows);
  for (size_t i = 0; i < want.columns; i++) {
    size_t k = got.columns;
    while (k > 0 && strcmp(got.names[k - 1], want.names[i]) != 0) k--;
    if (k == 0) continue; // the energy account is a run's
    common++;
    for (size_t r = 0; r < got.rows && r < want.rows; r++) {
      double x = got.cells[r * got.columns + k - 1], y = want.cells[r * want.columns + i];
      if (x == y || (isnan(x) && isnan(y))) continue;
      different++;
      if (!broken) fail_msg("%s: row %zu, %s is %.17g and %.17g", name, r, want.names[i], x, y);
    }
  }
  if (broken) common = different || got.rows != want.rows;
  free(got.cells);
  free(want.cells);
  return common;
}

static bool same_bits_here(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

// With an argument every example is compiled, else some of them: the compiler takes its time.
static bool every_example;

static bool is_chosen(const char *name) {
  unsigned sum = 0;
  for (const char *c = name; *c; c++) sum += (unsigned char)*c;
  return every_example || sum % 4 == 0;
}

static void examples_with_events_have_the_bits_of_a_run(void **state) {
  (void)state;
  if (!same_bits_here()) skip();
  static const char *const folders[] = {VIVA_ROOT "/examples", VIVA_ROOT "/examples/blocks",
                                        VIVA_ROOT "/examples/sdsc"};
  int seen = 0;
  for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
    DIR *dir = opendir(folders[k]);
    assert_non_null(dir);
    for (struct dirent *d; (d = readdir(dir));) {
      size_t n = strlen(d->d_name);
      if (n < 6 || strcmp(d->d_name + n - 5, ".viva") != 0 || !is_chosen(d->d_name)) continue;
      char path[600];
      snprintf(path, sizeof path, "%s/%s", folders[k], d->d_name);
      viva_model *model;
      assert_int_equal(viva_model_load(path, NULL, &model), VIVA_OK);
      // what remembers nothing has no steps of its own: test_export.c
      viva_export_options o = viva_export_defaults();
      o.force = true;
      assert_int_equal(viva_export_c(model, &o, folder, NULL, NULL), VIVA_OK);
      if (shell("grep -q model_step %s/model.h", folder)) {
        size_t common = compare_tables(model, d->d_name, NULL, false);
        assert_true(common >= 2 || strcmp(d->d_name, "delay_equation.viva") ==
                                       0); // its dead time is no whole number of steps: both refuse
        seen++;
      }
      viva_model_free(model);
    }
    closedir(dir);
  }
  assert_true(seen >= (every_example ? 12 : 2));
}

static const char *const texts[] = {
    // samples, a delay, memories of all kinds, a condition that acts
    "param Ts = 0.1, Kp = 0.8, Ki = 2\nstate y = 0, I = 0, u = 0\ny' = delay(u, 0.2) - y\n"
    "every Ts do I := I + Ki*Ts*(1 - y), u := Kp*(1 - y) + I\nwhen y > 0.9 do I := I*0.5\n"
    "let hy = hysteresis(y, 0.3, 0.6, 0, 1), q = pid(1 - y, 1, 0.5, 0.1, 10, -2, 2)\noutput y, u, hy, q\nsimulate to 5 "
    "step 0.01\n",
    "param g = 9.81, mu = 0.3\ncoord h = 1, x = 0\ninit x' = 2\nstate n = 0\nkinetic 1/2*h'^2 + 1/2*x'^2\npotential "
    "g*h\n"
    "force x = friction(x', mu, 0.5) + delay(h, 0.25, 1 + 0.1*sin(3*t))\nlet b = backlash(x, 0.1), l = latch(h < 0.2, "
    "h > 0.8)\n"
    "when h < 0 do h' := -0.8*h', n := n + 1\nwhen n >= 3 do stop\noutput h, x, b, l, n, e = energy.stored\nsimulate "
    "to 5 step 0.002\n",
    // places and velocities that are computed beside those that are set
    "coord q = 1, x = 0.5\nkinetic 1/2*x'^2\npotential 1/2*q^2 + 1/2*(q - x)^2\ndissipation 1/2*q'^2\n"
    "when x < 0.1 do x' := -x', x := 0.1\noutput q, x, v = q'\nsimulate to 4 step 0.01\n",
    // a circle of memories
    "state x = 0\nx' = sin(3*t)\nlet a = hysteresis(x - 0.1*b, -0.1, 0.2, 0, 1)\nlet b = hysteresis(x + 0.1*a, 0, 0.3, "
    "0, 1)\noutput x, a, b\nsimulate to 3 step 0.01\n",
    // a quaternion that is set gets length 1 again
    "gravity [0, 0, -9.81]\nbody top on ground by ball r with mass = 1, com = [0, 0, 0.2], inertia = [0.02, 0.03, "
    "0.01, "
    "0, 0, 0]\ninit r.wz = 20, r.wx = 0.3\nwhen t > 0.1 do r.w := 2, r.x := 1\nwhen t > 0.25 do r.wx := 1, r.y := r.y "
    "+ 0.7\noutput n = r.w^2 + r.x^2 + r.y^2 + r.z^2, h = top.com[3]\nsimulate to 0.5 step 0.002\n",
};

static viva_model *load(const char *text) {
  viva_model *model;
  viva_status done = viva_model_parse("test.viva", text, strlen(text), NULL, &model);
  for (size_t i = 0; i < viva_model_diagnostic_count(model); i++)
    print_message("%s", viva_model_diagnostic(model, i).text);
  assert_int_equal(done, VIVA_OK);
  return model;
}

static void texts_with_events_have_the_bits_of_a_run(void **state) {
  (void)state;
  if (!same_bits_here()) skip();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    viva_model *model = load(texts[i]);
    assert_true(compare_tables(model, texts[i], NULL, false) >= 3);
    viva_model_free(model);
  }
}

// Steps of 0.013: k*13/1000 as in a run, not k*0.013; the last one is shorter. Time stands in the equations.
static void steps_are_counted_as_in_a_run(void **state) {
  (void)state;
  if (!same_bits_here()) skip();
  static const char *const counted[] = {
      "coord x = 1\nkinetic 1/2*x'^2\npotential 2*x^2\nforce x = sin(1.7*t) - 0.1*x' + cos(x*t)\noutput X = x, e = "
      "x*t\nsimulate to 5 step 0.013 by rk4\n",
      "coord x = 1, y = 0\nkinetic 1/2*(x'^2 + y'^2)\nforce x = sin(1.7*t)\nconstraint x + y = 1 + "
      "0.1*sin(t)^2\noutput X = x, e = y*t\nsimulate to 2 step 0.013 by rk4\n",
      "state x = 0\nx' = sin(t*t) - x\noutput X = x\nsimulate to 4 step 1/3 by rk4\n",
  };
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
    viva_model *model = load(counted[i]);
    assert_true(compare_tables(model, counted[i], NULL, true) >= 2);
    viva_model_free(model);
  }
}

static void a_broken_step_is_seen(void **state) {
  (void)state;
  if (!same_bits_here()) skip();
  viva_model *model = load(texts[0]);
  assert_true(compare_tables(model, "broken", spoiled_step, false) == 1);
  viva_model_free(model);
}

// ---- constraints

static void examples_with_constraints_have_the_bits_of_a_run(void **state) {
  (void)state;
  if (!same_bits_here()) skip();
  DIR *dir = opendir(VIVA_ROOT "/examples/constraints");
  assert_non_null(dir);
  int seen = 0;
  for (struct dirent *d; (d = readdir(dir));) {
    size_t n = strlen(d->d_name), length;
    if (n < 6 || strcmp(d->d_name + n - 5, ".viva") != 0 || !is_chosen(d->d_name)) continue;
    // a run leaps over its singular positions, exported C does not
    if (strcmp(d->d_name, "three_cranks.viva") == 0) continue;
    char path[600];
    snprintf(path, sizeof path, VIVA_ROOT "/examples/constraints/%s", d->d_name);
    Arena *arena = arena_new();
    const char *why;
    char *text = file_read(arena, path, 1 << 20, &length, &why), *end = text ? strstr(text, "simulate") : NULL;
    assert_non_null(end);
    end += strcspn(end, "#\n");
    viva_model *model = load(arena_printf(arena, "%.*s by rk4\n%s", (int)(end - text), text, end));
    // corners are located by a run, but where it is told not to
    assert_true(compare_tables(model, d->d_name, NULL, strcmp(d->d_name, "four_bar.viva") != 0) >= 3);
    viva_model_free(model);
    arena_free(arena);
    seen++;
  }
  closedir(dir);
  assert_true(seen >= (every_example ? 7 : 1));
}

// A pendulum that is struck, with a length that changes: l(t), x, y, x', y' are its columns.
static const char struck[] =
    "param m = 1, g = 9.81\ncoord x = 0.6, y\nguess y = -1\nstate n = 0\nkinetic 1/2*m*(x'^2 + y'^2)\npotential m*g*y\n"
    "let l = 1 + 0.05*sin(2*t)\nconstraint rod: x^2 + y^2 = l^2\nforce x = 0.2*delay(y', 0.1) + friction(x', 0.1, "
    "0.2)\n"
    "when x < 0 do x' := -0.8*x', n := n + 1\nevery 0.3 do y' := y' + 0.1\n"
    "output l2 = l^2, ll = l*0.1*cos(2*t), x, y, x', y', n, h = hysteresis(x, 0.2, 0.4, 0, 1), pull = lambda.rod\n"
    "simulate to 4 step 0.01 by rk4\n";
static const char swings[] = "coord x = 0.6, y\nguess y = -1\nkinetic 1/2*(x'^2 + y'^2)\npotential 9.81*y\nconstraint "
                             "x^2 + y^2 = 1\noutput l2 = 1, "
                             "ll = 0, x, y, x', y'\nsimulate to 10 step 0.05 by rk4\n";

static const double *column(const Table *t, const char *name, size_t row) {
  for (size_t i = t->columns; i-- > 0;) { // outputs stand behind the state
    if (strcmp(t->names[i], name) == 0) return &t->cells[row * t->columns + i];
  }
  fail_msg("no column %s", name);
  return NULL;
}

// How far x^2 + y^2 is from l^2, and x x' + y y' from l l', at most.
static void find_drift(viva_model *model, Spoil spoil, double *place, double *speed) {
  Table t = {0};
  run_export(model, "a pendulum", spoil, &t);
  *place = *speed = 0;
  assert_true(t.rows > 100);
  for (size_t r = 0; r < t.rows; r++) {
    double x = *column(&t, "x", r), y = *column(&t, "y", r), u = *column(&t, "x'", r), v = *column(&t, "y'", r);
    *place = fmax(*place, fabs(x * x + y * y - *column(&t, "l2", r)));
    *speed = fmax(*speed, fabs(x * u + y * v - *column(&t, "ll", r)));
  }
  free(t.cells);
}

static void exported_constraints_do_not_drift(void **state) {
  (void)state;
  double place, speed;
  viva_model *model = load(swings);
  find_drift(model, NULL, &place, &speed);
  if (!(place < 1e-15 && speed < 2e-15)) fail_msg("%g and %g", place, speed);
  find_drift(model, spoiled_projection, &place, &speed);
  if (!(place > 1e-6 && speed > 1e-6)) fail_msg("without projection only %g and %g", place, speed);
  if (same_bits_here()) assert_true(compare_tables(model, "swings", spoiled_projection, true) == 1);
  viva_model_free(model);
  model = load(struck);
  find_drift(model, NULL, &place, &speed);
  if (!(place < 2e-15 && speed < 4e-15)) fail_msg("struck: %g and %g", place, speed);
  find_drift(model, spoiled_impulse, &place, &speed);
  if (!(place < 2e-15 && speed > 0.01)) fail_msg("without impulses only %g and %g", place, speed);
  if (same_bits_here()) {
    assert_true(compare_tables(model, "struck", NULL, false) >= 9);
    assert_true(compare_tables(model, "struck", spoiled_impulse, false) == 1);
  }
  viva_model_free(model);
}

static void small_targets_compile(void **state) {
  (void)state;
  size_t count = sizeof texts / sizeof *texts;
  for (size_t i = 0; i <= count; i++) {
    viva_model *model = load(i < count ? texts[i] : struck);
    viva_export_options o = viva_export_defaults();
    o.single = o.force = true;
    assert_int_equal(viva_export_c(model, &o, folder, NULL, NULL), VIVA_OK);
    assert_true(shell("make -s -C %s clean && make -s -C %s CFLAGS='-O1 -Werror -Wdouble-promotion' && { timeout 60 "
                      "%s/model > /dev/null 2>&1 || true; }",
                      folder, folder, folder));
    viva_model_free(model);
  }
}

int main(int count, char **arguments) {
  (void)arguments;
  every_example = count > 1;
  if (!mkdtemp(folder)) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_with_events_have_the_bits_of_a_run),
      cmocka_unit_test(examples_with_events_have_the_bits_of_a_run),
      cmocka_unit_test(steps_are_counted_as_in_a_run),
      cmocka_unit_test(a_broken_step_is_seen),
      cmocka_unit_test(examples_with_constraints_have_the_bits_of_a_run),
      cmocka_unit_test(exported_constraints_do_not_drift),
      cmocka_unit_test(small_targets_compile),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  shell("rm -rf %s", folder);
  return failed;
}
