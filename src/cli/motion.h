// Watching a simulation: progress on a terminal, an end when the user interrupts.
#ifndef VIVA_CLI_MOTION_H
#define VIVA_CLI_MOTION_H

#include "viva/viva.h"

static const char run_methods[] =
    "auto dopri5 dop853 rodas bdf gauss8 gauss4 gauss6 gauss12 conserve verlet rk4 bs3 heun euler"; // of `--method`

// Runs a model and shows its message. Interrupts end the run and keep what is there; long runs show their progress on
// a terminal.
viva_status run_watched(const viva_model *model, const viva_run_options *options, const viva_sink *sink,
                        viva_run **run);

// Fills what a run needs to be watched and stopped; for calls that run inside. `watch` lives as long as the run.
typedef struct RunWatch {
  bool terminal, shown;
  long long start; // nanoseconds
  double last;     // seconds since then
  uint64_t before; // of a sweep: samples that were there already, plus one; 0: none was reported yet
} RunWatch;
void watch_run(RunWatch *watch, viva_run_options *options);
void watch_end(const RunWatch *watch);
// Of a search: simulations so far and the best. watch: a RunWatch.
void show_best(void *watch, uint64_t simulations, double best);
// Of a choice: how many candidates are done.
void show_candidates(void *watch, uint64_t done, uint64_t count);

// Of a sweep: how many samples are done, and how long the rest takes at this pace.
void show_samples(void *watch, uint64_t done, uint64_t count);

// From here on an interrupt is noted (signals.h). The linear algebra libraries use one thread.
void listen_for_interrupts(void);

#endif
