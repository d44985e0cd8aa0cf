// The systems of the SDSC document against their references: as its program computed, in continuous time, and when they
// switch.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_columns = 24, most_rows = 4000, most_times = 200 };

typedef struct Rows {
  char names[most_columns][32];
  size_t columns, rows;
  double (*values)[most_columns];
} Rows;

static Rows rows_new(void) {
  Rows t = {.values = calloc(most_rows, sizeof(double[most_columns]))};
  assert_non_null(t.values);
  return t;
}

static bool take_header(void *self, const char *const *names, size_t count) {
  Rows *t = self;
  t->columns = count;
  for (size_t i = 0; i < count && i < most_columns; i++) snprintf(t->names[i], sizeof t->names[i], "%s", names[i]);
  return count <= most_columns;
}

static bool take_row(void *self, const double *values, size_t count) {
  Rows *t = self;
  if (t->rows >= most_rows) return false;
  memcpy(t->values[t->rows++], values, count * sizeof *values);
  return true;
}

static char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("cannot read %s", path);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  text[fread(text, 1, (1 << 20) - 1, f)] = '\0';
  fclose(f);
  return text;
}

static Rows read_csv(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/reference/sdsc/%s.csv", VIVA_ROOT, name);
  char *text = read_text(path);
  Rows t = rows_new();
  bool head = true;
  for (char *line = text; *line;) {
    char *end = line + strcspn(line, "\r\n"), *next = end + strspn(end, "\r\n");
    *end = '\0';
    size_t i = 0;
    for (char *cell = line; cell; i++) {
      char *comma = strchr(cell, ',');
      if (comma) *comma = '\0';
      assert_true(i < most_columns);
      if (head) snprintf(t.names[i], sizeof t.names[i], "%s", cell);
      else t.values[t.rows][i] = strtod(cell, NULL);
      cell = comma ? comma + 1 : NULL;
    }
    if (head) t.columns = i;
    else t.rows++;
    head = false;
    line = next;
  }
  free(text);
  return t;
}

typedef struct Table {
  const char *example, *case_name, *set, *reference;
  const char *columns[14]; // our names, in the order of the reference
  const char *from;        // the first column of the reference to compare; NULL: the one after t
  const char *watch[12];   // conditions that change where the system switches
} Table;

static const Table tables[] = {
    {"tape_tension.viva", NULL, NULL, "table_1_1", {"y"}, NULL, {0}},
    {"tape_loop.viva", NULL, NULL, "table_1_1", {"y"}, NULL, {0}},
    {"nuclear_plant.viva", NULL, NULL, "table_4_1", {"e", "s", "m", "z", "y"}, NULL, {0}},
    {"van_der_pol.viva", NULL, NULL, "table_4_3", {"a", "v", "x", "q", "n", "d"}, NULL, {0}},
    {"on_off.viva", NULL, NULL, "table_4_4", {"e", "h", "m", "f", "y"}, NULL, {"m > 1"}},
    {"nonlinear_gain.viva",
     NULL,
     NULL,
     "table_4_6",
     {"e", "ea", "far", "near", "e1", "e2", "m", "a", "v", "y"},
     NULL,
     {"far > 0.5"}},
    {"student_marks.viva", NULL, NULL, "table_4_7", {"study", "gain", "known", "marks", "tempt", "leisure"}, NULL, {0}},
    {"sequence_detector.viva",
     NULL,
     NULL,
     "table_4_8",
     {"c", "s", "sa", "p1", "p2", "p3", "right", "wrong", "clear", "found", "q1", "q3", "alarm"},
     NULL,
     {"p1 > 0.5", "p2 > 0.5", "p3 > 0.5", "right > 0.5", "wrong > 0.5", "clear > 0.5", "found > 0.5", "q1 > 0.5",
      "q3 > 0.5", "alarm > 0.5"}},
    {"sequence_detector.viva",
     "reversed",
     NULL,
     "table_4_9",
     {"c", "s", "sa", "p1", "p2", "p3", "right", "wrong", "clear", "found", "q1", "q3", "alarm"},
     NULL,
     {"p1 > 0.5", "p2 > 0.5", "p3 > 0.5", "right > 0.5", "wrong > 0.5", "clear > 0.5", "found > 0.5", "q1 > 0.5",
      "q3 > 0.5", "alarm > 0.5"}},
    {"servo.viva", NULL, NULL, "table_A", {"e", "m", "a", "v", "z", "y"}, NULL, {"v > 0.2", "v > -0.2", "e > 0.4"}},
    {"second_order.viva", NULL, "zeta=0.1", "table_B_1", {"y"}, "zeta_0.1", {0}},
    {"second_order.viva", NULL, "zeta=0.2", "table_B_1", {"y"}, "zeta_0.2", {0}},
    {"second_order.viva", NULL, "zeta=0.4", "table_B_1", {"y"}, "zeta_0.4", {0}},
    {"second_order.viva", NULL, "zeta=0.7", "table_B_1", {"y"}, "zeta_0.7", {0}},
    {"second_order.viva", NULL, "zeta=1", "table_B_1", {"y"}, "zeta_1", {0}},
    {"second_order.viva", NULL, "zeta=2", "table_B_1", {"y"}, "zeta_2", {0}},
    {"vanderpol.dat", NULL, NULL, "table_4_3", {"y1", "y2", "y3", "y4", "y5", "y6"}, NULL, {0}},
    {"nuclear.dat", NULL, NULL, "table_4_1", {"y1", "y2", "y3", "y4", "y5"}, NULL, {0}},
    {"thyristor_trigger.viva",
     NULL,
     NULL,
     "example_6",
     {"c", "s", "rectified", "cut", "high", "fire"},
     NULL,
     {0}}, // plots only: no truth
};
enum { table_count = sizeof tables / sizeof *tables };

static size_t column(const Rows *t, const char *name) {
  for (size_t i = 0; i < t->columns; i++) {
    if (strcmp(t->names[i], name) == 0) return i;
  }
  fail_msg("there is no column %s", name);
  return 0;
}

// The example, with more lines behind it.
static viva_model *load(const Table *t, const char *more) {
  static const char *const minus[] = {"u1=-1"};
  char path[1024];
  snprintf(path, sizeof path, "%s/examples/sdsc/%s", VIVA_ROOT, t->example);
  char *text = read_text(path);
  strcat(text, more);
  viva_load_options o = viva_load_defaults();
  o.case_name = t->case_name;
  o.set = &t->set;
  o.set_count = t->set != NULL;
  o.input = minus;
  o.input_count = strcmp(t->example, "vanderpol.dat") == 0;
  viva_model *model;
  viva_status status = viva_model_parse(path, text, strlen(text), &o, &model);
  if (status != VIVA_OK) fail_msg("%s", viva_model_diagnostic(model, 0).text);
  free(text);
  return model;
}

static Rows run(const viva_model *model, const viva_run_options *o) {
  Rows got = rows_new();
  viva_sink sink = {&got, take_header, take_row};
  viva_run *run;
  viva_status status = viva_run_model(model, o, &sink, &run);
  if (status != VIVA_OK) fail_msg("%s", viva_run_message(run) ? viva_run_message(run) : viva_status_text(status));
  viva_run_free(run);
  return got;
}

static double deviation(const Table *t, const char *kind, const viva_run_options *o, double perturb) {
  char name[64];
  snprintf(name, sizeof name, "%s_%s", t->reference, kind);
  Rows want = read_csv(name);
  viva_model *model = load(t, "");
  Rows got = run(model, o);
  assert_int_equal(got.rows, want.rows);
  size_t first = t->from ? column(&want, t->from) : 1;
  double worst = 0;
  for (size_t c = 0; t->columns[c]; c++) {
    size_t at = column(&got, t->columns[c]);
    double largest = 1;
    for (size_t r = 0; r < want.rows; r++) largest = fmax(largest, fabs(want.values[r][first + c]));
    for (size_t r = 0; r < want.rows; r++) {
      assert_true(fabs(got.values[r][0] - want.values[r][0]) < 1e-9);
      double d = fabs(got.values[r][at] * (1 + perturb) - want.values[r][first + c]) / largest;
      if (d > 1e-6 && perturb == 0)
        print_message("%s: %s at t = %g is %.15g, not %.15g\n", t->example, t->columns[c], want.values[r][0],
                      got.values[r][at], want.values[r][first + c]);
      worst = fmax(worst, d);
    }
  }
  viva_model_free(model);
  free(want.values);
  free(got.values);
  return worst;
}

static void fixed_steps_give_what_the_program_gave(void **state) {
  (void)state;
  viva_run_options o = viva_run_defaults();
  o.method = "rk4";
  o.no_events = true;
  for (size_t i = 0; i < table_count; i++) {
    double d = deviation(&tables[i], "rk4", &o, 0);
    print_message("%s, %s: %.1e\n", tables[i].reference, tables[i].example, d);
    assert_true(d < 1e-12);
    assert_true(deviation(&tables[i], "rk4", &o, 1e-11) > 1e-12); // the broken twin
  }
}

static void located_switching_gives_the_solutions(void **state) {
  (void)state;
  viva_run_options o = viva_run_defaults();
  o.method = "dop853";
  for (size_t i = 0; i < table_count; i++) {
    if (strcmp(tables[i].reference, "example_6") == 0) continue;
    double d = deviation(&tables[i], "exact", &o, 0);
    print_message("%s, %s: %.1e\n", tables[i].reference, tables[i].example, d);
    assert_true(d < 1e-9);
    assert_true(deviation(&tables[i], "exact", &o, 1e-8) > 1e-9);
  }
}

// `last` is the time of the last change of any condition.
static void switching_times_are_located(void **state) {
  (void)state;
  for (size_t i = 0; i < table_count; i++) {
    const Table *t = &tables[i];
    if (!t->watch[0]) continue;
    char more[2048] = "\nstate last = 0\n", name[64];
    for (size_t k = 0; t->watch[k]; k++) {
      size_t used = strlen(more);
      snprintf(more + used, sizeof more - used, "when %s do last := t\nwhen not (%s) do last := t\n", t->watch[k],
               t->watch[k]);
    }
    strcat(more, "output last\n");
    viva_model *model = load(t, more);
    viva_run_options o = viva_run_defaults();
    o.method = "dop853";
    o.every = 0.005;
    Rows got = run(model, &o);
    snprintf(name, sizeof name, "%s_events_exact", t->reference);
    Rows want = read_csv(name);
    size_t at = column(&got, "last");
    double worst = 0;
    for (size_t e = 0; e < want.rows; e++) {
      double time = want.values[e][0], nearest = INFINITY;
      for (size_t r = 0; r < got.rows; r++) nearest = fmin(nearest, fabs(got.values[r][at] - time));
      if (nearest > 1e-11) print_message("%s: nothing switches at t = %.15g\n", t->reference, time);
      worst = fmax(worst, nearest);
    }
    // and nothing else switches
    for (size_t r = 0; r < got.rows; r++) {
      double nearest = fabs(got.values[r][at]);
      for (size_t e = 0; e < want.rows; e++) nearest = fmin(nearest, fabs(got.values[r][at] - want.values[e][0]));
      if (nearest > 1e-11) fail_msg("%s: something switches at t = %.15g", t->reference, got.values[r][at]);
    }
    print_message("%s: %zu switchings, %.1e\n", t->reference, want.rows, worst);
    assert_true(worst < 1e-11);
    viva_model_free(model);
    free(got.values);
    free(want.values);
  }
}

// The step that the document works by hand.
static void the_step_of_figure_3_5(void **state) {
  (void)state;
  static const Table step = {"one_step.viva", NULL, NULL, "fig_3_5", {"e", "m", "a", "x1", "x2"}, NULL, {0}};
  Rows want = read_csv("fig_3_5_rk4"), exact = read_csv("fig_3_5_exact");
  viva_model *model = load(&step, "");
  viva_run_options o = viva_run_defaults();
  o.method = "rk4";
  o.no_events = true;
  Rows got = run(model, &o);
  o.method = "dop853";
  o.no_events = false;
  Rows located = run(model, &o);
  assert_int_equal(got.rows, 2);
  assert_int_equal(located.rows, 2);
  for (size_t c = 0; step.columns[c]; c++) {
    double a = got.values[1][column(&got, step.columns[c])], b = located.values[1][column(&located, step.columns[c])];
    assert_true(fabs(a - want.values[4][column(&want, "y1") + c]) < 1e-12);
    assert_true(fabs(b - exact.values[0][1 + c]) < 1e-9);
  }
  viva_model_free(model);
  free(got.values);
  free(located.values);
  free(want.values);
  free(exact.values);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_steps_give_what_the_program_gave), cmocka_unit_test(located_switching_gives_the_solutions),
      cmocka_unit_test(switching_times_are_located), cmocka_unit_test(the_step_of_figure_3_5)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
