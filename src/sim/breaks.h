// Times at which the right-hand side jumps or has a corner, known before the run: those of signals of time alone.
#ifndef VIVA_SIM_BREAKS_H
#define VIVA_SIM_BREAKS_H

#include "solve/ode.h"
#include "system/system.h"

// Finds them between t0 and t1 for given values of the parameters. The system's pool must be one of its own. False:
// memory is out.
bool find_breaks(Arena *arena, System *s, const double *params, double t0, double t1, OdeBreaks *out);
// Whether there may be any, for some values of the parameters; true also when memory is out.
bool breaks_possible(Arena *arena, System *s);

#endif
