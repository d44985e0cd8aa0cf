// Nyquist's criterion: how often 1 + L encircles zero along the axis, and what follows for the closed loop.
#ifndef VIVA_ANALYZE_NYQUIST_H
#define VIVA_ANALYZE_NYQUIST_H

#include "analyze/response.h"

typedef struct NyquistPoint {
  double w;      // rad/s; of a half circle around a pole: that of the pole
  Complex value; // L
} NyquistPoint;

typedef struct Nyquist {
  bool known;               // the encirclements were counted
  const char *why;          // not known: the reason
  int32_t around;           // clockwise encirclements of -1, of the whole curve
  uint32_t open;            // poles of L that grow
  int32_t closed;           // poles of the closed loop that grow: around + open
  bool through;             // the curve goes through -1
  double through_at;        // rad/s
  VEC(double) indented;     // frequencies of poles on the axis that the contour passes on the right
  VEC(NyquistPoint) points; // of the half with w >= 0, as they were needed
} Nyquist;

// axis: frequencies >= 0 of the poles of L on the axis (the unit circle), count of them; open: poles beyond it.
DenseStatus nyquist_count(Arena *arena, const SolveModule *module, const LinearSystem *loop, const double *axis,
                          uint32_t count, uint32_t open, Nyquist *out);

#endif
