// Limit cycle of a simulation: steady amplitude and frequency, from rows of one signal.
//
// in    rows (t, e) of a run, and an estimate of the period
// out   whether the oscillation is steady, its amplitude and frequency; else whether it changes or is gone
//
// A period goes from one rise through the middle to the next. Its amplitude is half of the distance between its
// extrema.
#ifndef VIVA_CONTROL_OSCILLATION_H
#define VIVA_CONTROL_OSCILLATION_H

#include <stdbool.h>
#include <stddef.h>

typedef enum OscillationKind {
  oscillation_steady,   // the last periods are alike
  oscillation_changing, // they are not: it was not followed long enough, or never settles
  oscillation_gone      // there are no periods
} OscillationKind;

typedef struct Oscillation {
  OscillationKind kind;
  double amplitude, frequency; // of the last periods; rad/s
  double middle;               // between the extrema
  double largest;              // |e| at the end, over the last `period`
} Oscillation;

Oscillation oscillation_of(const double *t, const double *e, size_t count, double period);

#endif
