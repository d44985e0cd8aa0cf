// Dimensions as text. An angle is written only where nothing but time stands beside it (rad/s, but m/s for l*th'), or
// as the difference between an energy and a torque.
#include "system/dimension.h"

#include "base/text.h"

#include <string.h>

// ---- exponents

static Ratio ratio_make(int64_t num, int64_t den) {
  enum { most = 1000000 };
  if (den == 0) return (Ratio){0, 0};
  int64_t a = num < 0 ? -num : num, b = den < 0 ? -den : den;
  if (den == 1) a = 1, b = 0; // most are whole
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  num /= den < 0 ? -a : a;
  den /= den < 0 ? -a : a;
  if (num > most || num < -most || den > most) return (Ratio){0, 0};
  return (Ratio){(int32_t)num, (int32_t)den};
}

Ratio ratio_add(Ratio a, Ratio b) {
  if (!a.den || !b.den) return (Ratio){0, 0};
  return ratio_make((int64_t)a.num * b.den + (int64_t)b.num * a.den, (int64_t)a.den * b.den);
}
Ratio ratio_mul(Ratio a, Ratio b) {
  if (!a.den || !b.den) return (Ratio){0, 0};
  return ratio_make((int64_t)a.num * b.num, (int64_t)a.den * b.den);
}
Ratio ratio_div(Ratio a, Ratio b) {
  if (!a.den || !b.den) return (Ratio){0, 0};
  return ratio_make((int64_t)a.num * b.den, (int64_t)a.den * b.num);
}

// ---- dimensions

Dimension dimension_plain(void) {
  Dimension d = {.known = true};
  for (int i = 0; i < unit_dims; i++) d.power[i] = ratio_int(0);
  return d;
}

Dimension dimension_of_unit(const Unit *unit) {
  Dimension d = dimension_plain();
  d.known = unit->said;
  for (int i = 0; i < unit_dims; i++) d.power[i] = ratio_int(unit->dim[i]);
  return d;
}

Dimension dimension_mul(Dimension a, Dimension b, Ratio power) {
  a.known = a.known && b.known;
  for (int i = 0; i < unit_dims; i++) a.power[i] = ratio_add(a.power[i], ratio_mul(b.power[i], power));
  return a;
}

bool dimension_same(const Dimension *a, const Dimension *b) {
  bool same = a->known && b->known;
  for (int i = 0; i < unit_dims; i++)
    same = same && (i == unit_angle || (a->power[i].num == b->power[i].num && a->power[i].den == b->power[i].den));
  return same;
}

// ---- as text

// m/s^2 as it is written in print: m/s²
static const char *pretty(Arena *arena, const char *text) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  Text t = text_in(arena);
  bool power = false;
  for (const char *s = text; *s; s++) {
    bool digit = *s >= '0' && *s <= '9';
    if (*s == '^') power = true;
    else if (power && *s == '-') text_put(&t, "⁻");
    else if (power && digit) text_put(&t, raised[*s - '0']);
    else if (*s == '*') text_put(&t, "·");
    else if (*s != ' ') text_putc(&t, *s);
    if (*s != '^' && *s != '-' && !digit) power = false;
  }
  return text_str(&t);
}

static void put_power(Text *t, const char *name, Ratio p, bool first) {
  text_printf(t, "%s%s", first ? "" : "*", name);
  if (p.den != 1) text_printf(t, "^(%d/%d)", p.num, p.den);
  else if (p.num != 1) text_printf(t, "^%d", p.num);
}

static const char *from_base(Arena *arena, const Ratio *dim) {
  static const char *const names[unit_dims] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};
  static const int order[unit_dims] = {unit_kilogram, unit_metre,   unit_ampere, unit_kelvin,
                                       unit_mole,     unit_candela, unit_angle,  unit_second};
  Text t = text_in(arena);
  uint32_t below = 0;
  for (int i = 0; i < unit_dims; i++) {
    Ratio p = dim[order[i]];
    if (p.num > 0) put_power(&t, names[order[i]], p, t.length == 0);
    below += p.num < 0;
  }
  if (below && !t.length) text_put(&t, "1");
  if (below) text_put(&t, below > 1 ? "/(" : "/");
  bool first = true;
  for (int i = 0; i < unit_dims; i++) {
    Ratio p = {-dim[order[i]].num, dim[order[i]].den};
    if (p.num <= 0) continue;
    put_power(&t, names[order[i]], p, first);
    first = false;
  }
  if (below > 1) text_put(&t, ")");
  return pretty(arena, text_str(&t));
}

static const char *named_unit(const Ratio *dim, bool turning) {
  static const struct {
    const char *name, *turning; // turning: where an angle is in it
    int8_t dim[unit_dims];
  } named[] = {
      {"N", NULL, {1, 1, -2, 0}},    {"J", "N·m", {2, 1, -2, 0}},      {"W", NULL, {2, 1, -3, 0}},
      {"Pa", NULL, {-1, 1, -2, 0}},  {"V", NULL, {2, 1, -3, -1}},      {"Ω", NULL, {2, 1, -3, -2}},
      {"F", NULL, {-2, -1, 4, 2}},   {"H", NULL, {2, 1, -2, -2}},      {"Wb", NULL, {2, 1, -2, -1}},
      {"T", NULL, {0, 1, -2, -1}},   {"C", NULL, {0, 0, 1, 1}},        {"N·s/m", NULL, {0, 1, -1, 0}},
      {"N/m", NULL, {0, 1, -2, 0}},  {"N·m·s", NULL, {2, 1, -1, 0}},   {"S", NULL, {-2, -1, 3, 2}},
      {"V/m", NULL, {1, 1, -3, -1}}, {"N·s", NULL, {1, 1, -1, 0}},     {"H/m", NULL, {1, 1, -2, -2}},
      {"F/m", NULL, {-3, -1, 4, 2}}, {"W/K", NULL, {2, 1, -3, 0, -1}}, {"J/K", NULL, {2, 1, -2, 0, -1}},
  };
  for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
    bool same = true;
    for (int i = 0; i < unit_dims; i++) same = same && dim[i].den == 1 && dim[i].num == named[k].dim[i];
    if (same) return turning && named[k].turning ? named[k].turning : named[k].name;
  }
  return NULL;
}

static const char *text_of(Arena *arena, const Dimension *d) {
  Ratio dim[unit_dims];
  bool other = false;
  for (int i = 0; i < unit_dims; i++) {
    if (!d->power[i].den) return "?";
    dim[i] = d->power[i];
    other = other || (dim[i].num && i != unit_angle && i != unit_second);
  }
  bool turning = dim[unit_angle].num != 0;
  // an angle beside other units, or a power of one, is a plain number
  if (other || dim[unit_angle].num != dim[unit_angle].den) dim[unit_angle] = ratio_int(0);
  const char *name = named_unit(dim, turning);
  return name ? name : from_base(arena, dim);
}

const char *dimension_words(Arena *arena, const Dimension *d) {
  const char *text = d->known ? text_of(arena, d) : "?";
  return *text ? text : "1";
}

const char *dimension_text(Arena *arena, const Dimension *d) {
  if (!d->known) return NULL;
  for (int i = 0; i < unit_dims; i++) {
    if (d->power[i].den != 1 && i != unit_angle) return NULL;
  }
  return text_of(arena, d);
}

const char *unit_si_text(Arena *arena, const Unit *unit, const Dimension *inferred, int order) {
  // as written where it is SI already
  if (unit->said && order == 0 && unit->text && unit->pi == 0 && rat_is_int_value(unit->scale, 1))
    return pretty(arena, unit->text);
  Dimension d = unit->said ? dimension_of_unit(unit) : *inferred, second = dimension_plain();
  second.power[unit_second] = ratio_int(1);
  d = dimension_mul(d, second, ratio_int(-order));
  return dimension_text(arena, &d);
}
