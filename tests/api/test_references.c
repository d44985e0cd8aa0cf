// The examples against their references: trajectories, energy accounts, printed equations.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_columns = 40, most_rows = 4000 };

typedef struct Table {
  char names[most_columns][64];
  size_t columns, rows;
  double (*values)[most_columns];
} Table;

static Table table_new(void) { return (Table){.values = calloc(most_rows, sizeof(double[most_columns]))}; }

static bool take_header(void *self, const char *const *names, size_t count) {
  Table *t = self;
  t->columns = count;
  for (size_t i = 0; i < count; i++) snprintf(t->names[i], sizeof t->names[i], "%s", names[i]);
  return count <= most_columns;
}

static bool take_row(void *self, const double *values, size_t count) {
  Table *t = self;
  if (t->rows >= most_rows) return false;
  memcpy(t->values[t->rows++], values, count * sizeof *values);
  return true;
}

static Table read_csv(const char *path) {
  Table t = table_new();
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  char line[4096];
  while (fgets(line, sizeof line, f)) {
    size_t i = 0;
    for (char *cell = strtok(line, ",\n"); cell; cell = strtok(NULL, ",\n"), i++) {
      if (t.columns == 0 || t.rows == SIZE_MAX) snprintf(t.names[i], sizeof t.names[i], "%s", cell);
      else t.values[t.rows][i] = strtod(cell, NULL);
    }
    if (t.columns == 0) t.columns = i;
    else t.rows++;
  }
  fclose(f);
  return t;
}

static size_t column(const Table *t, const char *name) {
  for (size_t i = 0; i < t->columns; i++) {
    if (strcmp(t->names[i], name) == 0) return i;
  }
  print_error("no column %s\n", name);
  fail();
  return 0;
}

typedef struct Reference {
  const char *example, *case_name, *file;
  double until, tolerance; // of each column's largest value
  const char *pairs[40];   // our name, their name, ...
} Reference;

#define ENERGY "energy.stored", "energy", "energy.dissipated", "dissipated", "energy.supplied", "supplied"

#define JOINTS                                                                                                         \
  "q[1]", "q1", "q[2]", "q2", "q[3]", "q3", "q[4]", "q4", "q[5]", "q5", "q[6]", "q6", "q[1]'", "qd1", "q[2]'", "qd2",  \
      "q[3]'", "qd3", "q[4]'", "qd4", "q[5]'", "qd5", "q[6]'", "qd6"

static const Reference references[] = {
    {"inverted_pendulum",
     NULL,
     "d0_inverted_pendulum",
     5,
     1e-8,
     {"x", "x", "th", "theta", "x'", "v", "th'", "omega", ENERGY}},
    {"cart_double_pendulum",
     NULL,
     "d0_cart_double_pendulum",
     10,
     1e-8,
     {"x", "x", "th1", "theta1", "th2", "theta2", "x'", "v", "th1'", "omega1", "th2'", "omega2", ENERGY}},
    // chaotic: ten digits up to 0.5 s
    {"triple_pendulum",
     NULL,
     "d0_triple_pendulum",
     0.5,
     1e-8,
     {"th[1]", "theta1", "th[2]", "theta2", "th[3]", "theta3", "th[1]'", "omega1", "th[2]'", "omega2", "th[3]'",
      "omega3", ENERGY}},
    {"two_masses", NULL, "ex02_two_masses_spring", 4, 1e-8, {"q1", "q1", "q2", "q2", "q1'", "v1", "q2'", "v2", ENERGY}},
    {"two_masses",
     "pulled",
     "ex03_two_masses_forced",
     4,
     1e-8,
     {"q1", "q1", "q2", "q2", "q1'", "v1", "q2'", "v2", ENERGY}},
    {"quarter_car", NULL, "ex04_quarter_car", 2, 1e-8, {"q1", "q1", "q2", "q2", "q1'", "v1", "q2'", "v2", ENERGY}},
    {"rlc_series", NULL, "ex05a_rlc_series", 2, 1e-8, {"q", "q", "q'", "i", ENERGY}},
    {"lc_parallel", NULL, "ex05b_lc_parallel_r", 3, 1e-8, {"q1", "q1", "q2", "q2", "q1'", "v1", "q2'", "v2", ENERGY}},
    {"saturating_coil", NULL, "ex05c_nonlinear_inductor", 3, 1e-8, {"q", "q", "q'", "i", ENERGY}},
    {"lc_parallel_saturating",
     NULL,
     "exercise1_lc_parallel_nonlinear",
     3,
     1e-8,
     {"q1", "q1", "q2", "q2", "q1'", "v1", "q2'", "v2", ENERGY}},
    {"dc_motor",
     NULL,
     "ex06_dc_motor",
     0.5,
     1e-8,
     {"qa", "qa", "qe", "qe", "qm", "qm", "qa'", "Ia", "qe'", "Ie", "qm'", "w", ENERGY}},
    {"electromagnet",
     NULL,
     "ex07_electromagnet",
     0.1,
     1e-8,
     {"qm", "qm", "qe", "qe", "qm'", "vm", "qe'", "ie", ENERGY}},
    {"robot_on_flexible_base",
     "printed",
     "ex11_robot_printed",
     3,
     1e-8,
     {"q1", "q1", "q2", "q2", "q3", "q3", "q1'", "v1", "q2'", "v2", "q3'", "v3", ENERGY}},
    {"robot_on_flexible_base",
     NULL,
     "ex11_robot_internal_actuator",
     3,
     1e-8,
     {"q1", "q1", "q2", "q2", "q3", "q3", "q1'", "v1", "q2'", "v2", "q3'", "v3", ENERGY}},
    {"crank_rigid",
     NULL,
     "ex01j_crank_rigid_reduced",
     0.5,
     1e-8,
     {"th", "theta", "th'", "omega", "y", "y", "v", "vy", ENERGY}},
    {"constraints/crank",
     NULL,
     "ex01j_crank_rigid_reduced",
     0.5,
     1e-8,
     {"th", "theta", "th'", "omega", "y", "y", "y'", "vy", "lambda.rod", "lambda", "compression", "rod_compression",
      ENERGY}},
    // energies with structure: states and outputs of ports
    {"ports/rlc_energy", NULL, "ex08_rlc_phs_energy", 2, 1e-8, {"q", "q", "psi", "psi", "i", "y_U", ENERGY}},
    {"ports/rlc_coenergy", NULL, "ex08_rlc_phs_coenergy", 2, 1e-8, {"UC", "UC", "IL", "IL", ENERGY}},
    {"ports/dc_motor_currents", NULL, "ex09_dc_motor_phs", 0.5, 1e-8, {"Ia", "Ia", "w", "w", "psie", "psie", ENERGY}},
    {"ports/dc_motor_momenta",
     NULL,
     "exercise2_dc_motor_phs_momenta",
     0.5,
     1e-8,
     {"psia", "psia", "pw", "pw", "psie", "psie", "Ia", "y_Ua", "Ie", "y_Ue", ENERGY}},
    {"ports/dc_motor_legendre",
     NULL,
     "exercise3_dc_motor_phs_legendre",
     0.5,
     1e-8,
     {"qa", "qa", "qe", "qe", "qm", "qm", "psia", "psia", "psie", "psie", "pw", "pw", ENERGY}},
    {"ports/electromagnet",
     NULL,
     "ex10_electromagnet_phs",
     0.1,
     1e-8,
     {"qe", "qe", "qm", "qm", "pe", "pe", "pm", "pm", "i", "y_uF", "v", "y_F", ENERGY}},
    {"ports/robot",
     NULL,
     "ex12_robot_phs_printed",
     3,
     1e-8,
     {"q1", "q1", "q2", "q2", "q3", "q3", "p1", "p1", "p2", "p2", "p3", "p3", "y1", "y_tauM", ENERGY}},
    {"ports/robot",
     "internal",
     "ex12_robot_phs_internal",
     3,
     1e-8,
     {"q1", "q1", "q2", "q2", "q3", "q3", "p1", "p1", "p2", "p2", "p3", "p3", "y2", "y_FA", ENERGY}},
    {"ports/lc_parallel", NULL, "ex05b_lc_parallel_phs", 3, 1e-8, {"q1", "q1", "psi", "psi", "i", "y_E", ENERGY}},
    {"ports/saturating_coil",
     NULL,
     "ex05c_nonlinear_inductor_phs",
     3,
     1e-8,
     {"q", "q", "psi", "psi", "u", "y_I", ENERGY}},
    {"ports/quarter_car",
     NULL,
     "ex04_quarter_car_phs",
     2,
     1e-8,
     {"ds", "ds", "dn", "dn", "p1", "p1", "p2", "p2", "F0", "y_V0", ENERGY}},
    {"crank_elastic",
     NULL,
     "ex01j_crank_elastic",
     0.5,
     1e-8,
     {"th", "theta", "y", "y", "th'", "omega", "y'", "vy", ENERGY}},
    // by another program in 113-bit arithmetic
    {"exo/exo",
     "falling",
     "exo/falling",
     10,
     1e-9,
     {JOINTS, "energy.kinetic", "K", "energy.potential", "U_h0", "energy.dissipated", "W_diss", "energy.supplied",
      "W_tau"}},
    {"exo/exo",
     "driven",
     "exo/driven",
     20,
     1e-9,
     {JOINTS, "energy.kinetic", "K", "energy.potential", "U_h0", "energy.dissipated", "W_diss", "energy.supplied",
      "W_tau"}},
    // the same from its table of joints
    {"robots/exo_driven",
     "driven",
     "exo/driven",
     20,
     1e-9,
     {"exo.q[1]", "q1", "exo.q[2]", "q2", "exo.q[3]", "q3", "exo.q[4]", "q4", "exo.q[5]", "q5", "exo.q[6]", "q6"}},
};

static double worst_deviation(const Reference *ref, const viva_run_options *given, double perturb) {
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/reference/%s.csv", VIVA_ROOT, ref->file);
  Table want = read_csv(path), got = table_new();
  snprintf(path, sizeof path, "%s/examples/%s.viva", VIVA_ROOT, ref->example);
  viva_load_options load = viva_load_defaults();
  load.case_name = ref->case_name;
  viva_model *model;
  assert_int_equal(viva_model_load(path, &load, &model), VIVA_OK);
  viva_run_options o = *given;
  o.to = want.values[want.rows - 1][0];
  o.every = want.values[1][0];
  o.energy = true;
  viva_run *run;
  viva_sink sink = {&got, take_header, take_row};
  assert_int_equal(viva_run_model(model, &o, &sink, &run), VIVA_OK);
  assert_int_equal(got.rows, want.rows);
  double worst = 0;
  for (int p = 0; ref->pairs[p]; p += 2) {
    size_t a = column(&got, ref->pairs[p]), b = column(&want, ref->pairs[p + 1]);
    double largest = 0, deviation = 0;
    for (size_t i = 0; i < want.rows && want.values[i][0] <= ref->until * (1 + 1e-9); i++) {
      largest = fmax(largest, fabs(want.values[i][b]));
      deviation = fmax(deviation, fabs(got.values[i][a] * (1 + perturb) - want.values[i][b]));
    }
    if (largest > 0) worst = fmax(worst, deviation / largest);
    else assert_true(deviation < 1e-12);
  }
  viva_run_free(run);
  viva_model_free(model);
  free(want.values);
  free(got.values);
  return worst;
}

static void examples_follow_their_references(void **state) {
  (void)state;
  viva_run_options o = viva_run_defaults();
  for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
    double d = worst_deviation(&references[i], &o, 0);
    print_message("%s: %.1e of each column's largest value\n", references[i].file, d);
    assert_true(d < references[i].tolerance);
    // broken twin: a tenth of a millionth more everywhere is noticed
    assert_true(worst_deviation(&references[i], &o, 1e-7) > references[i].tolerance);
  }
}

// Each halving of the step divides the error by 2^order, measured against the reference.
static void fixed_methods_converge_to_the_reference(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double step, order;
  } methods[] = {{"euler", 1e-4, 1}, {"heun", 2e-3, 2}, {"bs3", 5e-3, 3}, {"rk4", 1e-2, 4}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    viva_run_options o = viva_run_defaults();
    o.method = methods[i].method;
    o.step = methods[i].step;
    double coarse = worst_deviation(&references[0], &o, 0);
    o.step /= 2;
    double fine = worst_deviation(&references[0], &o, 0);
    print_message("%s: %.1e, then %.1e: order %.2f\n", methods[i].method, coarse, fine, log2(coarse / fine));
    assert_true(fabs(log2(coarse / fine) - methods[i].order) < 0.2);
  }
}

static void adaptive_methods_follow_the_reference(void **state) {
  (void)state;
  static const char *const methods[] = {"dopri5", "dop853", "rodas"};
  for (size_t i = 0; i < 3; i++) {
    viva_run_options o = viva_run_defaults();
    o.method = methods[i];
    assert_true(worst_deviation(&references[0], &o, 0) < 1e-8);
  }
}

// ---- printed equations, by an evaluator of infix text that shares nothing with the program

typedef struct Names {
  char name[64][32];
  double value[64];
  int count;
  uint64_t seed;
} Names;

static double value_of(Names *n, const char *name) {
  for (int i = 0; i < n->count; i++) {
    if (strcmp(n->name[i], name) == 0) return n->value[i];
  }
  assert_true(n->count < 64);
  snprintf(n->name[n->count], sizeof n->name[0], "%.31s", name);
  n->seed = n->seed * 6364136223846793005u + 1442695040888963407u;
  n->value[n->count] = 0.2 + 1.8 * (double)(n->seed >> 11) * 0x1p-53;
  return n->value[n->count++];
}

// A setting k=1 of an example.
static void apply(Names *n, const char *setting) {
  const char *equal = strchr(setting, '=');
  if (!equal) return;
  snprintf(n->name[n->count], sizeof n->name[0], "%.*s", (int)(equal - setting), setting);
  n->value[n->count++] = atof(equal + 1);
}

static double sum(const char **s, Names *n);

// Names: letters, digits, _; in printed text also th[1] and primes, which become th_1 and _d.
static void read_name(const char **s, char *out) {
  size_t k = 0;
  while (isalnum((unsigned char)**s) || **s == '_' || **s == '[' || **s == '\'') {
    if (**s == '[') {
      out[k++] = '_';
      (*s)++;
      while (**s != ']') out[k++] = *(*s)++;
      (*s)++;
      continue;
    }
    if (**s == '\'') {
      out[k++] = '_';
      while (**s == '\'') {
        out[k++] = 'd';
        (*s)++;
      }
      continue;
    }
    out[k++] = *(*s)++;
  }
  out[k] = '\0';
}

static double atom(const char **s, Names *n) {
  while (**s == ' ') (*s)++;
  if (**s == '(') {
    (*s)++;
    double v = sum(s, n);
    assert_int_equal(**s, ')');
    (*s)++;
    return v;
  }
  if (isdigit((unsigned char)**s)) {
    char *end;
    double v = strtod(*s, &end);
    *s = end;
    return v;
  }
  char name[64];
  read_name(s, name);
  if (**s == '(') {
    (*s)++;
    double a = sum(s, n);
    (*s)++;
    static const struct {
      const char *name;
      double (*f)(double);
    } functions[] = {{"sin", sin},   {"cos", cos}, {"sqrt", sqrt}, {"tanh", tanh}, {"cosh", cosh},
                     {"sinh", sinh}, {"log", log}, {"ln", log},    {"abs", fabs}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
      if (strcmp(name, functions[i].name) == 0) return functions[i].f(a);
    }
    fail_msg("function %s", name);
  }
  if (!name[0]) fail_msg("at %s", *s);
  return value_of(n, name);
}

static double power(const char **s, Names *n) {
  double b = atom(s, n);
  if (**s != '^') return b;
  (*s)++;
  return pow(b, power(s, n));
}

static double factor(const char **s, Names *n) {
  while (**s == ' ') (*s)++;
  if (**s != '-') return power(s, n);
  (*s)++;
  return -power(s, n);
}

static double product(const char **s, Names *n) {
  double v = factor(s, n);
  for (;;) {
    while (**s == ' ') (*s)++;
    if (**s == '*') (*s)++, v *= factor(s, n);
    else if (**s == '/') (*s)++, v /= factor(s, n);
    else return v;
  }
}

static double sum(const char **s, Names *n) {
  double v = product(s, n);
  for (;;) {
    while (**s == ' ') (*s)++;
    if (**s == '+') (*s)++, v += product(s, n);
    else if (**s == '-') (*s)++, v -= product(s, n);
    else return v;
  }
}

// lhs - rhs, or a residual without `=`
static double residual(const char *text, Names *n) {
  const char *s = text;
  double v = sum(&s, n);
  while (*s == ' ') s++;
  if (*s != '=') return v;
  s++;
  return v - sum(&s, n);
}

// The lines of the section "Lagrange's equations".
static char *equations_of(const char *example) {
  char path[4096];
  snprintf(path, sizeof path, "%s/examples/%.200s.viva", VIVA_ROOT, example);
  viva_model *model;
  assert_int_equal(viva_model_load(path, NULL, &model), VIVA_OK);
  char *text;
  assert_int_equal(viva_derive(model, NULL, &text), VIVA_OK);
  viva_model_free(model);
  char *from = strstr(text, "Lagrange's equations\n");
  assert_non_null(from);
  char *copy = strdup(from + strlen("Lagrange's equations\n"));
  viva_text_free(text);
  return copy;
}

static void printed_equations_agree_with_the_references(void **state) {
  (void)state;
  char path[1024], line[8192];
  snprintf(path, sizeof path, "%s/tests/reference/equations.txt", VIVA_ROOT);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  char *printed = NULL, *at = NULL, setting[64] = "-";
  int compared = 0, twins = 0;
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '#' || line[0] == '\n') continue;
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '=') { // a new example
      char *blank = strchr(line + 2, ' ');
      *blank = '\0';
      snprintf(setting, sizeof setting, "%.60s", blank + 1);
      free(printed);
      at = printed = equations_of(line + 2);
      continue;
    }
    char *end = strchr(at, '\n');
    *end = '\0';
    int points = 0;
    for (uint64_t seed = 1; points < 20; seed++) {
      assert_true(seed < 1000);
      Names names = {.seed = seed * 77777};
      apply(&names, setting);
      double want = residual(line, &names), got = residual(at, &names);
      double scale = 1 + fabs(want);
      if (isnan(want)) continue; // outside the domain of a root: another point
      points++;
      if (fabs(want - got) > 1e-12 * scale) fprintf(stderr, "%s\n%s\n%.17g %.17g\n", line, at, want, got);
      assert_true(fabs(want - got) <= 1e-12 * scale);
      compared++;
      // broken twin: a sign flipped in the printed text
      char *twin = strdup(at), *plus = strstr(twin, " + ");
      if (plus) {
        plus[1] = '-';
        Names again = {.seed = seed * 77777};
        apply(&again, setting);
        residual(line, &again);
        twins += fabs(residual(twin, &again) - want) > 1e-12 * scale;
      } else {
        twins++;
      }
      free(twin);
    }
    at = end + 1;
  }
  fclose(f);
  free(printed);
  assert_int_equal(compared, 20 * 32);
  assert_true(twins > compared * 9 / 10); // a flipped term may be zero at a setting
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_follow_their_references),
      cmocka_unit_test(fixed_methods_converge_to_the_reference),
      cmocka_unit_test(adaptive_methods_follow_the_reference),
      cmocka_unit_test(printed_equations_agree_with_the_references),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
