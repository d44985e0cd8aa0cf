// What an importer is given, and what it makes: the text of a model with the spans that its lines came from.
#ifndef VIVA_LANG_IMPORTED_H
#define VIVA_LANG_IMPORTED_H

#include "base/diag.h"

// An input whose value the file does not hold.
typedef struct ImportAssumed {
  const char *input; // its name in the model
  const char *text;  // what is said of it
  Span span;
} ImportAssumed;

typedef struct Imported {
  Text text;        // the model
  VEC(Span) origin; // where each of its lines came from; no source: nowhere
  VEC(ImportAssumed) assumed;
} Imported;

// What is read, and what for.
typedef struct ImportFrom {
  const Sources *sources;
  uint32_t source;
  bool part;   // of another model, which has its own gravity
  bool limits; // those of joints become stops
} ImportFrom;

#endif
