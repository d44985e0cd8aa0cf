// Blocks without memory: an expression each.
//
//   limit(x, lo, hi)       min(max(x, lo), hi)            rectify(x)   max(x, 0)
//   deadzone(x, w)         x - min(max(x, -w/2), w/2)     compare(x, r, lo, hi)   hi where r < x, else lo
//   all, nand, any, nor    and, or of logic levels, inverted or not      switch(c, x)   x while c is 1, else 0
//
// Every corner is noted with the block's word and span (blocks_corner), so that a run can tell where it switched.
#include "lang/blocks.h"
#include "lang/block_parts.h"

static Value bad(void) { return value_none(); }

// ---- corners

Value block_limit(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[3];
  if (!function_scalars(e, a, env, x)) return bad();
  blocks_demand(e, a, blocks_op(e, op_lt, x[2], x[1]), "the lower limit is above the upper one");
  return value_of(
      blocks_corner(e, blocks_op(e, op_min, blocks_corner(e, blocks_op(e, op_max, x[0], x[1]), a), x[2]), a));
}

Value block_rectify(Elab *e, const Ast *a, const Binding *env) {
  ExprId x;
  return function_scalars(e, a, env, &x) ? value_of(blocks_corner(e, blocks_op(e, op_max, x, e->pool->zero), a))
                                         : bad();
}

Value block_deadzone(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[2];
  if (!function_scalars(e, a, env, x)) return bad();
  blocks_demand(e, a, blocks_op(e, op_lt, x[1], e->pool->zero), "the width is negative");
  ExprId w = blocks_half(e, x[1]), low = blocks_corner(e, blocks_op(e, op_max, x[0], expr_neg(e->pool, w)), a);
  return value_of(expr_sub(e->pool, x[0], blocks_corner(e, blocks_op(e, op_min, low, w), a)));
}

Value block_compare(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[4];
  if (!function_scalars(e, a, env, x)) return bad();
  return value_of(blocks_choose(e, blocks_corner(e, blocks_op(e, op_lt, x[1], x[0]), a), x[2], x[3]));
}

// ---- logic

static Value gate(Elab *e, const Ast *a, const Binding *env, ExprOp op, bool inverted) {
  ExprId r = 0;
  bool ok = true;
  for (uint32_t i = 0; i < a->count; i++) {
    ExprId x = eval_scalar(e, a->items[i], env, arena_printf(e->arena, "an input of `%s`", a->name));
    ok = ok && x;
    x = blocks_logic(e, x, a);
    r = i == 0 ? x : blocks_op(e, op, r, x);
  }
  return ok ? value_of(inverted ? blocks_op(e, op_not, r, 0) : r) : bad();
}

Value block_all(Elab *e, const Ast *a, const Binding *env) { return gate(e, a, env, op_and, false); }

Value block_nand(Elab *e, const Ast *a, const Binding *env) { return gate(e, a, env, op_and, true); }

Value block_any(Elab *e, const Ast *a, const Binding *env) { return gate(e, a, env, op_or, false); }

Value block_nor(Elab *e, const Ast *a, const Binding *env) { return gate(e, a, env, op_or, true); }

Value block_switch(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[2];
  if (!function_scalars(e, a, env, x)) return bad();
  return value_of(blocks_if(e, blocks_logic(e, x[0], a), x[1], e->pool->zero));
}
