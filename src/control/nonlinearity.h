// A signal as a static function of one other signal: y = f(e), or a memory block (hysteresis, backlash).
//
// in    a System in which y is an input whose value is an expression, and a point of it
// out   e, and f as a Describing: in closed form where f is one of those, else by quadrature
#ifndef VIVA_CONTROL_NONLINEARITY_H
#define VIVA_CONTROL_NONLINEARITY_H

#include "control/describing.h"
#include "rest/operating.h"

typedef struct Nonlinearity {
  ExprId e;
  const char *words; // "saturation, slope 1 up to 0.5"
  Describing describing;
  const char *why; // not NULL: there is none, and this is the reason
  // evaluation
  Operating *o;
  OperatingTape tape;
  double *y;
  uint32_t at; // in y: what stands for e
} Nonlinearity;

// e of the value of a signal: a part through which all that varies in time enters, one of those that have names where
// there is one. 0: none, or out of memory.
ExprId nonlinearity_argument(System *s, ExprId value, const ExprId *named, uint32_t count);
// out stays where it is while it is used. False: out of memory.
bool nonlinearity_find(Operating *o, ExprId value, ExprId e, Nonlinearity *out);

#endif
