// The probe sequence of an open-addressing hash table: first a few slots beside `near`, then from the hash on.
//
// Nodes that are numbered in the order of their creation ask for their parts right after these were made. Stored beside
// the number of its youngest part, a node is found in the cache; where many share one part the few slots are full, and
// the hash spreads them. Nothing is ever removed, so the first empty slot ends the search.
#ifndef BASE_PROBE_H
#define BASE_PROBE_H

#include <stdint.h>

typedef struct TableProbe {
  uint32_t at, left, hash, mask;
} TableProbe;

enum {
  probe_beside = 16,
  probe_spread = 8
}; // slots that are looked at beside `near`; slots over which equal neighbours are spread

// size: of the table, a power of two; near: half the index of the first slot, because the table is at most half full.
static inline TableProbe probe_at(uint32_t near, uint32_t hash, uint32_t size) {
  return (TableProbe){(2 * near + hash % probe_spread) & (size - 1), probe_beside, hash, size - 1};
}

static inline void probe_next(TableProbe *p) {
  if (p->left && --p->left == 0) p->at = p->hash & p->mask;
  else p->at = (p->at + 1) & p->mask;
}

#endif
