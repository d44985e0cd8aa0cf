// Construction and automatic simplification of expressions: sums, products, powers and functions with their rules.
//
// The rules keep values: constants fold, like terms and equal bases join, signs leave odd and even functions.
// (x^a)^b joins only for whole b; (x^2)^(1/2) is |x|.
#include "expr/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- sums

static int by_term(const void *a, const void *b) {
  ExprId x = ((const Term *)a)->term, y = ((const Term *)b)->term;
  return (x > y) - (x < y);
}

// Splits coef * id into numeric coefficient and the rest, and flattens nested sums.
static bool terms_put(ExprPool *pool, TermList *out, Rat coef, ExprId id) {
  if (!rat_valid(coef)) pool_refuse(pool, limit_number);
  if (!id || !rat_valid(coef)) return false;
  switch (expr_op(pool, id)) {
  case op_num: {
    Rat value = RAT_ONE;
    expr_number(pool, id, &value);
    return vec_push(pool->scratch, out, (Term){rat_mul(pool->arena, coef, value), pool->one});
  }
  case op_add: {
    uint32_t count = expr_term_count(pool, id);
    for (uint32_t i = 0; i < count; i++) {
      Term t = expr_term(pool, id, i);
      if (!vec_push(pool->scratch, out, (Term){rat_mul(pool->arena, coef, t.coef), t.term})) return false;
    }
    return true;
  }
  case op_mul: {
    Rat c = expr_coef(pool, id);
    if (rat_is_int_value(c, 1)) break;
    const ExprNode *n = pool_node(pool, id);
    ExprId rest;
    if (n->count == 3 && pool_args(pool, id)[2] == pool->one) {
      rest = pool_args(pool, id)[1];
    } else {
      ExprId local[16], *args = n->count <= 16 ? local : arena_array(pool->scratch, n->count, sizeof *args);
      if (!args) return false;
      memcpy(args, pool_args(pool, id), n->count * sizeof *args);
      args[0] = pool->one;
      rest = expr_raw(pool, op_mul, args, n->count);
    }
    return rest && vec_push(pool->scratch, out, (Term){rat_mul(pool->arena, coef, c), rest});
  }
  default: break;
  }
  return vec_push(pool->scratch, out, (Term){coef, id});
}

static ExprId terms_join(ExprPool *pool, Term *terms, uint32_t count) {
  // order and join like terms
  bool sorted = true;
  for (uint32_t i = 1; i < count; i++) sorted = sorted && terms[i - 1].term < terms[i].term;
  if (!sorted) qsort(terms, count, sizeof *terms, by_term);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count;) {
    Term t = terms[i++];
    while (i < count && terms[i].term == t.term) t.coef = rat_add(pool->arena, t.coef, terms[i++].coef);
    if (!rat_valid(t.coef)) return pool_refuse(pool, limit_number);
    if (!rat_is_zero(t.coef)) terms[kept++] = t;
  }
  if (kept == 0) return pool->zero;
  if (kept == 1 && expr_op(pool, terms[0].term) != op_add) return expr_scale(pool, terms[0].coef, terms[0].term);
  ExprId local[64], *args = kept <= 32 ? local : arena_array(pool->scratch, 2 * (size_t)kept, sizeof *args);
  if (!args) return 0;
  for (size_t i = 0; i < kept; i++) {
    args[2 * i] = expr_num(pool, terms[i].coef);
    args[2 * i + 1] = terms[i].term;
  }
  return expr_raw(pool, op_add, args, 2 * kept);
}

ExprId expr_sum(ExprPool *pool, const Term *terms, uint32_t count) {
  Term local[32];
  TermList flat = {local, 0, 32};
  ArenaMark mark = arena_mark(pool->scratch);
  ExprId sum = 0;
  bool ok = true;
  for (uint32_t i = 0; i < count && ok; i++) {
    if (terms[i].term && expr_op(pool, terms[i].term) == op_undefined) sum = terms[i].term;
    ok = !sum && terms_put(pool, &flat, terms[i].coef, terms[i].term);
  }
  if (ok) sum = terms_join(pool, flat.items, flat.count);
  arena_release(pool->scratch, mark);
  return sum;
}

ExprId expr_whole(ExprPool *pool, ExprId a) {
  enum { many = 32 };
  bool is_long = a && ((expr_op(pool, a) == op_add && expr_term_count(pool, a) > many) ||
                       (expr_op(pool, a) == op_mul && expr_factor_count(pool, a) > many));
  return is_long ? expr_raw(pool, op_add, (ExprId[]){pool->one, a}, 2) : a;
}

ExprId expr_sum_like(ExprPool *pool, ExprId like, Term *terms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (expr_op(pool, expr_term(pool, like, i).term) == op_add) terms[i].term = expr_whole(pool, terms[i].term);
  }
  ExprId sum = expr_sum(pool, terms, count);
  return count == 1 ? expr_whole(pool, sum) : sum;
}

ExprId expr_add(ExprPool *pool, ExprId a, ExprId b) {
  if (!a || !b) return 0;
  if (a == pool->zero) return b;
  if (b == pool->zero) return a;
  return expr_sum(pool, (Term[]){{RAT_ONE, a}, {RAT_ONE, b}}, 2);
}

ExprId expr_sub(ExprPool *pool, ExprId a, ExprId b) {
  if (!a || !b) return 0;
  if (b == pool->zero) return a;
  return expr_sum(pool, (Term[]){{RAT_ONE, a}, {rat_int(-1), b}}, 2);
}

ExprId expr_scale(ExprPool *pool, Rat factor, ExprId a) {
  if (!rat_valid(factor)) return pool_refuse(pool, limit_number);
  if (!a) return 0;
  if (rat_is_int_value(factor, 1)) return a;
  if (expr_op(pool, a) == op_add) return expr_sum(pool, (Term[]){{factor, a}}, 1);
  return expr_product(pool, factor, (Factor[]){{a, pool->one}}, 1);
}

ExprId expr_neg(ExprPool *pool, ExprId a) { return expr_scale(pool, rat_int(-1), a); }

// ---- products

typedef VEC(Factor) Factors;

typedef struct Product {
  ExprPool *pool;
  Rat coef;
  Factors factors;
  bool failed, undefined;
} Product;

static int by_base(const void *a, const void *b) {
  ExprId x = ((const Factor *)a)->base, y = ((const Factor *)b)->base;
  return (x > y) - (x < y);
}

static bool leading_negative(const ExprPool *pool, ExprId id) {
  return expr_op(pool, id) == op_add && rat_sign(expr_term(pool, id, 0).coef) < 0;
}

static void product_put(Product *p, ExprId base, ExprId exponent);

static void product_scale(Product *p, Rat factor) {
  p->coef = rat_mul(p->pool->arena, p->coef, factor);
  if (rat_valid(p->coef)) return;
  pool_refuse(p->pool, limit_number);
  p->failed = true;
}

static void product_push(Product *p, ExprId base, ExprId exponent) {
  if (!base || !exponent || !vec_push(p->pool->scratch, &p->factors, (Factor){base, exponent})) p->failed = true;
}

// number ^ number
static void product_number(Product *p, ExprId base, Rat b, ExprId exponent, Rat e) {
  ExprPool *pool = p->pool;
  int64_t n;
  if (rat_is_zero(b)) {
    if (rat_sign(e) < 0) p->undefined = true;
    else p->coef = RAT_ZERO;
    return;
  }
  if (rat_to_int(e, &n)) {
    Rat value = rat_pow(pool->arena, b, n);
    if (rat_valid(value)) product_scale(p, value);
    else product_push(p, base, exponent);
    return;
  }
  // a root: exact if it is one, else the whole part of the exponent leaves
  Rat root = !e.big && e.den <= 64 ? rat_root(pool->arena, b, (unsigned)e.den) : RAT_NONE;
  if (rat_valid(root) && rat_sign(b) > 0) {
    Rat value = rat_pow(pool->arena, root, e.num);
    if (rat_valid(value)) {
      product_scale(p, value);
      return;
    }
  }
  Rat whole = rat_floor(pool->arena, e);
  Rat part = rat_add(pool->arena, e, rat_neg(pool->arena, whole));
  Rat value = rat_to_int(whole, &n) ? rat_pow(pool->arena, b, n) : RAT_NONE;
  if (rat_valid(value)) {
    product_scale(p, value);
    product_push(p, base, expr_num(pool, part));
  } else {
    product_push(p, base, exponent);
  }
}

// (product) ^ e
static void product_of_product(Product *p, ExprId base, ExprId exponent, bool whole) {
  ExprPool *pool = p->pool;
  uint32_t count = expr_factor_count(pool, base);
  Rat coef = expr_coef(pool, base);
  if (whole) {
    product_put(p, expr_num(pool, coef), exponent);
    for (uint32_t i = 0; i < count; i++) {
      Factor f = expr_factor(pool, base, i);
      product_put(p, f.base, expr_mul(pool, f.exponent, exponent));
    }
    return;
  }
  // a positive number may leave any power
  if (rat_sign(coef) > 0 && !rat_is_int_value(coef, 1)) {
    product_put(p, expr_num(pool, coef), exponent);
    product_put(p, expr_scale(pool, rat_div(pool->arena, RAT_ONE, coef), base), exponent);
    return;
  }
  // (x^2k)^e = |x|^(2k e)
  Factor f = expr_factor(pool, base, 0);
  Rat inner;
  int64_t k;
  if (count == 1 && rat_is_int_value(coef, 1) && expr_number(pool, f.exponent, &inner) && rat_to_int(inner, &k) &&
      k % 2 == 0) {
    product_put(p, expr_fn(pool, op_abs, &f.base, 1), expr_mul(pool, f.exponent, exponent));
    return;
  }
  product_push(p, base, exponent);
}

static void product_put(Product *p, ExprId base, ExprId exponent) {
  ExprPool *pool = p->pool;
  if (!base || !exponent) {
    p->failed = true;
    return;
  }
  if (exponent == pool->zero || base == pool->one) return;
  ExprOp op = expr_op(pool, base);
  if (op == op_undefined || expr_op(pool, exponent) == op_undefined) {
    p->undefined = true;
    return;
  }
  Rat b = RAT_ZERO, e;
  bool constant = expr_number(pool, exponent, &e);
  int64_t n = 0;
  bool whole = constant && rat_to_int(e, &n);
  if (op == op_num && constant) {
    expr_number(pool, base, &b);
    product_number(p, base, b, exponent, e);
  } else if (op == op_mul) {
    product_of_product(p, base, exponent, whole);
  } else if (op == op_abs && whole && n % 2 == 0) {
    product_put(p, pool_args(pool, base)[0], exponent);
  } else {
    product_push(p, base, exponent);
  }
}

// The number that all coefficients of a sum share, with the sign of the first: 2*a - 4*b holds 2.
static Rat content(ExprPool *pool, ExprId sum) {
  uint32_t count = expr_term_count(pool, sum);
  int64_t num = 0, den = 1;
  for (uint32_t i = 0; i < count; i++) {
    Rat c = expr_term(pool, sum, i).coef;
    if (c.big) return RAT_ONE;
    for (int64_t a = c.num < 0 ? -c.num : c.num; a;) {
      int64_t r = num % a;
      num = a;
      a = r;
    }
    int64_t g = den, b = c.den;
    while (b) {
      int64_t r = g % b;
      g = b;
      b = r;
    }
    if (__builtin_mul_overflow(den / g, c.den, &den)) return RAT_ONE;
  }
  return rat_make(pool->arena, leading_negative(pool, sum) ? -num : num, den);
}

// Sums inside a product are kept free of common numbers and start with a plus, so that (2*a - 2*b)*c and -2*(b - a)*c
// are one expression.
static void product_normalize(Product *p) {
  ExprPool *pool = p->pool;
  for (uint32_t i = 0; i < p->factors.count && !p->failed; i++) {
    Factor *f = &p->factors.items[i];
    Rat e;
    int64_t n;
    if (expr_op(pool, f->base) != op_add || !expr_number(pool, f->exponent, &e) || !rat_to_int(e, &n)) continue;
    if (n == 1 && p->factors.count == 1) continue;
    Rat c = content(pool, f->base);
    // a number that no double holds would be infinite in a run, where the power itself is not
    if (fabs(log2(fabs(rat_to_double(c))) * (double)n) > 900) continue;
    Rat power = rat_is_int_value(c, 1) ? RAT_NONE : rat_pow(pool->arena, c, n);
    if (!rat_valid(power)) continue;
    ExprId base = expr_scale(pool, rat_div(pool->arena, RAT_ONE, c), f->base);
    if (!base) p->failed = true;
    f->base = base;
    product_scale(p, power);
  }
}

// Few are put in one by one, without a call for each comparison.
static void sort_factors(Factor *f, uint32_t count) {
  enum { few = 12 };
  if (count > few) {
    qsort(f, count, sizeof *f, by_base);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    Factor x = f[i];
    uint32_t k = i;
    for (; k > 0 && by_base(&f[k - 1], &x) > 0; k--) f[k] = f[k - 1];
    f[k] = x;
  }
}

// Joins equal bases. True when a joined power must be looked at again.
static bool product_join(Product *p) {
  ExprPool *pool = p->pool;
  Factor *f = p->factors.items;
  uint32_t count = p->factors.count, kept = 0;
  bool again = false;
  sort_factors(f, count);
  for (uint32_t i = 0; i < count;) {
    Factor x = f[i++];
    bool joined = false;
    for (; i < count && f[i].base == x.base; i++) {
      x.exponent = expr_add(pool, x.exponent, f[i].exponent);
      joined = true;
    }
    if (!x.exponent) {
      p->failed = true;
      return false;
    }
    if (x.exponent == pool->zero) continue;
    if (joined) {
      ExprOp op = expr_op(pool, x.base);
      again = again || op == op_num || op == op_mul || op == op_abs;
    }
    f[kept++] = x;
  }
  p->factors.count = kept;
  return again;
}

static ExprId product(ExprPool *pool, Rat coef, const Factor *factors, uint32_t count) {
  if (!rat_valid(coef)) return pool_refuse(pool, limit_number);
  Factor local[24];
  Product p = {.pool = pool, .coef = coef, .factors = {local, 0, 24}};
  for (uint32_t i = 0; i < count; i++) product_put(&p, factors[i].base, factors[i].exponent);
  if (!p.failed) product_normalize(&p);
  for (int rounds = 0; !p.failed && p.factors.count > 1 && product_join(&p) && rounds < 8; rounds++) {
    Factor again[24], *old = again;
    uint32_t n = p.factors.count;
    if (n > 24 && !(old = arena_array(pool->scratch, n, sizeof *old))) return 0;
    memcpy(old, p.factors.items, n * sizeof *old);
    p.factors.count = 0;
    for (uint32_t i = 0; i < n; i++) product_put(&p, old[i].base, old[i].exponent);
  }
  if (p.failed) return 0;
  if (p.undefined) return expr_raw(pool, op_undefined, NULL, 0);
  if (rat_is_zero(p.coef)) return pool->zero;
  uint32_t n = p.factors.count;
  Factor *f = p.factors.items;
  if (n == 0) return expr_num(pool, p.coef);
  if (n == 1 && f[0].exponent == pool->one) {
    if (rat_is_int_value(p.coef, 1)) return f[0].base;
    if (expr_op(pool, f[0].base) == op_add) return expr_sum(pool, (Term[]){{p.coef, f[0].base}}, 1);
  }
  ExprId args_local[49], *args = n <= 24 ? args_local : arena_array(pool->scratch, 2 * (size_t)n + 1, sizeof *args);
  if (!args) return 0;
  args[0] = expr_num(pool, p.coef);
  for (uint32_t i = 0; i < n; i++) {
    args[1 + 2 * i] = f[i].base;
    args[2 + 2 * i] = f[i].exponent;
  }
  return expr_raw(pool, op_mul, args, 2 * n + 1);
}

ExprId expr_product(ExprPool *pool, Rat coef, const Factor *factors, uint32_t count) {
  ArenaMark mark = arena_mark(pool->scratch);
  ExprId id = product(pool, coef, factors, count);
  arena_release(pool->scratch, mark);
  return id;
}

ExprId expr_mul(ExprPool *pool, ExprId a, ExprId b) {
  if (!a || !b) return 0;
  if (a == pool->one) return b;
  if (b == pool->one) return a;
  if (a == pool->zero || b == pool->zero) return pool->zero;
  return expr_product(pool, RAT_ONE, (Factor[]){{a, pool->one}, {b, pool->one}}, 2);
}

ExprId expr_pow(ExprPool *pool, ExprId base, ExprId exponent) {
  if (!base || !exponent) return 0;
  if (exponent == pool->one) return base;
  return expr_product(pool, RAT_ONE, (Factor[]){{base, exponent}}, 1);
}

ExprId expr_powi(ExprPool *pool, ExprId base, int64_t exponent) {
  return expr_pow(pool, base, expr_int(pool, exponent));
}

ExprId expr_sqrt(ExprPool *pool, ExprId a) { return expr_pow(pool, a, expr_num(pool, (Rat){1, 2, NULL})); }

ExprId expr_div(ExprPool *pool, ExprId a, ExprId b) {
  if (!a || !b) return 0;
  return expr_product(pool, RAT_ONE, (Factor[]){{a, pool->one}, {b, pool->minus_one}}, 2);
}

// ---- functions

// The leading sign of an argument: sin(-x) is -sin(x), whatever x is.
static bool has_minus(const ExprPool *pool, ExprId id) {
  Rat r;
  if (expr_number(pool, id, &r)) return rat_sign(r) < 0;
  if (expr_op(pool, id) == op_mul) return rat_sign(expr_coef(pool, id)) < 0;
  return leading_negative(pool, id);
}

// The angle as a multiple of pi/2, when it is a whole one.
static bool quarter_turns(ExprPool *pool, ExprId id, int64_t *quarters) {
  if (id == pool->zero) {
    *quarters = 0;
    return true;
  }
  Rat c = RAT_ONE;
  if (expr_op(pool, id) == op_mul) {
    const ExprId *args = pool_args(pool, id);
    if (pool_node(pool, id)->count != 3 || args[1] != pool->pi || args[2] != pool->one) return false;
    expr_number(pool, args[0], &c);
  } else if (id != pool->pi) {
    return false;
  }
  return rat_to_int(rat_mul(pool->arena, c, rat_int(2)), quarters);
}

static ExprId fold_trig(ExprPool *pool, ExprOp op, ExprId a) {
  int64_t q;
  if (!quarter_turns(pool, a, &q)) return 0;
  if (op == op_cos) q += 1;
  q = (q % 4 + 4) % 4;
  return q == 0 || q == 2 ? pool->zero : q == 1 ? pool->one : pool->minus_one;
}

// Functions of numbers that have exact values.
static ExprId fold_numbers(ExprPool *pool, ExprOp op, const Rat *r) {
  int order = op == op_lt || op == op_le || op == op_eq || op == op_ne || op == op_min || op == op_max
                  ? rat_compare(r[0], r[1])
                  : 0;
  bool a = !rat_is_zero(r[0]);
  switch ((int)op) {
  case op_sin:
  case op_tan:
  case op_asin:
  case op_atan:
  case op_sinh:
  case op_tanh: return a ? 0 : pool->zero;
  case op_cos:
  case op_cosh:
  case op_exp: return a ? 0 : pool->one;
  case op_ln:
  case op_log10:
  case op_acos: return rat_is_int_value(r[0], 1) ? pool->zero : 0;
  case op_atan2: return !a && rat_sign(r[1]) > 0 ? pool->zero : 0;
  case op_abs: return expr_num(pool, rat_sign(r[0]) < 0 ? rat_neg(pool->arena, r[0]) : r[0]);
  case op_sign: return expr_int(pool, rat_sign(r[0]));
  case op_min: return expr_num(pool, order <= 0 ? r[0] : r[1]);
  case op_max: return expr_num(pool, order >= 0 ? r[0] : r[1]);
  case op_floor: return expr_num(pool, rat_floor(pool->arena, r[0]));
  case op_mod: {
    if (rat_is_zero(r[1])) return 0;
    Rat q = rat_floor(pool->arena, rat_div(pool->arena, r[0], r[1]));
    return expr_num(pool, rat_add(pool->arena, r[0], rat_neg(pool->arena, rat_mul(pool->arena, q, r[1]))));
  }
  case op_step: return rat_sign(r[0]) >= 0 ? pool->one : pool->zero;
  case op_ramp: return rat_sign(r[0]) > 0 ? expr_num(pool, r[0]) : pool->zero;
  case op_impulse: return a ? pool->zero : 0;
  case op_lt: return order < 0 ? pool->one : pool->zero;
  case op_le: return order <= 0 ? pool->one : pool->zero;
  case op_eq: return order == 0 ? pool->one : pool->zero;
  case op_ne: return order != 0 ? pool->one : pool->zero;
  case op_and: return a && !rat_is_zero(r[1]) ? pool->one : pool->zero;
  case op_or: return a || !rat_is_zero(r[1]) ? pool->one : pool->zero;
  case op_not: return a ? pool->zero : pool->one;
  default: return 0;
  }
}

ExprId expr_fn(ExprPool *pool, ExprOp op, const ExprId *args, uint32_t count) {
  Rat numbers[3];
  bool constant = count <= 3;
  for (uint32_t i = 0; i < count; i++) {
    if (!args[i]) return 0;
    if (expr_op(pool, args[i]) == op_undefined) return args[i];
    if (i < 3) constant = constant && expr_number(pool, args[i], &numbers[i]);
  }
  ExprId folded = 0;
  if (op == op_if) {
    Rat c;
    if (expr_number(pool, args[0], &c)) return rat_is_zero(c) ? args[2] : args[1];
    if (args[1] == args[2]) return args[1];
  } else if (constant) {
    folded = fold_numbers(pool, op, numbers);
  }
  if (!folded && (op == op_sin || op == op_cos)) folded = fold_trig(pool, op, args[0]);
  if (folded) return folded;
  // odd and even functions
  if (count == 1 && has_minus(pool, args[0])) {
    ExprId inner = expr_neg(pool, args[0]);
    OpParity parity = expr_op_info(op)->parity;
    if (parity == parity_odd) return expr_neg(pool, expr_fn(pool, op, &inner, 1));
    if (parity == parity_even) return expr_fn(pool, op, &inner, 1);
  }
  if (op == op_abs && expr_op(pool, args[0]) == op_abs) return args[0];
  return expr_raw(pool, op, args, count);
}
