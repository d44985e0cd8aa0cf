// A random quantity: its distribution in numbers.
#ifndef VIVA_SYSTEM_RANDOM_QUANTITY_H
#define VIVA_SYSTEM_RANDOM_QUANTITY_H

#include "base/source.h"

typedef enum RandomKind {
  random_is_normal,     // mean, standard deviation
  random_is_uniform,    // low, high
  random_is_lognormal,  // mean and standard deviation of the logarithm
  random_is_triangular, // low, mode, high
  random_kind_count
} RandomKind;

typedef struct RandomQuantity {
  const char *name; // of a parameter or start
  RandomKind kind;
  double a, b, c;
  double low, high; // it is cut off there; infinite: it is not
  Span span, name_span;
} RandomQuantity;

#endif
