// Statements for energies, forces, equations and outputs, evaluated into the lists of a model.
//
// Each statement is evaluated, checked for what may not stand in it (a potential has no velocities, an energy no
// accelerations, no equation of motion uses the energies of the run) and put into its list of the model. Values of
// several numbers become one entry each, named by their index.
#include "expr/occurs.h"
#include "lang/eval.h"
#include "lang/infer.h"
#include "lang/statements.h"

#include <string.h>

static bool has(Elab *e, ExprId id, SymbolKind kind) { return expr_has_kind(e->pool, id, kind); }

void visit_energy(Elab *e, const Stmt *s, const Binding *env) {
  const char *word = word_statement(s->kind)->word;
  ExprId id = eval_scalar(e, s->expr, env, arena_printf(e->arena, "`%s`", word));
  if (!id) return;
  if (id == e->pool->zero && s->kind == stmt_power) { // a force perpendicular to its motion
    diag_warning(e->diags, diag_zero_energy, s->expr->span, "this power is identically zero: it adds nothing");
    return;
  }
  if (id == e->pool->zero) {
    diag_error(e->diags, diag_zero_energy, s->expr->span, "this is identically zero");
    return;
  }
  if (s->kind == stmt_potential && (has(e, id, sym_velocity) || has(e, id, sym_state_rate))) {
    diag_error(e->diags, diag_velocity_in_potential, s->expr->span, "a potential may not depend on velocities");
    diag_hint(e->diags, "write it with `lagrangian -(...)`, or as a `dissipation` or `force`");
    return;
  }
  if (has(e, id, sym_acceleration)) {
    diag_error(e->diags, diag_acceleration_in_energy, s->expr->span, "`%s` may not depend on accelerations", word);
    return;
  }
  if (s->kind != stmt_power && s->kind != stmt_dissipation && has(e, id, sym_state_rate)) {
    diag_error(e->diags, diag_acceleration_in_energy, s->expr->span, "`%s` may not depend on the rate of a state",
               word);
    diag_hint(e->diags, "declare it with `coord` if it is a coordinate");
    return;
  }
  if (has(e, id, sym_signal)) {
    diag_error(e->diags, diag_signal_use, s->expr->span, "the energies of a run are for outputs only");
    return;
  }
  if (has(e, id, sym_multiplier)) {
    diag_error(e->diags, diag_unknown_in_energy, s->expr->span, "`%s` may not depend on the force of a constraint",
               word);
    return;
  }
  if (has(e, id, sym_unknown) && s->kind != stmt_power) {
    diag_error(e->diags, diag_unknown_in_energy, s->expr->span, "`%s` may not depend on an algebraic unknown", word);
    diag_hint(e->diags, "a `force` may");
    return;
  }
  if ((s->kind == stmt_kinetic || s->kind == stmt_lagrangian) && expr_has_op(e->pool, id, op_impulse)) {
    diag_error(e->diags, diag_impulse, s->expr->span, "an impulse cannot stand in `%s`", word);
    diag_hint(e->diags, "write its force: `force x = P*impulse(t - t0)`");
    return;
  }
  EnergyKind kind = s->kind == stmt_power ? energy_power : (EnergyKind)(s->kind - stmt_kinetic);
  vec_push(e->arena, &e->model->energies, (SystemTerm){kind, id, s->expr->span});
}

void visit_force(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    const char *name = path_full(e, item, env);
    if (!name) continue;
    Decl *d = names_find(e, name);
    if (!d || d->kind != decl_coord || item->primes) {
      if (d && !item->primes)
        diag_error(e->diags, diag_force_target, item->name_span, "a force acts on a coordinate, but `%s` is %s", name,
                   decl_word(d->kind));
      else if (d)
        diag_error(e->diags, diag_force_target, item->name_span, "a force acts on a coordinate: write `force %s = ...`",
                   name);
      else {
        diag_error(e->diags, diag_unknown_name, item->name_span, "unknown coordinate `%s`", name);
        const char *near = names_nearest(e, name);
        if (near) diag_hint(e->diags, "did you mean `%s`?", near);
      }
      if (item->value) eval(e, item->value, env);
      continue;
    }
    if (!item->value) {
      diag_error(e->diags, diag_no_value, item->name_span, "the force is missing: `force %s = ...`", name);
      continue;
    }
    e->visit.item = item;
    ExprId id = eval_scalar(e, item->value, env, "a force");
    if (!id) continue;
    id = eval_unit(e, value_of(id), item->unit).scalar;
    if (has(e, id, sym_signal)) {
      diag_error(e->diags, diag_signal_use, item->value->span, "the energies of a run are for outputs only");
      continue;
    }
    vec_push(e->arena, &e->model->forces, (SystemForce){d->index, id, item->span});
  }
}

static void take_equation(Elab *e, const Item *item, const Binding *env) {
  Model *m = e->model;
  const char *name = path_full(e, item, env);
  if (!name) return;
  if (!item->value) {
    diag_error(e->diags, diag_no_value, item->name_span, "an equation has two sides: `%s' = ...`", name);
    return;
  }
  e->visit.item = item;
  ExprId id = eval_scalar(e, item->value, env, "an equation");
  if (id) id = eval_unit(e, value_of(id), item->unit).scalar;
  Decl *d = names_find(e, name);
  if (!d) {
    diag_error(e->diags, diag_unknown_name, item->name_span, "unknown name `%s`", name);
    const char *near = names_nearest(e, name);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    else if (!item->path.count)
      diag_hint(e->diags, "declare it with `%s %s`", item->primes == 1 ? "state" : "coord", name);
    return;
  }
  bool state = d->kind == decl_state && item->primes == 1, coord = d->kind == decl_coord && item->primes == 2;
  if (!state && !coord) {
    if (d->kind == decl_coord) {
      diag_error(e->diags, diag_equation_target, item->name_span, "the coordinate `%s` has an equation for `%s''`",
                 name, name);
      diag_hint(e->diags, "declare `%s` with `state` for an equation of first order", name);
    } else if (d->kind == decl_state) {
      diag_error(e->diags, diag_equation_target, item->name_span, "the state `%s` has an equation for `%s'`", name,
                 name);
      diag_hint(e->diags, "declare `%s` with `coord` for an equation of second order", name);
    } else {
      diag_error(e->diags, diag_equation_target, item->name_span, "`%s` is %s and can have no equation", name,
                 decl_word(d->kind));
    }
    return;
  }
  if (id && has(e, id, sym_signal)) {
    diag_error(e->diags, diag_signal_use, item->value->span, "the energies of a run are for outputs only");
    return;
  }
  if (state) {
    SystemState *x = &m->states.items[d->index];
    if (x->equation.source) {
      diag_error(e->diags, diag_twice, item->name_span, "the state `%s` has two equations", name);
      return;
    }
    x->equation = item->span;
    x->rhs = id;
    return;
  }
  for (uint32_t i = 0; i < m->accelerations.count; i++) {
    if (m->accelerations.items[i].coord != d->index) continue;
    diag_error(e->diags, diag_twice, item->name_span, "the coordinate `%s` has two equations", name);
    return;
  }
  if (id) vec_push(e->arena, &m->accelerations, (SystemForce){d->index, id, item->span});
}

void visit_equation(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) take_equation(e, &s->items.items[i], env);
}

// Vectors become columns: tip.x tip.y (tip.z), longer ones tip[1] ...
void contents_put(Elab *e, const char *name, const Value *v, Unit unit, Span span, const char *const *units) {
  for (uint32_t i = 0; i < value_count(v); i++) {
    const char *full = elab_entry_name(e, name, v, i);
    SystemOutput o = {full, value_item(v, i), unit, span, NULL};
    if (!full) return;
    if (units) o.si = unit.said ? unit_si_text(e->arena, &unit, NULL, 0) : units[i];
    if (units) vec_push(e->arena, &e->model->outputs, o);
    else vec_push(e->arena, &e->model->signals, o);
  }
}

void visit_output(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    if (item->name) {
      const char *name = path_full(e, item, env);
      Decl *d = name ? names_find(e, name) : NULL;
      if (!d) continue;
      Value v = eval_decl(e, d, item->name_span);
      if (v.shape) contents_put(e, d->name, &v, *item->unit, item->span, infer_shown(e, NULL, d, env, value_count(&v)));
      continue;
    }
    Value v = eval_unit(e, eval(e, item->value, env), item->unit);
    const char *name = v.shape ? path_name(e, item->value, env) : NULL;
    if (!name) name = elab_written(e, item->name_span);
    if (v.shape)
      contents_put(e, name, &v, *item->unit, item->span, infer_shown(e, item->value, NULL, env, value_count(&v)));
  }
}
