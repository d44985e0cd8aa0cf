// Error estimate of inverse dynamics by splines.
#ifndef VIVA_SIM_INVERSE_ERROR_H
#define VIVA_SIM_INVERSE_ERROR_H

#include "sim/inverse.h"

enum { inverse_least_reported = 11 };             // rows from which on errors are estimated
static const double inverse_worth_telling = 1e-3; // an error of this part of the size

// Sets the errors of the forces of a run that is done. False: out of memory.
bool inverse_estimate(Arena *arena, const InversePlan *plan, const InverseTable *table, const double *values,
                      uint32_t rows, InverseResult *out);

#endif
