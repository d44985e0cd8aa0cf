// Chance that repeats: the numbers that laws are tried with, and how they are compared.
#ifndef VIVA_TESTS_CHANCE_H
#define VIVA_TESTS_CHANCE_H

#include "tests/support.h"

#include <unistd.h>

static uint64_t seed;

static inline double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}
static inline unsigned choose(unsigned n) { return (unsigned)(uniform() * n); }

// Ordinary numbers, and those at which functions break.
static inline double number(void) {
  static const double odd[] = {0.0, -0.0, 1, -1, 0.5, INFINITY, -INFINITY, NAN, 1e308, -1e-308, 5e-324, 1e9, -2, 3};
  if (uniform() < 0.3) return odd[choose(sizeof odd / sizeof *odd)];
  return (uniform() - 0.5) * (uniform() < 0.5 ? 4 : 200);
}

static inline bool same(double x, double y) { return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)); }

static inline int start(void **state) {
  (void)state;
  const char *given = getenv("VIVA_SEED");
  seed = given ? strtoull(given, NULL, 10) : 20240601;
  print_message("seed %llu (VIVA_SEED sets another)\n", (unsigned long long)seed);
  return 0;
}

#endif
