// Stability of an equilibrium: the number of directions in which the potential falls, by the inertia of its Hessian
// reduced to what constraints leave.
#ifndef VIVA_POSITIONS_STABILITY_H
#define VIVA_POSITIONS_STABILITY_H

#include "positions/places.h"

// p: of a load path, at (u, P). NAN: constraints depend on each other (of many unknowns), or out of memory.
double stability_unstable(Places *p, const double *u, const double *P);
void stability_close(Places *p); // what it keeps of a structure of many unknowns

#endif
