// Strings that grow, UTF-8.
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

enum { usual_length = 80 }; // of what is printed at once

static bool text_room(Text *text, size_t more) {
  if (text->cap - text->length > more) return true;
  size_t cap = text->cap ? text->cap : 128;
  while (cap - text->length <= more) cap *= 2;
  char *p = arena_grow(text->arena, text->data, text->cap, cap);
  if (!p) return false;
  text->data = p;
  text->cap = cap;
  return true;
}

void text_putn(Text *text, const char *s, size_t length) {
  if (!text_room(text, length)) return;
  if (length) memcpy(text->data + text->length, s, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void text_put(Text *text, const char *s) {
  if (s) text_putn(text, s, strlen(s));
}
void text_putc(Text *text, char c) { text_putn(text, &c, 1); }

void text_pad(Text *text, char c, size_t count) {
  while (count-- > 0) text_putc(text, c);
}

// Into the room that is there; what does not fit is measured by that, and made again.
void text_printf(Text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  bool any = text_room(text, usual_length);
  size_t room = any ? text->cap - text->length : 0;
  int n = number_vformat(any ? text->data + text->length : NULL, room, format, args);
  va_end(args);
  bool fits = n >= 0 && (size_t)n < room;
  if (!fits && n > 0 && text_room(text, (size_t)n)) {
    number_vformat(text->data + text->length, (size_t)n + 1, format, again);
    fits = true;
  }
  if (fits) text->length += (size_t)n;
  else if (any) text->data[text->length] = '\0';
  va_end(again);
}

const char *text_str(const Text *text) { return text->data ? text->data : ""; }

void text_number(Text *text, double value) {
  char out[number_text_size];
  number_print(value, out);
  text_put(text, out);
}

size_t utf8_columns(const char *s, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) n += ((unsigned char)s[i] & 0xC0) != 0x80;
  return n;
}

size_t utf8_decode(const char *s, size_t left, uint32_t *code) {
  const unsigned char *u = (const unsigned char *)s;
  if (left == 0) return 0;
  if (u[0] < 0x80) {
    *code = u[0];
    return 1;
  }
  size_t n = u[0] >= 0xF0 && u[0] < 0xF5 ? 4 : u[0] >= 0xE0 && u[0] < 0xF0 ? 3 : u[0] >= 0xC2 && u[0] < 0xE0 ? 2 : 0;
  if (n == 0 || n > left) return 0;
  uint32_t c = u[0] & (0xFFu >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    if ((u[i] & 0xC0) != 0x80) return 0;
    c = c << 6 | (u[i] & 0x3Fu);
  }
  // overlong forms, surrogates and values beyond Unicode
  if ((n == 3 && c < 0x800) || (n == 4 && (c < 0x10000 || c > 0x10FFFF)) || (c >= 0xD800 && c < 0xE000)) return 0;
  *code = c;
  return n;
}

bool utf8_is_plain(uint32_t code) {
  bool control = code < 32 || (code >= 127 && code < 160);
  bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x200E ||
               code == 0x200F || code == 0x61C;
  bool ends = code == 0x2028 || code == 0x2029 || code == 0xFEFF;
  return !control && !turns && !ends;
}

void text_put_plain(Text *text, const char *s, size_t length) {
  while (length) {
    uint32_t code;
    size_t n = utf8_decode(s, length, &code);
    if (n && utf8_is_plain(code)) text_putn(text, s, n);
    else text_putc(text, '?');
    s += n ? n : 1;
    length -= n ? n : 1;
  }
}

void text_put_markup(Text *text, const char *s, size_t length) {
  for (size_t i = 0, n; i < length; i += n) {
    uint32_t code;
    n = utf8_decode(s + i, length - i, &code);
    bool valid = n > 0;
    if (!valid) code = 0xFFFD, n = 1;
    bool kept = code == '\t' || code == '\n' || utf8_is_plain(code);
    if (code == '<') text_put(text, "&lt;");
    else if (code == '>') text_put(text, "&gt;");
    else if (code == '&') text_put(text, "&amp;");
    else if (code == '"') text_put(text, "&quot;");
    else if (code == '\r') text_putc(text, ' ');
    else if (valid && kept && code != 0xFFFE && code != 0xFFFF) text_putn(text, s + i, n);
    else text_put(text, "\xEF\xBF\xBD");
  }
}
