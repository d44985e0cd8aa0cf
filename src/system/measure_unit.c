// The dimension of a measure, from those of the names in it.
//
// in    an expression over symbols whose dimensions were inferred when the model was read (lang/infer.h)
// out   its dimension, or none where it is not certain
// how   products add exponents, terms of a sum and branches have one dimension (a cost may add others: then it has
//       none), elementary functions give plain numbers. A number in a product may have been written with a unit, which
//       is no part of an expression: only 1 and -1 leave a dimension known.
#include "system/measure_unit.h"

#include "system/quantity_unit.h"

#include <string.h>

enum { deepest = 200, most_work = 20000 }; // of expressions inside each other; looked at

static const Dimension unknown = {0};

static Dimension second(int32_t power) {
  Dimension d = dimension_plain();
  d.known = true;
  d.power[unit_second] = ratio_int(power);
  return d;
}

static Dimension plain(void) { return second(0); }

static Dimension times(Dimension a, Dimension b, Ratio power) {
  return a.known && b.known ? dimension_mul(a, b, power) : unknown;
}

// As it was declared, else as it was inferred.
static Dimension declared(const Unit *unit, const Dimension *inferred, int32_t order) {
  return times(unit->said ? dimension_of_unit(unit) : *inferred, second(1), ratio_int(-order));
}

typedef struct UnitWalk {
  const System *s;
  const MeasureSet *set;
  uint32_t work;
} UnitWalk;

static Dimension of_expression(UnitWalk *w, ExprId id, int depth);

static Dimension of_gauge(UnitWalk *w, const MeasureGauge *g, int depth) {
  if (g->kind == measure_time) return second(1);
  Dimension d = of_expression(w, g->of, depth);
  return g->kind == measure_integral ? times(d, second(1), ratio_int(1)) : d;
}

static Dimension of_symbol(UnitWalk *w, SymbolId symbol, int depth) {
  const System *s = w->s;
  if (symbol == s->time) return second(1);
  for (uint32_t i = 0; i < w->set->gauges.count; i++) {
    if (w->set->gauges.items[i].symbol == symbol) return of_gauge(w, &w->set->gauges.items[i], depth);
  }
  for (uint32_t i = 0; i < s->params.count; i++) {
    const SystemParam *p = &s->params.items[i];
    if (p->symbol == symbol) return declared(p->unit, &p->dim, 0);
  }
  for (uint32_t i = 0; i < s->coords.count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    int32_t order = symbol == c->q ? 0 : symbol == c->v ? 1 : symbol == c->a ? 2 : -1;
    if (order >= 0) return declared(&c->unit, &c->dim, order);
  }
  for (uint32_t i = 0; i < s->states.count; i++) {
    const SystemState *x = &s->states.items[i];
    if (x->x == symbol || x->rate == symbol) return declared(&x->unit, &x->dim, x->rate == symbol);
  }
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    if (s->inputs.items[i].symbol == symbol) return declared(&s->inputs.items[i].unit, &s->inputs.items[i].dim, 0);
  }
  for (uint32_t i = 0; i < s->unknowns.count; i++) {
    const SystemUnknown *u = &s->unknowns.items[i];
    if (u->symbol == symbol) return declared(&u->unit, &u->dim, 0);
  }
  return unknown;
}

static Dimension of_product(UnitWalk *w, ExprId id, int depth) {
  const ExprPool *pool = w->s->pool;
  Rat c = expr_coef(pool, id), exponent;
  int64_t whole;
  if (!rat_to_int(c, &whole) || (whole != 1 && whole != -1)) return unknown;
  Dimension d = plain();
  for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
    Factor f = expr_factor(pool, id, i);
    if (!expr_number(pool, f.exponent, &exponent) || exponent.big || exponent.num > 100 || exponent.num < -100 ||
        exponent.den > 100)
      return unknown;
    Ratio power = ratio_div(ratio_int((int32_t)exponent.num), ratio_int((int32_t)exponent.den));
    d = times(d, of_expression(w, f.base, depth), power);
  }
  return d;
}

// Terms and branches are alike: those that are known tell. False: they differ.
static bool agree(Dimension *all, Dimension one) {
  if (all->known && one.known && !dimension_same(all, &one)) return false;
  if (one.known) *all = one;
  return true;
}

static Dimension of_any(UnitWalk *w, const ExprId *list, uint32_t count, int depth) {
  Dimension d = unknown;
  for (uint32_t i = 0; i < count; i++) {
    if (!agree(&d, of_expression(w, list[i], depth))) return unknown;
  }
  return d;
}

static Dimension of_sum(UnitWalk *w, ExprId id, int depth) {
  const ExprPool *pool = w->s->pool;
  Rat number;
  Dimension d = unknown;
  for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
    Term t = expr_term(pool, id, i);
    if (expr_number(pool, t.term, &number)) continue; // any unit may stand behind a number
    int64_t c;
    bool sure = rat_to_int(t.coef, &c) && (c == 1 || c == -1);
    if (sure && !agree(&d, of_expression(w, t.term, depth))) return unknown;
  }
  return d;
}

static Dimension of_expression(UnitWalk *w, ExprId id, int depth) {
  const ExprPool *pool = w->s->pool;
  const ExprId *args = pool_args(pool, id);
  if (depth > deepest || w->work++ > most_work) return unknown;
  depth++;
  switch (expr_op(pool, id)) {
  case op_sym: return of_symbol(w, expr_symbol(pool, id), depth);
  case op_add: return of_sum(w, id, depth);
  case op_mul: return of_product(w, id, depth);
  case op_abs:
  case op_ramp: return of_any(w, args, 1, depth);
  case op_min:
  case op_max: return of_any(w, args, 2, depth);
  case op_if: return of_any(w, args + 1, 2, depth);
  case op_sin:
  case op_cos:
  case op_tan:
  case op_asin:
  case op_acos:
  case op_atan:
  case op_atan2:
  case op_sinh:
  case op_cosh:
  case op_tanh:
  case op_exp:
  case op_ln:
  case op_log10:
  case op_sign:
  case op_step:
  case op_lt:
  case op_le:
  case op_eq:
  case op_ne:
  case op_and:
  case op_or:
  case op_not: return plain();
  default: return unknown;
  }
}

// What is shown has the unit that was found when the model was read.
static const char *of_shown(const System *s, ExprId of) {
  for (uint32_t i = 0; i < s->outputs.count; i++) {
    if (s->outputs.items[i].value == of) return s->outputs.items[i].si;
  }
  return NULL;
}

const char *measure_unit(Arena *arena, const System *s, const MeasureSet *set, const Measure *m) {
  UnitWalk w = {s, set, 0};
  if (m->condition) return "";
  // a name alone is shown as it was declared
  for (uint32_t i = 0; expr_op(s->pool, m->value) == op_sym && i < set->gauges.count; i++) {
    const MeasureGauge *g = &set->gauges.items[i];
    if (g->symbol != expr_symbol(s->pool, m->value)) continue;
    if (g->kind == measure_time) return "s";
    bool symbol = expr_op(s->pool, g->of) == op_sym;
    const char *own = g->kind == measure_integral ? NULL : of_shown(s, g->of);
    if (!own && symbol && g->kind != measure_integral)
      own = quantity_unit(arena, &s->described, s->pool, pool_symbol_get(s->pool, expr_symbol(s->pool, g->of))->name);
    if (own) return own;
  }
  Dimension d = of_expression(&w, m->value, 0);
  return dimension_text(arena, &d);
}
