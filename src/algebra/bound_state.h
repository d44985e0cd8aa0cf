// The form `state` of a model with constraints.
#ifndef VIVA_ALGEBRA_BOUND_STATE_H
#define VIVA_ALGEBRA_BOUND_STATE_H

#include "algebra/derivation.h"

// Positions, then independent velocities. False: out of memory.
bool bound_state(System *s, Derivation *out);

#endif
