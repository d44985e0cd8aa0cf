// Derivatives of a signal that is known at some times: interpolating splines of degree 5.
#ifndef VIVA_SIM_SPLINE_H
#define VIVA_SIM_SPLINE_H

#include "base/arena.h"

enum { spline_least = 6 }; // points

// t rises, count >= spline_least. first, second: the derivatives at the points, `count` numbers each; NULL: not
// requested. False: out of memory.
bool spline_slopes(Arena *arena, const double *t, const double *y, uint32_t count, double *first, double *second);

#endif
