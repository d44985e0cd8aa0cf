// Random numbers that are functions of a seed and a counter: the same on every machine and in any order.
#ifndef VIVA_BASE_RANDOM_H
#define VIVA_BASE_RANDOM_H

#include <stdint.h>

uint64_t random_bits(uint64_t seed, uint64_t counter);
double random_uniform(uint64_t seed, uint64_t counter); // inside (0, 1)
double normal_quantile(double p);                       // inverse of the normal distribution, relative error 1e-15
double random_normal(uint64_t seed, uint64_t counter);  // mean 0, variance 1

#endif
