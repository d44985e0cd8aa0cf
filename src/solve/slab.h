// Memory for factors: arrays that are taken one after the other and given back together. Stands without the arena: the
// module has it for itself.
#ifndef VIVA_SOLVE_SLAB_H
#define VIVA_SOLVE_SLAB_H

#include <stddef.h>

typedef struct SlabBlock SlabBlock;
typedef struct Slab {
  SlabBlock *top;
  size_t next; // size of the next block, at least; {0}: small ones
} Slab;

void *slab_take(Slab *slab, size_t count, size_t size); // zeroed; NULL: out of memory
void slab_give(Slab *slab);                             // all of it

#endif
