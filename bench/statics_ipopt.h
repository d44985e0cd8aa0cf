// IPOPT on a structure at rest.
#ifndef VIVA_BENCH_STATICS_IPOPT_H
#define VIVA_BENCH_STATICS_IPOPT_H

#include "statics/structure.h"

// Its status (0: solved), places of all coordinates, potential; so many seconds at most.
int ipopt_solve(Arena *arena, const Structure *s, double seconds, double *x, double *potential);

#endif
