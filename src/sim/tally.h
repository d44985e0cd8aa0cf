// Statistics of the measures of a parameter study: mean, deviation, quantiles, updated sample by sample in their order.
#ifndef VIVA_SIM_TALLY_H
#define VIVA_SIM_TALLY_H

#include "base/arena.h"

#include <stdint.h>

enum { tally_most_values = 4000000, tally_listed = 20 };

// Of one measure. Samples without a value are left out.
typedef struct TallyMeasure {
  uint64_t count;
  double mean, square; // mean, sum of squares of deviations from it (Welford)
  double low, high;
  double infinite; // sum of those that are; 0: none is
  double *values;  // for quantiles; given up beyond a limit
  size_t room;
} TallyMeasure;

typedef struct Tally {
  uint32_t measures, wheres; // this many last measures are conditions that must hold
  TallyMeasure *of;
  uint64_t done, failed, passed;
  uint64_t listed[tally_listed];   // the first that pass
  uint64_t failures[tally_listed]; // the first that failed
  bool cut;                        // there are too many values for quantiles
} Tally;

bool tally_init(Tally *t, Arena *arena, uint32_t measures, uint32_t wheres); // false: out of memory
void tally_clear(Tally *t);                                                  // frees
// values NULL: the sample failed.
void tally_take(Tally *t, uint64_t sample, const double *values);

// What a measure came to, all in all. Quantiles are NAN where they were not kept, all is NAN where there are no values.
typedef struct TallyStatistics {
  uint64_t count;
  double mean, sd, min, low, median, high, max; // low, high: 5 and 95 %
} TallyStatistics;
TallyStatistics tally_statistics(Tally *t, uint32_t measure);

#endif
