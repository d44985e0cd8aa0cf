// Position from rough guesses: the Levenberg-Marquardt method with least-norm steps on the equations of positions.
//
//   du = -J' (J J' + mu S)^-1 F       mu falls as it converges, S = diag(J J')
//
// The step is the shortest that does, so a mechanism with freedoms moves as little as it can. Where the equations
// contradict each other it ends where the sum of their squares is least; the equations that are left open there are
// those that contradict each other.
#ifndef VIVA_POSITIONS_NEAREST_H
#define VIVA_POSITIONS_NEAREST_H

#include "positions/places.h"

typedef enum NearestStatus {
  nearest_done,
  nearest_contradiction, // a smallest sum of squares that is not zero
  nearest_unsettled,     // too many iterations
  nearest_no_module,
  nearest_no_memory
} NearestStatus;

typedef struct NearestRequest {
  const bool *may;      // by unknown: may it move? NULL: all
  const bool *skip;     // by equation: it does not count; NULL: all count
  const double *P;      // of drives
  const double *weight; // by equation: how much it counts; NULL: all alike
  double rough;         // gradient of the sum of squares at which it ends, relative to what is left; 0: to rounding
} NearestRequest;

typedef struct NearestPoint {
  uint32_t iterations;
  double *left; // by equation: its residual, divided by the length of its gradient: about a length or an angle
  bool least;   // of nearest_least: no step along what equations leave comes nearer
} NearestPoint;

// Moves u, where the equations hold, along what they leave to the configuration nearest to `from`: least motion.
NearestStatus nearest_least(Places *p, const NearestRequest *request, const double *from, double *u, NearestPoint *out);
// u is moved.
NearestStatus gather(Places *p, const NearestRequest *request, double *u, NearestPoint *out);

#endif
