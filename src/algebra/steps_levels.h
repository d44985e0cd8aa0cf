// Index reduction in a derivation line by line: which equations were differentiated (system/index.h).
#ifndef VIVA_ALGEBRA_STEPS_LEVELS_H
#define VIVA_ALGEBRA_STEPS_LEVELS_H

#include "algebra/steps.h"

// The levels of each equation that was differentiated: its derivative, then with what is known put in. False: out of
// memory.
bool steps_levels_write(System *s, Steps *out);
// What such a line must be, by the lines above it. 0: out of memory.
ExprId steps_levels_claim(System *s, const Steps *steps, const StepLine *l);

#endif
