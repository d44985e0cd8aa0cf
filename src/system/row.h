// A sparse row of expressions: of the mass matrix, of the Jacobian of constraints.
#ifndef VIVA_SYSTEM_ROW_H
#define VIVA_SYSTEM_ROW_H

#include "expr/pool.h"

typedef struct MassEntry {
  uint32_t column;
  ExprId value;
} MassEntry;
// Columns ascend, and no entry is the number zero.
typedef VEC(MassEntry) MassRow;

#endif
