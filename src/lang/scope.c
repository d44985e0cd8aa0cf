// Texts in the names of a loaded model: equations of a user (`left = right`, one a statement), and values of a point
// (`name = value`). A copy of the model takes what they add; the model itself stays as it is.
#include "lang/scope.h"

#include "lang/entries.h"
#include "lang/eval.h"
#include "lang/parser_inside.h"

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
  m->sources.list.items =
      copied(arena, model->sources.list.items, model->sources.list.count, sizeof *model->sources.list.items);
  m->sources.list.cap = m->sources.list.count;
  m->diags = (Diags){.arena = arena, .sources = &m->sources};
  m->input_rates.items =
      copied(arena, model->input_rates.items, model->input_rates.count, sizeof *model->input_rates.items);
  m->input_rates.cap = m->input_rates.count;
  m->tables.items = copied(arena, model->tables.items, model->tables.count, sizeof *model->tables.items);
  m->tables.cap = m->tables.count;
  m->divisions.items = NULL;
  m->divisions.count = m->divisions.cap = 0;
  if (!pool_clone(&m->pool, &model->pool, arena)) return false;
  *e = (Elab){.model = m,
              .arena = arena,
              .pool = &m->pool,
              .diags = &m->diags,
              .calls = model->scope->calls,
              .names.scope = model->scope->names.scope,
              .limits.most_work = most_evaluations,
              .eval.no_blocks = true,
              .settings.round = model->scope->settings.round + 1};
  // declarations are marked while they are evaluated, so they are copied
  const Names *old = &model->scope->names;
  e->names.table_size = old->table_size;
  e->names.table = arena_array(arena, old->table_size, sizeof *e->names.table);
  for (uint32_t i = 0; e->names.table && i < old->table_size; i++) {
    if (!old->table[i]) continue;
    Decl *d = arena_new_of(arena, Decl);
    if (!d) return false;
    *d = *old->table[i];
    e->names.table[i] = d;
    vec_push(arena, &e->names.decls, d);
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
    if (strcmp(a->name, names[i]) == 0 && !names_find(e, a->name)) return left_kinetic + (ScopeLeft)i;
  }
  const Decl *d = names_find(e, "M");
  bool whole = d && (d->kind == decl_fun || d->value.shape == value_matrix || d->value.shape == value_vector);
  if (whole) return left_expression;
  if (a->kind == ast_call && strcmp(a->name, "M") == 0 && is_number_pair(a, 0, row, col)) return left_mass;
  if (a->kind == ast_index && a->items[0]->kind == ast_name && strcmp(a->items[0]->name, "M") == 0 &&
      is_number_pair(a, 1, row, col))
    return left_mass;
  return left_expression;
}

static ExprId value_at(Elab *e, const Ast *a, const Unit *unit) {
  ExprId id = eval_scalar(e, a, NULL, "a side of an equation");
  if (!id) return 0;
  id = eval_unit(e, value_of(id), unit).scalar;
  if (!id || !expr_has_kind(e->pool, id, sym_signal)) return id;
  diag_error(e->diags, diag_signal_use, a->span, "the energies of a run are for outputs only");
  diag_hint(e->diags, "`T`, `V`, `L` or `E` on the left side stand for the energies of the model");
  return 0;
}

static const char *written(Elab *e, Span span) {
  const Source *s = source_get(&e->model->sources, span);
  return s ? arena_strndup(e->arena, s->text + span.start, span.end - span.start) : "";
}

// `left == right` was read as a comparison: where its `==` stands, outside all brackets. NULL: it does not.
static const Token *double_equal(const Parser *p, uint32_t from) {
  int depth = 0;
  for (uint32_t i = from; i < p->at; i++) {
    TokenKind kind = p->tokens[i].kind;
    depth += (kind == tok_lparen || kind == tok_lbracket) - (kind == tok_rparen || kind == tok_rbracket);
    if (kind == tok_eq && depth == 0) return &p->tokens[i];
  }
  return NULL;
}

static bool read_equation(TextScope *scope, Parser *p) {
  Elab *e = &scope->elab;
  const Unit *left_unit, *right_unit;
  ScopeEquation q = {.first_division = scope->model.divisions.count, .first_part = e->eval.parts.count};
  uint32_t from = (uint32_t)p->at;
  Ast *left = parse_value(p, &left_unit);
  if (!left) return false;
  if (!at_kind(p, tok_equal)) {
    bool ends = at_kind(p, tok_newline) || at_kind(p, tok_end);
    const Token *twice = ends ? double_equal(p, from) : at_kind(p, tok_eq) ? peek(p) : NULL;
    if (twice) {
      diag_error(p->diags, diag_unexpected, twice->span, "`=` expected, but here is `==`");
      diag_hint(p->diags, "an equation has one `=`: `left = right`");
      return false;
    }
    parse_unexpected(p, "`=`");
    if (ends) diag_hint(p->diags, "an equation has two sides: `left = right`");
    return false;
  }
  parse_advance(p);
  Ast *right = parse_value(p, &right_unit);
  if (!right) return false;
  if (!at_kind(p, tok_newline) && !at_kind(p, tok_end)) {
    parse_unexpected(p, "the end of the equation");
    return false;
  }
  q.left = left_of(e, left, &q.row, &q.col);
  q.left_span = left->span;
  q.span = span_join(left->span, right->span);
  q.text = written(e, q.span);
  bool named = q.left != left_expression;
  e->eval.keep_parts = e->eval.further = true;
  q.lhs = named ? 0 : value_at(e, left, left_unit);
  q.rhs = value_at(e, right, right_unit);
  e->eval.keep_parts = e->eval.further = false;
  q.end_part = e->eval.parts.count;
  q.end_division = scope->model.divisions.count;
  if (q.rhs && (named || q.lhs)) vec_push(e->arena, &scope->equations, q);
  return true;
}

bool scope_read(TextScope *scope, const char *name, const char *text, size_t length) {
  Model *m = &scope->model;
  uint32_t source = source_add(&m->sources, name, text, length);
  if (!source) return false;
  const Source *src = source_get(&m->sources, (Span){source, 0, 0});
  Tokens tokens = lex(m->arena, m->arena, src, source, &m->diags);
  if (!tokens.items) return false;
  Parser parser = {.arena = m->arena, .scratch = m->arena, .diags = &m->diags, .source = src, .tokens = tokens.items},
         *p = &parser;
  uint32_t seen = 0;
  while (!at_kind(p, tok_end)) {
    if (parse_accept(p, tok_newline)) continue;
    seen++;
    if (read_equation(scope, p)) continue;
    while (!at_kind(p, tok_newline) && !at_kind(p, tok_end)) parse_advance(p);
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
  const Decl *d = names_find(e, name);
  if (d && d->kind == decl_coord && item->primes <= 1)
    return item->primes ? m->coords.items[d->index].v : m->coords.items[d->index].q;
  if (d && d->kind == decl_state && item->primes == 0) return m->states.items[d->index].x;
  if (d && d->kind == decl_input && item->primes == 0) return m->inputs.items[d->index].symbol;
  for (uint32_t i = 0; d && d->kind == decl_input && i < m->input_rates.count; i++) {
    const SystemInputRate *r = &m->input_rates.items[i];
    if (r->input == d->index && r->order == item->primes) return r->symbol;
  }
  Text primes = text_in(e->arena);
  text_pad(&primes, '\'', item->primes);
  diag_error(e->diags, diag_unknown_setting, item->name_span, "there is no coordinate, velocity, state or input `%s%s`",
             name, text_str(&primes));
  if (d && d->kind == decl_param && item->primes == 0) {
    diag_hint(e->diags, "`%s` is a parameter: `--set %s=...`", name, name);
  } else if (d && d->kind != decl_coord && d->kind != decl_state && d->kind != decl_input) {
    diag_hint(e->diags, "`%s` is %s, which follows from the others", name, decl_word(d->kind));
  } else if (!d) {
    const char *near =
        names_nearest_in(e, e->names.scope, name, 1u << decl_coord | 1u << decl_state | 1u << decl_input);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
  }
  return 0;
}

static bool has_units(const Model *m) {
  bool said = false;
  for (uint32_t i = 0; i < m->params.count; i++) said = said || m->params.items[i].unit->said;
  for (uint32_t i = 0; i < m->coords.count; i++) said = said || m->coords.items[i].unit.said;
  for (uint32_t i = 0; i < m->states.count; i++) said = said || m->states.items[i].unit.said;
  for (uint32_t i = 0; i < m->inputs.count; i++) said = said || m->inputs.items[i].unit.said;
  return said;
}

// A unit that is written must be that of the name, as far as it is known. A model without units is never warned of.
static void check_unit(TextScope *scope, const Item *item, const char *name) {
  Elab *e = &scope->elab;
  const Model *m = &scope->model;
  const Decl *d = names_find(e, name);
  // the unit of a single number stays with it
  const Unit *said =
      !item->unit->said && item->value->kind == ast_number && item->value->unit ? item->value->unit : item->unit;
  Unit unit = unit_none();
  Dimension known = {0}, second = dimension_plain(), given = dimension_of_unit(said);
  if (!said->said || (!d && strcmp(name, "t") != 0)) return;
  second.power[unit_second] = ratio_int(1);
  if (!d) known = second;
  else if (d->kind == decl_coord) unit = m->coords.items[d->index].unit, known = m->coords.items[d->index].dim;
  else if (d->kind == decl_state) unit = m->states.items[d->index].unit, known = m->states.items[d->index].dim;
  else if (d->kind == decl_input) unit = m->inputs.items[d->index].unit, known = m->inputs.items[d->index].dim;
  if (unit.said) known = dimension_of_unit(&unit);
  if (!known.known) return;
  known = dimension_mul(known, second, ratio_int(-(int32_t)item->primes));
  if (dimension_same(&given, &known) || !has_units(m) || !dimension_text(e->arena, &known)) return;
  Text primes = text_in(e->arena);
  text_pad(&primes, '\'', item->primes);
  Span at = {item->span.source, item->value->span.start, item->span.end};
  diag_warning(e->diags, diag_units, at, "`%s` is %s, but `%s%s` is %s", written(e, at),
               dimension_words(e->arena, &given), name, text_str(&primes), dimension_words(e->arena, &known));
}

bool scope_tokens(TextScope *scope, const char *option, const char *text, Parser *p) {
  Model *m = &scope->model;
  uint32_t source = source_add(&m->sources, option, text, strlen(text));
  if (!source) return false;
  m->sources.list.items[source - 1].option = true;
  const Source *src = source_get(&m->sources, (Span){source, 0, 0});
  Tokens tokens = lex(m->arena, m->arena, src, source, &m->diags);
  *p = (Parser){.arena = m->arena, .scratch = m->arena, .diags = &m->diags, .source = src, .tokens = tokens.items};
  return tokens.items != NULL;
}

static Item *read_item(TextScope *scope, const char *option, const char *text, size_t length) {
  Model *m = &scope->model;
  Item *item = arena_new_of(m->arena, Item);
  uint32_t source = source_add(&m->sources, option, text, length);
  if (!item || !source) return NULL;
  m->sources.list.items[source - 1].option = true;
  return parse_setting(m->arena, &m->sources, source, &m->diags, item) ? item : NULL;
}

// `first`: of the values of this text.
static void set_value(TextScope *scope, const Item *item, const char *name, uint32_t first) {
  Elab *e = &scope->elab;
  Model *m = &scope->model;
  SymbolId symbol = name ? value_symbol(scope, item, name) : 0;
  ExprId value = eval_constant(e, item, NULL, "a value of a point");
  if (!symbol || !value) return;
  check_unit(scope, item, name);
  ScopeValue v = {symbol, value, item->span};
  for (uint32_t i = 0; i < scope->values.count; i++) {
    ScopeValue *old = &scope->values.items[i];
    if (old->symbol != symbol) continue;
    if (old->span.source >= first)
      diag_error(e->diags, diag_twice, item->name_span, "`%s` is set twice", pool_symbol_get(e->pool, symbol)->name);
    *old = v;
    return;
  }
  vec_push(m->arena, &scope->values, v);
}

// B = [4.5, 0] of a node: its coordinates one by one.
static void set_node(TextScope *scope, const Item *item, const Decl *d, uint32_t first) {
  static const char *const axes[] = {"x", "y", "z"};
  Elab *e = &scope->elab;
  const LinkageNode *node = &scope->model.linkage.nodes.items[d->index];
  const char *name = d->name;
  uint32_t count = scope->model.linkage.dimensions;
  if (item->value->kind != ast_list || item->value->count != count) {
    diag_error(e->diags, diag_entries, item->name_span, "`%s` is a node: a list of %u sets its place", name, count);
    diag_hint(e->diags, "write `%s=[%s]`, or `%s.x=...` for one of them", name, count == 3 ? "0,0,0" : "0,0", name);
    return;
  }
  for (uint32_t k = 0; k < count; k++) {
    const Item *one = entries_take(e, item, k);
    const char *full = arena_printf(e->arena, "%s.%s", name, axes[k]);
    if (!one || !full) return;
    // a fixed direction may be said as it is
    bool fixed = !item->primes && (node->fixed & 1u << k) != 0;
    if (fixed && eval_constant(e, one, NULL, "a value of a point") == node->place[k]) continue;
    if (e->calls->coordinate(e, full, one->value->span)) set_value(scope, one, full, first);
  }
}

// One value, a list for an indexed name, or the position of a node.
static void read_value(TextScope *scope, const char *option, const char *text, size_t length, uint32_t first) {
  Elab *e = &scope->elab;
  const Item *item = read_item(scope, option, text, length);
  const char *name = item ? path_full(e, item, NULL) : NULL;
  if (!name) return;
  const Decl *d = names_find(e, name);
  if (d && d->kind == decl_node) {
    set_node(scope, item, d, first);
    return;
  }
  Entries entries = d ? (Entries){0} : entries_find(e, e->names.scope, item, name);
  if (!entries.family) {
    set_value(scope, item, name, first);
    return;
  }
  if (!entries_fit(e, &entries, item)) return;
  for (uint32_t k = 0; k < entries.count; k++) {
    const Item *one = entries_element(e, &entries, item, k);
    if (one) set_value(scope, one, entries_name(e, &entries, k), first);
  }
}

bool scope_read_values(TextScope *scope, const char *option, const char *text) {
  int depth = 0;
  uint32_t first = scope->model.sources.list.count + 1;
  for (const char *start = text, *c = text;; c++) {
    if (*c == '(' || *c == '[') depth++;
    if (*c == ')' || *c == ']') depth--;
    if (*c && !(*c == ',' && depth <= 0)) continue;
    read_value(scope, option, start, (size_t)(c - start), first);
    if (!*c) return !arena_failed(scope->model.arena);
    start = c + 1;
  }
}

// ---- matrices with names of their own

static void read_matrix(TextScope *scope, const Item *item, const char *const *names, uint32_t count, Value *out) {
  Elab *e = &scope->elab;
  const char *name = path_full(e, item, NULL);
  uint32_t at = 0;
  while (name && at < count && strcmp(names[at], name) != 0) at++;
  if (!name) return;
  if (at == count) {
    Text t = text_in(e->arena);
    for (uint32_t i = 0; i < count; i++) text_printf(&t, "%s`%s`", !i ? "" : i + 1 < count ? ", " : " and ", names[i]);
    diag_error(e->diags, diag_unknown_setting, item->name_span, "`%s` is none of %s", name, text_str(&t));
    return;
  }
  if (out[at].shape) diag_error(e->diags, diag_twice, item->name_span, "`%s` is set twice", name);
  e->eval.constant++;
  Value v = eval(e, item->value, NULL);
  e->eval.constant--;
  for (uint32_t i = 0; v.shape && i < value_count(&v); i++) {
    Rat r;
    if (expr_number(e->pool, value_item(&v, i), &r)) continue;
    diag_error(e->diags, diag_not_constant, item->value->span, "the entries of `%s` must be numbers", name);
    return;
  }
  out[at] = v;
}

bool scope_read_matrices(TextScope *scope, const char *option, const char *text, const char *const *names,
                         uint32_t count, Value *out) {
  int depth = 0;
  for (const char *start = text, *c = text;; c++) {
    if (*c == '(' || *c == '[') depth++;
    if (*c == ')' || *c == ']') depth--;
    if (*c && !(*c == ',' && depth <= 0)) continue;
    const Item *item = read_item(scope, option, start, (size_t)(c - start));
    if (item) read_matrix(scope, item, names, count, out);
    if (!*c) return !arena_failed(scope->model.arena);
    start = c + 1;
  }
}
