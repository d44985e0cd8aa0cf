// Design of a parameter study: the values of each sample, by its number alone.
//
// A sample is a point of the product of all grids, and at each such point one of draw_count draws of the random
// quantities; the last grid, then the draws, vary fastest. Draw j is a function of the seed and of j: any sample can be
// made at any time, on any machine, and all points of the grids see the same draws. Correlated quantities of a Latin
// hypercube alone need all draws at once: their order (design_order).
#ifndef VIVA_SIM_DESIGN_H
#define VIVA_SIM_DESIGN_H

#include "base/arena.h"
#include "system/random_quantity.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum SamplingKind {
  sampling_random, // independent
  sampling_latin,  // one draw in each of the equal parts of every quantity
  sampling_sobol   // Sobol's sequence, shifted by the seed
} SamplingKind;

enum { design_most_sobol = 21 };         // dimensions of Sobol's sequence
enum { design_most_ordered = 10000000 }; // draws of a Latin hypercube with correlations: 4 bytes a quantity each

typedef struct GridFactor {
  uint64_t count;
  double (*value)(const void *self, uint64_t i);
  const void *self;
} GridFactor;

typedef struct Design {
  const GridFactor *grids;
  uint32_t grid_count;
  const RandomQuantity *random;
  uint32_t random_count;
  const double *factor;  // of the correlations, lower triangular; NULL: independent
  const uint32_t *order; // by quantity and draw: its part of a Latin hypercube with correlations (design_order)
  SamplingKind draws;
  uint64_t seed, draw_count; // at each point of the grids; 1 without random quantities
  // for indices: draws j of the matrices A, B and A with column k of B, one behind the other (Saltelli)
  bool radial;
} Design;

// Of a Latin hypercube with correlations; all else needs none. False: out of memory.
bool design_order(Design *d, Arena *arena);
double design_size(const Design *d); // samples, also where they are too many for a number
// The values of sample i: grids, then random quantities.
void design_sample(const Design *d, uint64_t i, double *values);
double random_quantile(const RandomQuantity *q, double u); // 0 < u < 1

#endif
