// A single simulation of a model, with its energy balance: from settings to a summary.
#ifndef VIVA_SIM_RUN_H
#define VIVA_SIM_RUN_H

#include "sim/motion.h"

// What happened, for people.
typedef struct RunEvent {
  double t;
  EventKind kind; // event_of_none: a signal of time
  const char *word;
  Span span;
  double value;  // the new one; of a `when` 1
  uint32_t line; // 0: none
} RunEvent;

// What became of the constraints.
typedef struct RunConstraints {
  uint32_t count, rank;         // at the start; count 0: there are none
  double position, velocity;    // largest residuals after a step, as distances and speeds
  double moved, moved_velocity; // how far the start was moved from the given values
  uint32_t impulses;            // that constraints answered with to velocities that were set
  double impulse, impulse_t;    // the largest, and when
  const char *impulse_name;
  uint32_t singular; // configurations of lower rank that were passed, of which the first ones are kept
  SingularPlace places[singular_places];
  const char *dependent;                          // those whose multipliers are not unique; NULL: none
  const char *idle;                               // those that bind nothing at the start; NULL: none
  const char *dependent_reported, *idle_reported; // the same, of many the first ones
  bool one_idle;                                  // it is a single one
} RunConstraints;

// What became of the equations that were differentiated.
typedef struct RunManifold {
  uint32_t count; // they and their derivatives that bind the states; 0: there are none
  double residue; // the largest after a step, in sizes of the states
  double moved;   // how far the start was moved from the given values
} RunManifold;

// Two statements that were executed in one pass and set one name, of which the later one counts.
typedef struct RunOverwrite {
  const char *name;
  RunEvent earlier, later; // the first time
  uint32_t count;
} RunOverwrite;

// The events of the run.
typedef struct RunEvents {
  bool looked_for; // the model has events
  const RunEvent *items;
  uint32_t count;
  bool cut;       // there were more
  RunEvent graze; // the first touch of a `when` that rounding decides
  uint32_t graze_count;
  RunEvent unsure; // the first time from which on something may have switched unseen
  uint32_t unsure_count;
  bool undefined; // it has no value there
  const RunOverwrite *overwrites;
  uint32_t overwrite_count;
} RunEvents;

// The energy account at the end.
typedef struct RunAccount {
  bool kept;
  double initial, stored, dissipated, supplied;
  double residue, final_residue; // the largest one, and that of the last row
  double relative;               // the largest against the energy moved
  bool large;                    // far more than the tolerance promises
} RunAccount;

// The final values: coordinates, velocities, states, outputs.
typedef struct RunFinal {
  const char **names;
  double *values;
  uint32_t count;
} RunFinal;

// The measures of the run, as far as it came.
typedef struct RunMeasures {
  const MeasureSet *set; // NULL: none were asked for
  double *values;        // NAN: it has none
  const char *undefined; // the first gauge that had no value somewhere; NULL: all had
  double undefined_t;
} RunMeasures;

// A sum of components that should be constant, and has drifted by more than the tolerance lets these components be off.
typedef struct RunConserved {
  const char *sum; // "y2 - y3 - y4"; NULL: there is none
  double drift;
  const char *name; // of the component with the largest part in it at the end
  double value;
} RunConserved;

// The same run with half the step: the largest difference.
typedef struct RunHalfStep {
  bool done;
  double difference, relative, time;
  const char *name; // of the component
} RunHalfStep;

typedef struct RunResult {
  RunStatus status;
  const char *message; // of a failure: what, when, where; NULL
  Span place;          // of a failure
  Settled settled;     // with the method that `auto` came to
  double t;            // of the last row
  OdeResult ode;
  uint64_t rows;
  double wall;              // seconds
  Backend backend;          // what ran the right-hand side in the end
  const char *backend_note; // why it is not what was asked for, or what else is worth reporting; NULL
  const char *state;        // the saved state; NULL: none was asked for
  RunEvents events;
  RunAccount account;
  RunFinal final;
  RunMeasures measures;
  RunHalfStep half;
  const char *inertialess;   // the first coordinate whose inertia vanished; NULL: none
  MomentaReported vanished;  // when, how often
  const char *roundoff_name; // the component that is most dominated by rounding; NULL: none
  RunConserved conserved;
  const char *const *warnings; // messages without their source locations
  uint32_t warning_count;
  RunConstraints constraints;
  RunManifold manifold;
} RunResult;

// Runs in an arena of the caller. Wrong settings are added to diags (status run_input).
RunResult run_model(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink, Diags *diags);

// The parts of run_model. x: NULL where no program was built, or out of memory.
typedef struct RunClock {
  double seconds;
} RunClock;
RunClock run_clock(void);
RunResult run_follow(Run *x, const ProgramReport *built, const RunSettings *settings, const Sink *sink, Diags *diags,
                     RunClock start);
// Its two halves, for runs in lanes: up to the first step, and from the end on, where r->ode is the result of the
// integration. No half step is made.
typedef enum RunTurn {
  run_is_over,       // r is the result
  run_ended_at_once, // it ended at its start: r->ode
  run_goes           // the integration is next
} RunTurn;
RunTurn run_follow_begin(Run *x, const ProgramReport *built, const RunSettings *settings, const Sink *sink,
                         Diags *diags, RunResult *r);
void run_follow_end(Run *x, const RunSettings *settings, Diags *diags, double wall, RunResult *r);

#endif
