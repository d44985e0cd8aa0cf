// Equations as they stand in the model: multiples of one of them, and what those of first order determine.
//
// in    e = lhs - rhs
// out   a multiple: e = f r for an equation r = 0 of the model, with the factor f in words
// how   e/r does not depend on a symbol z on which r does: e dr/dz - r de/dz is zero in the normal form. Derivatives
//       see no jump, so e - f r is decided as well, with f = (de/dz) / (dr/dz).
//
// An equation without accelerations may follow from the equations of first order and still say less than they do: 0*v =
// 0. It is as good as one of them if, with the others in force, it is linear in what that one gives, with a factor that
// does not vanish.
#include "algebra/motion_parts.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/modular.h"
#include "expr/print.h"

SymbolId motion_unknown(const MotionCheck *m, uint32_t i) {
  const System *s = m->s;
  return i < m->coords ? s->coords.items[m->of[i]].a : s->constraints.items[m->of[i]].symbol;
}

const char *motion_row_name(const MotionCheck *m, uint32_t i) {
  const System *s = m->s;
  if (i < m->coords) return arena_printf(m->arena, "the equation of %s", s->coords.items[m->of[i]].name);
  const SystemConstraint *c = &s->constraints.items[m->of[i]];
  return arena_printf(m->arena, "the constraint %s differentiated%s", c->label, c->velocities ? "" : " twice");
}

ExprId motion_residual(MotionCheck *m, uint32_t i) {
  ExprId r = m->s->h[i];
  for (uint32_t j = 0; j < m->s->coord_count; j++)
    r = expr_add(m->pool, r, expr_mul(m->pool, system_mass(m->s, i, j), expr_sym(m->pool, m->s->coords.items[j].a)));
  for (uint32_t k = 0; k < m->s->constraints.count; k++) {
    ExprId force =
        expr_mul(m->pool, constrained_slope(m->s, k, i), expr_sym(m->pool, m->s->constraints.items[k].symbol));
    r = expr_sub(m->pool, r, force);
  }
  return r;
}

// What the equations of first order give: velocities, positions, rates of states.
typedef struct FirstOrder {
  SymbolId symbol;
  ExprId value;
  ExprId slope; // of the model's own equation by it
  bool derived; // the velocity of a position
} FirstOrder;

typedef VEC(FirstOrder) FirstOrderList;

static bool list_first_order(MotionCheck *m, FirstOrderList *list) {
  ExprPool *pool = m->pool;
  for (uint32_t i = 0; i < m->inertialess.symbols.count; i++) {
    SymbolId x = m->inertialess.symbols.items[i];
    const Symbol *symbol = pool_symbol_get(pool, x);
    bool derived = symbol->kind == sym_velocity && m->unreduced->role[symbol->index] == coord_algebraic;
    if (!vec_push(m->arena, list,
                  (FirstOrder){x, m->inertialess.values.items[i], expr_diff(pool, m->unreduced->h[symbol->index], x),
                               derived}))
      return false;
  }
  for (uint32_t i = 0; i < m->unreduced->state_count; i++) {
    SymbolId x = m->unreduced->states.items[i].rate;
    if (expr_depends(pool, m->unreplaced, x) &&
        !vec_push(m->arena, list, (FirstOrder){x, m->s->f[i], pool->one, false}))
      return false;
  }
  return true;
}

bool motion_determines(MotionCheck *m) {
  ExprPool *pool = m->pool;
  FirstOrderList list = {0};
  if (!list_first_order(m, &list)) return false;
  ExprId found = 0;
  for (uint32_t j = 0; j < list.count; j++) {
    const FirstOrder *g = &list.items[j];
    SymbolMap others = symbol_map_new(pool);
    for (uint32_t i = 0; i < list.count; i++) {
      if (i != j) symbol_map_set(&others, list.items[i].symbol, list.items[i].value);
    }
    ExprId in[2] = {m->unreplaced, g->slope}, out[2];
    if (g->derived || !g->slope || !expr_replace(pool, &others, in, 2, out)) continue;
    ExprId slope = expr_expand(pool, expr_diff(pool, out[0], g->symbol), derive_most_terms);
    // a derivative that jumps has no second derivative either
    ExprId bend = slope && (!expr_depends(pool, slope, g->symbol) || expr_is_rational(pool, slope))
                      ? expr_diff(pool, slope, g->symbol)
                      : 0;
    if (!bend || decide_zero(pool, m->arena, bend).verdict != verdict_equal ||
        decide_zero(pool, m->arena, slope).verdict == verdict_equal)
      continue;
    Rat number;
    ExprId factor = expr_is_zero(pool, out[1]) ? pool->one : expr_short(pool, m->arena, expr_div(pool, slope, out[1]));
    if (!found || (factor && expr_number(pool, factor, &number))) found = factor;
    if (found && expr_number(pool, found, &number)) break;
  }
  if (found && !expr_only_kinds(pool, found, kind_set(sym_param)))
    m->out.condition = arena_printf(m->arena, "where %s is finite and not 0", expr_text(m->pool, m->arena, found));
  return found != 0;
}

// e = f r with the f that the derivatives by z have. 0: that is not so. Derivatives see no jump, so their quotient
// alone is no proof.
static ExprId factor_of(MotionCheck *m, ExprId e, ExprId r, SymbolId z) {
  ExprPool *pool = m->pool;
  ExprId below = expr_diff(pool, r, z);
  if (!below || expr_is_zero(pool, below) || decide_zero(pool, m->arena, below).verdict == verdict_equal) return 0;
  ExprId factor = expr_short(pool, m->arena, expr_div(pool, expr_diff(pool, e, z), below));
  if (!factor || expr_is_zero(pool, factor) || expr_op(pool, factor) == op_undefined) return 0;
  return decide_zero(pool, m->arena, expr_sub(pool, e, expr_mul(pool, factor, r))).verdict == verdict_equal ? factor
                                                                                                            : 0;
}

// A multiple of an equation of first order that is not linear in the velocity: e/h does not depend on the velocity.
void motion_prove_first_order(MotionCheck *m) {
  System *s = m->s;
  ExprPool *pool = m->pool;
  ExprId e = expr_sub(pool, m->lhs, m->rhs);
  for (uint32_t i = 0; e && i < s->coord_count; i++) {
    SymbolId v = s->coords.items[i].v;
    ExprId h = s->h[i];
    if (s->role[i] < coord_first_order || s->role[i] == coord_algebraic || s->null_row[i] ||
        expr_has_kind(pool, e, sym_acceleration) || !expr_depends(pool, e, v))
      continue;
    ExprId cross = expr_sub(pool, expr_mul(pool, e, expr_diff(pool, h, v)), expr_mul(pool, h, expr_diff(pool, e, v)));
    if (decide_zero(pool, m->arena, cross).verdict != verdict_equal ||
        decide_zero(pool, m->arena, e).verdict == verdict_equal)
      continue;
    ExprId factor = factor_of(m, e, h, v);
    if (!factor) continue;
    const char *times =
        factor == pool->one ? "" : arena_printf(m->arena, ", times %s", expr_text(m->pool, m->arena, factor));
    m->out = (CheckResult){.verdict = verdict_equal,
                           .means = arena_printf(m->arena, "the equation of %s%s", s->coords.items[i].name, times)};
    Rat number;
    if (!expr_number(pool, factor, &number))
      m->out.condition = arena_printf(m->arena, "where %s is finite and not 0", expr_text(m->pool, m->arena, factor));
    return;
  }
}

// Is e a multiple of r? Then e/r does not depend on z, on which r depends.
static bool is_multiple(MotionCheck *m, ExprId e, ExprId r, SymbolId z, const char *name) {
  ExprPool *pool = m->pool;
  if (!expr_depends(pool, r, z) || !expr_depends(pool, e, z)) return false;
  ExprId cross = expr_sub(pool, expr_mul(pool, e, expr_diff(pool, r, z)), expr_mul(pool, r, expr_diff(pool, e, z)));
  if (!cross || decide_zero(pool, m->arena, cross).verdict != verdict_equal ||
      decide_zero(pool, m->arena, e).verdict == verdict_equal)
    return false;
  ExprId factor = factor_of(m, e, r, z);
  if (!factor) return false;
  Rat number;
  const char *times = factor == pool->one || factor == pool->minus_one
                          ? ""
                          : arena_printf(m->arena, ", times %s", expr_text(m->pool, m->arena, factor));
  m->out =
      (CheckResult){.verdict = verdict_equal, .means = arena_printf(m->arena, "the equation of %s%s", name, times)};
  if (!expr_number(pool, factor, &number))
    m->out.condition = arena_printf(m->arena, "where %s is finite and not 0", expr_text(m->pool, m->arena, factor));
  return true;
}

// The first acceleration in r, else the first velocity; 0: it holds neither.
static SymbolId moving_symbol(const MotionCheck *m, ExprId r) {
  const SystemCoordList *coords = &m->s->coords;
  for (uint32_t j = 0; j < coords->count; j++) {
    if (expr_depends(m->pool, r, coords->items[j].a)) return coords->items[j].a;
  }
  for (uint32_t j = 0; j < coords->count; j++) {
    if (expr_depends(m->pool, r, coords->items[j].v)) return coords->items[j].v;
  }
  return 0;
}

// The first unknown or component of the state that r depends on; 0: none.
static SymbolId any_symbol(const MotionCheck *m, ExprId r) {
  const System *s = m->s;
  for (uint32_t i = 0; i < s->unknowns.count; i++) {
    if (expr_depends(m->pool, r, s->unknowns.items[i].symbol)) return s->unknowns.items[i].symbol;
  }
  for (uint32_t i = 0; i < s->y.count; i++) {
    SymbolId x = s->y.items[i].symbol;
    if (x && expr_depends(m->pool, r, x)) return x;
  }
  return 0;
}

// A multiple of an equation that was differentiated, or of a derivative of it.
static bool is_level(MotionCheck *m, ExprId e, const SystemEquation *of) {
  const Source *source = source_get(m->s->sources, of->span);
  for (uint32_t k = 0; of->times && k <= of->times; k++) {
    SymbolId x = any_symbol(m, of->levels[k]);
    const char *name = arena_printf(m->arena, "line %u%s", source_place(source, of->span.start).line,
                                    k == 0   ? ""
                                    : k == 1 ? ", differentiated once"
                                             : ", differentiated again");
    if (x && name && is_multiple(m, e, of->levels[k], x, name)) return true;
  }
  return false;
}

// A multiple of a constraint, or of one of its time derivatives.
static bool written_constraint(MotionCheck *m, ExprId e) {
  System *s = m->s;
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    const SystemConstraint *c = &s->constraints.items[k];
    ExprId bend = c->curvature;
    for (uint32_t j = 0; j < c->G.count; j++)
      bend =
          expr_add(m->pool, bend,
                   expr_mul(m->pool, c->G.items[j].value, expr_sym(m->pool, s->coords.items[c->G.items[j].column].a)));
    const ExprId rows[] = {c->value, c->rate, bend};
    static const char *const words[] = {"", " differentiated", " differentiated twice"};
    for (int i = 0; i < 3; i++) {
      if (c->velocities && i == 1) continue;
      for (uint32_t j = 0; j < s->coord_count; j++) {
        const SystemCoord *q = &s->coords.items[j];
        SymbolId z = i == 0 && !c->velocities ? q->q : i == 2 ? q->a : q->v;
        if (!is_multiple(m, e, rows[i], z, c->label)) continue;
        const char *word = words[c->velocities && i ? i - 1 : i];
        m->out.means = arena_printf(m->arena, "the constraint %s%s", c->label, word);
        return true;
      }
    }
  }
  return false;
}

// Where what follows from the equations is not decided: a multiple of one of them as it stands.
void motion_prove_written(MotionCheck *m) {
  System *s = m->s;
  ExprId e = expr_sub(m->pool, m->lhs, m->rhs);
  for (uint32_t i = 0; e && i < s->coord_count; i++) {
    ExprId r = motion_residual(m, i);
    SymbolId z = r ? moving_symbol(m, r) : 0;
    if (z && is_multiple(m, e, r, z, s->coords.items[i].name)) return;
  }
  for (uint32_t i = 0; e && i < s->state_count; i++) {
    const SystemState *x = &s->states.items[i];
    if (s->f[i] && is_multiple(m, e, expr_sub(m->pool, expr_sym(m->pool, x->rate), s->f[i]), x->rate, x->name)) return;
  }
  if (e && written_constraint(m, e)) return;
  for (uint32_t i = 0; e && i < s->implicit.count; i++) {
    if (is_level(m, e, &s->implicit.items[i])) return;
    for (uint32_t k = 0; k < s->unknowns.count; k++) {
      const SystemUnknown *z = &s->unknowns.items[k];
      if (is_multiple(m, e, s->implicit.items[i].residual, z->symbol, z->name)) return;
    }
  }
}
