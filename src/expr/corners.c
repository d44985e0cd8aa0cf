// Continuity of expressions: may an expression jump?
//
// in    f, and the kinds of symbols that move
// out   no, proved; or perhaps
//
// how   Every switch, step(g), sign(g), a < b, gets a number n in the place of step(g), the same one for the same g:
//       f = f(n1, n2, ...) is smooth where it has a value. f does not jump at g = 0 if f(n = 1) - f(n = 0) vanishes
//       there for all values of the other numbers: one symbol of g, which has to be linear in it, is replaced by the
//       solution of g = 0, and the difference is proved zero in the normal form. Functions that are smooth one by one
//       may jump together where one of them has no value: atan(1/x), x/sqrt(x^2), atan(tan(x)), the angle of a point.
//       They count as jumps, with no further look.
#include "expr/corners.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/normal.h"
#include "expr/ops.h"
#include "expr/rebuild.h"

#include <string.h>

enum { most_switches = 12, most_terms = 2000 };

static bool jumps(const ExprPool *pool, ExprId id) {
  ExprOp op = expr_op(pool, id);
  if (op == op_table) return !expr_is_zero(pool, pool_args(pool, id)[1]); // the derivative of a table, a held one
  return expr_op_info(op)->smoothness == smoothness_jump;
}

static bool bends(const ExprPool *pool, ExprId id) {
  return expr_op_info(expr_op(pool, id))->smoothness == smoothness_corner;
}

static bool has(ExprPool *pool, ExprId id, KindSet kinds, bool corners) {
  uint32_t length;
  const ExprId *list = id ? pool_reach(pool, &id, 1, NULL, NULL, &length) : NULL;
  if (!list) return true;
  for (uint32_t i = 0; i < length; i++) {
    if (!expr_has_kinds(pool, list[i], kinds)) continue;
    if (jumps(pool, list[i]) || (corners && bends(pool, list[i]))) return true;
  }
  return false;
}

bool expr_has_corner(ExprPool *pool, ExprId id, KindSet kinds) { return has(pool, id, kinds, true); }
bool expr_has_jump(ExprPool *pool, ExprId id, KindSet kinds) { return has(pool, id, kinds, false); }

// ---- poles

static bool has_pole(ExprPool *pool, ExprId id, KindSet kinds) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &id, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    if (!expr_has_kinds(pool, list[i], kinds)) continue;
    ExprOp op = expr_op(pool, list[i]);
    if (op == op_tan || op == op_ln || op == op_log10) return true;
    for (uint32_t k = 0; op == op_mul && k < expr_factor_count(pool, list[i]); k++) {
      Factor f = expr_factor(pool, list[i], k);
      Rat e;
      bool above = expr_number(pool, f.exponent, &e) && rat_sign(e) > 0;
      if (!above && expr_has_kinds(pool, f.base, kinds)) return true;
    }
  }
  return list == NULL;
}

// A bounded function of something with a pole, the angle of a point, what is solved for.
static bool hides_jump(ExprPool *pool, ExprId id, KindSet kinds) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &id, 1, NULL, NULL, &length);
  if (!list) return true;
  // the list goes with the next pass
  VEC(ExprId) bounded = {0};
  bool out = false;
  for (uint32_t i = 0; i < length && !out; i++) {
    if (!expr_has_kinds(pool, list[i], kinds)) continue;
    switch ((int)expr_op(pool, list[i])) {
    case op_atan2:
    case op_inverse: out = true; break;
    case op_sin:
    case op_cos:
    case op_asin:
    case op_acos:
    case op_atan:
    case op_tanh:
    case op_exp: out = !vec_push(pool->arena, &bounded, pool_args(pool, list[i])[0]); break;
    default: break;
    }
  }
  for (uint32_t i = 0; i < bounded.count && !out; i++) out = has_pole(pool, bounded.items[i], kinds);
  return out;
}

// |u|/u and its sisters: an absolute value, which roots of squares become in the normal form, over or under what may
// vanish.
static bool divides_size(ExprPool *pool, Arena *arena, ExprId id, KindSet kinds) {
  if (!has_pole(pool, id, kinds)) return false;
  Normal n = {0};
  ExprId root = id;
  bool out = true;
  if (normal_open(&n, pool, arena, &root, 1)) {
    Frac f = frac_of(&n, root);
    bool size = false, below = false;
    for (uint32_t g = 0; g < n.gens.count; g++) {
      ExprId gen = n.gens.items[g].expr;
      size = size || (bends(pool, gen) && expr_op_switches(expr_op(pool, gen)) && expr_has_kinds(pool, gen, kinds));
    }
    for (uint32_t i = 0; f.num && i < f.den_count; i++) {
      ExprId factor = poly_expr(&n, n.factors.items[f.den[i].factor]);
      below = below || !factor || expr_has_kinds(pool, factor, kinds);
    }
    out = !f.num || (size && below);
  }
  normal_close(&n);
  return out;
}

// ---- switches

typedef struct Switch {
  ExprId guard; // it switches where this is zero
  ExprId number;
} Switch;

typedef struct Switching {
  ExprPool *pool;
  KindSet kinds;
  uint32_t count;
  Switch items[most_switches];
  bool failed;
  const ExprId *value; // what became of the nodes so far, by index in the list
  const uint32_t *slot;
} Switching;

// step(guard) as a number of its own; the other way round for -guard.
static ExprId number_of(Switching *w, ExprId guard) {
  ExprPool *pool = w->pool;
  guard = expr_expand(pool, guard, most_terms);
  ExprId other = expr_neg(pool, guard);
  for (uint32_t i = 0; i < w->count; i++) {
    if (w->items[i].guard == guard) return w->items[i].number;
    if (w->items[i].guard == other) return expr_sub(pool, pool->one, w->items[i].number);
  }
  if (!guard || w->count == most_switches) {
    w->failed = true;
    return 0;
  }
  SymbolId symbol = pool_symbol(pool, "switch", sym_held, w->count, 0);
  w->items[w->count] = (Switch){guard, expr_sym(pool, symbol)};
  return w->items[w->count++].number;
}

// A condition: does it hold numbers of switches alone, 0 or 1?
static bool is_logic(const Switching *w, ExprId id) { return expr_only_kinds(w->pool, id, kind_set(sym_held)); }

// The number of a condition: of one in which nothing moves it is 0 or 1 for good.
static ExprId condition_number(Switching *w, ExprId id) {
  if (is_logic(w, id)) return id;
  if (expr_has_kinds(w->pool, id, w->kinds | kind_set(sym_held))) return 0;
  return expr_sym(w->pool, pool_symbol(w->pool, "switch", sym_held, most_switches + id, 0));
}

static ExprId smooth_function(Switching *w, ExprOp op, const ExprId *a, uint32_t count) {
  ExprPool *pool = w->pool;
  ExprId number;
  switch ((int)op) {
  case op_step:
  case op_lt:
  case op_le: return number_of(w, expr_guard(pool, op, a));
  case op_sign: return expr_sub(pool, expr_scale(pool, rat_int(2), number_of(w, a[0])), pool->one);
  case op_not:
    if (is_logic(w, a[0])) return expr_sub(pool, pool->one, a[0]);
    break;
  case op_and:
    if (is_logic(w, a[0]) && is_logic(w, a[1])) return expr_mul(pool, a[0], a[1]);
    break;
  case op_or:
    if (is_logic(w, a[0]) && is_logic(w, a[1]))
      return expr_sub(pool, expr_add(pool, a[0], a[1]), expr_mul(pool, a[0], a[1]));
    break;
  case op_if:
    number = condition_number(w, a[0]);
    if (number)
      return expr_add(pool, expr_mul(pool, number, a[1]), expr_mul(pool, expr_sub(pool, pool->one, number), a[2]));
    break;
  case op_eq:
  case op_ne:
  case op_floor:
  case op_mod: break;
  default: return expr_fn(pool, op, a, count);
  }
  w->failed = true;
  return 0;
}

// What became of a part of the node at work.
static ExprId smoothed(void *self, ExprId parent, uint32_t i, ExprId part) {
  const Switching *w = self;
  (void)parent, (void)i;
  return w->value[w->slot[part]];
}

static ExprId smooth_node(Switching *w, ExprId id) {
  ExprPool *pool = w->pool;
  ExprOp op = expr_op(pool, id);
  uint32_t count = pool_node(pool, id)->count;
  if (!expr_has_kinds(pool, id, w->kinds)) return id; // a constant
  if (op == op_sym) return id;
  if (op == op_add || op == op_mul) return expr_rebuild_flat(pool, id, smoothed, w);
  // the location of a switch inside an integral may move: it is not analysed further
  if (expr_op_is_raw(op)) {
    w->failed = w->failed || expr_has_jump(pool, id, w->kinds);
    return id;
  }
  ExprId args[3] = {0};
  for (uint32_t i = 0; i < count && i < 3; i++) args[i] = smoothed(w, id, i, pool_args(pool, id)[i]);
  return smooth_function(w, op, args, count);
}

static ExprId smooth_form(Switching *w, Arena *arena, ExprId root) {
  ExprPool *pool = w->pool;
  uint32_t length;
  const ExprId *reached = pool_reach(pool, &root, 1, NULL, NULL, &length);
  ExprId *list = reached ? arena_array(arena, length, sizeof *list) : NULL,
         *value = arena_array(arena, length, sizeof *value);
  uint32_t *slot = arena_array(arena, pool->nodes.count, sizeof *slot);
  if (!list || !value || !slot) return 0;
  memcpy(list, reached, length * sizeof *list);
  for (uint32_t i = 0; i < length; i++) slot[list[i]] = i;
  w->value = value;
  w->slot = slot;
  for (uint32_t i = 0; i < length; i++) {
    value[i] = smooth_node(w, list[i]);
    if (w->failed || !value[i]) return 0;
  }
  return value[slot[root]];
}

static ExprId with(ExprPool *pool, ExprId id, SymbolId symbol, ExprId value) {
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, symbol, value);
  ExprId out = 0;
  return id && value && expr_replace(pool, &map, &id, 1, &out) ? out : 0;
}

static bool is_proved_zero(ExprPool *pool, Arena *arena, ExprId id) {
  return id && (expr_is_zero(pool, id) || decide_zero(pool, arena, id).verdict == verdict_equal);
}

// The difference at the guard's zero, with one moving symbol solved for.
static bool meets(ExprPool *pool, Arena *arena, ExprId difference, ExprId guard, KindSet kinds) {
  if (is_proved_zero(pool, arena, difference)) return true;
  for (SymbolId z = 1; z < pool->symbols.count; z++) {
    if (!(kind_set(pool->symbols.items[z].kind) & kinds) || pool->symbols.items[z].kind == sym_held ||
        !expr_depends(pool, guard, z))
      continue;
    ExprId slope = expr_expand(pool, expr_diff(pool, guard, z), most_terms), rest = with(pool, guard, z, pool->zero);
    if (!slope || !rest || expr_depends(pool, slope, z) || expr_is_zero(pool, slope)) continue;
    ExprId line = expr_add(pool, rest, expr_mul(pool, slope, expr_sym(pool, z)));
    if (!is_proved_zero(pool, arena, expr_sub(pool, guard, line))) continue;
    return is_proved_zero(pool, arena, with(pool, difference, z, expr_neg(pool, expr_div(pool, rest, slope))));
  }
  return false;
}

bool expr_may_jump(ExprPool *pool, Arena *arena, ExprId id, KindSet kinds) {
  if (!id) return true;
  if (hides_jump(pool, id, kinds) || divides_size(pool, arena, id, kinds)) return true;
  if (!expr_has_jump(pool, id, kinds)) return false;
  Switching w = {.pool = pool, .kinds = kinds};
  ExprId f = smooth_form(&w, arena, id);
  if (!f || w.failed) return true;
  for (uint32_t i = 0; i < w.count; i++) {
    SymbolId n = expr_symbol(pool, w.items[i].number);
    ExprId difference = expr_sub(pool, with(pool, f, n, pool->one), with(pool, f, n, pool->zero));
    if (!meets(pool, arena, difference, w.items[i].guard, kinds)) return true;
  }
  return false;
}
