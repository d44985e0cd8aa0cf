// Modular arithmetic: numbers modulo p = 2^61 - 1, all below p.
#ifndef VIVA_EXPR_PRIME_H
#define VIVA_EXPR_PRIME_H

#include <stdint.h>

#define MODULAR_PRIME ((uint64_t)2305843009213693951) // 2^61 - 1

__extension__ typedef unsigned __int128 PrimeWide;

static inline uint64_t prime_add(uint64_t a, uint64_t b) {
  uint64_t c = a + b;
  return c >= MODULAR_PRIME ? c - MODULAR_PRIME : c;
}
static inline uint64_t prime_sub(uint64_t a, uint64_t b) { return a >= b ? a - b : a + MODULAR_PRIME - b; }
static inline uint64_t prime_mul(uint64_t a, uint64_t b) {
  PrimeWide c = (PrimeWide)a * b;
  uint64_t r = (uint64_t)(c & MODULAR_PRIME) + (uint64_t)(c >> 61);
  return r >= MODULAR_PRIME ? r - MODULAR_PRIME : r;
}
static inline uint64_t prime_power(uint64_t a, uint64_t n) {
  uint64_t r = 1;
  for (; n; n >>= 1, a = prime_mul(a, a)) {
    if (n & 1) r = prime_mul(r, a);
  }
  return r;
}
static inline uint64_t prime_inverse(uint64_t a) { return prime_power(a, MODULAR_PRIME - 2); }

#endif
