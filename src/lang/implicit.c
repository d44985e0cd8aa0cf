// Algebraic unknowns and implicit equations: the first guess of `unknown z`, and the residual left - right of `equation
// left = right`.
#include "lang/eval.h"
#include "lang/statements.h"

void implicit_guesses(Elab *e) {
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (d->kind != decl_unknown || !d->item->value) continue;
    Scope *before = names_enter(e, d->scope);
    ExprId guess = eval_constant(e, d->item, d->env, "a first guess");
    names_enter(e, before);
    if (guess) e->model->unknowns.items[d->index].guess = guess;
  }
}

void visit_implicit(Elab *e, const Stmt *s, const Binding *env) {
  ExprId left = eval_scalar(e, s->expr, env, "an equation"), right = eval_scalar(e, s->against, env, "an equation");
  if (!left || !right) return;
  ExprId residual = expr_sub(e->pool, left, right);
  Span span = span_join(s->expr->span, s->against->span);
  if (expr_has_kind(e->pool, residual, sym_signal)) {
    diag_error(e->diags, diag_signal_use, span, "the energies of a run are for outputs only");
    return;
  }
  vec_push(e->arena, &e->model->implicit,
           (SystemEquation){.left = left, .right = right, .residual = residual, .span = span, .label = "the equation"});
}
