// bdf: backward differentiation formulas, by SUNDIALS. Part of the module (solve/module.h).
#ifndef VIVA_SOLVE_BDF_H
#define VIVA_SOLVE_BDF_H

#include "solve/module.h"

// The sizes were started and the search was made by the caller; both are changed.
OdeResult bdf_solve(const SolveHost *host, const OdeProblem *p, const OdeSettings *s, double *y,
                    struct OdeScales *scales, EventSearch *search, const OdeObserver *o);

#endif
