// Coordinates without inertia: what their own equations say of their velocities and positions.
#ifndef VIVA_ALGEBRA_INERTIALESS_H
#define VIVA_ALGEBRA_INERTIALESS_H

#include "system/system.h"

typedef struct Inertialess {
  System reduced;        // with these positions and velocities substituted
  const char *why;       // not NULL: they are not found by linear equations
  VEC(SymbolId) symbols; // those that stood in the two sides
  VEC(ExprId) values;
} Inertialess;

// Replaces them in a copy of s and in the two sides. False: out of memory.
bool inertialess_replace(System *s, ExprId sides[2], Inertialess *out);

#endif
