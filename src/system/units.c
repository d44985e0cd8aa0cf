// Units by their names: a table, SI prefixes, products and powers.
//
// in    "kN", "m/s^2", "deg"
// out   the factor to SI as a rational number and a power of pi, exponents of the base units
// how   a word is looked for as it stands first, then as a prefix and a unit that takes one; so min is a minute and
//       Pa no peta-ampere. For what is not found there is the nearest name.
#include "system/units.h"

#include "base/text.h"

#include <string.h>

const Unit unit_unsaid = {.scale = {1, 1, NULL}};

typedef struct UnitEntry {
  const char *name;
  int64_t num, den; // scale in SI
  int8_t ten;       // times 10^ten
  int8_t pi;
  bool prefixed; // takes SI prefixes
  int8_t dim[unit_dims];
} UnitEntry;

//                                                     m  kg   s   A  K mol cd rad
static const UnitEntry entries[] = {
    {"m", 1, 1, 0, 0, true, {1, 0, 0, 0, 0, 0, 0, 0}},
    {"g", 1, 1, -3, 0, true, {0, 1, 0, 0, 0, 0, 0, 0}},
    {"s", 1, 1, 0, 0, true, {0, 0, 1, 0, 0, 0, 0, 0}},
    {"A", 1, 1, 0, 0, true, {0, 0, 0, 1, 0, 0, 0, 0}},
    {"K", 1, 1, 0, 0, true, {0, 0, 0, 0, 1, 0, 0, 0}},
    {"mol", 1, 1, 0, 0, true, {0, 0, 0, 0, 0, 1, 0, 0}},
    {"cd", 1, 1, 0, 0, true, {0, 0, 0, 0, 0, 0, 1, 0}},
    {"rad", 1, 1, 0, 0, true, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"deg", 1, 180, 0, 1, false, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"rev", 2, 1, 0, 1, false, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"rpm", 1, 30, 0, 1, false, {0, 0, -1, 0, 0, 0, 0, 1}},
    {"Hz", 1, 1, 0, 0, true, {0, 0, -1, 0, 0, 0, 0, 0}},
    {"N", 1, 1, 0, 0, true, {1, 1, -2, 0, 0, 0, 0, 0}},
    {"Pa", 1, 1, 0, 0, true, {-1, 1, -2, 0, 0, 0, 0, 0}},
    {"J", 1, 1, 0, 0, true, {2, 1, -2, 0, 0, 0, 0, 0}},
    {"W", 1, 1, 0, 0, true, {2, 1, -3, 0, 0, 0, 0, 0}},
    {"C", 1, 1, 0, 0, true, {0, 0, 1, 1, 0, 0, 0, 0}},
    {"V", 1, 1, 0, 0, true, {2, 1, -3, -1, 0, 0, 0, 0}},
    {"F", 1, 1, 0, 0, true, {-2, -1, 4, 2, 0, 0, 0, 0}},
    {"ohm", 1, 1, 0, 0, true, {2, 1, -3, -2, 0, 0, 0, 0}},
    {"Ohm", 1, 1, 0, 0, true, {2, 1, -3, -2, 0, 0, 0, 0}},
    {"Ω", 1, 1, 0, 0, true, {2, 1, -3, -2, 0, 0, 0, 0}},
    {"S", 1, 1, 0, 0, true, {-2, -1, 3, 2, 0, 0, 0, 0}},
    {"Wb", 1, 1, 0, 0, true, {2, 1, -2, -1, 0, 0, 0, 0}},
    {"T", 1, 1, 0, 0, true, {0, 1, -2, -1, 0, 0, 0, 0}},
    {"H", 1, 1, 0, 0, true, {2, 1, -2, -2, 0, 0, 0, 0}},
    {"min", 60, 1, 0, 0, false, {0, 0, 1, 0, 0, 0, 0, 0}},
    {"h", 3600, 1, 0, 0, false, {0, 0, 1, 0, 0, 0, 0, 0}},
    {"l", 1, 1, -3, 0, true, {3, 0, 0, 0, 0, 0, 0, 0}},
    {"L", 1, 1, -3, 0, true, {3, 0, 0, 0, 0, 0, 0, 0}},
    {"t", 1, 1, 3, 0, false, {0, 1, 0, 0, 0, 0, 0, 0}},
    {"bar", 1, 1, 5, 0, true, {-1, 1, -2, 0, 0, 0, 0, 0}},
    {"in", 254, 1, -4, 0, false, {1, 0, 0, 0, 0, 0, 0, 0}},
    {"ft", 3048, 1, -4, 0, false, {1, 0, 0, 0, 0, 0, 0, 0}},
    {"lb", 45359237, 1, -8, 0, false, {0, 1, 0, 0, 0, 0, 0, 0}},
    {"lbf", 44482216152605, 1, -13, 0, false, {1, 1, -2, 0, 0, 0, 0, 0}},
    {"sr", 1, 1, 0, 0, false, {0, 0, 0, 0, 0, 0, 0, 0}},
    {"gon", 1, 200, 0, 1, false, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"arcmin", 1, 10800, 0, 1, false, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"arcsec", 1, 648000, 0, 1, false, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"turn", 2, 1, 0, 1, false, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"rps", 2, 1, 0, 1, false, {0, 0, -1, 0, 0, 0, 0, 1}},
    {"lm", 1, 1, 0, 0, true, {0, 0, 0, 0, 0, 0, 1, 0}},
    {"lx", 1, 1, 0, 0, true, {-2, 0, 0, 0, 0, 0, 1, 0}},
    {"kat", 1, 1, 0, 0, true, {0, 0, -1, 0, 0, 1, 0, 0}},
    {"Bq", 1, 1, 0, 0, true, {0, 0, -1, 0, 0, 0, 0, 0}},
    {"Gy", 1, 1, 0, 0, true, {2, 0, -2, 0, 0, 0, 0, 0}},
    {"Sv", 1, 1, 0, 0, true, {2, 0, -2, 0, 0, 0, 0, 0}},
    {"VA", 1, 1, 0, 0, true, {2, 1, -3, 0, 0, 0, 0, 0}},
    {"Wh", 3600, 1, 0, 0, true, {2, 1, -2, 0, 0, 0, 0, 0}},
    {"Ah", 3600, 1, 0, 0, true, {0, 0, 1, 1, 0, 0, 0, 0}},
    {"eV", 1602176634, 1, -28, 0, true, {2, 1, -2, 0, 0, 0, 0, 0}},
    {"day", 86400, 1, 0, 0, false, {0, 0, 1, 0, 0, 0, 0, 0}},
    {"mi", 1609344, 1, -3, 0, false, {1, 0, 0, 0, 0, 0, 0, 0}},
    {"yd", 9144, 1, -4, 0, false, {1, 0, 0, 0, 0, 0, 0, 0}},
    {"nmi", 1852, 1, 0, 0, false, {1, 0, 0, 0, 0, 0, 0, 0}},
    {"mil", 254, 1, -7, 0, false, {1, 0, 0, 0, 0, 0, 0, 0}},
    {"mph", 44704, 1, -5, 0, false, {1, 0, -1, 0, 0, 0, 0, 0}},
    {"knot", 1852, 3600, 0, 0, false, {1, 0, -1, 0, 0, 0, 0, 0}},
    {"oz", 28349523125, 1, -12, 0, false, {0, 1, 0, 0, 0, 0, 0, 0}},
    {"slug", 44482216152605, 3048, -9, 0, false, {0, 1, 0, 0, 0, 0, 0, 0}},
    {"kgf", 980665, 1, -5, 0, false, {1, 1, -2, 0, 0, 0, 0, 0}},
    {"dyn", 1, 1, -5, 0, false, {1, 1, -2, 0, 0, 0, 0, 0}},
    {"erg", 1, 1, -7, 0, false, {2, 1, -2, 0, 0, 0, 0, 0}},
    {"hp", 745699871582270220, 1, -15, 0, false, {2, 1, -3, 0, 0, 0, 0, 0}},
    {"atm", 101325, 1, 0, 0, false, {-1, 1, -2, 0, 0, 0, 0, 0}},
    {"psi", 44482216152605, 64516, -5, 0, false, {-1, 1, -2, 0, 0, 0, 0, 0}},
    {"mmHg", 133322387415, 1, -9, 0, false, {-1, 1, -2, 0, 0, 0, 0, 0}},
};

static const struct {
  const char *name;
  int8_t ten;
} prefixes[] = {{"da", 1}, {"Y", 24},  {"Z", 21},  {"E", 18},  {"P", 15},  {"T", 12}, {"G", 9},  {"M", 6},
                {"k", 3},  {"h", 2},   {"d", -1},  {"c", -2},  {"m", -3},  {"u", -6}, {"µ", -6}, {"μ", -6},
                {"n", -9}, {"p", -12}, {"f", -15}, {"a", -18}, {"z", -21}, {"y", -24}};

enum { entry_count = sizeof entries / sizeof *entries, prefix_count = sizeof prefixes / sizeof *prefixes };

static Unit make(Arena *arena, const UnitEntry *e, int ten) {
  Unit u = {.said = true, .pi = e->pi};
  memcpy(u.dim, e->dim, sizeof u.dim);
  u.scale = rat_mul(arena, rat_make(arena, e->num, e->den), rat_pow(arena, rat_int(10), ten + e->ten));
  return u;
}

bool unit_find(Arena *arena, const char *name, Unit *unit) {
  for (size_t i = 0; i < entry_count; i++) {
    if (strcmp(entries[i].name, name) != 0) continue;
    *unit = make(arena, &entries[i], 0);
    return true;
  }
  for (size_t p = 0; p < prefix_count; p++) {
    size_t n = strlen(prefixes[p].name);
    if (strncmp(prefixes[p].name, name, n) != 0) continue;
    for (size_t i = 0; i < entry_count; i++) {
      if (!entries[i].prefixed || strcmp(entries[i].name, name + n) != 0) continue;
      *unit = make(arena, &entries[i], prefixes[p].ten);
      return true;
    }
  }
  return false;
}

bool unit_combine(Arena *arena, Unit *a, Unit b, int power) {
  a->said = true;
  a->scale = rat_mul(arena, a->scale, rat_pow(arena, b.scale, power));
  int pi = a->pi + b.pi * power;
  bool ok = rat_valid(a->scale) && pi >= -100 && pi <= 100;
  a->pi = (int8_t)pi;
  for (int i = 0; i < unit_dims; i++) {
    int d = a->dim[i] + b.dim[i] * power;
    ok = ok && d >= -100 && d <= 100;
    a->dim[i] = (int8_t)d;
  }
  return ok;
}

const char *unit_nearest(const char *name) {
  const char *best = NULL;
  unsigned least = 2;
  if (strlen(name) > 1 && word_distance(name, "kg") < least) return "kg";
  for (size_t i = 0; i < entry_count; i++) {
    unsigned d = word_distance(name, entries[i].name);
    if (d < least && d < strlen(name)) {
      least = d;
      best = entries[i].name;
    }
  }
  return best;
}

// Joined units that mean something else than their letters: a mass by a mass is a slip, not a product.
static bool same_kind(const Unit *a, const Unit *b) { return memcmp(a->dim, b->dim, sizeof a->dim) == 0; }

const char *unit_split(Arena *arena, const char *name) {
  size_t n = strlen(name);
  Unit u, v;
  // a power without its sign
  if (n > 1 && name[n - 1] >= '2' && name[n - 1] <= '9') {
    const char *stem = arena_strndup(arena, name, n - 1);
    if (stem && unit_find(arena, stem, &u)) return arena_printf(arena, "%s^%c", stem, name[n - 1]);
  }
  for (size_t k = 1; k < n; k++) {
    const char *left = arena_strndup(arena, name, k), *right = name + k;
    if (left && strcmp(left, "K") != 0 && unit_find(arena, left, &u) && unit_find(arena, right, &v) &&
        !same_kind(&u, &v))
      return arena_printf(arena, "%s*%s", left, right);
  }
  // the wrong case of the first letter
  char *other = arena_strndup(arena, name, n);
  if (other) other[0] = (char)(other[0] ^ 0x20);
  if (other && n > 1 && unit_find(arena, other, &u)) return other;
  return NULL;
}

bool unit_read(Arena *arena, const char *text, Unit *unit) {
  *unit = unit_none();
  int sign = 1;
  while (*text) {
    size_t n = strcspn(text, "*/^. ");
    const char *name = arena_strndup(arena, text, n);
    Unit one;
    if (!n || !name || !unit_find(arena, name, &one)) return false;
    text += n;
    int power = 1;
    if (*text == '^' && text[1] >= '1' && text[1] <= '9') {
      power = text[1] - '0';
      text += 2;
    }
    if (!unit_combine(arena, unit, one, sign * power)) return false;
    if (!*text) return true;
    sign = *text == '/' ? -1 : 1;
    text += 1;
  }
  return false;
}
