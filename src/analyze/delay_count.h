// The characteristic function of a system with dead times, and how many of its zeros lie somewhere.
//
//   F(s) = [s - A, -E; -e G, 1 - e J],  e = diag(exp(-s T)):   the poles are the zeros of det F
#ifndef VIVA_ANALYZE_DELAY_COUNT_H
#define VIVA_ANALYZE_DELAY_COUNT_H

#include "analyze/dense.h"

typedef struct DelayFunction {
  Arena *arena;
  const LinearSystem *s;
  uint32_t size;       // n + delays
  Complex *f, *matrix; // factors of F, and F itself, at the last point
  Complex *inverse, *column;
  uint32_t *pivot;
  double *weight, *image;     // of the bound on a step
  double most_change;         // how far F(s0)^-1 F(s) may be from 1 in one step
  uint32_t steps, most_steps; // of a contour: taken, and allowed
} DelayFunction;

bool delay_function_open(DelayFunction *x, Arena *arena, const LinearSystem *s); // false: out of memory
// d log det F/ds at a point, and there `inverse`; rounding: how far rounding may have moved log det F.
// False: det F is 0.
bool delay_function_slope(DelayFunction *x, Complex at, Complex *slope, double *rounding);

// No zero with Re s >= line is larger than this; INFINITY: what feeds itself without a state may reach that line.
double delay_function_largest(const DelayFunction *x, double line);

typedef enum DelayCount {
  delay_counted,
  delay_on_contour, // a zero lies on the contour, or too near to it
  delay_too_long,   // it would take too many steps
  delay_neutral     // of delay_count_right: zeros come near this line at all heights, as far as bounds tell
} DelayCount;
// Zeros with Re s > line.
DelayCount delay_count_right(DelayFunction *x, double line, uint32_t *count);
// Zeros inside the unit circle, of a system without dead times.
DelayCount delay_count_inside(DelayFunction *x, uint32_t *count);
// Zeros in the rectangle between two corners, low left and high right.
DelayCount delay_count_box(DelayFunction *x, Complex low, Complex high, uint32_t *count);

#endif
