// Nonsmooth terms (corners, jumps, roots) at the point of a linearization.
#ifndef VIVA_LINEAR_KINKS_H
#define VIVA_LINEAR_KINKS_H

#include "rest/operating.h"

typedef enum KinkKind {
  kink_none,
  kink_corner, // the matrices hold the one-sided derivative
  kink_mean,   // or the mean of both
  kink_jump,   // or leave the jump out
  kink_root    // the derivative is not finite
} KinkKind;

// A term that has no derivative at the point, with its span in the text.
typedef struct Kink {
  KinkKind kind;
  const char *text;  // the term
  const char *what;  // what is wrong with it, and what the matrices hold
  const char *label; // of the location: "the force on x"
  Span span;
  bool rates; // the rates notice, and not the outputs alone
} Kink;

typedef VEC(Kink) KinkList;

// Looks through what the model says for terms that switch at o->y, if the rates or outputs are not smooth there: x*|x|
// is. Needs numbers. False: out of memory.
bool kinks_find(Operating *o, KinkList *out);

#endif
