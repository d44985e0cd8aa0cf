// Precision points of a synthesis: what is to pass which positions, as an option of the command line says it:
//
//   P=[0, 1; 1, 1.2; 2, 1]    a vector: a row a point; one point may be a row alone
//   BC.angle=[10, 20, 30] [deg]    a number: a value a point
#ifndef VIVA_LANG_TARGETS_H
#define VIVA_LANG_TARGETS_H

#include "lang/scope.h"

typedef struct PassTarget {
  const char *name; // as written; NULL: it was reported
  Value place;
  uint32_t count;        // points
  const double *numbers; // a row of value_count(&place) numbers a point
  Span span, name_span;
} PassTarget;

// Problems are in scope->model.diags. False: out of memory.
bool target_read(TextScope *scope, const char *option, const char *text, PassTarget *out);

#endif
