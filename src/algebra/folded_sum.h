// Sums whose terms repeat: see folded_sum.c.
#ifndef VIVA_ALGEBRA_FOLDED_SUM_H
#define VIVA_ALGEBRA_FOLDED_SUM_H

#include "system/system.h"

// A sum in which terms repeat, as text: sum(1/2*m[i]*x[i]'^2, i, 1, n) + ... NULL: none repeats, or memory is out.
const char *folded_sum(System *s, ExprPool *pool, ExprId sum);

#endif
