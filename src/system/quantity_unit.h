// The units of what can be set by its name: parameters, starts of coordinates, velocities and states.
#ifndef VIVA_SYSTEM_QUANTITY_UNIT_H
#define VIVA_SYSTEM_QUANTITY_UNIT_H

#include "system/described.h"

// Does the model say any unit? Where it says none, what follows from the second of the time alone is not shown: in
// `dissipation c*x'^2` the number c would be one of 1/s.
bool quantity_units_said(const SystemDescribed *d);
// "N/m", "": a plain number, NULL: not known, or no such name.
const char *quantity_unit(Arena *arena, const SystemDescribed *d, const ExprPool *pool, const char *name);
// As it was declared, else as it was inferred.
Dimension quantity_dimension(const SystemDescribed *d, const ExprPool *pool, const char *name);

#endif
