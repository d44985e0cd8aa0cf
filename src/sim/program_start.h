// A Program for models whose constraints may be redundant on the constraint manifold.
//
// Constraints may depend on each other on the constraint manifold alone: three parallel cranks, a rod once by its ends
// and once by its length. Stages of a step lie beside the manifold. There the same rows are independent, by little, and
// lead to accelerations that are far off. So callers that start runs get their Program here: where the first start
// shows such rows, the Program is made again for multipliers of least norm in all configurations (System.dependent).
#ifndef VIVA_SIM_PROGRAM_START_H
#define VIVA_SIM_PROGRAM_START_H

#include "sim/program.h"

// As program_new.
SimProgram *program_new_started(Arena *arena, const System *system, const ProgramRequest *request, Diags *diags,
                                ProgramReport *report);

#endif
