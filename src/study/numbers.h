// Expressions of parameters in numbers.
#ifndef VIVA_STUDY_NUMBERS_H
#define VIVA_STUDY_NUMBERS_H

#include "system/system.h"

// With the values of the parameters put in; a parameter without a value gives NAN. False: memory is out.
bool study_numbers(Arena *arena, const System *system, const ExprId *wanted, uint32_t count, double *out);

#endif
