// All equations between dimensions that a model gives: of its declarations first, in their order, then of its
// statements stage by stage. What says nothing about its energies counts in joule.
#include "lang/infer_inside.h"
#include "lang/statements.h"
#include "lang/visits.h"

static bool has_unit(const Ast *a) {
  if (a->unit) return true;
  for (uint32_t i = 0; i < a->count; i++) {
    if (has_unit(a->items[i])) return true;
  }
  return false;
}

// Units in statements of nodes, bars and bodies, whose names may be no declarations.
static void link_units(Infer *f, const Program *program) {
  for (uint32_t i = 0; i < program->statements.count && !(f->said && f->quantities); i++) {
    const Stmt *s = &program->statements.items[i];
    bool unit = s->link && s->items.count &&
                (item_unit(&s->items.items[0]).said || (s->items.items[0].value && has_unit(s->items.items[0].value)));
    for (int k = 0; s->link && k < link_clauses; k++)
      unit = unit || (s->link->clause[k] && has_unit(s->link->clause[k]));
    for (int k = 0; s->body && k < body_clauses; k++)
      unit = unit || (s->body->clause[k] && has_unit(s->body->clause[k]));
    f->said = f->said || unit;
    f->quantities = f->quantities || unit;
  }
}

void infer_model(Elab *e) {
  Infer *f = arena_new_of(e->arena, Infer);
  if (!f || e->diags->errors) return;
  Arena *arena = arena_new_scratch(e->arena);
  if (!arena) return;
  *f = (Infer){.e = e, .arena = arena, .diags = e->diags, .call = infer_call, .apply = infer_apply};
  f->energy = infer_var(f, "energy");
  if (!vec_reserve(f->arena, &f->vars, e->names.decls.count + 1) || arena_failed(e->arena)) return;
  e->infer = f;
  Diags silent;
  uint64_t work, most;
  infer_quiet(f, e, &silent, &work, &most);
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    const Decl *d = e->names.decls.items[i];
    bool moving = d->kind == decl_coord || d->kind == decl_state || d->kind == decl_unknown;
    f->said = f->said || item_unit(d->item).said || (d->item->value && has_unit(d->item->value));
    f->quantities =
        f->quantities || (!moving && (item_unit(d->item).said || (d->item->value && has_unit(d->item->value))));
  }
  for (uint32_t i = 0; i < e->names.scopes.count; i++) link_units(f, e->names.scopes.items[i]->program);
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (d->kind != decl_output) infer_begin(f, d);
  }
  for (int stage = stage_none; stage < stage_count; stage++) statements_units(e, (Stage)stage);
  // energies of nothing known are in joule
  Form joule = form_plain();
  joule.base.power[unit_metre] = ratio_int(2);
  joule.base.power[unit_kilogram] = ratio_int(1);
  joule.base.power[unit_second] = ratio_int(-2);
  infer_equal(f, form_of_var(f, f->energy), joule, (Span){0});
  infer_again(f);
  infer_loud(f, e, work, most);
}
