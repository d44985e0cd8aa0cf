// Linear models against references from outside: sympy's Jacobians in 40 digits, printed equations, closed forms.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/handles.h"
#include "expr/decide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 8 };

typedef struct Reference {
  char model[64], label[96], state_names[most][32], input_names[most][32];
  size_t n, m, rows_a, rows_b, eigenvalues;
  double x[most], u[most], f_max, A[most][most], B[most][most], eigen[most][2];
} Reference;

// Our names for theirs.
typedef struct Ours {
  const char *model, *example, *case_name;
  const char *names[24];
} Ours;

static const Ours ours[] = {
    {"d0_inverted_pendulum", "inverted_pendulum", NULL, {"theta", "th", "v", "x'", "omega", "th'"}},
    {"d0_cart_double_pendulum",
     "cart_double_pendulum",
     NULL,
     {"theta1", "th1", "theta2", "th2", "v", "x'", "omega1", "th1'", "omega2", "th2'"}},
    {"d0_triple_pendulum",
     "triple_pendulum",
     NULL,
     {"theta1", "th[1]", "theta2", "th[2]", "theta3", "th[3]", "omega1", "th[1]'", "omega2", "th[2]'", "omega3",
      "th[3]'"}},
    {"ex03_two_masses_forced", "two_masses", NULL, {"v1", "q1'", "v2", "q2'"}},
    {"ex04_quarter_car", "quarter_car", NULL, {"v1", "q1'", "v2", "q2'", "V0", "x0'"}},
    {"ex05a_rlc_series", "rlc_series", NULL, {"i", "q'"}},
    {"ex05b_lc_parallel_r", "lc_parallel", NULL, {"v2", "q2'"}},
    {"ex05c_nonlinear_inductor", "saturating_coil", NULL, {"i", "q'"}},
    {"exercise1_lc_parallel_nonlinear", "lc_parallel_saturating", NULL, {"v2", "q2'"}},
    {"ex06_dc_motor", "dc_motor", NULL, {"Ia", "qa'", "Ie", "qe'", "w", "qm'"}},
    {"ex07_electromagnet", "electromagnet", NULL, {"vm", "qm'", "ie", "qe'"}},
    {"ex11_robot_printed", "robot_on_flexible_base", "printed", {"v1", "q1'", "v2", "q2'", "v3", "q3'"}},
    {"ex11_robot_internal_actuator", "robot_on_flexible_base", NULL, {"v1", "q1'", "v2", "q2'", "v3", "q3'"}},
    {"ex01j_crank_rigid_reduced", "crank_rigid", NULL, {"theta", "th", "omega", "th'"}},
    {"ex01j_crank_elastic", "crank_elastic", NULL, {"theta", "th", "omega", "th'", "vy", "y'"}},
};

static const char *our_name(const Ours *o, const char *name) {
  for (size_t i = 0; i + 1 < sizeof o->names / sizeof *o->names && o->names[i]; i += 2) {
    if (strcmp(o->names[i], name) == 0) return o->names[i + 1];
  }
  return name;
}

static size_t numbers(char *text, double *out) {
  size_t n = 0;
  for (char *w = strtok(text, " \n"); w; w = strtok(NULL, " \n")) out[n++] = strtod(w, NULL);
  return n;
}

static size_t words(char *text, char (*out)[32]) {
  size_t n = 0;
  for (char *w = strtok(text, " \n"); w; w = strtok(NULL, " \n")) snprintf(out[n++], sizeof *out, "%s", w);
  return n;
}

static bool read_reference(FILE *f, Reference *r) {
  char line[4096];
  memset(r, 0, sizeof *r);
  while (fgets(line, sizeof line, f)) {
    char *rest = strchr(line, ' ');
    if (line[0] == '#') continue;
    if (strcmp(line, "end\n") == 0) return true;
    assert_non_null(rest);
    *rest++ = '\0';
    rest[strcspn(rest, "\n")] = '\0';
    if (strcmp(line, "model") == 0) snprintf(r->model, sizeof r->model, "%s", rest);
    if (strcmp(line, "label") == 0) snprintf(r->label, sizeof r->label, "%s", rest);
    if (strcmp(line, "states") == 0) r->n = words(rest, r->state_names);
    if (strcmp(line, "inputs") == 0) r->m = words(rest, r->input_names);
    if (strcmp(line, "x") == 0) numbers(rest, r->x);
    if (strcmp(line, "u") == 0) numbers(rest, r->u);
    if (strcmp(line, "f_max") == 0) r->f_max = strtod(rest, NULL);
    if (strcmp(line, "A") == 0) numbers(rest, r->A[r->rows_a++]);
    if (strcmp(line, "B") == 0) numbers(rest, r->B[r->rows_b++]);
    if (strcmp(line, "eigenvalue") == 0) numbers(rest, r->eigen[r->eigenvalues++]);
  }
  return false;
}

static viva_model *load(const char *example, const char *case_name) {
  char path[512];
  snprintf(path, sizeof path, "%s/examples/%s.viva", VIVA_ROOT, example);
  viva_load_options o = viva_load_defaults();
  o.case_name = case_name;
  viva_model *model;
  assert_int_equal(viva_model_load(path, &o, &model), VIVA_OK);
  return model;
}

static viva_linearization *at(const viva_model *model, const char *point, viva_point kind) {
  viva_linearize_options o = viva_linearize_defaults();
  o.point = kind;
  o.at = &point;
  o.at_count = point ? 1 : 0;
  viva_linearization *l;
  viva_status status = viva_linearize(model, &o, &l);
  if (status != VIVA_OK) print_error("%s", viva_linearization_message(l));
  assert_int_equal(status, VIVA_OK);
  return l;
}

static size_t place(const viva_linearization *l, const char *name, bool input) {
  size_t n = input ? viva_linearization_inputs(l) : viva_linearization_states(l);
  for (size_t i = 0; i < n; i++) {
    if (strcmp(input ? viva_linearization_input_name(l, i) : viva_linearization_state_name(l, i), name) == 0) return i;
  }
  fail_msg("no %s", name);
  return 0;
}

static void near(const char *what, double is, double should, double scale) {
  if (!(fabs(is - should) <= scale)) fail_msg("%s: %.17g, not %.17g", what, is, should);
}

// Each reference eigenvalue has one of ours; what is left over is zero (coordinates that the reference leaves out).
static void same_eigenvalues(const char *what, const viva_linearization *l, const Reference *r) {
  size_t n = viva_linearization_states(l);
  bool used[2 * most] = {0};
  double size = 0;
  for (size_t i = 0; i < r->eigenvalues; i++) size = fmax(size, hypot(r->eigen[i][0], r->eigen[i][1]));
  for (size_t i = 0; i < r->eigenvalues; i++) {
    size_t best = n;
    double least = INFINITY, im, re;
    for (size_t k = 0; k < n; k++) {
      re = viva_linearization_eigenvalue(l, k, &im);
      double d = hypot(re - r->eigen[i][0], im - r->eigen[i][1]);
      if (used[k] || d >= least) continue;
      least = d;
      best = k;
    }
    assert_true(best < n);
    used[best] = true;
    // a double zero that is none in the rounded point moves by the root of the rounding
    bool zero = r->eigen[i][0] == 0 && r->eigen[i][1] == 0;
    if (!(least <= (zero ? 1e-7 : 1e-10) * size))
      fail_msg("%s: the eigenvalue %g + %gi is missing by %g", what, r->eigen[i][0], r->eigen[i][1], least);
  }
  for (size_t k = 0; k < n; k++) {
    double im, re = viva_linearization_eigenvalue(l, k, &im);
    if (!used[k]) assert_true(hypot(re, im) <= 1e-7 * size);
  }
}

static void compare(const Ours *o, const Reference *r, const viva_linearization *l) {
  char what[192];
  size_t s[most], u[most];
  snprintf(what, sizeof what, "%s, %s", r->model, r->label);
  for (size_t i = 0; i < r->n; i++) s[i] = place(l, our_name(o, r->state_names[i]), false);
  for (size_t i = 0; i < r->m; i++) u[i] = place(l, our_name(o, r->input_names[i]), true);
  for (size_t i = 0; i < r->n; i++) {
    double scale = 0;
    for (size_t j = 0; j < r->n; j++) scale = fmax(scale, fabs(r->A[i][j]));
    for (size_t j = 0; j < r->n; j++)
      near(what, viva_linearization_entry(l, 'A', s[i], s[j]), r->A[i][j], 1e-11 * scale);
    for (size_t j = 0; j < r->m; j++)
      near(what, viva_linearization_entry(l, 'B', s[i], u[j]), r->B[i][j],
           1e-12 * fmax(fabs(r->B[i][j]), 1e-3 * scale));
  }
  same_eigenvalues(what, l, r);
}

static void every_reference_is_met(void **state) {
  (void)state;
  char path[512];
  snprintf(path, sizeof path, "%s/tests/reference/linearizations.txt", VIVA_ROOT);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  Reference r;
  size_t count = 0;
  while (read_reference(f, &r)) {
    const Ours *o = NULL;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
      if (strcmp(ours[i].model, r.model) == 0) o = &ours[i];
    }
    assert_non_null(o);
    char point[1024] = "";
    for (size_t i = 0; i < r.n; i++)
      snprintf(point + strlen(point), sizeof point - strlen(point), "%s%s=%.17g", i ? "," : "",
               our_name(o, r.state_names[i]), r.x[i]);
    for (size_t i = 0; i < r.m; i++)
      snprintf(point + strlen(point), sizeof point - strlen(point), ",%s=%.17g", our_name(o, r.input_names[i]), r.u[i]);
    viva_model *model = load(o->example, o->case_name);
    viva_linearization *l = at(model, point, VIVA_AT_POINT);
    compare(o, &r, l);
    if (r.f_max > 1) assert_false(viva_linearization_equilibrium(l));
    viva_linearization_free(l);
    // the same point is found from nearby, where it is an equilibrium
    if (r.f_max < 1e-30) {
      char beside[1024] = "";
      for (size_t i = 0; i < r.n; i++)
        snprintf(beside + strlen(beside), sizeof beside - strlen(beside), "%s%s=%.17g", i ? "," : "",
                 our_name(o, r.state_names[i]), r.x[i] * 1.002);
      for (size_t i = 0; i < r.m; i++)
        snprintf(beside + strlen(beside), sizeof beside - strlen(beside), ",%s=%.17g", our_name(o, r.input_names[i]),
                 r.u[i]);
      l = at(model, beside, VIVA_AT_EQUILIBRIUM);
      assert_true(viva_linearization_equilibrium(l));
      compare(o, &r, l);
      viva_linearization_free(l);
    }
    viva_model_free(model);
    count++;
  }
  fclose(f);
  assert_int_equal(count, 20);
}

// ---- symbolic entries, decided by the exact algebra

static Verdict verdict(const viva_model *model, const char *left, const char *right) {
  char text[2048];
  snprintf(text, sizeof text, "%s = %s", left, right);
  Arena *arena = arena_new();
  TextScope scope;
  assert_true(scope_open(&scope, arena, &model->model) && scope_read(&scope, "entry", text, strlen(text)));
  assert_int_equal(scope.equations.count, 1);
  Verdict v =
      decide_equal(&scope.model.pool, arena, scope.equations.items[0].lhs, scope.equations.items[0].rhs).verdict;
  arena_free(arena);
  return v;
}

static void is_entry(const viva_model *model, const viva_linearization *l, char matrix, const char *row,
                     const char *column, const char *should) {
  const char *entry = viva_linearization_symbolic(l, matrix, place(l, row, false), place(l, column, matrix == 'B'));
  assert_non_null(entry);
  if (verdict(model, entry, should) != verdict_equal) fail_msg("%c: %s is not %s", matrix, entry, should);
}

static void the_printed_linear_equations_of_the_cart_come_out(void **state) {
  (void)state;
  viva_model *model = load("inverted_pendulum", NULL);
  viva_linearization *l = at(model, "th=0", VIVA_AT_POINT);
  assert_true(viva_linearization_equilibrium(l));
  // (5): u/M - delta v/M - g m theta/M
  is_entry(model, l, 'B', "x'", "u", "1/M");
  is_entry(model, l, 'A', "x'", "x'", "-delta/M");
  is_entry(model, l, 'A', "x'", "th", "-g*m/M");
  is_entry(model, l, 'A', "x'", "x", "0");
  is_entry(model, l, 'A', "x'", "th'", "0");
  // (6): delta v/(M l) - u/(M l) + theta (M g + g m)/(M l)
  is_entry(model, l, 'A', "th'", "x'", "delta/(M*l)");
  is_entry(model, l, 'B', "th'", "u", "-1/(M*l)");
  is_entry(model, l, 'A', "th'", "th", "(M*g + g*m)/(M*l)");
  // a broken twin is noticed
  const char *entry = viva_linearization_symbolic(l, 'A', place(l, "th'", false), place(l, "th", false));
  assert_int_equal(verdict(model, entry, "(M*g - g*m)/(M*l)"), verdict_different);
  viva_linearization_free(l);
  // hanging down
  l = at(model, "th=pi", VIVA_AT_POINT);
  is_entry(model, l, 'A', "th'", "th", "-(M + m)*g/(M*l)");
  is_entry(model, l, 'A', "th'", "x'", "-delta/(M*l)");
  is_entry(model, l, 'B', "th'", "u", "1/(M*l)");
  viva_linearization_free(l);
  viva_model_free(model);
}

static viva_model *parse(const char *text) {
  viva_model *model;
  viva_status status = viva_model_parse("text", text, strlen(text), NULL, &model);
  if (status != VIVA_OK) print_error("%s", viva_model_diagnostic(model, 0).text);
  assert_int_equal(status, VIVA_OK);
  return model;
}

static const char *text_of(const viva_linearization *l) { return viva_linearization_text(l, VIVA_FORMAT_TEXT); }

static void has(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("`%s` is not in\n%s", part, text);
}

static void an_oscillator_has_its_textbook_frequency_and_damping(void **state) {
  (void)state;
  // m = 2, k = 50, d = 4: w0 = 5, zeta = d/(2 sqrt(k m)) = 0.2
  viva_model *model = parse("param m = 2, k = 50, d = 4\ncoord x = 1\ninput F\nkinetic 1/2*m*x'^2\npotential "
                            "1/2*k*x^2\ndissipation 1/2*d*x'^2\nforce x = F\n");
  viva_linearization *l = at(model, NULL, VIVA_AT_EQUILIBRIUM);
  double im, re = viva_linearization_eigenvalue(l, 0, &im);
  near("re", re, -1, 1e-14);
  near("im", im, sqrt(24), 1e-14);
  near("x", viva_linearization_state(l, 0), 0, 0);
  has(text_of(l), "0.2            5 rad/s, 0.7958 Hz");
  has(text_of(l), "asymptotically stable: 2 eigenvalues left of the imaginary axis, exactly");
  viva_linearization_free(l);
  viva_model_free(model);
}

static void equal_masses_on_springs_have_the_modes_of_the_closed_form(void **state) {
  (void)state;
  // a chain of n masses between walls: w_k = 2 sqrt(k/m) sin(k pi/(2 (n + 1)))
  enum { n = 7 };
  viva_model *model =
      parse("param n = 7, k = 3, m = 2\ncoord x[i] for i in 1 .. n\nkinetic 1/2*m*x[i]'^2 for i in 1 .. n\n"
            "potential 1/2*k*(x[i] - x[i-1])^2 for i in 2 .. n\npotential 1/2*k*x[1]^2 + 1/2*k*x[n]^2\n");
  viva_linearization *l = at(model, NULL, VIVA_AT_EQUILIBRIUM);
  for (int i = 0; i < n; i++) {
    double im, re = viva_linearization_eigenvalue(l, (size_t)(2 * i), &im);
    assert_true(re == 0); // decided, not computed
    near("w", im, 2 * sqrt(1.5) * sin((i + 1) * acos(-1.0) / (2 * (n + 1))), 1e-13);
  }
  has(text_of(l), "marginal by the linearization: 14 eigenvalues on the imaginary axis, exactly");
  viva_linearization_free(l);
  viva_model_free(model);
}

static void what_no_input_moves_is_named(void **state) {
  (void)state;
  // two equal oscillators pulled apart by one force: their sum is out of reach, their difference is not
  viva_model *model = parse("coord a, b\ninput u\noutput y = a - b\nkinetic 1/2*a'^2 + 1/2*b'^2\npotential 2*a^2 + "
                            "2*b^2 + 1/2*(a - b)^2\nforce a = u\nforce b = -u\n");
  viva_linearization *l = at(model, NULL, VIVA_AT_EQUILIBRIUM);
  has(text_of(l), "not controllable: rank 2 of 4, exactly\n    mode 1 (+-2i) is out of reach of the inputs\n");
  has(text_of(l), "not observable: rank 2 of 4, exactly\n    mode 1 (+-2i) is not seen by the outputs\n");
  viva_linearization_free(l);
  viva_model_free(model);
}

static void parameters_without_values_leave_the_symbols(void **state) {
  (void)state;
  viva_model *model = parse("param m, k\ncoord x\ninput u\nkinetic 1/2*m*x'^2\npotential 1/2*k*x^2\nforce x = u\n");
  viva_linearization *l = at(model, "x=0", VIVA_AT_POINT);
  is_entry(model, l, 'A', "x'", "x", "-k/m");
  assert_true(isnan(viva_linearization_entry(l, 'A', 1, 0)));
  has(text_of(l), "there are no numbers: the parameter `m` has no value");
  viva_linearization_free(l);
  viva_model_free(model);
}

static void feedback_by_an_input_is_part_of_the_model(void **state) {
  (void)state;
  viva_model *model = parse("param k = 3\ncoord x = 1\ninput u = -k*x\nkinetic 1/2*x'^2\nforce x = u\n");
  viva_linearization *l = at(model, NULL, VIVA_AT_EQUILIBRIUM);
  is_entry(model, l, 'A', "x'", "x", "-k");
  is_entry(model, l, 'B', "x'", "u", "1");
  has(text_of(l), "the input u follows the motion");
  viva_linearization_free(l);
  viva_model_free(model);
}

static void corners_and_jumps_are_reported_and_smooth_terms_are_not(void **state) {
  (void)state;
  viva_model *model = parse("coord x\nkinetic 1/2*x'^2\nforce x = -x'*|x'| - x\n");
  viva_linearization *l = at(model, NULL, VIVA_AT_EQUILIBRIUM);
  assert_null(viva_linearization_message(l)); // x |x| has a derivative at 0
  viva_linearization_free(l);
  viva_model_free(model);
  model = parse("coord x\nkinetic 1/2*x'^2\nforce x = -|x| - x\nforce x = 3*sign(x')\n"); // it drives: nothing holds it
  l = at(model, "x=0", VIVA_AT_POINT);
  has(viva_linearization_message(l), "text:3:");
  has(viva_linearization_message(l), "has a corner at this point");
  has(viva_linearization_message(l), "text:4:");
  has(viva_linearization_message(l), "jumps at this point");
  viva_linearization_free(l);
  // beside it there is nothing to report
  l = at(model, "x=1,x'=1", VIVA_AT_POINT);
  assert_null(viva_linearization_message(l));
  viva_linearization_free(l);
  viva_model_free(model);
}

static void a_wrong_call_is_refused(void **state) {
  (void)state;
  viva_model *model = load("inverted_pendulum", NULL);
  viva_linearization *l;
  assert_int_equal(viva_linearize(NULL, NULL, &l), VIVA_EUSAGE);
  assert_int_equal(viva_linearize(model, NULL, NULL), VIVA_EUSAGE);
  viva_linearize_options o = viva_linearize_defaults();
  o.at_count = 1;
  assert_int_equal(viva_linearize(model, &o, &l), VIVA_EUSAGE);
  viva_linearization_free(NULL);
  assert_int_equal(viva_linearize(model, NULL, &l), VIVA_OK);
  assert_true(isnan(viva_linearization_entry(l, 'A', 9, 0)));
  assert_true(isnan(viva_linearization_entry(l, 'Q', 0, 0)));
  assert_true(isnan(viva_linearization_entry(l, '\0', 0, 0)));
  assert_null(viva_linearization_symbolic(l, 'B', 0, 1));
  assert_null(viva_linearization_state_name(l, 4));
  assert_true(isnan(viva_linearization_eigenvalue(l, 4, NULL)));
  viva_linearization_free(l);
  viva_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_reference_is_met),
      cmocka_unit_test(the_printed_linear_equations_of_the_cart_come_out),
      cmocka_unit_test(an_oscillator_has_its_textbook_frequency_and_damping),
      cmocka_unit_test(equal_masses_on_springs_have_the_modes_of_the_closed_form),
      cmocka_unit_test(what_no_input_moves_is_named),
      cmocka_unit_test(parameters_without_values_leave_the_symbols),
      cmocka_unit_test(feedback_by_an_input_is_part_of_the_model),
      cmocka_unit_test(corners_and_jumps_are_reported_and_smooth_terms_are_not),
      cmocka_unit_test(a_wrong_call_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
