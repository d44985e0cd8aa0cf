// Consistent initial values: a point on the constraint manifold.
#ifndef VIVA_REST_CONSISTENT_H
#define VIVA_REST_CONSISTENT_H

#include "rest/operating.h"

// Is there something that must be zero?
bool consistent_needed(const Operating *o);
// What must be zero, at y: an entry an invariant; of those that only stay as they are, how far they are from where the
// point was opened. False: out of memory.
bool consistent_values(Operating *o, const double *y, double *out);

typedef enum ConsistentStatus {
  consistent_as_it_is, // within rounding
  consistent_moved,    // o->y and o->point changed
  consistent_none,     // no such point was found from here
  consistent_no_module,
  consistent_no_memory
} ConsistentStatus;

// Moves o->y onto the constraints, positions first, then velocities: what was not said moves; if that cannot be,
// what the model says does, too; what the caller says never. *worst: the invariant that is violated most, of none.
ConsistentStatus consistent_point(Operating *o, uint32_t *worst);

#endif
