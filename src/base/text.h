// A growing string inside an arena. Locale never matters here (base/number.h).
#ifndef VIVA_BASE_TEXT_H
#define VIVA_BASE_TEXT_H

#include "base/arena.h"
#include "base/number.h"
#include "base/words.h"

typedef struct Text {
  Arena *arena;
  char *data; // always ends in NUL once something was put; NULL before
  size_t length, cap;
} Text;

static inline Text text_in(Arena *arena) { return (Text){.arena = arena}; }
void text_put(Text *text, const char *s); // NULL: memory was out, nothing is put
void text_putn(Text *text, const char *s, size_t length);
void text_putc(Text *text, char c);
void text_pad(Text *text, char c, size_t count);
void text_printf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_str(const Text *text); // "" when nothing was put or out of memory

void text_number(Text *text, double value);

size_t utf8_columns(const char *s, size_t length); // code points in valid UTF-8
// Length of the valid UTF-8 sequence at s (1 to 4), 0 when it is not one; the code point goes to *code.
size_t utf8_decode(const char *s, size_t left, uint32_t *code);

// Whether a character only shows itself: no control character (also those of a terminal beyond 127), none that reverses
// the direction of a line or ends it.
bool utf8_is_plain(uint32_t code);
// The same text for messages: what is not plain, or not UTF-8, becomes `?`.
void text_put_plain(Text *text, const char *s, size_t length);
// The same for markup, where it becomes the replacement character; < > & " are escaped, tabs and ends of lines kept.
void text_put_markup(Text *text, const char *s, size_t length);

#endif
