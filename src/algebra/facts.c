// The report of `check` without equations: names with their units, and what is unused in the model.
//
// in    a system
// out   Facts: names with units, constants of motion (constants.c), lumped parameters (lumps.c), remarks
// how   A parameter or input counts if it can be reached from an equation, a start, an event, an energy that jumps,
//       or something shown; values of what counts count, too. A coordinate has influence if another's equation, an
//       event or an output holds it, by inputs too. An energy is idle if its Euler derivative is zero for every
//       coordinate.
#include "algebra/facts.h"

#include "algebra/constrained.h"
#include "algebra/derivation.h"
#include "algebra/set_points.h"
#include "algebra/unit_quaternions.h"
#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/decide.h"
#include "system/unwritten.h"

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
  for (uint32_t i = 0; i < s->params.count; i++)
    put_name(s, f, s->params.items[i].name, "parameter", s->params.items[i].unit, &s->params.items[i].dim, 0);
  for (uint32_t i = 0; i < s->inputs.count; i++)
    put_name(s, f, s->inputs.items[i].name, "input", &s->inputs.items[i].unit, &s->inputs.items[i].dim, 0);
  for (uint32_t i = 0; i < s->coords.count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    put_name(s, f, c->name, "coordinate", &c->unit, &c->dim, 0);
    put_name(s, f, pool_symbol_get(s->pool, c->v)->name, "velocity", &c->unit, &c->dim, 1);
  }
  for (uint32_t i = 0; i < s->states.count; i++) {
    const SystemState *x = &s->states.items[i];
    if (!x->of) put_name(s, f, x->name, "state", &x->unit, &x->dim, 0);
  }
  for (uint32_t i = 0; i < s->unknowns.count; i++) {
    const SystemUnknown *u = &s->unknowns.items[i];
    if (!u->chain) put_name(s, f, u->name, "unknown", &u->unit, &u->dim, 0);
  }
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    const SystemConstraint *c = &s->constraints.items[i];
    put_name(s, f, c->name, "multiplier", &unit_unsaid, &c->dim, 0);
  }
  for (uint32_t i = 0; i < s->outputs.count; i++) {
    const SystemOutput *o = &s->outputs.items[i];
    vec_push(s->arena, &f->names, (FactName){o->name, "output", o->si, NULL, !o->unit.said});
  }
  Dimension joule = dimension_plain();
  joule.power[unit_metre] = ratio_int(2);
  joule.power[unit_kilogram] = ratio_int(1);
  joule.power[unit_second] = ratio_int(-2);
  if (s->energy.kept && s->energy_dim.known && !dimension_same(&s->energy_dim, &joule))
    f->energy_unit = dimension_text(s->arena, &s->energy_dim);
  f->cut = s->units_cut;
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
  while (seen->roots.count) {
    uint32_t length, before = seen->roots.count;
    const ExprId *list = pool_reach(s->pool, seen->roots.items, before, NULL, NULL, &length);
    seen->roots.count = 0;
    for (uint32_t i = 0; list && i < length; i++) {
      SymbolId id = expr_symbol(s->pool, list[i]);
      if (!id || seen->symbol[id]) continue;
      seen->symbol[id] = true;
      const Symbol *x = pool_symbol_get(s->pool, id);
      if (x->kind == sym_param) count_in(seen, s->params.items[x->index].value);
      if (x->kind == sym_input || x->kind == sym_input_rate) {
        seen->symbol[s->inputs.items[x->index].symbol] = true;
        count_in(seen, s->inputs.items[x->index].value);
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
  *seen = (Seen){.s = s, .symbol = arena_array(s->arena, s->pool->symbols.count, sizeof(bool))};
  if (!seen->symbol) return false;
  uint32_t n = s->coord_count;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < s->M[i].count; k++) count_in(seen, s->M[i].items[k].value);
  }
  for (uint32_t i = 0; i < n; i++) count_in(seen, s->h[i]);
  // the rotational equations of spherical joints are among those that are solved
  ExprList solved = {0};
  if (s->tree.balls.count) system_roots(s, s->arena, &solved);
  for (uint32_t i = 0; i < solved.count; i++) count_in(seen, solved.items[i]);
  for (uint32_t i = 0; i < s->state_count; i++) count_in(seen, s->f[i]);
  for (uint32_t i = 0; i < n; i++) {
    count_in(seen, s->coords.items[i].q0);
    count_in(seen, s->coords.items[i].v0);
  }
  for (uint32_t i = 0; i < s->state_count; i++) count_in(seen, s->states.items[i].x0);
  for (uint32_t i = 0; i < s->implicit.count; i++) count_in(seen, s->implicit.items[i].residual);
  for (uint32_t i = 0; i < s->unknowns.count; i++) count_in(seen, s->unknowns.items[i].guess);
  for (uint32_t i = 0; i < s->constraints.count; i++) count_in(seen, s->constraints.items[i].value);
  for (uint32_t i = 0; i < s->whens.count; i++) {
    const SystemWhen *e = &s->whens.items[i];
    count_in(seen, e->condition);
    count_in(seen, e->period);
    for (uint32_t k = 0; k < e->assigns.count; k++) count_in(seen, e->assigns.items[k].value);
  }
  for (uint32_t i = 0; i < s->memories.count; i++) {
    count_in(seen, s->memories.items[i].start);
    count_in(seen, s->memories.items[i].rule);
    count_in(seen, s->memories.items[i].follow);
  }
  for (uint32_t i = 0; i < s->delays.count; i++) {
    count_in(seen, s->delays.items[i].input);
    count_in(seen, s->delays.items[i].time);
    count_in(seen, s->delays.items[i].history);
  }
  for (uint32_t i = 0; i < s->frictions.count; i++) {
    count_in(seen, s->frictions.items[i].v);
    count_in(seen, s->frictions.items[i].slip);
    count_in(seen, s->frictions.items[i].stick);
  }
  // a jump of an energy has no equation, but what stands in it is not without effect
  for (uint32_t i = 0; i < s->energies.count; i++) {
    if (expr_has_jump(s->pool, s->energies.items[i].value, kinds_moving())) count_in(seen, s->energies.items[i].value);
  }
  system_each_shown(s, shown, seen);
  count_in(seen, s->simulate.from);
  count_in(seen, s->simulate.to);
  count_in(seen, s->simulate.step);
  count_in(seen, s->simulate.every);
  spread(seen);
  return !arena_failed(s->arena);
}

static void remark(System *s, Facts *f, const char *about, Span span, const char *says) {
  vec_push(s->arena, &f->remarks, (FactRemark){about, says, span});
}

static void unused(System *s, Facts *f, const Seen *seen) {
  for (uint32_t i = 0; i < s->names.count; i++) {
    const SystemName *d = &s->names.items[i];
    bool counts = d->structural;
    for (uint32_t k = d->first; k < d->first + d->count; k++)
      counts = counts || seen->symbol[d->kind == name_param ? s->params.items[k].symbol : s->inputs.items[k].symbol];
    if (d->kind == name_param && !counts) {
      remark(s, f, d->name, d->span,
             d->used ? "this parameter has no effect on the motion or on anything shown"
                     : "this parameter does not occur");
    } else if (d->kind == name_input && !counts) {
      remark(s, f, d->name, d->span,
             d->used ? "this input has no effect on the motion or on anything shown" : "this input does not occur");
    } else if (d->kind == name_let && !d->used) {
      remark(s, f, d->name, d->span, "this `let` is not used");
    } else if (d->kind == name_fun && !d->used) {
      remark(s, f, d->name, d->span, "this function is not used");
    }
  }
}

// What follows from the coordinate: does one of the roots hold its position, velocity or acceleration, by inputs too?
static bool reaches(System *s, const SystemCoord *c, const ExprId *roots, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (roots[i] && (expr_depends(s->pool, roots[i], c->q) || expr_depends(s->pool, roots[i], c->v) ||
                     expr_depends(s->pool, roots[i], c->a)))
      return true;
  }
  return false;
}

// The input holds the coordinate, or another input that does.
static void mark_inputs(System *s, const SystemCoord *c, bool *moved) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < s->inputs.count; i++) {
      bool moves = reaches(s, c, &s->inputs.items[i].value, 1);
      for (uint32_t k = 0; k < s->inputs.count && !moves; k++)
        moves = moved[k] && expr_depends(s->pool, s->inputs.items[i].value, s->inputs.items[k].symbol);
      again = again || (moves && !moved[i]);
      moved[i] = moved[i] || moves;
    }
  }
}

static bool holds_input(System *s, const bool *moved, const ExprId *roots, uint32_t count) {
  for (uint32_t r = 0; r < count; r++) {
    if (!roots[r]) continue;
    for (uint32_t i = 0; i < s->inputs.count; i++) {
      if (moved[i] && expr_depends(s->pool, roots[r], s->inputs.items[i].symbol)) return true;
    }
    for (uint32_t i = 0; i < s->input_rates.count; i++) {
      if (moved[s->input_rates.items[i].input] && expr_depends(s->pool, roots[r], s->input_rates.items[i].symbol))
        return true;
    }
  }
  return false;
}

typedef struct FactRoots {
  System *s;
  VEC(ExprId) items;
} FactRoots;

static bool put_root(void *self, ExprId value, Span span) {
  FactRoots *r = self;
  (void)span;
  return !vec_push(r->s->arena, &r->items, value);
}

// Everything that is not the coordinate's own: equations of the others, events, what is shown.
static void gather_others(System *s, uint32_t skipped, FactRoots *r) {
  uint32_t n = s->coord_count;
  Span none = {0};
  for (uint32_t j = 0; j < n; j++) {
    if (j == skipped) continue;
    put_root(r, s->h[j], none);
    for (uint32_t k = 0; k < s->M[j].count; k++) put_root(r, s->M[j].items[k].value, none);
  }
  for (uint32_t j = 0; j < s->state_count; j++) put_root(r, s->f[j], none);
  for (uint32_t j = 0; j < s->implicit.count; j++) put_root(r, s->implicit.items[j].residual, none);
  for (uint32_t j = 0; j < s->constraints.count; j++) put_root(r, s->constraints.items[j].value, none);
  for (uint32_t j = 0; j < s->whens.count; j++) {
    const SystemWhen *e = &s->whens.items[j];
    if (e->condition) put_root(r, e->condition, none);
    for (uint32_t k = 0; k < e->assigns.count; k++) {
      bool mine = e->assigns.items[k].kind != assign_state && e->assigns.items[k].index == skipped;
      if (!mine) put_root(r, e->assigns.items[k].value, none);
    }
  }
  for (uint32_t j = 0; j < s->energies.count; j++) {
    if (expr_has_jump(s->pool, s->energies.items[j].value, kinds_moving()))
      put_root(r, s->energies.items[j].value, none);
  }
}

// No energy, damper or force couples it to what else moves. For spherical joints, whose orientations are no
// coordinates.
static bool is_apart(System *s, ExprId stored, uint32_t coord) {
  const SystemCoord *c = &s->coords.items[coord];
  const ExprId all[] = {stored, s->lagrange.D, s->lagrange.P};
  for (size_t k = 0; k < 2 * sizeof all / sizeof *all; k++) {
    if (!all[k / 2]) continue;
    ExprId slope = expr_diff(s->pool, all[k / 2], k % 2 ? c->v : c->q);
    if (!slope) return false;
    for (uint32_t j = 0; j < s->coord_count; j++) {
      if (j != coord && reaches(s, &s->coords.items[j], &slope, 1)) return false;
    }
    for (uint32_t j = 0; j < s->states.count; j++) {
      if (expr_depends(s->pool, slope, s->states.items[j].x)) return false;
    }
  }
  return true;
}

static void without_influence(System *s, Facts *f) {
  uint32_t n = s->coord_count;
  FactRoots r = {.s = s};
  bool *moved = arena_array(s->arena, (size_t)s->inputs.count + 1, sizeof *moved);
  if (!moved || s->memories.count || s->delays.count || s->frictions.count) return; // it may stand in one of them
  for (uint32_t i = 0; i < n && n + s->state_count > 1; i++) {
    const SystemCoord *c = &s->coords.items[i];
    bool counts = false;
    r.items.count = 0; // its storage serves all coordinates
    memset(moved, 0, s->inputs.count * sizeof *moved);
    for (uint32_t j = 0; j < n && !counts; j++)
      counts = j != i && (!expr_is_zero(s->pool, system_mass(s, i, j)) || !expr_is_zero(s->pool, system_mass(s, j, i)));
    gather_others(s, i, &r);
    counts = counts || (s->tree.balls.count && !is_apart(s, f->balance.stored, i));
    if (s->outputs.count) system_each_shown(s, put_root, &r);
    mark_inputs(s, c, moved);
    counts =
        counts || reaches(s, c, r.items.items, r.items.count) || holds_input(s, moved, r.items.items, r.items.count);
    if (!counts)
      remark(s, f, c->name, c->span,
             s->outputs.count ? "this coordinate has no influence on anything else"
                              : "the others move without this coordinate");
  }
}

// Does it depend on an orientation? Then it counts.
static bool touches_turns(System *s, ExprId e) {
  for (uint32_t i = 0; i < s->states.count; i++) {
    if (s->states.items[i].role != state_plain && expr_depends(s->pool, e, s->states.items[i].x)) return true;
  }
  return false;
}

// An energy that adds nothing to the equations: its Euler derivative is zero for every coordinate.
static void idle_energies(System *s, Facts *f) {
  for (uint32_t k = 0; k < s->energies.count; k++) {
    const SystemTerm *e = &s->energies.items[k];
    bool rate = e->kind == energy_dissipation || e->kind == energy_power, jumps = facts_energy_jumps(s, e),
         idle = !jumps && !touches_turns(s, e->value);
    for (uint32_t i = 0; i < s->coord_count && idle; i++) {
      if (!expr_depends(s->pool, e->value, s->coords.items[i].v) &&
          !expr_depends(s->pool, e->value, s->coords.items[i].q))
        continue;
      ExprId p = expr_diff(s->pool, e->value, s->coords.items[i].v), r = p;
      if (!rate) {
        ExprId dp = 0;
        if (!p || !system_time_derivative(s, &p, 1, true, &dp)) return;
        r = expr_sub(s->pool, dp, expr_diff(s->pool, e->value, s->coords.items[i].q));
      }
      idle = r && (expr_is_zero(s->pool, r) || decide_zero(s->pool, s->arena, r).verdict == verdict_equal);
    }
    static const char *const words[] = {"kinetic", "potential", "lagrangian", "dissipation"};
    const char *word = e->kind == energy_power ? "power" : words[e->kind - energy_kinetic];
    if (idle)
      remark(s, f, word, e->span, rate ? "it gives no force on any coordinate" : "it adds nothing to the equations");
    // may it jump, or does it: only what is written as a jump is reported
    if (jumps && expr_has_jump(s->pool, e->value, facts_impulse_kinds(s, e)))
      remark(s, f, word, e->span, "where it jumps there is an impulse, which no equation has");
  }
}

static void same_outputs(System *s, Facts *f) {
  enum { most = 40 }; // outputs that are compared: each pair is a proof
  for (uint32_t i = 1; i < s->outputs.count && i < most; i++) {
    for (uint32_t k = 0; k < i; k++) {
      ExprId d = expr_sub(s->pool, s->outputs.items[i].value, s->outputs.items[k].value);
      if (!d || (!expr_is_zero(s->pool, d) && decide_zero(s->pool, s->arena, d).verdict != verdict_equal)) continue;
      remark(s, f, s->outputs.items[i].name, s->outputs.items[i].span,
             arena_printf(s->arena, "this output is the same as %s", s->outputs.items[k].name));
      break;
    }
  }
}

static bool freedom(System *s, Facts *f) {
  ConstraintSet c;
  FactFreedom *x = &f->freedom;
  *x = (FactFreedom){.coords = system_freedoms(s), .constraints = s->constraints.count};
  if (!x->constraints) return true;
  if (s->tree.balls.count) {
    x->unknown = "a body turns by a ball, and only a run counts the rank of its constraints";
    return true;
  }
  if (!constrained_find(s, 0, &c)) return false;
  x->rank = c.count;
  x->numeric = c.unsolved && set_points_rank(s, &x->rank);
  x->unknown = c.why ? c.why : x->numeric ? NULL : c.unsolved;
  for (uint32_t k = 0; k < x->constraints; k++) {
    if (c.redundant[k] && !vec_push(s->arena, &x->redundant, s->constraints.items[k].label)) return false;
  }
  return true;
}

bool facts_find(System *s, Facts *f) {
  *f = (Facts){0};
  Seen seen;
  if (system_is_unwritten(s)) { // units are known, and no formula is
    names(s, f);
    f->given_up = "the equations of a tree of this size are computed by a recursion and not written out";
    return !arena_failed(s->arena);
  }
  if (!find_seen(s, &seen)) return false;
  names(s, f);
  if (!freedom(s, f)) return false;
  facts_balance(s, f);
  facts_damping(s, f);
  if (s->tree.balls.count && f->balance.kept) {
    ExprId stored = unit_quaternions(s, f->balance.stored, derive_most_terms);
    if (stored) f->balance.stored = expr_group(s->pool, stored);
  }
  facts_constants(s, f);
  facts_lumps(s, f);
  unused(s, f, &seen);
  without_influence(s, f);
  idle_energies(s, f);
  same_outputs(s, f);
  if (s->pool->algebra_cut) f->given_up = s->pool->algebra_cut;
  return !arena_failed(s->arena);
}
