// Absolute stability: for which static functions f in a loop, y = f(e), is every solution stable?
//
// in    the linear part from y to e, e = -G y (negative feedback), stable or made stable by a lower slope
// out   the largest sector  0 <= e f(e) <= k e^2  that is proved stable, by the circle and by Popov's criterion
//
//   circle   Re G(iw) > -1/k for all w                      f may change with time
//   Popov    Re (1 + q i w) G(iw) > -1/k for all w, one q   f(e) alone, strictly proper G
//   linear   k of every constant slope: no criterion gives more
#ifndef VIVA_CONTROL_ABSOLUTE_H
#define VIVA_CONTROL_ABSOLUTE_H

#include "control/matrix.h"

typedef struct SectorBound {
  double k;         // upper slope of the sector; INFINITY: any
  double frequency; // rad/s: where the border is met
  double q;         // Popov's line
  bool found;
} SectorBound;

typedef enum AbsoluteStatus { absolute_done, absolute_unstable, absolute_failed, absolute_no_memory } AbsoluteStatus;

typedef struct Absolute {
  AbsoluteStatus status;
  double re, im; // of a pole that is not stable with the lower slope
  double lower;  // the sector is lower .. lower + k
  SectorBound circle, popov, linear;
  StateSpace shifted; // G/(1 + lower G)
} Absolute;

// s: one input y, one output -e. lower: slope below which f does not fall.
void absolute_find(Arena *arena, const StateSpace *s, double lower, Absolute *out);

// The least of Re G(iw) over all w, proved to 1e-9 of its size, and where. False: not found, or out of memory.
bool least_real_part(Arena *arena, const StateSpace *s, double *least, double *frequency);

#endif
