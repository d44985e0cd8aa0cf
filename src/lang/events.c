// `when` and `every`: the condition or the period, and the new values, each of a coordinate, a velocity or a state. All
// of one statement are computed from the old values, so each may have one new value only.
#include "lang/block_parts.h"
#include "lang/statements.h"

static void put_assign(Elab *e, SystemWhen *w, const Item *item, const Binding *env) {
  const char *name = path_full(e, item, env);
  if (!name) return;
  ExprId value = eval_scalar(e, item->value, env, "a new value");
  Decl *d = names_find(e, name);
  if (!d) {
    diag_error(e->diags, diag_unknown_name, item->name_span, "unknown name `%s`", name);
    const char *near = names_nearest(e, name);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    return;
  }
  bool coord = d->kind == decl_coord && item->primes <= 1, state = d->kind == decl_state && item->primes == 0;
  if (!coord && !state) {
    if (d->kind == decl_coord || d->kind == decl_state)
      diag_error(e->diags, diag_assign_target, item->name_span, "`%s` follows from the equations and cannot be set",
                 elab_written(e, item->name_span));
    else
      diag_error(e->diags, diag_assign_target, item->name_span, "`%s` is %s and cannot be set", name,
                 decl_word(d->kind));
    diag_hint(
        e->diags,
        "a new value is for a coordinate, a velocity or a state; a `state` without an equation keeps what it is given");
    return;
  }
  if (!value || !blocks_no_signals(e, value, item->value)) return;
  value = eval_unit(e, value_of(value), item->unit).scalar;
  if (state) e->model->states.items[d->index].assigned = true;
  AssignKind kind = state ? assign_state : item->primes ? assign_velocity : assign_place;
  for (uint32_t i = 0; i < w->assigns.count; i++) {
    if (w->assigns.items[i].kind != kind || w->assigns.items[i].index != d->index) continue;
    diag_error(e->diags, diag_twice, item->name_span, "`%s` gets two new values at once", name);
    return;
  }
  vec_push(e->arena, &w->assigns, (SystemAssign){kind, d->index, value, item->span});
}

void visit_when(Elab *e, const Stmt *s, const Binding *env) {
  SystemWhen w = {.stop = s->stop, .span = s->span};
  ExprId x = eval_scalar(e, s->expr, env, s->period ? "the period" : "a condition");
  if (x && s->period) {
    if (!eval_only_params(e, x, s->expr->span, "the period of `every`")) x = 0;
    Rat r;
    if (x && expr_number(e->pool, x, &r) && rat_sign(r) <= 0)
      diag_error(e->diags, diag_block_limits, s->expr->span, "the period of `every` must be positive");
  } else if (x && !blocks_no_signals(e, x, s->expr)) {
    x = 0;
  }
  for (uint32_t i = 0; i < s->items.count; i++) put_assign(e, &w, &s->items.items[i], env);
  if (!x) return;
  *(s->period ? &w.period : &w.condition) = x;
  vec_push(e->arena, &e->model->whens, w);
}
