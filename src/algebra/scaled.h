// What becomes of an expression when symbols are scaled, p -> p lambda^w, for lambda > 0.
#ifndef VIVA_ALGEBRA_SCALED_H
#define VIVA_ALGEBRA_SCALED_H

#include "expr/pool.h"

typedef struct Scaling {
  ExprPool *pool;
  Arena *arena;
  SymbolId number, logarithm; // lambda, ln(lambda)
  Rat *weight;                // w, one a symbol; zero: it is not scaled
  uint32_t symbols;
} Scaling;

// Is the scaled expression lambda^degree times the old one, proved?
bool scaled_by(const Scaling *scaling, ExprId id, Rat degree);

#endif
