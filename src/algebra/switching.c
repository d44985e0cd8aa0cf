// Branches and zero crossings of expressions that switch. See switching.h.
#include "algebra/switching.h"

#include "expr/calculus.h"
#include "expr/ops.h"
#include "expr/rebuild.h"

#include <string.h>

static const ExprId *reach(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, uint32_t *length) {
  const ExprId *reached = pool_reach(pool, roots, count, NULL, NULL, length);
  ExprId *list = reached ? arena_array(arena, *length, sizeof *list) : NULL;
  if (list) memcpy(list, reached, *length * sizeof *list);
  return list;
}

// Where a node jumps: its arguments that are zero there, or whole numbers.
static bool arguments_of(ExprPool *pool, ExprId id, ExprId found[2]) {
  ExprOp op = expr_op(pool, id);
  ExprId args[3] = {0};
  for (uint32_t k = 0; k < 3 && op > op_inverse && k < pool_node(pool, id)->count; k++)
    args[k] = pool_args(pool, id)[k];
  switch ((int)op) {
  case op_step:
  case op_sign:
  case op_not:
  case op_if: found[0] = args[0]; return true;
  case op_lt:
  case op_le:
  case op_eq:
  case op_ne: found[0] = expr_sub(pool, args[0], args[1]); return true;
  case op_and:
  case op_or:
    found[0] = args[0];
    found[1] = args[1];
    return true;
  case op_floor: found[0] = args[0]; return false;
  case op_mod: found[0] = expr_div(pool, args[0], args[1]); return false;
  case op_table: found[0] = pool_args(pool, id)[2]; return false;
  default: return false;
  }
}

uint32_t switching_find(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, KindSet kinds,
                        JumpArgument *out, uint32_t most) {
  uint32_t length, found_count = 0;
  const ExprId *list = reach(pool, arena, roots, count, &length);
  if (!list) return UINT32_MAX;
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(pool, list[i]);
    if (op == op_num || op == op_sym || !expr_has_kinds(pool, list[i], kinds)) continue;
    ExprId found[2] = {0};
    bool scalable = arguments_of(pool, list[i], found);
    for (int k = 0; k < 2 && found[k]; k++) {
      if (!expr_has_kinds(pool, found[k], kinds)) continue;
      if (found_count == most) return UINT32_MAX;
      out[found_count++] = (JumpArgument){found[k], scalable};
    }
  }
  return found_count;
}

// ---- branches

static ExprId branch_node(ExprPool *pool, ExprId id, ExprId *args, uint32_t count) {
  ExprOp op = expr_op(pool, id);
  SymbolId symbol = pool_symbol(pool, "branch", sym_held, id, 0);
  ExprId n = expr_sym(pool, symbol), other = expr_sub(pool, pool->one, n);
  switch ((int)op) {
  case op_abs:
  case op_ramp: return expr_mul(pool, n, args[0]);
  case op_min:
  case op_max: return expr_add(pool, expr_mul(pool, n, args[0]), expr_mul(pool, other, args[1]));
  case op_if: return expr_add(pool, expr_mul(pool, n, args[1]), expr_mul(pool, other, args[2]));
  case op_mod: return expr_sub(pool, args[0], expr_mul(pool, n, args[1]));
  case op_floor:
  case op_step:
  case op_sign:
  case op_lt:
  case op_le:
  case op_eq:
  case op_ne:
  case op_and:
  case op_or:
  case op_not: return n;
  default: return expr_fn(pool, op, args, count);
  }
}

// What became of the nodes so far, by index in the list.
typedef struct Branched {
  const ExprId *value;
  const uint32_t *slot;
} Branched;

static ExprId branched(void *self, ExprId parent, uint32_t i, ExprId part) {
  const Branched *b = self;
  (void)parent, (void)i;
  return b->value[b->slot[part]];
}

bool switching_branches(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, ExprId *out) {
  uint32_t length;
  const ExprId *list = reach(pool, arena, roots, count, &length);
  ExprId *value = list ? arena_array(arena, length, sizeof *value) : NULL;
  uint32_t *slot = arena_array(arena, pool->nodes.count, sizeof *slot);
  if (!value || !slot) return false;
  for (uint32_t i = 0; i < length; i++) slot[list[i]] = i;
  Branched b = {value, slot};
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(pool, list[i]);
    value[i] = list[i];
    if (op == op_add || op == op_mul) {
      value[i] = expr_rebuild_flat(pool, list[i], branched, &b);
    } else if (expr_op_info(op)->making == making_rules) {
      ExprId args[3] = {0};
      uint32_t n = pool_node(pool, list[i])->count;
      for (uint32_t k = 0; k < n && k < 3; k++) args[k] = value[slot[pool_args(pool, list[i])[k]]];
      value[i] = branch_node(pool, list[i], args, n);
    }
    if (!value[i]) return false;
  }
  for (uint32_t i = 0; i < count; i++) out[i] = value[slot[roots[i]]];
  return true;
}
