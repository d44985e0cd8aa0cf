// The motion of a model, with its energy account.
#ifndef VIVA_SIM_RUN_H
#define VIVA_SIM_RUN_H

#include "base/sink.h"
#include "sim/hybrid.h"
#include "solve/ode.h"
#include "tape/native.h"

enum { run_most_steps = 100000000 }; // unless somebody says otherwise

typedef struct RunSettings {
  double to, step, every; // NAN: as the model says
  double rtol, atol;      // NAN: 1e-11; by the scale of each component
  const char *method;     // NULL: as the model says, else auto
  bool energy, all;       // further columns
  const char *resume;     // the text of a saved state; NULL: from the start
  bool save;              // make one at the end
  bool no_events;         // fixed steps: nothing is located, memories change at every evaluation
  bool check_step;        // repeat a fixed-step run with half the step
  uint64_t most_steps;    // 0: default
  const char *backend;    // interp tcc cc auto; NULL: auto
  // a second table, for pictures: t, the watched expressions, then the six numbers of the energy account (NAN: none)
  const ExprId *watch;
  uint32_t watch_count;
  const Sink *watcher; // NULL: none
  bool fine;           // rows closer together where nobody says how close
  bool finer;          // and also where somebody does, with a method that can: for moving pictures
  void *self;
  bool (*interrupted)(void *self);                   // may be NULL
  void (*progress)(void *self, double t, double to); // may be NULL
} RunSettings;

RunSettings run_defaults(void);

typedef enum RunStatus { run_done, run_input, run_failed, run_interrupted, run_sink_failed, run_no_memory } RunStatus;

typedef struct RunResult {
  RunStatus status;
  const char *message;         // of a failure: what, when, where; NULL
  Span place;                  // of a failure
  const char *method, *reason; // reason: why auto took it, or NULL
  double t, to, step, every, rtol, atol;
  bool fixed;
  bool by_scale; // atol is for a component of size 1, see OdeSettings
  OdeResult ode;
  uint64_t rows;
  double wall;              // seconds
  Backend backend;          // what ran the right-hand side in the end
  const char *backend_note; // why it is not what was asked for, or what else is worth telling; NULL
  bool energy;              // the account was kept
  const char *state;        // the saved state; NULL: none was asked for
  bool hybrid;              // the model has events
  const RunEvent *events;   // what happened
  uint32_t event_count;
  bool events_cut; // there were more
  RunEvent graze;  // the first touch of a `when` that rounding decides
  uint32_t graze_count;
  RunEvent unsure; // the first time from which on something may have switched unseen
  uint32_t unsure_count;
  bool undefined;              // it has no value there
  bool residue_large;          // far more than the tolerance promises
  const char *blurred;         // the component that rounding hides most; NULL: none
  const char *const *warnings; // messages without their places
  uint32_t warning_count;
  double residue, final_residue, relative, initial, stored, dissipated, supplied;
  const char **names; // of the final values: coordinates, velocities, states, outputs
  double *values;
  uint32_t count;
  bool checked; // check_step was done
  double difference, difference_relative, difference_time;
  const char *difference_name;
} RunResult;

// Runs in an arena of the caller. Wrong settings are added to diags (status run_input).
RunResult run_model(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink, Diags *diags);

#endif
