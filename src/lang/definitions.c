// Lazy evaluation of declared names: a value is found when it is first needed, so the order of lines does not matter.
//
// A parameter is a symbol (one an entry for a vector), a definition the value of its text. Where a value must be known
// while the file is read (`Elab.eval.constant`), parameters and definitions count with their numbers; these are kept
// until a setting changes something (`Elab.settings.round`). A name that is met while its own value is being found
// closes a cyclic definition.
#include "lang/eval.h"

#include "lang/loops.h"
#include "lang/settings.h"

static const Item *value_item_of(const Decl *d) { return d->changed ? d->changed->item : d->item; }

// The cycle that a definition closes, in words: a = ... b ... -> b = ... a
static void report_circle(Elab *e, const Decl *d, Span use) {
  diag_error(e->diags, diag_circle, use, "a circle of definitions: %s", loop_words(e, d, use));
}

// Evaluates the text behind a name once more, or for the first time.
static Value eval_text(Elab *e, Decl *d, Span use) {
  const Item *item = value_item_of(d);
  if (!item->value) {
    if (e->eval.constant) {
      diag_error(e->diags, diag_no_value, use, "`%s` has no value, but it must be known when the file is read",
                 d->name);
      diag_hint(e->diags, "give it one in the file or with `--set %s=...`", d->name);
    }
    return value_none();
  }
  if (d->state == decl_active) {
    report_circle(e, d, use);
    return value_none();
  }
  DeclState before = d->state;
  if (!vec_push(e->arena, &e->eval.active, d)) return value_none();
  d->state = decl_active;
  Scope *outside = names_enter(e, d->changed ? d->changed->scope : d->scope);
  Value v = eval_unit(e, eval(e, item->value, d->changed ? d->changed->env : d->env), item->unit);
  names_enter(e, outside);
  if (e->eval.constant && d->entries_changed) e->calls->set_entries(e, d, &v);
  e->eval.active.count--;
  d->state = before;
  return v;
}

// A parameter's symbols: one for a number, one an entry for a vector or matrix.
static Value param_symbols(Elab *e, Decl *d) {
  Model *m = e->model;
  const Item *item = value_item_of(d);
  Value given = item->value ? eval_text(e, d, d->span) : value_of(e->pool->zero);
  if (!given.shape) return given;
  Value v = given.shape == value_scalar ? given : value_new(e->pool, given.shape, given.rows, given.cols);
  d->index = m->params.count;
  for (uint32_t i = 0; i < value_count(&given) && v.shape; i++) {
    const char *name = d->name;
    if (given.shape == value_vector) name = arena_printf(e->arena, "%s[%u]", d->name, i + 1);
    if (given.shape == value_matrix)
      name = arena_printf(e->arena, "%s[%u,%u]", d->name, i / given.cols + 1, i % given.cols + 1);
    ExprId value = value_item(&given, i);
    if (!expr_only_kinds(e->pool, value, kind_set(sym_param) | kind_set(sym_bound))) {
      diag_error(e->diags, diag_not_constant, item->value->span,
                 "a parameter may depend on numbers and other parameters only");
      if (d->changed) diag_hint(e->diags, "only an `input` follows a signal, and `%s` is a parameter", d->name);
      else diag_hint(e->diags, "define it with `let %s = ...`", d->item->name);
      return value_none();
    }
    SystemParam p = {.name = name, .value = item->value ? value : 0, .note = d->item->note, .span = d->span};
    p.unit = d->item->unit;
    // a lone number carries its unit itself
    if (!p.unit->said && d->item->value && d->item->value->unit) p.unit = d->item->value->unit;
    p.symbol = name ? pool_symbol(e->pool, name, sym_param, m->params.count, 0) : 0;
    if (!p.symbol || !vec_push(e->arena, &m->params, p)) return value_none();
    if (v.shape == value_scalar) v.scalar = expr_sym(e->pool, p.symbol);
    else v.items[i] = expr_sym(e->pool, p.symbol);
  }
  return v;
}

Value eval_decl(Elab *e, Decl *d, Span use) {
  Model *m = e->model;
  if (arena_failed(e->arena)) return value_none(); // what was declared may not be in the lists
  // where the value must be known now, parameters and definitions count with their values
  if (e->eval.constant) {
    if (d->kind == decl_param || d->kind == decl_let) {
      d->structural = d->structural || d->kind == decl_param;
      if (d->round == e->settings.round) return d->known;
      bool circle = d->state == decl_active;
      Value v = eval_text(e, d, use);
      if (circle || !value_item_of(d)->value) return v;
      d->known = v;
      d->round = e->settings.round;
      return v;
    }
    diag_error(e->diags, diag_not_constant, use, "`%s` is %s: the value must be known when the file is read", d->name,
               decl_word(d->kind));
    return value_none();
  }
  if (d->kind >= decl_node && d->kind <= decl_ball) return e->calls->linked(e, d, use);
  switch (d->kind) {
  case decl_coord: return value_of(expr_sym(e->pool, m->coords.items[d->index].q));
  case decl_state: return value_of(expr_sym(e->pool, m->states.items[d->index].x));
  case decl_input: return value_of(expr_sym(e->pool, m->inputs.items[d->index].symbol));
  case decl_unknown: return value_of(expr_sym(e->pool, m->unknowns.items[d->index].symbol));
  case decl_multiplier: return e->calls->multiplier(e, d, use);
  case decl_part:
    diag_error(e->diags, diag_shape, use, "the part `%s` has no value of its own", d->name);
    diag_hint(e->diags, "write `%s.` and a name inside it", d->name);
    return value_none();
  case decl_fun:
    diag_error(e->diags, diag_function_value, use, "the function `%s` needs its arguments", d->name);
    diag_hint(e->diags, "write `%s(...)`", d->name);
    return value_none();
  default: break;
  }
  if (d->state == decl_done) return d->value;
  if (d->state == decl_active && d->kind != decl_param) return loop_enter(e, d, use);
  if (d->state == decl_active) {
    report_circle(e, d, use);
    return value_none();
  }
  if (d->kind == decl_param) {
    Value v = param_symbols(e, d);
    d->state = decl_done;
    d->value = v;
    return v;
  }
  Value v = eval_text(e, d, use);
  if (d->loop) v = loop_close(e, d, v);
  if (v.shape == value_scalar) v.scalar = expr_whole(e->pool, v.scalar);
  for (uint32_t i = 0; v.shape != value_bad && v.shape != value_scalar && i < value_count(&v); i++)
    v.items[i] = expr_whole(e->pool, v.items[i]);
  d->state = decl_done;
  d->value = v;
  return v;
}
