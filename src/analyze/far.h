// High frequencies: from where on a frequency response stays near its limit.
#ifndef VIVA_ANALYZE_FAR_H
#define VIVA_ANALYZE_FAR_H

#include "analyze/zeros.h"

// A frequency from which on |G(iw) - D| < floor, of a path that is not sampled; INFINITY: none was found.
DenseStatus far_frequency(Arena *arena, const SolveModule *module, const LinearSystem *path, double floor, double *out);

#endif
