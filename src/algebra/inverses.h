// Whether the functions of `inverse` have one.
#ifndef VIVA_ALGEBRA_INVERSES_H
#define VIVA_ALGEBRA_INVERSES_H

#include "system/system.h"

// Reports every `inverse` of a function that goes up and down, for the values that the parameters have. False: out of
// memory.
bool inverses_check(Arena *arena, System *system, Diags *diags);

#endif
