// Lexical analysis, text to tokens: names, numbers, strings, operators, and where a statement ends.
//
// A statement goes on over the line's end inside an open bracket, or after a trailing comma, `=`, `:`, `with`, `do` or
// operator. A bracket that was forgotten must not swallow the file: inside one, a line that starts like a statement
// ends it, and the bracket is reported.
#include "lang/lexer.h"

#include "expr/rational.h"
#include "lang/words.h"
#include "system/units.h"

#include <math.h>
#include <string.h>

enum { longest_name = 200, longest_number = 1000, deepest_bracket = 200000 };

typedef struct Lexer {
  Arena *arena; // of texts
  Arena *room;  // of tokens
  const char *text;
  uint32_t at, length, source;
  Diags *diags;
  VEC(Token) tokens;
  const char *word; // that the last statement started with; NULL: none
  VEC(Span) open;   // brackets not closed yet
} Lexer;

const char *token_name(TokenKind kind) {
  static const char *const names[] = {[tok_end] = "the end of the file",
                                      [tok_newline] = "the end of the line",
                                      [tok_name] = "a name",
                                      [tok_number] = "a number",
                                      [tok_string] = "a string",
                                      [tok_plus] = "`+`",
                                      [tok_minus] = "`-`",
                                      [tok_star] = "`*`",
                                      [tok_slash] = "`/`",
                                      [tok_caret] = "`^`",
                                      [tok_prime] = "`'`",
                                      [tok_lparen] = "`(`",
                                      [tok_rparen] = "`)`",
                                      [tok_lbracket] = "`[`",
                                      [tok_rbracket] = "`]`",
                                      [tok_comma] = "`,`",
                                      [tok_semicolon] = "`;`",
                                      [tok_colon] = "`:`",
                                      [tok_dot] = "`.`",
                                      [tok_bar] = "`|`",
                                      [tok_range] = "`..`",
                                      [tok_equal] = "`=`",
                                      [tok_assign] = "`:=`",
                                      [tok_eq] = "`==`",
                                      [tok_ne] = "`!=`",
                                      [tok_lt] = "`<`",
                                      [tok_le] = "`<=`",
                                      [tok_gt] = "`>`",
                                      [tok_ge] = "`>=`",
                                      [tok_and] = "`and`",
                                      [tok_or] = "`or`",
                                      [tok_not] = "`not`",
                                      [tok_for] = "`for`",
                                      [tok_bad] = "this"};
  return names[kind];
}

static Span span_at(const Lexer *lx, uint32_t start, uint32_t end) { return (Span){lx->source, start, end}; }

static void push(Lexer *lx, TokenKind kind, uint32_t start, bool blank) {
  vec_push(lx->room, &lx->tokens,
           (Token){.kind = (uint8_t)kind, .span = span_at(lx, start, lx->at), .blank_before = blank});
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool lex_is_letter(uint32_t c) {
  if (c < 128) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (c == 0xB5) return true; // micro
  return (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7) || (c >= 0x370 && c <= 0x3FF && c != 0x37E && c != 0x387);
}

// Length of the letter at `at`, 0 when there is none.
static size_t letter_at(const Lexer *lx, uint32_t at) {
  uint32_t code;
  size_t n = utf8_decode(lx->text + at, lx->length - at, &code);
  return n && lex_is_letter(code) ? n : 0;
}

static uint32_t name_end(const Lexer *lx, uint32_t at) {
  for (;;) {
    size_t n = at < lx->length ? letter_at(lx, at) : 0;
    if (n) at += (uint32_t)n;
    else if (at < lx->length && (is_digit(lx->text[at]) || lx->text[at] == '_')) at++;
    else return at;
  }
}

static void lex_name(Lexer *lx, bool blank) {
  uint32_t start = lx->at;
  lx->at = name_end(lx, start);
  size_t n = lx->at - start;
  if (n > longest_name) {
    diag_error(lx->diags, diag_long_name, span_at(lx, start, start + 20), "a name of %zu bytes is too long (most: %d)",
               n, longest_name);
    push(lx, tok_bad, start, blank);
    return;
  }
  static const struct {
    const char *word;
    TokenKind kind;
  } reserved[] = {{"and", tok_and}, {"or", tok_or}, {"not", tok_not}, {"for", tok_for}};
  // a statement often starts with the same word as the one before
  bool first = !lx->tokens.count || lx->tokens.items[lx->tokens.count - 1].kind == tok_newline;
  bool again = first && lx->word && strlen(lx->word) == n && memcmp(lx->word, lx->text + start, n) == 0;
  const char *name = again ? lx->word : arena_strndup(lx->arena, lx->text + start, n);
  if (!name) return;
  if (first) lx->word = name;
  TokenKind kind = tok_name;
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
    if (strcmp(reserved[i].word, name) == 0) kind = reserved[i].kind;
  }
  push(lx, kind, start, blank);
  if (lx->tokens.count) lx->tokens.items[lx->tokens.count - 1].text = name;
}

// lambda.1: digits behind the dot of multipliers are the name of a constraint that was given none.
static bool names_constraint(const Lexer *lx, bool blank) {
  uint32_t n = lx->tokens.count;
  const Token *t = lx->tokens.items + n;
  return !blank && n > 1 && t[-1].kind == tok_dot && !t[-1].blank_before && t[-2].kind == tok_name &&
         strcmp(t[-2].text, "lambda") == 0;
}

static void lex_number(Lexer *lx, bool blank) {
  const char *s = lx->text;
  uint32_t start = lx->at, at = start;
  if (names_constraint(lx, blank)) {
    lex_name(lx, blank);
    return;
  }
  while (is_digit(s[at])) at++; // none in .5
  if (s[at] == '.' && is_digit(s[at + 1])) {
    at++;
    while (is_digit(s[at])) at++;
  } else if (s[at] == '.' && s[at + 1] != '.') {
    lx->at = at + 1;
    diag_error(lx->diags, diag_bad_number, span_at(lx, start, at + 1), "digits are missing after the decimal point");
    diag_hint(lx->diags, "write `%.*s` or `%.*s.0`", (int)(at - start), s + start, (int)(at - start), s + start);
    push(lx, tok_bad, start, blank);
    return;
  }
  if (s[at] == 'e' || s[at] == 'E') {
    uint32_t digits = at + 1 + (s[at + 1] == '+' || s[at + 1] == '-');
    if (is_digit(s[digits])) {
      at = digits;
      while (is_digit(s[at])) at++;
    }
  }
  lx->at = at;
  push(lx, tok_number, start, blank);
  if (!lx->tokens.count) return;
  Token *t = &lx->tokens.items[lx->tokens.count - 1];
  double value = at - start > longest_number ? INFINITY : decimal_to_double(s + start, at - start);
  bool nonzero = false;
  for (uint32_t i = start; i < at && s[i] != 'e' && s[i] != 'E'; i++) nonzero = nonzero || (s[i] > '0' && s[i] <= '9');
  if (isinf(value) || isnan(value) || (nonzero && value == 0)) {
    diag_error(lx->diags, diag_bad_number, t->span,
               at - start > longest_number ? "a number of more than 1000 characters"
               : value == 0                ? "this number is too small to compute with"
                                           : "this number is too large to compute with");
    diag_hint(lx->diags, "numbers reach from about 1e-308 to 1e308");
    return;
  }
  // 2x, 3(a + b): nothing multiplies by standing side by side
  if (letter_at(lx, at) || s[at] == '(') {
    uint32_t end = s[at] == '(' ? at + 1 : name_end(lx, at);
    if (end - at > 40) end = at + 40;
    diag_error(lx->diags, diag_side_by_side, span_at(lx, start, end), "nothing multiplies by standing side by side");
    char *word = arena_strndup(lx->arena, s + at, end - at);
    int digits = (int)(at - start), letters = (int)(end - at);
    Unit unit;
    if (word && unit_find(lx->arena, word, &unit))
      diag_hint(lx->diags, "as a unit, write `%.*s [%s]`; as a product, `%.*s*%s`", digits, s + start, word, digits,
                s + start, word);
    else diag_hint(lx->diags, "write `%.*s*%.*s`", digits, s + start, letters, s + at);
    push(lx, tok_star, at, false); // go on as if it had been written
  }
}

// Strings become titles, labels and paths, and end up in terminals, tables and pages:
// only what shows itself may stand there.
static void lex_string(Lexer *lx, bool blank) {
  uint32_t start = lx->at++;
  bool reported = false;
  while (lx->at < lx->length && lx->text[lx->at] != '"' && lx->text[lx->at] != '\n') {
    uint32_t code, at = lx->at;
    size_t n = utf8_decode(lx->text + at, lx->length - at, &code);
    lx->at += n ? (uint32_t)n : 1;
    if (reported || (n && utf8_is_plain(code)) || (code == '\r' && lx->text[lx->at] == '\n')) continue;
    reported = true;
    if (n) {
      diag_error(lx->diags, diag_bad_character, span_at(lx, at, lx->at),
                 "a character that is not seen (U+%04X) stands in a string", code);
    } else {
      diag_error(lx->diags, diag_not_utf8, span_at(lx, at, lx->at), "byte 0x%02X is not valid UTF-8",
                 (unsigned)(unsigned char)lx->text[at]);
      diag_hint(lx->diags, "save the file as UTF-8");
    }
  }
  bool closed = lx->at < lx->length && lx->text[lx->at] == '"';
  uint32_t end = lx->at;
  if (closed) lx->at++;
  else diag_error(lx->diags, diag_open_string, span_at(lx, start, start + 1), "this string has no end on its line");
  push(lx, tok_string, start, blank);
  if (lx->tokens.count) {
    lx->tokens.items[lx->tokens.count - 1].text = arena_strndup(lx->arena, lx->text + start + 1, end - start - 1);
  }
}

// Letters of other alphabets that look like Latin ones; 0: none.
char lex_lookalike(uint32_t code) {
  static const struct {
    uint32_t code;
    char latin;
  } twins[] = {
      // Cyrillic
      {0x430, 'a'},
      {0x435, 'e'},
      {0x43E, 'o'},
      {0x440, 'p'},
      {0x441, 'c'},
      {0x443, 'y'},
      {0x445, 'x'},
      {0x455, 's'},
      {0x456, 'i'},
      {0x458, 'j'},
      {0x410, 'A'},
      {0x412, 'B'},
      {0x415, 'E'},
      {0x41A, 'K'},
      {0x41C, 'M'},
      {0x41D, 'H'},
      {0x41E, 'O'},
      {0x420, 'P'},
      {0x421, 'C'},
      {0x422, 'T'},
      {0x425, 'X'},
      {0x405, 'S'},
      {0x406, 'I'},
      {0x408, 'J'},
      // Greek
      {0x3BF, 'o'},
      {0x3C5, 'u'},
      {0x3BD, 'v'},
      {0x391, 'A'},
      {0x392, 'B'},
      {0x395, 'E'},
      {0x396, 'Z'},
      {0x397, 'H'},
      {0x399, 'I'},
      {0x39A, 'K'},
      {0x39C, 'M'},
      {0x39D, 'N'},
      {0x39F, 'O'},
      {0x3A1, 'P'},
      {0x3A4, 'T'},
      {0x3A5, 'Y'},
      {0x3A7, 'X'},
  };
  for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
    if (twins[i].code == code) return twins[i].latin;
  }
  // full width
  return code >= 0xFF21 && code <= 0xFF5A ? (char)(code - 0xFF21 + 'A') : 0;
}

// Signs that people paste from formatted text, and what to write instead.
static void lex_unknown(Lexer *lx, bool blank) {
  static const struct {
    uint32_t code;
    const char *instead;
  } known[] = {{0xB7, "*"},    {0xD7, "*"},    {0x22C5, "*"},  {0x2212, "-"},         {0x2013, "-"},  {0xF7, "/"},
               {0xB2, "^2"},   {0xB3, "^3"},   {0x2019, "'"},  {0x2032, "'"},         {0x201C, "\""}, {0x201D, "\""},
               {0x2264, "<="}, {0x2265, ">="}, {0x2260, "!="}, {0x221A, "sqrt(...)"}, {0x221E, "inf"}};
  uint32_t start = lx->at, code = 0;
  size_t n = utf8_decode(lx->text + start, lx->length - start, &code);
  lx->at += n ? (uint32_t)n : 1;
  Span span = span_at(lx, start, lx->at);
  char c = lx->text[start];
  if (c == '\0') {
    diag_error(lx->diags, diag_bad_character, span, "a NUL byte stands in the text");
    diag_hint(lx->diags, "is this a text file?");
  } else if (!n) {
    diag_error(lx->diags, diag_not_utf8, span, "byte 0x%02X is not valid UTF-8", (unsigned)(unsigned char)c);
    diag_hint(lx->diags, "save the file as UTF-8");
  } else if (n == 1 && (code < 32 || code == 127)) {
    diag_error(lx->diags, diag_bad_character, span, "a control character (code %u) stands in the text", code);
  } else {
    if (n == 1) diag_error(lx->diags, diag_bad_character, span, "`%.*s` has no meaning here", (int)n, lx->text + start);
    else if (!utf8_is_plain(code))
      diag_error(lx->diags, diag_bad_character, span, "a character that is not seen (U+%04X) stands in the text", code);
    else
      diag_error(lx->diags, diag_bad_character, span, "`%.*s` (U+%04X) has no meaning here", (int)n, lx->text + start,
                 code);
    const char twin = lex_lookalike(code);
    if (twin) diag_hint(lx->diags, "it looks like the letter `%c` but is another one: type `%c`", twin, twin);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
      if (known[i].code == code) diag_hint(lx->diags, "write `%s`", known[i].instead);
    }
    bool in_unit = lx->tokens.count && lx->tokens.items[lx->tokens.count - 1].kind == tok_lbracket;
    if (code == 0xB0 && (lx->text[lx->at] == 'C' || lx->text[lx->at] == 'F'))
      diag_hint(lx->diags, "temperatures are in K: 20 degrees Celsius are `293.15 [K]`");
    else if (code == 0xB0) diag_hint(lx->diags, in_unit ? "write `deg`" : "write `[deg]`");
    if (c == '%') diag_hint(lx->diags, "comments start with `#`");
    if (c == '!') diag_hint(lx->diags, "write `not`, or `!=` for unequal");
    if (c == '&') diag_hint(lx->diags, "write `and`");
    if (c == '{' || c == '}') diag_hint(lx->diags, "brackets are `( )` and, for lists, `[ ]`");
  }
  // several bad bytes in a row are one report
  while (lx->at < lx->length && !n && utf8_decode(lx->text + lx->at, lx->length - lx->at, &code) == 0) lx->at++;
  if (!n || code < 32 || code == 127) return;
  push(lx, tok_bad, start, blank);
}

static bool continues(const Lexer *lx) {
  if (lx->tokens.count == 0) return true;
  const Token *last = &lx->tokens.items[lx->tokens.count - 1];
  switch (last->kind) {
  case tok_plus:
  case tok_minus:
  case tok_star:
  case tok_slash:
  case tok_caret:
  case tok_comma:
  case tok_colon:
  case tok_equal:
  case tok_assign:
  case tok_eq:
  case tok_ne:
  case tok_lt:
  case tok_le:
  case tok_gt:
  case tok_ge:
  case tok_and:
  case tok_or:
  case tok_not:
  case tok_range:
  case tok_newline: return true;
  case tok_name: return strcmp(last->text, "with") == 0 || strcmp(last->text, "do") == 0;
  default: return false;
  }
}

// Does the line at `at` start like a statement: a statement's word, a blank, then a name, a number or a string?
static bool looks_like_statement(const Lexer *lx, uint32_t at) {
  uint32_t start = at;
  while (at < lx->length && (lx->text[at] == ' ' || lx->text[at] == '\t')) at++;
  uint32_t end = name_end(lx, at);
  char word[24];
  if (end == at || end - at >= sizeof word || end >= lx->length || (lx->text[end] != ' ' && lx->text[end] != '\t')) {
    return false;
  }
  memcpy(word, lx->text + at, end - at);
  word[end - at] = '\0';
  while (end < lx->length && (lx->text[end] == ' ' || lx->text[end] == '\t')) end++;
  char c = lx->text[end];
  if (!word_is_statement(word)) return false;
  // not indented, a bracket or sign may follow as well
  return letter_at(lx, end) || is_digit(c) || c == '"' || (at == start && strchr("([|-", c) && c);
}

static void report_open(Lexer *lx) {
  for (uint32_t i = 0; i < lx->open.count && i < 3; i++) {
    Span s = lx->open.items[i];
    diag_error(lx->diags, diag_open_bracket, s, "this `%c` is never closed", lx->text[s.start]);
  }
  lx->open.count = 0;
}

static void end_line(Lexer *lx) {
  uint32_t start = lx->at++;
  if (lx->open.count) {
    if (!looks_like_statement(lx, lx->at)) return;
    report_open(lx);
    vec_push(lx->room, &lx->tokens, (Token){.kind = tok_bad, .span = span_at(lx, start, start)});
  } else if (continues(lx) && !(lx->tokens.count && looks_like_statement(lx, lx->at))) {
    return;
  }
  uint32_t at = lx->at;
  lx->at = start;
  push(lx, tok_newline, start, false);
  lx->at = at;
}

static TokenKind two_signs(char c, char d) {
  if (c == '=' && d == '=') return tok_eq;
  if (c == '!' && d == '=') return tok_ne;
  if (c == '~' && d == '=') return tok_ne;
  if (c == '<' && d == '=') return tok_le;
  if (c == '>' && d == '=') return tok_ge;
  if (c == ':' && d == '=') return tok_assign;
  if (c == '.' && d == '.') return tok_range;
  return tok_end;
}

static TokenKind one_sign(char c) {
  switch (c) {
  case '+': return tok_plus;
  case '-': return tok_minus;
  case '*': return tok_star;
  case '/': return tok_slash;
  case '^': return tok_caret;
  case '\'': return tok_prime;
  case '(': return tok_lparen;
  case ')': return tok_rparen;
  case '[': return tok_lbracket;
  case ']': return tok_rbracket;
  case ',': return tok_comma;
  case ';': return tok_semicolon;
  case ':': return tok_colon;
  case '.': return tok_dot;
  case '|': return tok_bar;
  case '=': return tok_equal;
  case '<': return tok_lt;
  case '>': return tok_gt;
  default: return tok_end;
  }
}

static void lex_sign(Lexer *lx, bool blank) {
  char c = lx->text[lx->at], d = lx->text[lx->at + 1];
  uint32_t start = lx->at;
  // .5 is a number, but not right behind a name, where the dot leads into a part
  if (c == '.' && is_digit(d) &&
      (blank || !lx->tokens.count || lx->tokens.items[lx->tokens.count - 1].kind != tok_name)) {
    lex_number(lx, blank);
    return;
  }
  TokenKind kind = two_signs(c, d);
  if (kind == tok_end) kind = one_sign(c);
  else lx->at++;
  if (kind == tok_end) {
    lex_unknown(lx, blank);
    return;
  }
  lx->at++;
  if (kind == tok_lparen || kind == tok_lbracket) {
    if (lx->open.count < deepest_bracket) vec_push(lx->room, &lx->open, span_at(lx, start, lx->at));
  } else if ((kind == tok_rparen || kind == tok_rbracket) && lx->open.count) {
    lx->open.count--;
  }
  push(lx, kind, start, blank);
}

// Behind the word `color` of a `draw` line `#ff8800` is no comment. Does it stand here?
static bool lex_colour(Lexer *lx, bool blank) {
  const Token *last = lx->tokens.count ? &lx->tokens.items[lx->tokens.count - 1] : NULL;
  uint32_t start = lx->at, end = start + 1;
  if (!last || last->kind != tok_name || strcmp(last->text, "color") != 0) return false;
  if (!lx->word || strcmp(lx->word, "draw") != 0) return false;
  while (end < lx->length && (is_digit(lx->text[end]) || lex_is_letter((unsigned char)lx->text[end]))) end++;
  if (end == start + 1) return false;
  lx->at = end;
  push(lx, tok_string, start, blank);
  if (lx->tokens.count)
    lx->tokens.items[lx->tokens.count - 1].text = arena_strndup(lx->arena, lx->text + start, end - start);
  return true;
}

Tokens lex(Arena *arena, Arena *room, const Source *source, uint32_t source_id, Diags *diags) {
  Lexer lexer = {.arena = arena,
                 .room = room,
                 .text = source->text,
                 .length = (uint32_t)source->length,
                 .source = source_id,
                 .diags = diags};
  Lexer *lx = &lexer;
  if (lx->length >= 3 && memcmp(lx->text, "\xEF\xBB\xBF", 3) == 0) lx->at = 3; // byte order mark
  bool blank = true;
  while (lx->at < lx->length && !arena_failed(arena) && diags->errors < diag_most) {
    char c = lx->text[lx->at];
    if (c == ' ' || c == '\t' || c == '\r') {
      lx->at++;
      blank = true;
      continue;
    }
    if (c == '#' && lex_colour(lx, blank)) {
      blank = false;
      continue;
    }
    if (c == '#') {
      while (lx->at < lx->length && lx->text[lx->at] != '\n') {
        uint32_t code;
        size_t n = utf8_decode(lx->text + lx->at, lx->length - lx->at, &code);
        bool unknown = n == 0 || (!utf8_is_plain(code) && code != '\t' && code != '\r');
        if (unknown) lex_unknown(lx, blank);
        else lx->at += (uint32_t)n;
      }
      continue;
    }
    if (c == '\n') end_line(lx);
    else if (is_digit(c)) lex_number(lx, blank);
    else if (c == '"') lex_string(lx, blank);
    else if (letter_at(lx, lx->at)) lex_name(lx, blank);
    else lex_sign(lx, blank);
    blank = c == '\n';
  }
  if (lx->open.count) report_open(lx);
  lx->at = lx->length;
  push(lx, tok_newline, lx->length, false);
  push(lx, tok_end, lx->length, false);
  Tokens out = {lx->tokens.items, lx->tokens.count};
  return arena_failed(arena) ? (Tokens){0} : out;
}
