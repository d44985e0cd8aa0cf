// One path of a large sparse system: its frequency response and its dominant poles.
//
//   x' = A x + b u,  y = c x + d u       A by columns, as solve/sparse.h has it
#ifndef VIVA_ANALYZE_SPARSE_PATH_H
#define VIVA_ANALYZE_SPARSE_PATH_H

#include "analyze/dense.h"

typedef struct SparsePath {
  uint32_t n;
  const uint32_t *start, *row; // every column has its diagonal
  const double *value;
  const double *b, *c;
  double d;
} SparsePath;

typedef struct SparseResponse SparseResponse;
SparseResponse *sparse_response_open(Arena *arena, const SolveModule *module, const SparsePath *path); // NULL: failed
void sparse_response_close(SparseResponse *r);                                                         // NULL is fine
bool sparse_response_at(SparseResponse *r, Complex s, Complex *out); // false: s is a pole, or no memory

// A pole with its share: G holds residue/(s - pole).
typedef struct DominantPole {
  Complex pole, residue;
  double weight; // |residue|/|Re pole|: its part of the response
  double error;  // |A v - pole v|/|v|
} DominantPole;

// At most `wanted`, the largest weight first; of a pair the one with im > 0. from, to: the frequencies of interest.
// Returns how many.
uint32_t sparse_dominant(SparseResponse *r, double from, double to, uint32_t wanted, DominantPole *out);

#endif
