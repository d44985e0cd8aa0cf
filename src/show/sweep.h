// The summary of a sweep.
#ifndef VIVA_SHOW_SWEEP_H
#define VIVA_SHOW_SWEEP_H

#include "base/text.h"
#include "sim/indices.h"
#include "sim/sweep.h"
#include "sim/tally.h"

typedef struct SweepSummary {
  const char *const *measures; // their texts, the last ones are conditions
  uint32_t measure_count;
  const Tally *tally;
  const TallyStatistics *statistics; // by measure
  const Design *design;              // NULL: of a table that was read
  const char *const *names;
  uint32_t name_count;
  uint64_t count, rows;      // of samples; that are there
  bool kept;                 // in a table: a later sweep goes on with it
  bool open;                 // of a table that was read: it has no end, and nobody knows how many there will be
  const SweepResult *result; // NULL: nothing was run
  const char *failure;       // what the first one that failed says; NULL: nothing
  const SobolIndex *indices; // by measure and quantity; NULL: none
  uint32_t indices_of;       // quantities
  int ranks, absent;         // processes; those that took no part
} SweepSummary;

void show_sweep_design(const SweepSummary *s, Text *out); // "6: k 3 x d 2"
void show_sweep_text(const SweepSummary *s, Text *out);
void show_sweep_json(const SweepSummary *s, Text *out);

#endif
