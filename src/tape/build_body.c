// Kernels that stand for operations of expressions: tables, noise, integrals, inverses, implicit equations.
//
// The body of an integral, inverse or Newton's method is a tape of its own, made by a builder inside the builder. What
// does not depend on the bound variables is computed outside and captured: it stands behind them among the body's
// variables.
#include "tape/builder.h"

#include "expr/ops.h"
#include "tape/kernels.h"

#include <math.h>
#include <string.h>

// outer: of a body, or NULL.
bool build_init(TapeBuilder *b, Arena *arena, Arena *kept, System *system, TapeBuilder *outer) {
  *b = (TapeBuilder){.arena = arena, .kept = kept, .system = system, .pool = system->pool, .outer = outer};
  b->of_node_size = outer ? outer->of_node_size : b->pool->nodes.count;
  b->of_node = outer && outer->spare_node ? outer->spare_node : arena_array(arena, b->of_node_size, sizeof *b->of_node);
  b->of_symbol = outer && outer->spare_symbol ? outer->spare_symbol
                                              : arena_array(arena, b->pool->symbols.count, sizeof *b->of_symbol);
  if (outer) outer->spare_node = outer->spare_symbol = NULL;
  return b->of_node && b->of_symbol;
}

// A body is done: the next one may have its tables.
static void give_back(TapeBuilder *b, const SymbolId *bound, uint32_t bound_count) {
  for (uint32_t i = 0; i < b->touched.count; i++) b->of_node[b->touched.items[i]] = 0;
  for (uint32_t i = 0; i < bound_count; i++) b->of_symbol[bound[i]] = 0;
  b->outer->spare_node = b->of_node;
  b->outer->spare_symbol = b->of_symbol;
}

static bool holds_own(const ExprPool *pool, ExprId id, const void *context) {
  return (pool_node(pool, id)->bound & *(const uint16_t *)context) != 0;
}

// Emits what depends on the body's variable, children first, so that no chain is deeper than one call.
static bool emit_inside(TapeBuilder *b, const ExprId *bodies, uint32_t count) {
  uint32_t length;
  const ExprId *list = pool_reach(b->pool, bodies, count, holds_own, &b->own, &length);
  ExprId *copy = list ? arena_array(b->arena, length, sizeof *copy) : NULL;
  if (!copy) return false;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    // a node with the bound variable of an inner integral is built with the body of that integral
    if (pool_node(b->pool, copy[i])->bound & ~b->allowed) continue;
    if (expr_op(b->pool, copy[i]) != op_sym && !build_expr(b, copy[i])) return false;
  }
  return true;
}

static Val emit_table(TapeBuilder *b, ExprId id, int slope) {
  const ExprId *a = pool_args(b->pool, id);
  Rat index;
  int64_t i = 0;
  expr_number(b->pool, a[0], &index);
  rat_to_int(index, &i);
  Val arg = build_expr(b, a[2]);
  const SystemTable *t = &b->system->tables.items[i];
  KernelTable *data = arena_new_of(b->kept, KernelTable);
  if (!data) return 0;
  *data = (KernelTable){.x = t->x, .y = t->y, .count = t->count, .slope = slope};
  return build_call(b, &kernel_table, data, &arg, 1);
}

// ---- what an integral must know of its integrand

typedef struct Watches {
  VEC(Val) vals;
  VEC(uint8_t) kinds;
} Watches;

static void watch(TapeBuilder *b, Watches *list, WatchKind kind, Val v) {
  if (!v || build_level(b, v) == level_static) return;
  for (uint32_t i = 0; i < list->vals.count; i++) {
    if (list->vals.items[i] == v && list->kinds.items[i] == kind) return;
  }
  vec_push(b->arena, &list->vals, v);
  vec_push(b->kept, &list->kinds, (uint8_t)kind);
}

// From this exponent on a power rises like an exponential: x^9 by half a per cent of x.
enum { steep_power = 9 };

static void watch_powers(TapeBuilder *b, Watches *list, ExprId id) {
  for (uint32_t i = 0; i < expr_factor_count(b->pool, id); i++) {
    Factor f = expr_factor(b->pool, id, i);
    Rat e;
    bool number = expr_number(b->pool, f.exponent, &e);
    if (number && fabs(rat_to_double(e)) < steep_power) continue;
    Val size = build_operation(b, tape_ln, build_operation(b, tape_abs, build_expr(b, f.base), 0, 0), 0, 0);
    watch(b, list, watch_rise,
          build_product(b, number ? build_constant(b, rat_to_double(e)) : build_expr(b, f.exponent), size));
  }
}

static void watch_node(TapeBuilder *b, Watches *list, ExprId id) {
  const ExprNode *n = pool_node(b->pool, id);
  const ExprId *a = pool_args(b->pool, id);
  const OpInfo *info = expr_op_info((ExprOp)n->op);
  if (expr_op_switches((ExprOp)n->op)) {
    bool whole = info->switching == switching_whole;
    Val guard = build_expr(b, a[0]);
    if (info->arity == 2) guard = build_operation(b, whole ? tape_div : tape_sub, guard, build_expr(b, a[1]), 0);
    watch(b, list, whole ? watch_whole : watch_sign, guard);
    return;
  }
  switch ((int)n->op) {
  case op_sin:
  case op_cos:
  case op_tan: watch(b, list, watch_turn, build_expr(b, a[0])); break;
  case op_exp: watch(b, list, watch_rise, build_expr(b, a[0])); break;
  case op_sinh:
  case op_cosh:
  case op_tanh:
    watch(b, list, watch_rise,
          build_operation(b, tape_neg, build_operation(b, tape_abs, build_expr(b, a[0]), 0, 0), 0, 0));
    break;
  case op_table: watch(b, list, watch_whole, emit_table(b, id, 2)); break;
  case op_mul: watch_powers(b, list, id); break;
  default: break;
  }
}

static bool watch_body(TapeBuilder *b, Watches *list, ExprId body) {
  uint32_t length;
  const ExprId *reached = pool_reach(b->pool, &body, 1, holds_own, &b->own, &length);
  ExprId *copy = reached ? arena_array(b->arena, length, sizeof *copy) : NULL;
  if (!copy) return false;
  memcpy(copy, reached, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    // a node with the bound variable of an inner integral is watched by that integral
    if (!(pool_node(b->pool, copy[i])->bound & ~b->allowed)) watch_node(b, list, copy[i]);
  }
  return !arena_failed(b->arena);
}

static const void *newton_data(TapeBuilder *b, const Tape *body, uint32_t size) {
  KernelNewton *data = arena_new_of(b->kept, KernelNewton);
  if (data) *data = (KernelNewton){.size = size, .body = body};
  return data;
}

static const void *body_data(TapeBuilder *b, const Tape *body, const Watches *watches, const Val *args, uint32_t own,
                             uint32_t captured) {
  KernelBody *data = arena_new_of(b->kept, KernelBody);
  if (!data) return NULL;
  *data = (KernelBody){.body = body, .watches = watches->kinds.items};
  for (uint32_t i = own; i < own + captured; i++)
    data->moving = data->moving || (args[i] && build_level(b, args[i]) == level_dynamic);
  return data;
}

Val build_body(TapeBuilder *b, const TapeKernel *kernel, const ExprId *bodies, uint32_t body_count,
               const SymbolId *bound, uint32_t bound_count, const ExprId *own, uint32_t own_count) {
  TapeBuilder inner;
  if (!build_init(&inner, b->arena, b->kept, b->system, b)) return 0;
  inner.own_vars = bound_count;
  inner.own = pool_node(b->pool, pool_symbol_get(b->pool, bound[0])->self)->bound;
  inner.allowed = (uint16_t)(inner.own | b->allowed);
  inner.node_origin = b->node_origin;
  inner.origin = b->origin;
  inner.next_slot = bound_count; // first come the bound variables
  for (uint32_t i = 0; i < bound_count; i++) inner.of_symbol[bound[i]] = build_slot(&inner, i, level_dynamic);
  if (!emit_inside(&inner, bodies, body_count)) return 0;
  VEC(Val) results = {0};
  for (uint32_t i = 0; i < body_count; i++) {
    Val v = build_expr(&inner, bodies[i]);
    if (!v || !vec_push(b->arena, &results, v)) return 0;
  }
  Watches watches = {0};
  if (kernel == &kernel_integral && !watch_body(&inner, &watches, bodies[0])) return 0;
  for (uint32_t i = 0; i < watches.vals.count; i++) vec_push(b->arena, &results, watches.vals.items[i]);
  // captured values sit behind the bound variables
  const Tape *body = tape_finish(&inner, results.items, results.count, 0, bound_count + inner.captured.count);
  Val *args = arena_array(b->arena, (size_t)own_count + inner.captured.count, sizeof *args);
  if (!body || !args) return 0;
  for (uint32_t i = 0; i < own_count; i++) args[i] = build_expr(b, own[i]);
  for (uint32_t i = 0; i < inner.captured.count; i++) args[own_count + i] = inner.captured.items[i];
  give_back(&inner, bound, bound_count);
  const void *data = kernel == &kernel_newton ? newton_data(b, body, bound_count)
                                              : body_data(b, body, &watches, args, own_count, inner.captured.count);
  return data ? build_call(b, kernel, data, args, own_count + inner.captured.count) : 0;
}

Val build_special(TapeBuilder *b, ExprId id) {
  ExprPool *pool = b->pool;
  const ExprId *a = pool_args(pool, id);
  switch ((int)expr_op(pool, id)) {
  case op_noise: {
    Val args[2] = {build_expr(b, a[0]), build_expr(b, a[2])};
    return build_call(b, &kernel_noise, pool_node(pool, id)->count > 3 ? noise_uniform : NULL, args, 2);
  }
  case op_table: return emit_table(b, id, a[1] == pool->zero ? 0 : a[1] == pool->one ? 1 : 3);
  case op_integral: {
    SymbolId bound = expr_symbol(pool, a[1]);
    return build_body(b, &kernel_integral, &a[0], 1, &bound, 1, &a[2], 2);
  }
  default: {
    // Newton's method needs the derivative as well
    ExprId bodies[2] = {a[0], a[3]};
    SymbolId bound = expr_symbol(pool, a[1]);
    return build_body(b, &kernel_inverse, bodies, 2, &bound, 1, &a[2], 1);
  }
  }
}

// In a body: a value from outside.
Val build_capture(TapeBuilder *b, ExprId id) {
  Val outer = build_expr(b->outer, id);
  if (!outer) return 0;
  for (uint32_t i = 0; i < b->captured.count; i++) {
    if (b->captured.items[i] == outer) return b->capture_of.items[i];
  }
  Val own = build_slot(b, b->own_vars + b->captured.count, level_dynamic);
  b->next_slot++;
  return vec_push(b->arena, &b->captured, outer) && vec_push(b->arena, &b->capture_of, own) ? own : 0;
}
