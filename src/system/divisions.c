// Divisions by something that is identically zero, found before anything is derived.
//
// Values modulo a large prime at a random point tell almost all divisors to be nonzero, at the price of one evaluation
// of them all; the proof of zero is asked for only where that value is zero.
#include "system/system.h"

#include "expr/decide.h"
#include "expr/modular.h"

// Only a sum can hide a zero.
static bool may_hide(const ExprPool *pool, ExprId id) {
  if (expr_op(pool, id) == op_add) return true;
  if (expr_op(pool, id) != op_mul) return false;
  for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
    if (expr_op(pool, expr_factor(pool, id, i).base) == op_add) return true;
  }
  return false;
}

static void report(System *s, const SystemDivision *d) {
  Decision zero = decide_zero(s->pool, s->arena, d->by);
  if (zero.verdict == verdict_equal)
    diag_error(s->diags, diag_division_by_zero, d->span, "this divides by an expression that is identically zero");
}

bool system_divisions(System *s) {
  uint32_t count = 0;
  ExprId *roots = arena_array(s->arena, s->divisions.count, sizeof *roots);
  const SystemDivision **of = arena_array(s->arena, s->divisions.count, sizeof *of);
  uint64_t *value = arena_array(s->arena, s->divisions.count, sizeof *value);
  if (!roots || !of || !value) return false;
  for (uint32_t i = 0; i < s->divisions.count; i++) {
    const SystemDivision *d = &s->divisions.items[i];
    if (!may_hide(s->pool, d->by) || (count && of[count - 1]->by == d->by)) continue;
    of[count] = d;
    roots[count++] = d->by;
  }
  if (count == 0) return true;
  if (expr_eval_mod(s->pool, roots, count, 1, value)) {
    for (uint32_t i = 0; i < count; i++) {
      if (value[i] == 0) report(s, of[i]);
    }
  } else {
    // one divides by another that is zero: each by itself
    for (uint32_t i = 0; i < count; i++) {
      if (!expr_eval_mod(s->pool, &roots[i], 1, 1, value) || value[0] == 0) report(s, of[i]);
    }
  }
  return !arena_failed(s->arena);
}
