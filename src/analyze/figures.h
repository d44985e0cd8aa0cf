// Figures of a path or loop beyond its margins: step response, errors at rest, Nyquist's count, Routh's table.
#ifndef VIVA_ANALYZE_FIGURES_H
#define VIVA_ANALYZE_FIGURES_H

#include "analyze/analysis.h"

// Behind poles, zeros and the closed loop. False status: as of dense.h.
DenseStatus figures_find(Arena *arena, const SolveModule *module, Analysis *a);
// The response of the path, of a loop that of the closed one.
DenseStatus figures_response(Arena *arena, const SolveModule *module, const Analysis *a, Stimulus stimulus,
                             TimeResponse *out);

#endif
