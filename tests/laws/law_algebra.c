// Laws of the exact algebra over random inputs, each with a broken twin.
//
//   verdicts are right for true and subtly false variants of equations of motion · the normal form keeps the value, is
//   idempotent, and is the same for equal expressions
//
// What is true is found by another method: floating-point numbers at random points, with accelerations by elimination.
#include "tests/laws/chance.h"

#include "algebra/motion.h"
#include "expr/calculus.h"
#include "expr/normal.h"
#include "expr/print.h"
#include "form/describe.h"

#ifdef __SANITIZE_ADDRESS__
enum { rounds = 90, forms = 40 };
#else
enum { rounds = 450, forms = 150 };
#endif
enum { most_symbols = 128, numeric_points = 3 };

static char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *text = calloc(1, 65536);
  size_t n = fread(text, 1, 65535, f);
  fclose(f);
  text[n] = '\0';
  return text;
}

// ---- numbers

typedef struct Values {
  double complex of[most_symbols];
} Values;

static double complex value_of_symbol(SymbolId s, void *context) { return ((Values *)context)->of[s]; }

static void random_values(const ExprPool *pool, Values *v) {
  assert_true(pool->symbols.count < most_symbols);
  for (SymbolId s = 0; s < pool->symbols.count; s++) v->of[s] = 0.4 + 1.3 * uniform();
}

// Accelerations and rates of states by the model.
static bool obey(const System *s, Values *v) {
  uint32_t n = s->coord_count;
  double a[16][17];
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) a[i][j] = creal(eval_complex(s->pool, system_mass(s, i, j), value_of_symbol, v));
    a[i][n] = -creal(eval_complex(s->pool, s->h[i], value_of_symbol, v));
  }
  for (uint32_t c = 0; c < n; c++) {
    uint32_t best = c;
    for (uint32_t r = c; r < n; r++) best = fabs(a[r][c]) > fabs(a[best][c]) ? r : best;
    if (fabs(a[best][c]) < 1e-9) return false;
    for (uint32_t j = 0; j <= n; j++) {
      double swap = a[c][j];
      a[c][j] = a[best][j];
      a[best][j] = swap;
    }
    for (uint32_t r = 0; r < n; r++) {
      double f = r == c ? 0 : a[r][c] / a[c][c];
      for (uint32_t j = 0; j <= n; j++) a[r][j] -= f * a[c][j];
    }
  }
  for (uint32_t i = 0; i < n; i++) v->of[s->coords.items[i].a] = a[i][n] / a[i][i];
  return true;
}

// 1: holds on motions, 0: does not, -1: cannot be told
static int holds(const System *s, ExprId e) {
  int agreed = 0;
  for (int i = 0; i < numeric_points; i++) {
    Values v;
    random_values(s->pool, &v);
    if (!obey(s, &v)) return -1;
    double complex x = eval_complex(s->pool, e, value_of_symbol, &v);
    double scale = 0;
    for (uint32_t k = 0; k < expr_term_count(s->pool, e); k++)
      scale += cabs(eval_complex(s->pool, expr_term(s->pool, e, k).term, value_of_symbol, &v));
    if (!isfinite(creal(x)) || !isfinite(scale)) return -1;
    double size = cabs(x) / (1 + scale);
    if (size < 1e-11) agreed++;
    else if (size < 1e-7) return -1;
  }
  return agreed == numeric_points ? 1 : agreed == 0 ? 0 : -1;
}

// ---- variants

static ExprId residual(System *s, uint32_t i) {
  ExprId r = s->h[i];
  for (uint32_t j = 0; j < s->coord_count; j++)
    r = expr_add(s->pool, r, expr_mul(s->pool, system_mass(s, i, j), expr_sym(s->pool, s->coords.items[j].a)));
  return expr_expand(s->pool, r, 20000);
}

static ExprId random_param(System *s) {
  return s->params.count ? expr_sym(s->pool, s->params.items[choose(s->params.count)].symbol) : expr_int(s->pool, 3);
}

static ExprId random_angle(System *s) { return expr_sym(s->pool, s->coords.items[choose(s->coord_count)].q); }

static ExprId fn(ExprPool *p, ExprOp op, ExprId a) { return expr_fn(p, op, &a, 1); }

// Another way to write the same number 1, or the same zero.
static ExprId disguised_one(System *s) {
  ExprPool *p = s->pool;
  ExprId a = random_angle(s), c = fn(p, op_cos, a), t = fn(p, op_tan, a), twice = expr_scale(p, rat_int(2), a),
         half = expr_scale(p, (Rat){1, 2, NULL}, a);
  switch (choose(5)) {
  case 0: return expr_mul(p, expr_powi(p, c, 2), expr_add(p, p->one, expr_powi(p, t, 2)));
  case 1: return expr_add(p, fn(p, op_cos, twice), expr_scale(p, rat_int(2), expr_powi(p, fn(p, op_sin, a), 2)));
  case 2:
    return expr_div(p, expr_scale(p, rat_int(2), expr_mul(p, fn(p, op_sin, half), fn(p, op_cos, half))),
                    fn(p, op_sin, a));
  case 3: return expr_add(p, expr_powi(p, fn(p, op_sin, half), 2), expr_div(p, expr_add(p, p->one, c), expr_int(p, 2)));
  default: return expr_div(p, expr_add(p, random_param(s), p->one), expr_add(p, p->one, random_param(s)));
  }
}

static uint32_t place_of(const ExprId *list, ExprId id) {
  uint32_t at = 0;
  while (list[at] != id) at++;
  return at;
}

// Sines and cosines of sums by the addition theorem.
static ExprId spread_angles(ExprPool *p, ExprId id) {
  uint32_t length;
  const ExprId *reached = pool_reach(p, &id, 1, NULL, NULL, &length);
  ExprId list[512], value[512];
  assert_true(length < 512);
  memcpy(list, reached, length * sizeof *list);
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(p, list[i]);
    value[i] = list[i];
    ExprId arg = op == op_sin || op == op_cos ? pool_args(p, list[i])[0] : 0;
    if (arg && expr_op(p, arg) == op_add && expr_term_count(p, arg) == 2) {
      Term a = expr_term(p, arg, 0), b = expr_term(p, arg, 1);
      ExprId x = expr_scale(p, a.coef, a.term), y = expr_scale(p, b.coef, b.term);
      if (op == op_cos)
        value[i] = expr_sub(p, expr_mul(p, fn(p, op_cos, x), fn(p, op_cos, y)),
                            expr_mul(p, fn(p, op_sin, x), fn(p, op_sin, y)));
      else
        value[i] = expr_add(p, expr_mul(p, fn(p, op_sin, x), fn(p, op_cos, y)),
                            expr_mul(p, fn(p, op_cos, x), fn(p, op_sin, y)));
      continue;
    }
    Term terms[64];
    Factor factors[64];
    if (op == op_add && expr_term_count(p, list[i]) < 64) {
      uint32_t n = expr_term_count(p, list[i]);
      for (uint32_t k = 0; k < n; k++) {
        terms[k] = expr_term(p, list[i], k);
        terms[k].term = value[place_of(list, terms[k].term)];
      }
      value[i] = expr_sum(p, terms, n);
    } else if (op == op_mul) {
      uint32_t n = expr_factor_count(p, list[i]);
      for (uint32_t k = 0; k < n; k++) {
        factors[k] = expr_factor(p, list[i], k);
        factors[k].base = value[place_of(list, factors[k].base)];
      }
      value[i] = expr_product(p, expr_coef(p, list[i]), factors, n);
    }
  }
  return value[length - 1];
}

static ExprId true_variant(System *s, ExprId e) {
  ExprPool *p = s->pool;
  for (unsigned steps = choose(3) + 1; steps > 0; steps--) {
    switch (choose(7)) {
    case 0: e = expr_scale(p, rat_make(p->arena, (int64_t)choose(7) + 1, choose(3) + 1), e); break;
    case 1: e = expr_mul(p, e, random_param(s)); break;
    case 2: e = expr_div(p, e, random_param(s)); break;
    case 3:
      e = expr_add(p, e, expr_scale(p, rat_int((int64_t)choose(5) - 2), residual(s, choose(s->coord_count))));
      break;
    case 4: e = expr_mul(p, e, expr_add(p, expr_int(p, 2), fn(p, op_cos, random_angle(s)))); break;
    case 5: e = expr_mul(p, e, disguised_one(s)); break;
    default: e = spread_angles(p, e); break;
    }
  }
  return e;
}

// Two symbols of one kind for one another.
static ExprId swap_index(System *s, ExprId e) {
  ExprPool *p = s->pool;
  SymbolMap map = symbol_map_new(p);
  ExprId out = e;
  bool params = choose(2) && s->params.count > 1;
  uint32_t n = params ? s->params.count : s->coord_count, i = choose(n), j = choose(n), which = choose(2);
  SymbolId a = params ? s->params.items[i].symbol : which ? s->coords.items[i].q : s->coords.items[i].v;
  SymbolId b = params ? s->params.items[j].symbol : which ? s->coords.items[j].q : s->coords.items[j].v;
  symbol_map_set(&map, a, expr_sym(p, b));
  if (choose(2)) symbol_map_set(&map, b, expr_sym(p, a));
  assert_true(expr_replace(p, &map, &e, 1, &out));
  return out;
}

static ExprId wrong_angle(System *s, ExprId term) {
  ExprPool *p = s->pool;
  for (uint32_t k = 0; k < expr_factor_count(p, term); k++) {
    Factor f = expr_factor(p, term, k);
    ExprOp op = expr_op(p, f.base);
    if (op != op_sin && op != op_cos) continue;
    ExprId angle = pool_args(p, f.base)[0], other = 0;
    switch (choose(4)) {
    case 0: other = fn(p, op == op_sin ? op_cos : op_sin, angle); break;
    case 1: other = fn(p, op, expr_scale(p, rat_int(2), angle)); break;
    case 2: other = fn(p, op, expr_add(p, angle, random_angle(s))); break;
    default: {
      // th1 - th2 for th1 + th2
      Term t = expr_term(p, angle, 0);
      other = fn(p, op, expr_sub(p, angle, expr_scale(p, rat_mul(p->arena, rat_int(2), t.coef), t.term)));
      break;
    }
    }
    return expr_mul(p, expr_div(p, term, f.base), other);
  }
  return expr_scale(p, rat_int(2), term);
}

static ExprId false_variant(System *s, ExprId e) {
  ExprPool *p = s->pool;
  uint32_t n = expr_term_count(p, e);
  Term t = expr_term(p, e, choose(n));
  ExprId term = expr_scale(p, t.coef, t.term);
  switch (choose(6)) {
  case 0: return expr_sub(p, e, expr_scale(p, rat_int(2), term));                            // sign
  case 1: return expr_add(p, e, choose(2) ? term : expr_scale(p, (Rat){-1, 2, NULL}, term)); // factor
  case 2: return expr_sub(p, e, term);                                                       // lost
  case 3: return expr_add(p, expr_sub(p, e, term), swap_index(s, term));                     // index
  case 4: return expr_add(p, expr_sub(p, e, term), wrong_angle(s, term));                    // angle
  default: return swap_index(s, e);
  }
}

typedef struct Tally {
  int equal, different, undecided, untold, wrong;
} Tally;

static void decide_one(const Loaded *l, Tally *tally) {
  Arena *arena = arena_new();
  TextScope scope;
  assert_true(scope_open(&scope, arena, &l->model));
  System s = system_over(&l->system, &scope.model);
  ExprId e = residual(&s, choose(s.coord_count));
  if (choose(5) < 3) e = false_variant(&s, e);
  if (choose(3)) e = true_variant(&s, e);
  if (expr_op(s.pool, e) == op_undefined || expr_is_zero(s.pool, e)) {
    arena_free(arena);
    return;
  }
  // some terms change the side
  ExprId lhs = s.pool->zero, rhs = s.pool->zero;
  for (uint32_t i = 0; i < expr_term_count(s.pool, e); i++) {
    Term t = expr_term(s.pool, e, i);
    if (choose(2)) lhs = expr_add(s.pool, lhs, expr_scale(s.pool, t.coef, t.term));
    else rhs = expr_sub(s.pool, rhs, expr_scale(s.pool, t.coef, t.term));
  }
  int truth = holds(&s, e);
  CheckResult r = motion_check(&s, &(CheckEquation){lhs, rhs, NULL, 0});
  if (truth < 0) tally->untold++;
  else if (r.verdict == verdict_undecided) tally->undecided++;
  else if ((r.verdict == verdict_equal) != (truth == 1)) tally->wrong++;
  else if (r.verdict == verdict_equal) tally->equal++;
  else tally->different++;
  bool bad = truth >= 0 && (r.verdict == verdict_undecided || (r.verdict == verdict_equal) != (truth == 1));
  if (bad) {
    Text t = text_in(arena);
    expr_print(s.pool, lhs, format_text, NULL, &t);
    text_put(&t, " = ");
    expr_print(s.pool, rhs, format_text, NULL, &t);
    print_error("%s, should be %s (%s): %s\n", verdict_name(r.verdict), truth ? "equal" : "different",
                r.reason ? r.reason : "", text_str(&t));
  }
  if (r.verdict == verdict_different) assert_non_null(r.witness.left);
  arena_free(arena);
}

static void verdicts_are_right(void **state) {
  (void)state;
  static const char *const examples[] = {"inverted_pendulum", "cart_double_pendulum", "triple_pendulum", "two_masses",
                                         "quarter_car"};
  Tally all = {0};
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    char path[512];
    snprintf(path, sizeof path, VIVA_ROOT "/examples/%s.viva", examples[k]);
    char *text = read_text(path);
    Loaded *l = load_text(text);
    Tally tally = {0};
    for (int i = 0; i < rounds; i++) decide_one(l, &tally);
    print_message("%s: %d equal, %d different, %d undecided, %d not told by numbers\n", examples[k], tally.equal,
                  tally.different, tally.undecided, tally.untold);
    all.equal += tally.equal;
    all.different += tally.different;
    all.undecided += tally.undecided;
    all.untold += tally.untold;
    all.wrong += tally.wrong;
    unload(l);
    free(text);
  }
  assert_int_equal(all.wrong, 0);
  assert_int_equal(all.undecided, 0);
  assert_true(all.equal + all.different >= rounds * 9 / 2); // more than 2000
  // the broken twin: a law that everything is equal, or everything different, would be caught
  assert_true(all.equal > rounds && all.different > rounds);
}

// ---- the normal form

typedef struct World {
  Loaded *l;
  ExprPool *pool;
} World;

static ExprId grow(World *w, int depth) {
  ExprPool *p = w->pool;
  if (depth == 0 || uniform() < 0.1) {
    if (uniform() < 0.25) return expr_num(p, rat_make(p->arena, (int64_t)choose(9) - 4, choose(4) + 1));
    return expr_sym(p, w->l->model.params.items[choose(w->l->model.params.count)].symbol);
  }
  ExprId a = grow(w, depth - 1);
  ExprId x = expr_sym(p, w->l->model.coords.items[0].q), y = expr_sym(p, w->l->model.coords.items[1].q);
  switch (choose(9)) {
  case 0:
  case 1: return expr_add(p, a, grow(w, depth - 1));
  case 2:
  case 3: return expr_mul(p, a, grow(w, depth - 1));
  case 4: return expr_powi(p, a, 2);
  case 5: return expr_div(p, a, expr_add(p, p->one, expr_powi(p, grow(w, depth - 1), 2)));
  case 6: return expr_mul(p, a, expr_sqrt(p, expr_add(p, p->one, expr_powi(p, grow(w, 0), 2))));
  case 7:
    return expr_add(p, a,
                    fn(p, choose(2) ? op_sin : op_cos,
                       expr_add(p, expr_scale(p, rat_int((int64_t)choose(3) - 1), x),
                                expr_scale(p, rat_int((int64_t)choose(4) - 1), y))));
  default: return expr_add(p, a, fn(p, choose(3) ? op_tanh : op_tan, choose(2) ? x : y));
  }
}

// The same value, written differently.
static ExprId rewritten(World *w, ExprId a) {
  ExprPool *p = w->pool;
  ExprId x = expr_sym(p, w->l->model.coords.items[choose(2)].q),
         b = expr_add(p, expr_int(p, 2), expr_powi(p, grow(w, 1), 2));
  switch (choose(4)) {
  case 0: return expr_div(p, expr_expand(p, expr_mul(p, a, b), 2000), b);
  case 1:
    return expr_add(p, expr_mul(p, a, expr_powi(p, fn(p, op_sin, x), 2)),
                    expr_mul(p, a, expr_powi(p, fn(p, op_cos, x), 2)));
  case 2: return expr_expand(p, a, 2000);
  default: return expr_sub(p, expr_add(p, a, b), b);
  }
}

// Canonical forms of two expressions over one ring. False: outside the limits.
static bool canonical_pair(World *w, Arena *arena, ExprId a, ExprId b, ExprId out[2], bool *same) {
  ExprId roots[2] = {a, b};
  Normal n = {0};
  Poly *num[2], *den[2];
  bool ok = normal_open(&n, w->pool, arena, roots, 2);
  for (int i = 0; i < 2 && ok; i++) {
    Frac f = frac_of(&n, roots[i]);
    ok = f.num && frac_canonical(&n, f, &num[i], &den[i]);
    if (ok) out[i] = expr_div(w->pool, poly_expr(&n, num[i]), poly_expr(&n, den[i]));
  }
  if (ok) *same = n.api->equal(n.ring, num[0], num[1]) && n.api->equal(n.ring, den[0], den[1]);
  normal_close(&n);
  return ok;
}

static bool same_value(World *w, ExprId a, ExprId b) {
  Values v;
  random_values(w->pool, &v);
  double complex x = eval_complex(w->pool, a, value_of_symbol, &v), y = eval_complex(w->pool, b, value_of_symbol, &v);
  if (!isfinite(creal(x)) || !isfinite(creal(y)) || cabs(x) > 1e8) return true;
  return cabs(x - y) <= 1e-6 * (1 + cabs(x) + cabs(y));
}

static void normal_form_holds_its_laws(void **state) {
  (void)state;
  int done = 0, twins = 0, moved = 0;
  for (int i = 0; i < forms; i++) {
    World w = {.l = load_text("param a = 1, b = 2, c = 3\ncoord x, y\nkinetic 1/2*a*x'^2 + 1/2*b*y'^2 + c*x'*y'\n")};
    w.pool = &w.l->model.pool;
    Arena *arena = arena_new();
    ExprId e = grow(&w, 4), f = rewritten(&w, e), normal[2], again[2];
    bool same = false;
    if (e && f && canonical_pair(&w, arena, e, f, normal, &same)) {
      done++;
      // equal expressions, one normal form
      if (!same) {
        Text t = text_in(arena);
        expr_print(w.pool, e, format_text, NULL, &t);
        print_error("%s\n", text_str(&t));
      }
      assert_true(same);
      // the value stays
      assert_true(same_value(&w, e, normal[0]));
      // idempotent
      bool within = canonical_pair(&w, arena, normal[0], e, again, &same);
      if (!within || !same) {
        Text t = text_in(arena);
        expr_print(w.pool, e, format_text, NULL, &t);
        text_put(&t, "\nhas the form\n");
        expr_print(w.pool, normal[0], format_text, NULL, &t);
        print_error("%d %s\n", within, text_str(&t));
      }
      assert_true(within && same);
      moved += normal[0] != e;
      // the broken twins: another expression has another form and another value
      ExprId twin = expr_add(w.pool, e, expr_sym(w.pool, w.l->model.params.items[0].symbol));
      if (canonical_pair(&w, arena, e, twin, normal, &same)) assert_false(same); // else it grew beyond the limits
      twins += !same_value(&w, e, twin);
    }
    arena_free(arena);
    unload(w.l);
  }
  print_message("%d normal forms\n", done);
  assert_true(done > forms / 2 && twins > done * 9 / 10 && moved > done / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(verdicts_are_right, start),
      cmocka_unit_test_setup(normal_form_holds_its_laws, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
