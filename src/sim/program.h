// A Program: all that is computed once for a model and its settings, and never changed by a run.
//
// in    a System, settings
// out   the components of y, values, tapes (right-hand side, rows, account, ...), the plan of events, breaks of
//       functions of time, columns; native code and the Jacobian when they are first needed
//
// Many runs use one Program, one after the other or on several threads (motion.h): those of run.h, family.h, batch.h
// and choose.h. An export (export.h) writes one out. A linear model has no run and uses what lies below: the layout of
// the System and the frame of its tapes (tape/frame.h), as the Program does. What is made late, the Jacobian and native
// code, is kept apart from it, behind a lock.
//
// parts: program_tapes.c
#ifndef VIVA_SIM_PROGRAM_H
#define VIVA_SIM_PROGRAM_H

#include "hybrid/event_plan.h"
#include "sim/balance.h"
#include "sim/breaks.h"
#include "sim/code.h"
#include "sim/columns.h"
#include "sim/conserved.h"
#include "sim/measure_plan.h"
#include "sim/momenta.h"
#include "sim/values.h"
#include "tape/jacobian.h"

#include <pthread.h>

typedef enum RunStatus { run_done, run_input, run_failed, run_interrupted, run_sink_failed, run_no_memory } RunStatus;

// Why something did not come about. The words live as long as the arena they were made in.
typedef struct RunFailure {
  RunStatus status;    // run_done: it did; run_input: see the diagnostics
  const char *message; // what, when, where; NULL
  Span place;
  const char *hint; // what to do about it; NULL
} RunFailure;

// Made by the first run that needs it, for all of them.
typedef struct ProgramLazy {
  pthread_mutex_t lock;
  Arena *arena;
  NativeCode f, jacobian, momenta;
  const TapeJacobian *j;
  const OdeJacobian *full; // all entries, for differences
} ProgramLazy;

typedef struct SimProgram {
  Arena *arena;
  System s; // with a pool of its own, rewritten where there are events
  ExprPool pool;
  Settled settled;
  Components y;
  uint32_t param_count;
  KnownValues values; // as the model has them
  bool written;       // to be written out: no run uses it
  bool specialized;   // for these values of the parameters alone
  const bool *varies; // but these may have others; NULL: none
  // tapes; variables t, y, held ones, those of events
  const Tape *f;       // results y', power dissipated, power supplied
  bool total;          // they have values everywhere (tape_is_total), and nothing beside the tape may have none
  const Tape *rows;    // variables dissipated, supplied behind y; results columns, then energies
  const Tape *held;    // what held variables become; NULL: there are none
  const Tape *account; // stored and kinetic energy; NULL: not kept
  const Tape *inertia; // matrices of the blocks of accelerations, one behind the other; NULL: none
  const Tape *starts;  // no variables; results y(0), first values of held variables
  Columns columns;
  TapeSolve *large;                         // for the accelerations of large blocks
  const EventPlan *events;                  // NULL: none
  const BreakPlan *breaks;                  // NULL: not looked for
  const struct ConstraintPlan *constraints; // NULL: none
  const struct ManifoldPlan *manifold;      // NULL: none
  const Conserved *conserved;               // NULL: not looked for
  MomentaPlan *defined;                     // momenta are defined in the system; NULL: none
  const MomentaPlan *momenta;               // for methods that want them; NULL: none
  const double *fixed;                      // where specialized: values that no run changes; NAN: any
  BalancePlan *balance;                     // for conserve; NULL: none
  GradientPlan *gradient;                   // for conserve, of energies of states; NULL: none
  const MeasurePlan *measures;              // NULL: none are asked for
  const OdePair *pairs;                     // for verlet
  uint32_t pair_count;
  uint32_t account_stride; // steps from one look at the account to the next
  ProgramLazy *lazy;
} SimProgram;

typedef struct ProgramRequest {
  const RunSettings *settings;
  bool one_run; // with the model's own values: specialized by them, with the account and a look at the inertia
  // For an export that no start has to be found for: f without the powers of the account, starts and the plan of a run
  // without events, no more. Parameters need no values, and settings are NULL.
  bool written;
  const uint32_t *varied; // parameters for which it must not be specialized, nor for those that follow from them
  uint32_t varied_count;
} ProgramRequest;

// What came of it, also where no program did.
typedef struct ProgramReport {
  RunFailure failure;
  Settled settled;
} ProgramReport;

// NULL: see report. The program lives as long as the arena; program_free gives back what stands apart.
SimProgram *program_new(Arena *arena, const System *system, const ProgramRequest *request, Diags *diags,
                        ProgramReport *report);
void program_free(SimProgram *p); // NULL is fine
// In two steps: what is known without building anything (components, values, settings), then the rest.
SimProgram *program_open(Arena *arena, const System *system, const ProgramRequest *request, Diags *diags,
                         ProgramReport *report);
bool program_build(SimProgram *p, const ProgramRequest *request, Diags *diags,
                   ProgramReport *report); // false: see report

// A tape over t, y and held variables (tape/frame.h), of a system that is the program's or a copy of it.
const Tape *program_tape(Arena *arena, const SimProgram *p, System *s, const ExprId *results, uint32_t count,
                         bool origins);
// The same with further variables behind y.
const Tape *program_tape_with(Arena *arena, const SimProgram *p, System *s, const ExprId *results, uint32_t count,
                              const SymbolId *more, uint32_t more_count);
// That of the right-hand side of a system: specialized where the program is.
const Tape *program_rates_tape(const SimProgram *p, System *s, const ExprId *results, uint32_t count);
bool program_is_inertia(const Block *b); // its matrix is in the tape of inertia

// The exact Jacobian; NULL: out of memory, or it was asked to stop. And the pattern of a full one.
const TapeJacobian *program_jacobian(const SimProgram *p, TapeAsk ask);
const OdeJacobian *program_full_jacobian(const SimProgram *p);
void program_compile(const SimProgram *p, NativeCode *n, CodeState *c, CodeAsk ask);

#endif
