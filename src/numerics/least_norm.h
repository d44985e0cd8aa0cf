// Small dense linear systems, singular ones as well.
#ifndef VIVA_NUMERICS_LEAST_NORM_H
#define VIVA_NUMERICS_LEAST_NORM_H

#include <stddef.h>
#include <stdint.h>

// Solves A x = b, n by n, row by row; A and b are used up. Where A is singular and b within its range: the x of least
// norm. Returns the rank. column: room for n indices; room: for n*n + 2*n numbers.
uint32_t least_norm(uint32_t n, double *a, double *b, double *x, uint32_t *column, double *room);

#endif
