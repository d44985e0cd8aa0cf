// Texts in the names of a loaded model: equations of a user, with their spans.
#ifndef VIVA_LANG_SCOPE_H
#define VIVA_LANG_SCOPE_H

#include "lang/elab.h"
#include "lang/parser_inside.h"

// What the left side of an equation names.
typedef enum ScopeLeft {
  left_expression,
  left_kinetic,    // T = ...
  left_potential,  // V = ...
  left_lagrangian, // L = ...
  left_energy,     // E = ...
  left_mass        // M(i, j) = ...
} ScopeLeft;

typedef struct ScopeEquation {
  ScopeLeft left;
  int64_t row, col; // of left_mass, from 1
  ExprId lhs, rhs;  // lhs is 0 unless left_expression
  Span span, left_span;
  const char *text;                      // as written
  uint32_t first_division, end_division; // into the model's divisions
  uint32_t first_part, end_part;         // into elab.parts: values of all its parts as they are written
} ScopeEquation;

// A value for one of the quantities of a run: name = value.
typedef struct ScopeValue {
  SymbolId symbol; // of a coordinate, velocity, state, input, rate of an input, or the time
  ExprId value;    // of numbers and parameters
  Span span;
} ScopeValue;

// A copy of a loaded model that may grow; the model stays as it is. Its expressions keep their ids.
typedef struct TextScope {
  Model model; // problems of the texts are in model.diags
  Elab elab;
  VEC(ScopeEquation) equations;
  VEC(ScopeValue) values;
} TextScope;

bool scope_open(TextScope *scope, Arena *arena, const Model *model); // false: out of memory
// The tokens of a text of the command line. False: out of memory.
bool scope_tokens(TextScope *scope, const char *option, const char *text, Parser *p);
// Reads equations, one a statement, into scope->equations. False: out of memory.
bool scope_read(TextScope *scope, const char *name, const char *text, size_t length);
// Reads `name = value, name = value, ...` of a command line's option into scope->values; one of the same name replaces
// that of an earlier text, and is an error within one. False: out of memory.
bool scope_read_values(TextScope *scope, const char *option, const char *text);
// Reads `Q = ..., R = ...`: names of the caller, with numbers, vectors or matrices of numbers (parameters count with
// their values) as values; one that was not said stays as it is in `out`. False: out of memory.
bool scope_read_matrices(TextScope *scope, const char *option, const char *text, const char *const *names,
                         uint32_t count, Value *out);

#endif
