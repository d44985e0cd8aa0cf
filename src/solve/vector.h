// SIMD lanes, one number or eight: the type over which the arithmetic of the methods is written once.
//
// A file defines SOLVE_WIDTH before it includes this header or a body (*_body.h, scale.h): 1 for one run, 8 for eight
// runs side by side. Lanes is then a double, or a vector of eight; L is the width. A mask has a bit for each lane, and
// Bits says the same as a comparison does. AT(v, l) is lane l of v. A body does in each lane what it does for one, in
// the same order, so a run has the same bits in both.
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
static inline Bits is_above(Lanes a, Lanes b) { return a > b; }
static inline Bits is_equal(Lanes a, Lanes b) { return a == b; }
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

static inline Bits bits_of(unsigned mask) { return -(all_bits(mask) >> (Bits){0, 1, 2, 3, 4, 5, 6, 7} & all_bits(1)); }

// Compilers compare vectors that are wider than their registers number by number; so halves are compared.
#if defined(__AVX__) && !defined(__AVX512F__)
typedef double HalfLanes __attribute__((vector_size(32)));
typedef long long HalfBits __attribute__((vector_size(32)));
typedef union Halves {
  Lanes lanes;
  Bits bits;
  HalfLanes half[2];
  HalfBits bits_half[2];
} Halves;

static inline Bits is_above(Lanes a, Lanes b) {
  Halves x = {.lanes = a}, y = {.lanes = b}, z;
  for (int i = 0; i < 2; i++) z.bits_half[i] = x.half[i] > y.half[i];
  return z.bits;
}
static inline Bits is_equal(Lanes a, Lanes b) {
  Halves x = {.lanes = a}, y = {.lanes = b}, z;
  for (int i = 0; i < 2; i++) z.bits_half[i] = x.half[i] == y.half[i];
  return z.bits;
}
static inline unsigned mask_of(Bits b) { // signs of four at a time
  Halves x = {.bits = b};
  return (unsigned)__builtin_ia32_movmskpd256(x.half[0]) | (unsigned)__builtin_ia32_movmskpd256(x.half[1]) << 4;
}
#else
static inline Bits is_above(Lanes a, Lanes b) { return a > b; }
static inline Bits is_equal(Lanes a, Lanes b) { return a == b; }
static inline unsigned mask_of(Bits b) {
#if defined(__AVX512DQ__)
  return (unsigned char)__builtin_ia32_cvtq2mask512(b); // signs of all
#else
  unsigned mask = 0;
  for (int l = 0; l < L; l++) mask |= b[l] ? 1u << l : 0u;
  return mask;
#endif
}
#endif

static inline Bits count_up(Bits count, Bits which) { return count - which; } // true is -1

static inline Lanes *lanes_new(Arena *arena, size_t n) {
  char *p = arena_alloc(arena, n * sizeof(Lanes) + 64);
  return p ? (Lanes *)(void *)(p + (64 - (uintptr_t)p % 64) % 64) : NULL;
}

#endif

static inline Lanes larger_of(Lanes a, Lanes b) { return blend(is_above(a, b), a, b); }

#endif
