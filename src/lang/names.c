// The symbol table: every declared thing of the model and its parts, found by its name with the prefix of its part.
//
// Open addressing with linear probing over FNV-1a; the table doubles when it is half full, and nothing is ever removed.
// A family th[1] .. th[n] is remembered by its least and largest index, for messages. Nothing here evaluates.
#include "lang/names.h"

#include "lang/elab.h"

#include <string.h>

static uint32_t hash_more(uint32_t h, const char *s) {
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

static uint32_t hash_name(const char *s) { return hash_more(2166136261u, s); }

Scope *names_enter(Elab *e, Scope *scope) {
  Scope *before = e->names.scope;
  e->names.scope = scope;
  return before;
}

// arm.q[3]: a coordinate of a robot by its number
static Decl *find_numbered(const Elab *e, const Scope *scope, const char *name) {
  char part[512];
  const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
  size_t digits = strncmp(last, "q[", 2) == 0 ? strspn(last + 2, "0123456789") : 0;
  if (digits == 0 || digits > 8 || strcmp(last + 2 + digits, "]") != 0) return NULL;
  if (dot && (size_t)(dot - name) >= sizeof part) return NULL;
  if (dot) {
    memcpy(part, name, (size_t)(dot - name));
    part[dot - name] = '\0';
    const Decl *d = names_find_in(e, scope, part);
    if (!d || d->kind != decl_part || !d->part) return NULL;
    scope = d->part;
  }
  uint32_t k = 0;
  for (size_t i = 0; i < digits; i++) k = 10 * k + (uint32_t)(last[2 + i] - '0');
  return k >= 1 && k <= scope->numbered.count && last[2] != '0' ? scope->numbered.items[k - 1] : NULL;
}

Decl *names_find_in(const Elab *e, const Scope *scope, const char *name) {
  if (!e->names.table_size) return NULL;
  size_t n = scope->prefix_length;
  uint32_t hash = hash_more(hash_name(scope->prefix), name);
  for (uint32_t at = hash & (e->names.table_size - 1); e->names.table[at]; at = (at + 1) & (e->names.table_size - 1)) {
    const char *known = e->names.table[at]->name;
    if (strncmp(known, scope->prefix, n) == 0 && strcmp(known + n, name) == 0) return e->names.table[at];
  }
  return e->names.numbered ? find_numbered(e, scope, name) : NULL;
}

Decl *names_find(const Elab *e, const char *name) { return names_find_in(e, e->names.scope, name); }

static bool table_grow(Elab *e, uint32_t size) {
  Decl **table = arena_array(e->arena, size, sizeof *table);
  if (!table) return false;
  e->names.table = table;
  e->names.table_size = size;
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    uint32_t at = hash_name(e->names.decls.items[i]->name) & (size - 1);
    while (table[at]) at = (at + 1) & (size - 1);
    table[at] = e->names.decls.items[i];
  }
  return true;
}

bool names_reserve(Elab *e, uint32_t count) {
  uint32_t size = 256;
  while (size < UINT32_MAX / 4 && size <= 2 * count) size *= 2;
  return vec_reserve(e->arena, &e->names.decls, count) && (size <= e->names.table_size || table_grow(e, size));
}

static bool table_insert(Elab *e, Decl *d) {
  if (e->names.decls.count * 2 >= e->names.table_size &&
      !table_grow(e, e->names.table_size ? e->names.table_size * 2 : 256))
    return false;
  uint32_t at = hash_name(d->name) & (e->names.table_size - 1);
  while (e->names.table[at]) at = (at + 1) & (e->names.table_size - 1);
  e->names.table[at] = d;
  return true;
}

const char *decl_word(DeclKind kind) {
  static const char *const words[] = {"a parameter", "a coordinate",
                                      "a state",     "an input",
                                      "a `let`",     "an output",
                                      "a function",  "a part",
                                      "an unknown",  "the multiplier of a constraint",
                                      "a node",      "a bar",
                                      "a spring",    "a rigid body",
                                      "a body",      "the turn of a joint"};
  return words[kind];
}

Family *names_family(const Scope *scope, const char *name) {
  for (uint32_t i = 0; i < scope->families.count; i++) {
    if (strcmp(scope->families.items[i].name, name) == 0) return &scope->families.items[i];
  }
  return NULL;
}

// th[3] belongs to the family th
static Family *family_note(Elab *e, const char *name, int64_t index) {
  Family *f = names_family(e->names.scope, name);
  if (!f) {
    vec_push(e->arena, &e->names.scope->families, (Family){.name = name, .least = index, .most = index});
    return names_family(e->names.scope, name);
  }
  if (index < f->least) f->least = index;
  if (index > f->most) f->most = index;
  return f;
}

const char *decl_place(Elab *e, const Decl *d, Span from) {
  const Source *source = source_get(&e->model->sources, d->span);
  if (!source) return "nowhere";
  uint32_t line = source_place(source, d->span.start).line;
  const char *text = d->span.source == from.source ? arena_printf(e->arena, "line %u", line)
                                                   : arena_printf(e->arena, "%s:%u", source->name, line);
  return text ? text : "";
}

bool names_are_all_bodies(const Elab *e, const Ast *a) {
  return a->kind == ast_name && strcmp(a->name, "bodies") == 0 && e->model->tree.bodies.count &&
         !names_find(e, "bodies");
}

bool names_allowed(Elab *e, DeclKind kind, const Item *item) {
  const char *meaning = word_reserved(item->name);
  if (meaning) {
    diag_error(e->diags, diag_reserved_name, item->name_span, "`%s` is reserved: it is %s", item->name, meaning);
    return false;
  }
  if (kind == decl_part && strcmp(item->name, "energy") == 0) {
    diag_error(e->diags, diag_reserved_name, item->name_span,
               "`energy` is reserved: `energy.stored` and others are signals of the run");
    return false;
  }
  if (kind == decl_fun && word_call(item->name) != word_no_call) {
    diag_error(e->diags, diag_reserved_name, item->name_span, "`%s` is a function already", item->name);
    return false;
  }
  return true;
}

Decl *names_add(Elab *e, DeclKind kind, const Item *item, int64_t index, const Binding *env) {
  const char *full = item->name;
  if (item->index) {
    full = arena_printf(e->arena, "%s[%lld]", item->name, (long long)index);
    if (full) family_note(e, item->name, index);
  }
  const Decl *old = full ? names_find(e, full) : NULL;
  if (old) {
    diag_error(e->diags, diag_twice, item->name_span, "`%s` is declared twice", full);
    diag_hint(e->diags, "it is %s since %s", decl_word(old->kind), decl_place(e, old, item->name_span));
    return NULL;
  }
  if (full && e->names.scope->prefix_length) full = arena_printf(e->arena, "%s%s", e->names.scope->prefix, full);
  Decl *d = arena_new_of(e->arena, Decl);
  if (!d || !full) return NULL;
  *d = (Decl){.kind = kind, .name = full, .scope = e->names.scope, .item = item, .env = env, .span = item->name_span};
  return table_insert(e, d) && vec_push(e->arena, &e->names.decls, d) ? d : NULL;
}

// ---- elements of lists of the model

// The last run that starts at or before an index; -1: none.
static int64_t run_before(const Family *f, int64_t index) {
  uint32_t low = 0, high = f->runs.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (f->runs.items[middle].from <= index) low = middle + 1;
    else high = middle;
  }
  return (int64_t)low - 1;
}

uint32_t names_element(const Family *family, int64_t index, const Item **item) {
  int64_t at = run_before(family, index);
  const FamilyRun *r = at >= 0 ? &family->runs.items[at] : NULL;
  if (!r || index - r->from >= r->count) return UINT32_MAX;
  *item = r->item;
  return r->first + (uint32_t)(index - r->from);
}

static bool run_insert(Elab *e, Family *f, int64_t at, FamilyRun run) {
  if (!vec_push(e->arena, &f->runs, run)) return false;
  for (int64_t i = (int64_t)f->runs.count - 1; i > at; i--) f->runs.items[i] = f->runs.items[i - 1];
  f->runs.items[at] = run;
  return true;
}

const char *names_add_element(Elab *e, DeclKind kind, const Item *item, int64_t index, uint32_t place) {
  Family *f = family_note(e, item->name, index);
  const char *full =
      f ? arena_printf(e->arena, "%s%s[%lld]", e->names.scope->prefix, item->name, (long long)index) : NULL;
  if (!full) return NULL;
  const Item *other = NULL;
  const Decl *old = f->runs.count ? NULL : names_find(e, full + e->names.scope->prefix_length);
  if (old || names_element(f, index, &other) != UINT32_MAX) {
    diag_error(e->diags, diag_twice, item->name_span, "`%s` is declared twice", full);
    diag_hint(e->diags, "it is %s already", decl_word(old ? old->kind : f->kind));
    return NULL;
  }
  if (f->runs.count && f->kind != kind) {
    diag_error(e->diags, diag_twice, item->name_span, "`%s` is the name of several things", item->name);
    diag_hint(e->diags, "`%s[%lld]` is %s", item->name, (long long)f->runs.items[0].from, decl_word(f->kind));
    return NULL;
  }
  f->kind = kind;
  int64_t at = run_before(f, index);
  FamilyRun *r = at >= 0 ? &f->runs.items[at] : NULL;
  bool next = r && r->item == item && index - r->from == r->count && place - r->first == r->count;
  if (next) r->count++;
  return next || run_insert(e, f, at + 1, (FamilyRun){index, place, 1, item}) ? full : NULL;
}

// ---- the nearest name, for hints

const char *names_nearest(Elab *e, const char *name) { return names_nearest_in(e, e->names.scope, name, ~0u); }

// How far two names are apart; a difference in case alone is none.
static unsigned name_distance(const char *name, const char *known) {
  if (strlen(name) == strlen(known)) {
    bool fold = true;
    for (size_t k = 0; name[k]; k++) fold = fold && ((name[k] ^ known[k]) & ~0x20) == 0;
    if (fold) return 0;
  }
  return word_distance(name, known);
}

// A single letter resembles everything: only its case may differ.
static unsigned name_limit(const char *name) { return strlen(name) > 4 ? 3 : strlen(name) < 2 ? 1 : 2; }

const char *names_nearest_in(Elab *e, const Scope *scope, const char *name, unsigned kinds) {
  const char *best = NULL, *dot = strrchr(name, '.');
  size_t part = dot ? (size_t)(dot - name) + 1 : 0; // hip. of hip.th
  unsigned least = dot ? 2 : name_limit(name);
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    const char *known = e->names.decls.items[i]->name;
    if (!(kinds >> e->names.decls.items[i]->kind & 1u) || strncmp(known, scope->prefix, scope->prefix_length) != 0)
      continue;
    known += scope->prefix_length;
    unsigned d = name_distance(name, known);
    // in the same part the last name alone decides
    if (dot && strncmp(name, known, part) == 0 && d >= name_limit(name + part)) continue;
    if (d < least) {
      least = d;
      best = known;
    }
  }
  return best;
}
