// Ensemble of simulations of one program: samples come from a generator, results go to a sink in the samples' order.
//
// Samples run eight at a time in SIMD lanes: all together with fixed steps, each with its own steps otherwise. A lane
// takes the next sample when it is done. A sample with an event leaves its lanes for the event and returns
// (solve/alone.h). Samples run one by one with bdf, where LAPACK factorizes, with events in fixed steps, and where
// implicit equations are solved. All run on several threads. Each sample gives the bits of a run of its own. Waiting
// results take a bounded memory: a sample far ahead of the first one that is not done waits.
//
// parts: ensemble_lanes.c ensemble_queue.c
#ifndef VIVA_SIM_ENSEMBLE_H
#define VIVA_SIM_ENSEMBLE_H

#include "sim/motion.h"
#include "tape/native.h"

typedef struct EnsembleEnd {
  RunStatus status;
  double t;             // how far it came
  const double *values; // the final values there; NULL: it never began
  uint64_t steps, evaluations;
  const double *measures; // those of the program, as far as it came; NULL: there are none, or it never began
  const char *message;    // of a failure, where messages are asked for; NULL: none
  bool stiff;             // by rodas at the end
} EnsembleEnd;

// Native code of an ensemble that runs in several parts: made by the first of them. Zero at the beginning.
typedef struct EnsembleCode {
  bool made;
  Backend backend;
  const char *note;
  Native *f, *jacobian; // of lanes; one by one: the program's
  bool jacobian_tried;
} EnsembleCode;

typedef struct Ensemble {
  void *self;
  uint64_t count;
  EnsembleCode *code; // NULL: there are no other parts
  uint64_t whole;     // samples of all parts together; 0: count
  // All parameters and y(0) of sample i; `thread` says whose workspace may be used. False: they are not finite.
  bool (*sample)(void *self, uint32_t thread, uint64_t i, double *params, double *y0);
  // One call at a time, sample after sample: the rows of one, where they are asked for, then its end. False: stop.
  bool (*row)(void *self, uint64_t i, double t, const double *values); // the shown columns; NULL: only ends
  const double *times; // of the rows, as in RunListener; NULL: at the spacing of the program
  uint32_t time_count;
  bool (*take)(void *self, uint64_t i, const EnsembleEnd *end);
  bool messages; // failures are explained, each by a run of its own
  void *asker;
  bool (*interrupted)(void *asker); // asked on any thread; may be NULL
} Ensemble;

typedef struct EnsembleResult {
  RunStatus status;         // run_done also when samples failed
  Backend backend;          // what ran the right-hand side
  const char *backend_note; // why it is not what was asked for, or what else is worth reporting; NULL
} EnsembleResult;

// threads: 0 for one each processor; most are used.
uint32_t ensemble_threads(const SimProgram *p, uint64_t count, uint32_t threads);
// The program was made for many runs; its back end is chosen here.
EnsembleResult ensemble_run(SimProgram *p, const Ensemble *e, uint32_t threads);
void ensemble_code_free(EnsembleCode *code); // before its program

#endif
