// The swing that a motion has come to, from rows of one signal.
//
// in    rows (t, e) of a motion, and about how long a turn takes
// out   does it swing steadily? How far, and how fast; else what became of it
//
// A turn goes from one rise through the middle to the next. Its swing is half of the way between its turning points.
#ifndef VIVA_CONTROL_SWING_H
#define VIVA_CONTROL_SWING_H

#include <stdbool.h>
#include <stddef.h>

typedef enum SwingKind {
  swing_steady,   // the last turns are alike
  swing_changing, // they are not: it was not followed long enough, or never settles
  swing_gone      // there are no turns
} SwingKind;

typedef struct Swing {
  SwingKind kind;
  double amplitude, frequency; // of the last turns; rad/s
  double middle;               // between the turning points
  double largest;              // |e| at the end: over the last turn that was asked for
} Swing;

Swing swing_of(const double *t, const double *e, size_t count, double period);

#endif
