// The units of what can be set by its name: parameters, starts of coordinates, velocities and states.
#ifndef VIVA_SYSTEM_QUANTITY_UNIT_H
#define VIVA_SYSTEM_QUANTITY_UNIT_H

#include "system/described.h"

// "N/m", "": a plain number, NULL: not known, or no such name.
const char *quantity_unit(Arena *arena, const SystemDescribed *d, const ExprPool *pool, const char *name);
// As it was declared, else as it was inferred.
Dimension quantity_dimension(const SystemDescribed *d, const ExprPool *pool, const char *name);

#endif
