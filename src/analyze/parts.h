// Strongly connected components of a square matrix: rows that feed each other round a loop. Its eigenvalues are those
// of the parts.
#ifndef VIVA_ANALYZE_PARTS_H
#define VIVA_ANALYZE_PARTS_H

#include "base/arena.h"

typedef struct MatrixParts {
  uint32_t count;
  uint32_t *of; // by row: its part
  bool *loops;  // by part: it feeds itself; else it is one row with 0 on the diagonal
} MatrixParts;

bool parts_find(Arena *arena, uint32_t n, const double *a, MatrixParts *out); // false: out of memory

#endif
