// Describing functions and the limit cycles they predict, checked by simulation, as text or JSON.
#ifndef VIVA_SHOW_DESCRIBING_H
#define VIVA_SHOW_DESCRIBING_H

#include "control/describing.h"
#include "control/oscillation.h"
#include "show/analysis.h"

// How a simulation ended that started on a predicted limit cycle, or beside it.
typedef enum CycleEndKind {
  cycle_settles, // at a limit cycle
  cycle_decays,  // to an equilibrium
  cycle_grows,   // beyond all sizes
  cycle_stays,   // away from the middle, without oscillation
  cycle_wanders  // the periods are not alike
} CycleEndKind;

typedef struct CycleEnd {
  CycleEndKind kind;
  double part; // the initial amplitude over the predicted one
  Oscillation oscillation;
  uint32_t turns; // periods that were simulated
} CycleEnd;

typedef struct CycleRun {
  CycleEnd ends[2];
  uint32_t count;
  bool own_start;   // of the model: it could not be moved
  bool interrupted; // by the user
  const char *why;  // the model was not simulated; NULL: it was
} CycleRun;

typedef struct ShownDescribing {
  const char *title;              // may be NULL
  const char *signal, *e, *words; // v, its argument, "saturation, slope 1 up to 0.5"
  const Describing *describing;
  const LimitCycleList *cycles;
  const CycleRun *runs; // one for each of the first ones
  uint32_t run_count;
  double low, high; // where they were looked for
} ShownDescribing;
enum { describing_shown = 6 }; // limit cycles that are reported and checked by simulation

void show_describing(const ShownDescribing *x, ShowFormat format, Text *out);

#endif
