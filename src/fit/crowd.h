// The costs of many points at once: motions eight at a time in lanes, on all processors.
//
// A crowd wants the order of its costs, not their digits: motions are followed to `crowd_tolerance`. Where most motions
// of the first crowd turn out to be stiff, all further ones are taken by `rodas` from the start: lanes that change
// their method on the way make every round two.
#ifndef VIVA_FIT_CROWD_H
#define VIVA_FIT_CROWD_H

#include "fit/problem.h"

// u: count points of f->k numbers. INFINITY where a motion fails. False: interrupted, or out of memory.
bool crowd_costs(FitProblem *f, const double *u, uint32_t count, double *costs);

#endif
