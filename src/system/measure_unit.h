// In which unit a measure is, as far as the names in it tell.
#ifndef VIVA_SYSTEM_MEASURE_UNIT_H
#define VIVA_SYSTEM_MEASURE_UNIT_H

#include "system/measure.h"
#include "system/system.h"

// "m/s", "": a plain number, NULL: not known. The expressions are those of the system.
const char *measure_unit(Arena *arena, const System *s, const MeasureSet *set, const Measure *m);

#endif
