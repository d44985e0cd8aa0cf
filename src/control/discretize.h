// Sampled systems: what a continuous one does from sample to sample.
//
//   zero-order hold   exact, while u stays between samples: A_d = exp(A T), B_d = integral of exp(A s) B over 0 .. T
//   Tustin            s = 2/T (z - 1)/(z + 1)
//   matched           poles and zeros by z = exp(s T), zeros at infinity but one at z = -1, the gain of rest
#ifndef VIVA_CONTROL_DISCRETIZE_H
#define VIVA_CONTROL_DISCRETIZE_H

#include "control/realize.h"

typedef enum DiscreteMethod { discrete_hold, discrete_tustin, discrete_matched } DiscreteMethod;

// *why: it cannot be done. False: that, or out of memory. Matched: of one input and one output, given as a fraction.
bool discretize(Arena *arena, const StateSpace *s, double period, DiscreteMethod method, StateSpace *out,
                const char **why);
bool discretize_matched(Arena *arena, const Fraction *g, double period, RealizationForm form, StateSpace *out,
                        const char **why);

#endif
