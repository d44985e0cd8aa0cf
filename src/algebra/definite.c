// Signs by rules, semidefiniteness by elimination.
//
// signs   numbers; parameters by their values (those without one count as positive), which is noted; sums of one sign;
//         products; even powers, roots, exponentials, absolute values; odd functions like their argument, also beside
//         it. A sum of mixed signs is tried once more with cos^2 = 1 - sin^2 and the other way round; an expression of
//         parameters alone by its value, which is noted. An integral from 0 of an odd function that is positive behind
//         0.
// matrix  pivots that are certainly positive are taken off one after the other, short ones first:
//         A_jk - A_ji A_ik / A_ii.  A pivot that is zero must stand in a row of zeros; one that is not negative, too.
//         What is taken off is a square each, so a proof is a sum of squares.
#include "algebra/definite.h"

#include "algebra/port_form.h"
#include "algebra/style.h"
#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/evaluate.h"
#include "expr/modular.h"
#include "expr/normal.h"
#include "expr/ops.h"
#include "expr/print.h"

enum { deepest = 60 };

bool signs_open(Signs *g, System *s) {
  uint32_t n = s->params.count;
  *g = (Signs){.s = s};
  g->known = arena_array(s->arena, (size_t)n + 1, sizeof *g->known);
  g->given = arena_array(s->arena, (size_t)n + 1, sizeof *g->given);
  g->sign = arena_array(s->arena, (size_t)n + 1, sizeof *g->sign);
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < n; i++) g->given[i] = s->params.items[i].value != 0;
  return true;
}

static SignSet sign_of_number(int x) { return x > 0 ? sign_plus : x < 0 ? sign_minus : sign_zero; }

static void assume(Signs *g, ExprId value, SignSet sign) {
  for (uint32_t i = 0; i < g->assumed.count; i++) {
    if (g->assumed.items[i].value == value) return;
  }
  vec_push(g->s->arena, &g->assumed, (Assumed){value, sign});
}

const char *signs_assumed(const Signs *g, uint32_t i) {
  const Assumed *a = &g->assumed.items[i];
  static const char *const words[] = {"", "< 0", "= 0", "<= 0", "> 0", "!= 0", ">= 0", ""};
  return arena_printf(g->s->arena, "%s %s", expr_text(g->s->pool, g->s->arena, a->value), words[a->sign & sign_any]);
}

// Are all its parameters given?
static bool has_numbers(Signs *g, ExprId id) {
  for (uint32_t i = 0; i < g->s->params.count; i++) {
    if (!g->given[i] && expr_depends(g->s->pool, id, g->s->params.items[i].symbol)) return false;
  }
  return true;
}

// Of an expression of parameters, by their values: exact, or in balls. Any: it has no value, or its sign is not
// decided.
static SignSet of_values(Signs *g, ExprId id) {
  System *s = g->s;
  Rat r;
  if (!has_numbers(g, id) || !style_with_values(s, &id, 1)) return sign_any;
  if (expr_number(s->pool, id, &r)) return sign_of_number(rat_sign(r));
  if (expr_vanishes(s->pool, s->arena, id)) return sign_zero;
  Point p;
  Num value;
  SignSet sign = sign_any;
  if (!point_open(&p, s->pool, s->arena, &id, 1, 0, false)) return sign_any;
  if (point_eval(&p, &id, 1, &value)) {
    int found = num_sign(&p, value);
    if (found == 1 || found == -1) sign = sign_of_number(found);
  }
  point_close(&p);
  return sign;
}

static SignSet of_param(Signs *g, SymbolId symbol) {
  uint32_t i = pool_symbol_get(g->s->pool, symbol)->index;
  const SystemParam *p = &g->s->params.items[i];
  ExprId self = expr_sym(g->s->pool, symbol);
  if (!g->known[i]) {
    g->sign[i] = p->value && has_numbers(g, p->value) ? of_values(g, self) : sign_plus;
    g->known[i] = true;
  }
  // zero belongs to the positive ones: a damping that is switched off
  SignSet sign = g->sign[i] == sign_zero ? sign_plus | sign_zero : g->sign[i];
  if (sign != sign_any) assume(g, self, sign);
  return sign;
}

static SignSet of(Signs *g, ExprId id, int depth);

static SignSet add_signs(SignSet a, SignSet b) {
  SignSet out = 0;
  if ((a | b) & sign_plus) out |= sign_plus;
  if ((a | b) & sign_minus) out |= sign_minus;
  if ((a & sign_zero && b & sign_zero) || (out & sign_plus && out & sign_minus)) out |= sign_zero;
  // both must be able to: a plus with a certain minus may be anything
  return out ? out : sign_zero;
}

static SignSet mul_signs(SignSet a, SignSet b) {
  SignSet out = 0;
  if ((a | b) & sign_zero) out |= sign_zero;
  if ((a & sign_plus && b & sign_plus) || (a & sign_minus && b & sign_minus)) out |= sign_plus;
  if ((a & sign_plus && b & sign_minus) || (a & sign_minus && b & sign_plus)) out |= sign_minus;
  return out;
}

static SignSet of_sum(Signs *g, ExprId id, int depth) {
  SignSet sign = 0;
  uint32_t n = expr_term_count(g->s->pool, id);
  for (uint32_t i = 0; i < n; i++) {
    Term t = expr_term(g->s->pool, id, i);
    SignSet one = mul_signs(sign_of_number(rat_sign(t.coef)), of(g, t.term, depth + 1));
    sign = i ? add_signs(sign, one) : one;
    if ((sign & sign_plus) && (sign & sign_minus)) return sign_any;
  }
  return sign;
}

static SignSet of_power(Signs *g, ExprId base, ExprId exponent, int depth) {
  Rat e;
  uint32_t before = g->assumed.count;
  SignSet b = of(g, base, depth + 1);
  if (!expr_number(g->s->pool, exponent, &e)) return b == sign_plus ? sign_plus : sign_any;
  if (e.big) return sign_any;
  bool whole = e.den == 1, even = whole && e.num % 2 == 0;
  if (even && g->assumed.count > before) { // whatever its sign; below a line it is not zero
    g->assumed.count = before;
    bool parameters = expr_only_kinds(g->s->pool, base, kind_set(sym_param));
    if (e.num > 0 && parameters && !(b & sign_zero)) assume(g, base, sign_plus | sign_minus);
  }
  if (e.num < 0) b &= ~(unsigned)sign_zero; // no value there
  if (!b) return sign_any;
  if (even) return (b & (sign_plus | sign_minus) ? sign_plus : 0) | (b & sign_zero);
  if (!whole) return (b & sign_zero) | sign_plus; // a root: what is negative has no value
  return b;
}

// Has it the sign of its argument?
static bool is_like_argument(ExprOp op) { return op == op_sinh || op == op_tanh || op == op_atan || op == op_sign; }

// The arguments instead of odd functions that rise: tanh(2*v)*v has the sign of 2*v*v. id itself: there are none.
static ExprId of_arguments(ExprPool *pool, ExprId id) {
  ExprId out = expr_num(pool, expr_coef(pool, id));
  bool any = false;
  for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
    Factor f = expr_factor(pool, id, i);
    Rat e;
    bool odd = expr_number(pool, f.exponent, &e) && !e.big && e.den == 1 && e.num % 2 != 0 && e.num > 0;
    bool like = odd && is_like_argument(expr_op(pool, f.base));
    any = any || like;
    out = expr_mul(pool, out, like ? pool_args(pool, f.base)[0] : expr_pow(pool, f.base, f.exponent));
  }
  return any ? out : id;
}

static SignSet of_product(Signs *g, ExprId id, int depth) {
  SignSet sign = sign_of_number(rat_sign(expr_coef(g->s->pool, id)));
  uint32_t before = g->assumed.count;
  for (uint32_t i = 0; i < expr_factor_count(g->s->pool, id); i++) {
    Factor f = expr_factor(g->s->pool, id, i);
    sign = mul_signs(sign, of_power(g, f.base, f.exponent, depth));
  }
  if (!((sign & sign_plus) && (sign & sign_minus))) return sign;
  ExprId plain = of_arguments(g->s->pool, id);
  if (!plain || plain == id) return sign;
  g->assumed.count = before;
  return of(g, plain, depth + 1);
}

// Is a function of a variable odd, and not negative behind 0? The inverse of one is one, too.
static bool rises_through_zero(Signs *g, ExprId body, ExprId variable, int depth) {
  ExprPool *pool = g->s->pool;
  SymbolId s = expr_symbol(pool, variable);
  if (!s || g->positive || depth > deepest) return false;
  if (expr_op(pool, body) == op_inverse && pool_args(pool, body)[2] == variable)
    return rises_through_zero(g, pool_args(pool, body)[0], pool_args(pool, body)[1], depth + 1);
  SymbolMap map = symbol_map_new(pool);
  ExprId turned = 0;
  symbol_map_set(&map, s, expr_neg(pool, variable));
  if (!expr_replace(pool, &map, &body, 1, &turned) || expr_add(pool, body, turned) != pool->zero) return false;
  g->positive = s;
  SignSet sign = of(g, body, depth + 1);
  g->positive = 0;
  return !(sign & sign_minus);
}

// From 0, of such a function.
static SignSet of_integral(Signs *g, ExprId id, int depth) {
  const ExprId *args = pool_args(g->s->pool, id);
  ExprId body = args[0], variable = args[1], from = args[2];
  bool good = from == g->s->pool->zero && rises_through_zero(g, body, variable, depth);
  return good ? sign_plus | sign_zero : sign_any;
}

static SignSet of_function(Signs *g, ExprId id, int depth) {
  ExprPool *pool = g->s->pool;
  switch ((int)expr_op(pool, id)) {
  case op_exp:
  case op_cosh: return sign_plus;
  case op_abs: {
    SignSet a = of(g, pool_args(pool, id)[0], depth + 1);
    return (a & (sign_plus | sign_minus) ? sign_plus : 0) | (a & sign_zero);
  }
  case op_sinh:
  case op_tanh:
  case op_atan:
  case op_sign: return of(g, pool_args(pool, id)[0], depth + 1); // is_like_argument
  case op_step: return sign_plus | sign_zero;
  case op_integral: return of_integral(g, id, depth);
  case op_pi: return sign_plus;
  default: return sign_any;
  }
}

static SignSet of(Signs *g, ExprId id, int depth) {
  ExprPool *pool = g->s->pool;
  Rat r;
  SymbolId symbol = expr_symbol(pool, id);
  if (depth > deepest) return sign_any;
  if (expr_number(pool, id, &r)) return sign_of_number(rat_sign(r));
  if (symbol && symbol == g->positive) return sign_plus;
  if (symbol) return pool_symbol_get(pool, symbol)->kind == sym_param ? of_param(g, symbol) : sign_any;
  if (expr_op(pool, id) == op_add) return of_sum(g, id, depth);
  if (expr_op(pool, id) == op_mul) return of_product(g, id, depth);
  return of_function(g, id, depth);
}

// cos^2 = 1 - sin^2 in a sum, or the other way round
typedef struct SquareTurn {
  ExprPool *pool;
  ExprOp from, to;
} SquareTurn;

static ExprId turned_sum(SquareTurn *c, ExprId sum) {
  ExprPool *pool = c->pool;
  ExprId out = pool->zero;
  for (uint32_t i = 0; i < expr_term_count(pool, sum); i++) {
    Term t = expr_term(pool, sum, i);
    ExprId value = expr_scale(pool, t.coef, t.term);
    for (uint32_t k = 0; expr_op(pool, value) == op_mul && k < expr_factor_count(pool, value); k++) {
      Factor f = expr_factor(pool, value, k);
      Rat e;
      if (expr_op(pool, f.base) != c->from || !expr_number(pool, f.exponent, &e) || e.big || e.den != 1 || e.num != 2)
        continue;
      ExprId arg = pool_args(pool, f.base)[0], other = expr_powi(pool, expr_fn(pool, c->to, &arg, 1), 2);
      ExprId rest = expr_div(pool, value, expr_powi(pool, f.base, 2));
      value = expr_expand(pool, expr_mul(pool, rest, expr_sub(pool, pool->one, other)), 2000);
      break;
    }
    out = expr_add(pool, out, value);
  }
  return expr_expand(pool, out, 2000);
}

static ExprId over_one_denominator(Signs *g, ExprId id) {
  Normal n = {0};
  ExprId root = id, out = 0;
  if (normal_open(&n, g->s->pool, g->s->arena, &root, 1)) {
    Frac f = frac_of(&n, root);
    if (f.num) out = frac_expr(&n, f);
  }
  normal_close(&n);
  return out;
}

SignSet signs_of(Signs *g, ExprId id) {
  ExprPool *pool = g->s->pool;
  uint32_t before = g->assumed.count;
  SignSet sign = of(g, id, 0);
  if (!((sign & sign_plus) && (sign & sign_minus))) return sign;
  g->assumed.count = before;
  // a product of a sum with what has a sign
  ExprId sum = expr_expand(pool, id, 2000);
  static const ExprOp ways[2][2] = {{op_cos, op_sin}, {op_sin, op_cos}};
  for (int k = 0; k < 2 && sum && expr_op(pool, sum) == op_add; k++) {
    SquareTurn c = {pool, ways[k][0], ways[k][1]};
    ExprId other = turned_sum(&c, sum);
    sign = other ? of(g, other, 0) : sign_any;
    if (!((sign & sign_plus) && (sign & sign_minus))) return sign;
    g->assumed.count = before;
  }
  if (expr_is_rational(pool, id) && !expr_is_polynomial(pool, id)) {
    ExprId whole = over_one_denominator(g, id);
    sign = whole ? of(g, whole, 0) : sign_any;
    if (!((sign & sign_plus) && (sign & sign_minus))) return sign;
    g->assumed.count = before;
  }
  if (!expr_only_kinds(pool, id, kind_set(sym_param))) return sign_any;
  sign = of_values(g, id);
  if (sign != sign_any) assume(g, expr_group(pool, sum ? sum : id), sign);
  return sign;
}

// ---- matrices

typedef struct Eliminating {
  Signs *g;
  ExprPool *pool;
  Arena *arena;
  ExprId *a;
  bool *done;
  uint32_t n;
  Semidefinite *out;
} Eliminating;

static bool is_zero(Eliminating *w, ExprId id) { return id == w->pool->zero || expr_vanishes(w->pool, w->arena, id); }

// An entry beside the diagonal in row i that is not zero; n: none.
static uint32_t beside(Eliminating *w, uint32_t i) {
  for (uint32_t j = 0; j < w->n; j++) {
    if (j != i && !w->done[j] && !is_zero(w, w->a[i * w->n + j])) return j;
  }
  return w->n;
}

static ExprId simpler(Eliminating *w, ExprId id) {
  ExprId tidy = port_tidy(w->pool, id);
  if (!tidy || tidy == w->pool->zero) return tidy;
  return is_zero(w, tidy) ? w->pool->zero : tidy;
}

static bool take_off(Eliminating *w, uint32_t i) {
  uint32_t n = w->n;
  ExprId pivot = w->a[i * n + i];
  SquareTerm square = {.i = i, .pivot = pivot, .factors = arena_array(w->arena, n, sizeof(ExprId))};
  if (!square.factors) return false;
  for (uint32_t j = 0; j < n; j++)
    square.factors[j] = j == i || w->done[j] ? w->pool->zero : expr_div(w->pool, w->a[i * n + j], pivot);
  for (uint32_t j = 0; j < n; j++) {
    if (j == i || w->done[j] || square.factors[j] == w->pool->zero) continue;
    for (uint32_t k = 0; k < n; k++) {
      if (k == i || w->done[k] || w->a[i * n + k] == w->pool->zero) continue;
      ExprId less = expr_mul(w->pool, square.factors[j], w->a[i * n + k]);
      w->a[j * n + k] = simpler(w, expr_sub(w->pool, w->a[j * n + k], less));
    }
  }
  w->done[i] = true;
  return vec_push(w->arena, &w->out->squares, square);
}

// e with e' A e < 0: the entry alone, brought back through what was taken off. With a zero on the diagonal
// e_i = -(A_jj + 1)/(2 A_ij), e_j = 1 gives -1.
static void find_direction(Eliminating *w, uint32_t i, uint32_t j) {
  ExprPool *pool = w->pool;
  uint32_t n = w->n;
  ExprId *e = arena_array(w->arena, (size_t)n + 1, sizeof *e);
  for (uint32_t k = 0; e && k < n; k++) e[k] = pool->zero;
  if (!e) return;
  e[i] = pool->one;
  if (i != j) {
    ExprId above = expr_neg(pool, expr_add(pool, w->a[j * n + j], pool->one));
    e[i] = expr_div(pool, above, expr_scale(pool, rat_int(2), w->a[i * n + j]));
    e[j] = pool->one;
  }
  for (uint32_t k = w->out->squares.count; k-- > 0;) {
    const SquareTerm *q = &w->out->squares.items[k];
    ExprId sum = pool->zero;
    for (uint32_t l = 0; l < n; l++) sum = expr_sub(pool, sum, expr_mul(pool, q->factors[l], e[l]));
    e[q->i] = sum;
  }
  w->out->direction = e;
}

static void refuse(Eliminating *w, uint32_t i, uint32_t j) {
  find_direction(w, i, j);
  w->out->verdict = definite_no;
  w->out->row = i;
  w->out->column = j;
  w->out->entry = w->a[i * w->n + j];
}

// Rows with nothing beside the diagonal, and proofs that it cannot be. True: something was done.
static bool simple_rows(Eliminating *w) {
  bool any = false;
  for (uint32_t i = 0; i < w->n && w->out->verdict == definite_undecided; i++) {
    if (w->done[i]) continue;
    ExprId d = w->a[i * w->n + i];
    uint32_t j = beside(w, i);
    if (is_zero(w, d)) {
      if (j < w->n) {
        // what is no rational function may be zero without a proof
        if (expr_is_rational(w->pool, w->a[i * w->n + j])) refuse(w, i, j);
        return false;
      }
      w->done[i] = any = true;
      continue;
    }
    SignSet sign = signs_of(w->g, d);
    if (sign == sign_minus) {
      refuse(w, i, i);
      return false;
    }
    if (j == w->n && !(sign & sign_minus)) {
      w->out->strict += sign == sign_plus;
      if (!take_off(w, i)) return false;
      any = true;
    }
  }
  return any;
}

static bool one_pivot(Eliminating *w) {
  uint32_t best = w->n, least = UINT32_MAX;
  for (uint32_t i = 0; i < w->n; i++) {
    if (w->done[i] || signs_of(w->g, w->a[i * w->n + i]) != sign_plus) continue;
    uint32_t terms = expr_term_count(w->pool, w->a[i * w->n + i]);
    if (terms < least) {
      best = i;
      least = terms;
    }
  }
  if (best == w->n) return false;
  w->out->strict++;
  return take_off(w, best);
}

bool semidefinite_find(Signs *g, const ExprId *matrix, uint32_t n, Semidefinite *out) {
  Eliminating work = {.g = g, .pool = g->s->pool, .arena = g->s->arena, .n = n, .out = out}, *w = &work;
  *out = (Semidefinite){.verdict = definite_undecided};
  w->a = arena_array(w->arena, (size_t)n * n + 1, sizeof *w->a);
  w->done = arena_array(w->arena, (size_t)n + 1, sizeof *w->done);
  if (!w->a || !w->done) return false;
  for (uint32_t i = 0; i < n * n; i++) w->a[i] = matrix[i];
  for (;;) {
    bool any = simple_rows(w);
    if (out->verdict == definite_no || arena_failed(w->arena)) break;
    if (!any && !one_pivot(w)) break;
  }
  bool all = true;
  for (uint32_t i = 0; i < n; i++) all = all && w->done[i];
  if (all && out->verdict == definite_undecided) out->verdict = definite_yes;
  return !arena_failed(w->arena);
}
