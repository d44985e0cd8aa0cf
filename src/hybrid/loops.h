// Algebraic loops through branches in a run: how many solutions they can have, how far the next one is.
#ifndef VIVA_HYBRID_LOOPS_H
#define VIVA_HYBRID_LOOPS_H

#include "hybrid/hybrid.h"

// With the parameters of the run: loops that have one solution at most, whatever the state.
void loops_prove(Hybrid *h);
// By choice of branches (EventLoops.watched_first): how far it is from a solution beside the present one; not positive
// where it is one. The guards are evaluated at t and y.
void loops_conditions(Hybrid *h, double t, const double *y, double *c);
// Stops the run with what is wrong with a loop (InstantLoops.which).
OdeAction loops_fail(Hybrid *h, double t);

#endif
