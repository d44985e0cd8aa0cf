// Differential equations between signals, decided: an output y and its derivatives of any order, inputs and theirs.
//
// in    an equation in signals and their higher derivatives; the System
// out   both sides with every derivative replaced by x' = f(x, u, u', ...); they must be the same for all states and
//       all inputs, which are independent of each other at one moment
#ifndef VIVA_ALGEBRA_DIFFERENTIATED_H
#define VIVA_ALGEBRA_DIFFERENTIATED_H

#include "algebra/check.h"

// Does it hold a derivative that motion_check does not know?
bool differentiated_holds(System *s, const CheckText *q);
// Does it hold the acceleration of a coordinate whose velocity is computed?
bool differentiated_helps(System *s, const CheckText *q);
// False: this method does not apply (delays, memories, constraints), and *out is not set.
bool differentiated_check(System *s, const CheckText *q, CheckResult *out);

#endif
