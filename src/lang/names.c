// The table of names, and the values behind them.
#include "lang/elab.h"

#include <string.h>

static uint32_t hash_more(uint32_t h, const char *s) {
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

static uint32_t hash_name(const char *s) { return hash_more(2166136261u, s); }

Scope *scope_enter(Elab *e, Scope *scope) {
  Scope *before = e->scope;
  e->scope = scope;
  return before;
}

Decl *decl_find_in(const Elab *e, const Scope *scope, const char *name) {
  if (!e->table_size) return NULL;
  size_t n = scope->prefix_length;
  uint32_t hash = hash_more(hash_name(scope->prefix), name);
  for (uint32_t at = hash & (e->table_size - 1); e->table[at]; at = (at + 1) & (e->table_size - 1)) {
    const char *known = e->table[at]->name;
    if (strncmp(known, scope->prefix, n) == 0 && strcmp(known + n, name) == 0) return e->table[at];
  }
  return NULL;
}

Decl *decl_find(const Elab *e, const char *name) { return decl_find_in(e, e->scope, name); }

static bool table_insert(Elab *e, Decl *d) {
  if (e->decls.count * 2 >= e->table_size) {
    uint32_t size = e->table_size ? e->table_size * 2 : 256;
    Decl **table = arena_array(e->arena, size, sizeof *table);
    if (!table) return false;
    e->table = table;
    e->table_size = size;
    for (uint32_t i = 0; i < e->decls.count; i++) {
      uint32_t at = hash_name(e->decls.items[i]->name) & (size - 1);
      while (table[at]) at = (at + 1) & (size - 1);
      table[at] = e->decls.items[i];
    }
  }
  uint32_t at = hash_name(d->name) & (e->table_size - 1);
  while (e->table[at]) at = (at + 1) & (e->table_size - 1);
  e->table[at] = d;
  return true;
}

const char *decl_word(DeclKind kind) {
  static const char *const words[] = {"a parameter", "a coordinate", "a state", "an input",  "a `let`",
                                      "an output",   "a function",   "a part",  "an unknown"};
  return words[kind];
}

Family *family_find(const Scope *scope, const char *name) {
  for (uint32_t i = 0; i < scope->families.count; i++) {
    if (strcmp(scope->families.items[i].name, name) == 0) return &scope->families.items[i];
  }
  return NULL;
}

// th[3] belongs to the family th
static void family_note(Elab *e, const char *name, int64_t index) {
  Family *f = family_find(e->scope, name);
  if (!f) {
    vec_push(e->arena, &e->scope->families, (Family){name, index, index});
    return;
  }
  if (index < f->least) f->least = index;
  if (index > f->most) f->most = index;
}

const char *decl_place(Elab *e, const Decl *d, Span from) {
  const Source *source = source_get(&e->model->sources, d->span);
  if (!source) return "nowhere";
  uint32_t line = source_place(source, d->span.start).line;
  const char *text = d->span.source == from.source ? arena_printf(e->arena, "line %u", line)
                                                   : arena_printf(e->arena, "%s:%u", source->name, line);
  return text ? text : "";
}

Decl *decl_add(Elab *e, DeclKind kind, const char *name, const Item *item, const Binding *env) {
  static const char *const reserved[] = {"t", "pi", "inf"};
  for (size_t i = 0; i < 3; i++) {
    if (strcmp(reserved[i], name) != 0) continue;
    diag_error(e->diags, diag_reserved_name, item->name_span, "`%s` is reserved: it is %s", name,
               i == 0   ? "the time"
               : i == 1 ? "the number 3.14159..."
                        : "infinity");
    return NULL;
  }
  if (kind == decl_part && strcmp(name, "energy") == 0) {
    diag_error(e->diags, diag_reserved_name, item->name_span,
               "`energy` is reserved: `energy.stored` and others are signals of the run");
    return NULL;
  }
  if (kind == decl_fun && is_builtin(name)) {
    diag_error(e->diags, diag_reserved_name, item->name_span, "`%s` is a function already", name);
    return NULL;
  }
  const char *full = name;
  if (item->index) {
    int64_t i;
    if (!eval_integer(e, item->index, env, "an index", &i)) return NULL;
    full = arena_printf(e->arena, "%s[%lld]", name, (long long)i);
    if (full) family_note(e, name, i);
  }
  const Decl *old = full ? decl_find(e, full) : NULL;
  if (old) {
    diag_error(e->diags, diag_twice, item->name_span, "`%s` is declared twice", full);
    diag_hint(e->diags, "it is %s since %s", decl_word(old->kind), decl_place(e, old, item->name_span));
    return NULL;
  }
  if (full && e->scope->prefix_length) full = arena_printf(e->arena, "%s%s", e->scope->prefix, full);
  Decl *d = arena_new_of(e->arena, Decl);
  if (!d || !full) return NULL;
  *d = (Decl){.kind = kind, .name = full, .scope = e->scope, .item = item, .env = env, .span = item->name_span};
  return table_insert(e, d) && vec_push(e->arena, &e->decls, d) ? d : NULL;
}

const char *name_nearest(Elab *e, const char *name) { return name_nearest_in(e, e->scope, name, ~0u); }

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

const char *name_nearest_in(Elab *e, const Scope *scope, const char *name, unsigned kinds) {
  const char *best = NULL, *dot = strrchr(name, '.');
  size_t part = dot ? (size_t)(dot - name) + 1 : 0; // hip. of hip.th
  unsigned least = dot ? 2 : name_limit(name);
  for (uint32_t i = 0; i < e->decls.count; i++) {
    const char *known = e->decls.items[i]->name;
    if (!(kinds >> e->decls.items[i]->kind & 1u) || strncmp(known, scope->prefix, scope->prefix_length) != 0) continue;
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

// ---- values of declared names

static const Item *value_item_of(const Decl *d) { return d->changed ? d->changed->item : d->item; }

// The circle that a definition closes, in words: a = ... b ... -> b = ... a
static void report_circle(Elab *e, const Decl *d, Span use) {
  diag_error(e->diags, diag_circle, use, "a circle of definitions: %s", circle_text(e, d, use));
}

// Evaluates the text behind a name once more, or for the first time.
static Value eval_text(Elab *e, Decl *d, Span use) {
  const Item *item = value_item_of(d);
  if (!item->value) {
    if (e->constant) {
      diag_error(e->diags, diag_no_value, use, "`%s` has no value, but it must be known when the file is read",
                 d->name);
      diag_hint(e->diags, "give it one in the file or with `--set %s=...`", d->name);
    }
    return value_none();
  }
  if (d->state == decl_active) {
    report_circle(e, d, use);
    return value_none();
  }
  DeclState before = d->state;
  if (!vec_push(e->arena, &e->active, d)) return value_none();
  d->state = decl_active;
  Scope *outside = scope_enter(e, d->changed ? d->changed->scope : d->scope);
  Value v = apply_unit(e, eval(e, item->value, d->changed ? d->changed->env : d->env), &item->unit);
  scope_enter(e, outside);
  if (e->constant && d->entries_changed) settings_override(e, d, &v);
  e->active.count--;
  d->state = before;
  return v;
}

// A parameter's symbols: one for a number, one an entry for a vector or matrix.
static Value param_symbols(Elab *e, Decl *d) {
  Model *m = e->model;
  const Item *item = value_item_of(d);
  Value given = item->value ? eval_text(e, d, d->span) : value_of(e->pool->zero);
  if (!given.shape) return given;
  Value v = given.shape == value_scalar ? given : value_new(e->pool, given.shape, given.rows, given.cols);
  d->index = m->params.count;
  for (uint32_t i = 0; i < value_count(&given) && v.shape; i++) {
    const char *name = d->name;
    if (given.shape == value_vector) name = arena_printf(e->arena, "%s[%u]", d->name, i + 1);
    if (given.shape == value_matrix)
      name = arena_printf(e->arena, "%s[%u,%u]", d->name, i / given.cols + 1, i % given.cols + 1);
    ExprId value = value_item(&given, i);
    if (!expr_only_kinds(e->pool, value, kind_set(sym_param) | kind_set(sym_bound))) {
      diag_error(e->diags, diag_not_constant, item->value->span,
                 "a parameter may depend on numbers and other parameters only");
      if (d->changed) diag_hint(e->diags, "only an `input` follows a signal, and `%s` is a parameter", d->name);
      else diag_hint(e->diags, "define it with `let %s = ...`", d->item->name);
      return value_none();
    }
    ModelParam p = {.name = name, .value = item->value ? value : 0, .note = d->item->note, .span = d->span};
    p.unit = d->item->unit;
    // a lone number carries its unit itself
    if (!p.unit.said && d->item->value && d->item->value->unit) p.unit = *d->item->value->unit;
    p.symbol = name ? pool_symbol(e->pool, name, sym_param, m->params.count, 0) : 0;
    if (!p.symbol || !vec_push(e->arena, &m->params, p)) return value_none();
    if (v.shape == value_scalar) v.scalar = expr_sym(e->pool, p.symbol);
    else v.items[i] = expr_sym(e->pool, p.symbol);
  }
  return v;
}

Value eval_decl(Elab *e, Decl *d, Span use) {
  Model *m = e->model;
  if (arena_failed(e->arena)) return value_none(); // what was declared may not be in the lists
  // where the value must be known now, parameters and definitions count with their values
  if (e->constant) {
    if (d->kind == decl_param || d->kind == decl_let) {
      d->structural = d->structural || d->kind == decl_param;
      if (d->round == e->round) return d->known;
      bool circle = d->state == decl_active;
      Value v = eval_text(e, d, use);
      if (circle || !value_item_of(d)->value) return v;
      d->known = v;
      d->round = e->round;
      return v;
    }
    diag_error(e->diags, diag_not_constant, use, "`%s` is %s: the value must be known when the file is read", d->name,
               decl_word(d->kind));
    return value_none();
  }
  switch (d->kind) {
  case decl_coord: return value_of(expr_sym(e->pool, m->coords.items[d->index].q));
  case decl_state: return value_of(expr_sym(e->pool, m->states.items[d->index].x));
  case decl_input: return value_of(expr_sym(e->pool, m->inputs.items[d->index].symbol));
  case decl_unknown: return value_of(expr_sym(e->pool, m->unknowns.items[d->index].symbol));
  case decl_part:
    diag_error(e->diags, diag_shape, use, "the part `%s` has no value of its own", d->name);
    diag_hint(e->diags, "write `%s.` and a name inside it", d->name);
    return value_none();
  case decl_fun:
    diag_error(e->diags, diag_function_value, use, "the function `%s` needs its arguments", d->name);
    diag_hint(e->diags, "write `%s(...)`", d->name);
    return value_none();
  default: break;
  }
  if (d->state == decl_done) return d->value;
  if (d->state == decl_active && d->kind != decl_param) return loop_enter(e, d, use);
  if (d->state == decl_active) {
    report_circle(e, d, use);
    return value_none();
  }
  if (d->kind == decl_param) {
    Value v = param_symbols(e, d);
    d->state = decl_done;
    d->value = v;
    return v;
  }
  Value v = eval_text(e, d, use);
  if (d->loop) v = loop_close(e, d, v);
  if (v.shape == value_scalar) v.scalar = expr_whole(e->pool, v.scalar);
  for (uint32_t i = 0; v.shape != value_bad && v.shape != value_scalar && i < value_count(&v); i++)
    v.items[i] = expr_whole(e->pool, v.items[i]);
  d->state = decl_done;
  d->value = v;
  return v;
}
