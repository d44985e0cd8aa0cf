// Is an energy bounded below?
#ifndef VIVA_ALGEBRA_BOUNDED_H
#define VIVA_ALGEBRA_BOUNDED_H

#include "algebra/passivity.h"

// False: out of memory. *because: of no, a reason.
bool bounded_below(Signs *g, const PortForm *f, Bounded *out, const char **because);

#endif
