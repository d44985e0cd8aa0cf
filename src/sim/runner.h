// Inside a run: what its files share.
#ifndef VIVA_SIM_RUNNER_H
#define VIVA_SIM_RUNNER_H

#include "sim/compiled.h"
#include "sim/hybrid.h"
#include "sim/plan.h"
#include "tape/jacobian.h"

typedef struct Runner {
  Arena *arena;
  System s; // with a pool of its own
  ExprPool pool;
  const System *m;
  const RunSettings *settings;
  RunResult *r;
  uint32_t n, states, dim; // coordinates, states, size of y
  double *params, *start;  // values of the parameters; y at the start
  const double *known;     // the parameters that do not vary, for tapes of this run alone; NULL: all may
  const Tape *f, *rows;    // right-hand side; everything a row shows
  double *fw, *rw;         // workspaces
  OdeMethod method;        // at the start
  uint64_t most_steps;
  Compiled code, jacobian_code; // what runs the right-hand side, and the Jacobian
  Backend wanted;               // asked for
  const TapeJacobian *j;        // made when a method asks for it
  double *jw;
  OdeJacobian jacobian;
  const Tape *ahead; // what the held variables become
  double *aw;
  double *held, *held_start; // their values now, and as the model says
  bool late;                 // OdeBreaks.late
  double t_start;
  TapeSolve *large;       // for the accelerations of large blocks
  Hybrid *h;              // events; NULL: none
  bool resumed;           // its state came from a file
  double resumed_residue; // of the account then
  double *differences;    // room for a Jacobian by differences; NULL: it is exact
  const char **columns;
  uint32_t column_count, shown; // shown: what goes to the sink
  uint32_t watch_at;            // place of the watched expressions among the results of `rows`
  uint32_t energy_at;           // place of kinetic, potential, stored there
  double *row;
  const Sink *sink;
  // account.c: the energies at the ends of steps; NULL: none are kept
  const Tape *account;
  double *account_w;
  uint32_t stride; // every so many steps
  double initial, scale, worst, worst_t;
  double damped, last_dissipated; // all that dampers took and gave, since the run went on
  bool first;
  // rows kept for check_step
  VEC(double) kept;
  bool keep, compare;
  uint64_t row_index;
} Runner;

// run_tapes.c: values known before the run, the programs it evaluates, native code
bool run_find_values(Runner *x, Diags *diags, double times[3]);
void run_find_large(Runner *x); // a large block is solved by LAPACK, where it is there
bool run_build_f(Runner *x, bool origins);
OdeProblem run_problem(Runner *x);
double *run_workspace(Runner *x, const Tape *t); // with the parameters; NULL: memory is out
bool run_build_rows(Runner *x);
uint32_t run_put_vars(const Runner *x, SymbolId *vars); // t, q, speeds, x; returns how many
void run_choose_backend(Runner *x, const OdeSettings *ode);
// callbacks of the integrator
bool run_right_side(void *self, double t, const double *y, double *dydt);
const OdeJacobian *run_jacobian(void *self);

// Rewrites the system where it has events; false: memory is out, or x->h->failure.
bool run_prepare_events(Runner *x);
bool run_copy_events(Runner *x, const Hybrid *h); // one of its own for a worker
// The state at the start settles. y has room for the account.
OdeAction run_start_events(Runner *x, const OdeSettings *ode, double *y);
void run_new_modes(void *self);                                                        // the variables of h changed
void run_see_modes(Runner *x, const Tape *tape, double *w, double t, const double *y); // those that vary inside a step
// state.c: a run that is held and goes on later
const char *run_write_state(Runner *x, const OdeResult *o, const double *y);
bool run_read_state(Runner *x, const char *text, OdeSettings *ode, double *y,
                    Diags *diags); // false: reported, or memory is out

// run_held.c: variables that stay as they are within a step (System.held)
uint32_t run_put_held(const Runner *x, SymbolId *vars, uint32_t count); // behind the others; returns how many there are
void run_set_held(const Runner *x, const Tape *t, double *w);
bool run_build_held(Runner *x);
bool run_start_held(Runner *x, double t, const double *y); // false: no solution was found
void run_accept(void *self, double t, const double *y);

// run_rows.c: rows, the energy account
bool run_send_header(Runner *x);
bool run_take_row(void *self, double t, const double *y);
void run_watch(void *self, double t, const double *y);   // a row for pictures alone
double run_stored(Runner *x, double t, const double *y); // energy
void run_take_jump(void *self, double left, double right, double *y);
bool run_is_interrupted(Runner *x); // asks, and remembers
bool run_after_step(void *self, double t, const double *y, uint64_t steps);

// account.c: the energy account
bool run_build_account(Runner *x);
bool run_account_due(const Runner *x, uint64_t steps);
bool run_account(Runner *x, double t, const double *y); // false: no finite energy, which is told
Span run_place_of_energy(Runner *x, double t, const double *y, const char **what); // of one that has no finite value
// Further expressions of the state, evaluated at t, y: the workspace of their tape; NULL: memory is out.
double *run_evaluate(Runner *x, ExprId *wanted, uint32_t count, double t, const double *y, const Tape **tape);
const char *run_component(const Runner *x, uint32_t e); // the name of a component of y

// inertia.c. At the start: inertia that is infinite stops the run (false), negative inertia is warned of.
bool run_check_inertia(Runner *x, double t, const double *y, Diags *diags);
// A block of accelerations whose matrix is almost singular at t, y, and a coordinate of it by its place in the block;
// NULL: none.
const Block *run_singular_inertia(Runner *x, double t, const double *y, uint32_t *row);

// explain.c: why a run stopped
void run_explain(Runner *x, const OdeResult *o, const double *y);
void run_warn_account(Runner *x, Diags *diags); // at the end

#endif
