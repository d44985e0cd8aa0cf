// The order of elimination of fronts.h, and the tree of its fronts.
#ifndef VIVA_SOLVE_FRONTS_ORDER_H
#define VIVA_SOLVE_FRONTS_ORDER_H

#include "solve/slab.h"

#include <stdbool.h>
#include <stdint.h>

enum { fronts_none = UINT32_MAX };

typedef struct FrontsTree {
  Slab *slab;             // where all of it stands
  uint32_t n, count;      // unknowns, fronts
  uint32_t *order, *back; // the k-th unknown that is eliminated is order[k]; back: the inverse
  uint32_t *begin;        // count + 1: columns of each front, in this order
  size_t *first;          // count + 1: rows below them, rising, in `rows`
  uint32_t *rows;
  uint32_t *parent, *child,
      *sibling;  // children stand right before their parent; child: the last, sibling: the one before
  size_t *taken; // numbers that its children leave on the stack
} FrontsTree;

// See fronts_new. All stands in the slab. False: out of memory.
bool fronts_order(Slab *slab, FrontsTree *t, uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border,
                  const uint32_t *group, bool backwards);

#endif
