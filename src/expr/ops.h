// What an operation is: the columns of ops.def as data.
// parts: guard.c
#ifndef VIVA_EXPR_OPS_H
#define VIVA_EXPR_OPS_H

#include "expr/pool.h"

typedef enum OpSmoothness { smoothness_smooth, smoothness_corner, smoothness_jump } OpSmoothness;
typedef enum OpParity { parity_none, parity_odd, parity_even } OpParity;
typedef enum OpMaking { making_rules, making_own, making_raw } OpMaking; // by expr_fn, its own constructor, expr_raw

// Where it has its corner or jump: of g = high - low, or of g = low/high.
typedef enum OpSwitching {
  switching_never,
  switching_above,  // g > 0 against the rest
  switching_from,   // g >= 0 against the rest
  switching_sides,  // g < 0, g = 0 and g > 0
  switching_point,  // g = 0 against the rest
  switching_whole,  // at whole numbers of g
  switching_truth,  // the truth of an argument
  switching_choice, // the truth of the first argument, which chooses another
} OpSwitching;

typedef enum OpPart { part_none, part_zero, part_one, part_a, part_b } OpPart;

typedef struct OpInfo {
  const char *name;
  uint8_t arity; // of an elementary function
  OpSmoothness smoothness;
  OpParity parity;
  OpSwitching switching;
  OpPart low, high;
  bool truth; // its value is the answer of a condition, 0 or 1
  OpMaking making;
} OpInfo;

extern const OpInfo expr_ops[op_count];

static inline const OpInfo *expr_op_info(ExprOp op) { return &expr_ops[op]; }
static inline bool expr_op_is_truth(ExprOp op) { return expr_ops[op].truth; }
static inline bool expr_op_is_raw(ExprOp op) { return expr_ops[op].making == making_raw; }
// Has it a corner or jump of its own, where its guard is zero or whole? Not of and, or, not, if: conditions decide
// those.
static inline bool expr_op_switches(ExprOp op) { return expr_ops[op].low != part_none; }
// Has it a jump, of which its derivative shows nothing? Not of if: its condition decides.
static inline bool expr_op_jumps(ExprOp op) {
  const OpInfo *x = &expr_ops[op];
  return x->making == making_rules && x->smoothness == smoothness_jump && x->switching != switching_choice;
}
// Does it jump between the two sides of its guard, so that a sliding mode may stay there with a value between?
static inline bool expr_op_can_hold(ExprOp op) {
  OpSwitching s = expr_ops[op].switching;
  return expr_ops[op].smoothness == smoothness_jump &&
         (s == switching_above || s == switching_from || s == switching_sides);
}

// ---- guard.c

// The two that are equal where it switches, and the guard g of them. Of operations that switch.
ExprId expr_guard_low(const ExprPool *pool, ExprOp op, const ExprId *args);
ExprId expr_guard_high(const ExprPool *pool, ExprOp op, const ExprId *args);
ExprId expr_guard(ExprPool *pool, ExprOp op, const ExprId *args);

#endif
