// C identifiers for the names of a model: letters, digits and _, no word of C or of the text around them, each once.
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

// ---- names that were given

// Where a name stands, or would.
static const char **place(const EmitNames *n, const char *name) {
  uint64_t hash = 1469598103934665603u; // FNV-1a
  for (const char *s = name; *s; s++) hash = (hash ^ (unsigned char)*s) * 1099511628211u;
  uint32_t at = (uint32_t)(hash ^ hash >> 32) & (n->size - 1);
  while (n->table[at] && strcmp(n->table[at], name) != 0) at = (at + 1) & (n->size - 1);
  return &n->table[at];
}

static bool grow(EmitNames *n) {
  EmitNames more = {.arena = n->arena, .size = n->size ? 2 * n->size : 64, .count = n->count};
  more.table = arena_array(n->arena, more.size, sizeof *more.table);
  if (!more.table) return false;
  for (uint32_t i = 0; i < n->size; i++) {
    if (n->table[i]) *place(&more, n->table[i]) = n->table[i];
  }
  *n = more;
  return true;
}

const char *emit_name(EmitNames *taken, const char *name) {
  Text t = text_in(taken->arena);
  for (const char *s = name; *s; s++) {
    unsigned char c = (unsigned char)*s;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
    if (letter || (digit && s > name) || (c == '_' && s > name)) text_putc(&t, (char)c);
    else if (c == '\'') text_put(&t, "_d");
    else if (c >= 128) text_printf(&t, "u%02x", c);
    else if (c != ']') text_putc(&t, s > name ? '_' : 'x');
  }
  if (2 * taken->count >= taken->size && !grow(taken)) return NULL;
  if (reserved(text_str(&t))) text_putc(&t, '_');
  while (!arena_failed(taken->arena) && *place(taken, text_str(&t))) text_putc(&t, '_');
  if (arena_failed(taken->arena)) return NULL;
  taken->count++;
  return *place(taken, text_str(&t)) = text_str(&t);
}
