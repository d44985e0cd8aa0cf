// Curves of design as columns of numbers: the circle criterion, Popov's, the describing function over the path.
#ifndef VIVA_CONTROL_DESIGN_CURVES_H
#define VIVA_CONTROL_DESIGN_CURVES_H

#include "analyze/curves.h"
#include "control/absolute.h"
#include "control/describing.h"

// w, re, im of G: the circle criterion looks at it as it is.
DenseStatus circle_table(Arena *arena, const SolveModule *module, const Analysis *a, CurveTable *out);
// w, Re G, w Im G, of G with the lower slope closed around it.
DenseStatus popov_table(Arena *arena, const SolveModule *module, const Analysis *a, const Absolute *x, CurveTable *out);
// w, re, im of G = -(path), so that the loop closes as 1 + N G = 0, and amplitude, n_re, n_im of -1/N beside it; where
// N is negative both with the other sign.
DenseStatus describing_table(Arena *arena, const SolveModule *module, const Analysis *a, const Describing *d,
                             const LimitCycleList *cycles, CurveTable *out);

#endif
