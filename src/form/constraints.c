// Hidden constraints: constraints differentiated to velocities and accelerations, and the power of rheonomic ones.
//
// in    value(q, t) = 0, or linear in velocities: value(q, v, t) = 0
// out   rate = value' of the former, value of the latter
//       G_kj = d(rate_k)/dv_j, curvature = rate' without accelerations: G a + curvature = 0
//       account: the forces G'lambda have the power lambda G v = -lambda rate(v = 0), which is supplied
//       invariants: value and rate stay as they are, so a linear model leaves out what they bind
//
// The block of accelerations and multipliers is made with the structure: M a - G' lambda + h = 0, -G a - curvature = 0.
#include "form/form.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/occurs.h"
#include "expr/ops.h"
#include "system/approximate.h"

#include <math.h>

typedef struct Constrained {
  System *s;
  uint32_t m;
  ExprId *rate, *curvature;
  SymbolIndex v;
} Constrained;

static bool index_velocities(Constrained *x) {
  System *s = x->s;
  uint32_t n = system_freedoms(s);
  SymbolId *v = arena_array(s->arena, (size_t)n + 1, sizeof *v);
  for (uint32_t i = 0; v && i < n; i++) v[i] = system_freedom_velocity(s, i);
  return v && symbol_index(s->arena, s->pool, v, n, &x->v);
}

// rate and curvature of all of them
static bool differentiate(Constrained *x) {
  System *s = x->s;
  for (uint32_t k = 0; k < x->m; k++) x->rate[k] = s->constraints.items[k].value;
  if (!system_time_derivative(s, x->rate, x->m, true, x->curvature)) return false;
  for (uint32_t k = 0; k < x->m; k++) {
    if (!s->constraints.items[k].velocities) x->rate[k] = x->curvature[k];
  }
  return system_time_derivative(s, x->rate, x->m, false, x->curvature);
}

// ---- constraints that hold in every configuration: between points of one rigid body, around a loop that is none

// 2a/(1 + a^2 + b^2 + c^2), ..., (1 - a^2 - b^2 - c^2)/(1 + a^2 + b^2 + c^2): all unit quaternions but one.
static void map_turn(ExprPool *pool, const SystemState *r, const ExprId *abc, SymbolMap *map) {
  ExprId square = pool->zero;
  for (int i = 0; i < 3; i++) square = expr_add(pool, square, expr_powi(pool, abc[i], 2));
  ExprId all = expr_add(pool, pool->one, square);
  symbol_map_set(map, r[0].x, expr_div(pool, expr_sub(pool, pool->one, square), all));
  for (int i = 0; i < 3; i++)
    symbol_map_set(map, r[i + 1].x, expr_div(pool, expr_mul(pool, expr_int(pool, 2), abc[i]), all));
}

// Rational, so that sums that vanish do so nearly.
static ExprId any_number(ExprPool *pool, int64_t *number) {
  *number = *number * 29 % 61 + 9;
  return expr_div(pool, expr_int(pool, *number), expr_int(pool, 64));
}

// Everything that moves, at a configuration that is nothing special.
static SymbolMap somewhere(const System *s) {
  ExprPool *pool = s->pool;
  SymbolMap map = symbol_map_new(pool);
  int64_t number = 7;
  for (uint32_t i = 0; i < s->coords.count; i++) symbol_map_set(&map, s->coords.items[i].q, any_number(pool, &number));
  for (uint32_t i = 0; i < system_freedoms(s); i++)
    symbol_map_set(&map, system_freedom_velocity(s, i), any_number(pool, &number));
  for (uint32_t i = 0; i < s->tree.balls.count; i++) {
    ExprId abc[3];
    for (int k = 0; k < 3; k++) abc[k] = any_number(pool, &number);
    map_turn(pool, &s->states.items[s->tree.balls.items[i].first], abc, &map);
  }
  return map;
}

// Is it zero there, but for rounding of what is added?
static bool vanishes_at(const System *s, ExprId id, const SymbolMap *point) {
  const double rounding = 1e-12;
  double sum = 0, magnitude = 0, number;
  ExprId there;
  if (!expr_replace(s->pool, point, &id, 1, &there)) return false;
  for (uint32_t i = 0; i < expr_term_count(s->pool, there); i++) {
    Term t = expr_term(s->pool, there, i);
    if (!approximate(&s->described, s->pool, t.term, &number)) return false;
    sum += number *= rat_to_double(t.coef);
    magnitude += fabs(number);
  }
  return fabs(sum) <= rounding * magnitude;
}

// Is a rate zero whatever moves? A number says no, a proof says yes.
static bool is_constant(const System *s, ExprId rate, const SymbolMap *point, const SymbolMap *turns) {
  ExprId all;
  if (rate == s->pool->zero) return true;
  return vanishes_at(s, rate, point) && expr_replace(s->pool, turns, &rate, 1, &all) &&
         expr_vanishes(s->pool, s->arena, all);
}

// Their rates are 0 and not the rounding error of a sum that vanishes: as a row of G that would be a direction.
static void drop_constant_rates(Constrained *x) {
  const System *s = x->s;
  ExprPool *pool = s->pool;
  SymbolMap point = somewhere(s), turns = symbol_map_new(pool);
  for (uint32_t i = 0; i < s->tree.balls.count; i++) {
    const SystemState *r = &s->states.items[s->tree.balls.items[i].first];
    map_turn(pool, r, (ExprId[]){expr_sym(pool, r[1].x), expr_sym(pool, r[2].x), expr_sym(pool, r[3].x)}, &turns);
  }
  for (uint32_t k = 0; k < x->m; k++) {
    if (is_constant(s, x->rate[k], &point, &turns)) x->rate[k] = x->curvature[k] = pool->zero;
  }
}

// The power that constraints supply which move with time.
static bool book_power(Constrained *x) {
  System *s = x->s;
  ExprPool *pool = s->pool;
  if (!s->energy.kept) return true;
  ExprId *still = arena_array(s->arena, x->m, sizeof *still);
  Term *terms = arena_array(s->arena, (size_t)x->m + 1, sizeof *terms);
  SymbolMap rest = symbol_map_new(pool);
  for (uint32_t i = 0; i < system_freedoms(s); i++) symbol_map_set(&rest, system_freedom_velocity(s, i), pool->zero);
  if (!still || !terms || !expr_replace(pool, &rest, x->rate, x->m, still)) return false;
  EnergyFlow *supplied = &s->energy.flows.items[flow_supplied];
  terms[0] = (Term){RAT_ONE, supplied->power};
  for (uint32_t k = 0; k < x->m; k++) {
    ExprId power = expr_mul(pool, expr_sym(pool, s->constraints.items[k].symbol), still[k]);
    if (!power) return false;
    terms[k + 1] = (Term){rat_int(-1), power};
  }
  supplied->power = expr_sum(pool, terms, x->m + 1);
  return supplied->power != 0;
}

static bool add_invariants(Constrained *x) {
  System *s = x->s;
  for (uint32_t k = 0; k < x->m; k++) {
    const SystemConstraint *c = &s->constraints.items[k];
    if (!c->velocities && !vec_push(s->arena, &s->invariants, (Invariant){c->name, c->value, c->span, invariant_place}))
      return false;
    if (!vec_push(s->arena, &s->invariants, (Invariant){c->name, c->rate, c->span, invariant_rate})) return false;
  }
  return true;
}

// An event cannot set a position that a constraint binds: it would leave the constraint manifold.
static void check_events(const System *s) {
  for (uint32_t i = 0; i < s->whens.count; i++) {
    for (uint32_t k = 0; k < s->whens.items[i].assigns.count; k++) {
      const SystemAssign *set = &s->whens.items[i].assigns.items[k];
      bool turn = set->kind == assign_state && s->states.items[set->index].role == state_position;
      if (set->kind != assign_place && !turn) continue;
      SymbolId q = turn ? s->states.items[set->index].x : s->coords.items[set->index].q;
      const char *name = turn ? s->states.items[set->index].name : s->coords.items[set->index].name;
      for (uint32_t c = 0; c < s->constraints.count; c++) {
        if (!expr_depends(s->pool, s->constraints.items[c].value, q) || s->constraints.items[c].velocities) continue;
        diag_error(s->diags, diag_bad_constraint, set->span,
                   "`%s` is bound by a constraint, so no event can set its place", name);
        diag_also(s->diags, s->constraints.items[c].span, "this one");
        diag_hint(s->diags, "set its velocity: the constraint answers with an impulse");
        break;
      }
    }
  }
}

// Does a value jump by an input in it? Inputs may hold inputs.
static bool jumps_by_input(const System *s, ExprId value, bool inside, uint32_t depth) {
  uint32_t length;
  const ExprId *reached = pool_reach(s->pool, &value, 1, NULL, NULL, &length);
  ExprId *list = reached ? arena_array(s->arena, length, sizeof *list) : NULL; // the next search overwrites it
  for (uint32_t i = 0; list && i < length; i++) list[i] = reached[i];
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(s->pool, list[i]);
    const Symbol *x = id ? pool_symbol_get(s->pool, id) : NULL;
    if (inside && expr_op_jumps(expr_op(s->pool, list[i])) && !expr_only_kinds(s->pool, list[i], kind_set(sym_param)))
      return true;
    if (x && x->kind == sym_input && depth && jumps_by_input(s, s->inputs.items[x->index].value, true, depth - 1))
      return true;
  }
  return false;
}

static void check_inputs(const System *s) {
  enum { deepest = 8 }; // of inputs in inputs
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    const SystemConstraint *c = &s->constraints.items[k];
    if (!expr_has_kind(s->pool, c->value, sym_input) || !jumps_by_input(s, c->value, false, deepest)) continue;
    diag_error(s->diags, diag_bad_constraint, c->span,
               "an input in this constraint jumps: its motion would need an infinite force");
    diag_hint(s->diags, "let it go from one place to the other in a short time, as `ramp` does");
  }
}

static bool constraints_fill(System *s) {
  Constrained constrained = {.s = s, .m = s->constraints.count}, *x = &constrained;
  if (!x->m) return true;
  check_events(s);
  check_inputs(s);
  x->rate = arena_array(s->arena, x->m, sizeof *x->rate);
  x->curvature = arena_array(s->arena, x->m, sizeof *x->curvature);
  MassRow *G = arena_array(s->arena, x->m, sizeof *G);
  if (!x->rate || !x->curvature || !G || !index_velocities(x) || !differentiate(x)) return false;
  drop_constant_rates(x);
  if (!sparse_jacobian(s->arena, s->pool, x->rate, x->m, &x->v, G)) return false;
  for (uint32_t k = 0; k < x->m; k++) {
    SystemConstraint *c = &s->constraints.items[k];
    c->rate = x->rate[k];
    c->curvature = x->curvature[k];
    c->G = G[k];
  }
  return book_power(x) && add_invariants(x);
}

const Formulation constraints_formulation = {.fill = constraints_fill};
