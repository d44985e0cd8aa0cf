// A signal as a static function of one other signal: y = f(e), or a block that remembers.
//
// in    a System in which y is an input whose value is an expression, and a point of it
// out   e, and f as a Describing: in closed form where f is one of those, else by quadrature
#ifndef VIVA_CONTROL_NONLINEARITY_H
#define VIVA_CONTROL_NONLINEARITY_H

#include "control/describing.h"
#include "rest/operating.h"

typedef struct Nonlinearity {
  ExprId e;
  const char *text;  // e as text
  const char *words; // "saturation, slope 1 up to 0.5"
  Describing describing;
  const char *why; // not NULL: there is none, and this is the reason
  // evaluation
  Operating *o;
  OperatingTape tape;
  double *y;
  uint32_t at; // in y: what stands for e
} Nonlinearity;

// e of the value of an input: the inmost part through which the motion enters. 0: none, or memory is out.
ExprId nonlinearity_argument(System *s, ExprId value);
// out stays where it is while it is used. False: memory is out.
bool nonlinearity_find(Operating *o, SymbolId input, Nonlinearity *out);

#endif
