// Lexical analysis: text to tokens.
#ifndef VIVA_LANG_LEXER_H
#define VIVA_LANG_LEXER_H

#include "base/diag.h"

typedef enum TokenKind {
  tok_end,
  tok_newline, // a statement's end
  tok_name,
  tok_number,
  tok_string,
  tok_plus,
  tok_minus,
  tok_star,
  tok_slash,
  tok_caret,
  tok_prime,
  tok_lparen,
  tok_rparen,
  tok_lbracket,
  tok_rbracket,
  tok_comma,
  tok_semicolon,
  tok_colon,
  tok_dot,
  tok_bar,
  tok_range,
  tok_equal,
  tok_assign, // =  :=
  tok_eq,
  tok_ne,
  tok_lt,
  tok_le,
  tok_gt,
  tok_ge,
  tok_and,
  tok_or,
  tok_not,
  tok_for,
  tok_bad // already reported
} TokenKind;

typedef struct Token {
  uint8_t kind;      // a TokenKind
  bool blank_before; // white space stands before it
  Span span;
  const char *text; // name, or the string without quotes; NULL else
} Token;

typedef struct Tokens {
  Token *items;
  uint32_t count; // the last one is tok_end
} Tokens;

// Reads a whole source. Everything wrong is reported; what is left is a usable list of tokens.
// The array of tokens is in the arena `room`, their texts in `arena`.
Tokens lex(Arena *arena, Arena *room, const Source *source, uint32_t source_id, Diags *diags);
const char *token_name(TokenKind kind); // for messages: "`)`", "the end of the line"

bool lex_is_letter(uint32_t code); // may it start a name?
char lex_lookalike(uint32_t code); // the Latin letter that a letter of another alphabet looks like; 0: none

#endif
