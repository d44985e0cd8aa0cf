#include "lang/scope.h"

#include "lang/parse.h"
#include "lang/parser.h"

#include <string.h>

static void *copied(Arena *arena, const void *items, size_t count, size_t size) {
  void *p = arena_array(arena, count, size);
  if (p && count) memcpy(p, items, count * size);
  return p;
}

bool scope_open(TextScope *scope, Arena *arena, const Model *model) {
  *scope = (TextScope){.model = *model, .elab = *model->scope};
  Model *m = &scope->model;
  Elab *e = &scope->elab;
  m->arena = arena;
  m->sources.arena = arena;
  m->sources.list.items = copied(arena, model->sources.list.items, model->sources.list.count, sizeof *model->sources.list.items);
  m->sources.list.cap = m->sources.list.count;
  m->diags = (Diags){.arena = arena, .sources = &m->sources};
  m->input_rates.items = copied(arena, model->input_rates.items, model->input_rates.count, sizeof *model->input_rates.items);
  m->input_rates.cap = m->input_rates.count;
  m->tables.items = copied(arena, model->tables.items, model->tables.count, sizeof *model->tables.items);
  m->tables.cap = m->tables.count;
  m->divisions.items = NULL;
  m->divisions.count = m->divisions.cap = 0;
  if (!pool_clone(&m->pool, &model->pool, arena)) return false;
  *e = (Elab){.model = m, .arena = arena, .pool = &m->pool, .diags = &m->diags, .scope = model->scope->scope, .round = model->scope->round + 1, .no_blocks = true, .most_work = most_evaluations};
  // declarations are marked while they are evaluated, so they are copied
  const Elab *old = model->scope;
  e->table_size = old->table_size;
  e->table = arena_array(arena, old->table_size, sizeof *e->table);
  for (uint32_t i = 0; e->table && i < old->table_size; i++) {
    if (!old->table[i]) continue;
    Decl *d = arena_new_of(arena, Decl);
    if (!d) return false;
    *d = *old->table[i];
    e->table[i] = d;
    vec_push(arena, &e->decls, d);
  }
  return !arena_failed(arena);
}

static bool is_number_pair(const Ast *a, uint32_t first, int64_t *row, int64_t *col) {
  return a->count == first + 2 && a->items[first]->kind == ast_number && a->items[first + 1]->kind == ast_number &&
         rat_to_int(a->items[first]->number, row) && rat_to_int(a->items[first + 1]->number, col);
}

// T, V, L, E and M(i, j), unless the model uses the name itself.
static ScopeLeft left_of(const Elab *e, const Ast *a, int64_t *row, int64_t *col) {
  static const char *const names[] = {"T", "V", "L", "E"};
  for (int i = 0; a->kind == ast_name && i < 4; i++) {
    if (strcmp(a->name, names[i]) == 0 && !decl_find(e, a->name)) return left_kinetic + (ScopeLeft)i;
  }
  const Decl *d = decl_find(e, "M");
  bool own = d && (d->kind == decl_fun || d->value.shape == value_matrix || d->value.shape == value_vector);
  if (own) return left_expression;
  if (a->kind == ast_call && strcmp(a->name, "M") == 0 && is_number_pair(a, 0, row, col)) return left_mass;
  if (a->kind == ast_index && a->items[0]->kind == ast_name && strcmp(a->items[0]->name, "M") == 0 && is_number_pair(a, 1, row, col)) return left_mass;
  return left_expression;
}

static ExprId value_at(Elab *e, const Ast *a, const Unit *unit) {
  ExprId id = eval_scalar(e, a, NULL, "a side of an equation");
  if (!id) return 0;
  id = apply_unit(e, value_of(id), unit).scalar;
  if (!id || !expr_has_kind(e->pool, id, sym_signal)) return id;
  diag_error(e->diags, diag_signal_use, a->span, "the energies of a run are for outputs only");
  diag_hint(e->diags, "`T`, `V`, `L` or `E` on the left side stand for the energies of the model");
  return 0;
}

static const char *written(Elab *e, Span span) {
  const Source *s = source_get(&e->model->sources, span);
  return s ? arena_strndup(e->arena, s->text + span.start, span.end - span.start) : "";
}

static bool read_equation(TextScope *scope, Parser *p) {
  Elab *e = &scope->elab;
  Unit left_unit, right_unit;
  ScopeEquation q = {.first_division = scope->model.divisions.count};
  Ast *left = parse_value(p, &left_unit);
  if (!left) return false;
  if (!at_kind(p, tok_equal)) {
    unexpected(p, "`=`");
    if (at_kind(p, tok_newline) || at_kind(p, tok_end)) diag_hint(p->diags, "an equation has two sides: `left = right`");
    if (at_kind(p, tok_eq)) diag_hint(p->diags, "an equation has one `=`");
    return false;
  }
  advance(p);
  Ast *right = parse_value(p, &right_unit);
  if (!right) return false;
  if (!at_kind(p, tok_newline) && !at_kind(p, tok_end)) {
    unexpected(p, "the end of the equation");
    return false;
  }
  q.left = left_of(e, left, &q.row, &q.col);
  q.left_span = left->span;
  q.span = span_join(left->span, right->span);
  q.text = written(e, q.span);
  bool named = q.left != left_expression;
  q.lhs = named ? 0 : value_at(e, left, &left_unit);
  q.rhs = value_at(e, right, &right_unit);
  q.end_division = scope->model.divisions.count;
  if (q.rhs && (named || q.lhs)) vec_push(e->arena, &scope->equations, q);
  return true;
}

bool scope_read(TextScope *scope, const char *name, const char *text, size_t length) {
  Model *m = &scope->model;
  uint32_t source = source_add(&m->sources, name, text, length);
  if (!source) return false;
  const Source *src = source_get(&m->sources, (Span){source, 0, 0});
  Tokens tokens = lex(m->arena, src, source, &m->diags);
  if (!tokens.items) return false;
  Parser parser = {.arena = m->arena, .diags = &m->diags, .source = src, .tokens = tokens.items}, *p = &parser;
  uint32_t seen = 0;
  while (!at_kind(p, tok_end)) {
    if (accept(p, tok_newline)) continue;
    seen++;
    if (read_equation(scope, p)) continue;
    while (!at_kind(p, tok_newline) && !at_kind(p, tok_end)) advance(p);
  }
  if (seen == 0 && m->diags.errors == 0) {
    diag_error(&m->diags, diag_empty_equation, (Span){source, 0, 0}, "there is no equation here");
    diag_hint(&m->diags, "write `left = right` in the names of the model");
  }
  return !arena_failed(m->arena);
}

// ---- values of a point

// The symbol that an item names; 0: reported.
static SymbolId value_symbol(TextScope *scope, const Item *item, const char *name) {
  Elab *e = &scope->elab;
  Model *m = &scope->model;
  if (strcmp(name, "t") == 0 && item->primes == 0) return m->time;
  const Decl *d = decl_find(e, name);
  if (d && d->kind == decl_coord && item->primes <= 1) return item->primes ? m->coords.items[d->index].v : m->coords.items[d->index].q;
  if (d && d->kind == decl_state && item->primes == 0) return m->states.items[d->index].x;
  if (d && d->kind == decl_input && item->primes == 0) return m->inputs.items[d->index].symbol;
  for (uint32_t i = 0; d && d->kind == decl_input && i < m->input_rates.count; i++) {
    const ModelInputRate *r = &m->input_rates.items[i];
    if (r->input == d->index && r->order == item->primes) return r->symbol;
  }
  Text primes = text_in(e->arena);
  text_pad(&primes, '\'', item->primes);
  diag_error(e->diags, diag_unknown_setting, item->name_span, "there is no coordinate, velocity, state or input `%s%s`", name, text_str(&primes));
  if (d && d->kind == decl_param && item->primes == 0) {
    diag_hint(e->diags, "`%s` is a parameter: `--set %s=...`", name, name);
  } else if (d && d->kind != decl_coord && d->kind != decl_state && d->kind != decl_input) {
    diag_hint(e->diags, "`%s` is %s, which follows from the others", name, decl_word(d->kind));
  } else if (!d) {
    const char *near = name_nearest_in(e, e->scope, name, 1u << decl_coord | 1u << decl_state | 1u << decl_input);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
  }
  return 0;
}

static void read_value(TextScope *scope, const char *option, const char *text, size_t length) {
  Elab *e = &scope->elab;
  Model *m = &scope->model;
  Item *item = arena_new_of(m->arena, Item);
  uint32_t source = source_add(&m->sources, option, text, length);
  if (!item || !source) return;
  m->sources.list.items[source - 1].option = true;
  if (!parse_setting(m->arena, &m->sources, source, &m->diags, item)) return;
  const char *name = full_name(e, item, NULL);
  SymbolId symbol = name ? value_symbol(scope, item, name) : 0;
  ExprId value = constant_value(e, item, NULL, "a value of a point");
  if (!symbol || !value) return;
  ScopeValue v = {symbol, value, item->span};
  for (uint32_t i = 0; i < scope->values.count; i++) {
    if (scope->values.items[i].symbol != symbol) continue;
    scope->values.items[i] = v;
    return;
  }
  vec_push(m->arena, &scope->values, v);
}

bool scope_read_values(TextScope *scope, const char *option, const char *text) {
  int depth = 0;
  for (const char *start = text, *c = text;; c++) {
    if (*c == '(' || *c == '[') depth++;
    if (*c == ')' || *c == ']') depth--;
    if (*c && !(*c == ',' && depth <= 0)) continue;
    read_value(scope, option, start, (size_t)(c - start));
    if (!*c) return !arena_failed(scope->model.arena);
    start = c + 1;
  }
}
