// Fill-reducing elimination order of a sparse matrix (minimum degree).
#ifndef VIVA_TAPE_ELIMINATION_H
#define VIVA_TAPE_ELIMINATION_H

#include "base/arena.h"

// Unknowns that are in one set together stand beside each other in some equation.
typedef struct EliminationSets {
  uint32_t count;
  const uint32_t *start, *member; // set s: member[start[s]] .. member[start[s + 1] - 1]
} EliminationSets;

typedef struct Elimination {
  uint32_t *order;        // the unknown that is eliminated at each step
  uint32_t *start, *left; // step k: the steps of the unknowns that stand beside it then, rising: left[start[k]] ..
} Elimination;

const Elimination *elimination_order(Arena *arena, uint32_t unknowns,
                                     const EliminationSets *sets); // NULL: out of memory

#endif
