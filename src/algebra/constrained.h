// Constraints solved for dependent positions, parameters and velocities, which are then substituted.
#ifndef VIVA_ALGEBRA_CONSTRAINED_H
#define VIVA_ALGEBRA_CONSTRAINED_H

#include "system/system.h"

typedef struct ConstraintSet {
  const char *why;       // not NULL: they contradict each other, or are too many
  const char *unsolved;  // not NULL: why no positions are solved for; then the values describe more than the set
  const char *condition; // "y is not 0, l > 0": what was divided by, and chosen; NULL: nothing
  bool moving;           // a factor that moves was divided by: where it vanishes the set may have another part
  uint32_t count, *kept; // the constraints that are independent of those before them
  bool *redundant;       // by constraint
  bool *places;          // by constraint: it was solved for a coordinate
  uint32_t signs;        // roots were drawn: there are 2^signs branches
  SymbolMap map;
  VEC(SymbolId) symbols; // what was solved for,
  VEC(ExprId) values;    // in symbols that are free
} ConstraintSet;

// Solves value = 0 for positions or parameters, then rate = 0 for velocities, one constraint after the other. Bits of
// `branch` choose the signs of roots. False: out of memory.
bool constrained_find(System *s, uint32_t branch, ConstraintSet *out);
// d(rate of constraint k)/d(velocity i); the number zero where it does not bind the coordinate.
ExprId constrained_slope(const System *s, uint32_t k, uint32_t i);
// Does a constraint act on the coordinate?
bool constrained_holds(const System *s, uint32_t i);
// Substitutes expressions for symbols in M, h, f and constraints. out may be s. False: out of memory.
bool constrained_substitute(const System *s, System *out, const SymbolMap *map);

#endif
