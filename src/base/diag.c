// Diagnostics: kept in the order in which they come, sorted by location at the end, written with their line and a
// caret.
//
// The first `diag_most` are kept, all errors are counted. Messages pass through text_put_plain: what comes from the
// text of a user cannot move the cursor of a terminal. Sorting is by file and location; of equal ones the first stays.
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const code_names[] = {
#define DIAG(name, meaning) #name,
#include "base/diag.def"
#undef DIAG
};

const char *diag_code_name(DiagCode code) { return code < diag_code_count ? code_names[code] : "none"; }

static char *format_in(Arena *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = number_vformat(NULL, 0, format, args);
  char *p = n < 0 ? NULL : arena_alloc(arena, (size_t)n + 1);
  if (p) number_vformat(p, (size_t)n + 1, format, again);
  va_end(again);
  if (!p) return NULL;
  // names, paths and cells of other people's files stand in it
  Text plain = text_in(arena);
  text_put_plain(&plain, p, (size_t)n);
  return arena_strndup(arena, text_str(&plain), plain.length);
}

static void diag_add(Diags *diags, DiagCode code, bool warning, Span span, const char *format, va_list args) {
  if (!warning) diags->errors++;
  if (diags->list.count >= diag_most) return;
  const Source *source = source_get(diags->sources, span);
  Diag d = {.code = code,
            .warning = warning,
            .span = span,
            .file = source ? source->file : 0,
            .message = format_in(diags->arena, format, args)};
  if (d.message) vec_push(diags->arena, &diags->list, d);
}

void diag_error(Diags *diags, DiagCode code, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_add(diags, code, false, span, format, args);
  va_end(args);
}

void diag_warning(Diags *diags, DiagCode code, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_add(diags, code, true, span, format, args);
  va_end(args);
}

void diag_hint(Diags *diags, const char *format, ...) {
  if (diags->list.count == 0 || diags->list.count >= diag_most) return;
  va_list args;
  va_start(args, format);
  diags->list.items[diags->list.count - 1].hint = format_in(diags->arena, format, args);
  va_end(args);
}

void diag_also(Diags *diags, Span span, const char *format, ...) {
  if (diags->list.count == 0 || diags->list.count >= diag_most) return;
  Diag *d = &diags->list.items[diags->list.count - 1];
  va_list args;
  va_start(args, format);
  d->also_words = format_in(diags->arena, format, args);
  va_end(args);
  d->also = span;
}

static int same_place(const Diag *x, const Diag *y) {
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
  return strcmp(x->message, y->message);
}

static int by_place(const void *a, const void *b) {
  const Diag *x = a, *y = b;
  int order = same_place(x, y);
  if (order) return order;
  return x->span.source < y->span.source ? -1 : x->span.source > y->span.source;
}

void diag_sort(Diags *diags) {
  if (diags->list.count < 2) return;
  qsort(diags->list.items, diags->list.count, sizeof(Diag), by_place);
  uint32_t kept = 1;
  for (uint32_t i = 1; i < diags->list.count; i++) {
    if (same_place(&diags->list.items[i], &diags->list.items[kept - 1]) == 0) continue;
    diags->list.items[kept++] = diags->list.items[i];
  }
  diags->list.count = kept;
}

// A line as it stands, but for tabs, and for what is not plain.
static void put_line(Text *out, const char *s, size_t length) {
  for (size_t i = 0, n; i < length; i += n) {
    for (n = 0; i + n < length && s[i + n] != '\t';) n++;
    text_put_plain(out, s + i, n);
    if (i + n < length) text_putc(out, ' '), n++;
  }
}

// How many columns it takes there: bytes that are not UTF-8 take one each.
static size_t columns(const char *s, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; count++) {
    uint32_t code;
    size_t n = utf8_decode(s + i, length - i, &code);
    i += n ? n : 1;
  }
  return count;
}

// The line with a caret under the span; a very long line is shown around the span only.
static void format_line(const Source *source, Place place, Span span, Text *out) {
  enum { before = 80, after = 100 };
  size_t start = place.line_start, end = place.line_end;
  size_t from = span.start > start + before ? span.start - before : start;
  size_t to = end > span.start + after ? span.start + after : end;
  while (from > start && ((unsigned char)source->text[from] & 0xC0) == 0x80) from--;
  while (to < end && ((unsigned char)source->text[to] & 0xC0) == 0x80) to++;
  text_put(out, "  ");
  if (from > start) text_put(out, "...");
  put_line(out, source->text + from, to - from);
  if (to < end) text_put(out, "...");
  text_put(out, "\n  ");
  if (from > start) text_put(out, "   ");
  size_t at = span.start < to ? span.start : to;
  text_pad(out, ' ', columns(source->text + from, at - from));
  size_t stop = span.end < to ? span.end : to;
  size_t width = stop > at ? columns(source->text + at, stop - at) : 1;
  text_putc(out, '^');
  if (width > 1) text_pad(out, '~', width - 1);
  text_putc(out, '\n');
}

// The line of a text that was made from the user's.
static void format_made(const Sources *sources, Span span, Text *out) {
  const Source *source = source_get(sources, span);
  Place p = source_place(source, span.start);
  text_put(out, "  note: it reads as\n");
  format_line(source, p, span, out);
}

void diag_format(const Sources *sources, const Diag *diag, Text *out) {
  Span span = source_origin(sources, diag->span);
  const Source *source = source_get(sources, span);
  if (source) {
    Place p = source_place(source, span.start);
    put_line(out, source->name, strlen(source->name));
    text_printf(out, ":%u:%u: ", p.line, p.column);
    text_printf(out, "%s: %s\n", diag->warning ? "warning" : "error", diag->message);
    if (p.line_end > p.line_start) format_line(source, p, span, out);
    if (span.source != diag->span.source) format_made(sources, diag->span, out);
  } else {
    text_put(out, diag->warning ? "warning: " : "error: ");
    text_put_plain(out, diag->message, strlen(diag->message)); // it may be another's, with a path in it
    text_putc(out, '\n');
  }
  const Source *second = diag->also_words ? source_get(sources, diag->also) : NULL;
  if (second) {
    Place p = source_place(second, diag->also.start);
    put_line(out, second->name, strlen(second->name));
    text_printf(out, ":%u:%u: note: %s\n", p.line, p.column, diag->also_words);
    format_line(second, p, diag->also, out);
  }
  // how a part came in, from the inside out
  while (source && source->use.source) {
    const Source *user = source_get(sources, source->use);
    text_printf(out, "  note: used as `%s` at ", source->used_as);
    put_line(out, user->name, strlen(user->name));
    text_printf(out, ":%u\n", source_place(user, source->use.start).line);
    source = user;
  }
  if (diag->hint) text_printf(out, "  hint: %s\n", diag->hint);
}
