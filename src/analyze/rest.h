// What a path does near rest: G(s) ~ constant s^-order for s -> 0, of a sampled one by (z - 1)/T.
#ifndef VIVA_ANALYZE_REST_H
#define VIVA_ANALYZE_REST_H

#include "analyze/response.h"

typedef struct RestGain {
  bool known;
  int order; // > 0: the number of integrators; < 0: minus the number of zeros at rest
  double constant;
} RestGain;

// least: the least distance of any pole or zero that is known, and not at rest itself, from there; INFINITY: there are
// none.
DenseStatus rest_find(Arena *arena, const SolveModule *module, const LinearSystem *path, double least, RestGain *out);

#endif
