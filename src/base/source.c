// Texts with names, and places in them.
//
// in    texts of files, and texts made from them (an imported file, a part that is used)
// out   a Span is a source and two offsets; its line and column are counted when somebody asks
//
// A source that was made from another knows where it came from, so that a message can show both.
#include "base/source.h"

#include "base/text.h"

#include <string.h>

uint32_t source_add(Sources *sources, const char *name, const char *text, size_t length) {
  Source s = {.name = arena_strndup(sources->arena, name, strlen(name)),
              .text = arena_strndup(sources->arena, text, length),
              .length = length,
              .file = sources->list.count + 1};
  if (!s.name || !s.text || !vec_push(sources->arena, &sources->list, s)) return 0;
  return sources->list.count;
}

uint32_t source_again(Sources *sources, uint32_t source) {
  const Source *old = &sources->list.items[source - 1];
  Source s = {.name = old->name, .text = old->text, .length = old->length, .file = old->file};
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
  Place p = {.line = 1};
  for (const char *at = source->text, *stop = source->text + offset;;) {
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
