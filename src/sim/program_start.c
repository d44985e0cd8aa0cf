// A Program for constraints that are dependent at the start (redundant constraints). See program_start.h.
#include "sim/program_start.h"

#include "sim/motion.h"

// The start of the model itself; where there is none, whoever runs it says why.
static bool is_dependent(Arena *arena, const SimProgram *p) {
  if (!p->constraints || p->constraints->count < 2 || p->s.dependent) return false;
  Run *r = run_new(arena, p);
  return r && run_reset(r, NULL, NULL) && *r->constraints.partly;
}

SimProgram *program_new_started(Arena *arena, const System *system, const ProgramRequest *request, Diags *diags,
                                ProgramReport *report) {
  SimProgram *p = program_new(arena, system, request, diags, report);
  if (!p || !is_dependent(arena, p)) return p;
  System own = *system;
  Diags silent = {.arena = arena, .sources = diags->sources}; // errors were reported before
  own.dependent = true;
  program_free(p);
  return program_new(arena, &own, request, &silent, report);
}
