// The order in which places of an open hash table are looked at: first a few beside `near`, then from the hash on.
//
// What is numbered in the order of its making asks for its parts right after they were made. Placed beside the number
// of the youngest part it is found in the cache; where many have one part the few places are full, and the hash spreads
// them. Nothing is ever removed, so the first empty place ends the search.
#ifndef BASE_PROBE_H
#define BASE_PROBE_H

#include <stdint.h>

typedef struct TableProbe {
  uint32_t at, left, hash, mask;
} TableProbe;

enum {
  probe_beside = 16,
  probe_spread = 8
}; // places that are looked at beside; over which equal neighbours are spread

// size: of the table, a power of two; near: about half a place, as the table is at most half full.
static inline TableProbe probe_at(uint32_t near, uint32_t hash, uint32_t size) {
  return (TableProbe){(2 * near + hash % probe_spread) & (size - 1), probe_beside, hash, size - 1};
}

static inline void probe_next(TableProbe *p) {
  if (p->left && --p->left == 0) p->at = p->hash & p->mask;
  else p->at = (p->at + 1) & p->mask;
}

#endif
