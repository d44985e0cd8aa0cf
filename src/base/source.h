// Source texts and spans in them.
#ifndef VIVA_BASE_SOURCE_H
#define VIVA_BASE_SOURCE_H

#include "base/arena.h"

// A span in a text: bytes start .. end - 1 of one source. Zero is "nowhere".
typedef struct Span {
  uint32_t source; // index into Sources plus one; 0 is nowhere
  uint32_t start, end;
} Span;

// A file that is used as a part twice is two sources that share their text.
typedef struct Source {
  const char *name; // as the user wrote it: a path, or "--set"
  const char *text; // ends in NUL
  size_t length;
  uint32_t file;       // the first source with this text, index plus one
  bool option;         // of the command line, not a file
  Span use;            // the statement that brought a part in; nowhere: none
  const char *used_as; // the part's name there
  const Span *origins; // of a text made from another: where each of its lines came from; NULL: it is no such text
  uint32_t origin_count;
  const uint32_t
      *marks; // where every 64th line starts, so that a line's number is found without reading all of the text
  uint32_t mark_count;
} Source;

typedef struct Sources {
  Arena *arena;
  VEC(Source) list;
} Sources;

// Name and text are copied. Returns the index plus one, 0 when out of memory.
uint32_t source_add(Sources *sources, const char *name, const char *text, size_t length);
// The same text once more. Returns the index plus one, 0 when out of memory.
uint32_t source_again(Sources *sources, uint32_t source);
const Source *source_get(const Sources *sources, Span span); // NULL for nowhere
Span span_join(Span a, Span b);
// Where the text of a span was made from; the span itself where it is the user's own.
Span source_origin(const Sources *sources, Span span);

typedef struct Place {
  uint32_t line, column;       // from 1; the column counts characters
  size_t line_start, line_end; // bytes of the line, without its end
} Place;
Place source_place(const Source *source, uint32_t offset);
// The line of a span, where its text was made from; 0: nowhere.
uint32_t source_line(const Sources *sources, Span span);

#endif
