// Name resolution, from a written name to what it stands for: th, th[3], hip.th, link[2].th;
// and the same for the names of items.
//
// th[3] is a name of its own where the family th was declared with an index, else an entry of a vector. What stands
// before a dot is a part, and its names are looked up in its own scope.
// Local names (of `for`, `sum`, arguments) hide all others.
#include "lang/eval.h"

#include <string.h>

// ---- in expressions

static bool is_local(const Binding *env, const char *name) {
  for (const Binding *b = env; b; b = b->next) {
    if (strcmp(b->name, name) == 0) return true;
  }
  return false;
}

static PathState missing(Elab *e, const Ast *a, const Scope *scope, const char *name) {
  const char *part = arena_strndup(e->arena, scope->prefix, scope->prefix_length ? scope->prefix_length - 1 : 0);
  const Family *f = names_family(scope, name);
  if (!part) return path_bad;
  if (f) {
    diag_error(e->diags, diag_needs_index, a->span, "`%s.%s` is declared with an index", part, name);
    diag_hint(e->diags, "write `%s.%s[%lld]`", part, name, (long long)f->least);
    return path_bad;
  }
  if (!scope->program) diag_error(e->diags, diag_unknown_name, a->span, "no constraint is called `%s`", name);
  else diag_error(e->diags, diag_unknown_name, a->span, "the part `%s` has no `%s`", part, name);
  const char *near = names_nearest_in(e, scope, name, ~0u);
  if (near) diag_hint(e->diags, "did you mean `%s%s`?", scope->prefix, near);
  return path_bad;
}

static PathState find_indexed(Elab *e, const Ast *a, const Binding *env, Decl **decl) {
  const Ast *base = a->items[0];
  Scope *scope = e->names.scope;
  if (a->count != 2) return path_other;
  if (base->kind == ast_field) {
    Decl *part;
    PathState state = path_find(e, base->items[0], env, &part);
    if (state != path_found) return state;
    if (part->kind != decl_part) return path_other;
    scope = part->part;
  } else if (base->kind != ast_name || is_local(env, base->name)) {
    return path_other;
  }
  const Family *f = scope ? names_family(scope, base->name) : NULL;
  if (!f) return path_other;
  int64_t i;
  if (!eval_integer(e, a->items[1], env, "an index", &i)) return path_bad;
  ArenaMark mark = arena_mark(e->pool->scratch);
  const char *name = arena_printf(e->pool->scratch, "%s[%lld]", base->name, (long long)i);
  *decl = name ? names_find_in(e, scope, name) : NULL;
  if (name && !*decl && f->runs.count) *decl = e->calls->element(e, scope, f, i);
  if (name && !*decl)
    diag_error(e->diags, diag_unknown_name, a->span, "there is no `%s%s`: `%s%s` is declared from %lld to %lld",
               scope->prefix, name, scope->prefix, f->name, (long long)f->least, (long long)f->most);
  arena_release(e->pool->scratch, mark);
  return *decl ? path_found : path_bad;
}

PathState path_find(Elab *e, const Ast *a, const Binding *env, Decl **decl) {
  *decl = NULL;
  if (a->kind == ast_name) {
    if (!is_local(env, a->name)) *decl = names_find(e, a->name);
    return *decl ? path_found : path_other;
  }
  if (a->kind == ast_index) return find_indexed(e, a, env, decl);
  if (a->kind != ast_field) return path_other;
  Decl *part;
  PathState state = path_find(e, a->items[0], env, &part);
  if (state != path_found) return state;
  if (part->kind == decl_ball) {
    const char *name = arena_printf(e->arena, "%s.%s", part->name + part->scope->prefix_length, a->name);
    *decl = name ? names_find_in(e, part->scope, name) : NULL;
    return *decl ? path_found : path_other;
  }
  if (part->kind != decl_part) return path_other;
  if (!part->part) return path_bad;
  *decl = names_find_in(e, part->part, a->name);
  return *decl ? path_found : missing(e, a, part->part, a->name);
}

static bool put_path(Elab *e, const Ast *a, const Binding *env, Text *out) {
  int64_t i;
  switch (a->kind) {
  case ast_name: text_put(out, a->name); return !is_local(env, a->name);
  case ast_field:
    if (!put_path(e, a->items[0], env, out)) return false;
    text_printf(out, ".%s", a->name);
    return true;
  case ast_index:
    if (!put_path(e, a->items[0], env, out)) return false;
    for (uint32_t k = 1; k < a->count; k++) {
      if (!eval_integer(e, a->items[k], env, "an index", &i)) return false;
      text_printf(out, "%s%lld", k == 1 ? "[" : ",", (long long)i);
    }
    text_putc(out, ']');
    return true;
  case ast_prime:
    if (!put_path(e, a->items[0], env, out)) return false;
    text_pad(out, '\'', a->primes);
    return true;
  default: return false;
  }
}

const char *path_name(Elab *e, const Ast *a, const Binding *env) {
  Text out = text_in(e->arena);
  return put_path(e, a, env, &out) ? text_str(&out) : NULL;
}

// ---- of items

const char *path_indexed(Elab *e, const char *name, const Ast *index, const Binding *env) {
  int64_t i;
  if (!eval_integer(e, index, env, "an index", &i)) return NULL;
  return arena_printf(e->arena, "%s[%lld]", name, (long long)i);
}

// link[2].th[3]; without its own index: link[2].th
const char *path_of_item(Elab *e, const Item *item, const Binding *env, bool index) {
  if (!item->path.count) return item->index && index ? path_indexed(e, item->name, item->index, env) : item->name;
  Text out = text_in(e->arena);
  for (uint32_t i = 0; i <= item->path.count; i++) {
    bool last = i == item->path.count;
    const char *name = last ? item->name : item->path.items[i].name;
    const Ast *at = !last ? item->path.items[i].index : index ? item->index : NULL;
    if (at) name = path_indexed(e, name, at, env);
    if (!name) return NULL;
    text_printf(&out, "%s%s", i ? "." : "", name);
  }
  return text_str(&out);
}

const char *path_full(Elab *e, const Item *item, const Binding *env) {
  const char *name = path_of_item(e, item, env, true);
  if (!name || !item->path.count || !e->model->linkage.nodes.count) return name;
  // a direction of a node becomes a coordinate when it is first named; of a fixed one nothing more is reported
  uint32_t errors = e->diags->errors;
  e->calls->coordinate(e, name, item->name_span);
  return e->diags->errors == errors ? name : NULL;
}

Decl *path_start(Elab *e, const Item *item, const char *name) {
  Decl *d = names_find(e, name);
  if (!d && item->path.count && e->model->linkage.nodes.count) d = e->calls->coordinate(e, name, item->name_span);
  bool coord = d && d->kind == decl_coord && item->primes <= 1, state = d && d->kind == decl_state && item->primes == 0;
  return coord || state ? d : NULL;
}
