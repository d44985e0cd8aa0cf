// Diagnostics: what is wrong with the user's text, where, and what to do.
#ifndef VIVA_BASE_DIAG_H
#define VIVA_BASE_DIAG_H

#include "base/source.h"
#include "base/text.h"

typedef enum DiagCode {
#define DIAG(name, meaning) diag_##name,
#include "base/diag.def"
#undef DIAG
  diag_code_count
} DiagCode;

typedef struct Diag {
  DiagCode code;
  bool warning;
  Span span;
  uint32_t file; // Source.file of its location
  const char *message;
  const char *hint; // NULL: none
  Span also;        // a second span, with its own message; nowhere: none
  const char *also_words;
} Diag;

typedef struct Diags {
  Arena *arena;
  const Sources *sources;
  VEC(Diag) list;
  uint32_t errors;
} Diags;

enum { diag_most = 100 }; // more than this many are counted, not kept

void diag_error(Diags *diags, DiagCode code, Span span, const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_warning(Diags *diags, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// A hint to the diagnostic just made.
void diag_hint(Diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds a second span to the diagnostic just made.
void diag_also(Diags *diags, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

const char *diag_code_name(DiagCode code);
void diag_sort(Diags *diags);                                          // by location; repeated ones go
void diag_format(const Sources *sources, const Diag *diag, Text *out); // file:line:col, line, caret, notes, hint

#endif
