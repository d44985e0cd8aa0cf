// In how many directions the potential falls at an equilibrium: the inertia of its second derivative along what
// constraints leave.
#ifndef VIVA_POSITIONS_STABILITY_H
#define VIVA_POSITIONS_STABILITY_H

#include "positions/places.h"

// p: of a load path, at (u, P). NAN: constraints depend on each other (of many unknowns), or out of memory.
double stability_unstable(Places *p, const double *u, const double *P);
void stability_close(Places *p); // what it keeps of a structure of many unknowns

#endif
