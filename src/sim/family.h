// Shared Program of a family: systems that differ in values of parameters and starts alone (system/variant.h) run on
// one Program, which the first run makes.
//
// Each run has the rows, messages and counts of a run of its own. A member that the Program cannot serve (other
// settings, a structural parameter, a delay that has no length) gets one of its own.
#ifndef VIVA_SIM_FAMILY_H
#define VIVA_SIM_FAMILY_H

#include "sim/run.h"

typedef struct FamilyProgram FamilyProgram;

// params: those that differ from member to member, copied. NULL: out of memory.
FamilyProgram *family_new(const uint32_t *params, uint32_t count);
void family_free(FamilyProgram *f); // NULL is fine; all its runs are over

// A run of a member, about to begin: on the program of the family, or on one of its own (*own, to be freed after it).
// NULL: see report.
Run *family_open(Arena *arena, const System *system, FamilyProgram *family, const RunSettings *settings, Diags *diags,
                 SimProgram **own, ProgramReport *report);
const SimProgram *family_program(const FamilyProgram *family); // NULL: no run was made yet

// As run_model. family: NULL for a run of its own. What the result points to lives as long as the family.
RunResult run_member(Arena *arena, const System *system, FamilyProgram *family, const RunSettings *settings,
                     const Sink *sink, Diags *diags);

#endif
