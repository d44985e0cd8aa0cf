// Numbers, pi, sums, products, powers and elementary functions of these. What such an operation computes stands in
// ops.def alone.
#include "expr/constant.h"

#include "expr/ops.h"

#include <math.h>

#define M(f) f

static double function(const ExprPool *pool, ExprId id) {
  const ExprId *args = pool_args(pool, id);
  uint32_t count = expr_op_info(expr_op(pool, id))->arity;
  double a = count > 0 ? expr_constant(pool, args[0]) : NAN, b = count > 1 ? expr_constant(pool, args[1]) : 0,
         c = count > 2 ? expr_constant(pool, args[2]) : 0;
  switch (expr_op(pool, id)) {
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  case op_##name:                                                                                                      \
    return value;
#include "expr/ops.def"
#undef OP
  default: return NAN;
  }
}

double expr_constant(const ExprPool *pool, ExprId id) {
  Rat r;
  double value = 0;
  if (!id) return NAN;
  if (expr_number(pool, id, &r)) return rat_to_double(r);
  switch (expr_op(pool, id)) {
  case op_sym: return NAN;
  case op_pi: return 3.14159265358979323846;
  case op_inf: return INFINITY;
  case op_add:
    for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      value += rat_to_double(t.coef) * expr_constant(pool, t.term);
    }
    return value;
  case op_mul:
    value = rat_to_double(expr_coef(pool, id));
    for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
      Factor f = expr_factor(pool, id, i);
      value *= pow(expr_constant(pool, f.base), expr_constant(pool, f.exponent));
    }
    return value;
  default: return function(pool, id);
  }
}
