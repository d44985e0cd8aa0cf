// Statements as equations between dimensions: energies are alike, a force times its coordinate is an energy, x' is x
// per second, the sides of an equation are alike, times are seconds.
#include "lang/entries.h"
#include "lang/eval.h"
#include "lang/infer_inside.h"
#include "lang/statements.h"

// Angles do not count in energies.
static const char *energy_words(Infer *f, Dim d, int order) {
  d = dim_rate(f, d, order);
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
  Dim own = power ? dim_rate(f, *term, -1) : *term;
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
  Form *energy_form = arena_new_of(f->arena, Form);
  if (!energy_form) return;
  *energy_form = form_resolve(f, own.form);
  energy_form->grounded = false;
  f->vars.items[f->energy].form = energy_form;
}

static void energy_term(Infer *f, const Dim *term, Span span, const void *context) {
  bool power = *(const bool *)context;
  if (term->kind != dim_form) return;
  // in units of the energy itself
  Dim own = power ? dim_rate(f, *term, -1) : *term;
  Unified u = infer_energy(f, own.form, span);
  Dimension known;
  if (u == unified && !f->first.span.source && dim_known(f, term, &known)) {
    f->first.span = span;
    f->first.dim = *term;
    f->first.power = power;
  }
  if (u == clash) report_energy(f, term, span, power);
}

void units_energy(Elab *e, const Stmt *s, const Binding *env) {
  bool power = s->kind == stmt_dissipation || s->kind == stmt_power;
  infer_each_term(e->infer, s->expr, (DimEnv){NULL, env}, energy_term, &power);
}

static Decl *target_of(Elab *e, const Item *item, const Binding *env) {
  const char *name = path_full(e, item, env);
  return name ? names_find(e, name) : NULL;
}

void units_force(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  for (uint32_t i = 0; i < s->items.count; i++) {
    Decl *d = target_of(e, &s->items.items[i], env);
    if (!d || d->kind != decl_coord) continue;
    Dim q = infer_decl(f, d).scalar, force = dim_of(form_mul(f, form_of_var(f, f->energy), q.form, ratio_int(-1)));
    const char *words = arena_printf(f->arena, "a force on `%s` is", d->name);
    infer_match(f, &s->items.items[i], (DimEnv){NULL, env}, force, words ? words : "");
  }
}

// Limits are what their coordinate is; k q^2 and c q q' are an energy and a power.
void units_stop(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  const Item *item = &s->items.items[0];
  Decl *d = target_of(e, item, env);
  if (!d || d->kind != decl_coord) return;
  Dim q = infer_decl(f, d).scalar, energy = dim_of(form_of_var(f, f->energy));
  Dim stiffness = dim_times(f, energy, q, ratio_int(-2)), damping = dim_rate(f, stiffness, -1);
  const struct {
    const Ast *a;
    const Dim *dim;
    const char *why;
  } parts[] = {{range_shares_unit(item) ? NULL : item->value, &q, "a limit is"}, // then it is reported once
               {item->until, &q, "a limit is"},
               {s->link->clause[link_stiffness], &stiffness, "the stiffness of this stop is"},
               {s->link->clause[link_damping], &damping, "the damping of this stop is"}};
  bool before = f->lenient;
  f->lenient = true;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (!parts[i].a) continue;
    Dim one = infer_scalar(f, parts[i].a, (DimEnv){NULL, env});
    if (one.kind == dim_form) infer_same(f, &one, parts[i].a->span, parts[i].dim, (Span){0}, parts[i].why);
  }
  f->lenient = before;
}

void units_rate(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    Decl *d = target_of(e, item, env);
    if (!d || (d->kind != decl_coord && d->kind != decl_state)) continue;
    Dim q = infer_decl(f, d).scalar;
    infer_match(f, item, (DimEnv){NULL, env}, dim_rate(f, q, (int)item->primes),
                infer_called(f, d->name, item->primes));
  }
}

static void case_setting(Infer *f, Decl *d, const Item *item, const Binding *env) {
  DimValue v = infer_decl(f, d);
  if (v.shape == value_scalar && v.scalar.kind == dim_form)
    infer_match(f, item, (DimEnv){NULL, env}, dim_rate(f, v.scalar, (int)item->primes),
                infer_called(f, d->name, item->primes));
}

// A list for an indexed name, or a family of lists.
static void case_entries(Elab *e, const Item *item, const Binding *env) {
  const char *name = path_full(e, item, env);
  Entries x = name ? entries_find(e, e->names.scope, item, name) : (Entries){0};
  bool nested = item->value->kind == ast_list && item->value->items[0]->kind == ast_list;
  for (uint32_t i = 0; x.family && i < (nested ? item->value->count : 1); i++) {
    const Item *one = nested ? entries_take(e, item, i) : item;
    if (!one || one->value->kind != ast_list) return;
    for (uint32_t k = 0; k < x.count && k < one->value->count; k++) {
      const Item *element = entries_element(e, &x, one, k);
      if (element) case_setting(e->infer, x.list[k], element, env);
    }
  }
}

// The settings of every case, not only those of the chosen one.
void units_case(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  if (e->names.scope->outer) return;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    Decl *d = target_of(e, item, env);
    if (!d) case_entries(e, item, env);
    else if (d->kind != decl_let && d->kind != decl_output && d->kind != decl_fun && d->kind != decl_part)
      case_setting(f, d, item, env);
  }
}

void units_implicit(Elab *e, const Stmt *s, const Binding *env) {
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

void units_simulate(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  const Simulate *said = &s->study->simulate;
  const Ast *times[] = {said->from, said->to, said->step, said->every};
  Dim second = dim_rate(f, dim_of(form_plain()), -1);
  for (int i = 0; i < 4; i++) {
    if (!times[i]) continue;
    Dim d = infer_scalar(f, times[i], (DimEnv){NULL, env});
    infer_same(f, &d, times[i]->span, &second, (Span){0}, "a time is");
  }
}
