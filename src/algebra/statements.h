// What a model says beside its equations: inputs, memory blocks, delays, events.
#ifndef VIVA_ALGEBRA_STATEMENTS_H
#define VIVA_ALGEBRA_STATEMENTS_H

#include "algebra/derivation.h"

bool statements_derive(System *s, Derivation *out); // false: out of memory

// A state without an equation that a `when` or `every` sets: it is constant in between.
static inline bool statements_state_is_held(const SystemState *x) { return x->assigned && !x->rhs; }

#endif
