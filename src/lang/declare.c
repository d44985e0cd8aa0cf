// Declarations, before any value: the names that the statements of a file and its parts declare.
//
// Pass 0 takes what is known at once, pass 1 what a range, an index or a setting decides.
#include "lang/declare.h"

#include "lang/constraints.h"
#include "lang/eval.h"
#include "lang/linkage.h"
#include "lang/loops.h"
#include "lang/parts.h"
#include "lang/settings.h"
#include "lang/tree.h"
#include "lang/visits.h"

#include <string.h>

static bool plain_name(Elab *e, const Item *item) {
  if (item->path.count) {
    diag_error(e->diags, diag_unexpected, item->name_span, "a name is declared without `.`");
    diag_hint(e->diags, "what stands before a dot is a part, brought in by `use`");
    return false;
  }
  if (item->primes == 0) return true;
  diag_error(e->diags, diag_unexpected, item->name_span, "a name is declared without `'`");
  diag_hint(e->diags, "a starting velocity is `init %s' = ...`", item->name);
  return true;
}

// Is it known at once which name this is, before any setting?
static bool fixed_name(const Stmt *s, const Item *item) {
  return s->fors.count == 0 && (!item->index || item->index->kind == ast_number);
}

// NULL: reported, or out of memory.
static Decl *add(Elab *e, DeclKind kind, const Item *item, const Binding *env) {
  int64_t index = 0;
  if (!names_allowed(e, kind, item)) return NULL;
  if (item->index && !eval_integer(e, item->index, env, "an index", &index)) return NULL;
  return names_add(e, kind, item, index, env);
}

// A definition that a path enters, or a loop is cut at: an input that follows its expression.
static bool is_tapped(const Elab *e, const Decl *d, const Item *item) {
  if ((d->kind != decl_let && d->kind != decl_output) || !item->value) return false;
  for (size_t i = 0; i < e->tap_count; i++) {
    if (strcmp(e->taps[i], d->name) == 0) return true;
  }
  return false;
}

static void declare(Elab *e, const Stmt *s, const Binding *env, int pass) {
  if (s->body) {
    bool fixed = true;
    for (uint32_t i = 0; i < s->items.count; i++) fixed = fixed && fixed_name(s, &s->items.items[i]);
    if (fixed == (pass == 0)) tree_declare(e, s, env);
    return;
  }
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    if (s->kind == stmt_constraint && fixed_name(s, item) == (pass == 0)) {
      if (!item->name || plain_name(e, item)) constraint_declare(e, item, env);
      continue;
    }
    if (!item->name || fixed_name(s, item) != (pass == 0)) continue; // an output may show an expression
    if (!plain_name(e, item)) continue;
    if (s->link) {
      linkage_declare(e, s, env);
      continue;
    }
    Decl *d = add(e, word_statement(s->kind)->declares, item, env);
    if (!d) continue;
    if (is_tapped(e, d, item)) d->kind = decl_input;
    if (d->kind == decl_coord) elab_add_coord(e, d);
    if (d->kind == decl_state) elab_add_state(e, d);
    if (d->kind == decl_unknown) loop_unknown(e, d->name, d->span, item_unit(item), NULL, &d->index);
    if (d->kind == decl_input) {
      SystemInput in = {.name = d->name, .unit = item_unit(item), .span = d->span};
      d->index = e->model->inputs.count;
      in.symbol = pool_symbol(e->pool, d->name, sym_input, d->index, 0);
      vec_push(e->arena, &e->model->inputs, in);
    }
  }
}

static void declare_rest(Elab *e, const Stmt *s, const Binding *env) { declare(e, s, env, 1); }

static void visit_use(Elab *e, const Stmt *s, const Binding *env) {
  Decl *d = part_allowed(e, s) ? add(e, decl_part, &s->items.items[0], env) : NULL;
  if (d) d->part = part_load(e, s, d);
  if (!d || !d->part) {
    e->settings.unread = true;
    return;
  }
  settings_with(e, s, env, d->part);
  uint32_t first = e->names.decls.count;
  declare_names(e, d->part, 0);
  if (s->robot) part_number(e, d->part, first);
  settings_step(e, false);
}

void declare_names(Elab *e, Scope *scope, int pass) {
  Scope *before = names_enter(e, scope);
  const Program *program = scope->program;
  // repeated parts first: a range may depend on what stands in them
  for (uint32_t i = 0; pass == 1 && i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->kind == stmt_use && !s->broken && !fixed_name(s, &s->items.items[0])) visit_repeated(e, s, visit_use);
  }
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *s = &program->statements.items[i];
    if (s->broken) continue;
    if (s->kind == stmt_use && pass == 0 && fixed_name(s, &s->items.items[0])) visit_use(e, s, NULL);
    if (word_statement(s->kind)->declares == decl_none) continue;
    if (s->fors.count == 0) declare(e, s, NULL, pass);
    else if (pass == 1) visit_repeated(e, s, declare_rest);
  }
  names_enter(e, before);
}
