// In which order memories are computed, and what reads what.
#ifndef VIVA_SIM_MODE_ORDER_H
#define VIVA_SIM_MODE_ORDER_H

#include "sim/hybrid.h"

typedef VEC(ExprId) Roots;

// Memories in their order, as definitions of `own`: each rule sees the new values of the others. False: memory is out,
// or they stand in a circle; then modes_unordered lets all of them see the old values.
bool modes_order(Hybrid *h, System *own);
bool modes_unordered(Hybrid *h);
// For each place of y the modes whose guards name it; and which modes the equations of motion read.
bool modes_readers(Hybrid *h);

// of modes.c
void modes_roots(System *s, Arena *arena, Roots *roots); // all expressions of the equations of motion
bool modes_without_inputs(Hybrid *h, ExprId *g,
                          uint32_t count); // inputs stand for their expressions: their rates may not be there

#endif
