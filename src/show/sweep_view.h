// What pictures of a sweep are made of: its samples as columns, and trajectories as values at common times.
#ifndef VIVA_SHOW_SWEEP_VIEW_H
#define VIVA_SHOW_SWEEP_VIEW_H

#include "base/arena.h"
#include "sim/indices.h"

typedef enum SweepColumnKind {
  sweep_grid,    // varied over given values
  sweep_draw,    // varied at random
  sweep_measure, // what a run came to
  sweep_where,   // a condition that passes (1) or not
  sweep_kind_count
} SweepColumnKind;

typedef struct SweepColumn {
  const char *name, *unit; // unit NULL: not known
  SweepColumnKind kind;
} SweepColumn;

// Trajectories at common times, of some of the samples.
typedef struct SweepFan {
  SweepColumn *columns; // kind is not used
  uint32_t column_count, time_count;
  double *times;
  float *values; // by sample, column and time; NAN: it did not come so far
  unsigned char *passes;
  size_t samples, room;
  uint64_t stride;
  // the sample that comes in now
  double *now, *last; // by column and time; the row before
  double last_t;
  uint32_t next; // time
  bool any, failed;
} SweepFan;

typedef struct SweepView {
  Arena *arena;
  const char *title;    // of the model, or its file
  SweepColumn *columns; // grids, draws, measures, conditions
  uint32_t grids, draws, measures, wheres, width;
  double *values;        // of the samples that are kept, `width` each; measures are NAN where it failed
  unsigned char *status; // sweep_failed, sweep_passes
  size_t rows, room;
  uint64_t stride; // every stride-th sample is kept
  uint64_t seen, failed, passed;
  SweepFan *fan;             // NULL: no trajectories
  const SobolIndex *indices; // by measure (conditions behind them) and quantity; NULL: none
} SweepView;

enum { sweep_failed = 1, sweep_passes = 2 };

// A list of columns in the order of their kinds. NULL: out of memory. Freed by sweep_view_free, the arena stays.
SweepView *sweep_view_new(Arena *arena, const char *title, const SweepColumn *columns, uint32_t count);
void sweep_view_free(SweepView *v); // NULL is fine
// The samples in their order; measures NULL: it failed. False: out of memory.
bool sweep_view_take(SweepView *v, const double *varied, const double *measures);

// Times 0 .. to, about as many as rows `every` so much. False: out of memory.
bool sweep_view_fan(SweepView *v, const SweepColumn *columns, uint32_t count, double to, double every);
// The rows of a sample, before it is taken.
bool sweep_view_row(SweepView *v, double t, const double *columns);

#endif
