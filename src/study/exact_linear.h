// The linear model as exact expressions of the parameters.
#ifndef VIVA_STUDY_EXACT_LINEAR_H
#define VIVA_STUDY_EXACT_LINEAR_H

#include "study/operating.h"

typedef struct ExactLinear {
  uint32_t columns; // of y: dim
  ExprId *rates;    // of y at the point
  ExprId *outputs;  // at the point
  ExprId *jacobian; // (dim + outputs) * dim, row by row
  ExprId *inputs;   // values of the inputs behind w
  const char *why;  // not NULL: it failed, and this is the reason
  const char *note; // what could not be made shorter; NULL
} ExactLinear;

// still: accelerations, and velocities without inertia that are not cyclic, are taken as 0 (a rest that is known in numbers only).
// False: memory is out.
bool exact_linear(Operating *o, bool still, ExactLinear *out);

#endif
