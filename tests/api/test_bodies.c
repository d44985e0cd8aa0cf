// Bodies against closed forms, against the same mechanism by its energies, and against long runs of another program.
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

enum { most_columns = 40, most_rows = 4000 };

typedef struct Table {
  char names[most_columns][64];
  size_t columns, rows;
  double (*values)[most_columns];
} Table;

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

static double at(const Table *t, size_t row, const char *name) {
  for (size_t i = 0; i < t->columns; i++) {
    if (strcmp(t->names[i], name) == 0) return t->values[row][i];
  }
  fail_msg("no column %s", name);
  return 0;
}

static viva_model *load(const char *example, const char *case_name) {
  char path[1024];
  viva_load_options o = viva_load_defaults();
  viva_model *model;
  o.case_name = case_name;
  snprintf(path, sizeof path, "%s/examples/%s.viva", VIVA_ROOT, example);
  assert_int_equal(viva_model_load(path, &o, &model), VIVA_OK);
  return model;
}

static viva_model *load_text(const char *text) {
  viva_model *model;
  viva_status status = viva_model_parse("model.viva", text, strlen(text), NULL, &model);
  if (status != VIVA_OK) fail_msg("%s", viva_model_diagnostic(model, 0).text);
  return model;
}

static Table run(viva_model *model, const viva_run_options *options, viva_run **done) {
  Table t = {.values = calloc(most_rows, sizeof(double[most_columns]))};
  viva_sink sink = {&t, take_header, take_row};
  viva_run *own;
  assert_int_equal(viva_run_model(model, options, &sink, &own), VIVA_OK);
  if (done) *done = own;
  else viva_run_free(own);
  return t;
}

// A W^2 cos(a) - C s W + m g l = 0: the axis stays tilted by a and goes round at W.
static void a_top_precesses_at_the_closed_form_rate(void **state) {
  (void)state;
  const double m = 0.5, l = 0.06, A = 2.4e-3, C = 8e-4, g = 9.81, a = 0.4, s = 150;
  const double W = (C * s - sqrt(C * C * s * s - 4 * A * cos(a) * m * g * l)) / (2 * A * cos(a));
  viva_model *model = load("bodies/top", NULL);
  viva_run_options o = viva_run_defaults();
  Table t = run(model, &o, NULL);
  double worst = 0;
  for (size_t i = 0; i < t.rows; i++) {
    double time = at(&t, i, "t");
    worst = fmax(worst, fabs(at(&t, i, "top.com.x") - l * sin(a) * sin(W * time)));
    worst = fmax(worst, fabs(at(&t, i, "top.com.y") + l * sin(a) * cos(W * time)));
    worst = fmax(worst, fabs(at(&t, i, "top.com.z") - l * cos(a)));
  }
  if (!(worst < 1e-10 * l)) fail_msg("%.3g", worst);
  free(t.values);
  viva_model_free(model);
}

// The complete elliptic integral of the first kind, by the arithmetic-geometric mean.
static double elliptic(double k2) {
  double a = 1, b = sqrt(1 - k2);
  for (int i = 0; i < 40; i++) {
    double c = (a + b) / 2;
    b = sqrt(a * b);
    a = c;
  }
  return 1.5707963267948966 / a;
}

// Euler's equations with L^2 < 2 E I2: w2 is a sine amplitudinis, and changes its sign every 2 K.
static void a_handle_flips_when_it_should(void **state) {
  (void)state;
  const double I1 = 2e-5, I2 = 5e-5, I3 = 6e-5, w1 = 0.02, w2 = 10;
  double twice = I1 * w1 * w1 + I2 * w2 * w2, square = I1 * I1 * w1 * w1 + I2 * I2 * w2 * w2;
  // Landau and Lifshitz, paragraph 37, with 1 and 3 exchanged where L^2 < 2 E I2
  double a = square > twice * I2 ? I1 : I3, c = square > twice * I2 ? I3 : I1;
  double rate = sqrt((c - I2) * (square - twice * a) / (I1 * I2 * I3));
  double k2 = (I2 - a) * (twice * c - square) / ((c - I2) * (square - twice * a)), half = 2 * elliptic(k2) / rate;
  viva_model *model = load("bodies/t_handle", NULL);
  viva_run_options o = viva_run_defaults();
  o.to = 12;
  o.every = 0.005;
  Table t = run(model, &o, NULL);
  double flips[20], worst = 0;
  int count = 0;
  for (size_t i = 1; i < t.rows && count < 20; i++) {
    double before = at(&t, i - 1, "r.wy"), now = at(&t, i, "r.wy");
    if ((before < 0) != (now < 0)) flips[count++] = at(&t, i - 1, "t") + 0.005 * before / (before - now);
  }
  assert_true(count >= 4);
  for (int i = 1; i < count; i++) worst = fmax(worst, fabs(flips[i] - flips[i - 1] - half));
  if (!(worst < 1e-4 * half)) fail_msg("%d flips, %.6g apart, not %.6g", count, flips[1] - flips[0], half);
  free(t.values);
  viva_model_free(model);
}

// The same mechanisms by energies and as bodies: accelerations at some states.
static const char *const bodies[] = {
    "gravity [0, 0, -9.81]\n"
    "body a on ground by revolute(y) q1 with mass = 1.2, com = [0.02, 0, -0.4], inertia = [0.02, 0.05, 0.03]\n"
    "body b on a by revolute(y) q2 at [0.1, 0, -1] with mass = 0.7, com = [0, 0, -0.3], inertia = [0.01, 0.02, "
    "0.015]\n",
    "gravity [0, 0, -9.81]\n"
    "body a on ground by revolute(z) q1 with mass = 1, inertia = [0.2, 0.2, 0.3] about origin\n"
    "body b on a by prismatic([0.6, 0, 0.8]) q2 at [0.2, 0.1, 0] with mass = 2\n",
    "gravity [0, 0, -9.81]\n"
    "body cart on ground by prismatic(x) q1 with mass = 3\n"
    "body bob on cart by revolute(-y) q2 with mass = 0.5, com = [0, 0, -0.8]\n"};
static const char *const energies[] = {
    "coord q1, q2\n"
    "let A = [0.02*cos(q1) - 0.4*sin(q1), -0.02*sin(q1) - 0.4*cos(q1)]\n"
    "let P = [0.1*cos(q1) - 1*sin(q1), -0.1*sin(q1) - 1*cos(q1)]\n"
    "let B = P + [-0.3*sin(q1 + q2), -0.3*cos(q1 + q2)]\n"
    "kinetic 1/2*1.2*|A'|^2 + 1/2*0.05*q1'^2 + 1/2*0.7*|B'|^2 + 1/2*0.02*(q1' + q2')^2\n"
    "potential 9.81*(1.2*A.y + 0.7*B.y)\n",
    "coord q1, q2\n"
    "let x = 0.2 + 0.6*q2\n"
    "let P = [x*cos(q1) - 0.1*sin(q1), x*sin(q1) + 0.1*cos(q1), 0.8*q2]\n"
    "kinetic 1/2*0.3*q1'^2 + 1/2*2*|P'|^2\n"
    "potential 2*9.81*P.z\n",
    "coord q1, q2\n"
    "let P = [q1 + 0.8*sin(q2), -0.8*cos(q2)]\n"
    "kinetic 1/2*3*q1'^2 + 1/2*0.5*|P'|^2\n"
    "potential 0.5*9.81*P.y\n"};

static void energies_and_bodies_agree(void **state) {
  (void)state;
  static const double starts[][4] = {{0.3, -0.7, 1.1, -2}, {2, 0.4, -0.5, 3}, {-1.3, 2.2, 0, 0.7}};
  for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
      double a[2][2];
      for (int which = 0; which < 2; which++) {
        char text[4000];
        snprintf(text, sizeof text,
                 "%sinit q1 = %g, q2 = %g, q1' = %g, q2' = %g\noutput a1 = q1'', a2 = q2''\nsimulate to 0.001\n",
                 which ? energies[k] : bodies[k], starts[i][0], starts[i][1], starts[i][2], starts[i][3]);
        viva_model *model = load_text(text);
        viva_run_options o = viva_run_defaults();
        Table t = run(model, &o, NULL);
        a[which][0] = at(&t, 0, "a1");
        a[which][1] = at(&t, 0, "a2");
        free(t.values);
        viva_model_free(model);
      }
      for (int j = 0; j < 2; j++) {
        double size = fmax(1, fmax(fabs(a[0][0]), fabs(a[0][1])));
        if (!(fabs(a[0][j] - a[1][j]) < 1e-12 * size))
          fail_msg("mechanism %zu, start %zu: %.17g and %.17g", k, i, a[0][j], a[1][j]);
      }
    }
  }
}

// A free body keeps its energy, its momentum and its angular momentum in space; a spring between two of them adds none.
static void free_bodies_keep_their_momenta(void **state) {
  (void)state;
  static const char text[] =
      "body a on ground by free x, y, z, r with mass = 2, com = [0.1, -0.2, 0.05], inertia = [0.3, 0.4, 0.5, 0.02, 0, "
      "0.01]\n"
      "body b on ground by free u, v, w, s with mass = 1, com = [0, 0.1, 0], inertia = [0.1, 0.2, 0.15]\n"
      "spring k: (a.point([0.3, 0, 0])) (b.point([0, 0.2, 0])) stiffness 40 length 0.5\n"
      "init u = 1, r.wx = 2, r.wy = -1, s.wz = 3, x' = 0.3, v' = -0.4\n"
      "let Ia = a.rotation*[0.3, 0.02, 0; 0.02, 0.4, 0.01; 0, 0.01, 0.5]*transpose(a.rotation)\n"
      "let Ib = b.rotation*diag(0.1, 0.2, 0.15)*transpose(b.rotation)\n"
      "output P = 2*a.com' + 1*b.com'\n"
      "output L = cross(a.com, 2*a.com') + cross(b.com, 1*b.com') + Ia*a.omega + Ib*b.omega\n"
      "output r2 = r.w^2 + r.x^2 + r.y^2 + r.z^2\n"
      "simulate to 5 every 0.1\n";
  static const char *const kept[] = {"P.x", "P.y", "P.z", "L.x", "L.y", "L.z", "r2"};
  static const char *const methods[] = {"dop853", "rodas", "gauss8"};
  for (int m = 0; m < 3; m++) {
    viva_model *model = load_text(text);
    viva_run_options o = viva_run_defaults();
    o.method = methods[m];
    o.energy = true;
    if (m == 2) o.step = 0.005;
    Table t = run(model, &o, NULL);
    double worst = 0;
    for (size_t i = 0; i < t.rows; i++) {
      for (int k = 0; k < 7; k++) worst = fmax(worst, fabs(at(&t, i, kept[k]) - at(&t, 0, kept[k])));
      worst = fmax(worst, fabs(at(&t, i, "energy.stored") - at(&t, 0, "energy.stored")));
    }
    if (!(worst < 1e-8)) fail_msg("%s: %.3g", methods[m], worst);
    free(t.values);
    viva_model_free(model);
  }
}

// 200 s: angles to 1e-11 rad and the energy to 1e-14 J, by no more than 400,000 evaluations.
static void the_gentle_exoskeleton_keeps_its_energy_and_its_way(void **state) {
  (void)state;
  viva_model *model = load("exo/exo", "gentle");
  viva_run_options o = viva_run_defaults();
  viva_run *done;
  o.method = "gauss12";
  o.step = 0.0331;
  o.every = 4;
  Table t = run(model, &o, &done);
  const char *evaluations = strstr(viva_run_summary(done, VIVA_FORMAT_JSON), "\"evaluations\"");
  assert_non_null(evaluations);
  assert_true(strtod(strchr(evaluations, ':') + 1, NULL) <= 400000);
  assert_true(fabs(viva_run_energy_residue(done)) < 1e-14);
  FILE *f = fopen(VIVA_ROOT "/tests/reference/exo/gentle.csv", "r");
  assert_non_null(f);
  char line[4096];
  assert_non_null(fgets(line, sizeof line, f));
  double worst = 0;
  for (size_t i = 0; fgets(line, sizeof line, f); i++) {
    char *cell = line;
    assert_true(i < t.rows && fabs(strtod(cell, &cell) - t.values[i][0]) < 1e-9);
    for (int k = 1; k <= 6; k++) {
      cell++;
      worst = fmax(worst, fabs(strtod(cell, &cell) - t.values[i][k]));
    }
  }
  fclose(f);
  if (!(worst < 1e-11)) fail_msg("%.3g", worst);
  viva_run_free(done);
  free(t.values);
  viva_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_top_precesses_at_the_closed_form_rate),
      cmocka_unit_test(a_handle_flips_when_it_should),
      cmocka_unit_test(energies_and_bodies_agree),
      cmocka_unit_test(free_bodies_keep_their_momenta),
      cmocka_unit_test(the_gentle_exoskeleton_keeps_its_energy_and_its_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
