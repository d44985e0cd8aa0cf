// A Run: one simulation of a Program, that can be restarted, held, copied.
//
// What a run changes (y, workspaces, memories, modes, the account) is one block without pointers (block.h); behind it
// come tails that grow: the past of delays, the log of events. The Run is the view on them, and has the listeners. A
// restart with other parameters builds nothing.
//
// parts: motion_eval.c motion_held.c motion_measures.c motion_problem.c motion_rates.c motion_rows.c
#ifndef VIVA_SIM_MOTION_H
#define VIVA_SIM_MOTION_H

#include "hybrid/hybrid.h"
#include "sim/constrain.h"
#include "sim/manifold.h"
#include "sim/program.h"

// The listeners of a run. All may be NULL.
typedef struct RunListener {
  const Sink *sink;    // rows: t, the shown columns, with `energy` the six numbers of the account
  const Sink *watcher; // rows for pictures: t, watched expressions, the account
  bool energy;
  bool upright; // pictures see events from both sides, so that jumps stand upright
  bool paths;   // pictures see each step at some points inside, so that paths in a plane are round
  bool quiet;   // rows are not evaluated and the account is not kept: only the last y is asked for
  // Rows at these times, in strict order, none before the start, each once, as far as the run comes; NULL: at the
  // spacing of the program. The list moves no step. It is borrowed while runs go.
  const double *times;
  uint32_t time_count;
  void *self;
  bool (*interrupted)(void *self);
  void (*progress)(void *self, double t, double to);
} RunListener;

typedef struct RunState {
  double t;    // reached
  double step; // what an adaptive method would try next; 0: it finds one
  bool begun;  // the start has settled
  uint64_t rows;
  double row_t, stored, final_residue; // of the last row
  // the account
  bool opened; // it has its initial value
  double initial, scale, worst, worst_t;
  double damped, last_dissipated; // all that dampers took and gave, since the run went on
  CodeState code, jacobian_code, momenta_code;
} RunState;

typedef struct Run {
  const SimProgram *p;
  const KnownValues *known; // the model's own values: the program's, or of another member of its family
  Arena *arena;             // of this view, the block and the tails
  Arena *scratch;           // of one segment: breaks, the workspaces of the method, words
  ArenaMark mark;
  // the block
  char *block;
  size_t block_size;
  RunState *s;
  double *params, *y, *start;     // y and start: with the quadratures behind them
  double *held, *held_start;      // held variables now, and at the start
  double *fw, *rw, *hw, *aw, *iw; // workspaces: right-hand side, rows, held variables, account, inertia
  double *last, *values;          // of the last row: y (and run_recent), the final values
  double *row;                    // workspace of one
  MeasureRun measures;            // where some are asked for
  double *differences;            // for a Jacobian by differences: three workspaces, then the largest sizes of y
  double *errors;                 // workspace of the rounding of rates, made when a method asks for it
  ConstraintRun constraints;      // where there are some
  MomentaRun momenta;             // where the method wants them
  BalanceRun balance;             // of conserve
  GradientRun gradient;           // likewise
  ManifoldRun manifold;           // likewise
  Hybrid hybrid, *h;              // h: events; NULL: none
  // of the Jacobian, made when a method asks for it
  const TapeJacobian *j;
  double *jw;
  OdeJacobian jacobian;
  OdeSettings ode; // with the breaks of this run
  RunListener to;
  struct RunChoice *choice; // whether `auto` finds a better method during the run (choose.h); NULL: no trials
  bool (*choose)(struct Run *r, double t, uint64_t steps); // after a step; true: it ends here, there is a better one
  RunFailure failure;                                      // what ended it
  bool *z_changed;                                         // set when variables of events change; NULL: unused
} Run;

// By component: how large it was in the last tenth of the run. NULL: there are no conserved sums.
static inline double *run_recent(const Run *r) {
  return r->p->conserved && r->p->conserved->count ? r->last + r->p->y.total : NULL;
}

Run *run_new(Arena *arena, const SimProgram *p); // NULL: out of memory
// A run from the start. params: NULL for the model's own; y0: NULL as they say. False: r->failure says why not:
// out of memory, or the program is not for these parameters.
bool run_reset(Run *r, const double *params, const double *y0);
void run_listen(Run *r, RunListener listener);
// On to time t; r->y, r->s->t. A run that goes on repeats its event iteration, as a saved one does.
OdeResult run_to(Run *r, double t);
// A copy of the run, from here: nothing of it is shared but the program. NULL: out of memory.
Run *run_copy(Arena *arena, const Run *r);
const double *run_z(Run *r, double t, const double *y); // the variables of events; NULL: none

// ---- the parts of run_to, for those who look between them

bool run_aim(Run *r, double t);                        // the end, and the breaks until then; false: r->failure
void run_go_on(Run *r);                                // where the next segment starts, and its first step
OdeAction run_begin(Run *r);                           // the start, or where it goes on, settles
OdeResult run_go(Run *r, const OdeObserver *observer); // NULL: the run's own
OdeResult run_not_begun(Run *r, OdeAction action);     // the events of the start itself end it

// ---- motion_rates.c: callbacks of the integrator

bool run_right_side(void *self, double t, const double *y, double *dydt);
bool run_rates(Run *r, const Tape *f, double *w, const Native *native, double t, const double *y, double *dydt);
// The same, counted, and by native code from the moment on at which it pays.
bool run_counted_rates(Run *r, const Tape *f, double *w, NativeCode *code, CodeState *state, double t, const double *y,
                       double *dydt);
const OdeJacobian *run_jacobian(void *self);
bool run_rounding(void *self, double t, const double *y, double *error);
bool run_rate_errors(void *self, double t, const double *y, const double *off, double *error);
OdeProblem run_problem(Run *r);                            // motion_problem.c
void run_put_z(const Run *r, const Tape *tape, double *w); // the variables of events
// Those that vary inside a step. False: r->h->failure.
bool run_see_z(Run *r, const Tape *tape, double *w, double t, const double *y);
void run_spread_z(void *self);                                                    // they changed: into all workspaces
void run_prepare(const Run *r, const Tape *tape, double *w);                      // parameters and held variables
void run_eval_at(Run *r, const Tape *tape, double *w, double t, const double *y); // a tape of the state, there

// ---- motion_held.c: variables that stay as they are within a step (System.held)

void run_put_held(const Run *r, const Tape *t, double *w);
bool run_start_held(Run *r, double t, const double *y); // false: no solution was found
void run_accept(void *self, double t, const double *y);

// ---- motion_measures.c: measures of a run

typedef void OdeSpan(void *self, double t0, double t1, OdeDense *dense, void *from);
OdeSpan *run_span_taker(const Run *r); // NULL: whole steps are not requested
void run_take_span(void *self, double t0, double t1, OdeDense *dense, void *from);
// The measures of a run that reached t and y; r->measures.values. NULL: there are none.
const double *run_measures(Run *r, double t, const double *y);

// ---- motion_rows.c

bool run_take_row(void *self, double t, const double *y);
// The rows are evaluated. An output that has no value ends the run: which operation failed, and in which line, into
// r->failure. True: there is one.
bool run_report_undefined(Run *r, double t);
void run_watch(void *self, double t, const double *y); // a row for pictures alone
void run_watch_step(Run *r, double t0, double t1, OdeDense *dense, void *from);
void run_watch_break(void *self, double left, double right, const double *y); // both limits at a break inside a step
double run_stored(void *self, double t, const double *y);                     // energy; 0: none is kept
void run_take_jump(void *self, double left, double right, double *y);
bool run_is_interrupted(Run *r); // asks, and remembers
bool run_after_step(void *self, double t, const double *y, uint64_t steps);
bool run_send_header(Run *r);

#endif
