// The report of `check` without equations: names with their units, and what stands in the model to no effect.
#include "algebra/facts.h"

#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/decide.h"
#include "lang/elab.h"

#include <string.h>

// ---- units

static void put_name(System *s, Facts *f, const char *name, const char *kind, const Unit *unit, const Dimension *dim,
                     int order) {
  FactName n = {.name = name, .kind = kind, .unit = unit_si_text(s->arena, unit, dim, order), .inferred = !unit->said};
  bool si = unit->pi == 0 && rat_is_int_value(unit->scale, 1);
  if (unit->said && !si && order == 0) n.written = unit->text;
  // an energy of a parameter or input is a torque or a stiffness
  if (n.inferred && n.unit && strcmp(n.unit, "J") == 0) n.unit = "N·m";
  vec_push(s->arena, &f->names, n);
}

static void names(System *s, Facts *f) {
  const Model *m = s->model;
  for (uint32_t i = 0; i < m->params.count; i++)
    put_name(s, f, m->params.items[i].name, "parameter", &m->params.items[i].unit, &m->params.items[i].dim, 0);
  for (uint32_t i = 0; i < m->inputs.count; i++)
    put_name(s, f, m->inputs.items[i].name, "input", &m->inputs.items[i].unit, &m->inputs.items[i].dim, 0);
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const ModelCoord *c = &m->coords.items[i];
    put_name(s, f, c->name, "coordinate", &c->unit, &c->dim, 0);
    put_name(s, f, pool_symbol_get(s->pool, c->v)->name, "velocity", &c->unit, &c->dim, 1);
  }
  for (uint32_t i = 0; i < m->states.count; i++)
    put_name(s, f, m->states.items[i].name, "state", &m->states.items[i].unit, &m->states.items[i].dim, 0);
  for (uint32_t i = 0; i < m->unknowns.count; i++) {
    const ModelUnknown *u = &m->unknowns.items[i];
    if (!u->chain) put_name(s, f, u->name, "unknown", &u->unit, &u->dim, 0);
  }
  for (uint32_t i = 0; i < m->outputs.count; i++) {
    const ModelOutput *o = &m->outputs.items[i];
    vec_push(s->arena, &f->names, (FactName){o->name, "output", o->si, NULL, !o->unit.said});
  }
  Dimension joule = dimension_plain();
  joule.power[unit_metre] = ratio_int(2);
  joule.power[unit_kilogram] = ratio_int(1);
  joule.power[unit_second] = ratio_int(-2);
  if (s->energy.kept && m->energy_dim.known && !dimension_same(&m->energy_dim, &joule))
    f->energy_unit = dimension_text(s->arena, &m->energy_dim);
  f->cut = m->units_cut;
}

// ---- what has no effect

typedef struct Seen {
  System *s;
  bool *symbol;      // that occur in something that counts
  VEC(ExprId) roots; // still to be looked at
} Seen;

static void count_in(Seen *seen, ExprId id) {
  if (id) vec_push(seen->s->arena, &seen->roots, id);
}

// Values of parameters and inputs count when they do.
static void spread(Seen *seen) {
  System *s = seen->s;
  const Model *m = s->model;
  while (seen->roots.count) {
    uint32_t length, before = seen->roots.count;
    const ExprId *list = pool_reach(s->pool, seen->roots.items, before, NULL, NULL, &length);
    seen->roots.count = 0;
    for (uint32_t i = 0; list && i < length; i++) {
      SymbolId id = expr_symbol(s->pool, list[i]);
      if (!id || seen->symbol[id]) continue;
      seen->symbol[id] = true;
      const Symbol *x = pool_symbol_get(s->pool, id);
      if (x->kind == sym_param) count_in(seen, m->params.items[x->index].value);
      if (x->kind == sym_input || x->kind == sym_input_rate) {
        seen->symbol[m->inputs.items[x->index].symbol] = true;
        count_in(seen, m->inputs.items[x->index].value);
      }
    }
    if (!list) return;
  }
}

static bool shown(void *self, ExprId value, Span span) {
  (void)span;
  count_in(self, value);
  return false;
}

static bool find_seen(System *s, Seen *seen) {
  const Model *m = s->model;
  *seen = (Seen){.s = s, .symbol = arena_array(s->arena, s->pool->symbols.count, sizeof(bool))};
  if (!seen->symbol) return false;
  uint32_t n = s->coord_count;
  for (uint32_t i = 0; i < n * n; i++) count_in(seen, s->M[i]);
  for (uint32_t i = 0; i < n; i++) count_in(seen, s->h[i]);
  for (uint32_t i = 0; i < s->state_count; i++) count_in(seen, s->f[i]);
  for (uint32_t i = 0; i < n; i++) {
    count_in(seen, m->coords.items[i].q0);
    count_in(seen, m->coords.items[i].v0);
  }
  for (uint32_t i = 0; i < s->state_count; i++) count_in(seen, m->states.items[i].x0);
  for (uint32_t i = 0; i < m->implicit.count; i++) count_in(seen, m->implicit.items[i].residual);
  for (uint32_t i = 0; i < m->unknowns.count; i++) count_in(seen, m->unknowns.items[i].guess);
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const ModelWhen *e = &m->whens.items[i];
    count_in(seen, e->condition);
    count_in(seen, e->period);
    for (uint32_t k = 0; k < e->assigns.count; k++) count_in(seen, e->assigns.items[k].value);
  }
  for (uint32_t i = 0; i < m->memories.count; i++) {
    count_in(seen, m->memories.items[i].start);
    count_in(seen, m->memories.items[i].rule);
    count_in(seen, m->memories.items[i].follow);
  }
  for (uint32_t i = 0; i < m->delays.count; i++) {
    count_in(seen, m->delays.items[i].input);
    count_in(seen, m->delays.items[i].time);
    count_in(seen, m->delays.items[i].history);
  }
  for (uint32_t i = 0; i < m->frictions.count; i++) {
    count_in(seen, m->frictions.items[i].v);
    count_in(seen, m->frictions.items[i].slip);
    count_in(seen, m->frictions.items[i].stick);
  }
  // a jump of an energy has no equation, but what stands in it is not without effect
  for (uint32_t i = 0; i < m->energies.count; i++) {
    if (expr_has_jump(s->pool, m->energies.items[i].value, kinds_moving)) count_in(seen, m->energies.items[i].value);
  }
  model_each_shown(m, shown, seen);
  count_in(seen, m->simulate.to);
  count_in(seen, m->simulate.step);
  count_in(seen, m->simulate.every);
  spread(seen);
  return !arena_failed(s->arena);
}

static void remark(System *s, Facts *f, const char *about, Span span, const char *says) {
  vec_push(s->arena, &f->remarks, (FactRemark){about, says, span});
}

static void unused(System *s, Facts *f, const Seen *seen) {
  const Model *m = s->model;
  const Elab *e = m->scope;
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    const Decl *d = e->names.decls.items[i];
    if (d->kind == decl_param && d->value.shape) {
      bool counts = d->structural;
      for (uint32_t k = 0; k < value_count(&d->value); k++)
        counts = counts || seen->symbol[m->params.items[d->index + k].symbol];
      if (!counts)
        remark(s, f, d->name, d->span,
               d->used ? "this parameter has no effect on the motion or on anything shown"
                       : "this parameter does not occur");
    } else if (d->kind == decl_input && !seen->symbol[m->inputs.items[d->index].symbol]) {
      remark(s, f, d->name, d->span,
             d->used ? "this input has no effect on the motion or on anything shown" : "this input does not occur");
    } else if (d->kind == decl_let && !d->used) {
      remark(s, f, d->name, d->span, "this `let` is not used");
    } else if (d->kind == decl_fun && !d->used) {
      remark(s, f, d->name, d->span, "this function is not used");
    }
  }
}

// What follows from the coordinate: does one of the roots hold its place, velocity or acceleration, by inputs too?
static bool reaches(System *s, const ModelCoord *c, const ExprId *roots, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (roots[i] && (expr_depends(s->pool, roots[i], c->q) || expr_depends(s->pool, roots[i], c->v) ||
                     expr_depends(s->pool, roots[i], c->a)))
      return true;
  }
  return false;
}

// The input holds the coordinate, or another input that does.
static void mark_inputs(System *s, const ModelCoord *c, bool *moved) {
  const Model *m = s->model;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < m->inputs.count; i++) {
      bool own = reaches(s, c, &m->inputs.items[i].value, 1);
      for (uint32_t k = 0; k < m->inputs.count && !own; k++)
        own = moved[k] && expr_depends(s->pool, m->inputs.items[i].value, m->inputs.items[k].symbol);
      again = again || (own && !moved[i]);
      moved[i] = moved[i] || own;
    }
  }
}

static bool holds_input(System *s, const bool *moved, const ExprId *roots, uint32_t count) {
  const Model *m = s->model;
  for (uint32_t r = 0; r < count; r++) {
    if (!roots[r]) continue;
    for (uint32_t i = 0; i < m->inputs.count; i++) {
      if (moved[i] && expr_depends(s->pool, roots[r], m->inputs.items[i].symbol)) return true;
    }
    for (uint32_t i = 0; i < m->input_rates.count; i++) {
      if (moved[m->input_rates.items[i].input] && expr_depends(s->pool, roots[r], m->input_rates.items[i].symbol))
        return true;
    }
  }
  return false;
}

typedef struct Roots {
  System *s;
  VEC(ExprId) items;
} Roots;

static bool put_root(void *self, ExprId value, Span span) {
  Roots *r = self;
  (void)span;
  return !vec_push(r->s->arena, &r->items, value);
}

// Everything that is not the coordinate's own: equations of the others, events, what is shown.
static void gather_others(System *s, uint32_t own, Roots *r) {
  const Model *m = s->model;
  uint32_t n = s->coord_count;
  Span none = {0};
  for (uint32_t j = 0; j < n; j++) {
    if (j == own) continue;
    put_root(r, s->h[j], none);
    for (uint32_t k = 0; k < n; k++) put_root(r, s->M[j * n + k], none);
  }
  for (uint32_t j = 0; j < s->state_count; j++) put_root(r, s->f[j], none);
  for (uint32_t j = 0; j < m->implicit.count; j++) put_root(r, m->implicit.items[j].residual, none);
  for (uint32_t j = 0; j < m->whens.count; j++) {
    const ModelWhen *e = &m->whens.items[j];
    if (e->condition) put_root(r, e->condition, none);
    for (uint32_t k = 0; k < e->assigns.count; k++) {
      bool mine = e->assigns.items[k].kind != assign_state && e->assigns.items[k].index == own;
      if (!mine) put_root(r, e->assigns.items[k].value, none);
    }
  }
  for (uint32_t j = 0; j < m->energies.count; j++) {
    if (expr_has_jump(s->pool, m->energies.items[j].value, kinds_moving)) put_root(r, m->energies.items[j].value, none);
  }
}

static void without_influence(System *s, Facts *f) {
  const Model *m = s->model;
  uint32_t n = s->coord_count;
  if (m->memories.count || m->delays.count || m->frictions.count) return; // it may stand in one of them
  for (uint32_t i = 0; i < n && n + s->state_count > 1; i++) {
    const ModelCoord *c = &m->coords.items[i];
    Roots r = {.s = s};
    bool *moved = arena_array(s->arena, m->inputs.count, sizeof *moved), counts = false;
    if (!moved) return;
    for (uint32_t j = 0; j < n && !counts; j++)
      counts = j != i && (!expr_is_zero(s->pool, s->M[i * n + j]) || !expr_is_zero(s->pool, s->M[j * n + i]));
    gather_others(s, i, &r);
    if (m->outputs.count) model_each_shown(m, put_root, &r);
    mark_inputs(s, c, moved);
    counts =
        counts || reaches(s, c, r.items.items, r.items.count) || holds_input(s, moved, r.items.items, r.items.count);
    if (!counts)
      remark(s, f, c->name, c->span,
             m->outputs.count ? "this coordinate has no influence on anything else"
                              : "the others move without this coordinate");
  }
}

// An energy that adds nothing to the equations: its Euler derivative is zero for every coordinate.
static void idle_energies(System *s, Facts *f) {
  const Model *m = s->model;
  for (uint32_t k = 0; k < m->energies.count; k++) {
    const ModelEnergy *e = &m->energies.items[k];
    bool rate = e->kind == stmt_dissipation || e->kind == stmt_power, jumps = facts_energy_jumps(s, e), idle = !jumps;
    for (uint32_t i = 0; i < s->coord_count && idle; i++) {
      ExprId p = expr_diff(s->pool, e->value, m->coords.items[i].v), r = p;
      if (!rate) {
        ExprId dp = 0;
        if (!p || !system_time_derivative(s, &p, 1, true, &dp)) return;
        r = expr_sub(s->pool, dp, expr_diff(s->pool, e->value, m->coords.items[i].q));
      }
      idle = r && (expr_is_zero(s->pool, r) || decide_zero(s->pool, s->arena, r).verdict == verdict_equal);
    }
    static const char *const words[] = {"kinetic", "potential", "lagrangian", "dissipation"};
    const char *word = e->kind == stmt_power ? "power" : words[e->kind - stmt_kinetic];
    if (idle)
      remark(s, f, word, e->span, rate ? "it gives no force on any coordinate" : "it adds nothing to the equations");
    // may it jump, or does it: only what is written as a jump is told
    if (jumps && expr_has_jump(s->pool, e->value, facts_impulse_kinds(s, e)))
      remark(s, f, word, e->span, "where it jumps there is an impulse, which no equation has");
  }
}

static void same_outputs(System *s, Facts *f) {
  enum { most = 40 };
  const Model *m = s->model;
  for (uint32_t i = 1; i < m->outputs.count && i < most; i++) {
    for (uint32_t k = 0; k < i; k++) {
      ExprId d = expr_sub(s->pool, m->outputs.items[i].value, m->outputs.items[k].value);
      if (!d || (!expr_is_zero(s->pool, d) && decide_zero(s->pool, s->arena, d).verdict != verdict_equal)) continue;
      remark(s, f, m->outputs.items[i].name, m->outputs.items[i].span,
             arena_printf(s->arena, "this output is the same as %s", m->outputs.items[k].name));
      break;
    }
  }
}

bool facts_find(System *s, Facts *f) {
  *f = (Facts){0};
  Seen seen;
  if (!find_seen(s, &seen)) return false;
  names(s, f);
  facts_constants(s, f);
  facts_lumps(s, f);
  unused(s, f, &seen);
  without_influence(s, f);
  idle_energies(s, f);
  same_outputs(s, f);
  f->given_up = s->pool->algebra_cut;
  return !arena_failed(s->arena);
}
