// High frequencies: from where on a path stays near its end.
#ifndef VIVA_ANALYZE_FAR_H
#define VIVA_ANALYZE_FAR_H

#include "analyze/zeros.h"

// A frequency from which on |G(iw) - D| < floor, of a path that is not sampled; INFINITY: that cannot be told.
DenseStatus far_frequency(Arena *arena, const SolveModule *module, const LinearSystem *path, double floor, double *out);

#endif
