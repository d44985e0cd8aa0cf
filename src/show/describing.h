// Describing functions and limit cycles as text or JSON.
#ifndef VIVA_SHOW_DESCRIBING_H
#define VIVA_SHOW_DESCRIBING_H

#include "control/describing.h"
#include "control/swing.h"
#include "show/analysis.h"

// What the motion of the model came to that began on a predicted swing, or beside it.
typedef enum CycleEndKind {
  cycle_settles, // at a swing
  cycle_decays,  // to a rest
  cycle_grows,   // beyond all sizes
  cycle_stays,   // away from the middle, without turns
  cycle_wanders  // the turns are not alike
} CycleEndKind;

typedef struct CycleEnd {
  CycleEndKind kind;
  double part; // of the predicted swing, at the start
  Swing swing;
  uint32_t turns; // that it was followed for
} CycleEnd;

typedef struct CycleRun {
  CycleEnd ends[2];
  uint32_t count;
  bool own_start;   // of the model: it could not be moved
  bool interrupted; // by the user
  const char *why;  // the model was not followed; NULL: it was
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
enum { describing_shown = 6 }; // cycles that are told of, and checked

void show_describing(const ShownDescribing *x, ShowFormat format, Text *out);

#endif
