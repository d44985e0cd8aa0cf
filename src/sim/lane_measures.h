// Measures of eight runs in SIMD lanes: as motion_measures.c, to the last bit.
#ifndef VIVA_SIM_LANE_MEASURES_H
#define VIVA_SIM_LANE_MEASURES_H

#include "sim/program.h"
#include "solve/lanes.h"

typedef struct LaneMeasures LaneMeasures;

// Steps of some lanes.
typedef struct LaneSpan {
  unsigned mask;
  const double *t0, *t1;
  const bool *after_start; // by lane, as in OdeBreaks
  LaneDense *dense;
  void *from;
} LaneSpan;

LaneMeasures *lane_measures_new(Arena *arena, const SimProgram *p);        // NULL: out of memory
void lane_measures_begin(LaneMeasures *m, int lane, const double *params); // another run
void lane_measures_take(LaneMeasures *m, const LaneSpan *span);
// The measures of the run of a lane, which reached t and y.
const double *lane_measures_end(LaneMeasures *m, int lane, const double *params, double t, const double *y);

#endif
