// Derivatives by forward mode are those of the tape of the Jacobian, which test_jacobian.c compares with complex steps;
// and of a chain at rest those of its mass matrix by hand.
#include "tests/support.h"

#include "base/random.h"
#include "tape/forward.h"
#include "tape/jacobian.h"

// The rates of y as a tape over t, y.
static const Tape *rates_tape(Loaded *l) {
  System *s = &l->system;
  uint32_t dim = system_dim(s);
  SymbolId *vars = arena_array(l->arena, dim + 1, sizeof *vars);
  ExprId *rates = arena_array(l->arena, dim, sizeof *rates);
  vars[0] = s->time;
  for (uint32_t i = 0; i < dim; i++) vars[i + 1] = s->y.items[i].symbol, rates[i] = s->y.items[i].rate;
  return tape_build(l->arena, &(TapeRequest){.system = s,
                                             .vars = vars,
                                             .var_count = dim + 1,
                                             .results = rates,
                                             .result_count = dim,
                                             .params_by_value = true});
}

// The Jacobian has its parameters in slots.
static double *jacobian_workspace(Loaded *l, const TapeJacobian *j) {
  double *w = arena_array(l->arena, j->tape->slot_count, sizeof *w);
  for (uint32_t i = 0; i < l->system.params.count; i++) {
    Rat r;
    assert_true(expr_number(l->system.pool, l->system.params.items[i].value, &r));
    w[i] = rat_to_double(r);
  }
  tape_prepare(j->tape, w);
  return w;
}

// The largest difference of the slopes at random points, over the largest slope. wrong: by so much an entry is moved.
static double difference(const char *text, double from, double to, double wrong) {
  Loaded *l = load_text(text);
  const Tape *t = rates_tape(l);
  const TapeJacobian *j = tape_jacobian(l->arena, &l->system, NULL, 0, NULL);
  assert_true(t && j);
  uint32_t dim = system_dim(&l->system), vars = dim + 1;
  double *w = arena_array(l->arena, t->slot_count, sizeof *w), *jw = jacobian_workspace(l, j), worst = 0;
  double *slopes = arena_array(l->arena, (size_t)dim * vars, sizeof *slopes);
  double *exact = arena_array(l->arena, (size_t)dim * vars, sizeof *exact);
  tape_prepare(t, w);
  for (uint64_t point = 0; point < 3; point++) {
    double largest = 0, most = 0;
    for (uint32_t i = 0; i < vars; i++)
      tape_vars(t, w)[i] = tape_vars(j->tape, jw)[i] = from + (to - from) * random_uniform(11, 1000 * point + i);
    tape_eval(j->tape, jw);
    assert_true(tape_forward(l->arena, t, w, 0, vars, slopes));
    slopes[0] += wrong;
    memset(exact, 0, (size_t)dim * vars * sizeof *exact);
    for (uint32_t c = 0; c < j->columns; c++) {
      for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++)
        exact[(size_t)j->row[k] * vars + (c + 1) % vars] = tape_result(j->tape, jw, k);
    }
    for (uint32_t i = 0; i < dim * vars; i++) {
      assert_true(isfinite(exact[i]));
      largest = fmax(largest, fabs(exact[i]));
      most = fmax(most, isfinite(slopes[i]) ? fabs(slopes[i] - exact[i]) : INFINITY);
    }
    worst = fmax(worst, most / largest);
  }
  unload(l);
  return worst;
}

static const char functions[] = "param p = 1.5\nstate x = 0\nstate y = 0\nstate z = 0\nstate u = 0\nstate v = 0\n"
                                "x' = sin(x)*cos(y) + tan(z)/x + asin(u)*acos(v) + atan(x)*t\n"
                                "y' = atan2(x, y) + sinh(z)*cosh(u) - tanh(v) + exp(x*y)\n"
                                "z' = ln(x)*log10(y) + sqrt(z)*abs(u - v) + x^p + x^y + x^3 - 1/y^2\n"
                                "u' = min(x, y)*max(z, u) + mod(x, 0.3) + floor(y) + sign(u - 0.5)*x\n"
                                "v' = if(x > y, x*z, sqrt(y)*u) + if(x > 2, ln(x - 2), v)\n";

static void every_function_has_its_derivative(void **state) {
  (void)state;
  assert_true(difference(functions, 0.2, 0.9, 0) < 1e-13);
  assert_true(difference(functions, 0.2, 0.9, 1e-6) > 1e-13); // it can fail
}

// 60 pendulums: more than tape_directions, and a full mass matrix.
static const char chain[] = "param n = 60\ncoord th[i] = 0 for i in 1 .. n\nlet P[0] = [0, 0]\n"
                            "let P[i] = P[i-1] + [sin(th[i]), -cos(th[i])] for i in 1 .. n\n"
                            "kinetic 1/2*|P[i]'|^2 for i in 1 .. n\npotential 9.81*P[i].y for i in 1 .. n\n";

static void full_matrices_are_solved_in_all_directions(void **state) {
  (void)state;
  assert_true(difference(chain, -0.5, 0.5, 0) < 1e-10);
}

// At rest M_ij = n + 1 - max(i, j) has the inverse with 1, then 2 on its diagonal and -1 beside it, and the weights
// hang by g (n + 1 - i): so a_1 = -g (n th_1 - (n - 1) th_2).
static void a_hanging_chain_has_its_slopes_by_hand(void **state) {
  (void)state;
  Loaded *l = load_text(chain);
  const Tape *t = rates_tape(l);
  enum { n = 60 };
  double *w = arena_array(l->arena, t->slot_count, sizeof *w), slopes[2 * n * 2 * n];
  tape_prepare(t, w);
  assert_true(tape_forward(l->arena, t, w, 1, 2 * n, slopes));
  const double *first = &slopes[n * 2 * n], *last = &slopes[(2 * n - 1) * 2 * n];
  assert_true(fabs(first[0] + 9.81 * n) < 1e-9 && fabs(first[1] - 9.81 * (n - 1)) < 1e-9 && fabs(first[2]) < 1e-9);
  assert_true(fabs(last[n - 1] + 2 * 9.81) < 1e-9 && fabs(last[n - 2] - 2 * 9.81) < 1e-9);
  assert_true(slopes[n] == 1 && slopes[n + 1] == 0); // th_1' = v_1
  unload(l);
}

static void it_pays_where_a_large_full_matrix_is_solved_with(void **state) {
  (void)state;
  Loaded *l = load_text(chain), *few = load_text(functions);
  assert_true(tape_forward_pays(rates_tape(l)));
  assert_false(tape_forward_pays(rates_tape(few)));
  // two results: x is read by all, t by the first alone
  bool reads[6] = {0};
  assert_true(tape_reads(few->arena, rates_tape(few), 0, 1, reads));
  assert_true(reads[0] && reads[1]);
  assert_true(tape_reads(few->arena, rates_tape(few), 1, 2, reads));
  assert_true(!reads[0] && reads[1] && reads[5]);
  unload(l);
  unload(few);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_function_has_its_derivative),
      cmocka_unit_test(full_matrices_are_solved_in_all_directions),
      cmocka_unit_test(a_hanging_chain_has_its_slopes_by_hand),
      cmocka_unit_test(it_pays_where_a_large_full_matrix_is_solved_with),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
