// Where the frequency response of a path crosses something: all frequencies at which
//   |G(i w)| = level,  or  G(i w) is real,
// found as roots of equations, not on a grid, and polished until the last digits.
#ifndef VIVA_ANALYZE_CROSSINGS_H
#define VIVA_ANALYZE_CROSSINGS_H

#include "analyze/response.h"

typedef enum CrossingKind {
  crossing_level, // |G| = level
  crossing_real   // Im G = 0
} CrossingKind;

typedef struct Crossing {
  double w;      // rad/s, > 0 and (sampled) below half the rate
  Complex value; // G there
  bool touches;  // it does not go through
} Crossing;

typedef struct Crossings {
  Arena *arena;
  VEC(Crossing) list; // by frequency
  bool cut;           // with delays: further ones lie above `until`, where |G| is below `floor`
  double until;
} Crossings;

typedef struct CrossingRequest {
  CrossingKind kind;
  double level; // of crossing_level
  double floor; // with delays, of crossing_real: from where on |G| stays below this, nothing is looked for
  bool scan;    // without delays: signs are compared at the scales of all poles and zeros, too
} CrossingRequest;

DenseStatus crossings_find(Arena *arena, const SolveModule *module, const LinearSystem *path,
                           const CrossingRequest *request, Crossings *out);

#endif
