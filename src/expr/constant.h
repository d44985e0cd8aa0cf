// Numerical value of a constant expression, one without symbols.
#ifndef VIVA_EXPR_CONSTANT_H
#define VIVA_EXPR_CONSTANT_H

#include "expr/pool.h"

double expr_constant(const ExprPool *pool, ExprId id); // NAN: it has symbols, or no value

#endif
