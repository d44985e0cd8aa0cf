// Homogeneous expressions: f(p lambda^w) = lambda^d f(p) for every lambda > 0.
//
// in    f, weights w of its symbols, a degree d
// out   is it so, proved
//
// how   from the inside to the outside: each part is known to have a degree, which is a proof, or is written down with
//       the scaled symbols. |f| has the degree of f, step(f) has degree 0, a comparison needs sides of the same degree,
//       ln(f) grows by d ln(lambda). What is left at the end is decided in the normal form.
#include "algebra/scaled.h"

#include "expr/calculus.h"
#include "expr/decide.h"

#include <string.h>

typedef struct ScaledPart {
  bool known; // it has a degree
  bool any;   // the number 0: of every degree
  Rat degree;
  ExprId value; // with the scaled symbols
} ScaledPart;

typedef struct ScaledWalk {
  const Scaling *scaling;
  ExprPool *pool;
  const ScaledPart *part;
  const uint32_t *slot;
  SymbolMap map; // for what stands inside integrals
} ScaledWalk;

static ExprId power_of_number(const ScaledWalk *w, Rat e) {
  return expr_pow(w->pool, expr_sym(w->pool, w->scaling->number), expr_num(w->pool, e));
}

static ScaledPart of_degree(const ScaledWalk *w, ExprId id, Rat degree) {
  if (!rat_valid(degree)) return (ScaledPart){0};
  return (ScaledPart){.known = true,
                      .any = expr_is_zero(w->pool, id),
                      .degree = degree,
                      .value = expr_mul(w->pool, power_of_number(w, degree), id)};
}

static const ScaledPart *part_of(const ScaledWalk *w, ExprId id) { return &w->part[w->slot[id]]; }
static bool same_degree(const ScaledPart *a, const ScaledPart *b) {
  return a->known && b->known && (a->any || b->any || rat_equal(a->degree, b->degree));
}
static bool stays(const ScaledPart *a) { return a->known && (a->any || rat_is_zero(a->degree)); }

static ScaledPart scaled_sum(const ScaledWalk *w, ExprId id) {
  ExprPool *pool = w->pool;
  uint32_t n = expr_term_count(pool, id);
  Term *t = arena_array(w->scaling->arena, n, sizeof *t);
  if (!t) return (ScaledPart){0};
  bool same = true;
  const ScaledPart *first = part_of(w, expr_term(pool, id, 0).term);
  for (uint32_t i = 0; i < n; i++) {
    t[i] = expr_term(pool, id, i);
    const ScaledPart *part = part_of(w, t[i].term);
    same = same && same_degree(first, part);
    t[i].term = part->value;
  }
  return same ? of_degree(w, id, first->degree) : (ScaledPart){.value = expr_sum(pool, t, n)};
}

static ScaledPart scaled_product(const ScaledWalk *w, ExprId id) {
  ExprPool *pool = w->pool;
  Arena *arena = w->scaling->arena;
  uint32_t n = expr_factor_count(pool, id), count = 0;
  Factor *f = arena_array(arena, 2 * (size_t)n, sizeof *f);
  if (!f) return (ScaledPart){0};
  bool known = true;
  Rat degree = RAT_ZERO;
  for (uint32_t i = 0; i < n; i++) {
    Factor x = expr_factor(pool, id, i);
    const ScaledPart *base = part_of(w, x.base), *exponent = part_of(w, x.exponent);
    Rat e = RAT_NONE;
    if (expr_number(pool, x.exponent, &e) && base->known) {
      Rat power = rat_mul(arena, base->degree, e);
      degree = rat_add(arena, degree, power);
      f[count++] = (Factor){power_of_number(w, power), pool->one};
      f[count++] = x;
    } else {
      known = known && stays(base) && stays(exponent);
      f[count++] = (Factor){base->value, exponent->value};
    }
  }
  return known ? of_degree(w, id, degree) : (ScaledPart){.value = expr_product(pool, expr_coef(pool, id), f, count)};
}

static ScaledPart scaled_function(const ScaledWalk *w, ExprId id) {
  ExprPool *pool = w->pool;
  ExprOp op = expr_op(pool, id);
  uint32_t count = pool_node(pool, id)->count;
  ExprId args[3] = {0};
  const ScaledPart *a[3] = {0};
  bool all = true;
  for (uint32_t i = 0; i < count && i < 3; i++) {
    a[i] = part_of(w, pool_args(pool, id)[i]);
    args[i] = a[i]->value;
    all = all && stays(a[i]);
  }
  if (all) return of_degree(w, id, RAT_ZERO);
  switch ((int)op) {
  case op_abs:
  case op_ramp:
    if (a[0]->known) return of_degree(w, id, a[0]->degree);
    break;
  case op_sign:
  case op_step:
  case op_not:
    if (a[0]->known) return of_degree(w, id, RAT_ZERO);
    break;
  case op_min:
  case op_max:
  case op_mod:
    if (same_degree(a[0], a[1])) return of_degree(w, id, a[0]->any ? a[1]->degree : a[0]->degree);
    break;
  case op_lt:
  case op_le:
  case op_eq:
  case op_ne:
  case op_atan2:
    if (same_degree(a[0], a[1])) return of_degree(w, id, RAT_ZERO);
    break;
  case op_and:
  case op_or:
    if (a[0]->known && a[1]->known) return of_degree(w, id, RAT_ZERO);
    break;
  case op_if:
    if (a[0]->known && same_degree(a[1], a[2])) return of_degree(w, id, a[1]->any ? a[2]->degree : a[1]->degree);
    if (a[0]->known) args[0] = pool_args(pool, id)[0];
    break;
  case op_ln:
    if (a[0]->known)
      return (ScaledPart){
          .value = expr_add(pool, id, expr_scale(pool, a[0]->degree, expr_sym(pool, w->scaling->logarithm)))};
    break;
  default: break;
  }
  return (ScaledPart){.value = expr_fn(pool, op, args, count)};
}

static ScaledPart scaled_node(const ScaledWalk *w, ExprId id) {
  ExprPool *pool = w->pool;
  ExprOp op = expr_op(pool, id);
  if (!(pool_node(pool, id)->mask & w->map.mask)) return of_degree(w, id, RAT_ZERO);
  switch ((int)op) {
  case op_sym: return of_degree(w, id, w->scaling->weight[expr_symbol(pool, id)]);
  case op_add: return scaled_sum(w, id);
  case op_mul: return scaled_product(w, id);
  case op_table:
  case op_noise:
  case op_integral:
  case op_inverse: {
    ExprId out = 0;
    if (!expr_replace(pool, &w->map, &id, 1, &out)) return (ScaledPart){0};
    return out == id ? of_degree(w, id, RAT_ZERO) : (ScaledPart){.value = out};
  }
  default: return scaled_function(w, id);
  }
}

bool scaled_by(const Scaling *scaling, ExprId id, Rat degree) {
  ExprPool *pool = scaling->pool;
  Arena *arena = scaling->arena;
  uint32_t length;
  const ExprId *reached = pool_reach(pool, &id, 1, NULL, NULL, &length);
  ExprId *list = reached ? arena_array(arena, length, sizeof *list) : NULL;
  uint32_t *slot = arena_array(arena, pool->nodes.count, sizeof *slot);
  ScaledPart *part = arena_array(arena, length, sizeof *part);
  if (!list || !slot || !part) return false;
  memcpy(list, reached, length * sizeof *list);
  for (uint32_t i = 0; i < length; i++) slot[list[i]] = i;
  ScaledWalk w = {.scaling = scaling, .pool = pool, .part = part, .slot = slot, .map = symbol_map_new(pool)};
  for (SymbolId i = 1; i < scaling->symbols; i++) {
    if (!rat_is_zero(scaling->weight[i]))
      symbol_map_set(&w.map, i, expr_mul(pool, expr_sym(pool, i), power_of_number(&w, scaling->weight[i])));
  }
  for (uint32_t i = 0; i < length; i++) {
    part[i] = scaled_node(&w, list[i]);
    if (!part[i].value) return false;
  }
  const ScaledPart *root = &part[slot[id]];
  if (root->known) return root->any || rat_equal(root->degree, degree);
  ExprId difference = expr_sub(pool, root->value, expr_mul(pool, power_of_number(&w, degree), id));
  return difference &&
         (expr_is_zero(pool, difference) || decide_zero(pool, arena, difference).verdict == verdict_equal);
}
