// Parser: tokens to statements, each a syntax tree.
// parts: parse_stmt.c
#ifndef VIVA_LANG_PARSER_H
#define VIVA_LANG_PARSER_H

#include "lang/ast.h"
#include "lang/lexer.h"

// Reads a whole model. Reports all errors; broken statements are left out or marked.
void parse_program(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Program *program);
// Reads `name = value` of a command line (--set, --input). False when it was reported as wrong.
bool parse_setting(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Item *item);
// Reads `k=0:10, c` (--free), `x sd 0.01, th' = "gyro"` (--by) of a command line behind what a `fit` has. False when it
// was reported as wrong.
bool parse_unknowns(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Stmt *fit);
bool parse_measured(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Stmt *fit);

#endif
