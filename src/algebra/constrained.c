// Constraints solved for what they bind, so that a point or an identity of what is left lies on the constraint set.
//
// in    value_k(q, p, t) = 0 and rate_k(q, v, t) = 0, linear in velocities
// out   one symbol for each: a position or a parameter w of a w + b = 0 or a w^2 + b w + c = 0, then a velocity; each
//       in symbols that stay free. A constraint that is zero with those before it is redundant
// how   A number as the factor of w is best, then one of parameters; a factor that varies in time is a
//       condition, because where it vanishes w may be anything. Both signs of a root are branches, and what is to hold
//       must hold on all of them; the sign of a parameter is that of its value, and this is said.
//
// A parameter may be solved for because what is asked is asked for all its values; it is substituted at a point of
// a trajectory, never differentiated.
#include "algebra/constrained.h"

#include "algebra/derivation.h"
#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/decide.h"
#include "expr/print.h"
#include "tape/numbers.h"

// Each sign doubles the proofs; each constraint is put into all before it.
enum { most_signs = 3, most_solved_for = 60 };

// ---- what they are

ExprId constrained_slope(const System *s, uint32_t k, uint32_t i) {
  const MassRow *G = &s->constraints.items[k].G;
  for (uint32_t j = 0; j < G->count; j++) {
    if (G->items[j].column == i) return G->items[j].value;
  }
  return s->pool->zero;
}

bool constrained_holds(const System *s, uint32_t i) {
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    if (!expr_vanishes(s->pool, s->arena, constrained_slope(s, k, i))) return true;
  }
  return false;
}

// ---- substitution

static bool replace_row(System *out, const SymbolMap *map, MassRow *row) {
  MassRow own = {0};
  for (uint32_t i = 0; i < row->count; i++) {
    MassEntry e = row->items[i];
    if (!expr_replace(out->pool, map, &e.value, 1, &e.value)) return false;
    if (!expr_is_zero(out->pool, e.value) && !vec_push(out->arena, &own, e)) return false;
  }
  *row = own;
  return true;
}

static bool replace_constraints(System *out, const SymbolMap *map) {
  SystemConstraintList own = {0};
  for (uint32_t k = 0; k < out->constraints.count; k++) {
    SystemConstraint c = out->constraints.items[k];
    ExprId of[] = {c.value, c.rate, c.curvature};
    if (!expr_replace(out->pool, map, of, 3, of) || !replace_row(out, map, &c.G)) return false;
    c.value = of[0];
    c.rate = of[1];
    c.curvature = of[2];
    if (!vec_push(out->arena, &own, c)) return false;
  }
  out->constraints = own;
  return true;
}

bool constrained_substitute(const System *s, System *out, const SymbolMap *map) {
  uint32_t n = s->coord_count;
  System from = *s;
  *out = from;
  out->h = arena_array(s->arena, n, sizeof *out->h);
  out->f = arena_array(s->arena, s->state_count, sizeof *out->f);
  return out->h && out->f && system_mass_replace(out, s->arena, map) && expr_replace(s->pool, map, from.h, n, out->h) &&
         expr_replace(s->pool, map, from.f, s->state_count, out->f) && replace_constraints(out, map);
}

// ---- which symbol

// a w^2 + b w + c = 0
typedef struct SolvedFor {
  SymbolId symbol;
  ExprId a, b, c;
  uint32_t cost;
} SolvedFor;

enum { cost_none = 100, cost_root = 2, cost_moving = 5 };

static uint32_t factor_cost(const ExprPool *pool, ExprId factor) {
  Rat r;
  if (expr_number(pool, factor, &r)) return 0;
  return expr_only_kinds(pool, factor, kind_set(sym_param)) ? 1 : cost_moving;
}

static ExprId without(ExprPool *pool, ExprId id, SymbolId symbol) {
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, symbol, pool->zero);
  ExprId out = 0;
  return expr_replace(pool, &map, &id, 1, &out) ? out : 0;
}

// g as a polynomial of at most the second degree in w.
static SolvedFor try_symbol(ExprPool *pool, ExprId g, SymbolId w) {
  SolvedFor none = {.cost = cost_none}, x = {.symbol = w, .a = pool->zero};
  SymbolKind kind = pool_symbol_get(pool, w)->kind;
  if (expr_has_corner(pool, g, kind_set(kind))) return none;
  x.b = expr_expand(pool, expr_diff(pool, g, w), derive_most_terms);
  x.c = without(pool, g, w);
  if (!x.b || !x.c || expr_is_zero(pool, x.b) || expr_op(pool, x.c) == op_undefined) return none;
  if (!expr_depends(pool, x.b, w)) {
    x.cost = 2 * factor_cost(pool, x.b) + (kind == sym_param);
    return x;
  }
  ExprId twice = expr_expand(pool, expr_diff(pool, x.b, w), derive_most_terms);
  x.b = without(pool, x.b, w);
  if (!twice || !x.b || expr_depends(pool, twice, w) || expr_op(pool, x.b) == op_undefined) return none;
  x.a = expr_scale(pool, rat_make(pool->arena, 1, 2), twice);
  // of positions as few as can be: a root of parameters alone has no value at most points
  x.cost = 2 * (factor_cost(pool, x.a) + cost_root + !expr_is_zero(pool, x.b)) + (kind != sym_param);
  return x;
}

static SolvedFor choose_symbol(System *s, ExprId g, KindSet kinds) {
  ExprPool *pool = s->pool;
  SolvedFor best = {.cost = cost_none};
  uint32_t length;
  const ExprId *list = pool_reach(pool, &g, 1, NULL, NULL, &length);
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId w = expr_symbol(pool, list[i]);
    if (w && (kind_set(pool_symbol_get(pool, w)->kind) & kinds) && !vec_push(s->arena, &found, w)) return best;
  }
  for (uint32_t i = 0; i < found.count; i++) {
    SolvedFor x = try_symbol(pool, g, found.items[i]);
    if (x.cost < best.cost) best = x;
  }
  return best;
}

// ---- solving

static bool zero(System *s, ExprId id) {
  return expr_is_zero(s->pool, id) || decide_zero(s->pool, s->arena, id).verdict == verdict_equal;
}

static ExprId solution(System *s, const SolvedFor *x, bool minus) {
  ExprPool *pool = s->pool;
  if (expr_is_zero(pool, x->a)) return expr_neg(pool, expr_div(pool, x->c, x->b));
  ExprId half = expr_num(pool, rat_make(pool->arena, 1, 2)), p = expr_div(pool, expr_mul(pool, half, x->b), x->a);
  ExprId inside = expr_sub(pool, expr_mul(pool, p, p), expr_div(pool, x->c, x->a));
  ExprId root = expr_pow(pool, expr_expand(pool, inside, derive_most_terms), half);
  return expr_sub(pool, minus ? expr_neg(pool, root) : root, p);
}

static bool put(System *s, ConstraintSet *c, SymbolId symbol, ExprId value) {
  SymbolMap one = symbol_map_new(s->pool);
  symbol_map_set(&one, symbol, value);
  if (!value || !expr_replace(s->pool, &one, c->values.items, c->values.count, c->values.items)) return false;
  if (!vec_push(s->arena, &c->symbols, symbol) || !vec_push(s->arena, &c->values, value)) return false;
  for (uint32_t i = 0; i < c->symbols.count; i++) symbol_map_set(&c->map, c->symbols.items[i], c->values.items[i]);
  return true;
}

static ExprId put_in(System *s, const ConstraintSet *c, ExprId id) {
  return expr_replace(s->pool, &c->map, &id, 1, &id) ? expr_expand(s->pool, id, derive_most_terms) : 0;
}

static void demand(System *s, ConstraintSet *c, const char *what) {
  c->condition = c->condition ? arena_printf(s->arena, "%s, %s", c->condition, what) : what;
}

// Where a factor that moves vanishes, its constraint may say something else.
static void need(System *s, ConstraintSet *c, ExprId factor) {
  if (factor_cost(s->pool, factor) < cost_moving) return;
  c->moving = true;
  demand(s, c, arena_printf(s->arena, "%s is not 0", expr_text(s->pool, s->arena, factor)));
}

// Of a parameter by its value in the file: a length that is positive is not asked about below zero. 0: it has none.
static int sign_of(System *s, SymbolId symbol) {
  double value = 0;
  ExprId own = expr_sym(s->pool, symbol);
  if (pool_symbol_get(s->pool, symbol)->kind != sym_param || !tape_numbers(s->arena, s, &own, 1, &value)) return 0;
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// The value of a constraint between positions: false, out of memory.
static bool take_place(System *s, ConstraintSet *c, uint32_t k, uint32_t branch) {
  const SystemConstraint *x = &s->constraints.items[k];
  ExprId g = put_in(s, c, x->value);
  if (!g) return false;
  if (zero(s, g)) {
    c->redundant[k] = true;
    return true;
  }
  SolvedFor best = choose_symbol(s, g, kind_set(sym_coord) | kind_set(sym_param));
  bool root = best.symbol && !expr_is_zero(s->pool, best.a);
  int sign = root && expr_is_zero(s->pool, best.b) ? sign_of(s, best.symbol) : 0;
  if (best.cost == cost_none || (root && !sign && c->signs == most_signs)) {
    c->unsolved = arena_printf(s->arena, "the constraint %s is not solved for one of its symbols", x->label);
    return true;
  }
  ExprId value = solution(s, &best, sign ? sign < 0 : root && (branch >> c->signs & 1));
  c->signs += root && !sign;
  if (sign)
    demand(s, c, arena_printf(s->arena, "%s %s 0", pool_symbol_get(s->pool, best.symbol)->name, sign > 0 ? ">" : "<"));
  need(s, c, root ? best.a : best.b);
  c->places[k] = pool_symbol_get(s->pool, best.symbol)->kind == sym_coord;
  return put(s, c, best.symbol, value);
}

static bool take_velocity(System *s, ConstraintSet *c, uint32_t k) {
  const SystemConstraint *x = &s->constraints.items[k];
  ExprId rate = put_in(s, c, x->rate);
  if (!rate) return false;
  if (zero(s, rate)) {
    if (c->places[k])
      c->why = arena_printf(
          s->arena, "the constraint %s has no slope where it holds, as a square has none, so it gives no velocity",
          x->label);
    c->redundant[k] = true;
    return true;
  }
  SolvedFor best = choose_symbol(s, rate, kind_set(sym_velocity));
  if (best.cost == cost_none || zero(s, best.b)) {
    c->why = arena_printf(s->arena, "the constraint %s contradicts those before it, or binds no velocity", x->label);
    return true;
  }
  c->kept[c->count++] = k;
  return put(s, c, best.symbol, solution(s, &best, false));
}

bool constrained_find(System *s, uint32_t branch, ConstraintSet *out) {
  uint32_t m = s->constraints.count;
  *out = (ConstraintSet){.map = symbol_map_new(s->pool)};
  out->kept = arena_array(s->arena, m, sizeof *out->kept);
  out->redundant = arena_array(s->arena, m, sizeof *out->redundant);
  out->places = arena_array(s->arena, m, sizeof *out->places);
  if (m && (!out->kept || !out->redundant || !out->places)) return false;
  if (m > most_solved_for) {
    out->why = arena_printf(s->arena, "there are %u constraints, too many to be solved for by algebra", m);
    return !arena_failed(s->arena);
  }
  for (uint32_t k = 0; k < m && !out->why; k++) {
    if (!s->constraints.items[k].velocities && !take_place(s, out, k, branch)) return false;
  }
  for (uint32_t k = 0; k < m && !out->why; k++) {
    if (!out->redundant[k] && !take_velocity(s, out, k)) return false;
  }
  return !arena_failed(s->arena);
}
