// Loading what needs FLINT: the modules of polynomials and of balls, and the helper program for gcd and factors.
#ifndef VIVA_EXPR_EXACT_H
#define VIVA_EXPR_EXACT_H

#include "base/arena.h"
#include "expr/ring.h"

// The functions of a module, loaded on first use. NULL: it is not there, and *why says so.
const RingApi *exact_ring(Arena *arena, const char **why);
const BallApi *exact_balls(Arena *arena, const char **why);

// Is there memory for `bytes` bytes? FLINT ends the process where there is none, so it is asked for first: what a
// product of polynomials may take at most, in portions of exact_portion. granted: what is left of the last portion.
// False: out of memory, and the arena has failed.
enum { exact_portion = 16 << 20 };
bool exact_ask(Arena *arena, uint64_t *granted, uint64_t bytes);

// Runs libexec/viva-algebra on a request and returns its answer; NULL when it failed, and *why says so. The helper
// limits its own memory and processor time, so a gcd that does not end costs that time and nothing else.
const char *exact_helper(Arena *arena, const char *request, const char **why);

#endif
