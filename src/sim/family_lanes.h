// Members of a family in SIMD lanes (solve/lanes.h): each has the rows, messages and counts of a single run.
#ifndef VIVA_SIM_FAMILY_LANES_H
#define VIVA_SIM_FAMILY_LANES_H

#include "sim/family.h"

// One member: its arena, system, settings and sink as in run_member; result is filled.
typedef struct FamilyMember {
  Arena *arena;
  const System *system;
  const RunSettings *settings;
  const Sink *sink;
  Diags *diags;
  RunResult result;
} FamilyMember;

// As run_member for each of them, in their order: rows of a member go to its sink when those of the one before are
// complete. After one that is interrupted, or whose sink takes no more, the rest is not run (run_interrupted). Those
// that lanes do not serve (bdf, constraints, events in fixed steps, implicit equations, a saved state, a half step, a
// back end that was asked for), and those that do not come to their end, run alone.
void family_run_members(FamilyProgram *family, FamilyMember *members, uint32_t count);

#endif
