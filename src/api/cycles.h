// Limit cycles predicted by the describing function, checked by simulating the model itself.
#ifndef VIVA_API_CYCLES_H
#define VIVA_API_CYCLES_H

#include "api/handles.h"
#include "show/describing.h"

// e: the oscillating signal, in the pool of the model.
// False: out of memory; else out says what was seen, or why nothing was.
bool cycle_check(Arena *arena, const viva_model *model, const Analysis *a, const LimitCycle *cycle, ExprId e,
                 const viva_analyze_options *o, CycleRun *out);

#endif
