// Expressions, by precedence: or, and, not, comparisons, sums, products, signs, powers, primes, operands.
//
// Long sums and products are lists, so only brackets, signs and powers nest, and their depth is limited. A unit in
// brackets belongs to a number, a list or the value as a whole; where it is the only one and stands at the very end, it
// is that of the whole. Errors are reported once, with a remedy for the slips that everybody makes;
// then NULL comes back.
#include "lang/parser_inside.h"

#include "base/words.h"
#include "lang/words.h"

#include <string.h>

enum { deepest = 200 }; // nesting of brackets, signs and powers

bool parse_at_word(const Parser *p, const char *word) {
  return at_kind(p, tok_name) && strcmp(peek(p)->text, word) == 0;
}

const Token *parse_advance(Parser *p) {
  const Token *t = peek(p);
  if (t->kind != tok_end) p->at++;
  return t;
}

bool parse_accept(Parser *p, TokenKind kind) {
  if (!at_kind(p, kind)) return false;
  parse_advance(p);
  return true;
}

bool parse_accept_word(Parser *p, const char *word) {
  if (!parse_at_word(p, word)) return false;
  parse_advance(p);
  return true;
}

// Slips that everybody makes get a remedy.
static void hint_slip(Parser *p) {
  const Token *t = peek(p), *before = p->at ? &p->tokens[p->at - 1] : t;
  bool operand = t->kind == tok_name || t->kind == tok_number || t->kind == tok_lparen;
  bool after =
      before->kind == tok_name || before->kind == tok_number || before->kind == tok_rparen || before->kind == tok_prime;
  Unit unit;
  if (t->kind == tok_star && before->kind == tok_star) diag_hint(p->diags, "a power is written `^`");
  else if (operand && after && before->kind == tok_name && word_is_function(before->text))
    diag_hint(p->diags, "write `%s(...)`", before->text);
  else if (before->kind == tok_number && t->kind == tok_name && unit_find(p->arena, t->text, &unit))
    diag_hint(p->diags, "as a unit, write `[%s]`; as a product, `*%s`", t->text, t->text);
  else if (operand && after) diag_hint(p->diags, "nothing multiplies by standing side by side: write `*`");
  else if (t->kind == tok_assign) diag_hint(p->diags, "write `=`");
}

void parse_unexpected_word(Parser *p, const char *wanted) {
  const Token *t = peek(p);
  if (t->kind == tok_bad) return; // reported by the lexer
  bool quoted = t->kind == tok_name || t->kind == tok_number || t->kind == tok_string;
  int n = (int)(t->span.end - t->span.start);
  // the end of a line is shown behind what stands last on it
  Span span = t->span;
  bool ends = t->kind == tok_newline || t->kind == tok_end;
  if (ends && p->at > 0) span.start = span.end = p->tokens[p->at - 1].span.end;
  if (quoted) {
    diag_error(p->diags, diag_unexpected, span, "%s expected, but `%.*s` stands here", wanted, n > 40 ? 40 : n,
               p->source->text + t->span.start);
  } else {
    diag_error(p->diags, diag_unexpected, span, "%s expected, but here is %s", wanted, token_name(t->kind));
  }
}

const char *parse_nearest(const Parser *p, const char *const *words, size_t count) {
  const char *nearest = NULL;
  unsigned least = 3;
  for (size_t i = 0; i < count && at_kind(p, tok_name); i++) {
    unsigned distance = word_distance(peek(p)->text, words[i]);
    bool alike = (size_t)3 * distance <= strlen(words[i]) + 1; // of two and three letters one
    if (alike && distance < least) least = distance, nearest = words[i];
  }
  return nearest;
}

void parse_unexpected(Parser *p, const char *wanted) {
  if (at_kind(p, tok_bad)) return;
  parse_unexpected_word(p, wanted);
  hint_slip(p);
}

bool parse_expect(Parser *p, TokenKind kind, const char *where) {
  if (parse_accept(p, kind)) return true;
  parse_unexpected(p, where);
  return false;
}

static Ast *node(Parser *p, AstKind kind, Span span) {
  Ast *a = arena_new_of(p->arena, Ast);
  if (!a) return NULL;
  a->kind = kind;
  a->span = span;
  return a;
}

typedef VEC(Ast *) AstList;

static Ast *node_of(Parser *p, AstKind kind, Span span, const AstList *items) {
  Ast *a = node(p, kind, span);
  if (!a) return NULL;
  a->items = items->items;
  a->count = items->count;
  for (uint32_t i = 0; i < items->count; i++) a->span = span_join(a->span, items->items[i]->span);
  return a;
}

static Ast *node_one(Parser *p, AstKind kind, Span span, Ast *item) {
  AstList list = {0};
  return vec_push(p->arena, &list, item) ? node_of(p, kind, span, &list) : NULL;
}

bool parse_enter(Parser *p) {
  if (++p->depth <= deepest) return true;
  diag_error(p->diags, diag_too_deep, peek(p)->span, "more than %d brackets, signs or powers inside each other",
             deepest);
  diag_hint(p->diags, "name a part of it with `let`");
  return false;
}

static Rat token_number(const Parser *p, const Token *t) {
  return rat_parse(p->arena, p->source->text + t->span.start, t->span.end - t->span.start);
}

// ---- units

static bool unit_factor(Parser *p, Unit *unit, int sign) {
  const Token *t = peek(p);
  Unit u = unit_none();
  if (t->kind == tok_number && rat_is_int_value(token_number(p, t), 1)) {
    parse_advance(p);
  } else if (t->kind == tok_minus && peek_next(p)->kind == tok_rbracket) {
    parse_advance(p); // [-]: a pure number
  } else if (t->kind == tok_name || t->kind == tok_for) {
    parse_advance(p);
    if (!unit_find(p->arena, t->text, &u)) {
      diag_error(p->diags, diag_unknown_unit, t->span, "unknown unit `%s`", t->text);
      const char *near = unit_nearest(t->text);
      const char *product = unit_split(p->arena, t->text);
      if (strcmp(t->text, "degC") == 0) diag_hint(p->diags, "temperatures are in K");
      else if (product) diag_hint(p->diags, "did you mean `%s`?", product);
      else if (near) diag_hint(p->diags, "did you mean `%s`?", near);
      return false;
    }
  } else if (t->kind == tok_lparen) {
    if (!parse_enter(p)) return false;
    parse_advance(p);
    if (!unit_factor(p, &u, 1)) return false;
    while (at_kind(p, tok_star) || at_kind(p, tok_slash)) {
      int s = parse_advance(p)->kind == tok_star ? 1 : -1;
      if (!unit_factor(p, &u, s)) return false;
    }
    if (!parse_expect(p, tok_rparen, "`)`")) return false;
    p->depth--;
  } else {
    parse_unexpected(p, "a unit");
    return false;
  }
  int power = 1;
  if (parse_accept(p, tok_caret)) {
    bool minus = parse_accept(p, tok_minus);
    int64_t n;
    if (!at_kind(p, tok_number) || !rat_to_int(token_number(p, peek(p)), &n) || n > 20) {
      parse_unexpected(p, "a whole number as the power of a unit");
      return false;
    }
    parse_advance(p);
    power = minus ? -(int)n : (int)n;
  }
  if (unit_combine(p->arena, unit, u, sign * power)) return true;
  diag_error(p->diags, diag_unknown_unit, t->span, "the powers of this unit are too large");
  return false;
}

bool parse_unit(Parser *p, Unit *unit) {
  Span open = parse_advance(p)->span;
  *unit = unit_none();
  if (!unit_factor(p, unit, 1)) return false;
  while (at_kind(p, tok_star) || at_kind(p, tok_slash)) {
    int sign = parse_advance(p)->kind == tok_star ? 1 : -1;
    if (!unit_factor(p, unit, sign)) return false;
  }
  if (at_kind(p, tok_name)) {
    diag_error(p->diags, diag_unit_blank, peek(p)->span, "units are joined by `*` or `/`");
    diag_hint(p->diags, "write `*%s`", peek(p)->text);
    return false;
  }
  if (!parse_expect(p, tok_rbracket, "`]` after the unit")) return false;
  uint32_t start = open.end, end = p->tokens[p->at - 1].span.start;
  unit->said = true;
  unit->text = arena_strndup(p->arena, p->source->text + start, end - start);
  return true;
}

// A unit that belongs to one node.
static bool parse_unit_of(Parser *p, Ast *a) {
  Unit *unit = arena_new_of(p->arena, Unit);
  a->unit = unit;
  return unit && parse_unit(p, unit);
}

// ---- operands

// Entries up to the closing bracket; `;` starts a row when rows is given.
static bool parse_entries(Parser *p, AstList *list, TokenKind close, uint32_t *rows) {
  bool no_unit = p->no_unit;
  p->no_unit = false;
  bool ok = true;
  uint32_t width = 0, first = 0;
  if (rows) *rows = 1;
  while (ok && !at_kind(p, close)) {
    Ast *a = parse_formula(p);
    ok = a && vec_push(p->arena, list, a);
    if (!ok || at_kind(p, close)) break;
    if (parse_accept(p, tok_comma)) continue;
    if (rows && at_kind(p, tok_semicolon)) {
      uint32_t now = list->count - first;
      if (*rows == 1) width = now;
      if (now != width) {
        diag_error(p->diags, diag_ragged_matrix, a->span, "this row has %u entr%s, the first one has %u", now,
                   now == 1 ? "y" : "ies", width);
        ok = false;
      }
      first = list->count;
      ++*rows;
      parse_advance(p);
      continue;
    }
    const Token *t = peek(p);
    if (rows && (t->kind == tok_name || t->kind == tok_number || t->kind == tok_lparen || t->kind == tok_lbracket)) {
      diag_error(p->diags, diag_blank_list, t->span, "entries of a list are separated by commas");
      diag_hint(p->diags, "write `[a, b]`, and `;` between the rows of a matrix: `[a, b; c, d]`");
    } else {
      parse_unexpected(p, close == tok_rparen ? "`,` or `)`" : "`,` or `]`");
    }
    ok = false;
  }
  if (ok && rows && *rows > 1 && list->count - first != width) {
    diag_error(p->diags, diag_ragged_matrix, list->items[list->count - 1]->span,
               "this row has %u entr%s, the first one has %u", list->count - first,
               list->count - first == 1 ? "y" : "ies", width);
    ok = false;
  }
  p->no_unit = no_unit;
  return ok && parse_expect(p, close, close == tok_rparen ? "`)`" : "`]`");
}

static Ast *parse_call(Parser *p, const Token *name, uint32_t primes) {
  if (!parse_enter(p)) return NULL;
  parse_advance(p); // (
  AstList args = {0};
  if (!parse_entries(p, &args, tok_rparen, NULL)) return NULL;
  Ast *a = node_of(p, ast_call, name->span, &args);
  if (!a) return NULL;
  a->span = span_join(name->span, p->tokens[p->at - 1].span);
  a->name = name->text;
  a->primes = primes;
  return a;
}

static Ast *parse_name(Parser *p) {
  const Token *name = parse_advance(p);
  uint32_t primes = 0;
  while (p->tokens[p->at + primes].kind == tok_prime) primes++;
  const Token *after = &p->tokens[p->at + primes];
  bool apart = p->point && after->blank_before; // two points: hook (upper.com)
  if (after->kind == tok_lparen && (primes == 0 || !after->blank_before) && !apart) {
    p->at += primes;
    return parse_call(p, name, primes);
  }
  Ast *a = node(p, ast_name, name->span);
  if (a) a->name = name->text;
  return a;
}

static Ast *parse_number(Parser *p) {
  const Token *t = parse_advance(p);
  Ast *a = node(p, ast_number, t->span);
  if (!a) return NULL;
  a->number = token_number(p, t);
  if (!rat_valid(a->number)) a->number = RAT_ONE; // reported by the lexer
  if (at_kind(p, tok_lbracket) && !p->no_unit) {
    if (!parse_unit_of(p, a)) return NULL;
    a->span = span_join(a->span, p->tokens[p->at - 1].span);
    p->units++;
    p->last_unit = a;
  }
  return a;
}

static bool all_numbers(const Ast *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    const Ast *x = a->items[i];
    if (x->kind == ast_negate) x = x->items[0];
    if (x->kind != ast_number && x->kind != ast_list && x->kind != ast_name && x->kind != ast_product) return false;
  }
  return true;
}

static Ast *parse_list(Parser *p) {
  Span open = parse_advance(p)->span;
  AstList items = {0};
  uint32_t rows;
  if (!parse_entries(p, &items, tok_rbracket, &rows)) return NULL;
  if (items.count == 0) {
    diag_error(p->diags, diag_empty_list, open, "a list needs at least one entry");
    return NULL;
  }
  Ast *a = node_of(p, rows > 1 ? ast_matrix : ast_list, open, &items);
  if (!a) return NULL;
  a->span = span_join(open, p->tokens[p->at - 1].span);
  a->rows = rows;
  if (at_kind(p, tok_lbracket) && !p->no_unit && all_numbers(a)) {
    if (!parse_unit_of(p, a)) return NULL;
    p->units++;
    p->last_unit = a;
    a->span = span_join(a->span, p->tokens[p->at - 1].span);
  }
  return a;
}

static Ast *parse_primary(Parser *p) {
  const Token *t = peek(p);
  if (t->kind != tok_name) p->point = false;
  switch (t->kind) {
  case tok_number: return parse_number(p);
  case tok_name: return parse_name(p);
  case tok_string: {
    Ast *a = node(p, ast_string, parse_advance(p)->span);
    if (a) a->name = t->text;
    return a;
  }
  case tok_lbracket: return parse_enter(p) ? parse_list(p) : NULL;
  case tok_lparen: {
    bool no_unit = p->no_unit;
    p->no_unit = false;
    parse_advance(p);
    Ast *a = parse_enter(p) ? parse_formula(p) : NULL;
    p->no_unit = no_unit;
    if (!a || !parse_expect(p, tok_rparen, "`)`")) return NULL;
    a->span = span_join(t->span, p->tokens[p->at - 1].span);
    p->last_unit = NULL; // a unit inside brackets stays there
    return a;
  }
  case tok_bar: {
    parse_advance(p);
    Ast *a = parse_enter(p) ? parse_formula(p) : NULL;
    if (!a || !parse_expect(p, tok_bar, "the closing `|`")) return NULL;
    Ast *bars = node_one(p, ast_bars, t->span, a);
    if (bars) bars->span = span_join(t->span, p->tokens[p->at - 1].span);
    return bars;
  }
  default: parse_unexpected(p, "a number, a name or a bracket"); return NULL;
  }
}

// name[i]  v.x  x''  inverse(gm)(psi)  hip.gm(i)
static Ast *parse_postfix(Parser *p) {
  uint32_t depth = p->depth;
  Ast *a = parse_primary(p);
  p->depth = depth;
  while (a) {
    const Token *t = peek(p);
    if (t->kind == tok_prime) {
      Span span = a->span;
      uint32_t primes = 0;
      while (at_kind(p, tok_prime)) {
        span = span_join(span, parse_advance(p)->span);
        primes++;
      }
      a = node_one(p, ast_prime, span, a);
      if (a) a->primes = primes;
    } else if (t->kind == tok_lbracket && !t->blank_before && (a->kind == ast_name || a->kind == ast_field)) {
      if (!parse_enter(p)) return NULL;
      parse_advance(p);
      AstList items = {0};
      if (!vec_push(p->arena, &items, a) || !parse_entries(p, &items, tok_rbracket, NULL)) return NULL;
      p->depth = depth;
      Span span = span_join(a->span, p->tokens[p->at - 1].span);
      a = node_of(p, ast_index, span, &items);
    } else if (t->kind == tok_dot && peek_next(p)->kind == tok_name && !t->blank_before) {
      parse_advance(p);
      const Token *field = parse_advance(p);
      a = node_one(p, ast_field, span_join(a->span, field->span), a);
      if (a) a->name = field->text;
    } else if (t->kind == tok_lparen && !t->blank_before && (a->kind == ast_call || a->kind == ast_field)) {
      if (!parse_enter(p)) return NULL;
      parse_advance(p);
      AstList items = {0};
      if (!vec_push(p->arena, &items, a) || !parse_entries(p, &items, tok_rparen, NULL)) return NULL;
      p->depth = depth;
      a = node_of(p, ast_apply, a->span, &items);
      if (a) a->span = span_join(a->span, p->tokens[p->at - 1].span);
    } else {
      break;
    }
  }
  return a;
}

static Ast *parse_unary(Parser *p);

static Ast *parse_power(Parser *p) {
  Ast *base = parse_postfix(p);
  if (!base || !at_kind(p, tok_caret)) return base;
  parse_advance(p);
  bool no_unit = p->no_unit;
  p->no_unit = true;
  uint32_t depth = p->depth;
  Ast *e = parse_enter(p) ? parse_unary(p) : NULL;
  p->depth = depth;
  p->no_unit = no_unit;
  if (!e) return NULL;
  AstList items = {0};
  if (!vec_push(p->arena, &items, base) || !vec_push(p->arena, &items, e)) return NULL;
  return node_of(p, ast_power, base->span, &items);
}

static Ast *parse_unary(Parser *p) {
  const Token *t = peek(p);
  if (t->kind != tok_minus && t->kind != tok_plus) return parse_power(p);
  parse_advance(p);
  uint32_t depth = p->depth;
  Ast *a = parse_enter(p) ? parse_unary(p) : NULL;
  p->depth = depth;
  if (!a || t->kind == tok_plus) return a;
  return node_one(p, ast_negate, t->span, a);
}

// A chain of operators of one level becomes one node with a list.
static Ast *parse_chain(Parser *p, Ast *(*operand)(Parser *), AstKind kind, TokenKind plus, TokenKind minus,
                        char plus_sign, char minus_sign) {
  Ast *first = operand(p);
  if (!first || (!at_kind(p, plus) && !at_kind(p, minus))) return first;
  AstList items = {0};
  VEC(char) ops = {0};
  if (!vec_push(p->arena, &items, first) || !vec_push(p->arena, &ops, plus_sign)) return NULL;
  while (at_kind(p, plus) || at_kind(p, minus)) {
    char op = parse_advance(p)->kind == plus ? plus_sign : minus_sign;
    Ast *a = operand(p);
    if (!a || !vec_push(p->arena, &items, a) || !vec_push(p->arena, &ops, op)) return NULL;
  }
  Ast *chain = node_of(p, kind, first->span, &items);
  if (chain) chain->ops = ops.items;
  return chain;
}

Ast *parse_difference(Parser *p, Ast *a, Ast *b) {
  AstList items = {0};
  VEC(char) ops = {0};
  bool ok = vec_push(p->arena, &items, a) && vec_push(p->arena, &items, b) && vec_push(p->arena, &ops, '+') &&
            vec_push(p->arena, &ops, '-');
  Ast *sum = ok ? node_of(p, ast_sum, a->span, &items) : NULL;
  if (sum) sum->ops = ops.items;
  return sum;
}

static Ast *parse_product(Parser *p) { return parse_chain(p, parse_unary, ast_product, tok_star, tok_slash, '*', '/'); }
static Ast *parse_sum(Parser *p) { return parse_chain(p, parse_product, ast_sum, tok_plus, tok_minus, '+', '-'); }

static bool is_comparison(TokenKind k) { return k >= tok_eq && k <= tok_ge; }

static Ast *parse_comparison(Parser *p) {
  Ast *a = parse_sum(p);
  if (!a || !is_comparison(peek(p)->kind)) return a;
  TokenKind op = parse_advance(p)->kind;
  Ast *b = parse_sum(p);
  if (!b) return NULL;
  if (is_comparison(peek(p)->kind)) {
    diag_error(p->diags, diag_chained_comparison, peek(p)->span, "comparisons do not chain");
    diag_hint(p->diags, "write `a < b and b < c`");
    return NULL;
  }
  AstList items = {0};
  if (!vec_push(p->arena, &items, a) || !vec_push(p->arena, &items, b)) return NULL;
  Ast *c = node_of(p, ast_compare, a->span, &items);
  if (c) c->op = op;
  return c;
}

static Ast *parse_not(Parser *p) {
  if (!at_kind(p, tok_not)) return parse_comparison(p);
  Span span = parse_advance(p)->span;
  uint32_t depth = p->depth;
  Ast *a = parse_enter(p) ? parse_not(p) : NULL;
  p->depth = depth;
  return a ? node_one(p, ast_not, span, a) : NULL;
}

static Ast *parse_and(Parser *p) { return parse_chain(p, parse_not, ast_and, tok_and, tok_and, '&', '&'); }
static Ast *parse_or(Parser *p) { return parse_chain(p, parse_and, ast_or, tok_or, tok_or, '|', '|'); }

Ast *parse_formula(Parser *p) {
  uint32_t depth = p->depth;
  Ast *a = parse_or(p);
  p->depth = depth;
  return a;
}

Ast *parse_value(Parser *p, const Unit **unit) {
  *unit = &unit_unsaid;
  p->units = 0;
  p->last_unit = NULL;
  Ast *a = parse_formula(p);
  if (!a) return NULL;
  if (at_kind(p, tok_lbracket)) {
    Unit *written = arena_new_of(p->arena, Unit);
    if (!written || !parse_unit(p, written)) return NULL;
    *unit = written;
  } else if (p->units == 1 && p->last_unit && p->last_unit != a && p->last_unit->span.end == a->span.end) {
    // the only unit stands at the very end: it belongs to the whole
    *unit = p->last_unit->unit;
    p->last_unit->unit = NULL;
  }
  return a;
}

Ast *parse_point(Parser *p) {
  TokenKind k = peek(p)->kind;
  if (k != tok_name && k != tok_lbracket && k != tok_lparen) {
    parse_unexpected(p, "a point (a name, a vector or an expression in brackets)");
    return NULL;
  }
  bool no_unit = p->no_unit;
  p->no_unit = p->point = true;
  Ast *a = parse_postfix(p);
  p->no_unit = no_unit;
  p->point = false;
  return a;
}
