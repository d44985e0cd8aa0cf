// A Program that knows what its constraints are like where motions start.
//
// Constraints may depend on each other on the constraint set alone: three parallel cranks, a rod once by its ends and
// once by its length. Stages of a step lie beside the set. There the same rows are independent, by little, and ask for
// accelerations that are far off. So whoever starts motions asks here: where the first start shows such rows, the
// Program is made again for multipliers of least norm at all places (System.dependent).
#ifndef VIVA_SIM_PROGRAM_START_H
#define VIVA_SIM_PROGRAM_START_H

#include "sim/program.h"

// As program_new.
SimProgram *program_new_started(Arena *arena, const System *system, const ProgramRequest *request, Diags *diags,
                                ProgramReport *report);

#endif
