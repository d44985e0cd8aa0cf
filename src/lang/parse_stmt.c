// Statements: one a line. An error ends its statement only; the next line is read again.
//
// The first word says the form (words.def), unless the line is an equation x' = ...; then `for` may follow. Names in
// statements that could not be read are kept (`lost`): complaints about them would say nothing new.
#include "lang/parser_inside.h"

#include <string.h>

static StmtParse *const forms[stmt_kinds] = {
#define STATEMENT(kind, word, parse, declares, stage, visit, units, picture, repeats, line)                            \
  [stmt_##kind] = parse_##parse,
#include "lang/words.def"
};

static bool parse_fors(Parser *p, Stmt *s) {
  if (at_kind(p, tok_for) && !word_statement(s->kind)->repeats) {
    diag_error(p->diags, diag_unexpected, peek(p)->span, "this statement is not repeated with `for`");
    return false;
  }
  while (at_kind(p, tok_for)) {
    if (!parse_enter(p)) return false;
    ForClause f = {.span = parse_advance(p)->span};
    if (!at_kind(p, tok_name)) {
      parse_unexpected(p, "the variable of `for`");
      return false;
    }
    f.name = parse_advance(p)->text;
    if (!parse_accept_word(p, "in")) {
      parse_unexpected(p, "`in`");
      return false;
    }
    f.from = parse_formula(p);
    if (!f.from || !parse_expect(p, tok_range, "`..` (as in `1 .. n`)")) return false;
    f.to = parse_formula(p);
    if (!f.to || !vec_push(p->arena, &s->fors, f)) return false;
    f.span = span_join(f.span, f.to->span);
  }
  return true;
}

// x' = ..., th[1]'' = ...: is the line an equation?
static bool at_equation(const Parser *p) {
  uint32_t i = parse_past_name(p);
  if (p->tokens[i].kind != tok_prime) return false;
  while (p->tokens[i].kind == tok_prime) i++;
  return p->tokens[i].kind == tok_equal;
}

static void skip_line(Parser *p) {
  while (!at_kind(p, tok_newline) && !at_kind(p, tok_end)) parse_advance(p);
}

static bool parse_statement(Parser *p, Stmt *s) {
  const Token *t = peek(p);
  s->word = s->span = t->span;
  if (t->kind != tok_name) {
    parse_unexpected(p, "a statement");
    if (t->kind == tok_plus || t->kind == tok_minus || t->kind == tok_star || t->kind == tok_slash ||
        t->kind == tok_comma) {
      diag_hint(p->diags, "a line goes on after a trailing operator or comma: put it at the end of the line before");
    } else if (t->kind == tok_bar || t->kind == tok_lparen || t->kind == tok_number) {
      diag_hint(p->diags, "a line starts with a statement's word, such as `kinetic`, or is an equation `x' = ...`");
    }
    return false;
  }
  if (at_equation(p)) {
    s->kind = stmt_equation;
    return parse_items(p, s) && parse_fors(p, s);
  }
  if (word_starts(t->text, &s->kind)) {
    parse_advance(p);
    return forms[s->kind](p, s) && parse_fors(p, s);
  }
  diag_error(p->diags, diag_unknown_statement, t->span, "`%s` starts no statement", t->text);
  const char *near = word_nearest_statement(t->text);
  TokenKind next = peek_next(p)->kind;
  if (!near && next == tok_lparen) diag_hint(p->diags, "an initial value is written `init %s = ...`", t->text);
  else if (next == tok_equal) diag_hint(p->diags, "define it with `let %s = ...`, or `param` for a number", t->text);
  else if (near) diag_hint(p->diags, "did you mean `%s`?", near);
  return false;
}

static void keep_items(Arena *arena, Stmt *s) {
  if (!s->items.count) return;
  Item *kept = arena_array(arena, s->items.count, sizeof *kept);
  if (kept) memcpy(kept, s->items.items, s->items.count * sizeof *kept);
  s->items.items = kept;
  s->items.cap = s->items.count = kept ? s->items.count : 0;
}

// The names in a statement that could not be read; a constraint declares a multiplier besides.
static void lose_names(Parser *p, Program *program, uint32_t start, const Stmt *s) {
  for (uint32_t i = start; i < p->at; i++) {
    if (p->tokens[i].kind == tok_name) vec_push(p->arena, &program->lost, p->tokens[i].text);
  }
  const Token *word = &p->tokens[start];
  const char *near = word->kind == tok_name ? word_nearest_statement(word->text) : NULL;
  StmtKind meant;
  if (s->kind == stmt_constraint || (near && word_starts(near, &meant) && meant == stmt_constraint))
    vec_push(p->arena, &program->lost, "lambda");
}

static void parse_statements(Parser *p, Program *program) {
  const ArenaMark behind_tokens = arena_mark(p->scratch);
  while (!at_kind(p, tok_end) && !arena_failed(p->arena)) {
    if (parse_accept(p, tok_newline)) continue;
    Stmt s = {0};
    uint32_t start = p->at;
    p->depth = 0;
    p->no_unit = false;
    s.broken = !parse_statement(p, &s);
    if (!s.broken && !at_kind(p, tok_newline) && !at_kind(p, tok_end)) {
      parse_unexpected(p, "the end of the line");
      s.broken = true;
    }
    skip_line(p);
    if (s.broken) lose_names(p, program, start, &s);
    if (p->at > 0) s.span = span_join(s.word, p->tokens[p->at - 1].span);
    keep_items(p->arena, &s);
    arena_release(p->scratch, behind_tokens);
    vec_push(p->arena, &program->statements, s);
  }
}

void parse_program(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Program *program) {
  const Source *src = source_get(sources, (Span){source, 0, 0});
  // tokens, and the items of a statement before their number is known, are not kept
  Arena *scratch = arena_new_scratch(arena);
  Tokens tokens = scratch ? lex(arena, scratch, src, source, diags) : (Tokens){0};
  uint32_t lines = 0;
  for (uint32_t i = 0; i < tokens.count; i++) lines += tokens.items[i].kind == tok_newline;
  Parser p = {.arena = arena, .scratch = scratch, .diags = diags, .source = src, .tokens = tokens.items};
  if (tokens.items && vec_reserve(arena, &program->statements, lines)) parse_statements(&p, program);
  arena_free_scratch(scratch);
}

bool parse_setting(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Item *item) {
  const Source *src = source_get(sources, (Span){source, 0, 0});
  uint32_t errors = diags->errors;
  Tokens tokens = lex(arena, arena, src, source, diags);
  if (!tokens.items) return false;
  Parser p = {.arena = arena, .scratch = arena, .diags = diags, .source = src, .tokens = tokens.items};
  *item = (Item){0};
  if (!parse_item_name(&p, item)) return false;
  if (parse_accept(&p, tok_equal)) {
    if (!parse_values(&p, &item->value, &item->unit)) return false;
    item->span = span_join(item->span, item->value->span);
  } else if (at_kind(&p, tok_lbracket)) { // a unit, and no value
    Unit *unit = arena_new_of(arena, Unit);
    if (!unit || !parse_unit(&p, unit)) return false;
  }
  if (!item->value) {
    diag_error(diags, diag_unexpected, item->name_span, "a value is missing: `%s = ...`", item->name);
    return false;
  }
  if (!at_kind(&p, tok_newline)) {
    parse_unexpected(&p, "the end");
    return false;
  }
  return diags->errors == errors;
}

// A piece of a `fit`, to its end.
static bool parse_piece(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Stmt *fit, bool unknowns) {
  const Source *src = source_get(sources, (Span){source, 0, 0});
  uint32_t errors = diags->errors;
  Tokens tokens = lex(arena, arena, src, source, diags);
  if (!tokens.items) return false;
  Parser p = {.arena = arena, .scratch = arena, .diags = diags, .source = src, .tokens = tokens.items};
  if (!(unknowns ? parse_fit_unknowns(&p, arena, fit) : parse_fit_measured(&p, fit))) return false;
  if (!at_kind(&p, tok_newline)) parse_unexpected(&p, "the end");
  return diags->errors == errors;
}

bool parse_unknowns(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Stmt *fit) {
  return parse_piece(arena, sources, source, diags, fit, true);
}

bool parse_measured(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Stmt *fit) {
  return parse_piece(arena, sources, source, diags, fit, false);
}
