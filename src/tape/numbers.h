// Numerical values of expressions of parameters.
#ifndef VIVA_TAPE_NUMBERS_H
#define VIVA_TAPE_NUMBERS_H

#include "system/system.h"

// With the values of the parameters substituted; a parameter without a value gives NAN. False: out of memory.
bool tape_numbers(Arena *arena, const System *system, const ExprId *wanted, uint32_t count, double *out);

#endif
