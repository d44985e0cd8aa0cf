// Matrices of motion: M and C against the kinetic energy, dV against the potential, by complex steps.
#include "tests/support.h"

#include "algebra/derive.h"

static Loaded *l;
static Derivation d;

typedef struct At {
  double complex *value; // by symbol
} At;

static double complex value_at(SymbolId symbol, void *context) { return ((At *)context)->value[symbol]; }

static double complex of(ExprId id, At *at) { return eval_complex(l->system.pool, id, value_at, at); }

// Positions and velocities that nothing distinguishes; positions a little off in a direction, for the complex step.
static void set_point(At *at, const double *direction, double step) {
  for (uint32_t i = 0; i < l->system.coords.count; i++) {
    const SystemCoord *c = &l->system.coords.items[i];
    at->value[c->q] = 0.3 + 0.7 * i + I * step * direction[i];
    at->value[c->v] = 1.1 - 0.4 * i;
  }
  // common subexpressions in their order
  for (uint32_t i = 0; i < d.shared.count; i++) at->value[d.shared.items[i].symbol] = of(d.shared.items[i].rhs, at);
}

static void close_to(double a, double b, double tolerance) { assert_true(fabs(a - b) <= tolerance); }

static const ShownMatrix *matrix(const char *name) {
  for (uint32_t i = 0; i < d.matrices.count; i++) {
    if (strcmp(d.matrices.items[i].name, name) == 0) return &d.matrices.items[i];
  }
  return NULL;
}

static void derive(const char *text) {
  l = load_text(text);
  assert_true(derive_equations(&l->system, form_matrices, &(DeriveStyle){0}, &d));
}

static At new_point(void) {
  return (At){arena_array(l->arena, (size_t)l->system.pool->symbols.count + 1, sizeof(double complex))};
}

// T = v'Mv/2, v'Cv = v'M'v/2 and dV_i = dV/dq_i: with T and V of the bodies, as the system has them.
static void matrices_fit_the_energies(void) {
  enum { most = 6 };
  const double step = 1e-30;
  At at = new_point();
  uint32_t n = l->system.coords.count;
  assert_true(n <= most);
  const ShownMatrix *M = matrix("M"), *C = matrix("C"), *g = matrix("dV");
  assert_non_null(M);
  assert_non_null(C);
  assert_non_null(g);
  double v[most], zero[most] = {0};
  for (uint32_t i = 0; i < n; i++) v[i] = 1.1 - 0.4 * i;
  set_point(&at, zero, 0);
  double T = 0, power = 0, gradient[most];
  for (uint32_t i = 0; i < n; i++) {
    gradient[i] = creal(of(g->items[i], &at));
    for (uint32_t j = 0; j < n; j++) {
      T += creal(of(M->items[i * n + j], &at)) * v[i] * v[j] / 2;
      power += creal(of(C->items[i * n + j], &at)) * v[i] * v[j];
    }
  }
  close_to(T, creal(of(l->system.energy.kinetic, &at)), 1e-12 * fabs(T));
  set_point(&at, v, step);
  close_to(power, cimag(of(l->system.energy.kinetic, &at)) / step, 1e-11 * fabs(T));
  for (uint32_t i = 0; i < n; i++) {
    double along[most] = {0};
    along[i] = 1;
    set_point(&at, along, step);
    close_to(gradient[i], cimag(of(l->system.energy.potential, &at)) / step, 1e-11);
  }
}

// A tree of bodies that do not depend on time has M q'' + C q' + dV and nothing beyond it.
static void an_arm_with_skew_axes_has_no_other_terms(void **state) {
  (void)state;
  derive("gravity [0, 0, -9.81]\n"
         "body L1 on ground by revolute(y) q1 with mass = 1, com = [0.1, 0.02, 0.3], inertia = [0.1, 0.2, 0.15]\n"
         "body L2 on L1 by revolute([cos(1), 0, -sin(1)]) q2 at [0, 0, 0.5] with mass = 2, com = [0.1, 0.05, 0.2], "
         "inertia = [0.1, 0.2, 0.15]");
  assert_null(matrix("e"));
  assert_int_equal(d.shared.count, 0);
  matrices_fit_the_energies();
  unload(l);
}

static void a_long_arm_is_written_by_common_subexpressions(void **state) {
  (void)state;
  derive("gravity [0, 0, -9.81]\n"
         "body L1 on ground by revolute(y) q1 with mass = 1, com = [0.1, 0.02, 0.3], inertia = [0.1, 0.2, 0.15]\n"
         "body L2 on L1 by revolute(y) q2 at [0.1, 0, 0.5] with mass = 2, com = [0.1, 0.05, 0.2], "
         "inertia = [0.1, 0.2, 0.15, 0.01, 0.02, 0.01]\n"
         "body L3 on L2 by revolute([cos(1), 0, -sin(1)]) q3 at [0.2, 0, 0.5] with mass = 2, com = [0.1, 0.05, 0.2], "
         "inertia = [0.1, 0.2, 0.15, 0.01, 0.02, 0.01]\n"
         "body L4 on L3 by revolute(z) q4 at [0, 0.1, 0.5] with mass = 1, com = [0.1, 0.05, 0.2], "
         "inertia = [0.1, 0.2, 0.15, 0.01, 0.02, 0.01]\n"
         "body L5 on L4 by revolute(x) q5 at [0, 0.1, 0.5] with mass = 1, com = [0.1, 0.05, 0.2], "
         "inertia = [0.1, 0.2, 0.15, 0.01, 0.02, 0.01]");
  assert_null(matrix("e"));
  assert_true(d.shared.count > 10);
  matrices_fit_the_energies();
  unload(l);
}

// A frame that rotates: T = m ((x' - W y)^2 + (y' + W x)^2)/2, Coriolis forces -2 m W y' and 2 m W x'.
static void coriolis_forces_of_a_rotating_frame_stay(void **state) {
  (void)state;
  derive("param m = 2, W = 3\ncoord x, y\nkinetic 1/2*m*((x' - W*y)^2 + (y' + W*x)^2)\npotential x^2");
  At at = new_point();
  set_point(&at, (double[]){0, 0}, 0);
  for (uint32_t i = 0; i < 2; i++) at.value[l->system.params.items[i].symbol] = i ? 3 : 2;
  const ShownMatrix *e = matrix("e");
  assert_non_null(e);
  close_to(creal(of(e->items[0], &at)), -2 * 2 * 3 * 0.7, 1e-13);
  close_to(creal(of(e->items[1], &at)), 2 * 2 * 3 * 1.1, 1e-13);
  unload(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_arm_with_skew_axes_has_no_other_terms),
                                     cmocka_unit_test(a_long_arm_is_written_by_common_subexpressions),
                                     cmocka_unit_test(coriolis_forces_of_a_rotating_frame_stay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
