// The summary of a sweep.
#ifndef VIVA_SHOW_SWEEP_H
#define VIVA_SHOW_SWEEP_H

#include "base/text.h"
#include "sim/indices.h"
#include "sim/sweep.h"
#include "sim/tally.h"

typedef struct SweepSummary {
  const MeasureSet *set;
  Tally *tally;
  const Design *design;
  const char *const *names;
  uint64_t count, rows; // of samples; that are there
  const SweepResult *result;
  const SobolIndex *indices; // by measure and quantity; NULL: none
  uint32_t indices_of;       // quantities
  int ranks, absent;         // processes; those that took no part
} SweepSummary;

void show_sweep_text(const SweepSummary *s, Text *out);
void show_sweep_json(const SweepSummary *s, Text *out);

#endif
