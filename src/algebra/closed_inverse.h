// The inverse of a function as a formula, where there is one.
#ifndef VIVA_ALGEBRA_CLOSED_INVERSE_H
#define VIVA_ALGEBRA_CLOSED_INVERSE_H

#include "expr/pool.h"

// The v with body(v) = y, for a body that rises or falls. 0: no formula is known for it, or out of memory.
ExprId closed_inverse(ExprPool *pool, ExprId body, SymbolId v, ExprId y);

#endif
