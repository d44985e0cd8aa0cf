// Inverses in closed form: what stands around the variable is taken off, from the outside to the inside.
//
// in    a body in which the variable occurs once, or as c v/sqrt(a + b v^2)
// out   the variable as a formula of the value y
//
//   w + r = y    w = y - r            tanh w = y   w = 1/2 ln((1 + y)/(1 - y))      exp w = y    w = ln y
//   c w = y      w = y/c              sinh w = y   w = ln(y + sqrt(y^2 + 1))        ln w = y     w = exp y
//   sqrt w = y   w = y^2              atan w = y   w = tan y
//   c v/sqrt(a + b v^2) = y:  with z = y/c,  v = z sqrt(a)/sqrt(1 - b z^2)
//
// y must be a value of the function: beyond its limits (of tanh, of atan) the formula has no value, or another one, as
// the function has no inverse there.
#include "algebra/closed_inverse.h"

#include "expr/calculus.h"
#include "expr/ops.h"

enum { most_layers = 20 };

static ExprId fn(ExprPool *pool, ExprOp op, ExprId arg) { return arg ? expr_fn(pool, op, &arg, 1) : 0; }

static ExprId power(ExprPool *pool, ExprId base, int64_t above, int64_t below) {
  return expr_pow(pool, base, expr_num(pool, (Rat){above, below, NULL}));
}

// The one term with the variable; the others go over. 0: there are several.
static ExprId peel_sum(ExprPool *pool, ExprId body, SymbolId v, ExprId *y) {
  ExprId inner = 0;
  for (uint32_t i = 0; i < expr_term_count(pool, body); i++) {
    Term t = expr_term(pool, body, i);
    ExprId value = expr_scale(pool, t.coef, t.term);
    if (!expr_depends(pool, value, v)) *y = expr_sub(pool, *y, value);
    else if (inner) return 0;
    else inner = value;
  }
  return inner;
}

// a and b of a + b v^2, both without v. False: it is no such sum.
static bool squares_of(ExprPool *pool, ExprId sum, SymbolId v, ExprId *a, ExprId *b) {
  ExprId square = expr_powi(pool, expr_sym(pool, v), 2);
  *a = *b = pool->zero;
  if (expr_op(pool, sum) != op_add) return false;
  for (uint32_t i = 0; i < expr_term_count(pool, sum); i++) {
    Term t = expr_term(pool, sum, i);
    ExprId value = expr_scale(pool, t.coef, t.term), over = expr_div(pool, value, square);
    if (!expr_depends(pool, value, v)) *a = expr_add(pool, *a, value);
    else if (over && !expr_depends(pool, over, v)) *b = expr_add(pool, *b, over);
    else return false;
  }
  return *a != pool->zero;
}

// c v (a + b v^2)^(-1/2)
static ExprId by_root(ExprPool *pool, ExprId body, SymbolId v, ExprId y) {
  ExprId others = expr_num(pool, expr_coef(pool, body)), a = 0, b = 0;
  bool place = false, root = false;
  for (uint32_t i = 0; i < expr_factor_count(pool, body); i++) {
    Factor f = expr_factor(pool, body, i);
    Rat e;
    bool numeric = expr_number(pool, f.exponent, &e) && !e.big;
    if (expr_symbol(pool, f.base) == v && numeric && e.num == 1 && e.den == 1) place = true;
    else if (numeric && e.num == -1 && e.den == 2 && squares_of(pool, f.base, v, &a, &b)) root = true;
    else if (!expr_depends(pool, f.base, v) && !expr_depends(pool, f.exponent, v))
      others = expr_mul(pool, others, expr_pow(pool, f.base, f.exponent));
    else return 0;
  }
  if (!place || !root) return 0;
  ExprId z = expr_div(pool, y, others);
  ExprId below = expr_sub(pool, pool->one, expr_mul(pool, b, expr_powi(pool, z, 2)));
  return expr_mul(pool, z, expr_mul(pool, power(pool, a, 1, 2), power(pool, below, -1, 2)));
}

// The one factor with the variable; the others go over. 0: there are several, or a power that is none of a root.
static ExprId peel_product(ExprPool *pool, ExprId body, SymbolId v, ExprId *y) {
  ExprId inner = 0, exponent = 0;
  *y = expr_div(pool, *y, expr_num(pool, expr_coef(pool, body)));
  for (uint32_t i = 0; i < expr_factor_count(pool, body); i++) {
    Factor f = expr_factor(pool, body, i);
    if (!expr_depends(pool, f.base, v) && !expr_depends(pool, f.exponent, v)) {
      *y = expr_div(pool, *y, expr_pow(pool, f.base, f.exponent));
      continue;
    }
    if (inner) return 0;
    inner = f.base;
    exponent = f.exponent;
  }
  Rat e;
  if (!inner || !expr_number(pool, exponent, &e) || e.big || e.num != 1) return 0;
  if (e.den == 2) *y = expr_powi(pool, *y, 2);
  return e.den <= 2 ? inner : 0;
}

static ExprId peel_function(ExprPool *pool, ExprId body, ExprId *y) {
  ExprId one = pool->one, square = expr_powi(pool, *y, 2);
  switch ((int)expr_op(pool, body)) {
  case op_tanh:
    *y = fn(pool, op_ln, expr_div(pool, expr_add(pool, one, *y), expr_sub(pool, one, *y)));
    *y = expr_scale(pool, (Rat){1, 2, NULL}, *y);
    break;
  case op_sinh: *y = fn(pool, op_ln, expr_add(pool, *y, power(pool, expr_add(pool, square, one), 1, 2))); break;
  case op_atan: *y = fn(pool, op_tan, *y); break;
  case op_exp: *y = fn(pool, op_ln, *y); break;
  case op_ln: *y = fn(pool, op_exp, *y); break;
  default: return 0;
  }
  return pool_args(pool, body)[0];
}

ExprId closed_inverse(ExprPool *pool, ExprId body, SymbolId v, ExprId y) {
  for (int layer = 0; layer < most_layers && body && y; layer++) {
    if (expr_symbol(pool, body) == v) return y;
    if (expr_op(pool, body) == op_add) {
      body = peel_sum(pool, body, v, &y);
    } else if (expr_op(pool, body) == op_mul) {
      ExprId rooted = by_root(pool, body, v, y);
      if (rooted) return rooted;
      body = peel_product(pool, body, v, &y);
    } else {
      body = peel_function(pool, body, &y);
    }
  }
  return 0;
}
