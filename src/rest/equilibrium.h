// The equilibrium of a system near a given point, by Newton's method.
#ifndef VIVA_REST_EQUILIBRIUM_H
#define VIVA_REST_EQUILIBRIUM_H

#include "rest/operating.h"

typedef enum EquilibriumStatus {
  equilibrium_rest,   // nothing moves
  equilibrium_steady, // cyclic coordinates move on at constant speed, nothing else changes
  equilibrium_none,   // not found: see message
  equilibrium_no_module,
  equilibrium_no_memory
} EquilibriumStatus;

typedef struct Equilibrium {
  EquilibriumStatus status;
  double *y; // what was found, or where the search ended
  uint32_t iterations;
  uint32_t free;       // directions in which the equilibrium may be moved: it is not alone
  bool *free_state;    // by component of y: a free direction of its own (a cyclic coordinate)
  bool *moving;        // by component of y: a position that moves steadily
  const char *message; // of none: what stands in the way
  Span place;          // of the message; nowhere: none
} Equilibrium;

// Newton's method from o->y, which is left as it is, with the exact Jacobian. First for rest; where there is none, for
// steady motion. A singular Jacobian is met by the smallest change that does.
Equilibrium equilibrium_find(Operating *o);

#endif
