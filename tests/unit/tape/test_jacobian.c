// The Jacobian of the tape is the derivative of the motion: compared with complex steps through an evaluator of its
// own.
#include "tests/support.h"

#include "base/file.h"
#include "base/random.h"
#include "tape/jacobian.h"

typedef struct Spot {
  const Loaded *l;
  double complex *value; // by symbol
} Spot;

static double complex symbol_value(SymbolId id, void *context) { return ((Spot *)context)->value[id]; }

static double complex value_here(Spot *p, ExprId id) { return eval_complex(p->l->system.pool, id, symbol_value, p); }

// a of one block, by elimination over complex numbers
static void solve_block(Spot *p, const Block *b) {
  const System *s = &p->l->system;
  double complex m[16][17];
  uint32_t k = b->count;
  assert_true(k <= 16);
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) m[i][j] = value_here(p, system_mass(s, b->coords[i], b->coords[j]));
    m[i][k] = -value_here(p, s->h[b->coords[i]]);
  }
  for (uint32_t j = 0; j < k; j++) {
    uint32_t best = j;
    for (uint32_t i = j; i < k; i++) best = cabs(m[i][j]) > cabs(m[best][j]) ? i : best;
    for (uint32_t c = 0; c <= k; c++) {
      double complex swap = m[j][c];
      m[j][c] = m[best][c];
      m[best][c] = swap;
    }
    for (uint32_t i = 0; i < k; i++) {
      double complex f = i == j ? 0 : m[i][j] / m[j][j];
      for (uint32_t c = j; i != j && c <= k; c++) m[i][c] -= f * m[j][c];
    }
  }
  for (uint32_t i = 0; i < k; i++) p->value[s->coords.items[b->coords[i]].a] = m[i][k] / m[i][i];
}

// (q', v', x', dissipated, supplied) at y; the variables stand in p->value already
static void motion(Spot *p, double complex *out) {
  const System *s = &p->l->system;
  const System *m = s;
  for (uint32_t k = 0; k < s->steps.count; k++) {
    SystemStep step = s->steps.items[k];
    if (step.kind == step_solve) solve_block(p, &s->blocks.items[step.index]);
    else p->value[s->definitions.items[step.index].symbol] = value_here(p, s->definitions.items[step.index].value);
  }
  uint32_t row = 0;
  for (uint32_t i = 0; i < s->coord_count; i++) out[row++] = p->value[m->coords.items[i].v];
  for (uint32_t i = 0; i < s->coord_count; i++) out[row++] = p->value[m->coords.items[i].a];
  for (uint32_t i = 0; i < s->state_count; i++) out[row++] = p->value[m->states.items[i].rate];
  out[row++] = value_here(p, s->energy.flows.items[flow_dissipated].power);
  out[row++] = value_here(p, s->energy.flows.items[flow_supplied].power);
}

// Compares at random points; returns how many entries the Jacobian has.
static uint32_t compare_at_points(const char *text) {
  Loaded *l = load_text(text);
  System *s = &l->system;
  Model *m = &l->model;
  uint32_t n = s->coord_count, dim = 2 * n + s->state_count, symbols = s->pool->symbols.count, params = m->params.count;
  double complex *value = calloc(symbols, sizeof *value), out[64];
  Spot p = {l, value};
  for (uint32_t i = 0; i < params; i++) value[m->params.items[i].symbol] = value_here(&p, m->params.items[i].value);
  const TapeJacobian *j = tape_jacobian(
      l->arena, s, (ExprId[]){s->energy.flows.items[flow_dissipated].power, s->energy.flows.items[flow_supplied].power},
      2, NULL);
  assert_non_null(j);
  assert_int_equal(j->columns, dim + 1);
  assert_int_equal(j->rows, dim + 2);
  double *w = arena_array(l->arena, j->tape->slot_count, sizeof *w), worst = 0;
  for (uint32_t i = 0; i < params; i++) w[i] = creal(value[m->params.items[i].symbol]);
  tape_prepare(j->tape, w);
  for (int point = 0; point < 5; point++) {
    SymbolId vars[64];
    uint32_t k = 0;
    vars[k++] = m->time;
    for (uint32_t i = 0; i < n; i++) vars[k++] = m->coords.items[i].q;
    for (uint32_t i = 0; i < n; i++) vars[k++] = m->coords.items[i].v;
    for (uint32_t i = 0; i < s->state_count; i++) vars[k++] = m->states.items[i].x;
    for (uint32_t i = 0; i < k; i++) {
      double x = random_normal(7, (uint64_t)point * 100 + i);
      value[vars[i]] = tape_vars(j->tape, w)[i] = i ? x : 1.3 + fabs(x);
    }
    tape_eval(j->tape, w);
    for (uint32_t c = 0; c < j->columns; c++) {
      SymbolId symbol = c + 1 < j->columns ? vars[c + 1] : m->time;
      value[symbol] += 1e-100 * I;
      motion(&p, out);
      value[symbol] = creal(value[symbol]);
      double ours[64] = {0};
      for (uint32_t e = j->start[c]; e < j->start[c + 1]; e++) ours[j->row[e]] = tape_result(j->tape, w, e);
      for (uint32_t r = 0; r < j->rows; r++) {
        double exact = cimag(out[r]) / 1e-100, error = fabs(ours[r] - exact) / (1 + fabs(exact));
        worst = error > worst ? error : worst;
      }
    }
  }
  if (worst > 1e-11) print_error("largest difference %.2e\n", worst);
  assert_true(worst <= 1e-11);
  uint32_t count = j->count;
  free(value);
  unload(l);
  return count;
}

static void examples_agree_with_complex_steps(void **state) {
  (void)state;
  static const char *const names[] = {"cart_double_pendulum", "triple_pendulum", "quarter_car", "two_masses"};
  for (int i = 0; i < 4; i++) {
    char path[1024];
    snprintf(path, sizeof path, VIVA_ROOT "/examples/%s.viva", names[i]);
    Arena *arena = arena_new();
    size_t length;
    const char *why;
    char *text = file_read(arena, path, 1 << 20, &length, &why);
    assert_non_null(text);
    compare_at_points(text);
    arena_free(arena);
  }
}

static void a_saturating_motor_agrees_with_complex_steps(void **state) {
  (void)state;
  compare_at_points("param La = 0.01, Ra = 1, Re = 50, J = 0.02, b = 0.002, k = 1.2, ps = 0.8, is = 1\n"
                    "fun gm(i) = ps*tanh(i/is)\ncoord qa, qe, th\ninput Ua = 24*sin(3*t), Ue = 40\n"
                    "kinetic 1/2*La*qa'^2 + integral_of(gm(s), s, 0, qe') + 1/2*J*th'^2\n"
                    "dissipation 1/2*Ra*qa'^2 + 1/2*Re*qe'^2 + 1/2*b*th'^2\n"
                    "force qa = Ua - k*gm(qe')*th'\nforce th = k*gm(qe')*qa'\nforce qe = Ue\n");
}

static void accelerations_inside_states_and_forces_are_followed(void **state) {
  (void)state;
  // u depends on coordinates, its rate enters the dissipation; s' and r' hold accelerations of two blocks
  compare_at_points("param m = 2, k = 3, l = 0.7\ncoord x = 1, th = 0.2, z\nstate s, r\ninput u = sin(2*t)*x\n"
                    "kinetic 1/2*m*x'^2 + 1/2*|[x + l*sin(th), l*cos(th)]'|^2 + 1/2*(1 + x^2)*z'^2\n"
                    "potential 1/2*k*(x - u)^2 + 9.81*l*cos(th)*s\ndissipation 1/4*(x' - u')^4 + r^2*z'^2\n"
                    "force z = -s*z^3 + t^2\ns' = -s + x''*th'' + z''\nr' = s'*exp(-t) + z''*r\n");
}

static void kinks_have_one_sided_slopes(void **state) {
  (void)state;
  compare_at_points("coord x, y\nstate s\nx'' = -|x|*x - max(y, s) + if(x' > 0, x'^2, -x)\ny'' = -ramp(y)*sign(x) - "
                    "min(x, y')\ns' = |s - t|\n");
}

static void zeros_are_left_out(void **state) {
  (void)state;
  // a chain: each row has its neighbours alone
  uint32_t entries =
      compare_at_points("state a, b, c, d\na' = b - a\nb' = a - 2*b + c\nc' = b - 2*c + d\nd' = c - d\n");
  assert_int_equal(entries, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_agree_with_complex_steps),
      cmocka_unit_test(a_saturating_motor_agrees_with_complex_steps),
      cmocka_unit_test(accelerations_inside_states_and_forces_are_followed),
      cmocka_unit_test(kinks_have_one_sided_slopes),
      cmocka_unit_test(zeros_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
