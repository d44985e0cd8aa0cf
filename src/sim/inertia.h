// Mass matrices of the acceleration blocks: finite and positive definite at the start, singular later?
#ifndef VIVA_SIM_INERTIA_H
#define VIVA_SIM_INERTIA_H

#include "sim/motion.h"

// At the start: inertia that is infinite stops the run (false, r->failure), negative inertia is warned of.
bool inertia_check(Run *r, double t, const double *y, Diags *diags);
// A block of accelerations whose matrix is almost singular at t, y, and a coordinate of it by its index in the block;
// NULL: none.
const Block *inertia_singular(Run *r, double t, const double *y, uint32_t *row);

#endif
