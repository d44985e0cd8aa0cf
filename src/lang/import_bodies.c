// Mechanisms of other formats as text.
//
// A name of a file becomes one of the language: what is no letter, digit or `_` becomes `_`; one that starts otherwise
// than with a letter gets an `n` before it, one that means something else already a `_` behind it. Where two would be
// alike the later one gets a number.
#include "lang/import_bodies.h"

#include "lang/lexer.h"
#include "lang/words.h"

#include <string.h>

enum { longest_name = 120 };

// ---- names

static uint32_t hash(const char *s) {
  uint32_t h = 2166136261u;
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

// The slot of a name, or the free slot that it would take.
static uint32_t place(const BodyNames *n, const char *name) {
  uint32_t at = hash(name) & (n->size - 1);
  while (n->table[at] && strcmp(n->table[at], name) != 0) at = (at + 1) & (n->size - 1);
  return at;
}

static bool make_room(BodyWriter *w) {
  BodyNames *n = &w->names;
  if (n->size && n->count * 2 < n->size) return true;
  BodyNames more = {.size = n->size ? n->size * 2 : 64, .count = n->count};
  more.table = arena_array(w->arena, more.size, sizeof *more.table);
  if (!more.table) return false;
  for (uint32_t i = 0; i < n->size; i++) {
    if (n->table[i]) more.table[place(&more, n->table[i])] = n->table[i];
  }
  *n = more;
  return true;
}

// Words that a name of a body or coordinate must not be.
static bool is_taken(const char *name) {
  static const char *const words[] = {"ground", "energy", "lambda", "and", "or", "not", "for", "x", "y", "z"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i], name) == 0) return true;
  }
  return word_reserved(name) != NULL;
}

static const char *mangled(Arena *arena, const char *wanted) {
  Text t = text_in(arena);
  size_t left = strlen(wanted);
  for (const char *s = wanted; left && t.length < longest_name;) {
    uint32_t code;
    size_t n = utf8_decode(s, left, &code);
    bool digit = *s >= '0' && *s <= '9', letter = n && lex_is_letter(code);
    if (!t.length && !letter) text_putc(&t, 'n');
    if (letter) text_putn(&t, s, n);
    else text_putc(&t, digit ? *s : '_');
    if (!n) n = 1;
    s += n;
    left -= n;
  }
  if (!t.length) text_putc(&t, 'n');
  if (is_taken(text_str(&t))) text_putc(&t, '_');
  return text_str(&t);
}

const char *bodies_name(BodyWriter *w, const char *wanted) {
  if (!make_room(w)) return NULL;
  const char *base = mangled(w->arena, wanted), *name = base;
  if (arena_failed(w->arena)) return NULL;
  for (uint32_t k = 2; w->names.table[place(&w->names, name)]; k++) {
    name = arena_printf(w->arena, "%s_%u", base, k);
    if (!name) return NULL;
  }
  w->names.table[place(&w->names, name)] = name;
  w->names.count++;
  return name;
}

const char *bodies_name_or(BodyWriter *w, const char *wanted, const char *ending) {
  if (!make_room(w)) return NULL;
  const char *name = mangled(w->arena, wanted);
  if (arena_failed(w->arena)) return NULL;
  if (w->names.table[place(&w->names, name)]) name = arena_printf(w->arena, "%s_%s", name, ending);
  return name ? bodies_name(w, name) : NULL;
}

// ---- lines

void bodies_number(BodyWriter *w, double value) {
  char digits[number_text_size];
  number_print(value == 0 ? 0 : value, digits); // no -0
  text_put(&w->out->text, digits);
}

void bodies_end(BodyWriter *w, Span from) {
  text_putc(&w->out->text, '\n');
  vec_push(w->arena, &w->out->origin, from);
}

void bodies_line(BodyWriter *w, const char *text) {
  text_put(&w->out->text, text);
  bodies_end(w, (Span){0});
}

void bodies_note(BodyWriter *w, const char *text) {
  text_put(&w->out->text, "  # ");
  text_put_plain(&w->out->text, text, strlen(text));
}

void bodies_title(BodyWriter *w, const char *title, Span from) {
  Text plain = text_in(w->arena);
  for (const char *s = title; *s; s++) text_putc(&plain, *s == '"' ? '\'' : *s);
  text_put(&w->out->text, "title \"");
  text_put_plain(&w->out->text, text_str(&plain), plain.length);
  text_putc(&w->out->text, '"');
  bodies_end(w, from);
}

static void put_unit(BodyWriter *w, const char *unit) {
  if (unit) text_printf(&w->out->text, " [%s]", unit);
}

void bodies_param(BodyWriter *w, const char *name, double value, const char *unit, Span from, const char *note) {
  text_printf(&w->out->text, "param %s = ", name);
  bodies_number(w, value);
  put_unit(w, unit);
  if (note) bodies_note(w, note);
  bodies_end(w, from);
}

// ---- bodies

static void put_list(BodyWriter *w, const double *list, uint32_t count) {
  text_putc(&w->out->text, '[');
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(&w->out->text, ", ");
    bodies_number(w, list[i]);
  }
  text_putc(&w->out->text, ']');
}

static bool is_zero(const double *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i] != 0) return false;
  }
  return true;
}

static void put_axis(BodyWriter *w, const double axis[3]) {
  static const char *const letters[] = {"x", "y", "z"};
  for (int i = 0; i < 3; i++) {
    if (axis[i] != 1 || axis[(i + 1) % 3] != 0 || axis[(i + 2) % 3] != 0) continue;
    text_printf(&w->out->text, "(%s)", letters[i]);
    return;
  }
  text_putc(&w->out->text, '(');
  put_list(w, axis, 3);
  text_putc(&w->out->text, ')');
}

void bodies_write(BodyWriter *w, const ImportBody *b) {
  Text *t = &w->out->text;
  text_printf(t, "body %s on %s by %s", b->name, b->parent, b->joint);
  if (b->axis) put_axis(w, b->axis);
  if (b->coordinates) text_printf(t, " %s", b->coordinates);
  if (!is_zero(b->at, 3)) {
    text_put(t, " at ");
    put_list(w, b->at, 3);
    put_unit(w, b->at_unit);
  }
  if (!is_zero(b->turned, 3)) {
    text_put(t, " rotated ");
    put_list(w, b->turned, 3);
  }
  if (b->mass) text_put(t, " with");
  if (b->note) bodies_note(w, b->note);
  bodies_end(w, b->span);
  if (!b->mass) return;
  text_printf(t, "  mass = %s", b->mass);
  if (!is_zero(b->com, 3)) {
    text_put(t, ", com = ");
    put_list(w, b->com, 3);
    put_unit(w, b->com_unit);
  }
  if (!is_zero(b->inertia, 6)) {
    text_put(t, ", inertia = ");
    put_list(w, b->inertia, 6);
    put_unit(w, b->inertia_unit);
  }
  bodies_end(w, b->span);
}
