// Does an equation follow from the equations of motion of a system?
#ifndef VIVA_ALGEBRA_MOTION_H
#define VIVA_ALGEBRA_MOTION_H

#include "algebra/check_result.h"

typedef struct CheckEquation {
  ExprId lhs, rhs;
  const ExprId *parts; // values that its text computes on the way; they must exist where the sides are compared
  uint32_t part_count;
} CheckEquation;

// The text and span of the result are left empty. s must have a pool of its own, which grows.
CheckResult motion_check(System *s, const CheckEquation *equation);

#endif
