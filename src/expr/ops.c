// The columns of ops.def as a table, and the guards of operations that switch.
//
// in    an operation, and its arguments
// out   its line of ops.def; its guard: an expression that is zero (or whole, of floor and mod) just where the
// operation
//       has its corner or jump. abs(a): a. min(a, b): a - b. a < b: b - a. mod(a, b): a/b.
#include "expr/ops.h"

// The words of the columns.
#define above(low, high) switching_above, part_##low, part_##high
#define from(low, high) switching_from, part_##low, part_##high
#define sides(low, high) switching_sides, part_##low, part_##high
#define point(low, high) switching_point, part_##low, part_##high
#define whole(low, high) switching_whole, part_##low, part_##high
#define never switching_never, part_none, part_none
#define choice switching_choice, part_none, part_none
#define truth switching_truth, part_none, part_none
enum { answer_number, answer_truth };

const OpInfo expr_ops[op_count] = {
#define FORM(name, smoothness, making)                                                                                 \
  [op_##name] = {#name, 0, smoothness_##smoothness, parity_none, never, false, making_##making},
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  [op_##name] = {#name, arity, smoothness_##smoothness, parity_##parity, switching, answer_##answer, making_rules},
#include "expr/ops.def"
#undef OP
};

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
