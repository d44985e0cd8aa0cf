// Loop expansion: statements with `for` are visited once for each value of their variables, the first one slowest.
// Bounds are whole numbers that are known when the file is read; an inner one may depend on an outer variable.
#include "lang/visits.h"

#include "lang/eval.h"

static void visit_level(Elab *e, const Stmt *s, uint32_t level, const Binding *env, Visit *visit, bool keep) {
  if (level == s->fors.count) {
    e->blocks.owner = NULL;
    e->visit.statement = s;
    e->visit.env = env;
    e->visit.item = s->items.count == 1 ? &s->items.items[0] : NULL;
    if (s->link) elab_grant_element(e);
    if (elab_spend(e, s->word, 1)) visit(e, s, env);
    return;
  }
  const ForClause *f = &s->fors.items[level];
  int64_t from, to;
  if (!eval_integer(e, f->from, env, "a bound of `for`", &from) ||
      !eval_integer(e, f->to, env, "a bound of `for`", &to))
    return;
  if (to - from >= most_repetitions) {
    diag_error(e->diags, diag_too_many, f->span, "more than %d repetitions", most_repetitions);
    return;
  }
  for (int64_t i = from; i <= to && !arena_failed(e->arena) && !e->limits.exhausted && e->diags->errors < diag_most;
       i++) {
    Binding passing, *b = keep ? arena_new_of(e->arena, Binding) : &passing;
    if (!b) return;
    *b = (Binding){.name = f->name, .next = env, .counts = !keep, .count = i};
    if (keep) b->value = value_of(expr_int(e->pool, i));
    visit_level(e, s, level + 1, b, visit, keep);
  }
}

// Does a text call anything? A block keeps the variables that it was read with.
static bool calls(const Ast *a) {
  if (!a) return false;
  if (a->kind == ast_call || a->kind == ast_apply) return true;
  for (uint32_t i = 0; i < a->count; i++) {
    if (calls(a->items[i])) return true;
  }
  return false;
}

// Nodes and bars are many, and nothing of them keeps the variables of its `for`.
static bool is_passing(const Stmt *s) {
  if (!s->link) return false;
  for (uint32_t i = 0; i < s->link->ends.count; i++) {
    if (calls(s->link->ends.items[i])) return false;
  }
  for (int i = 0; i < link_clauses; i++) {
    if (calls(s->link->clause[i])) return false;
  }
  return !s->items.count || !calls(s->items.items[0].value);
}

void visit_repeated(Elab *e, const Stmt *s, Visit *visit) { visit_level(e, s, 0, NULL, visit, !is_passing(s)); }

void visit_scope(Elab *e, Scope *scope, StmtKind kind, Visit *visit) {
  Scope *before = names_enter(e, scope);
  for (uint32_t i = 0; i < scope->program->statements.count; i++) {
    const Stmt *s = &scope->program->statements.items[i];
    if (s->kind == kind && !s->broken) visit_repeated(e, s, visit);
  }
  names_enter(e, before);
}

void visit_all(Elab *e, StmtKind kind, Visit *visit) {
  for (uint32_t i = 0; i < e->names.scopes.count; i++) visit_scope(e, e->names.scopes.items[i], kind, visit);
}
