// Options of a run, and the settings that follow from them and the model.
#ifndef VIVA_SIM_RUN_SETTINGS_H
#define VIVA_SIM_RUN_SETTINGS_H

#include "base/sink.h"
#include "solve/ode.h"
#include "system/system.h"
#include "tape/native.h"

enum { run_most_steps = 100000000 }; // the default

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
  bool no_structure;      // auto stays with methods that choose their steps
  const char *backend;    // interp tcc cc auto; NULL: auto
  // a second table, for pictures: t, the watched expressions, then the six numbers of the energy account (NAN: none)
  const ExprId *watch;
  uint32_t watch_count;
  const Sink *watcher;               // NULL: none
  bool watch_paths;                  // they are paths in a plane: rows inside of steps, too
  const struct MeasureSet *measures; // of the system that runs; NULL: none
  bool close_rows;                   // rows closer together where no spacing is given
  bool closest_rows;                 // and also where one is given, with a method that can: for moving pictures
  void *self;
  bool (*interrupted)(void *self);                   // may be NULL
  void (*progress)(void *self, double t, double to); // may be NULL
} RunSettings;

RunSettings run_defaults(void);

// The times of `simulate` by value; NAN: not said.
typedef struct SimulateTimes {
  double to, step, every;
  double from; // 0: not said
} SimulateTimes;

// Defaults: a run ends after 10 s, and a fixed step is a thousandth of it.
static inline double run_default_end(double from, double to) { return isnan(to) ? from + 10 : to; }
static inline double run_default_step(double length) { return length / 1000; }

typedef struct Settled {
  const char *method, *reason; // reason: why auto took it, or NULL
  double from, to, step, every, rtol, atol;
  bool fixed;
  bool by_scale; // atol is for a component of size 1, see OdeSettings
  Backend backend;
  OdeSettings ode; // without breaks
} Settled;

// events: the model has events, memories or delays. False: see diags.
bool run_settle(const System *s, const RunSettings *settings, SimulateTimes times, bool events, Diags *diags,
                Settled *out);

#endif
