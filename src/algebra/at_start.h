// The initial value of an expression: its value at the start time.
#ifndef VIVA_ALGEBRA_AT_START_H
#define VIVA_ALGEBRA_AT_START_H

#include "system/system.h"

// NAN: it is not known.
double at_start(Arena *arena, System *s, ExprId y);

#endif
