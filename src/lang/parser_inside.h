// Inside the parser: the cursor and expressions (parse_expr.c), the forms of
// statements (parse_forms.c), statements (parse_stmt.c).
// parts: parse_expr.c parse_range.c parse_forms.c parse_linkage.c parse_body.c parse_ports.c
#ifndef VIVA_LANG_PARSER_INSIDE_H
#define VIVA_LANG_PARSER_INSIDE_H

#include "lang/parser.h"

typedef struct Parser {
  Arena *arena;
  Arena *scratch; // of the statement in work: its items, until their number is known
  Diags *diags;
  const Source *source;
  const Token *tokens;
  uint32_t at;
  uint32_t depth;
  bool point;     // a point begins here: a bracket behind a blank is another one
  bool no_unit;   // a bracket after a number belongs to an outer thing
  uint32_t units; // units met in this expression
  Ast *last_unit; // the node of the last one
} Parser;

static inline const Token *peek(const Parser *p) { return &p->tokens[p->at]; }
static inline const Token *peek_next(const Parser *p) {
  return &p->tokens[peek(p)->kind == tok_end ? p->at : p->at + 1];
}
static inline bool at_kind(const Parser *p, TokenKind kind) { return peek(p)->kind == kind; }
bool parse_at_word(const Parser *p, const char *word);
const Token *parse_advance(Parser *p);
bool parse_accept(Parser *p, TokenKind kind);
bool parse_accept_word(Parser *p, const char *word);
bool parse_expect(Parser *p, TokenKind kind, const char *where); // reports
void parse_unexpected(Parser *p, const char *wanted);            // reports what stands here
void parse_unexpected_word(Parser *p, const char *wanted);       // the same where no formula can stand
// The word of these that the present one is most like, for "did you mean ...?"; NULL: none. A third of it may differ.
const char *parse_nearest(const Parser *p, const char *const *words, size_t count);

Ast *parse_formula(Parser *p);                    // an expression; NULL: reported
Ast *parse_difference(Parser *p, Ast *a, Ast *b); // a - b; NULL: out of memory
// An expression that may carry a unit as a whole, at its end.
Ast *parse_value(Parser *p, const Unit **unit);
Ast *parse_point(Parser *p);            // a name, a vector, or an expression in brackets
bool parse_unit(Parser *p, Unit *unit); // at `[`
// One level deeper, counted in p->depth, which the caller sets back; false: too deep, reported.
bool parse_enter(Parser *p);

// Ranges (ranges.h): a:b, a:h:b, log:a:b:n, a list or a single value.
typedef enum RangeKind { range_interval, range_grid, range_log, range_list } RangeKind;

typedef struct RangeText {
  RangeKind kind;
  Ast *low, *high, *by; // by: the step, or the number of values
  const Unit *low_unit, *high_unit, *by_unit;
  Ast *list; // a list, or the single value
  const Unit *list_unit;
  Span span;
} RangeText;

bool parse_range(Parser *p, RangeText *out); // false: reported
// The unit at the very end, where no other number has one; NULL: none.
const Unit *range_common_unit(const RangeText *t);
// `from 5 to 50 [mm]`: the unit of the last value where the first one is a plain number; NULL: it has its own meaning.
const Unit *range_lent_unit(const Ast *first, const Unit *first_unit, const Ast *last, const Unit *last_unit);
void range_put_ends(const RangeText *t, Item *item); // of an interval: `value` and `until`, each with its unit
bool parse_ends(Parser *p, Item *item);              // the same in a file: `0 .. 10 [mm]`; false: reported
// The same where the values must be known as they are written: the list of them, with its unit. False: reported.
bool parse_values(Parser *p, Ast **value, const Unit **unit);

// Forms of statements, as words.def names them.
typedef bool StmtParse(Parser *p, Stmt *s);
#define STATEMENT(kind, word, parse, declares, stage, visit, units, picture, repeats, line) StmtParse parse_##parse;
#include "lang/words.def"
bool parse_item(Parser *p, Item *item);
bool parse_fit_unknowns(Parser *p, Arena *arena, Stmt *s); // of a `fit`; items live in the arena
bool parse_fit_measured(Parser *p, Stmt *s);
bool parse_item_name(Parser *p, Item *item); // name[index]' alone
uint32_t parse_past_name(const Parser *p);   // the token behind a name with its parts, indices: past link[2].th

#endif
