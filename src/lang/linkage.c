// Names of nodes, bars, springs and rigid bodies.
//
// A name without an index is a declaration as any other. An element of a family N[1] .. N[n] is none: the family knows
// runs of indices and where they stand in the lists of the model, so that a million nodes cost a name and an entry
// each. Where an expression asks for N[3], its declaration is made then.
#include "lang/linkage.h"

#include "lang/eval.h"

#include <string.h>

// ---- indices

// i, 3, i + 1, 2*i - 1: what indices are made of. False: something else, left to evaluation.
static bool quick_integer(const Elab *e, const Ast *a, const Binding *env, int64_t *value) {
  enum { most = 1000000000 };
  Rat r;
  int64_t x;
  if (a->kind == ast_number) return !a->unit && rat_to_int(a->number, value) && *value < most;
  if (a->kind == ast_name) {
    while (env && strcmp(env->name, a->name) != 0) env = env->next;
    if (env && env->counts) {
      *value = env->count;
      return true;
    }
    return env && env->value.shape == value_scalar && expr_number(e->pool, env->value.scalar, &r) &&
           rat_to_int(r, value) && *value<most && * value> - most;
  }
  if (a->kind != ast_sum && a->kind != ast_product) return false;
  *value = a->kind == ast_product;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->ops[i] == '/' || !quick_integer(e, a->items[i], env, &x)) return false;
    if (a->kind == ast_sum) *value += a->ops[i] == '-' ? -x : x;
    else *value *= x;
    if (*value > most || *value < -most) return false;
  }
  return !a->unit;
}

bool linkage_integer(Elab *e, const Ast *a, const Binding *env, int64_t *value) {
  return quick_integer(e, a, env, value) || eval_integer(e, a, env, "an index", value);
}

// ---- declarations

// A new entry of the list of a kind; its index, or linkage_none: out of memory.
static uint32_t add_entry(Elab *e, const Stmt *s) {
  Linkage *l = &e->model->linkage;
  Arena *arena = e->arena;
  Span span = s->items.items[0].name_span;
  switch ((int)word_statement(s->kind)->declares) {
  case decl_node: {
    LinkageNode node = {.span = span, .fixed = s->link->fixed};
    return vec_push(arena, &l->nodes, node) ? l->nodes.count - 1 : linkage_none;
  }
  case decl_bar: {
    LinkageBar bar = {.span = span, .a = linkage_none, .b = linkage_none};
    return vec_push(arena, &l->bars, bar) ? l->bars.count - 1 : linkage_none;
  }
  case decl_spring: {
    LinkageSpring spring = {.span = span, .a = linkage_none, .b = linkage_none, .cable = s->kind == stmt_cable};
    return vec_push(arena, &l->springs, spring) ? l->springs.count - 1 : linkage_none;
  }
  default: {
    LinkageRigid rigid = {.span = span};
    return vec_push(arena, &l->rigids, rigid) ? l->rigids.count - 1 : linkage_none;
  }
  }
}

static uint32_t entry_count(const Linkage *l, DeclKind kind) {
  return kind == decl_node     ? l->nodes.count
         : kind == decl_bar    ? l->bars.count
         : kind == decl_spring ? l->springs.count
                               : l->rigids.count;
}

static void name_entry(Linkage *l, DeclKind kind, uint32_t place, const char *name) {
  if (kind == decl_node) l->nodes.items[place].name = name;
  else if (kind == decl_bar) l->bars.items[place].name = name;
  else if (kind == decl_spring) l->springs.items[place].name = name;
  else l->rigids.items[place].name = name;
}

void linkage_declare(Elab *e, const Stmt *s, const Binding *env) {
  Linkage *l = &e->model->linkage;
  const Item *item = &s->items.items[0];
  DeclKind kind = word_statement(s->kind)->declares;
  int64_t index = 0;
  if (kind == decl_none || !names_allowed(e, kind, item)) return;
  uint32_t place = entry_count(l, kind);
  const char *name = NULL;
  if (item->index) {
    if (linkage_integer(e, item->index, env, &index)) name = names_add_element(e, kind, item, index, place);
  } else {
    Decl *d = names_add(e, kind, item, 0, NULL);
    if (d) d->index = place;
    name = d ? d->name : NULL;
  }
  if (name && add_entry(e, s) == place) name_entry(l, kind, place, name);
}

uint32_t linkage_own(Elab *e, const Stmt *s, const Binding *env) {
  const Item *item = &s->items.items[0], *found = NULL;
  DeclKind kind = word_statement(s->kind)->declares;
  int64_t index;
  if (!item->index) {
    const Decl *d = names_find(e, item->name);
    return d && d->kind == kind && d->item == item ? d->index : linkage_none;
  }
  const Family *f = names_family(e->names.scope, item->name);
  if (!f || f->kind != kind || !linkage_integer(e, item->index, env, &index)) return linkage_none;
  uint32_t place = names_element(f, index, &found);
  return found == item ? place : linkage_none;
}

Decl *linkage_element(Elab *e, Scope *scope, const Family *family, int64_t index) {
  const Item *item = NULL;
  uint32_t place = family->runs.count ? names_element(family, index, &item) : UINT32_MAX;
  if (place == UINT32_MAX) return NULL;
  Scope *before = names_enter(e, scope);
  Decl *d = names_add(e, family->kind, item, index, NULL);
  names_enter(e, before);
  if (d) d->index = place;
  return d;
}

void linkage_stiffen(Elab *e, double stiffness) {
  if (stiffness == 0) return;
  Text t = text_in(e->arena);
  text_number(&t, stiffness);
  e->model->linkage.stiffness = expr_num(e->pool, rat_parse(e->arena, text_str(&t), t.length));
}

// ---- names in statements

static bool is_hidden(const Binding *env, const char *name) {
  while (env && strcmp(env->name, name) != 0) env = env->next;
  return env != NULL;
}

// N[i + 1] of the present file, without a declaration; linkage_none: not so, or not there
static uint32_t find_quickly(Elab *e, const Ast *a, const Binding *env, DeclKind kind) {
  int64_t index;
  const Item *item;
  if (a->kind != ast_index || a->count != 2 || a->items[0]->kind != ast_name || is_hidden(env, a->items[0]->name))
    return linkage_none;
  const Family *f = names_family(e->names.scope, a->items[0]->name);
  if (!f || !f->runs.count || f->kind != kind || !quick_integer(e, a->items[1], env, &index)) return linkage_none;
  return names_element(f, index, &item);
}

uint32_t linkage_find(Elab *e, const Ast *a, const Binding *env, DeclKind kind) {
  uint32_t place = find_quickly(e, a, env, kind);
  if (place != linkage_none) return place;
  Decl *d;
  if (path_find(e, a, env, &d) != path_found || d->kind != kind) return linkage_none;
  d->used = true;
  return d->index;
}
