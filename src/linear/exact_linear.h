// Symbolic linearization: the linear model as exact expressions of the parameters.
#ifndef VIVA_LINEAR_EXACT_LINEAR_H
#define VIVA_LINEAR_EXACT_LINEAR_H

#include "rest/operating.h"

typedef struct ExactLinear {
  uint32_t columns; // of y: dim
  ExprId *rates;    // of y at the point
  ExprId *outputs;  // at the point
  ExprId *jacobian; // row by row, dim columns: rates, outputs, then the argument and its rate of each jump
  ExprId *inputs;   // values of the inputs behind w
  const char *why;  // not NULL: it failed, and this is the reason
  const char *note; // what could not be made shorter; NULL
} ExactLinear;

typedef enum ExactMode {
  exact_symbols, // expressions of the parameters
  exact_numbers  // rational numbers: the parameters have their values. No expression grows; what is irrational is the
                 // end of it
} ExactMode;

// still: accelerations, and velocities without inertia that are not cyclic, are taken as 0 (a rest that is known in
// numbers only). Loads of held jumps are found, and taken out of the Jacobian. False: out of memory.
bool exact_linear(Operating *o, ExactMode mode, bool still, ExactLinear *out);

// Column c of every row taken out by row `pivot`, which is zero then: row -= row[c]/pivot[c] * pivot.
// False: out of memory.
bool exact_eliminate(Operating *o, ExactMode mode, ExactLinear *x, uint32_t pivot, uint32_t c);

#endif
