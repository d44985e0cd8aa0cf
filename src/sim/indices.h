// Sobol sensitivity indices of a measure: the part of its variance that each random quantity explains.
//
// in    values f(A), f(B), f(A with column k of B) for every draw (Design.radial)
// out   S_k = 1 - mean (f(B) - f(AB_k))^2/(2 V), the part that k brings alone;
//       T_k = mean (f(A) - f(AB_k))^2/(2 V), that of k with all others (Jansen 1999); V the variance of f(A), f(B);
//       the 95 % of their distribution when the draws are resampled, with repetition (bootstrap, seeded)
#ifndef VIVA_SIM_INDICES_H
#define VIVA_SIM_INDICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct SobolIndex {
  double first, first_low, first_high;
  double total, total_low, total_high;
} SobolIndex;

// values: by draw, 2 + quantities numbers each; draws with one that is not finite are left out. False: out of memory.
bool indices_find(const double *values, size_t draws, uint32_t quantities, uint64_t seed, SobolIndex *out);

#endif
