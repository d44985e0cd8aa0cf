// What repeats, once: see folded.c.
#ifndef VIVA_ALGEBRA_FOLDED_H
#define VIVA_ALGEBRA_FOLDED_H

#include "algebra/derivation.h"

// One of the equations that follow from each other by the next index replaces them all, with its range; `once`
// and the matrices get theirs. fold: else everything stands for itself. False: out of memory.
bool derivation_fold(System *s, Derivation *d, bool fold);

#endif
