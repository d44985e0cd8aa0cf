// Parts: other files whose names become hip.i, hip.th, and the way from such a name to what it stands for.
//
// in    use "motor.viva" as hip with R = 0.5, u = v1
// out   a scope with the prefix `hip.`, the declared names of the file in it, and a setting for each item of `with`
//
// Every use has a source of its own (the text is shared), so a place says by which use it came in.
#include "lang/elab.h"

#include "base/file.h"
#include "lang/parser.h"

#include <string.h>

enum { deepest_part = 50, most_parts = 100000, largest_part = 256 * 1024 * 1024 };

// ---- from names to what they stand for

static bool is_local(const Binding *env, const char *name) {
  for (const Binding *b = env; b; b = b->next) {
    if (strcmp(b->name, name) == 0) return true;
  }
  return false;
}

static PathState missing(Elab *e, const Ast *a, const Scope *scope, const char *name) {
  const char *part = arena_strndup(e->arena, scope->prefix, scope->prefix_length ? scope->prefix_length - 1 : 0);
  const Family *f = family_find(scope, name);
  if (!part) return path_bad;
  if (f) {
    diag_error(e->diags, diag_needs_index, a->span, "`%s.%s` is declared with an index", part, name);
    diag_hint(e->diags, "write `%s.%s[%lld]`", part, name, (long long)f->least);
    return path_bad;
  }
  diag_error(e->diags, diag_unknown_name, a->span, "the part `%s` has no `%s`", part, name);
  const char *near = name_nearest_in(e, scope, name, ~0u);
  if (near) diag_hint(e->diags, "did you mean `%s%s`?", scope->prefix, near);
  return path_bad;
}

static PathState find_indexed(Elab *e, const Ast *a, const Binding *env, Decl **decl) {
  const Ast *base = a->items[0];
  const Scope *scope = e->scope;
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
  const Family *f = scope ? family_find(scope, base->name) : NULL;
  if (!f) return path_other;
  const char *name = indexed_name(e, base->name, a->items[1], env);
  if (!name) return path_bad;
  *decl = decl_find_in(e, scope, name);
  if (*decl) return path_found;
  diag_error(e->diags, diag_unknown_name, a->span, "there is no `%s%s`: `%s%s` is declared from %lld to %lld",
             scope->prefix, name, scope->prefix, f->name, (long long)f->least, (long long)f->most);
  return path_bad;
}

PathState path_find(Elab *e, const Ast *a, const Binding *env, Decl **decl) {
  *decl = NULL;
  if (a->kind == ast_name) {
    if (!is_local(env, a->name)) *decl = decl_find(e, a->name);
    return *decl ? path_found : path_other;
  }
  if (a->kind == ast_index) return find_indexed(e, a, env, decl);
  if (a->kind != ast_field) return path_other;
  Decl *part;
  PathState state = path_find(e, a->items[0], env, &part);
  if (state != path_found) return state;
  if (part->kind != decl_part) return path_other;
  if (!part->part) return path_bad;
  *decl = decl_find_in(e, part->part, a->name);
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

// ---- files

const char *file_beside(Elab *e, Span span, const char *path) {
  const Source *source = source_get(&e->model->sources, span);
  // what the command line says counts from the model's own file
  if (!source || source->option) source = &e->model->sources.list.items[0];
  const char *slash = strrchr(source->name, '/');
  if (path[0] == '/' || !slash) return path;
  return arena_printf(e->arena, "%.*s/%s", (int)(slash - source->name), source->name, path);
}

char *file_near(Elab *e, const char *path, size_t most, size_t *length, const char **why) {
  if (!e->confined) return file_read_ordinary(e->arena, path, most, length, why);
  const char *name = e->model->sources.list.items[0].name, *slash = strrchr(name, '/');
  const char *folder = slash ? arena_printf(e->arena, "%.*s", slash == name ? 1 : (int)(slash - name), name) : ".";
  return folder ? file_read_below(e->arena, folder, path, most, length, why) : NULL;
}

// The chain of files that lead back to this one, in words.
static bool report_circle(Elab *e, const Stmt *s, const char *path) {
  Text chain = text_in(e->arena);
  for (const Scope *x = e->scope; x; x = x->outer) {
    const char *name = source_get(&e->model->sources, (Span){x->source, 0, 0})->name;
    bool same = strcmp(name, path) == 0 || file_same(name, path);
    text_printf(&chain, "%s\"%s\"", chain.length ? ", which is used by " : "", name);
    if (!same) continue;
    diag_error(e->diags, diag_circle, s->name_span, "a file cannot be a part of itself");
    if (x != e->scope) diag_hint(e->diags, "this line stands in %s", text_str(&chain));
    return true;
  }
  return false;
}

// The text of a part: read once, shared by all of its uses. 0: reported.
static uint32_t read_part(Elab *e, const Stmt *s, const char *path) {
  Sources *sources = &e->model->sources;
  for (uint32_t i = 0; i < e->files.count; i++) {
    if (strcmp(sources->list.items[e->files.items[i] - 1].name, path) == 0)
      return source_again(sources, e->files.items[i]);
  }
  size_t length;
  const char *why;
  char *text = file_near(e, path, largest_part, &length, &why);
  if (text) {
    uint32_t source = source_add(sources, path, text, length);
    return source && vec_push(e->arena, &e->files, source) ? source : 0;
  }
  diag_error(e->diags, diag_missing_file, s->name_span, "\"%s\" cannot be read: %s", s->name, why);
  if (strcmp(path, s->name) != 0) diag_hint(e->diags, "looked for at \"%s\"", path);
  return 0;
}

static bool may_use(Elab *e, const Stmt *s) {
  const Item *item = &s->items.items[0];
  if (item->path.count || item->primes) {
    diag_error(e->diags, diag_unexpected, item->name_span, "a part has a plain name: `use \"...\" as %s`", item->name);
    return false;
  }
  if (e->scope->depth + 1 > deepest_part) {
    diag_error(e->diags, diag_too_deep, s->name_span, "parts stand more than %d deep inside each other", deepest_part);
    return false;
  }
  if (e->exhausted) return false;
  if (e->scopes.count > most_parts) {
    if (!e->full) diag_error(e->diags, diag_too_many, s->name_span, "more than %d parts", most_parts);
    e->full = true;
    return false;
  }
  return true;
}

// Reads the file into a scope of its own. NULL: reported.
static Scope *load_part(Elab *e, const Stmt *s, const Decl *d) {
  const char *path = file_beside(e, s->name_span, s->name);
  if (!path || report_circle(e, s, path)) return NULL;
  uint32_t source = read_part(e, s, path);
  if (!source) return NULL;
  Source *own = &e->model->sources.list.items[source - 1];
  own->use = s->span;
  own->used_as = d->name + e->scope->prefix_length;
  bool first = own->file == source, later = false;
  Scope *part = arena_new_of(e->arena, Scope);
  Program *program = arena_new_of(e->arena, Program);
  const char *prefix = arena_printf(e->arena, "%s.", d->name);
  if (!part || !program || !prefix) return NULL;
  *part = (Scope){.prefix = prefix,
                  .prefix_length = strlen(prefix),
                  .outer = e->scope,
                  .program = program,
                  .source = source,
                  .depth = e->scope->depth + 1};
  parse_program(e->arena, &e->model->sources, source, e->diags, program, &later);
  if (program->statements.count == 0 && first)
    diag_error(e->diags, diag_empty_model, s->name_span, "\"%s\" holds no statement", s->name);
  if (program->statements.count == 0 || later || !spend(e, s->name_span, program->statements.count)) return NULL;
  return vec_push(e->arena, &e->scopes, part) ? part : NULL;
}

void visit_use(Elab *e, const Stmt *s, const Binding *env) {
  Decl *d = may_use(e, s) ? decl_add(e, decl_part, s->items.items[0].name, &s->items.items[0], env) : NULL;
  if (d) d->part = load_part(e, s, d);
  if (!d || !d->part) {
    e->unread = true;
    return;
  }
  settings_with(e, s, env, d->part);
  declare_names(e, d->part, 0);
  settings_step(e, false);
}
