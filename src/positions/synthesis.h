// Dimensional synthesis: lengths and pivots for which a point passes given points, or a bar given positions.
//
//   min over p of  sum_j  min over u_j of  1/2 sum_i e_i(u_j, p)^2        at point j what passes it is held there
//
// in    places of kind places_soft whose drives are what passes (the first ones) and the free parameters (the others);
//       the points; bounds of the parameters
// out   parameters, the mechanism at each point, and how far its elements are from fitting there
// how   The Levenberg-Marquardt method over p and all u_j together. Each point has a block of its own, which
//       Householder's reflections reduce to rows over p alone: the cost grows with the number of points. Many starts
//       within the bounds (seeded), the best of them to the end.
//
// Notation: N points, n unknowns and m equations a point, d parameters; J = dF/du, K = dF/dp.
#ifndef VIVA_POSITIONS_SYNTHESIS_H
#define VIVA_POSITIONS_SYNTHESIS_H

#include "positions/places.h"

typedef struct SynthesisRequest {
  uint32_t targets, count;  // what passes: numbers a point; points
  const double *points;     // count rows of `targets`
  const double *low, *high; // of parameters
  uint32_t starts;          // random ones beside that of the model
  uint64_t seed;
  bool (*interrupted)(void *self);
  void (*progress)(void *self, double part);
  void *self;
} SynthesisRequest;

typedef struct Synthesis {
  uint32_t d, count, starts, failed; // starts that were tried; of these without an answer
  double *p;                         // parameters
  double *u;                         // count rows of n
  double *off;                       // by point: the root of the sum of squares of its elongations
  double cost;                       // half the sum of squares; INFINITY: nothing was found
  double missed;                     // the most that is left of an equation that does not give way
  uint64_t steps;
  bool settled; // no step leads down any more
  bool interrupted;
} Synthesis;

// False: out of memory.
bool synthesis_find(Synthesis *x, Places *p, const SynthesisRequest *request);

#endif
