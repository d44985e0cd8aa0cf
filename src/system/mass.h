// The mass matrix M of M a + h = 0: sparse rows.
#ifndef VIVA_SYSTEM_MASS_H
#define VIVA_SYSTEM_MASS_H

#include "expr/calculus.h"
#include "expr/occurs.h"
#include "system/row.h"

struct System;
// An entry; the number zero where there is none.
ExprId system_mass(const struct System *s, uint32_t row, uint32_t column);
// Sets an entry, or takes it out where it is zero. False: out of memory.
bool system_mass_set(struct System *s, uint32_t row, uint32_t column, ExprId value);
// All of it, row by row, for few coordinates. NULL: out of memory.
ExprId *system_mass_dense(const struct System *s, Arena *arena);
// Substitutes expressions for symbols, in rows of its own. False: out of memory.
bool system_mass_replace(struct System *s, Arena *arena, const SymbolMap *map);

// rows[i] gets d(roots[i])/d(symbols), columns by their indices in the list: one pass a column over the roots that hold
// its symbol. False: out of memory.
bool sparse_jacobian(Arena *arena, ExprPool *pool, const ExprId *roots, uint32_t count, const SymbolIndex *symbols,
                     MassRow *rows);
// The same of a gradient by the symbols it was taken by, as many: the derivatives below the diagonal serve above it.
bool sparse_hessian(Arena *arena, ExprPool *pool, const ExprId *gradient, uint32_t count, const SymbolIndex *symbols,
                    MassRow *rows);

#endif
