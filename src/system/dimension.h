// Dimensions: products of powers of the SI base units, and how they are written.
#ifndef VIVA_SYSTEM_DIMENSION_H
#define VIVA_SYSTEM_DIMENSION_H

#include "system/units.h"

// An exponent. den > 0, in lowest terms; den 0: it left its range, which is absorbing.
typedef struct Ratio {
  int32_t num, den;
} Ratio;

static inline Ratio ratio_int(int32_t n) { return (Ratio){n, 1}; }
Ratio ratio_add(Ratio a, Ratio b);
Ratio ratio_mul(Ratio a, Ratio b);
Ratio ratio_div(Ratio a, Ratio b);

// The angle is kept for reading alone: two dimensions that differ in it are the same.
typedef struct Dimension {
  bool known;
  Ratio power[unit_dims];
} Dimension;

Dimension dimension_plain(void); // of a plain number
Dimension dimension_of_unit(const Unit *unit);
Dimension dimension_mul(Dimension a, Dimension b, Ratio power); // a * b^power
bool dimension_same(const Dimension *a, const Dimension *b);
// "m/s²", "N·m"; "": a plain number, NULL: not known, or no unit that people read.
const char *dimension_text(Arena *arena, const Dimension *d);
// The same in any case: roots, and "1" for a plain number.
const char *dimension_words(Arena *arena, const Dimension *d);
// The unit of a name's time derivative of this order: as it was declared where that is SI, else what was inferred.
const char *unit_si_text(Arena *arena, const Unit *unit, const Dimension *inferred, int order);

#endif
