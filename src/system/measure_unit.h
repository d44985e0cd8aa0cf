// In which unit a measure is, as far as the names in it tell.
#ifndef VIVA_SYSTEM_MEASURE_UNIT_H
#define VIVA_SYSTEM_MEASURE_UNIT_H

#include "system/measure.h"
#include "system/system.h"

// "m/s", "": a plain number, NULL: not known. The expressions are those of the system.
const char *measure_unit(Arena *arena, const System *s, const MeasureSet *set, const Measure *m);
// The same of a parameter, or of the start of a coordinate, velocity or state, by its name.
const char *quantity_unit(Arena *arena, const System *s, const char *name);

#endif
