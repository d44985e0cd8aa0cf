// IPOPT on a structure at rest.
#ifndef VIVA_BENCH_STATICS_IPOPT_H
#define VIVA_BENCH_STATICS_IPOPT_H

#include "statics/structure.h"

typedef struct IpoptAnswer {
  int status; // 0: solved
  uint32_t iterations;
  double potential;
} IpoptAnswer;
// Places of all coordinates, and what else; so many seconds at most.
void ipopt_solve(Arena *arena, const Structure *s, double seconds, double *x, IpoptAnswer *out);

#endif
