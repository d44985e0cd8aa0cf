// Parts: other files whose names become hip.i, hip.th.
//
// in    use "motor.viva" as hip with R = 0.5, u = v1
// out   a scope with the prefix `hip.`
//
// Every use has a source of its own (the text is shared), so a span says by which use it came in.
#include "lang/parts.h"

#include "base/file.h"
#include "lang/import.h"
#include "lang/parser.h"

#include <string.h>

enum { deepest_part = 50, most_parts = 100000, largest_part = 256 * 1024 * 1024 };

// The chain of files that lead back to this one, in words.
static bool report_circle(Elab *e, const Stmt *s, const char *path) {
  Text chain = text_in(e->arena);
  for (const Scope *x = e->names.scope; x; x = x->outer) {
    const char *name = source_get(&e->model->sources, (Span){x->source, 0, 0})->name;
    bool same = strcmp(name, path) == 0 || file_same(name, path);
    text_printf(&chain, "%s\"%s\"", chain.length ? ", which is used by " : "", name);
    if (!same) continue;
    diag_error(e->diags, diag_circle, s->name_span, "a file cannot be a part of itself");
    if (x != e->names.scope) diag_hint(e->diags, "this line stands in %s", text_str(&chain));
    return true;
  }
  return false;
}

// The text of a part: read once, shared by all of its uses. 0: reported.
static uint32_t read_part(Elab *e, const Stmt *s, const char *path) {
  Sources *sources = &e->model->sources;
  for (uint32_t i = 0; i < e->parts.files.count; i++) {
    if (strcmp(sources->list.items[e->parts.files.items[i] - 1].name, path) == 0)
      return source_again(sources, e->parts.files.items[i]);
  }
  size_t length;
  const char *why;
  char *text = elab_file_near(e, path, largest_part, &length, &why);
  if (text) {
    uint32_t source = source_add(sources, path, text, length);
    return source && vec_push(e->arena, &e->parts.files, source) ? source : 0;
  }
  diag_error(e->diags, diag_missing_file, s->name_span, "\"%s\" cannot be read: %s", s->name, why);
  if (strcmp(path, s->name) != 0) diag_hint(e->diags, "looked for at \"%s\"", path);
  return 0;
}

// The text of a robot as a model, with a source of its own whose lines lead back to the file. 0: reported.
static uint32_t read_robot(Elab *e, const Stmt *s, uint32_t file) {
  Sources *sources = &e->model->sources;
  Source from = sources->list.items[file - 1];
  const Importer *found = import_find(from.name, from.text, from.length);
  if (!found || !found->robot) {
    diag_error(e->diags, diag_urdf, s->name_span, "\"%s\" holds no robot: neither URDF nor a table of joints", s->name);
    return 0;
  }
  Imported made = {.text = text_in(e->arena)};
  ImportFrom request = {.sources = sources, .source = file, .part = true, .limits = s->limits};
  if (!found->read(e->arena, &request, e->diags, &made)) return 0;
  uint32_t source = source_add(sources, from.name, text_str(&made.text), made.text.length);
  if (!source) return 0;
  sources->list.items[source - 1].origins = made.origin.items;
  sources->list.items[source - 1].origin_count = made.origin.count;
  return source;
}

// A robot is no part in the language, and the other way round.
static bool is_model(Elab *e, const Stmt *s, uint32_t source) {
  const Source *from = &e->model->sources.list.items[source - 1];
  const Importer *found = import_find(from->name, from->text, from->length);
  if (!found || !found->robot) return true;
  diag_error(e->diags, diag_urdf, s->name_span, "\"%s\" is a robot", s->name);
  diag_hint(e->diags, "write `robot \"%s\" as %s`", s->name, s->items.items[0].name);
  return false;
}

void part_number(Elab *e, Scope *part, uint32_t first) {
  for (uint32_t i = first; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (d->kind == decl_coord && d->scope == part) vec_push(e->arena, &part->numbered, d);
  }
  uint32_t count = part->numbered.count;
  if (!count || names_family(part, "q")) return;
  e->names.numbered = true;
  vec_push(e->arena, &part->families, (Family){.name = "q", .least = 1, .most = count});
}

bool part_allowed(Elab *e, const Stmt *s) {
  const Item *item = &s->items.items[0];
  if (item->path.count || item->primes) {
    diag_error(e->diags, diag_unexpected, item->name_span, "a part has a plain name: `use \"...\" as %s`", item->name);
    return false;
  }
  if (e->names.scope->depth + 1 > deepest_part) {
    diag_error(e->diags, diag_too_deep, s->name_span, "parts stand more than %d deep inside each other", deepest_part);
    return false;
  }
  if (e->limits.exhausted) return false;
  if (e->names.scopes.count > most_parts) {
    if (!e->parts.full) diag_error(e->diags, diag_too_many, s->name_span, "more than %d parts", most_parts);
    e->parts.full = true;
    return false;
  }
  return true;
}

// Reads the file into a scope of its own. NULL: reported.
Scope *part_load(Elab *e, const Stmt *s, const Decl *d) {
  const char *path = elab_file_beside(e, s->name_span, s->name);
  if (!path || report_circle(e, s, path)) return NULL;
  uint32_t source = read_part(e, s, path);
  if (source && s->robot) source = read_robot(e, s, source);
  if (!source || (!s->robot && !is_model(e, s, source))) return NULL;
  Source *opened = &e->model->sources.list.items[source - 1];
  opened->use = s->span;
  opened->used_as = d->name + e->names.scope->prefix_length;
  bool first = opened->file == source;
  Scope *part = arena_new_of(e->arena, Scope);
  Program *program = arena_new_of(e->arena, Program);
  const char *prefix = arena_printf(e->arena, "%s.", d->name);
  if (!part || !program || !prefix) return NULL;
  *part = (Scope){.prefix = prefix,
                  .prefix_length = strlen(prefix),
                  .outer = e->names.scope,
                  .program = program,
                  .source = source,
                  .depth = e->names.scope->depth + 1};
  parse_program(e->arena, &e->model->sources, source, e->diags, program);
  if (program->statements.count == 0 && first)
    diag_error(e->diags, diag_empty_model, s->name_span, "\"%s\" holds no statement", s->name);
  if (program->statements.count == 0 || !elab_spend(e, s->name_span, program->statements.count)) return NULL;
  return vec_push(e->arena, &e->names.scopes, part) ? part : NULL;
}
