// What a run has settled before its first step, for studies that make many runs.
#ifndef VIVA_SIM_PLAN_H
#define VIVA_SIM_PLAN_H

#include "sim/run.h"

typedef struct RunPlan {
  System s; // with a pool of its own
  ExprPool pool;
  uint32_t n, states, dim, param_count; // coordinates, states, size of y
  double *params, *start;               // as the model has them
  const char **state_names;             // of y
  const Tape *f;                        // variables t, y; results v, v', x', power dissipated, power supplied
  const Tape *rows;                     // variables t, y, dissipated, supplied; results columns, then energies
  const Tape *ahead;                    // what held variables become; NULL: there are none
  double *held;                         // their first values
  const char **columns;
  uint32_t column_count;
  uint32_t stored_at; // place of the stored energy among the results of `rows`
  TapeSolve *large;
  struct Hybrid *h; // events; NULL: none. Each worker has its own
  OdeSettings ode;
} RunPlan;

// Checks the settings and builds the tapes. run_input: see diags.
RunStatus run_plan(Arena *arena, const System *system, const RunSettings *settings, Diags *diags, RunPlan *plan,
                   Backend *backend);
// All parameters, then y(0), as a tape of the parameters in vars; the others follow from their definitions.
const Tape *run_values(Arena *arena, RunPlan *plan, const SymbolId *vars, uint32_t var_count);

// Motions one after the other, each as run_model follows it; one worker for each thread. All of the plan is shared, and
// so may the compiled right-hand side (NULL: interpreted). Of the settings only `interrupted` and `progress` are used.
typedef struct RunWorker RunWorker;
RunWorker *run_worker(Arena *arena, const RunPlan *plan, const RunSettings *settings,
                      const Native *native); // NULL: memory is out
// From y (with room for the account, dim + 2) to its last row, or as far as it came. The arena is for this sample
// alone.
const double *run_held(const RunWorker *worker);                       // the held variables after the last sample
const double *run_modes(RunWorker *worker, double t, const double *y); // the variables of events; NULL: none
OdeResult run_sample(RunWorker *worker, Arena *arena, const double *params, double *y);

#endif
