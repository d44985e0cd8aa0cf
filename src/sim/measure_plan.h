// Tapes of the measures of a run: gauged expressions, the guards of their corners, and the formulas over the gauges.
#ifndef VIVA_SIM_MEASURE_PLAN_H
#define VIVA_SIM_MEASURE_PLAN_H

#include "hybrid/block.h"
#include "hybrid/rewrite.h"
#include "solve/gauges.h"
#include "system/measure.h"

typedef struct MeasurePlan {
  const MeasureSet *set;
  GaugePlan gauges;
  ExprId *results;   // of the tape: what is measured, then guards
  const Tape *tape;  // with the variables of the tape of rows
  const Tape *total; // variables: the symbols of the gauges; results: the measures
  bool *uses;        // by measure and gauge: it depends on it
} MeasurePlan;

// rewriting: of a system with events; NULL: none. The tape is the caller's to make. NULL: out of memory.
MeasurePlan *measure_plan(System *s, const MeasureSet *set, Rewriting *rewriting, double rtol);

// Of one run: pieces of its block, but for `room`.
typedef struct MeasureRun {
  GaugeRun run;
  double *w, *total; // workspaces of the two tapes
  double *gauges, *values;
  double *y;    // a state inside of a step
  double *row;  // one row of the tape
  double *room; // gauge_room
} MeasureRun;

void measures_cut(MeasureRun *r, const MeasurePlan *plan, size_t n, Cutter *c); // n: size of y
// After the gauges were read: the measures. w: the workspace of plan->total.
void measures_total(const MeasurePlan *plan, const double *params, const double *gauges, double *w, double *values);

#endif
