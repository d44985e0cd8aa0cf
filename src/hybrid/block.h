// One block of memory cut into arrays.
//
// The same walk says how large the block is (base NULL) and where each array of a given block lies, so a block needs no
// pointers inside: it is copied by memcpy, and the walk is done again over the copy.
#ifndef VIVA_HYBRID_BLOCK_H
#define VIVA_HYBRID_BLOCK_H

#include <stddef.h>

typedef struct Cutter {
  char *base; // NULL: only counted
  size_t at;
} Cutter;

static inline void *block_cut(Cutter *c, size_t count, size_t size) {
  size_t at = (c->at + 15) & ~(size_t)15;
  c->at = at + count * size;
  return c->base ? c->base + at : NULL;
}

// p = an array of that many items
#define BLOCK_CUT(c, p, count) ((p) = block_cut((c), (count), sizeof *(p)))

#endif
