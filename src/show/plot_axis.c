// Words beside the axes and bars of a plot: "x − 1000 [10⁻³ m]".
//
// in    a name, a unit, ticks with the offset and the power of ten that were taken out of them
// out   one line; where it is too long the name is cut inside, never what is needed to read the numbers
#include "show/plot_parts.h"

#include <math.h>
#include <string.h>

const char *plot_axis_words(Arena *arena, const char *name, const char *unit, const Ticks *t) {
  Text s = text_in(arena);
  text_put(&s, name);
  if (t->offset != 0) {
    char n[number_text_size];
    number_print(fabs(t->offset), n);
    text_printf(&s, "%s%s %s", s.length ? " " : "", t->offset > 0 ? "−" : "+", n);
  }
  bool unit_known = unit && *unit;
  if (unit_known || t->exponent) {
    char power[24] = "";
    if (t->exponent) scale_power_text(t->exponent, power);
    text_printf(&s, "%s[%s%s%s]", s.length ? " " : "", power, *power && unit_known ? " " : "", unit_known ? unit : "");
  }
  return text_str(&s);
}

// Words of an axis cut to a width: the name gives way, never the offset, the power of ten and the unit behind it.
const char *plot_axis_fit(Arena *arena, const char *words, double size, bool cells, double most) {
  if (drawing_text_width(words, size, cells) <= most) return words;
  size_t length = strlen(words), tail = length;
  if (length && words[length - 1] == ']') {
    while (tail > 0 && words[tail] != '[') tail--;
    if (tail > 0 && words[tail - 1] == ' ') tail--;
  }
  size_t number = tail;
  while (number > 0 && strchr("0123456789.e-", words[number - 1])) number--;
  static const char minus[] = " − ", plus[] = " + ";
  size_t m = sizeof minus - 1, p = sizeof plus - 1;
  if (number < tail && number >= m && memcmp(words + number - m, minus, m) == 0) tail = number - m;
  else if (number < tail && number >= p && memcmp(words + number - p, plus, p) == 0) tail = number - p;
  double room = most - drawing_text_width(words + tail, size, cells);
  if (tail == length || tail == 0 || room < most / 4)
    return drawing_text_fit_inside(arena, words, size, cells, most, 0.5);
  const char *name = arena_printf(arena, "%.*s", (int)tail, words);
  const char *out =
      name ? arena_printf(arena, "%s%s", drawing_text_fit_inside(arena, name, size, cells, room, 0.5), words + tail)
           : NULL;
  return out ? out : "";
}
