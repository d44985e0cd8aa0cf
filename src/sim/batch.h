// Batch of simulations of one model, from a table of what differs to a table of their final values: an ensemble
// (ensemble.h) whose samples are the rows of a matrix and whose results are kept.
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
  double *measures;  // count rows of the measures of run.measures; NULL: there are none
  uint32_t measure_count;
  uint64_t failed, steps, evaluations;
  Backend backend;
  const char *backend_note;
} BatchResult;

BatchResult batch_run(Arena *arena, const System *system, const BatchSettings *settings, Diags *diags);

#endif
