// Comparison of two models: do the equations of motion of the second follow from those of the first?
#ifndef VIVA_ALGEBRA_DIFF_H
#define VIVA_ALGEBRA_DIFF_H

#include "algebra/check_result.h"

// a must have a pool of its own, which grows; b stays as it is. False: out of memory.
bool diff_models(System *a, const System *b, CheckReport *report);

#endif
