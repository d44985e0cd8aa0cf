// Long lists of names, short: T[1] .. T[200].
//
// in    names in their order, with what else must not change along a stretch
// out   how far a stretch goes in which each name is the one before (or one some entries before) with the next index
#include "system/listed.h"

#include <stdlib.h>
#include <string.h>

enum { stretch_least = 5 }; // names; fewer are read at once

static bool same(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

// Is the second one the first with the next index? T[3], T[4]
static bool goes_on(const ListedName *a, const ListedName *b) {
  const char *open = strchr(a->name, '[');
  size_t n = open ? (size_t)(open - a->name) + 1 : 0;
  if (!open || strncmp(a->name, b->name, n) != 0) return false;
  char *end, *next;
  long long i = strtoll(a->name + n, &end, 10), k = strtoll(b->name + n, &next, 10);
  return k == i + 1 && *end == ']' && strcmp(end, next) == 0 && same(a->unit, b->unit) && same(a->value, b->value);
}

uint32_t listed_stretch(const ListedName *list, uint32_t count, uint32_t at, uint32_t most_period, uint32_t *period) {
  for (uint32_t p = 1; p <= most_period; p++) {
    uint32_t end = at;
    while (end + p < count && goes_on(&list[end], &list[end + p])) end++;
    uint32_t periods = (end - at) / p + 1;
    *period = p;
    if (periods >= stretch_least) return p * periods;
  }
  *period = 1;
  return 1;
}

static void put_name(const ListedName *one, bool unit, Text *out) {
  text_put(out, one->name);
  if (unit && one->unit && *one->unit) text_printf(out, " [%s]", one->unit);
}

void listed_write(const ListedName *list, uint32_t count, Text *out) {
  enum { most_in_turn = 6 };
  for (uint32_t i = 0; i < count;) {
    uint32_t period, n = listed_stretch(list, count, i, most_in_turn, &period);
    for (uint32_t k = 0; k < period; k++) {
      if (i || k) text_put(out, ", ");
      put_name(&list[i + k], period > 1 || n == 1, out);
    }
    for (uint32_t k = 0; k < period && n > 1; k++) {
      text_put(out, k ? ", " : " .. ");
      put_name(&list[i + n - period + k], true, out);
    }
    i += n;
  }
}
