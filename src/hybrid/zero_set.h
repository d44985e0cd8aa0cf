// Which guards are zero at an instant, by rule S3 of docs/semantics.md.
#ifndef VIVA_HYBRID_ZERO_SET_H
#define VIVA_HYBRID_ZERO_SET_H

#include "hybrid/instant.h"

// Of what was evaluated last: zero and sign of each leader, those of the others by their signs at the shifted point.
void zero_set_find(Instant *x);
// Of what was evaluated last: no guard is zero but by its value.
void zero_set_signs(Instant *x);
double zero_set_distance(BranchKind kind, double g); // of a guard from its nearest limit

#endif
