// What an expression of parameters is in numbers, while a model is built.
#ifndef VIVA_SYSTEM_APPROXIMATE_H
#define VIVA_SYSTEM_APPROXIMATE_H

#include "system/described.h"

// With the values that parameters have in the text, at t = 0 and with inputs as they are then.
// False: it has no such value.
bool approximate(const SystemDescribed *d, const ExprPool *pool, ExprId id, double *value);

#endif
