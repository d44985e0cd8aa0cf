// Dimensions of nodes, bars and springs: positions are lengths, stiffness is a force for a length, and so on.
//
// A statement that repeats says the same about dimensions each time: a few of its repetitions are looked at.
#include "lang/eval.h"
#include "lang/infer_inside.h"
#include "lang/statements.h"

static Dim length(void) { return dim_mechanical(0, 1, 0); }
static Dim force(void) { return dim_mechanical(1, 1, -2); }

enum { most_repeated = 4 };

bool infer_is_enough(Infer *f, const Stmt *s) {
  if (f->repeated.statement != s) {
    f->repeated.statement = s;
    f->repeated.count = 0;
    Dim joule = dim_mechanical(1, 2, -2);
    joule.form.grounded = false;
    infer_equal(f, form_of_var(f, f->energy), joule.form, s->word);
  }
  return f->repeated.count++ >= most_repeated;
}

static void value_is(Infer *f, const Ast *a, const Unit *unit, const Binding *env, Dim target, const char *words) {
  if (!a) return;
  bool before = f->lenient;
  f->lenient = true;
  DimValue v = infer_expr(f, a, (DimEnv){NULL, env});
  if (unit) v = infer_unit(f, v, unit, a->span);
  for (uint32_t i = 0; v.shape && i < dims_count(&v); i++) {
    Dim one = dim_item(&v, i);
    if (one.kind == dim_form) infer_same(f, &one, a->span, &target, (Span){0}, words);
  }
  f->lenient = before;
}

static void clause_is(Elab *e, const Stmt *s, LinkClause which, const Binding *env, Dim target, const char *words) {
  value_is(e->infer, s->link->clause[which], NULL, env, target, words);
}

void units_node(Elab *e, const Stmt *s, const Binding *env) {
  if (infer_is_enough(e->infer, s)) return;
  const Item *item = &s->items.items[0];
  value_is(e->infer, item->value, item->unit, env, length(), "a place is");
  clause_is(e, s, link_mass, env, dim_mechanical(1, 0, 0), "a mass is");
}

void units_bar(Elab *e, const Stmt *s, const Binding *env) {
  if (infer_is_enough(e->infer, s)) return;
  clause_is(e, s, link_length, env, length(), "a length is");
  clause_is(e, s, link_mass, env, dim_mechanical(1, 0, 0), "a mass is");
}

void units_spring(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  if (infer_is_enough(f, s)) return;
  clause_is(e, s, link_length, env, length(), "a length is");
  clause_is(e, s, link_stiffness, env, dim_mechanical(1, 0, -2), "a stiffness is");
  clause_is(e, s, link_damping, env, dim_mechanical(1, 0, -1), "a damping is");
  const Ast *a = s->link->clause[link_force];
  DimEnv inside = {NULL, env};
  if (!a || !infer_bind(f, &inside, "e", dim_value(length()), value_none())) return;
  bool before = f->lenient;
  f->lenient = true;
  Dim one = infer_scalar(f, a, inside), newton = force();
  infer_same(f, &one, a->span, &newton, (Span){0}, "a force is");
  f->lenient = before;
}

void units_torsion(Elab *e, const Stmt *s, const Binding *env) {
  if (infer_is_enough(e->infer, s)) return;
  clause_is(e, s, link_stiffness, env, dim_mechanical(1, 2, -2), "the stiffness of a torsion spring is");
  clause_is(e, s, link_angle, env, dim_of(form_plain()), "an angle is");
}

void units_load(Elab *e, const Stmt *s, const Binding *env) {
  if (infer_is_enough(e->infer, s)) return;
  const Item *item = &s->items.items[0];
  value_is(e->infer, item->value, item->unit, env, force(), "a load is");
}

void units_gravity(Elab *e, const Stmt *s, const Binding *env) {
  value_is(e->infer, s->expr, NULL, env, dim_mechanical(0, 1, -2), "gravity is");
}
