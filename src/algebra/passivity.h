// Is a system passive at its ports, with its own energy as the storage?
#ifndef VIVA_ALGEBRA_PASSIVITY_H
#define VIVA_ALGEBRA_PASSIVITY_H

#include "algebra/definite.h"
#include "algebra/port_form.h"

typedef enum PassivityVerdict {
  passivity_strict,  // and what is lost is positive definite
  passivity_passive, // H is bounded below
  passivity_lossless,
  passivity_cyclo, // H <= H(0) + supplied, but H may have no lower bound
  passivity_not,
  passivity_undecided
} PassivityVerdict;

// Is H bounded below?
typedef enum Bounded { bounded_yes, bounded_no, bounded_undecided } Bounded;

typedef struct Passivity {
  PassivityVerdict verdict;
  const char *because; // in words; NULL
  PortForm form;
  Signs signs; // what was assumed
  Bounded bounded;
  const char *bounded_because; // NULL
  ExprId lost;                 // the dissipated power
  VEC(ExprId) squares;         // the same as a sum of these; none: it was not found
  VEC(ExprId) casimirs;        // what stays constant while the ports are zero
  // of not passive: a state and inputs with what is lost there
  const char *witness, *loss;
  ExprId supplied; // y.u
} Passivity;

// s must be a system over a pool of its own (system_clone). False: out of memory.
bool passivity_find(System *s, Passivity *out);
const char *passivity_name(PassivityVerdict v);

#endif
