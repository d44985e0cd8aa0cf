// Constraints: what must hold, and the forces that keep it.
#ifndef VIVA_SYSTEM_CONSTRAINT_H
#define VIVA_SYSTEM_CONSTRAINT_H

#include "base/diag.h"
#include "system/dimension.h"
#include "system/row.h"

// What must hold, value = 0, and is kept by a force with a multiplier: + multiplier * d(value)/dq, or for one on
// velocities + multiplier * d(value)/dv.
typedef struct SystemConstraint {
  SymbolId symbol;   // the multiplier
  const char *name;  // "lambda.rod", "hip.lambda.rod"
  const char *label; // of the constraint: "rod", "hip.rod"
  ExprId value;
  bool velocities; // it binds velocities, and is linear in them
  Dimension dim;   // of the multiplier, inferred
  Span span;
  // filled by the formulation: rate = 0 is linear in velocities; its own time derivative is
  // G a + curvature = 0, where the row G has an entry a freedom
  ExprId rate, curvature;
  uint32_t origin; // index plus one
  MassRow G;
} SystemConstraint;
typedef VEC(SystemConstraint) SystemConstraintList;

#endif
