// Statements as equations between dimensions, and what became of the names.
#include "lang/infer.h"

#include <string.h>

static Unit unit_of(const Item *item) {
  return !item->unit.said && item->value && item->value->unit ? *item->value->unit : item->unit;
}

static bool is_number(const Ast *a) {
  if (a->kind == ast_negate) return is_number(a->items[0]);
  if (a->kind == ast_list || a->kind == ast_matrix) {
    for (uint32_t i = 0; i < a->count; i++) {
      if (!is_number(a->items[i])) return false;
    }
    return true;
  }
  return a->kind == ast_number;
}

static bool has_unit(const Ast *a) {
  if (a->unit) return true;
  for (uint32_t i = 0; i < a->count; i++) {
    if (has_unit(a->items[i])) return true;
  }
  return false;
}

// ---- a value against what it is for

typedef void TermVisit(Infer *f, const Dim *term, Span span, const void *context);

// The terms of a sum one by one, so that a clash names the term.
static void each_term(Infer *f, const Ast *a, DimEnv env, TermVisit *visit, const void *context) {
  if (a->kind != ast_sum || a->unit) {
    Dim d = infer_scalar(f, a, env);
    visit(f, &d, a->span, context);
    return;
  }
  for (uint32_t i = 0; i < a->count; i++) {
    Dim d = infer_scalar(f, a->items[i], env);
    visit(f, &d, a->items[i]->span, context);
  }
}

typedef struct Target {
  Dim dim;
  const char *words; // "`x'` is"
} Target;

static void against(Infer *f, const Dim *term, Span span, const void *context) {
  const Target *t = context;
  infer_same(f, term, span, &t->dim, (Span){0}, t->words);
}

// value [unit] for something of the dimension of the target. Numbers may have left out their units.
static void match(Infer *f, const Item *item, DimEnv env, Dim target, const char *words) {
  const Ast *a = item->value;
  if (!a) return;
  bool before = f->lenient;
  f->lenient = true;
  Target t = {target, words};
  if (item->unit.said) {
    DimValue v = infer_unit(f, infer_expr(f, a, env), &item->unit, a->span);
    if (v.shape == value_scalar) infer_same(f, &v.scalar, a->span, &target, (Span){0}, words);
  } else if (!is_number(a) || a->unit) {
    each_term(f, a, env, against, &t);
  }
  f->lenient = before;
}

static const char *is_called(Infer *f, const char *name, uint32_t primes) {
  const char *s = arena_printf(f->arena, "`%s%s` is", name, primes == 1 ? "'" : primes == 2 ? "''" : "");
  return s ? s : "";
}

static Dim rate_of(Infer *f, Dim d, int order) {
  Form second = form_plain();
  second.base.power[unit_second] = ratio_int(1);
  d.form = form_mul(f, d.form, second, ratio_int(-order));
  return d;
}

// ---- declarations

// Names of one number, or of a vector with a number an entry.
static DimValue declared(Infer *f, const Decl *d, const Unit *unit, uint32_t rows, uint32_t cols, ValueShape shape) {
  uint32_t count = rows * cols;
  DimValue v = {shape, rows, cols, dim_wild(),
                shape == value_scalar ? NULL : arena_array(f->arena, count, sizeof(Dim))};
  if (shape != value_scalar && !v.items) return dim_value(dim_wild());
  for (uint32_t i = 0; i < count; i++) {
    Dim one = dim_of(unit->said ? form_of_unit(unit) : form_of_var(f, infer_var(f, d->name)));
    if (shape == value_scalar) v.scalar = one;
    else v.items[i] = one;
  }
  return v;
}

static void match_value(Infer *f, Decl *d, const DimValue *own) {
  const Item *item = d->changed ? d->changed->item : d->item;
  const Ast *a = item->value;
  DimEnv env = {NULL, d->changed ? d->changed->env : d->env};
  if (!a) return;
  Scope *before = scope_enter(f->e, d->changed ? d->changed->scope : d->scope);
  if (own->shape == value_scalar) {
    // a unit of the whole is what was declared: it is looked at later
    match(f, item, env, own->scalar, is_called(f, d->name, 0));
  } else if (!is_number(a)) {
    DimValue v = infer_unit(f, infer_expr(f, a, env), &item->unit, a->span);
    for (uint32_t i = 0; v.shape == own->shape && i < v.rows * v.cols && v.rows == own->rows && v.cols == own->cols;
         i++) {
      infer_same(f, &v.items[i], a->span, &own->items[i], (Span){0}, is_called(f, d->name, 0));
    }
  }
  scope_enter(f->e, before);
}

DimValue infer_decl(Infer *f, Decl *d) {
  if (d->dims) return f->values.items[d->dims - 1];
  DimValue v = dim_value(dim_wild());
  if (d->kind == decl_part || d->kind == decl_fun) return v;
  if (d->kind == decl_let || d->kind == decl_output) {
    bool lenient = f->lenient;
    f->lenient = false;
    // a circle of definitions goes through here: its own value is an unknown
    Dim own = dim_wild();
    if (d->loop) {
      own = dim_of(form_of_var(f, infer_var(f, d->name)));
      if (vec_push(f->arena, &f->values, dim_value(own))) d->dims = f->values.count;
    }
    Scope *before = scope_enter(f->e, d->scope);
    if (d->item->value)
      v = infer_unit(f, infer_expr(f, d->item->value, (DimEnv){NULL, d->env}), &d->item->unit, d->item->span);
    scope_enter(f->e, before);
    f->lenient = lenient;
    if (d->loop) {
      if (v.shape == value_scalar)
        infer_same(f, &v.scalar, d->item->value->span, &own, (Span){0}, is_called(f, d->name, 0));
      return dim_value(own);
    }
    if (vec_push(f->arena, &f->values, v)) d->dims = f->values.count;
    return v;
  }
  Unit unit = unit_of(d->item);
  bool param = d->kind == decl_param && d->value.shape;
  v = declared(f, d, &unit, param ? d->value.rows : 1, param ? d->value.cols : 1,
               param ? d->value.shape : value_scalar);
  if (!vec_push(f->arena, &f->values, v)) return v;
  d->dims = f->values.count;
  // counts are plain numbers
  if (d->structural && v.shape == value_scalar) infer_equal(f, v.scalar.form, form_plain(), d->span);
  match_value(f, d, &v);
  return v;
}

// ---- statements

// Angles do not count in energies.
static const char *energy_words(Infer *f, Dim d, int order) {
  d = rate_of(f, d, order);
  Dimension known;
  if (!dim_known(f, &d, &known)) return infer_words(f, &d);
  known.power[unit_angle] = ratio_int(0);
  return dimension_words(f->arena, &known);
}

static void report_energy(Infer *f, const Dim *term, Span span, bool power) {
  Dim energy = dim_of(form_of_var(f, f->energy));
  if (!f->first.span.source) {
    diag_warning(f->diags, diag_units, span, "%s is %s, but %s of this model is %s", infer_quote(f, span),
                 energy_words(f, *term, 0), power ? "a power" : "an energy", energy_words(f, energy, power));
    infer_reasons(f, term, &energy);
    return;
  }
  // the one that is no joule is to blame
  Dimension joule = dimension_plain(), mine;
  joule.power[unit_metre] = ratio_int(2);
  joule.power[unit_kilogram] = ratio_int(1);
  joule.power[unit_second] = ratio_int(-2);
  Dim own = power ? rate_of(f, *term, -1) : *term;
  bool swap = dim_known(f, &own, &mine) && dimension_same(&mine, &joule);
  Dim bad = swap ? f->first.dim : *term, good = swap ? *term : f->first.dim;
  Span at = swap ? f->first.span : span, other = swap ? span : f->first.span;
  bool bad_power = swap ? f->first.power : power, good_power = swap ? power : f->first.power;
  diag_warning(f->diags, diag_units, at, "%s is %s, but %s of this model is %s: %s is %s", infer_quote(f, at),
               energy_words(f, bad, 0), bad_power ? "a power" : "an energy",
               energy_words(f, good, bad_power - good_power), infer_quote(f, other), energy_words(f, good, 0));
  diag_also(f->diags, other, "this is %s", energy_words(f, good, 0));
  infer_reasons(f, &bad, &good);
  if (!swap) return;
  // from now on the other one counts: one complaint is enough
  f->first.span = span;
  f->first.dim = *term;
  f->first.power = power;
  f->vars.items[f->energy].form = form_resolve(f, own.form);
  f->vars.items[f->energy].form.grounded = false;
}

static void energy_term(Infer *f, const Dim *term, Span span, const void *context) {
  bool power = *(const bool *)context;
  if (term->kind != dim_form) return;
  // in units of the energy itself
  Dim own = power ? rate_of(f, *term, -1) : *term;
  Unified u = infer_energy(f, own.form, span);
  Dimension known;
  if (u == unified && !f->first.span.source && dim_known(f, term, &known)) {
    f->first.span = span;
    f->first.dim = *term;
    f->first.power = power;
  }
  if (u == clash) report_energy(f, term, span, power);
}

static void visit_energy_units(Elab *e, const Stmt *s, const Binding *env) {
  bool power = s->kind == stmt_dissipation || s->kind == stmt_power;
  each_term(e->infer, s->expr, (DimEnv){NULL, env}, energy_term, &power);
}

static Decl *target_of(Elab *e, const Item *item, const Binding *env) {
  const char *name = full_name(e, item, env);
  return name ? decl_find(e, name) : NULL;
}

static void visit_force_units(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  for (uint32_t i = 0; i < s->items.count; i++) {
    Decl *d = target_of(e, &s->items.items[i], env);
    if (!d || d->kind != decl_coord) continue;
    Dim q = infer_decl(f, d).scalar, force = dim_of(form_mul(f, form_of_var(f, f->energy), q.form, ratio_int(-1)));
    const char *words = arena_printf(f->arena, "a force on `%s` is", d->name);
    match(f, &s->items.items[i], (DimEnv){NULL, env}, force, words ? words : "");
  }
}

static void visit_rate_units(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    Decl *d = target_of(e, item, env);
    if (!d || (d->kind != decl_coord && d->kind != decl_state)) continue;
    Dim q = infer_decl(f, d).scalar;
    match(f, item, (DimEnv){NULL, env}, rate_of(f, q, (int)item->primes), is_called(f, d->name, item->primes));
  }
}

// The settings of every case, not only those of the chosen one.
static void visit_case_units(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  if (e->scope->outer) return;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    Decl *d = target_of(e, item, env);
    if (!d || d->kind == decl_let || d->kind == decl_output || d->kind == decl_fun || d->kind == decl_part) continue;
    DimValue v = infer_decl(f, d);
    if (v.shape == value_scalar && v.scalar.kind == dim_form)
      match(f, item, (DimEnv){NULL, env}, rate_of(f, v.scalar, (int)item->primes), is_called(f, d->name, item->primes));
  }
}

static void visit_implicit_units(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  f->lenient = true;
  DimValue a = infer_expr(f, s->expr, (DimEnv){NULL, env}), b = infer_expr(f, s->against, (DimEnv){NULL, env});
  for (uint32_t i = 0; a.shape && a.shape == b.shape && a.rows == b.rows && a.cols == b.cols && i < a.rows * a.cols;
       i++) {
    Dim x = dim_item(&a, i), y = dim_item(&b, i);
    infer_same(f, &y, s->against->span, &x, s->expr->span, "they are the sides of an equation");
  }
  f->lenient = false;
}

static void visit_simulate_units(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  const Ast *times[] = {s->simulate.to, s->simulate.step, s->simulate.every};
  Dim second = rate_of(f, dim_of(form_plain()), -1);
  for (int i = 0; i < 3; i++) {
    if (!times[i]) continue;
    Dim d = infer_scalar(f, times[i], (DimEnv){NULL, env});
    infer_same(f, &d, times[i]->span, &second, (Span){0}, "a time is");
  }
}

// ---- the whole

static void quiet(Infer *f, Elab *e, Diags *silent, uint64_t *work, uint64_t *most) {
  *silent = (Diags){.arena = f->arena, .sources = &e->model->sources};
  *work = e->work;
  *most = e->most_work;
  e->work = 0;
  e->most_work = UINT64_MAX;
  e->diags = silent;
}

static void loud(Infer *f, Elab *e, uint64_t work, uint64_t most) {
  e->diags = f->diags;
  e->work = work;
  e->most_work = most;
}

void infer_model(Elab *e) {
  Infer *f = arena_new_of(e->arena, Infer);
  if (!f || e->diags->errors) return;
  *f = (Infer){.e = e, .arena = e->arena, .diags = e->diags};
  f->energy = infer_var(f, "energy");
  if (arena_failed(e->arena)) return;
  e->infer = f;
  Diags silent;
  uint64_t work, most;
  quiet(f, e, &silent, &work, &most);
  for (uint32_t i = 0; i < e->decls.count; i++) {
    const Decl *d = e->decls.items[i];
    bool moving = d->kind == decl_coord || d->kind == decl_state || d->kind == decl_unknown;
    f->said = f->said || unit_of(d->item).said || (d->item->value && has_unit(d->item->value));
    f->quantities =
        f->quantities || (!moving && (unit_of(d->item).said || (d->item->value && has_unit(d->item->value))));
  }
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    if (d->kind != decl_output) infer_decl(f, d);
  }
  static const StmtKind energies[] = {stmt_kinetic, stmt_potential, stmt_lagrangian, stmt_dissipation, stmt_power};
  for (size_t i = 0; i < sizeof energies / sizeof *energies; i++) visit_all(e, energies[i], visit_energy_units);
  visit_all(e, stmt_force, visit_force_units);
  visit_all(e, stmt_equation, visit_rate_units);
  visit_all(e, stmt_implicit, visit_implicit_units);
  visit_all(e, stmt_init, visit_rate_units);
  visit_all(e, stmt_guess, visit_rate_units);
  visit_all(e, stmt_simulate, visit_simulate_units);
  visit_all(e, stmt_case, visit_case_units);
  // energies of nothing known are in joule
  Form joule = form_plain();
  joule.base.power[unit_metre] = ratio_int(2);
  joule.base.power[unit_kilogram] = ratio_int(1);
  joule.base.power[unit_second] = ratio_int(-2);
  infer_equal(f, form_of_var(f, f->energy), joule, (Span){0});
  loud(f, e, work, most);
}

const char **infer_shown(Elab *e, const Ast *a, Decl *d, const Binding *env, uint32_t count) {
  Infer *f = e->infer;
  const char **texts = arena_array(e->arena, count, sizeof *texts);
  if (!f || e->diags->errors || arena_failed(e->arena)) return texts;
  Diags silent;
  uint64_t work, most;
  quiet(f, e, &silent, &work, &most);
  DimValue v = d ? infer_decl(f, d) : infer_expr(f, a, (DimEnv){NULL, env});
  // one name alone is shown in the unit that it was declared with
  Decl *own = d;
  if (!own && path_find(e, a, env, &own) != path_found) own = NULL;
  loud(f, e, work, most);
  Unit unit = own && (own->kind == decl_coord || own->kind == decl_state || own->kind == decl_input ||
                      own->kind == decl_param || own->kind == decl_unknown)
                  ? unit_of(own->item)
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

// A value with a unit behind it is a plain number in that unit, or has that unit already.
static void check_later(Infer *f) {
  for (uint32_t i = 0; i < f->later.count; i++) {
    const DimLater *l = &f->later.items[i];
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

void infer_finish(Elab *e) {
  Infer *f = e->infer;
  if (!f || e->diags->errors || arena_failed(e->arena)) return;
  check_later(f);
  Model *m = e->model;
  // in `check` a clash is an error
  for (uint32_t i = 0; e->strict && i < m->diags.list.count; i++) {
    Diag *d = &m->diags.list.items[i];
    if (d->code != diag_units || !d->warning) continue;
    d->warning = false;
    m->diags.errors++;
  }
  for (uint32_t i = 0; i < e->decls.count; i++) {
    Decl *d = e->decls.items[i];
    if (!d->dims) continue;
    DimValue v = f->values.items[d->dims - 1];
    if (d->kind == decl_coord) m->coords.items[d->index].dim = found(f, &v, 0);
    if (d->kind == decl_state) m->states.items[d->index].dim = found(f, &v, 0);
    if (d->kind == decl_unknown) m->unknowns.items[d->index].dim = found(f, &v, 0);
    if (d->kind == decl_input) m->inputs.items[d->index].dim = found(f, &v, 0);
    for (uint32_t k = 0; d->kind == decl_param && v.shape && k < v.rows * v.cols && d->value.shape; k++)
      m->params.items[d->index + k].dim = found(f, &v, k);
  }
  Dim energy = dim_of(form_of_var(f, f->energy));
  DimValue v = dim_value(energy);
  m->energy_dim = found(f, &v, 0);
  m->units_cut = f->cut;
}
