// Blocks, each twice as large as the one before up to a limit; large ones stand in large pages (base/pages.h).
#define _DEFAULT_SOURCE // madvise
#include "solve/slab.h"

#include "base/pages.h"

#include <stdbool.h>

struct SlabBlock {
  SlabBlock *older;
  size_t used, size; // with this head
  bool paged;
};

enum { slab_alignment = 64, slab_first = 4096, slab_most = 64 * 1024 * 1024 };

static size_t align_up(size_t size) { return (size + slab_alignment - 1) & ~(size_t)(slab_alignment - 1); }

static SlabBlock *block_new(size_t size) {
  bool paged = size >= pages_large / 2;
  SlabBlock *b = paged ? pages_take(&size) : calloc(1, size);
  if (b) *b = (SlabBlock){.used = align_up(sizeof *b), .size = size, .paged = paged};
  return b;
}

void *slab_take(Slab *slab, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 8 / size) return NULL;
  size_t need = align_up(count > 0 && size > 0 ? count * size : 1);
  SlabBlock *b = slab->top;
  if (!b || b->size - b->used < need) {
    size_t wanted = slab->next > slab_first ? slab->next : slab_first,
           least = need + align_up(sizeof *b) + slab_alignment;
    b = block_new(wanted > least ? wanted : least);
    if (!b && wanted > least) b = block_new(least);
    if (!b) return NULL;
    b->older = slab->top;
    slab->top = b;
    slab->next = 2 * b->size < slab_most ? 2 * b->size : slab_most;
  }
  void *p = (unsigned char *)b + b->used;
  b->used += need;
  return p;
}

void slab_give(Slab *slab) {
  for (SlabBlock *b = slab->top; b;) {
    SlabBlock *older = b->older;
    if (b->paged) pages_give(b, b->size);
    else free(b);
    b = older;
  }
  *slab = (Slab){0};
}
