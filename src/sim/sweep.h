// Parameter study of one model: many runs by a design of samples (design.h), with their measures.
#ifndef VIVA_SIM_SWEEP_H
#define VIVA_SIM_SWEEP_H

#include "sim/design.h"
#include "sim/ensemble.h"

typedef struct SweepSettings {
  RunSettings run;          // energy, all, check_step and progress are not used
  const char *const *names; // of the values of a sample, in the order of the design
  uint32_t name_count;
  const Design *design;
  uint64_t count;   // of all samples
  uint32_t threads; // 0: one for each processor
  void *self;
  // One call at a time, in the order of the samples. False: stop.
  bool (*take)(void *self, uint64_t i, const double *values, const EnsembleEnd *end);
  // The shown columns of a sample, before it is taken. NULL: only ends.
  bool (*row)(void *self, uint64_t i, double t, const double *columns);
  bool (*begin)(void *self, const SimProgram *p); // before the first sample; false: stop. May be NULL
  // The next samples that are to be run, from .. end; false: there are no more.
  bool (*next)(void *self, uint64_t *from, uint64_t *end);
} SweepSettings;

typedef struct SweepResult {
  RunStatus status; // run_done also when samples failed
  Backend backend;
  const char *backend_note;
  uint32_t threads;
  Settled settled;
} SweepResult;

// Wrong settings are added to diags (status run_input).
SweepResult sweep_run(Arena *arena, const System *system, const SweepSettings *settings, Diags *diags);

#endif
