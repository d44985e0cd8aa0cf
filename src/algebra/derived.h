// Parameters that the file computes from other parameters: `param m = 2, k = 3*m`. k is 3*m whatever m is, so a
// statement about all values of the parameters is one about m; a parameter with a plain number is free.
#ifndef VIVA_ALGEBRA_DERIVED_H
#define VIVA_ALGEBRA_DERIVED_H

#include "expr/calculus.h"
#include "system/system.h"

typedef struct Derived {
  SymbolMap map; // derived parameter -> its value in free parameters alone
  uint32_t count;
} Derived;

bool derived_find(System *s, Derived *out); // false: out of memory
// The same of any symbols with values, which may hold each other but make no cycle.
bool derived_of(System *s, const SymbolId *symbols, const ExprId *values, uint32_t count, Derived *out);
static inline bool derived_is(const Derived *d, SymbolId param) { return symbol_map_get(&d->map, param) != 0; }
bool derived_put(System *s, const Derived *d, const ExprId *in, uint32_t count,
                 ExprId *out); // their values substituted for them
// "with k = 3*m": those that stand in one of the roots; NULL: none does
const char *derived_said(System *s, const Derived *d, const ExprId *roots, uint32_t count);

#endif
