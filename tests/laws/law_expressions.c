// Laws of expressions over random inputs. Each law has a broken twin that shows that it can fail.
//
//   derivative = complex step · expansion and grouping keep the value · expansion is idempotent ·
//   print then parse is the identity · tape = evaluator
#include "tests/laws/chance.h"

#include "expr/calculus.h"
#include "expr/print.h"

enum { variables = 4, rounds = 400 };

typedef struct World {
  Loaded *l;
  ExprPool *pool;
  SymbolId symbols[variables];
  double complex values[variables];
} World;

static World *world_new(void) {
  World *w = calloc(1, sizeof *w);
  // two coordinates and two states, so that printed texts can be parsed again
  w->l = load_text("coord q1, q2\nstate s1, s2\nkinetic 1/2*q1'^2 + 1/2*q2'^2\ns1' = 0\ns2' = 0\n");
  w->pool = &w->l->model.pool;
  w->symbols[0] = w->l->model.coords.items[0].q;
  w->symbols[1] = w->l->model.coords.items[1].q;
  w->symbols[2] = w->l->model.states.items[0].x;
  w->symbols[3] = w->l->model.states.items[1].x;
  return w;
}

static void world_free(World *w) {
  unload(w->l);
  free(w);
}

static double complex value_of_symbol(SymbolId s, void *context) {
  World *w = context;
  for (int i = 0; i < variables; i++) {
    if (w->symbols[i] == s) return w->values[i];
  }
  return NAN;
}

static void new_point(World *w) {
  for (int i = 0; i < variables; i++) w->values[i] = 0.3 + 1.4 * uniform();
}

// Random expressions, smooth at the points used (arguments of ln and sqrt stay positive).
static ExprId grow(World *w, int depth) {
  ExprPool *p = w->pool;
  if (depth == 0 || uniform() < 0.1) {
    if (uniform() < 0.25) return expr_num(p, rat_make(p->arena, (int64_t)choose(9) - 4, 1 + choose(4)));
    return expr_sym(p, w->symbols[choose(variables)]);
  }
  ExprId a = grow(w, depth - 1);
  static const ExprOp smooth[] = {op_sin, op_cos, op_tanh, op_atan, op_exp, op_sinh, op_cosh};
  switch (choose(9)) {
  case 0: return expr_add(p, a, grow(w, depth - 1));
  case 1: return expr_sub(p, a, grow(w, depth - 1));
  case 2:
  case 3: return expr_mul(p, a, grow(w, depth - 1));
  case 4: return expr_powi(p, a, 2 + (int64_t)choose(2));
  case 5: return expr_div(p, a, expr_add(p, p->one, expr_powi(p, grow(w, depth - 1), 2)));
  case 6: return expr_sqrt(p, expr_add(p, p->one, expr_powi(p, a, 2)));
  case 7: {
    ExprId inner = expr_add(p, p->one, expr_powi(p, a, 2));
    return expr_fn(p, op_ln, &inner, 1);
  }
  default: {
    // bounded arguments keep exponentials tame
    ExprId inner = expr_fn(p, op_sin, &a, 1);
    return expr_fn(p, smooth[choose(7)], &inner, 1);
  }
  }
}

static bool close_to(double complex a, double complex b, double tolerance) {
  return cabs(a - b) <= tolerance * (1 + cabs(a) + cabs(b));
}

// derivative by the complex step: Im f(x + i h) / h, exact to round-off
static bool derivative_holds(World *w, ExprId e, ExprId d, int k) {
  const double h = 1e-30;
  double complex keep = w->values[k];
  w->values[k] = keep + I * h;
  double step = cimag(eval_complex(w->pool, e, value_of_symbol, w)) / h;
  w->values[k] = keep;
  double symbolic = creal(eval_complex(w->pool, d, value_of_symbol, w));
  if (!isfinite(step) || fabs(step) > 1e12) return true; // out of range: says nothing
  return close_to(symbolic, step, 1e-9);
}

static void derivative_is_the_complex_step(void **state) {
  (void)state;
  World *w = world_new();
  int twins_caught = 0, twins = 0;
  for (int i = 0; i < rounds; i++) {
    ExprId e = grow(w, 5);
    int k = (int)choose(variables);
    ExprId d = expr_diff(w->pool, e, w->symbols[k]);
    assert_true(e && d);
    new_point(w);
    assert_true(derivative_holds(w, e, d, k));
    // the broken twin: one sign wrong
    if (d == w->pool->zero) continue;
    twins++;
    twins_caught += !derivative_holds(w, e, expr_neg(w->pool, d), k);
  }
  assert_true(twins_caught > twins * 9 / 10);
  world_free(w);
}

static bool same_value(World *w, ExprId a, ExprId b) {
  double complex x = eval_complex(w->pool, a, value_of_symbol, w), y = eval_complex(w->pool, b, value_of_symbol, w);
  if (!isfinite(creal(x)) || cabs(x) > 1e12) return true;
  return close_to(x, y, 1e-8);
}

static void expansion_and_grouping_keep_the_value(void **state) {
  (void)state;
  World *w = world_new();
  int caught = 0;
  for (int i = 0; i < rounds; i++) {
    ExprId e = grow(w, 4), x = expr_expand(w->pool, e, 2000), g = expr_group(w->pool, x);
    assert_true(x && g);
    new_point(w);
    assert_true(same_value(w, e, x));
    assert_true(same_value(w, x, g));
    caught += !same_value(w, e, expr_add(w->pool, x, expr_sym(w->pool, w->symbols[0]))); // broken twin
  }
  assert_true(caught > rounds * 9 / 10);
  world_free(w);
}

static void expansion_is_idempotent(void **state) {
  (void)state;
  World *w = world_new();
  int changed = 0;
  for (int i = 0; i < rounds; i++) {
    ExprId e = grow(w, 4), x = expr_expand(w->pool, e, 2000);
    ExprId again = expr_expand(w->pool, x, 2000);
    if (again != x) {
      Text t = text_in(w->l->arena);
      expr_print(w->pool, e, format_text, NULL, &t);
      text_put(&t, "\n");
      expr_print(w->pool, x, format_text, NULL, &t);
      text_put(&t, "\n");
      expr_print(w->pool, again, format_text, NULL, &t);
      print_error("%s\n", text_str(&t));
    }
    assert_int_equal(again, x);
    changed += x != e; // the broken twin is expansion that does nothing
  }
  assert_true(changed > 20);
  world_free(w);
}

// Reads a printed expression back as the right-hand side of an equation.
static ExprId parse_again(World *w, const char *text, Loaded **keep) {
  char *model = malloc(strlen(text) + 200);
  sprintf(model, "coord q1, q2\nstate s1, s2\nkinetic 1/2*q1'^2 + 1/2*q2'^2\ns1' = %s\ns2' = 0\n", text);
  *keep = load_text(model);
  free(model);
  (void)w;
  return (*keep)->system.f[0];
}

static void print_then_parse_is_the_identity(void **state) {
  (void)state;
  World *w = world_new();
  int twins = 0, caught = 0;
  for (int i = 0; i < rounds; i++) {
    ExprId e = grow(w, 4);
    Text t = text_in(w->l->arena);
    expr_print(w->pool, e, format_text, NULL, &t);
    Loaded *l;
    ExprId back = parse_again(w, text_str(&t), &l);
    // another pool: compare by value and by text
    World other = *w;
    other.l = l;
    other.pool = &l->model.pool;
    other.symbols[0] = l->model.coords.items[0].q;
    other.symbols[1] = l->model.coords.items[1].q;
    other.symbols[2] = l->model.states.items[0].x;
    other.symbols[3] = l->model.states.items[1].x;
    // another pool, other ids: the same expression means the same value everywhere
    for (int k = 0; k < 3; k++) {
      new_point(w);
      memcpy(other.values, w->values, sizeof other.values);
      double complex x = eval_complex(w->pool, e, value_of_symbol, w),
                     y = eval_complex(other.pool, back, value_of_symbol, &other);
      if (isfinite(creal(x)) && cabs(x) < 1e12) assert_true(close_to(x, y, 1e-9));
    }
    // broken twin: a text with its first minus lost
    char *minus = strchr((char *)text_str(&t), '-');
    if (minus && minus != text_str(&t)) {
      *minus = '+';
      Loaded *wrong;
      ExprId bad = parse_again(w, text_str(&t), &wrong);
      World twin = *w;
      twin.l = wrong;
      twin.pool = &wrong->model.pool;
      twin.symbols[0] = wrong->model.coords.items[0].q;
      twin.symbols[1] = wrong->model.coords.items[1].q;
      twin.symbols[2] = wrong->model.states.items[0].x;
      twin.symbols[3] = wrong->model.states.items[1].x;
      double complex x = eval_complex(w->pool, e, value_of_symbol, w),
                     y = eval_complex(twin.pool, bad, value_of_symbol, &twin);
      twins++;
      caught += !close_to(x, y, 1e-9);
      unload(wrong);
    }
    unload(l);
  }
  assert_true(twins > 20 && caught > twins / 2); // a lost minus may stand in a term that vanishes
  world_free(w);
}

static double tape_value(World *w, ExprId e) {
  Arena *arena = arena_new();
  const Tape *t = tape_build(
      arena,
      &(TapeRequest){
          .system = &w->l->system, .vars = w->symbols, .var_count = variables, .results = &e, .result_count = 1});
  double *work = arena_array(arena, t->slot_count, sizeof *work);
  tape_prepare(t, work);
  for (int i = 0; i < variables; i++) tape_vars(t, work)[i] = creal(w->values[i]);
  tape_eval(t, work);
  double x = tape_result(t, work, 0);
  // a second time: nothing may be left over from the first
  for (int i = 0; i < variables; i++) tape_vars(t, work)[i] = creal(w->values[i]);
  tape_eval(t, work);
  assert_true(x == tape_result(t, work, 0) || isnan(x));
  arena_free(arena);
  return x;
}

static void tape_agrees_with_the_evaluator(void **state) {
  (void)state;
  World *w = world_new();
  int caught = 0, counted = 0;
  for (int i = 0; i < rounds; i++) {
    ExprId e = grow(w, 6);
    new_point(w);
    double want = creal(eval_complex(w->pool, e, value_of_symbol, w));
    if (!isfinite(want) || fabs(want) > 1e12) continue;
    assert_true(close_to(tape_value(w, e), want, 1e-9));
    ExprId twin = expr_add(w->pool, e, expr_sym(w->pool, w->symbols[1]));
    counted++;
    caught += !close_to(tape_value(w, twin), want, 1e-9);
  }
  assert_true(caught > counted * 9 / 10);
  world_free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(derivative_is_the_complex_step, start),
      cmocka_unit_test_setup(expansion_and_grouping_keep_the_value, start),
      cmocka_unit_test_setup(expansion_is_idempotent, start),
      cmocka_unit_test_setup(print_then_parse_is_the_identity, start),
      cmocka_unit_test_setup(tape_agrees_with_the_evaluator, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
