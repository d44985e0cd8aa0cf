// Time events known before the run: which functions of time may jump or bend, and the tapes of their arguments. A part
// of breaks.h.
//
// in    expressions of the system; among them step, ramp, sign, abs, comparisons, min, max, floor (also of noise), mod
//       and table whose arguments depend on time and parameters alone
// out   a switch for each of them, inner ones before outer ones, with the tape of its argument and mode
#include "sim/breaks.h"

#include "expr/calculus.h"
#include "expr/ops.h"
#include "hybrid/rewrite.h"
#include "tape/interval.h"

#include <string.h>

typedef struct Planner {
  Arena *arena;
  System *s;
  BreakPlan *out;
} Planner;

// Does something inside jump or bend?
static bool has_corner(ExprPool *pool, ExprId g) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &g, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    ExprOp op = (ExprOp)pool_node(pool, list[i])->op;
    bool leaf = pool_node(pool, list[i])->count == 0;
    if (expr_op_info(op)->smoothness != smoothness_smooth || (expr_op_is_raw(op) && !leaf)) return true;
  }
  return false;
}

static void put_switch(Planner *f, BreakSwitch s) {
  ExprPool *pool = f->s->pool;
  s.rate = s.g ? expr_diff(pool, s.g, f->s->time) : 0; // 0: not known
  if (!s.g || s.rate == pool->zero) return;            // it is constant between inner breaks
  if (s.rate && (expr_has_kind(pool, s.rate, sym_time) || has_corner(pool, s.g))) s.rate = 0;
  if (!s.by) s.by = pool->one;
  vec_push(f->arena, &f->out->switches, s);
}

static ExprId compared(ExprPool *p, ExprOp op, ExprId a, ExprId b) { return expr_fn(p, op, (ExprId[]){a, b}, 2); }

// It switches where a = b, and `branch` says on which side it is.
static void put_side(Planner *f, ExprId id, ExprId a, ExprId b, ExprId branch) {
  put_switch(f, (BreakSwitch){.node = id, .g = expr_sub(f->s->pool, a, b), .from = branch});
}

static void look_at(Planner *f, ExprId id) {
  ExprPool *p = f->s->pool;
  KindSet allowed = kind_set(sym_time) | kind_set(sym_param);
  const ExprNode *n = pool_node(p, id);
  if (!(n->kinds & kind_set(sym_time)) || (n->kinds & ~allowed) || n->bound || n->op == op_sym || n->op == op_num ||
      !n->count)
    return;
  ExprOp op = (ExprOp)n->op;
  const ExprId *args = pool_args(p, id);
  if (op == op_table) {
    Rat index = RAT_ZERO;
    int64_t i = 0;
    expr_number(p, args[0], &index);
    rat_to_int(index, &i);
    put_switch(f, (BreakSwitch){
                      .node = id, .g = args[2], .kind = break_table, .from = args[2], .table = &f->s->tables.items[i]});
    return;
  }
  if (!expr_op_switches(op)) return;
  ExprId low = expr_guard_low(p, op, args), high = expr_guard_high(p, op, args);
  bool jumps = expr_op_info(op)->smoothness == smoothness_jump;
  switch (expr_op_info(op)->switching) {
  case switching_above: put_side(f, id, low, high, jumps ? id : compared(p, op_lt, low, high)); break;
  case switching_from: put_side(f, id, high, low, jumps ? id : compared(p, op_lt, high, low)); break;
  case switching_whole:
    if (expr_op_info(op)->high == part_one)
      put_switch(f, (BreakSwitch){.node = id, .g = low, .from = id, .whole = true});
    else
      put_switch(
          f,
          (BreakSwitch){
              .node = id, .g = expr_div(p, low, high), .kind = break_quotient, .from = low, .by = high, .whole = true});
    break;
  default: // a value of its own at the limit
    put_side(f, id, high, low, compared(p, op_le, high, low));
    put_side(f, id, low, high, compared(p, op_le, low, high));
    break;
  }
}

// All expressions that the right-hand side is made of.
static bool collect(Planner *f) {
  System *s = f->s;
  ExprList roots = {0};
  rewrite_roots(s, f->arena, &roots);
  for (uint32_t i = 0; i < s->watched_count; i++) vec_push(f->arena, &roots, s->watched[i]);
  uint32_t length;
  const ExprId *list = pool_reach(s->pool, roots.items, roots.count, NULL, NULL, &length);
  ExprId *copy = list ? arena_array(f->arena, length, sizeof *copy) : NULL;
  if (!copy) return false;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) look_at(f, copy[i]);
  return !arena_failed(f->arena) && !arena_failed(s->pool->arena) && !arena_failed(s->pool->scratch); // they may differ
}

// ---- tapes

static const Tape *build(Planner *f, const ExprId *results, uint32_t count) {
  return tape_build(
      f->arena,
      &(TapeRequest){.system = f->s, .vars = &f->s->time, .var_count = 1, .results = results, .result_count = count});
}

// The affine ones share a tape; the results of the others are 0.
static bool build_affine(Planner *f) {
  BreakPlan *p = f->out;
  uint32_t n = p->switches.count, affine = 0;
  ExprId *results = arena_array(f->arena, 4 * (size_t)n, sizeof *results);
  if (!results) return false;
  for (uint32_t i = 0; i < n; i++) {
    const BreakSwitch *x = &p->switches.items[i];
    ExprId four[4] = {x->g, x->rate, x->from, x->by};
    for (uint32_t k = 0; k < 4; k++) results[4 * i + k] = x->rate ? four[k] : f->s->pool->zero;
    affine += x->rate != 0;
  }
  if (!affine) return true;
  p->tape = build(f, results, 4 * n);
  return p->tape != NULL;
}

// The switches inside of g.
static bool find_inner(Planner *f, uint32_t i) {
  ExprPool *pool = f->s->pool;
  BreakSwitch *s = &f->out->switches.items[i];
  uint32_t length;
  const ExprId *list = pool_reach(pool, &s->g, 1, NULL, NULL, &length);
  if (!list) return false;
  for (uint32_t k = 0; k < i; k++) {
    ExprId node = f->out->switches.items[k].node;
    uint32_t slot = pool->slot[node];
    if (slot < length && list[slot] == node) vec_push(f->arena, &s->inner, k);
  }
  return !arena_failed(f->arena);
}

static bool build_searched(Planner *f, uint32_t i) {
  BreakSwitch *s = &f->out->switches.items[i];
  ExprId results[4] = {s->g, f->s->pool->zero, s->from, s->by};
  s->tape = build(f, results, 4);
  if (!s->tape) return false;
  bool *seen = arena_array(f->arena, s->tape->slot_count, sizeof *seen), blind[4];
  if (!seen) return false;
  tape_unbounded(s->tape, seen, blind);
  s->blind = blind[0] || blind[2];
  return find_inner(f, i);
}

const BreakPlan *breaks_plan(Arena *arena, System *s) {
  BreakPlan *plan = arena_new_of(arena, BreakPlan);
  Planner planner = {arena, s, plan}, *f = &planner;
  if (!plan || !collect(f)) return NULL;
  if (plan->switches.count && !build_affine(f)) return NULL;
  for (uint32_t i = 0; i < plan->switches.count; i++) {
    if (!plan->switches.items[i].rate && !build_searched(f, i)) return NULL;
  }
  return arena_failed(arena) ? NULL : plan;
}
