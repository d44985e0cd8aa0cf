// The numbers of kernels as this program runs them. Exported C gets the same text: what stands in a source between
// /* section NAME */ and the next such line is given out as it is (emit_sections.c), with its own viva_real and limits
// (show/export_c.c).
#ifndef VIVA_TAPE_KERNEL_REAL_H
#define VIVA_TAPE_KERNEL_REAL_H

#include <float.h>
#include <math.h>

typedef double viva_real;
#define VIVA_PIVOT 1e-12    // of what a pivot of L D L' was: less is lost to cancellation, and proves nothing
#define VIVA_SINGULAR 1e-15 // of the largest entry: a few roundings of it, so a smaller pivot may be 0
#define VIVA_FINE 1e-14     // what an integral is to have
#define VIVA_ROUGH 1e-10    // and what it must have
#define VIVA_FINEST 1e-16   // below half the last digit: a step of rounding alone
#define VIVA_TINY 1e-300    // an integral of less is 0
#define VIVA_LARGEST DBL_MAX
#define VIVA_LOWEST_EXPONENT -746 // exp of less is 0
#define viva_sqrt sqrt

#endif
