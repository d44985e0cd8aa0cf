// The sparsity pattern of a structure's matrix, and where its parts write in it. See the head of problem.h.
#ifndef VIVA_STATICS_PATTERN_H
#define VIVA_STATICS_PATTERN_H

#include "statics/problem.h"

// Fills blocks, lines, group, start, row, values, diagonal, slots. False: out of memory.
bool pattern_make(Arena *arena, Problem *p);

#endif
