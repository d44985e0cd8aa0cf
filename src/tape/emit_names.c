// Names of the model as names of C: letters, digits and _, no word of C or of the text around them, each once.
#include "tape/emit_c.h"

#include <string.h>

static bool reserved(const char *s) {
  static const char *const words[] = {"auto",    "break",  "case",     "char",   "const",    "continue", "default",
                                      "do",      "double", "else",     "enum",   "extern",   "float",    "for",
                                      "goto",    "if",     "inline",   "int",    "long",     "register", "restrict",
                                      "return",  "short",  "signed",   "sizeof", "static",   "struct",   "switch",
                                      "typedef", "union",  "unsigned", "void",   "volatile", "while",    "w",
                                      "a",       "NAN",    "INFINITY", "main",   "errno",    "assert"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i], s) == 0) return true;
  }
  if (strncmp(s, "viva_", 5) == 0 || strncmp(s, "VIVA_", 5) == 0 || strncmp(s, "M_", 2) == 0 ||
      strncmp(s, "FP_", 3) == 0)
    return true;
  return (*s == 'r' || *s == 'p') && s[1] && strspn(s + 1, "0123456789") == strlen(s + 1);
}

const char *emit_name(Arena *arena, const char *name, const char *const *taken, uint32_t count) {
  Text t = text_in(arena);
  for (const char *s = name; *s; s++) {
    unsigned char c = (unsigned char)*s;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
    if (letter || (digit && s > name) || (c == '_' && s > name)) text_putc(&t, (char)c);
    else if (c == '\'') text_put(&t, "_d");
    else if (c >= 128) text_printf(&t, "u%02x", c);
    else if (c != ']') text_putc(&t, s > name ? '_' : 'x');
  }
  if (reserved(text_str(&t))) text_putc(&t, '_');
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(taken[i], text_str(&t)) != 0) continue;
    text_putc(&t, '_');
    i = UINT32_MAX; // from the start again
  }
  return arena_failed(arena) ? NULL : text_str(&t);
}
