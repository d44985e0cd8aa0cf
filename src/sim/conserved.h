// Linear conserved quantities (invariants): sums of components that every solution keeps, as of atoms in a reaction.
//
// in    rates of the components, multiplied out: f_e = sum_k a_ke T_k, terms T_k as expressions
// out   whole numbers c with sum_e c_e f_e = 0 identically: sum_e a_ke c_e = 0 for each k
//
// Rounding of rates that balance adds up along such a sum, and nothing damps it: where all its components fall far
// below what they were, their digits are gone, and no step size gives them back. If each component were right to R
// |y_e|, the sum would be right to R sum |c_e y_e|: what has drifted further proves that they are not.
#ifndef VIVA_SIM_CONSERVED_H
#define VIVA_SIM_CONSERVED_H

#include "sim/components.h"

typedef struct Conserved {
  uint32_t count;        // sums
  const uint32_t *start; // by sum: its first entry, and the end
  const uint32_t *place; // by entry: the component of y
  const double *factor;  // by entry: c_e, a whole number
} Conserved;

// moved: by component of y, true where something beside its rate may change it. NULL: out of memory. A search that
// would be long is given up: then there are none.
const Conserved *conserved_find(System *s, const bool *moved);

// After a step to y: the largest |y_e| of the components since the first step that was late, and before it that of the
// last step. What passes through zero, or comes back there at the end of a period, is not small.
void conserved_follow(const Conserved *c, bool late, const double *y, double *size);
// The sum that has drifted furthest from y0 to y, beside its components. size: how large these are.
typedef struct ConservedDrift {
  uint32_t sum, largest; // largest: the component with the largest part in it
  double drift, part;    // part: of sum |c_e| size_e; 0: none has drifted
} ConservedDrift;
ConservedDrift conserved_drift(const Conserved *c, const double *y0, const double *y, const double *size);
// "y2 - y3 - y4"; of a long one the first terms.
const char *conserved_text(Arena *arena, const Components *y, const Conserved *c, uint32_t sum);

#endif
