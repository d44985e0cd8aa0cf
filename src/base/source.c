// Source texts, and where in them a byte stands.
//
// A location is asked for by its offset; its line is the number of line ends before it. Every 64th start of a line is
// noted when the text comes in, so a search among these and at most 64 lines read give the answer. Columns count
// characters.
#include "base/source.h"

#include "base/text.h"

#include <string.h>

enum { lines_a_mark = 64 };

// Where lines 1, 65, 129, ... start. False: out of memory.
static bool mark_lines(Arena *arena, Source *s) {
  uint32_t lines = 1, line = 0;
  for (const char *at = s->text; (at = memchr(at, '\n', (size_t)(s->text + s->length - at))); at++) lines++;
  uint32_t *marks = arena_array(arena, (lines - 1) / lines_a_mark + 1, sizeof *marks);
  if (!marks) return false;
  const char *at = s->text;
  for (; at; line++) {
    if (line % lines_a_mark == 0) marks[s->mark_count++] = (uint32_t)(at - s->text);
    at = memchr(at, '\n', (size_t)(s->text + s->length - at));
    if (at) at++;
  }
  s->marks = marks;
  return true;
}

uint32_t source_add(Sources *sources, const char *name, const char *text, size_t length) {
  Source s = {.name = arena_strndup(sources->arena, name, strlen(name)),
              .text = arena_strndup(sources->arena, text, length),
              .length = length,
              .file = sources->list.count + 1};
  if (!s.name || !s.text || !mark_lines(sources->arena, &s) || !vec_push(sources->arena, &sources->list, s)) return 0;
  return sources->list.count;
}

uint32_t source_again(Sources *sources, uint32_t source) {
  const Source *old = &sources->list.items[source - 1];
  Source s = {.name = old->name,
              .text = old->text,
              .length = old->length,
              .file = old->file,
              .marks = old->marks,
              .mark_count = old->mark_count};
  return vec_push(sources->arena, &sources->list, s) ? sources->list.count : 0;
}

const Source *source_get(const Sources *sources, Span span) {
  return span.source && span.source <= sources->list.count ? &sources->list.items[span.source - 1] : NULL;
}

Span span_join(Span a, Span b) {
  if (!a.source) return b;
  if (a.source != b.source) return a;
  return (Span){a.source, a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

Place source_place(const Source *source, uint32_t offset) {
  if (offset > source->length) offset = (uint32_t)source->length;
  uint32_t low = 0, high = source->mark_count;
  while (high - low > 1) { // the last mark that does not lie behind
    uint32_t middle = low + (high - low) / 2;
    if (source->marks[middle] <= offset) low = middle;
    else high = middle;
  }
  Place p = {.line = 1 + low * lines_a_mark, .line_start = source->mark_count ? source->marks[low] : 0};
  for (const char *at = source->text + p.line_start, *stop = source->text + offset;;) {
    const char *nl = memchr(at, '\n', (size_t)(stop - at));
    if (!nl) break;
    p.line++;
    at = nl + 1;
    p.line_start = (size_t)(at - source->text);
  }
  const char *end = memchr(source->text + p.line_start, '\n', source->length - p.line_start);
  p.line_end = end ? (size_t)(end - source->text) : source->length;
  if (p.line_end > p.line_start && source->text[p.line_end - 1] == '\r') p.line_end--;
  p.column = 1 + (uint32_t)utf8_columns(source->text + p.line_start, offset - p.line_start);
  return p;
}

Span source_origin(const Sources *sources, Span span) {
  const Source *source = source_get(sources, span);
  if (!source || !source->origins) return span;
  uint32_t line = source_place(source, span.start).line;
  Span from = line <= source->origin_count ? source->origins[line - 1] : (Span){0};
  return from.source ? from : span;
}

uint32_t source_line(const Sources *sources, Span span) {
  span = source_origin(sources, span);
  const Source *source = source_get(sources, span);
  return source ? source_place(source, span.start).line : 0;
}
