// Inside an ensemble: the queue of samples, and its workers.
#ifndef VIVA_SIM_ENSEMBLE_INSIDE_H
#define VIVA_SIM_ENSEMBLE_INSIDE_H

#include "sim/ensemble.h"

#include <stdatomic.h>

// The result of a sample that waits for its turn.
typedef struct EnsembleSlot {
  bool done;
  EnsembleEnd end;
  double *values, *measures; // of its end
  char *message;             // from malloc
  double *rows;              // t, then the shown columns; from malloc, given back when they were taken
  size_t row_count, row_room;
} EnsembleSlot;

typedef struct EnsembleQueue {
  const SimProgram *p;
  const Ensemble *e;
  OdeSettings ode; // the program's, with the times of the rows
  Arena *arena;
  pthread_mutex_t lock;
  pthread_cond_t moved; // `taken` grew, or all is to stop
  uint64_t next, taken; // the next sample that begins; the first that was not taken yet
  bool taking;          // one thread hands results over
  EnsembleSlot *slots;  // of sample i: i modulo window
  uint64_t window;
  atomic_bool stop, no_memory;
} EnsembleQueue;

typedef struct EnsembleWorker {
  EnsembleQueue *q;
  uint32_t index;
  Arena *arena;
  Backend backend;        // one by one: of the program's native code
  struct LaneCode *lanes; // NULL: one by one
  pthread_t thread;
} EnsembleWorker;

bool ensemble_open(EnsembleQueue *q, Arena *arena, const SimProgram *p, const Ensemble *e); // false: out of memory
void ensemble_close(EnsembleQueue *q);
void ensemble_give_up(EnsembleQueue *q);                // out of memory: all stop
bool ensemble_next(EnsembleQueue *q, uint64_t *sample); // false: there is none, or no free slot for its result yet
bool ensemble_wait(EnsembleQueue *q);                   // for a free slot; false: no sample is left
bool ensemble_put_row(EnsembleQueue *q, uint64_t sample, double t, const double *values); // false: out of memory
void ensemble_put_end(EnsembleQueue *q, uint64_t sample, const EnsembleEnd *end);         // its values are copied
bool ensemble_asked_to_stop(void *queue);
// A sample by a run of its own, from its start; rows up to the time `known` were put already. False: out of memory.
bool ensemble_run_alone(EnsembleQueue *q, Run *r, uint64_t sample, double known, const double *params,
                        const double *y0);

// ---- ensemble_lanes.c

// Native code for lanes, and the Jacobian's: made by the first worker that needs it.
typedef struct LaneCode {
  const SimProgram *p;
  Native *f;
  pthread_mutex_t lock;
  Arena *arena;
  bool tried;
  Native *jacobian;
  void *self;
  bool (*interrupted)(void *self);
} LaneCode;

bool ensemble_in_lanes(const SimProgram *p); // can its runs go in lanes?
bool ensemble_work_in_lanes(EnsembleWorker *k);

#endif
