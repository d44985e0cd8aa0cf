// Dirac impulses of a run: the jump of the state that each of them causes, as an event at its time.
//
// in    an ordered System with a pool of its own, in whose equations impulse(t - t0) stands
// out   for each t0 an event at that moment: every component whose rate holds the impulse gets its coefficient added
//         x' = f + g delta(t - t0)       x := x + g
//         M a + h = P delta(t - t0)      v := v + d,  M d = P       (constraints answer as to any velocity that is set)
//       or a diagnostic at the impulse: its coefficient jumps with it, it enters nonlinearly, or it stands where
//       nothing integrates it
#ifndef VIVA_SIM_IMPULSES_H
#define VIVA_SIM_IMPULSES_H

#include "system/system.h"

bool impulses_any(System *s);                // does one stand in the equations or in what is shown?
bool impulses_take(System *s, Diags *diags); // false: out of memory. What is wrong goes to diags

#endif
