// Stability of an equilibrium (is it a minimum?): the Hessian of the potential, reduced to what constraints leave.
#ifndef VIVA_REST_STIFFNESS_H
#define VIVA_REST_STIFFNESS_H

#include "rest/descent.h"

typedef enum RestVerdict {
  rest_no_verdict,
  rest_stable,
  rest_unstable,
  rest_singular,  // a direction without stiffness, in which terms of higher order decide
  rest_mechanism, // a direction in which it can be moved and still balances
  rest_marginal   // by eigenvalues: some on the imaginary axis, none to the right
} RestVerdict;

// A direction without stiffness, or with a negative one; where there is none of these, the softest.
typedef struct SoftDirection {
  double stiffness;  // second derivative of the potential by the largest entry
  double *direction; // by unknown, the largest entry 1
  bool free;         // it can be moved along it, and still balances
  int rises;         // of one without stiffness that is not free: the potential rises (1), falls (-1), or either (0)
} SoftDirection;

typedef struct Stiffness {
  RestVerdict verdict;
  uint32_t negative, zero; // eigenvalues
  uint32_t rank;           // of the constraints
  VEC(SoftDirection) soft;
} Stiffness;

typedef enum StiffnessStatus { stiffness_done, stiffness_failed, stiffness_no_memory } StiffnessStatus;

// At d->u, d->lambda, where the forces balance. d is left there.
StiffnessStatus stiffness_judge(Downhill *d, Stiffness *out);

#endif
