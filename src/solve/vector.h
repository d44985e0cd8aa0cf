// One number or eight: the type over which the arithmetic of the methods is written once.
//
// A file defines SOLVE_WIDTH before it includes this header or a body (*_body.h, scale.h): 1 for one motion, 8 for
// eight motions side by side. Lanes is then a double, or a vector of eight; L is the width. A mask has a bit for each
// lane, and Bits says the same as a comparison does. AT(v, l) is lane l of v. A body does in each lane what it does for
// one, in the same order, so a motion has the same bits in both.
#ifndef VIVA_SOLVE_VECTOR_H
#define VIVA_SOLVE_VECTOR_H

#include "base/arena.h"

#include <math.h>

#ifndef SOLVE_WIDTH
#define SOLVE_WIDTH 1
#endif

enum { L = SOLVE_WIDTH };

static const unsigned every_lane = (1u << SOLVE_WIDTH) - 1;

#if SOLVE_WIDTH == 1

typedef double Lanes;
typedef long long Bits; // 1 or 0

#define AT(v, l) (*((void)(l), &(v)))

static inline Lanes all(double x) { return x; }
static inline Bits all_bits(long long x) { return x; }
static inline Lanes blend(Bits which, Lanes a, Lanes b) { return which ? a : b; }
static inline Bits pick(Bits which, Bits a, Bits b) { return which ? a : b; }
static inline Lanes size_of(Lanes a) { return fabs(a); }
static inline Bits bits_of(unsigned mask) { return mask & 1; }
static inline unsigned mask_of(Bits b) { return b != 0; }
static inline Bits count_up(Bits count, Bits which) { return count + which; }

static inline Lanes *lanes_new(Arena *arena, size_t n) { return arena_array(arena, n, sizeof(Lanes)); }

#else

typedef double Lanes __attribute__((vector_size(64), aligned(64)));
typedef long long Bits __attribute__((vector_size(64), aligned(64))); // of each lane all or none

#define AT(v, l) ((v)[l])

static inline Lanes all(double x) { return (Lanes){x, x, x, x, x, x, x, x}; }
static inline Bits all_bits(long long x) { return (Bits){x, x, x, x, x, x, x, x}; }
static inline Bits pick(Bits which, Bits a, Bits b) { return (a & which) | (b & ~which); }
static inline Lanes blend(Bits which, Lanes a, Lanes b) { return (Lanes)pick(which, (Bits)a, (Bits)b); }
static inline Lanes size_of(Lanes a) { return (Lanes)((Bits)a & all_bits(0x7FFFFFFFFFFFFFFF)); }

static inline Bits bits_of(unsigned mask) {
  Bits b = {0};
  for (int l = 0; l < L; l++) b[l] = -(long long)(mask >> l & 1);
  return b;
}

static inline unsigned mask_of(Bits b) {
  unsigned mask = 0;
  for (int l = 0; l < L; l++) mask |= b[l] ? 1u << l : 0u;
  return mask;
}

static inline Bits count_up(Bits count, Bits which) { return count - which; } // true is -1

static inline Lanes *lanes_new(Arena *arena, size_t n) {
  char *p = arena_alloc(arena, n * sizeof(Lanes) + 64);
  return p ? (Lanes *)(void *)(p + (64 - (uintptr_t)p % 64) % 64) : NULL;
}

#endif

#endif
