// Common start of batches and sweeps: a program for many runs, and the names that differ from one run to the other.
#ifndef VIVA_SIM_SAMPLES_H
#define VIVA_SIM_SAMPLES_H

#include "sim/run.h"
#include "sim/vary.h"

// NULL: *status says why; wrong settings and names are added to diags (run_input). Owned by the caller (program_free).
SimProgram *samples_program(Arena *arena, const System *system, const RunSettings *run, const char *const *names,
                            uint32_t name_count, Diags *diags, Variation *vary, RunStatus *status);

#endif
