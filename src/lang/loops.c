// Cyclic definitions, made explicit as algebraic loops.
//
// A cycle is cut (tearing) at the definition that was met first: its name becomes an unknown z, and z = (its text) an
// equation. Definitions are evaluated in the order of their names, so the cut does not depend on the order of lines.
#include "lang/loops.h"

bool loop_unknown(Elab *e, const char *name, Span span, Unit unit, const char *chain, uint32_t *index) {
  Model *m = e->model;
  SystemUnknown z = {.name = name, .span = span, .unit = unit, .chain = chain, .guess = e->pool->zero};
  z.symbol = pool_symbol(e->pool, name, sym_unknown, m->unknowns.count, 0);
  *index = m->unknowns.count;
  return z.symbol && vec_push(e->arena, &m->unknowns, z);
}

// "`a` (line 1) needs `b` (line 2) needs `a`"
const char *loop_words(Elab *e, const Decl *d, Span use) {
  uint32_t first = 0;
  while (first < e->eval.active.count && e->eval.active.items[first] != d) first++;
  Text chain = text_in(e->arena);
  for (uint32_t i = first; i < e->eval.active.count; i++) {
    const Decl *x = e->eval.active.items[i];
    text_printf(&chain, "`%s` (%s) needs ", x->name, decl_place(e, x, use));
  }
  text_printf(&chain, "`%s`", d->name);
  return text_str(&chain);
}

Value loop_enter(Elab *e, Decl *d, Span use) {
  Model *m = e->model;
  if (!d->loop) {
    uint32_t index;
    if (!loop_unknown(e, d->name, d->span, *d->item->unit, loop_words(e, d, use), &index)) return value_none();
    d->loop = m->unknowns.items[index].symbol;
  }
  return value_of(expr_sym(e->pool, d->loop));
}

Value loop_close(Elab *e, Decl *d, Value v) {
  if (v.shape && v.shape != value_scalar) {
    const SystemUnknown *z = &e->model->unknowns.items[pool_symbol_get(e->pool, d->loop)->index];
    diag_error(e->diags, diag_circle, d->span, "a circle of definitions: %s", z->chain);
    diag_hint(e->diags, "a circle is solved where it is one of numbers; `%s` is %s", d->name,
              value_describe(e->arena, &v));
    return value_none();
  }
  ExprId z = expr_sym(e->pool, d->loop);
  if (!v.shape) return value_of(z); // reported
  SystemEquation eq = {.left = z,
                       .right = v.scalar,
                       .residual = expr_sub(e->pool, v.scalar, z),
                       .span = d->span,
                       .label = arena_printf(e->arena, "let %s", d->name),
                       .unknown = d->loop};
  vec_push(e->arena, &e->model->implicit, eq);
  return value_of(z);
}
