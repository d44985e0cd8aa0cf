// Inside the parser: what expressions and statements share.
#ifndef VIVA_LANG_PARSE_H
#define VIVA_LANG_PARSE_H

#include "lang/parser.h"

typedef struct Parser {
  Arena *arena;
  Diags *diags;
  const Source *source;
  const Token *tokens;
  uint32_t at;
  uint32_t depth;
  bool later;     // something of a later version was met
  bool no_unit;   // a bracket after a number belongs to an outer thing
  uint32_t units; // units met in this expression
  Ast *last_unit; // the node of the last one
} Parser;

static inline const Token *peek(const Parser *p) { return &p->tokens[p->at]; }
static inline const Token *peek_next(const Parser *p) {
  return &p->tokens[peek(p)->kind == tok_end ? p->at : p->at + 1];
}
static inline bool at_kind(const Parser *p, TokenKind kind) { return peek(p)->kind == kind; }
bool at_word(const Parser *p, const char *word);
const Token *advance(Parser *p);
bool accept(Parser *p, TokenKind kind);
bool accept_word(Parser *p, const char *word);
bool expect(Parser *p, TokenKind kind, const char *where); // reports
void unexpected(Parser *p, const char *wanted);            // reports what stands here
void unexpected_word(Parser *p, const char *wanted);       // the same where no formula can stand

Ast *parse_expression(Parser *p); // NULL: reported
// An expression that may carry a unit as a whole, at its end.
Ast *parse_value(Parser *p, Unit *unit);
Ast *parse_point(Parser *p);            // a name, a vector, or an expression in brackets
bool parse_unit(Parser *p, Unit *unit); // at `[`
// One level deeper, counted in p->depth, which the caller sets back; false: too deep, reported.
bool enter(Parser *p);

#endif
