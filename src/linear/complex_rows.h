// Long complex rows, real and imaginary parts apart: what the dense triangle of reach_distance.c spends its time with.
//
// Compiled twice, also for wider registers; the order of sums is the same, and so is every bit.
#ifndef VIVA_LINEAR_COMPLEX_ROWS_H
#define VIVA_LINEAR_COMPLEX_ROWS_H

#include <stdint.h>

typedef struct ComplexRow {
  double *re, *im;
} ComplexRow;

typedef struct ComplexKit {
  // to += (re + i im) from, which lie apart
  void (*add)(ComplexRow to, double re, double im, ComplexRow from, uint32_t count);
  // sum of row* x: four partial sums of each part, then these
  void (*product)(ComplexRow x, ComplexRow row, uint32_t count, double out[2]);
} ComplexKit;

ComplexKit complex_kit(void); // for this processor

#endif
