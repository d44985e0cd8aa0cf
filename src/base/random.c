// Counter-based random numbers.
//
// in    seed, counter
// out   64 bits by two rounds of the splitmix64 finalizer (Steele, Lea, Flood 2014); a uniform number from the top
//       53 bits; a normal one by the inverse distribution (Wichura 1988, algorithm AS 241, PPND16).
#include "base/random.h"

#include <math.h>

#include "base/random_text.h"

uint64_t random_bits(uint64_t seed, uint64_t counter) { return viva_bits(seed, counter); }

double random_uniform(uint64_t seed, uint64_t counter) { return viva_uniform(viva_bits(seed, counter)); }

double normal_quantile(double p) { return viva_quantile(p); }

double random_normal(uint64_t seed, uint64_t counter) { return normal_quantile(random_uniform(seed, counter)); }
