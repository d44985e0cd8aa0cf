// Units: our own small table, so that an error can point at the word that is wrong.
#ifndef VIVA_SYSTEM_UNITS_H
#define VIVA_SYSTEM_UNITS_H

#include "expr/rational.h"

enum {
  unit_metre,
  unit_kilogram,
  unit_second,
  unit_ampere,
  unit_kelvin,
  unit_mole,
  unit_candela,
  unit_angle,
  unit_dims
};

typedef struct Unit {
  Rat scale;        // one of it in SI, without the power of pi
  const char *text; // as written, without the brackets
  int8_t dim[unit_dims];
  int8_t pi; // power of pi in it (deg: 1)
  bool said; // false: no unit was written
} Unit;

extern const Unit unit_unsaid; // none was written

static inline Unit unit_none(void) { return (Unit){.scale = RAT_ONE}; }
// The unit with this name, prefix included (kN, mm, uF). False when there is none.
bool unit_find(Arena *arena, const char *name, Unit *unit);
// a * b^power; false when an exponent leaves its range
bool unit_combine(Arena *arena, Unit *a, Unit b, int power);
// The nearest known unit's name, for a hint; NULL when nothing is near.
const char *unit_nearest(const char *name);

// kg*m^2, mm/s, kg mm^2: as the heads of columns have them. False: it is no unit.
bool unit_read(Arena *arena, const char *text, Unit *unit);

// What two units written together mean: Nm is N*m, s2 is s^2, Kg is kg. NULL: nothing.
const char *unit_split(Arena *arena, const char *name);

#endif
