// A model's text with fitted values. See fitted.h.
//
// how   The statement that gives a value is found by its name, and its number replaced, in the unit that stands behind
//       it. The last statement that says a start counts, as it does for the model.
#include "lang/fitted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A piece of the text and its replacement.
typedef struct Change {
  uint32_t start, end;
  const char *text;
} Change;
typedef VEC(Change) Changes;

static bool says_start(const Stmt *s) { return s->kind == stmt_coord || s->kind == stmt_state; }
static bool says_init(const Stmt *s) { return s->kind == stmt_init || s->kind == stmt_guess; }

// Does this item say the value of the name?
static bool is_said(const Stmt *s, const Item *item, const char *name, size_t length, bool rate) {
  if (s->kind != stmt_param && !says_start(s) && !says_init(s)) return false;
  if (item->path.count || item->index || strlen(item->name) != length || strncmp(item->name, name, length) != 0)
    return false;
  if (!says_init(s)) return !rate && !item->primes;
  return item->primes == (rate ? 1u : 0u) && item->value;
}

static const Item *find_item(const Model *m, const char *name, bool rate, const Stmt **at) {
  size_t length = strlen(name) - rate;
  const Item *found = NULL;
  for (uint32_t i = 0; i < m->program->statements.count; i++) {
    const Stmt *s = &m->program->statements.items[i];
    for (uint32_t k = 0; !s->broken && !s->fors.count && k < s->items.count; k++) {
      const Item *item = &s->items.items[k];
      if (item->name_span.source != 1 || !is_said(s, item, name, length, rate)) continue;
      if (found && !item->value) continue;
      found = item;
      *at = s;
    }
  }
  return found;
}

// ---- cases

static const Stmt *find_case(const Model *m, const char *name) {
  for (uint32_t i = 0; i < m->program->statements.count; i++) {
    const Stmt *s = &m->program->statements.items[i];
    if (s->kind == stmt_case && !s->broken && s->span.source == 1 && strcmp(s->name, name) == 0) return s;
  }
  return NULL;
}

static const Item *find_in_case(const Stmt *s, const char *name, bool rate) {
  size_t length = strlen(name) - rate;
  for (uint32_t k = 0; k < s->items.count; k++) {
    const Item *item = &s->items.items[k];
    if (item->path.count || item->index || item->primes != (rate ? 1u : 0u)) continue;
    if (strlen(item->name) == length && strncmp(item->name, name, length) == 0) return item;
  }
  return NULL;
}

static const char *number_in(Arena *arena, const Item *item, double value) {
  char text[number_text_size];
  const Unit *unit = item && item->value && item->value->unit ? item->value->unit : item ? item->unit : NULL;
  if (unit && unit->said) value /= rat_to_double(unit->scale) * pow(3.14159265358979323846, unit->pi);
  number_print(value, text);
  // the unit stands inside of the value's span
  if (item && item->value && item->value->unit) return arena_printf(arena, "%s [%s]", text, item->value->unit->text);
  return arena_strndup(arena, text, strlen(text));
}

static bool change_item(Arena *arena, const Item *item, double value, Changes *changes) {
  const char *number = number_in(arena, item, value);
  Change c = {.text = number};
  if (item->value) {
    c.start = item->value->span.start;
    c.end = item->value->span.end;
  } else {
    c.start = c.end = item->name_span.end;
    c.text = arena_printf(arena, " = %s", number);
  }
  return number && c.text && vec_push(arena, changes, c);
}

// False: out of memory, or there is no such line (*why).
static bool change_case(Arena *arena, const Model *m, const FittedValue *v, Changes *changes, const char **why) {
  const Source *source = &m->sources.list.items[0];
  const Stmt *s = find_case(m, v->in_case);
  const Item *item = s ? find_in_case(s, v->name, v->name[strlen(v->name) - 1] == '\'') : NULL;
  if (item) return change_item(arena, item, v->value, changes);
  if (v->if_said) return true;
  const char *colon = s ? memchr(source->text + s->span.start, ':', s->span.end - s->span.start) : NULL;
  if (!colon) {
    *why = v->name;
    return false;
  }
  Change c = {.start = (uint32_t)(colon + 1 - source->text)};
  c.end = c.start;
  c.text = arena_printf(arena, " %s = %s,", v->name, number_in(arena, NULL, v->value));
  return c.text && vec_push(arena, changes, c);
}

static int by_place(const void *a, const void *b) {
  const Change *x = a, *y = b;
  return x->start < y->start ? -1 : x->start > y->start;
}

// Is it a start of the model that the text says nowhere, or by an index?
static bool is_start(const Model *m, const char *name, bool rate) {
  size_t length = strlen(name) - rate;
  for (uint32_t i = 0; i < m->coords.count; i++) {
    if (strlen(m->coords.items[i].name) == length && strncmp(m->coords.items[i].name, name, length) == 0) return true;
  }
  for (uint32_t i = 0; i < m->states.count && !rate; i++) {
    if (strcmp(m->states.items[i].name, name) == 0) return true;
  }
  return false;
}

const char *fitted_text(Arena *arena, const Model *m, const FittedValue *values, uint32_t count, const char **why) {
  const Source *source = &m->sources.list.items[0];
  Changes changes = {0};
  Text out = text_in(arena), more = text_in(arena);
  *why = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const char *name = values[i].name;
    if (values[i].in_case) {
      if (!change_case(arena, m, &values[i], &changes, why)) return NULL;
      continue;
    }
    bool rate = name[0] && name[strlen(name) - 1] == '\'';
    const Stmt *at = NULL;
    const Item *item = find_item(m, name, rate, &at);
    if (item) {
      if (!change_item(arena, item, values[i].value, &changes)) return NULL;
    } else if (is_start(m, name, rate)) {
      text_printf(&more, "init %s = %s\n", name, number_in(arena, NULL, values[i].value));
    } else {
      *why = name;
      return NULL;
    }
  }
  if (changes.count) qsort(changes.items, changes.count, sizeof *changes.items, by_place);
  uint32_t from = 0;
  for (uint32_t i = 0; i < changes.count; i++) {
    text_putn(&out, source->text + from, changes.items[i].start - from);
    text_put(&out, changes.items[i].text);
    from = changes.items[i].end;
  }
  text_putn(&out, source->text + from, source->length - from);
  if (more.length && source->length && source->text[source->length - 1] != '\n') text_putc(&out, '\n');
  if (more.length) text_put(&out, text_str(&more));
  return arena_failed(arena) ? NULL : text_str(&out);
}
