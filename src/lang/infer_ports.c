// Dimensions of port-Hamiltonian systems: every row is x' of its state, a gradient is an energy by its state, and an
// output times its input is a power.
#include "lang/eval.h"
#include "lang/infer_inside.h"
#include "lang/ports.h"
#include "lang/statements.h"

static Dim energy(Infer *f) { return dim_of(form_of_var(f, f->energy)); }

// The state of a row: its declaration, by its name.
static Dim row_dim(Infer *f, const SystemStorage *x, uint32_t i) {
  const char *name = f->e->model->states.items[x->rows[i]].name + f->e->names.scope->prefix_length;
  Decl *d = names_find(f->e, name);
  return d ? infer_decl(f, d).scalar : dim_wild();
}

static void entry_is(Infer *f, const Ast *a, const Dim *one, Dim target, const char *words) {
  if (one->kind == dim_form && target.kind == dim_form) infer_same(f, one, a->span, &target, (Span){0}, words);
}

// J_ij dH/dx_j is x_i'
void units_interconnection(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  const SystemStorage *x = ports_storage(e->names.scope);
  if (!x) return;
  bool before = f->lenient;
  f->lenient = true;
  DimValue v = infer_expr(f, s->expr, (DimEnv){NULL, env});
  for (uint32_t i = 0; v.shape && v.rows == x->count && v.cols == x->count && i < x->count; i++) {
    for (uint32_t j = 0; j < x->count; j++) {
      Dim a = row_dim(f, x, i), b = row_dim(f, x, j), one = dim_item(&v, i * x->count + j);
      Dim target = dim_rate(f, dim_times(f, dim_times(f, a, b, ratio_int(1)), energy(f), ratio_int(-1)), 1);
      const char *words = arena_printf(f->arena, "the entry in row %u, column %u is", i + 1, j + 1);
      const Ast *at = s->expr->kind == ast_matrix ? s->expr->items[i * x->count + j] : s->expr;
      entry_is(f, at, &one, target, words ? words : "");
    }
  }
  f->lenient = before;
}

// G_i u is x_i'
static void column_units(Infer *f, const SystemStorage *x, const Ast *a, const Binding *env, const Dim *u) {
  DimValue v = a ? infer_expr(f, a, (DimEnv){NULL, env}) : dims_none();
  for (uint32_t i = 0; v.shape && dims_count(&v) == x->count && i < x->count; i++) {
    Dim one = dim_item(&v, i);
    Dim target = dim_rate(f, dim_times(f, row_dim(f, x, i), *u, ratio_int(-1)), 1);
    const char *words = arena_printf(f->arena, "entry %u of the column is", i + 1);
    entry_is(f, a->kind == ast_list ? a->items[i] : a, &one, target, words ? words : "");
  }
}

void units_port(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  const SystemStorage *x = ports_storage(e->names.scope);
  const Item *item = &s->items.items[0];
  const char *name = path_full(e, item, env);
  Decl *d = name ? names_find(e, name) : NULL;
  if (!x || !d || d->kind != decl_input) return;
  bool before = f->lenient;
  f->lenient = true;
  Dim u = infer_decl(f, d).scalar;
  column_units(f, x, s->expr, env, &u);
  column_units(f, x, s->against, env, &u);
  if (item->value) {
    Dim one = infer_scalar(f, item->value, (DimEnv){NULL, env});
    Dim target = dim_rate(f, dim_times(f, energy(f), u, ratio_int(-2)), 1);
    entry_is(f, item->value, &one, target, "`feed` is");
  }
  f->lenient = before;
}

// Do both take in the same?
static bool are_tied(const Elab *e, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < e->model->ties.count; i++) {
    const SystemTie *t = &e->model->ties.items[i];
    bool first = false, second = false;
    for (uint32_t k = 0; k < t->count; k++) {
      first = first || t->inputs[k] == a;
      second = second || t->inputs[k] == b;
    }
    if (first && second) return true;
  }
  return false;
}

// What one puts out is what the others take in.
void units_connect(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  for (uint32_t i = 0; i + 1 < s->items.count && i < 2; i++) {
    const char *a = path_full(e, &s->items.items[i], env), *b = path_full(e, &s->items.items[i + 1], env);
    Decl *x = a ? names_find(e, a) : NULL, *y = b ? names_find(e, b) : NULL;
    if (!x || !y || x->kind != decl_input || y->kind != decl_input) return;
    Dim u = infer_decl(f, x).scalar, w = infer_decl(f, y).scalar;
    if (u.kind != dim_form || w.kind != dim_form || s->items.count > 2) return;
    if (are_tied(e, x->index, y->index)) {
      infer_same(f, &w, s->items.items[i + 1].name_span, &u, s->items.items[i].name_span, "both take in the same");
      return;
    }
    Dim put_out = dim_rate(f, dim_times(f, energy(f), u, ratio_int(-1)), 1);
    const char *words = arena_printf(f->arena, "the output of `%s` is", a);
    infer_same(f, &w, s->items.items[i + 1].name_span, &put_out, (Span){0}, words ? words : "");
  }
}
