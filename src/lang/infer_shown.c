// What became of the names: units of what is shown, and dimensions in the model. Units behind values are looked at
// last, when everything is solved.
#include "lang/infer_inside.h"

#include "lang/eval.h"

void infer_quiet(Infer *f, Elab *e, Diags *silent, uint64_t *work, uint64_t *most) {
  *silent = (Diags){.arena = f->arena, .sources = &e->model->sources};
  *work = e->limits.work;
  *most = e->limits.most_work;
  e->limits.work = 0;
  e->limits.most_work = UINT64_MAX;
  e->diags = silent;
}

void infer_loud(Infer *f, Elab *e, uint64_t work, uint64_t most) {
  e->diags = f->diags;
  e->limits.work = work;
  e->limits.most_work = most;
}

const char **infer_shown(Elab *e, const Ast *a, Decl *d, const Binding *env, uint32_t count) {
  Infer *f = e->infer;
  const char **texts = arena_array(e->arena, count, sizeof *texts);
  if (!f || e->diags->errors || arena_failed(e->arena)) return texts;
  Diags silent;
  uint64_t work, most;
  infer_quiet(f, e, &silent, &work, &most);
  DimValue v = d ? infer_decl(f, d) : infer_expr(f, a, (DimEnv){NULL, env});
  // one name alone is shown in the unit that it was declared with
  Decl *named = d;
  if (!named && path_find(e, a, env, &named) != path_found) named = NULL;
  infer_loud(f, e, work, most);
  Unit unit = named && (named->kind == decl_coord || named->kind == decl_state || named->kind == decl_input ||
                        named->kind == decl_param || named->kind == decl_unknown)
                  ? item_unit(named->item)
                  : unit_none();
  for (uint32_t i = 0; v.shape && v.rows * v.cols == count && i < count; i++) {
    Dim item = dim_item(&v, i);
    Dimension known;
    bool good = dim_known(f, &item, &known);
    if (unit.said) texts[i] = unit_si_text(e->arena, &unit, &known, 0);
    else texts[i] = !f->said ? NULL : item.kind == dim_number ? "" : good ? dimension_text(e->arena, &known) : NULL;
  }
  return texts;
}

// What an expression is, in words, where it does not fit a unit. NULL: it does, or is not known.
static const char *unfit(Elab *e, const Ast *a, const Binding *env, const Unit *unit) {
  Infer *f = e->infer;
  if (!f || !f->said || e->diags->errors || arena_failed(e->arena)) return NULL;
  Diags silent;
  uint64_t work, most;
  infer_quiet(f, e, &silent, &work, &most);
  DimValue v = infer_expr(f, a, (DimEnv){NULL, env});
  infer_loud(f, e, work, most);
  Dimension wanted = dimension_of_unit(unit), known, plain = dimension_plain();
  for (uint32_t i = 0; v.shape && i < v.rows * v.cols; i++) {
    Dim item = dim_item(&v, i);
    if (item.kind == dim_number || !dim_known(f, &item, &known) || dimension_same(&known, &wanted)) continue;
    return dimension_same(&known, &plain) ? "a plain number" : dimension_words(f->arena, &known);
  }
  return NULL;
}

bool infer_shows_in(Elab *e, const Ast *a, const Binding *env, const Unit *unit) {
  const char *has = unfit(e, a, env, unit);
  if (has)
    diag_error(e->diags, diag_units, a->span, "%s is %s, so it cannot be shown in [%s]", infer_quote(e->infer, a->span),
               has, unit->text);
  return !has;
}

bool infer_ends_in(Elab *e, const Ast *a, const Binding *env, const Unit *unit, Span end) {
  const char *has = unfit(e, a, env, unit);
  if (has)
    diag_error(e->diags, diag_units, end, "this end of the axis is in [%s], but %s is %s", unit->text,
               infer_quote(e->infer, a->span), has);
  return !has;
}

// A value with a unit behind it is a plain number in that unit, or has that unit already.
static void check_deferred(Infer *f) {
  for (uint32_t i = 0; i < f->deferred.count; i++) {
    const DimDeferred *l = &f->deferred.items[i];
    Dimension known, plain = dimension_plain(), unit = dimension_of_unit(&l->unit);
    if (l->inner.scaled || !dim_known(f, &l->inner, &known) || dimension_same(&known, &plain)) continue;
    Form form = form_resolve(f, l->inner.form);
    bool same = dimension_same(&known, &unit), si = l->unit.pi == 0 && rat_is_int_value(l->unit.scale, 1);
    if (!form.grounded || (same && si)) continue;
    const char *words = dimension_words(f->arena, &known);
    if (same) {
      diag_warning(f->diags, diag_units, l->span, "%s is in SI units already, and [%s] multiplies it once more",
                   infer_quote(f, l->span), l->unit.text);
      diag_hint(f->diags, "leave the unit out");
    } else {
      diag_warning(f->diags, diag_units, l->span, "%s is %s, but the unit behind it is [%s]", infer_quote(f, l->span),
                   words, l->unit.text);
    }
  }
}

static Dimension found(Infer *f, const DimValue *v, uint32_t i) {
  Dim d = v->shape ? dim_item(v, i) : dim_wild();
  Dimension known;
  if (dim_known(f, &d, &known)) return known;
  return (Dimension){0};
}

// The state of `let y = integral(x)` is y.
static void state_of_block(Infer *f, Elab *e, const Decl *d, const DimValue *v) {
  SymbolId id = v->shape == value_scalar && d->value.shape == value_scalar ? expr_symbol(e->pool, d->value.scalar) : 0;
  const Symbol *s = id ? pool_symbol_get(e->pool, id) : NULL;
  if (!s || s->kind != sym_state) return;
  Dimension *dim = &e->model->states.items[s->index].dim;
  if (!dim->known) *dim = found(f, v, 0);
}

static void into_model(Infer *f, Elab *e) {
  check_deferred(f);
  Model *m = e->model;
  // in `check` a clash is an error
  for (uint32_t i = 0; e->strict && i < m->diags.list.count; i++) {
    Diag *d = &m->diags.list.items[i];
    if (d->code != diag_units || !d->warning) continue;
    d->warning = false;
    m->diags.errors++;
  }
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (!d->dims) continue;
    DimValue v = f->values.items[d->dims - 1];
    if (d->kind == decl_coord) m->coords.items[d->index].dim = found(f, &v, 0);
    if (d->kind == decl_state) m->states.items[d->index].dim = found(f, &v, 0);
    if (d->kind == decl_unknown) m->unknowns.items[d->index].dim = found(f, &v, 0);
    if (d->kind == decl_input) m->inputs.items[d->index].dim = found(f, &v, 0);
    if (d->kind == decl_let) state_of_block(f, e, d, &v);
    for (uint32_t k = 0; d->kind == decl_multiplier && v.shape && k < value_count(&d->value); k++)
      m->constraints.items[d->index + k].dim = found(f, &v, k);
    for (uint32_t k = 0; d->kind == decl_param && v.shape && k < v.rows * v.cols && d->value.shape; k++)
      m->params.items[d->index + k].dim = found(f, &v, k);
  }
  Dim energy = dim_of(form_of_var(f, f->energy));
  DimValue v = dim_value(energy);
  m->energy_dim = found(f, &v, 0);
  m->units_cut = f->cut;
}

// What was found stands in the model; the forms are needed no more.
void infer_finish(Elab *e) {
  Infer *f = e->infer;
  if (!f) return;
  if (!e->diags->errors && !arena_failed(e->arena)) into_model(f, e);
  arena_free_scratch(f->arena);
  e->infer = NULL;
}
