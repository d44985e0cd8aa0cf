// What a run has settled before its first step, for studies that make many runs.
#ifndef VIVA_STUDY_PLAN_H
#define VIVA_STUDY_PLAN_H

#include "study/run.h"

typedef struct RunPlan {
  System s; // with a pool of its own
  ExprPool pool;
  uint32_t n, states, dim, param_count; // coordinates, states, size of y
  double *params, *start;               // as the model has them
  const char **state_names;             // of y
  const Tape *f;                        // variables t, y; results v', x', power dissipated, power supplied
  const Tape *rows;                     // variables t, y, dissipated, supplied; results columns, then energies
  const char **columns;
  uint32_t column_count;
  OdeSettings ode;
} RunPlan;

// Checks the settings and builds the tapes. run_input: see diags.
RunStatus run_plan(Arena *arena, const System *system, const RunSettings *settings, Diags *diags, RunPlan *plan, Backend *backend);
// All parameters, then y(0), as a tape of the parameters in vars; the others follow from their definitions.
const Tape *run_values(Arena *arena, RunPlan *plan, const SymbolId *vars, uint32_t var_count);

#endif
