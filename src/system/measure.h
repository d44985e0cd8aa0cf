// Measures of a run: scalar results of one simulation.
//
//   max(e)  min(e)  mean(e)  sd(e)  final(e)  integral(e)  time(condition)
//
// and formulas of these and of parameters, `max(x) - 2*final(y)`, or conditions on them, `max(y) <= 1.02`. Each of the
// seven, of one expression, is a gauge, with a symbol that stands for what it comes to.
#ifndef VIVA_SYSTEM_MEASURE_H
#define VIVA_SYSTEM_MEASURE_H

#include "base/source.h"
#include "expr/pool.h"

typedef enum MeasureKind {
  measure_max,
  measure_min,
  measure_mean,
  measure_sd,       // standard deviation over time
  measure_final,    // the value at the end
  measure_integral, // over time
  measure_time,     // for how long a condition holds
  measure_kind_count
} MeasureKind;

typedef struct MeasureGauge {
  MeasureKind kind;
  ExprId of;       // the expression, or the condition
  SymbolId symbol; // stands for its value
  const char *text;
  Span span;
} MeasureGauge;

typedef struct Measure {
  const char *text; // as written
  ExprId value;     // of the symbols of gauges, and parameters
  bool condition;   // it is true (1) or false (0)
  Span span;
} Measure;

// All measures that are asked of one run. Its expressions are those of the system that runs (lang/measures.h).
typedef struct MeasureSet {
  VEC(MeasureGauge) gauges;
  VEC(Measure) items;
} MeasureSet;

#endif
