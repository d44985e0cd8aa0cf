// A growing string inside an arena. Locale never matters here (base/number.h).
#ifndef VIVA_BASE_TEXT_H
#define VIVA_BASE_TEXT_H

#include "base/arena.h"
#include "base/number.h"

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
const char *text_str(const Text *text); // "" when nothing was put or memory is out

void text_number(Text *text, double value);

size_t utf8_columns(const char *s, size_t length); // code points in valid UTF-8
// Length of the valid UTF-8 sequence at s (1 to 4), 0 when it is not one; the code point goes to *code.
size_t utf8_decode(const char *s, size_t left, uint32_t *code);

// What a screen obeys instead of showing it: controls, marks that turn the direction of writing, breaks of lines.
bool code_is_control(uint32_t code);
// Text from outside for a person: such characters, and bytes that are no UTF-8, become visible, as \x1b or \u202e.
void text_put_shown(Text *text, const char *s, size_t length);
// The same for markup, where they become the replacement character; < > & " are escaped, tabs and ends of lines kept.
void text_put_markup(Text *text, const char *s, size_t length);

// How far two words are apart: insertions, deletions, changes and swaps of neighbours.
unsigned word_distance(const char *a, const char *b);

#endif
