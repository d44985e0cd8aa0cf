// The costs of many points at once, by batch simulation: eight members at a time in SIMD lanes, on all processors.
//
// A population search needs the order of its costs, not their digits: the tolerance is `batch_tolerance`. Where most
// members of the first batch turn out to be stiff, all further batches use `rodas` from the start: lanes that change
// their method on the way make every round two.
#ifndef VIVA_FIT_BATCH_H
#define VIVA_FIT_BATCH_H

#include "fit/problem.h"

// u: count points of f->k numbers. INFINITY where a simulation fails. False: interrupted, or out of memory.
bool batch_costs(FitProblem *f, const double *u, uint32_t count, double *costs);

#endif
