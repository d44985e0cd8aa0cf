// Blocks of accelerations whose mass matrix is singular.
#ifndef VIVA_SYSTEM_REDUCE_H
#define VIVA_SYSTEM_REDUCE_H

#include "system/system.h"

// Takes the directions without inertia out of a block whose matrix has a lower rank. pivots: `rank` indices of a
// principal minor that is not zero. Sets speeds, definitions and the equations of first order; *out gets the block of
// the rates. False: *why says why not (NULL: out of memory).
bool system_reduce(System *s, const Block *b, const uint32_t *pivots, uint32_t rank, const char *names, Block *out,
                   const char **why);

#endif
