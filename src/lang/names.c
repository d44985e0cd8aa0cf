// The table of names, and the values behind them.
#include "lang/elab.h"

#include <string.h>

static uint32_t hash_name(const char *s) {
  uint32_t h = 2166136261u;
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

Decl *decl_find(const Elab *e, const char *name) {
  if (!e->table_size) return NULL;
  for (uint32_t at = hash_name(name) & (e->table_size - 1); e->table[at]; at = (at + 1) & (e->table_size - 1)) {
    if (strcmp(e->table[at]->name, name) == 0) return e->table[at];
  }
  return NULL;
}

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
  static const char *const words[] = {"a parameter", "a coordinate", "a state",   "an input",
                                      "a `let`",     "an output",    "a function"};
  return words[kind];
}

// th[3] belongs to the family th
static void family_note(Elab *e, const char *name, int64_t index) {
  for (uint32_t i = 0; i < e->families.count; i++) {
    Family *f = &e->families.items[i];
    if (strcmp(f->name, name) != 0) continue;
    if (index < f->least) f->least = index;
    if (index > f->most) f->most = index;
    return;
  }
  vec_push(e->arena, &e->families, (Family){name, index, index});
}

Decl *decl_add(Elab *e, DeclKind kind, const char *name, const Item *item, const Binding *env) {
  static const char *const reserved[] = {"t", "pi", "inf"};
  for (size_t i = 0; i < 3; i++) {
    if (strcmp(reserved[i], name) != 0) continue;
    diag_error(e->diags, diag_reserved_name, item->name_span, "`%s` is reserved: it is %s", name,
               i == 0 ? "the time" : i == 1 ? "the number 3.14159..." : "infinity");
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
    const Source *source = source_get(&e->model->sources, old->span);
    Place place = source ? source_place(source, old->span.start) : (Place){0};
    diag_error(e->diags, diag_twice, item->name_span, "`%s` is declared twice", full);
    diag_hint(e->diags, "it is %s since line %u", decl_word(old->kind), place.line);
    return NULL;
  }
  Decl *d = arena_new_of(e->arena, Decl);
  if (!d || !full) return NULL;
  *d = (Decl){.kind = kind, .name = full, .item = item, .env = env, .span = item->name_span};
  return table_insert(e, d) && vec_push(e->arena, &e->decls, d) ? d : NULL;
}

const char *name_nearest(Elab *e, const char *name) {
  const char *best = NULL;
  unsigned least = strlen(name) > 4 ? 3 : 2;
  if (strlen(name) < 2) least = 1; // a single letter resembles everything; only its case may differ
  for (uint32_t i = 0; i < e->decls.count; i++) {
    const char *known = e->decls.items[i]->name;
    unsigned d = word_distance(name, known);
    if (strlen(name) == strlen(known)) {
      bool fold = true;
      for (size_t k = 0; name[k]; k++) fold = fold && ((name[k] ^ known[k]) & ~0x20) == 0;
      if (fold) d = 0;
    }
    if (d < least) {
      least = d;
      best = known;
    }
  }
  return best;
}

// ---- values of declared names

static const Item *value_item_of(const Decl *d) { return d->changed ? d->changed : d->item; }

// The circle that a definition closes, in words: a = ... b ... -> b = ... a
static void report_circle(Elab *e, const Decl *d, Span use) {
  uint32_t first = 0;
  while (first < e->active.count && e->active.items[first] != d) first++;
  Text chain = text_in(e->arena);
  for (uint32_t i = first; i < e->active.count; i++) {
    const Decl *x = e->active.items[i];
    const Source *source = source_get(&e->model->sources, x->span);
    text_printf(&chain, "%s`%s` (line %u)", i > first ? " needs " : "", x->name, source ? source_place(source, x->span.start).line : 0);
  }
  diag_error(e->diags, diag_circle, use, "a circle of definitions: %s needs `%s`", text_str(&chain), d->name);
}

// Evaluates the text behind a name once more, or for the first time.
static Value eval_text(Elab *e, Decl *d, Span use) {
  const Item *item = value_item_of(d);
  if (!item->value) {
    if (e->constant) {
      diag_error(e->diags, diag_no_value, use, "`%s` has no value, but it must be known when the file is read", d->name);
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
  Value v = apply_unit(e, eval(e, item->value, d->changed ? NULL : d->env), &item->unit);
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
    if (given.shape == value_matrix) name = arena_printf(e->arena, "%s[%u,%u]", d->name, i / given.cols + 1, i % given.cols + 1);
    ExprId value = value_item(&given, i);
    uint16_t kinds = pool_node(e->pool, value)->kinds;
    if (kinds & ~(1u << sym_param | 1u << sym_bound)) {
      diag_error(e->diags, diag_not_constant, item->value->span, "a parameter may depend on numbers and other parameters only");
      diag_hint(e->diags, "define it with `let %s = ...`", d->name);
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
    diag_error(e->diags, diag_not_constant, use, "`%s` is %s: the value must be known when the file is read", d->name, decl_word(d->kind));
    return value_none();
  }
  switch (d->kind) {
  case decl_coord: return value_of(expr_sym(e->pool, m->coords.items[d->index].q));
  case decl_state: return value_of(expr_sym(e->pool, m->states.items[d->index].x));
  case decl_input: return value_of(expr_sym(e->pool, m->inputs.items[d->index].symbol));
  case decl_fun:
    diag_error(e->diags, diag_function_value, use, "the function `%s` needs its arguments", d->name);
    diag_hint(e->diags, "write `%s(...)`", d->name);
    return value_none();
  default: break;
  }
  if (d->state == decl_done) return d->value;
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
  d->state = decl_done;
  d->value = v;
  return v;
}
