// Trees of bodies: the equations of the exoskeleton at the states of a reference that shares no formula with them, and
// how many operations an arm takes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/pipeline.h"
#include "expr/calculus.h"
#include "system/tree_links.h"
#include "tape/tape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { joints = 6, points = 24, most_results = 400 };

typedef struct Tree6 {
  Arena *arena;
  Model *model;
  System *s;
} Tree6;

static Tree6 load(const char *name, const char *text, size_t length) {
  Tree6 t = {.arena = arena_new()};
  t.model = arena_new_of(t.arena, Model);
  t.s = arena_new_of(t.arena, System);
  ModelOptions options = {0};
  assert_true(pipeline_load(t.arena, t.model, t.s, name, text, length, &options));
  return t;
}

static Tree6 load_file(const char *path) {
  static char text[20000];
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  size_t length = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  return load(path, text, length);
}

// A tape of expressions over q, then v.
static const Tape *tape_of(Tree6 *t, const ExprId *results, uint32_t count) {
  uint32_t n = t->s->coord_count;
  SymbolId *vars = arena_array(t->arena, 2 * n + 1, sizeof *vars);
  vars[0] = t->s->time;
  for (uint32_t i = 0; i < n; i++) {
    vars[1 + i] = t->s->coords.items[i].q;
    vars[1 + n + i] = t->s->coords.items[i].v;
  }
  const Tape *tape = tape_build(
      t->arena,
      &(TapeRequest){.system = t->s, .vars = vars, .var_count = 2 * n + 1, .results = results, .result_count = count});
  assert_non_null(tape);
  return tape;
}

typedef struct ExoState {
  double q[joints], v[joints], H[joints][joints], C[joints][joints], Cv[joints], g[joints], K, U;
  double tau[joints], b, a[joints], com[joints][3], origin[joints][3];
} ExoState;

static void read_points(ExoState *p) {
  char line[8192];
  FILE *f = fopen(VIVA_ROOT "/tests/reference/exo/points.csv", "r");
  assert_non_null(f);
  assert_non_null(fgets(line, sizeof line, f));
  for (int i = 0; i < points; i++) {
    assert_non_null(fgets(line, sizeof line, f));
    double *out = (double *)&p[i];
    char *at = line;
    for (size_t k = 0; k < sizeof *p / sizeof(double); k++) {
      out[k] = strtod(at, &at);
      at++;
    }
  }
  fclose(f);
}

static ExprId vector_entry(Tree6 *t, uint32_t body, bool com, int axis) {
  TreeMaker m = {&t->s->described, t->arena, t->s->pool};
  V3 out, zero = {t->s->pool->zero, t->s->pool->zero, t->s->pool->zero};
  assert_true(com ? tree_com(&m, body, out) : tree_point(&m, body, zero, out));
  return out[axis];
}

static double relative(double a, double b, double scale) { return fabs(a - b) / (scale > 0 ? scale : 1); }

// H, C by Christoffel's symbols, C v by the recursion, g, energies, points of the bodies
static void the_exoskeleton_has_its_equations(void **state) {
  (void)state;
  static ExoState p[points];
  read_points(p);
  Tree6 t = load_file(VIVA_ROOT "/examples/exo/exo.viva");
  System *s = t.s;
  ExprPool *pool = s->pool;
  static ExprId r[most_results];
  uint32_t n = 0;
  for (uint32_t i = 0; i < joints; i++) {
    for (uint32_t j = 0; j < joints; j++) r[n++] = system_mass(s, i, j);
  }
  // Christoffel: C_ij = 1/2 sum_k (dH_ij/dq_k + dH_ik/dq_j - dH_jk/dq_i) v_k, and H'
  for (uint32_t i = 0; i < joints; i++) {
    for (uint32_t j = 0; j < joints; j++) {
      Term terms[3 * joints];
      for (uint32_t k = 0; k < joints; k++) {
        ExprId v = expr_sym(pool, s->coords.items[k].v);
        Rat half = {1, 2, NULL}, minus = {-1, 2, NULL};
        terms[3 * k] = (Term){half, expr_mul(pool, v, expr_diff(pool, system_mass(s, i, j), s->coords.items[k].q))};
        terms[3 * k + 1] = (Term){half, expr_mul(pool, v, expr_diff(pool, system_mass(s, i, k), s->coords.items[j].q))};
        terms[3 * k + 2] =
            (Term){minus, expr_mul(pool, v, expr_diff(pool, system_mass(s, j, k), s->coords.items[i].q))};
      }
      r[n++] = expr_sum(pool, terms, 3 * joints);
    }
  }
  // h without damping and torques: C v + g; g: the gradient of the potential
  for (uint32_t i = 0; i < joints; i++)
    r[n++] = expr_sub(pool, expr_add(pool, s->h[i], s->lagrange.Q[i]), s->lagrange.dDdv[i]);
  for (uint32_t i = 0; i < joints; i++) r[n++] = expr_diff(pool, s->energy.potential, s->coords.items[i].q);
  r[n++] = s->energy.kinetic;
  r[n++] = s->energy.potential;
  for (uint32_t i = 0; i < joints; i++) {
    for (int k = 0; k < 3; k++) r[n++] = vector_entry(&t, i, true, k);
  }
  for (uint32_t i = 0; i < joints; i++) {
    for (int k = 0; k < 3; k++) r[n++] = vector_entry(&t, i, false, k);
  }
  for (uint32_t i = 0; i < joints; i++) r[n++] = s->lagrange.p[i];
  assert_true(n <= most_results);
  const Tape *tape = tape_of(&t, r, n);
  double *w = arena_array(t.arena, tape->slot_count, sizeof *w), worst = 0;
  tape_prepare(tape, w);
  for (int k = 0; k < points; k++) {
    memcpy(tape_vars(tape, w) + 1, p[k].q, sizeof p[k].q);
    memcpy(tape_vars(tape, w) + 1 + joints, p[k].v, sizeof p[k].v);
    tape_eval(tape, w);
    uint32_t at = 0;
    double size = 0, turning = 0, force = 0;
    for (int i = 0; i < joints; i++) {
      for (int j = 0; j < joints; j++) {
        size = fmax(size, fabs(p[k].H[i][j]));
        turning = fmax(turning, fabs(p[k].C[i][j]));
      }
      force = fmax(force, fabs(p[k].Cv[i] + p[k].g[i]));
    }
    for (int i = 0; i < joints * joints; i++)
      worst = fmax(worst, relative(tape_result(tape, w, at++), p[k].H[i / joints][i % joints], size));
    for (int i = 0; i < joints * joints; i++)
      worst = fmax(worst, relative(tape_result(tape, w, at++), p[k].C[i / joints][i % joints], turning));
    for (int i = 0; i < joints; i++)
      worst = fmax(worst, relative(tape_result(tape, w, at++), p[k].Cv[i] + p[k].g[i], force));
    for (int i = 0; i < joints; i++) worst = fmax(worst, relative(tape_result(tape, w, at++), p[k].g[i], 0.5));
    worst = fmax(worst, relative(tape_result(tape, w, at++), p[k].K, p[k].K));
    worst = fmax(worst, relative(tape_result(tape, w, at++), p[k].U, 0.5));
    for (int i = 0; i < 3 * joints; i++)
      worst = fmax(worst, relative(tape_result(tape, w, at++), p[k].com[i / 3][i % 3], 0.2));
    for (int i = 0; i < 3 * joints; i++)
      worst = fmax(worst, relative(tape_result(tape, w, at++), p[k].origin[i / 3][i % 3], 0.2));
    // p = H v
    for (int i = 0; i < joints; i++) {
      double sum = 0, largest = 0;
      for (int j = 0; j < joints; j++) {
        sum += p[k].H[i][j] * p[k].v[j];
        largest = fmax(largest, fabs(p[k].H[i][j] * p[k].v[j]));
      }
      worst = fmax(worst, relative(tape_result(tape, w, at++), sum, largest));
    }
  }
  if (!(worst < 2e-14)) fail_msg("largest difference %.3g", worst);
  arena_free(t.arena);
}

// H is symmetric by its expressions and positive definite at every state; H' - 2 C is antisymmetric.
static void what_must_hold_of_the_matrices(void **state) {
  (void)state;
  static ExoState p[points];
  read_points(p);
  Tree6 t = load_file(VIVA_ROOT "/examples/exo/exo.viva");
  System *s = t.s;
  ExprPool *pool = s->pool;
  ExprId r[3 * joints * joints];
  uint32_t n = 0;
  for (uint32_t i = 0; i < joints; i++) {
    for (uint32_t j = 0; j < joints; j++) {
      assert_int_equal(system_mass(s, i, j), system_mass(s, j, i));
      r[n++] = system_mass(s, i, j);
      // H'_ij - 2 C_ij = sum_k (dH_jk/dq_i - dH_ik/dq_j) v_k
      Term terms[2 * joints];
      for (uint32_t k = 0; k < joints; k++) {
        ExprId v = expr_sym(pool, s->coords.items[k].v);
        terms[2 * k] = (Term){RAT_ONE, expr_mul(pool, v, expr_diff(pool, system_mass(s, j, k), s->coords.items[i].q))};
        terms[2 * k + 1] =
            (Term){rat_int(-1), expr_mul(pool, v, expr_diff(pool, system_mass(s, i, k), s->coords.items[j].q))};
      }
      r[n++] = expr_sum(pool, terms, 2 * joints);
      ExprId rate = 0, entry = system_mass(s, i, j);
      assert_true(system_time_derivative(s, &entry, 1, false, &rate));
      r[n++] = rate;
    }
  }
  const Tape *tape = tape_of(&t, r, n);
  double *w = arena_array(t.arena, tape->slot_count, sizeof *w);
  tape_prepare(tape, w);
  for (int k = 0; k < points; k++) {
    memcpy(tape_vars(tape, w) + 1, p[k].q, sizeof p[k].q);
    memcpy(tape_vars(tape, w) + 1 + joints, p[k].v, sizeof p[k].v);
    tape_eval(tape, w);
    double H[joints][joints], N[joints][joints], rate[joints][joints], size = 1e-300;
    for (uint32_t i = 0; i < joints * joints; i++) {
      H[i / joints][i % joints] = tape_result(tape, w, 3 * i);
      N[i / joints][i % joints] = tape_result(tape, w, 3 * i + 1);
      rate[i / joints][i % joints] = tape_result(tape, w, 3 * i + 2);
      size = fmax(size, fabs(rate[i / joints][i % joints]));
    }
    for (int i = 0; i < joints; i++) {
      for (int j = 0; j < joints; j++) {
        assert_true(fabs(N[i][j] + N[j][i]) <= 1e-13 * size);
        // 2 C = H' - (H' - 2 C), against the reference
        assert_true(fabs((rate[i][j] - N[i][j]) / 2 - p[k].C[i][j]) <= 1e-13 * size);
      }
      // Cholesky
      for (int j = 0; j <= i; j++) {
        double sum = H[i][j];
        for (int m = 0; m < j; m++) sum -= H[i][m] * H[j][m];
        if (i == j) assert_true(sum > 0);
        H[i][j] = i == j ? sqrt(sum) : sum / H[j][j];
      }
    }
  }
  arena_free(t.arena);
}

// Forward dynamics by the recursion, with torques and damping.
static void accelerations_are_those_of_the_reference(void **state) {
  (void)state;
  static ExoState p[points];
  read_points(p);
  for (int k = 0; k < points; k++) {
    char text[20000], set[joints + 1][64];
    FILE *f = fopen(VIVA_ROOT "/examples/exo/exo.viva", "r");
    assert_non_null(f);
    size_t length = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    const char *sets[joints + 1], *inputs[joints];
    for (int i = 0; i < joints; i++) {
      snprintf(set[i], sizeof set[i], "tau[%d]=%.17g", i + 1, p[k].tau[i]);
      inputs[i] = set[i];
    }
    snprintf(set[joints], sizeof set[joints], "b=%.17g", p[k].b);
    sets[0] = set[joints];
    Tree6 t = {.arena = arena_new()};
    t.model = arena_new_of(t.arena, Model);
    t.s = arena_new_of(t.arena, System);
    ModelOptions options = {.set = sets, .set_count = 1, .input = inputs, .input_count = joints};
    assert_true(pipeline_load(t.arena, t.model, t.s, "exo.viva", text, length, &options));
    ExprId a[joints];
    for (uint32_t i = 0; i < joints; i++) a[i] = expr_sym(t.s->pool, t.s->coords.items[i].a);
    const Tape *tape = tape_of(&t, a, joints);
    double *w = arena_array(t.arena, tape->slot_count, sizeof *w), size = 0, worst = 0;
    tape_prepare(tape, w);
    // parameters stand before the variables
    for (uint32_t i = 0; i < tape->param_count; i++) {
      const char *name = t.s->params.items[i].name;
      w[i] = strcmp(name, "b") == 0 ? p[k].b : 6;
    }
    tape_prepare(tape, w);
    memcpy(tape_vars(tape, w) + 1, p[k].q, sizeof p[k].q);
    memcpy(tape_vars(tape, w) + 1 + joints, p[k].v, sizeof p[k].v);
    tape_eval(tape, w);
    for (int i = 0; i < joints; i++) size = fmax(size, fabs(p[k].a[i]));
    for (uint32_t i = 0; i < joints; i++) worst = fmax(worst, fabs(tape_result(tape, w, i) - p[k].a[i]));
    if (!(worst <= 1e-12 * size)) fail_msg("state %d: %.3g of %.3g", k, worst, size);
    arena_free(t.arena);
  }
}

static const char arm[] =
    "gravity [0, 0, -9.81]\n"
    "body b1 on ground by revolute(z) q1 at [0, 0, 0.1] with mass = 4, com = [0.01, 0, 0.15], inertia = [0.05, 0.05, "
    "0.02]\n"
    "body b2 on b1 by revolute(y) q2 at [0, 0.1, 0.3] with mass = 6, com = [0.2, 0.02, 0], inertia = [0.03, 0.2, 0.2]\n"
    "body b3 on b2 by revolute(y) q3 at [0.45, 0, 0] with mass = 4, com = [0.15, 0, 0.03], inertia = [0.02, 0.09, "
    "0.09]\n"
    "body b4 on b3 by revolute(x) q4 at [0.3, 0, 0.05] with mass = 2, com = [0.05, 0.01, 0], inertia = [0.006, 0.008, "
    "0.008]\n"
    "body b5 on b4 by revolute(y) q5 at [0.15, 0, 0] with mass = 1, com = [0.03, 0, 0.01], inertia = [0.002, 0.002, "
    "0.001]\n"
    "body b6 on b5 by revolute(x) q6 at [0.1, 0, 0] with mass = 0.5, com = [0.02, 0.005, 0], inertia = [0.0005, "
    "0.0006, 0.0006]\n";

static void an_arm_of_six_joints_takes_few_operations(void **state) {
  (void)state;
  Tree6 t = load("arm.viva", arm, sizeof arm - 1);
  ExprId a[joints];
  for (uint32_t i = 0; i < joints; i++) a[i] = expr_sym(t.s->pool, t.s->coords.items[i].a);
  const Tape *tape = tape_of(&t, a, joints);
  printf("an arm of six joints: %u operations\n", tape->op_count);
  assert_true(tape->op_count <= 800);
  arena_free(t.arena);
}

// ---- random trees

static uint64_t seed = 16;
static double uniform(double from, double to) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(seed >> 11) * 0x1p-53;
}
static uint32_t one_of(uint32_t count) { return (uint32_t)uniform(0, count); }
// As often zero as not, so that shapes of all kinds come.
static double or_zero(double size) { return uniform(0, 1) < 0.5 ? 0 : uniform(-size, size); }

// Bodies on bodies by joints of one and two coordinates, about any axes, in turned frames.
static void put_tree(Text *o, uint32_t bodies) {
  static const char *const axes[] = {"x", "y", "z", "[0, 0, -1]", "[0, -1, 0]", "[0, 0.6, 0.8]", "[1, 2, 2]"};
  static const char *const turns[] = {"0, 0, 0",   "pi/2, 0, 0",    "0, -pi/2, 0",
                                      "0, 0, 0.4", "pi/2, 0, pi/2", "0.2, 0.4, -0.6"};
  text_printf(o, "gravity [0.5, 0, -9.81]\n");
  for (uint32_t i = 1; i <= bodies; i++) {
    uint32_t parent = i == 1 ? 0 : i - 1 - (i > 2 ? one_of(2) : 0);
    text_printf(o, "body b%u on ", i);
    if (parent) text_printf(o, "b%u by ", parent);
    else text_put(o, "ground by ");
    uint32_t kind = one_of(6);
    const char *axis = axes[one_of(7)];
    if (kind < 3) text_printf(o, "revolute(%s) q%u", axis, i);
    else if (kind == 3) text_printf(o, "prismatic(%s) q%u", axis, i);
    else if (kind == 4) text_printf(o, "cylindrical(%s) s%u, q%u", axis, i, i);
    else text_printf(o, "universal(x, z) q%u, p%u", i, i);
    text_printf(o, " at [%.6f, %.6f, %.6f] rotated [%s] with mass = %.6f, com = [%.6f, %.6f, %.6f],", or_zero(0.4),
                or_zero(0.4), or_zero(0.4), turns[one_of(6)], uniform(0.2, 2), or_zero(0.3), or_zero(0.3),
                or_zero(0.3));
    double off = or_zero(0.002);
    text_printf(o, " inertia = [%.6f, %.6f, %.6f, %.6f, %.6f, %.6f]\n", uniform(0.01, 0.015), uniform(0.01, 0.015),
                uniform(0.01, 0.015), off, -off, off / 2);
    // what is fixed to it is a part of its link
    if (one_of(4) == 0)
      text_printf(
          o, "body f%u on b%u by fixed at [0, 0.1, 0] rotated [0.3, 0, 0] with mass = 0.2, box = [0.1, 0.2, 0.1]\n", i,
          i);
  }
}

// The largest |H a + h| of one tree at random states, beside the largest share of a row; spoil: another a.
static double worst_residue(uint32_t bodies, double spoil) {
  Arena *arena = arena_new();
  Text text = text_in(arena);
  put_tree(&text, bodies);
  Tree6 t = load("random.viva", text_str(&text), text.length);
  assert_int_equal(t.model->diags.errors, 0);
  uint32_t n = t.s->coord_count, all = n * n + 2 * n;
  ExprId *r = arena_array(arena, all, sizeof *r);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) r[i * n + k] = system_mass(t.s, i, k);
    r[n * n + i] = t.s->h[i];
    r[n * n + n + i] = expr_sym(t.s->pool, t.s->coords.items[i].a);
  }
  const Tape *tape = tape_of(&t, r, all);
  double *w = arena_array(arena, tape->slot_count, sizeof *w), worst = 0;
  tape_prepare(tape, w);
  for (int round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < 2 * n; i++) tape_vars(tape, w)[1 + i] = uniform(-1.5, 1.5);
    tape_eval(tape, w);
    for (uint32_t i = 0; i < n; i++) {
      double sum = tape_result(tape, w, n * n + i), size = fabs(sum);
      for (uint32_t k = 0; k < n; k++) {
        double share = tape_result(tape, w, i * n + k) * tape_result(tape, w, n * n + n + k);
        sum += share * (1 + (k == 0 ? spoil : 0));
        size = fmax(size, fabs(share));
      }
      worst = fmax(worst, fabs(sum) / (size > 0 ? size : 1));
    }
  }
  arena_free(t.arena);
  arena_free(arena);
  return worst;
}

// The articulated-body recursion, with its other frames and masses, against composite bodies, Newton and Euler.
static void random_trees_obey_their_matrices(void **state) {
  (void)state;
  double worst = 0;
  for (uint32_t i = 0; i < 60; i++) worst = fmax(worst, worst_residue(1 + i % 5, 0));
  printf("H a + h of 60 random trees: %.1e\n", worst);
  assert_true(worst < 1e-11);
  assert_true(worst_residue(3, 1e-6) > 1e-9); // the broken twin
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_exoskeleton_has_its_equations),
      cmocka_unit_test(what_must_hold_of_the_matrices),
      cmocka_unit_test(accelerations_are_those_of_the_reference),
      cmocka_unit_test(an_arm_of_six_joints_takes_few_operations),
      cmocka_unit_test(random_trees_obey_their_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
