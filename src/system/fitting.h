// What a `fit` asks for: unknown numbers of a model, data, and what is compared with it.
#ifndef VIVA_SYSTEM_FITTING_H
#define VIVA_SYSTEM_FITTING_H

#include "system/quantity.h"

// A parameter or a start that is to be found.
typedef struct SystemUnknownNumber {
  const char *name; // as a variation calls it: k, x, x'
  ExprId from, to;  // its range, of parameters; 0: none was given
  Span span, range;
} SystemUnknownNumber;

// An expression that was measured, in a column of the data.
typedef struct SystemMeasured {
  ExprId value;
  const char *name;   // as it is written
  const char *column; // without its unit
  ExprId sd;          // standard deviation of the noise, of parameters; 0: the column's spread counts
  const char *si;     // its unit, see SystemOutput
  Span span, column_span;
} SystemMeasured;

// One line: an experiment.
typedef struct SystemFit {
  VEC(SystemUnknownNumber) unknowns;
  VEC(SystemMeasured) measured;
  const char *path, *file; // as written, and where it lies
  Span path_span;
  const char *in_case; // NULL: none
  Span span;
} SystemFit;
typedef VEC(SystemFit) SystemFitList;

#endif
