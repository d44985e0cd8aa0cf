// Many motions of one model: parameters and starting values differ from sample to sample.
//
// Samples run eight at a time in lanes: all together with fixed steps, each with its own steps otherwise, a lane taking
// the next sample when it is done. One by one with bdf, where LAPACK factorizes, and where implicit equations are
// solved. All on several threads. Each gives the bits of a run of its own.
#ifndef VIVA_SIM_BATCH_H
#define VIVA_SIM_BATCH_H

#include "sim/run.h"

typedef struct BatchSettings {
  RunSettings run;          // energy, all, check_step and progress are not used
  const char *const *names; // parameters and starting values (x, x') that differ
  uint32_t name_count;
  const double *values; // count rows of name_count
  uint64_t count;
  uint32_t threads; // 0: one for each processor
} BatchSettings;

typedef struct BatchResult {
  RunStatus status;   // run_done also when samples failed
  const char **names; // of the final values
  uint32_t value_count;
  double *values;    // count rows of value_count: as far as the sample came
  uint8_t *statuses; // RunStatus of each sample
  double *times;     // how far each came
  uint64_t failed, steps, evaluations;
  Backend backend;
  const char *backend_note;
} BatchResult;

BatchResult batch_run(Arena *arena, const System *system, const BatchSettings *settings, Diags *diags);

#endif
