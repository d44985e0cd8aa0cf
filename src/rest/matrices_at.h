// Mass matrix, Coriolis matrix and forces of the equations of motion at a point, in numbers: of trees of any size.
#ifndef VIVA_REST_MATRICES_AT_H
#define VIVA_REST_MATRICES_AT_H

#include "algebra/derivation.h"
#include "rest/operating.h"

// M q'' + C q' + R q' + dV + e = r at the point of o, as `derive --form matrices` names them. digits: of the numbers;
// 0: all they have. *why: there are no such matrices, and the reason. False: out of memory.
bool matrices_at(Operating *o, uint32_t digits, Derivation *out, const char **why);

// A number of such a matrix, rounded to `digits`; 0: all it has. 0 where it is not finite.
ExprId matrices_number(ExprPool *pool, double value, uint32_t digits);

#endif
