// Laws of models with constraints: what algebra derives of them agrees with the same mechanism written in coordinates
// of its own, with the accelerations that a run takes, and with linear models of both.
//
// The mechanisms are pendulums of two bodies in Cartesian coordinates, with rods as constraints, and in angles. The two
// texts share nothing but the masses, lengths and springs, which are drawn at random.
#include "tests/laws/chance.h"

#include "algebra/bound.h"
#include "algebra/constrained.h"
#include "algebra/motion.h"
#include "algebra/solved.h"
#include "linear/linearize.h"
#include "tape/numbers.h"
#include "tape/tape.h"

enum { tries = 12 };

typedef struct Pair {
  double m1, m2, l1, l2, k;
  Loaded *bound, *free;
} Pair;

static double between(double low, double high) { return low + (high - low) * uniform(); }

static Pair draw_pair(void) {
  Pair p = {between(0.5, 2), between(0.5, 2), between(0.5, 1.5), between(0.5, 1.5), between(1, 9), NULL, NULL};
  char params[300], text[1200];
  snprintf(params, sizeof params, "param m1 = %.17g, m2 = %.17g, l1 = %.17g, l2 = %.17g, k = %.17g, g = 9.81\n", p.m1,
           p.m2, p.l1, p.l2, p.k);
  snprintf(text, sizeof text,
           "%scoord x1, y1, x2, y2\nguess x1 = 0.1, y1 = -l1, x2 = 0.1, y2 = -l1 - l2\n"
           "kinetic 1/2*m1*(x1'^2 + y1'^2) + 1/2*m2*(x2'^2 + y2'^2)\npotential m1*g*y1 + m2*g*y2 + 1/2*k*(x2 - 0.3)^2\n"
           "constraint a: x1^2 + y1^2 = l1^2\nconstraint b: (x2 - x1)^2 + (y2 - y1)^2 = l2^2\n",
           params);
  p.bound = load_text(text);
  snprintf(text, sizeof text,
           "%scoord p, q\nlet A = [l1*sin(p), -l1*cos(p)]\nlet B = A + [l2*sin(q), -l2*cos(q)]\n"
           "kinetic 1/2*m1*|A'|^2 + 1/2*m2*|B'|^2\npotential m1*g*A.y + m2*g*B.y + 1/2*k*(B.x - 0.3)^2\n",
           params);
  p.free = load_text(text);
  return p;
}

static void drop_pair(Pair *p) {
  unload(p->bound);
  unload(p->free);
}

// Symbols and their numbers.
typedef struct Named {
  const System *s;
  double *value; // by symbol
} Named;

static double complex number_of(SymbolId symbol, void *context) { return ((Named *)context)->value[symbol]; }

static Named numbers_of(System *s) {
  Named n = {s, arena_array(s->arena, s->pool->symbols.count + 64, sizeof(double))};
  for (uint32_t i = 0; i < s->params.count; i++) {
    ExprId own = expr_sym(s->pool, s->params.items[i].symbol);
    assert_true(tape_numbers(s->arena, s, &own, 1, &n.value[s->params.items[i].symbol]));
  }
  return n;
}

static void set_coord(Named *n, uint32_t i, double q, double v) {
  n->value[n->s->coords.items[i].q] = q;
  n->value[n->s->coords.items[i].v] = v;
}

// Accelerations and multipliers as a run computes them, at the numbers of the point.
static void accelerate(System *s, const Named *n, double *out) {
  uint32_t dim = s->y.count, count = s->coord_count + s->constraints.count;
  SymbolId *vars = arena_array(s->arena, dim + 1, sizeof *vars);
  ExprId *results = arena_array(s->arena, count, sizeof *results);
  vars[0] = s->time;
  for (uint32_t i = 0; i < dim; i++) vars[i + 1] = s->y.items[i].symbol;
  for (uint32_t i = 0; i < count; i++)
    results[i] =
        expr_sym(s->pool, i < s->coord_count ? s->coords.items[i].a : s->constraints.items[i - s->coord_count].symbol);
  const Tape *t = tape_build(
      s->arena,
      &(TapeRequest){.system = s, .vars = vars, .var_count = dim + 1, .results = results, .result_count = count});
  assert_non_null(t);
  double *w = arena_array(s->arena, t->slot_count, sizeof *w);
  for (uint32_t i = 0; i < t->param_count; i++) w[i] = n->value[s->params.items[i].symbol];
  tape_prepare(t, w);
  for (uint32_t i = 0; i <= dim; i++) tape_vars(t, w)[i] = n->value[vars[i]];
  tape_eval(t, w);
  for (uint32_t i = 0; i < count; i++) out[i] = tape_result(t, w, i);
}

typedef struct Posed {
  System bound, free;
  ExprPool pools[2];
  Named at_bound, at_free;
} Posed;

// The same position and motion in both.
static Posed *pose(Pair *p) {
  Posed *x = calloc(1, sizeof *x);
  assert_true(system_clone(&x->bound, &p->bound->system, &x->pools[0], p->bound->arena));
  assert_true(system_clone(&x->free, &p->free->system, &x->pools[1], p->free->arena));
  double a = between(-1, 1), b = between(-1, 1), u = between(-2, 2), v = between(-2, 2);
  double x1 = p->l1 * sin(a), y1 = -p->l1 * cos(a), dx1 = p->l1 * cos(a) * u, dy1 = p->l1 * sin(a) * u;
  x->at_bound = numbers_of(&x->bound);
  x->at_free = numbers_of(&x->free);
  set_coord(&x->at_free, 0, a, u);
  set_coord(&x->at_free, 1, b, v);
  set_coord(&x->at_bound, 0, x1, dx1);
  set_coord(&x->at_bound, 1, y1, dy1);
  set_coord(&x->at_bound, 2, x1 + p->l2 * sin(b), dx1 + p->l2 * cos(b) * v);
  set_coord(&x->at_bound, 3, y1 - p->l2 * cos(b), dy1 + p->l2 * sin(b) * v);
  return x;
}

// Cartesian accelerations by the angles.
static void by_angles(const Pair *p, Posed *x, double out[4]) {
  double acc[2], a = x->at_free.value[x->free.coords.items[0].q], u = x->at_free.value[x->free.coords.items[0].v],
                 b = x->at_free.value[x->free.coords.items[1].q], v = x->at_free.value[x->free.coords.items[1].v];
  accelerate(&x->free, &x->at_free, acc);
  out[0] = p->l1 * (cos(a) * acc[0] - sin(a) * u * u);
  out[1] = p->l1 * (sin(a) * acc[0] + cos(a) * u * u);
  out[2] = out[0] + p->l2 * (cos(b) * acc[1] - sin(b) * v * v);
  out[3] = out[1] + p->l2 * (sin(b) * acc[1] + cos(b) * v * v);
}

static void accelerations_are_those_of_the_angles(void **state) {
  (void)state;
  for (int i = 0; i < tries; i++) {
    Pair p = draw_pair();
    Posed *x = pose(&p);
    double run[6], angles[4];
    accelerate(&x->bound, &x->at_bound, run);
    by_angles(&p, x, angles);
    for (int k = 0; k < 4; k++) assert_true(fabs(run[k] - angles[k]) <= 1e-9 * (1 + fabs(angles[k])));
    free(x);
    drop_pair(&p);
  }
}

// A a + r = 0 in independent velocities, with an evaluator of the tests.
static void the_reduced_equations_hold_for_the_motion_in_angles(void **state) {
  (void)state;
  for (int i = 0; i < tries; i++) {
    Pair p = draw_pair();
    Posed *x = pose(&p);
    System *s = &x->bound;
    BoundVelocities b;
    double angles[4];
    by_angles(&p, x, angles);
    assert_true(bound_velocities(s, &b));
    assert_null(b.why);
    assert_int_equal(b.free_count, 2);
    ExprId A[4], r[2];
    assert_true(bound_reduced(s, &b, A, r));
    for (uint32_t k = 0; k < 4; k++) { // every velocity by the independent ones
      double v = creal(eval_complex(s->pool, b.v[k], number_of, &x->at_bound));
      assert_true(fabs(v - x->at_bound.value[s->coords.items[k].v]) <= 1e-9 * (1 + fabs(v)));
    }
    for (uint32_t j = 0; j < 2; j++) {
      double sum = creal(eval_complex(s->pool, r[j], number_of, &x->at_bound)), size = fabs(sum);
      for (uint32_t l = 0; l < 2; l++) {
        double term = creal(eval_complex(s->pool, A[j * 2 + l], number_of, &x->at_bound)) * angles[b.free[l]];
        sum += term;
        size += fabs(term);
      }
      assert_true(fabs(sum) <= 1e-9 * size);
      // the broken twin: without the curvature of the circles the equation is another one
      double wrong = creal(eval_complex(s->pool, A[j * 2], number_of, &x->at_bound)) * 1e-3 * angles[b.free[0]];
      assert_true(fabs(sum + wrong) > 1e-9 * size);
    }
    free(x);
    drop_pair(&p);
  }
}

static void check_decides_what_the_run_does(void **state) {
  (void)state;
  Pair p = draw_pair();
  Posed *x = pose(&p);
  System *s = &x->bound;
  ExprPool *pool = s->pool;
  ExprId T = expr_sym(pool, s->constraints.items[0].symbol), a1 = expr_sym(pool, s->coords.items[2].a);
  // the second body alone: m2 x2'' = -k (x2 - 0.3) + 2 (x2 - x1) lambda.b
  ExprId x1 = expr_sym(pool, s->coords.items[0].q), x2 = expr_sym(pool, s->coords.items[2].q);
  ExprId m2 = expr_sym(pool, s->params.items[1].symbol), k = expr_sym(pool, s->params.items[4].symbol);
  ExprId rod = expr_scale(pool, rat_int(2),
                          expr_mul(pool, expr_sub(pool, x2, x1), expr_sym(pool, s->constraints.items[1].symbol)));
  ExprId spring = expr_mul(pool, k, expr_sub(pool, x2, expr_num(pool, rat_make(pool->arena, 3, 10))));
  CheckResult right = motion_check(s, &(CheckEquation){expr_mul(pool, m2, a1), expr_sub(pool, rod, spring), NULL, 0});
  assert_int_equal(right.verdict, verdict_equal);
  CheckResult wrong = motion_check(s, &(CheckEquation){expr_mul(pool, m2, a1), expr_neg(pool, spring), NULL, 0});
  assert_int_equal(wrong.verdict, verdict_different);
  // the witness lies on the constraint set: l1^2 = x1^2 + y1^2
  double value[3] = {NAN, NAN, NAN};
  static const char *const names[] = {"x1", "y1", "l1"};
  for (uint32_t i = 0; i < wrong.witness.point.count; i++) {
    const WitnessValue *w = &wrong.witness.point.items[i];
    double top, below = 1;
    const char *text = *w->value == '[' ? w->value + 1 : w->value;
    if (sscanf(text, "%lf/%lf", &top, &below) < 1) continue;
    for (int j = 0; j < 3; j++) {
      if (strcmp(w->name, names[j]) == 0) value[j] = top / below;
    }
  }
  assert_true(fabs(hypot(value[0], value[1]) - fabs(value[2])) <= 1e-12 * fabs(value[2]));
  CheckResult none = motion_check(s, &(CheckEquation){T, pool->zero, NULL, 0});
  assert_int_equal(none.verdict, verdict_different);
  free(x);
  drop_pair(&p);
}

typedef struct Linear {
  Arena *arena;
  LinearizeJob job;
  Operating o;
  Linearization l;
} Linear;

static Linear *linear_of(const Loaded *m) {
  Linear *x = calloc(1, sizeof *x);
  x->arena = arena_new();
  x->job = (LinearizeJob){.model = &m->model,
                          .system = &m->system,
                          .settings = {.at = at_equilibrium, .exact = false, .numbers = true},
                          .operating = &x->o,
                          .out = &x->l};
  assert_int_equal(pipeline_linearize(x->arena, &x->job), linearize_done);
  return x;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The same frequencies in independent Cartesian coordinates and in angles.
static void eigenvalues_do_not_depend_on_coordinates(void **state) {
  (void)state;
  for (int i = 0; i < tries; i++) {
    Pair p = draw_pair();
    Linear *a = linear_of(p.bound), *b = linear_of(p.free);
    assert_int_equal(a->l.n, 4);
    assert_int_equal(b->l.n, 4);
    assert_int_equal(a->l.dependent.count, 4);
    double x[4], y[4];
    for (int k = 0; k < 4; k++) {
      x[k] = a->l.modes.im[k];
      y[k] = b->l.modes.im[k];
    }
    qsort(x, 4, sizeof *x, by_size);
    qsort(y, 4, sizeof *y, by_size);
    for (int k = 0; k < 4; k++) assert_true(fabs(x[k] - y[k]) <= 1e-7 * (1 + fabs(y[k])) && fabs(y[k]) > 0.1);
    arena_free(a->arena);
    arena_free(b->arena);
    free(a);
    free(b);
    drop_pair(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_are_those_of_the_angles),
      cmocka_unit_test(the_reduced_equations_hold_for_the_motion_in_angles),
      cmocka_unit_test(check_decides_what_the_run_does),
      cmocka_unit_test(eigenvalues_do_not_depend_on_coordinates),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
