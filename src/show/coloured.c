// Syntax highlighting: the text of a model with its words marked for colours, as HTML.
//
// in    a source
// out   its text, escaped, with <span class> around statements and clauses (kw), functions (fn), units (un), comments
//       (co) and the like; the colours stand in report.css
// how   the lexer of the language cuts it; what stands between two tokens is blank or a comment. Whether a word is a
//       statement, a clause or a name is decided by its neighbours.
// why   it is cut again: the tokens of the load are given back as soon as a file is parsed (lang/parse_stmt.c), because
//       they are several times as large as its text and only a report would ask for them. A report shows a text of some
//       kilobytes, and cutting it is nothing beside the run that it reports.
#include "show/coloured.h"

#include "lang/lexer.h"
#include "lang/words.h"

#include <string.h>

// Without the ends of lines of other systems; quotes need no escape between tags.
static void escape(Text *out, const char *s, size_t n) {
  for (size_t i = 0, k; i < n; i = k + 1) {
    for (k = i; k < n && s[k] != '\r' && s[k] != '"'; k++) continue;
    text_put_markup(out, s + i, k - i);
    if (k < n && s[k] == '"') text_putc(out, '"');
  }
}

static void put(Text *out, const char *class, const char *s, size_t n) {
  if (class) text_printf(out, "<span class=\"%s\">", class);
  escape(out, s, n);
  if (class) text_put(out, "</span>");
}

// Blanks and comments; a comment goes to the end of its line.
static void put_between(Text *out, const char *s, size_t n) {
  while (n > 0) {
    const char *hash = memchr(s, '#', n);
    size_t plain = hash ? (size_t)(hash - s) : n;
    put(out, NULL, s, plain);
    s += plain;
    n -= plain;
    if (!hash) return;
    const char *end = memchr(s, '\n', n);
    size_t comment = end ? (size_t)(end - s) : n;
    put(out, "co", s, comment);
    s += comment;
    n -= comment;
  }
}

static bool is_operand_end(uint8_t kind) {
  return kind == tok_name || kind == tok_number || kind == tok_rbracket || kind == tok_rparen || kind == tok_prime;
}

// The `]` of a unit that starts at token i; 0: it is no unit. A unit stands apart behind an operand and has names,
// powers and products only.
static uint32_t unit_end(const Tokens *t, uint32_t i) {
  if (i == 0 || t->items[i].kind != tok_lbracket || !t->items[i].blank_before || !is_operand_end(t->items[i - 1].kind))
    return 0;
  bool name = false;
  for (uint32_t k = i + 1; k < t->count; k++) {
    switch (t->items[k].kind) {
    case tok_name: name = true; break;
    case tok_number:
    case tok_star:
    case tok_slash:
    case tok_caret:
    case tok_minus:
    case tok_lparen:
    case tok_rparen: break;
    case tok_rbracket: return name ? k : 0;
    default: return 0;
    }
  }
  return 0;
}

static const char *class_of(const Tokens *t, uint32_t i) {
  const Token *token = &t->items[i];
  bool first = i == 0 || t->items[i - 1].kind == tok_newline;
  uint8_t next = i + 1 < t->count ? t->items[i + 1].kind : (uint8_t)tok_end,
          before = i ? t->items[i - 1].kind : (uint8_t)tok_newline;
  switch (token->kind) {
  case tok_number: return "nu";
  case tok_string: return "st";
  case tok_and:
  case tok_or:
  case tok_not:
  case tok_for: return "kw";
  case tok_name:
    if (first && word_is_statement(token->text) && next != tok_equal && next != tok_prime) return "kw";
    if (next == tok_lparen && word_is_function(token->text)) return "fn";
    // `step 0.01`, `by rk4`: a clause stands behind an operand or a comma, and something follows it
    if (first || !token->blank_before || !word_is_clause(token->text)) return NULL;
    if (!is_operand_end(before) && before != tok_string && before != tok_comma) return NULL;
    if (next == tok_name || next == tok_number || next == tok_string || next == tok_lbracket || next == tok_lparen ||
        next == tok_minus)
      return "kw";
    if (strcmp(token->text, "log") == 0 && next == tok_newline && before != tok_comma) return "kw";
    return NULL;
  default: return NULL;
  }
}

void show_coloured(const Source *source, Text *out) {
  // what is wrong with it was said when the model was read
  Sources sources = {.arena = out->arena};
  if (!vec_push(out->arena, &sources.list, *source)) return;
  Diags diags = {.arena = out->arena, .sources = &sources};
  Tokens t = lex(out->arena, out->arena, source, 1, &diags);
  uint32_t at = 0, unit = 0;
  for (uint32_t i = 0; i < t.count; i++) {
    const Token *token = &t.items[i];
    // ends of lines stand between; what the lexer put in has no text of its own
    if (token->kind == tok_newline || token->kind == tok_end || token->span.start < at ||
        token->span.end > source->length)
      continue;
    if (!unit) unit = unit_end(&t, i);
    put_between(out, source->text + at, token->span.start - at);
    put(out, unit ? "un" : class_of(&t, i), source->text + token->span.start, token->span.end - token->span.start);
    at = token->span.end;
    if (i == unit) unit = 0;
  }
  if (at < source->length) put_between(out, source->text + at, source->length - at);
}
