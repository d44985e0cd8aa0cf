// Guards (zero-crossing functions) of operations with a corner or a jump.
//
// in    an operation, and its arguments
// out   an expression that is zero (or whole, of floor and mod) just where the operation has its corner or jump:
//       abs(a): a. min(a, b): a - b. a < b: b - a. mod(a, b): a/b.
#include "expr/ops.h"

static ExprId part(const ExprPool *pool, OpPart which, const ExprId *args) {
  switch (which) {
  case part_zero: return pool->zero;
  case part_one: return pool->one;
  case part_a: return args[0];
  case part_b: return args[1];
  default: return 0;
  }
}

ExprId expr_guard_low(const ExprPool *pool, ExprOp op, const ExprId *args) {
  return part(pool, expr_ops[op].low, args);
}

ExprId expr_guard_high(const ExprPool *pool, ExprOp op, const ExprId *args) {
  return part(pool, expr_ops[op].high, args);
}

ExprId expr_guard(ExprPool *pool, ExprOp op, const ExprId *args) {
  ExprId low = expr_guard_low(pool, op, args), high = expr_guard_high(pool, op, args);
  return expr_ops[op].switching == switching_whole ? expr_div(pool, low, high) : expr_sub(pool, high, low);
}
