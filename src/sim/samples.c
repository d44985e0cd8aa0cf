// The program of an ensemble, and the varied names. See samples.h.
#include "sim/samples.h"

#include "sim/program_start.h"

SimProgram *samples_program(Arena *arena, const System *system, const RunSettings *run, const char *const *names,
                            uint32_t name_count, Diags *diags, Variation *vary, RunStatus *status) {
  ProgramReport built;
  SimProgram *p = program_new_started(arena, system, &(ProgramRequest){.settings = run}, diags, &built);
  *status = run_no_memory;
  if (!p) {
    *status = built.failure.status == run_failed ? run_input : built.failure.status;
    if (built.failure.message) diag_error(diags, diag_bad_setting, built.failure.place, "%s", built.failure.message);
    return NULL;
  }
  if (vary_names(p, names, name_count, diags, vary)) {
    if (!diags->errors) return p;
    *status = run_input;
  }
  program_free(p);
  return NULL;
}
